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

/// What is in memory has no time, so that its bytes say whether it is another file.
#[test]
fn files_and_catalogues_may_be_anywhere() {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    files.put("forest.snpak", samples::pack().build().bytes);
    let input = |name: &str| Input { file: name.into(), name: name.to_owned() };
    let inputs = ["level.nmo", "forest.snpak"].map(input);
    let dir = "catalogue".into();
    let run = || catalog_of(&files, &inputs, &dir, &Options::default(), &mut |_, _| {}).unwrap();
    let first = run();
    assert_eq!((first.new, first.containers, first.bad.len()), (2, 2, 0));
    let names = files.names();
    let second = run();
    assert_eq!((second.touched, second.changed, second.entries), (2, 0, first.entries));
    assert_eq!((second.written, files.names()), (0, names.clone()));
    files.put("level.nmo", samples::menu().build().bytes);
    assert_eq!(run().changed, 1);
    assert_eq!(files.names().len(), names.len(), "the old parts are gone");
}

/// In memory, as in a store, nobody is kept from writing: who comes second is refused, and leaves nothing.
#[test]
fn two_runs_at_once_do_not_mix() {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    files.put("forest.snpak", samples::pack().build().bytes);
    let input = |name: &str| Input { file: name.into(), name: name.to_owned() };
    let (dir, options) = ("catalogue".into(), Options::default());
    let run = |inputs: &[Input], progress: &mut dyn FnMut(u64, u64)| {
        catalog_of(&files, inputs, &dir, &options, progress)
    };
    let manifest = || files.get("catalogue/spelunk-catalog.json").unwrap();
    let (one, two) = ([input("level.nmo")], [input("level.nmo"), input("forest.snpak")]);
    for first in [true, false] {
        let mut faster = None;
        let slower = run(&two, &mut |_, _| {
            faster.get_or_insert_with(|| (run(&one, &mut |_, _| {}).unwrap(), manifest()));
        });
        assert_eq!(slower.unwrap_err().code().id, "SP172", "{first}");
        let (summary, after) = faster.unwrap();
        assert_eq!((summary.files, manifest()), (1, after));
        let text = String::from_utf8(manifest().to_vec()).unwrap();
        let names = files.names();
        let parts = names.iter().map(ToString::to_string).filter(|name| name.ends_with(".parquet"));
        let parts: Vec<String> = parts.collect();
        assert_eq!(parts.len(), spelunk_catalog::schema::TABLES.len(), "{parts:?}");
        let is_named = |part: &String| text.contains(part.strip_prefix("catalogue/").unwrap());
        assert!(parts.iter().all(is_named), "{parts:?} {text}");
        run(&two, &mut |_, _| {}).unwrap();
        // Every run that follows has something to write.
        files.put("level.nmo", samples::menu().build().bytes);
    }
}
