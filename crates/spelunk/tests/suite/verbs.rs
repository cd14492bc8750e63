//! Sessions, their files, and files that stay open.

use serde_json::json;
use spelunk::verbs::{self, CollectedOutput, FileRef, Memory, Session, cat, ls, set, show};
use spelunk_fixtures::samples;

fn memory() -> Memory {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    files
}

fn change(text: &str) -> Vec<set::FieldChange> {
    vec![set::FieldChange::Text(text.to_owned())]
}

/// The value of a field, as `show` has it.
fn power(session: &Session, file: FileRef) -> f64 {
    let mut rows = CollectedOutput::default();
    let request =
        show::Request { file, path: "CKMaterial/Wood".to_owned(), ..show::Request::default() };
    assert!(show::run(session, &request, &mut rows).unwrap().is_clean());
    let fields = rows.rows[0]["fields"].as_array().unwrap().iter();
    let mut power = fields.filter(|field| field["path"] == "material.specular_power");
    power.next().unwrap()["value"].as_f64().unwrap()
}

#[test]
fn a_file_that_stays_open_shows_what_was_changed_in_it() {
    let files = memory();
    let session = Session::new(files.clone());
    let handle = session.open("level.nmo").unwrap();
    let old = power(&session, handle.into());
    let mut request = set::Request {
        changes: change("CKMaterial/Wood/material.specular_power=3.5"),
        ..set::Request::default()
    };
    request.to.file = handle.into();
    let mut rows = CollectedOutput::default();
    assert!(set::run(&session, &request, &mut rows).unwrap().is_clean());
    assert!((power(&session, handle.into()) - 3.5).abs() < 1e-9);
    assert!((power(&session, "level.nmo".into()) - old).abs() < 1e-9, "nothing was written");
    // Written elsewhere, and then in its place.
    request.changes = change("CKMaterial/Wood/material.specular_power=4.5");
    request.to.output = Some("new.nmo".into());
    assert!(set::run(&session, &request, &mut rows).unwrap().is_clean());
    assert!((power(&session, "new.nmo".into()) - 4.5).abs() < 1e-9);
    assert!((power(&session, "level.nmo".into()) - old).abs() < 1e-9);
    (request.to.output, request.to.in_place) = (None, true);
    request.to.keep.backup = Some(".bak".to_owned());
    let written = files.get("level.nmo");
    assert!(set::run(&session, &request, &mut rows).unwrap().is_clean());
    assert!((power(&session, "level.nmo".into()) - 4.5).abs() < 1e-9);
    assert_eq!(files.get("level.nmo.bak"), written);
    session.close(handle);
    let closed = cat::Request { file: handle.into(), ..cat::Request::default() };
    let error = cat::run(&session, &closed, &mut rows).unwrap_err();
    assert_eq!(error.code().id, "SP191");
}

#[test]
fn a_dry_run_changes_no_file_that_stays_open() {
    let session = Session::new(memory());
    let handle = session.open("level.nmo").unwrap();
    let old = power(&session, handle.into());
    let mut request = set::Request {
        changes: change("CKMaterial/Wood/material.specular_power=3.5"),
        ..set::Request::default()
    };
    (request.to.file, request.to.out.dry_run) = (handle.into(), true);
    let mut rows = CollectedOutput::default();
    assert!(set::run(&session, &request, &mut rows).unwrap().is_clean());
    assert!((power(&session, handle.into()) - old).abs() < 1e-9);
}

#[test]
fn outputs_take_no_place_that_is_taken() {
    let files = memory();
    files.put("other.nmo", b"other".to_vec());
    let session = Session::new(files.clone());
    let mut request = set::Request {
        changes: change("CKMaterial/Wood/material.specular_power=3.5"),
        ..set::Request::default()
    };
    request.to.file = "level.nmo".into();
    for (output, code) in [("other.nmo", "SP021"), ("level.nmo", "SP029")] {
        request.to.output = Some(output.into());
        let mut rows = CollectedOutput::default();
        let outcome = set::run(&session, &request, &mut rows).unwrap();
        assert!(!outcome.is_clean() && rows.rows.is_empty());
        assert_eq!(rows.diagnostics[0].1["code"], code, "{:?}", rows.diagnostics);
    }
    assert_eq!(files.get("other.nmo").unwrap(), b"other".as_slice());
}

#[test]
fn a_folder_in_memory_is_listed_file_by_file() {
    let files = Memory::new();
    files.put("game/b/level.nmo", samples::level().build().bytes);
    files.put("game/a.snpak", samples::pack().build().bytes);
    files.put("game/note.txt", b"no container".to_vec());
    let session = Session::new(files);
    let names = |recursive: bool| {
        let mut rows = CollectedOutput::default();
        let request = ls::Request { file: "game".into(), recursive, ..ls::Request::default() };
        let outcome = ls::run(&session, &request, &mut rows).unwrap();
        assert!(outcome.is_clean());
        assert_eq!(outcome.passed_over, ["game/note.txt"]);
        let mut names: Vec<_> =
            rows.rows.iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect();
        names.dedup();
        names
    };
    assert_eq!(names(false), ["game/a.snpak"]);
    assert_eq!(names(true), ["game/a.snpak", "game/b/level.nmo"]);
}

/// An error of the output ends the verb.
#[test]
fn who_has_enough_ends_the_verb() {
    struct Two(usize);
    impl spelunk::verbs::Output for Two {
        fn row(&mut self, _: &dyn spelunk::verbs::Row) -> spelunk::Result<()> {
            self.0 += 1;
            match self.0 {
                3 => Err(spelunk::Error::io(std::io::ErrorKind::BrokenPipe.into())),
                _ => Ok(()),
            }
        }
        fn body(&mut self, _: &str, _: &[u8]) -> spelunk::Result<()> {
            Ok(())
        }
        fn diagnostic(&mut self, _: &str, _: &spelunk::Finding) {}
        fn failed(&mut self, file: &str, error: &spelunk::Error) {
            panic!("{file}: {error}");
        }
    }
    let session = Session::new(memory());
    let request = ls::Request { file: "level.nmo".into(), ..ls::Request::default() };
    let mut out = Two(0);
    let error = ls::run(&session, &request, &mut out).unwrap_err();
    assert_eq!(error.io_error().unwrap().kind(), std::io::ErrorKind::BrokenPipe);
    assert_eq!(out.0, 3);
}

#[test]
fn verbs_see_what_was_changed_in_a_file_that_stays_open_and_not_saved() {
    let files = memory();
    let session = Session::new(files.clone());
    let handle = serde_json::to_string(&session.open("level.nmo").unwrap()).unwrap();
    let call = |verb: &str, request: &str| {
        let mut rows = CollectedOutput::default();
        let request = request.replace("HANDLE", &handle);
        let outcome = verbs::call(&session, verb, &request, &mut rows).unwrap();
        (outcome.code(), rows)
    };
    for (verb, request) in [
        ("set", r#"{"file": HANDLE, "changes": ["CKMaterial/Wood/material.specular_power=3.5"]}"#),
        ("mv", r##"{"file": HANDLE, "path": "CKMaterial/Wood", "name": "Oak"}"##),
    ] {
        assert_eq!(call(verb, request).0, 0, "{verb}");
    }
    let listed =
        |file: &str| call("ls", &format!(r#"{{"file": {file}, "globs": ["Oak"]}}"#)).1.rows.len();
    assert_eq!([listed("HANDLE"), listed("\"level.nmo\"")], [1, 0]);
    assert_eq!(call("show", r#"{"file": HANDLE, "path": "CKMaterial/Oak"}"#).0, 0);
    let sql = "SELECT name FROM objects WHERE class = 'CKMaterial'";
    let (_, found) = call("query", &format!(r#"{{"files": [HANDLE], "sql": "{sql}"}}"#));
    assert_eq!(found.rows, [serde_json::json!({ "name": "Oak" })]);
    let (code, found) =
        call("diff", r#"{"old": "level.nmo", "new": HANDLE, "patch": "changes.json"}"#);
    assert_eq!(code, 1);
    let told = serde_json::to_string(&found.rows).unwrap();
    assert!(told.contains(r#""name":"Oak""#) && told.contains("specular_power"), "{told}");
    // The patch makes the same of the file as it was.
    assert_eq!(found.rows.last().unwrap()["change"], "patch");
    assert!(files.get("changes.json").is_some());
    assert_eq!(call("diff", r#"{"old": HANDLE, "new": HANDLE}"#).0, 0);
    let request = r#"{"subject": HANDLE, "map": true, "entry": "CKMaterial/Oak"}"#;
    assert_eq!(call("explain", request).0, 0);
    assert_eq!(call("diff", r#"{"old": "level.nmo", "new": HANDLE, "blocks": 512}"#).0, 1);
}

/// A file goes out of memory and into it, entry by entry.
#[test]
fn entries_are_extracted_to_files_in_memory() {
    let files = memory();
    let session = Session::new(files.clone());
    let call = |request: &str| {
        let mut rows = CollectedOutput::default();
        (verbs::call(&session, "extract", request, &mut rows).unwrap().code(), rows)
    };
    let (code, told) = call(r#"{"file": "level.nmo", "directory": "out", "dry_run": true}"#);
    assert_eq!((code, files.names().len()), (0, 1));
    let (code, written) = call(r#"{"file": "level.nmo", "directory": "out"}"#);
    assert_eq!((code, written.rows.len()), (0, told.rows.len()));
    for row in &written.rows {
        let bytes = files.get(format!("out/{}", row["output"].as_str().unwrap())).unwrap();
        assert_eq!(bytes.len() as u64, row["size"].as_u64().unwrap());
    }
    assert!(files.get(format!("out/{}", spelunk::containers::extract::MANIFEST)).is_some());
    let (code, refused) = call(r#"{"file": "level.nmo", "directory": "out"}"#);
    assert_eq!((code, refused.diagnostics[0].1["code"].as_str()), (2, Some("SP021")));
    assert_eq!(call(r#"{"file": "level.nmo", "directory": "out", "force": true}"#).0, 0);
}

/// Content of files goes to files in memory, as folders too.
#[test]
fn content_is_exported_to_files_in_memory() {
    let files = memory();
    files.put("GameData.cff", samples::gamedata().build().bytes);
    let session = Session::new(files.clone());
    let call = |request: &str| {
        let mut rows = CollectedOutput::default();
        let outcome = verbs::call(&session, "export", request, &mut rows).unwrap();
        assert!(outcome.is_clean(), "{:?}", rows.diagnostics);
        rows.rows
    };
    let below = |folder: &str| {
        let names = files.names().into_iter();
        names.filter(|name| name.as_path().starts_with(folder)).count() as u64
    };
    call(r#"{"file": "level.nmo", "output": "level.glb"}"#);
    assert!(files.get("level.glb").unwrap().starts_with(b"glTF"));
    call(r#"{"file": "level.nmo", "output": "level", "to": "folder"}"#);
    assert!(files.get("level/document.json").is_some() && below("level/objects") > 1);
    // What the document lacks goes.
    files.put("level/objects/999999-old.json", b"{}".to_vec());
    call(r#"{"file": "level.nmo", "output": "level", "to": "folder", "force": true}"#);
    assert!(files.get("level/objects/999999-old.json").is_none());
    call(r#"{"file": "GameData.cff", "output": "GameData.sqlite"}"#);
    assert!(files.get("GameData.sqlite").unwrap().starts_with(b"SQLite format 3"));
    let rows = call(r#"{"file": "GameData.cff", "output": "tables", "to": "csv"}"#);
    assert_eq!(rows[0]["files"], below("tables"));
}

/// The rows of a verb.
fn rows_of(session: &Session, verb: &str, request: serde_json::Value) -> Vec<serde_json::Value> {
    let mut out = CollectedOutput::default();
    verbs::answer(session, verb, &request.to_string(), &mut out);
    out.rows
}

#[test]
fn the_bytes_of_a_range_are_those_of_all_fields_in_it() {
    let files = memory();
    let bytes = files.get("level.nmo").unwrap();
    let session = Session::new(files);
    for start in [0, 5, 18, 70, bytes.len() - 30] {
        let end = bytes.len().min(start + 40);
        let rows = rows_of(
            &session,
            "explain",
            json!({ "subject": "level.nmo", "hex": true, "within": true, "place": format!("file:{start}"), "len": 40 }),
        );
        let mut at = start;
        for row in &rows {
            assert_eq!(row["bytes_offset"], at, "{row}");
            let digits = row["bytes"].as_str().unwrap();
            let expected: String =
                bytes[at..at + digits.len() / 2].iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digits, expected);
            at += digits.len() / 2;
        }
        assert_eq!(at, end);
    }
}

#[test]
fn files_say_what_can_be_looked_at_in_them() {
    let files = memory();
    files.put("arena.map", samples::multiplayer_map().build().bytes);
    files.put("second.map", samples::spellforce2_map().build().bytes);
    files.put("other.map", crate::common::sample("valley-spec.map"));
    let session = Session::new(files);
    let about = |file: &str| {
        let request = json!({ "files": [file], "for_people": true, "max_items": 0 });
        rows_of(&session, "info", request).remove(0)
    };
    let level = about("level.nmo");
    assert_eq!(level["aspects"], json!(["scene", "textures", "arrays", "scripts", "included"]));
    assert_eq!(level.get("layers"), None);
    assert_eq!(level["spaces"][0]["space"], "header1");
    for (file, some) in
        [("arena.map", "vision"), ("second.map", "flight"), ("other.map", "heights")]
    {
        let map = about(file);
        assert_eq!(map["aspects"], json!(["scene", "map"]));
        assert_eq!(map["layers"][0], "relief");
        assert!(map["layers"].as_array().unwrap().contains(&json!(some)), "{file}");
        // Each of them is one that can be drawn.
        for layer in map["layers"].as_array().unwrap() {
            let out = format!("{}-{file}.png", layer.as_str().unwrap());
            let request = json!({ "file": file, "layer": layer, "output": out });
            assert_eq!(rows_of(&session, "export", request).len(), 1, "{layer} of {file}");
        }
        // What stands in space is a scene.
        let request = json!({ "file": file, "output": format!("{file}.glb") });
        assert_eq!(rows_of(&session, "export", request).len(), 1, "{file}");
    }
}
