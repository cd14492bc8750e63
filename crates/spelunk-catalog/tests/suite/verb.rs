//! `catalog` as a verb that sessions register, and catalogues of files that lie on no disk.

use serde_json::json;
use spelunk::verbs::{self, CollectedOutput, Disk, Memory, Session};
use spelunk_catalog::{Input, Options, VERB, catalog_of};
use spelunk_fixtures::samples;

#[test]
fn a_session_has_the_verb_when_it_is_registered() {
    let dir = tempfile::tempdir().unwrap();
    let samples = dir.path().join("samples");
    std::fs::create_dir(&samples).unwrap();
    let count = spelunk_fixtures::write_samples(&samples).unwrap().len();
    std::fs::write(samples.join("cut.nmo"), &b"Nemo Fi\0cut"[..]).unwrap();
    std::fs::write(samples.join("note.txt"), "no container").unwrap();
    let output = dir.path().join("catalogue");
    let request = json!({ "trees": [samples], "output": output, "exclude": ["*.dat"] });
    let request = request.to_string();
    let mut rows = CollectedOutput::default();
    let error = verbs::call(&Session::new(Disk), "catalog", &request, &mut rows).unwrap_err();
    assert_eq!(error.code().id, "SP190", "{error}");
    let session = Session::new(Disk).register(VERB);
    let outcome = verbs::call(&session, "catalog", &request, &mut rows).unwrap();
    assert_eq!(outcome.code(), 3, "one file is damaged");
    assert_eq!(outcome.passed_over.len(), 1);
    let excluded = std::fs::read_dir(&samples).unwrap().flatten();
    let excluded = excluded.filter(|it| it.path().extension().is_some_and(|end| end == "dat"));
    let files = count + 2 - excluded.count();
    assert_eq!(rows.rows[0]["new"], files);
    assert_eq!(rows.rows[0]["unopened"], 1);
    assert!(rows.diagnostics[0].0.ends_with("cut.nmo"), "{:?}", rows.diagnostics);
    let told = rows.diagnostics.clone();
    let mut again = CollectedOutput::default();
    verbs::call(&session, "catalog", &request, &mut again).unwrap();
    assert_eq!(
        (&again.rows[0]["unchanged"], &again.rows[0]["written"]),
        (&json!(files), &json!(0))
    );
    assert_eq!(again.diagnostics, told, "what the catalogue knows is told alike");
    let nothing = json!({ "trees": [dir.path().join("gone")], "output": output }).to_string();
    let error = verbs::call(&session, "catalog", &nothing, &mut rows).unwrap_err();
    assert!(error.io_error().is_some() && error.to_string().contains("gone"), "{error}");
}

#[test]
fn a_catalogue_lies_on_a_disk() {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    let session = Session::new(files).register(VERB);
    let request = r#"{"trees": ["level.nmo"], "output": "catalogue"}"#;
    let error =
        verbs::call(&session, "catalog", request, &mut CollectedOutput::default()).unwrap_err();
    assert_eq!(error.code().id, "SP029");
    assert!(error.to_string().contains("a folder on a disk"), "{error}");
}

/// What is in memory has no time, so that its bytes say whether it is another file.
#[test]
fn files_may_be_anywhere() {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    files.put("forest.snpak", samples::pack().build().bytes);
    let dir = tempfile::tempdir().unwrap();
    let input = |name: &str| Input { file: name.into(), name: name.to_owned() };
    let inputs = ["level.nmo", "forest.snpak"].map(input);
    let run =
        || catalog_of(&files, &inputs, dir.path(), &Options::default(), &mut |_, _| {}).unwrap();
    let first = run();
    assert_eq!((first.new, first.containers, first.bad.len()), (2, 2, 0));
    let second = run();
    assert_eq!((second.touched, second.changed, second.entries), (2, 0, first.entries));
    files.put("level.nmo", samples::menu().build().bytes);
    assert_eq!(run().changed, 1);
}
