//! Files that a session keeps open: their memory, their states, and how they are saved.
#![cfg(feature = "sql")]

use serde_json::{Value, json};
use spelunk::{
    Error, Options,
    open::codes,
    verbs::{self, CollectedOutput, Disk, Memory, Outcome, Session},
};
use spelunk_fixtures::samples;
use std::{
    fs,
    sync::{Arc, Mutex},
};

const PACK: &str = "a.snpak";
const LEVEL: &str = "level.nmo";

fn memory() -> Memory {
    let files = Memory::new();
    files.put(LEVEL, samples::level().build().bytes);
    files.put("base.nmo", samples::level().build().bytes);
    files.put(PACK, samples::appended_pack().build().bytes);
    files.put("GameData.cff", samples::gamedata().build().bytes);
    files
}

fn call(session: &Session, verb: &str, request: &Value) -> (Outcome, CollectedOutput) {
    let mut rows = CollectedOutput::default();
    let outcome = verbs::call(session, verb, &request.to_string(), &mut rows);
    (outcome.unwrap_or_else(|error| panic!("{verb} {request}: {error}")), rows)
}

/// Opens a file; its handle as requests have it.
fn opened(session: &Session, name: &str) -> Value {
    json!(session.open(name).unwrap())
}

/// What looks at an open file, with a path in it.
fn looks(file: &Value, path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("info", json!({ "files": [file] })),
        ("info", json!({ "files": [file], "for_people": true })),
        ("ls", json!({ "file": file })),
        ("tree", json!({ "file": file })),
        ("show", json!({ "file": file, "path": path })),
        ("show", json!({ "file": file, "path": path, "for_people": true })),
        ("show", json!({ "file": file, "path": "not/there" })),
        ("cat", json!({ "file": file, "path": path })),
        ("verify", json!({ "files": [file], "roundtrip": true, "coverage": true })),
        ("extract", json!({ "file": file, "directory": "out", "dry_run": true })),
        ("refs", json!({ "file": file })),
        ("find", json!({ "files": [file], "pattern": "wood" })),
        ("lint", json!({ "files": [file] })),
        ("diff", json!({ "old": file, "new": file })),
        ("query", json!({ "files": [file], "sql": "SELECT count(*) FROM entries" })),
        ("explain", json!({ "subject": file, "place": "0x10" })),
        ("explain", json!({ "subject": file, "map": true })),
    ]
}

/// Verbs that make or change files, or look at several packs at once.
const OTHERS: [&str; 23] = [
    "overlay", "rewrite", "set", "rm", "mv", "add", "replace", "export", "import", "patch", "join",
    "merge", "subset", "pack", "append", "compact", "repair", "rollback", "upgrade", "catalog",
    "history", "undo", "redo",
];

#[test]
fn an_open_file_is_looked_at_as_often_as_one_likes() {
    let session = Session::new(memory());
    for verb in session.verbs() {
        let is_look = looks(&Value::Null, "").iter().any(|(look, _)| *look == verb.name());
        assert!(is_look || OTHERS.contains(&verb.name()), "{} is not tried", verb.name());
    }
    for (name, path) in
        [(LEVEL, "CKMaterial/Wood"), (PACK, "sounds/rain"), ("GameData.cff", "items/1")]
    {
        let file = opened(&session, name);
        for (verb, request) in looks(&file, path) {
            let (first, rows) = call(&session, verb, &request);
            for round in 1..50 {
                let (outcome, again) = call(&session, verb, &request);
                let at = || format!("{name}, {verb} {request}, {round}: {:?}", again.diagnostics);
                assert_eq!(outcome.code(), first.code(), "{}", at());
                assert_eq!((&again.rows, &again.bodies), (&rows.rows, &rows.bodies), "{}", at());
            }
        }
    }
}

/// A limit that a few rounds of leftovers would use up.
#[test]
fn nothing_of_a_look_stays_charged() {
    let options = Options { max_memory: Some(1 << 20), ..Options::default() };
    let session = Session::new(memory()).with_options(options);
    let file = opened(&session, PACK);
    let request = json!({ "file": file, "path": "meshes/oak_trunk" });
    for round in 0..1000 {
        let (outcome, rows) = call(&session, "cat", &request);
        assert!(outcome.is_clean(), "{round}: {:?}", rows.diagnostics);
    }
}

fn set(file: &Value, value: &str) -> Value {
    json!({ "file": file, "changes": [format!("CKMaterial/Wood/material.specular_power={value}")] })
}

fn in_place(mut request: Value) -> Value {
    request["in_place"] = true.into();
    request
}

/// The value that [`set`] sets, as `show` has it.
fn power(session: &Session, file: &Value) -> f64 {
    let (_, rows) = call(session, "show", &json!({ "file": file, "path": "CKMaterial/Wood" }));
    let fields = rows.rows[0]["fields"].as_array().unwrap().iter();
    let mut power = fields.filter(|field| field["path"] == "material.specular_power");
    power.next().unwrap()["value"].as_f64().unwrap()
}

#[test]
fn a_file_that_was_changed_is_written_again_all_the_same() {
    let session = Session::new(memory());
    let file = opened(&session, LEVEL);
    let check = || {
        let request = json!({ "files": [file], "roundtrip": true });
        let (outcome, rows) = call(&session, "verify", &request);
        assert!(outcome.is_clean(), "{:?}", rows.diagnostics);
        assert_eq!(rows.rows[0]["roundtrip"]["identical"], true, "{}", rows.rows[0]);
    };
    check();
    let (outcome, _) = call(&session, "set", &json!({ "file": file, "changes": ["no/such=1"] }));
    assert!(!outcome.is_clean());
    check();
    assert!(call(&session, "set", &set(&file, "3.5")).0.is_clean());
    check();
}

#[test]
fn options_that_choose_a_state_count_for_open_files() {
    let session = Session::new(memory());
    let file = opened(&session, PACK);
    let paths = |file: &Value, generation: Value| {
        let request = json!({ "file": file, "generation": generation });
        let (outcome, rows) = call(&session, "ls", &request);
        assert!(outcome.is_clean(), "{:?}", rows.diagnostics);
        let paths = rows.rows.iter().map(|row| row["path"].to_string());
        paths.collect::<Vec<_>>()
    };
    for generation in [Value::Null, json!("1"), json!("2"), json!("merged")] {
        let wanted = paths(&json!(PACK), generation.clone());
        assert_eq!(paths(&file, generation), wanted);
    }
    assert_ne!(paths(&file, json!("1")), paths(&file, Value::Null));
    let diff = |file: &Value| {
        call(&session, "diff", &json!({ "old": file, "new": file, "old_generation": "1" })).1.rows
    };
    assert!(!diff(&file).is_empty());
    assert_eq!(diff(&file), diff(&json!(PACK)));
}

#[test]
fn mending_that_is_not_wanted_or_fails_changes_no_open_file() {
    let files = memory();
    // An object twice over, which becomes one.
    let mut level = samples::level();
    let wood = level.objects[1].clone();
    level.objects.push(spelunk_fixtures::virtools::ObjectEntry { id: 100, ..wood });
    files.put(LEVEL, level.build().bytes);
    files.put("taken.nmo", b"taken".to_vec());
    let session = Session::new(files.clone());
    let file = opened(&session, LEVEL);
    let listed = || call(&session, "ls", &json!({ "file": file })).1.rows.len();
    let before = listed();
    let fix = |more: Value| {
        let mut request = json!({ "files": [file], "fix": true });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        call(&session, "lint", &request)
    };
    let (_, rows) = fix(json!({ "in_place": true, "dry_run": true }));
    assert!(!rows.rows[0]["fixed"].as_object().unwrap().is_empty(), "{}", rows.rows[0]);
    assert_eq!(listed(), before);
    let (outcome, _) = fix(json!({ "output": "taken.nmo" }));
    assert!(!outcome.is_clean());
    assert_eq!(listed(), before);
    fix(json!({ "output": "mended.nmo" }));
    let written = call(&session, "ls", &json!({ "file": "mended.nmo" })).1.rows.len();
    assert_eq!([listed(), written], [before - 1; 2]);
}

/// Whatever writes an open file in its place, what is open is what was written.
#[test]
fn an_open_file_that_is_written_in_place_is_what_was_written() {
    for (name, verb, more) in [
        (PACK, "compact", json!({})),
        (PACK, "rollback", json!({ "generation": 1 })),
        (LEVEL, "rewrite", json!({ "write_mode": "uncompressed" })),
        (LEVEL, "import", json!({ "source": "triangle.obj" })),
        (LEVEL, "merge", json!({ "base": "base.nmo", "theirs": ["other.nmo"] })),
        (LEVEL, "lint", json!({ "fix": true, "remove_unused": true })),
        (LEVEL, "mv", json!({ "path": "CKMaterial/Wood", "name": "Oak" })),
    ] {
        let files = memory();
        files.put("triangle.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec());
        let session = Session::new(files.clone());
        let mut other = set(&json!(LEVEL), "7.5");
        other["output"] = "other.nmo".into();
        assert!(call(&session, "set", &other).0.is_clean());
        let old = files.get(name).unwrap();
        let file = opened(&session, name);
        let key = match verb {
            "import" => "into",
            "merge" => "ours",
            _ => "file",
        };
        let mut request = in_place(more);
        match verb {
            "lint" => request["files"] = json!([file]),
            _ => request[key] = file.clone(),
        }
        let (outcome, rows) = call(&session, verb, &request);
        assert!(outcome.code() <= 1, "{verb}: {:?}", rows.diagnostics);
        let written = files.get(name).unwrap();
        assert!(old != written || verb == "lint", "{verb}");
        // Written elsewhere, it is the same once more.
        let copy = json!({ "file": file, "output": "copy" });
        let (outcome, rows) = call(&session, "rewrite", &copy);
        assert!(outcome.is_clean(), "{verb}: {:?}", rows.diagnostics);
        assert!(files.get("copy").unwrap() == written, "{verb}: what is open is another state");
    }
}

#[test]
fn what_others_wrote_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(LEVEL);
    fs::write(&path, samples::level().build().bytes).unwrap();
    let on_disk = Session::new(Disk);
    let name = path.to_str().unwrap();
    let files = memory();
    let in_memory = Session::new(files);
    for (session, name) in [(&on_disk, name), (&in_memory, LEVEL)] {
        let file = opened(session, name);
        // Its own writing is none of others.
        for value in ["3.5", "4.5"] {
            let (outcome, rows) = call(session, "set", &in_place(set(&file, value)));
            assert!(outcome.is_clean(), "{:?}", rows.diagnostics);
        }
        let (outcome, _) = call(session, "set", &in_place(set(&json!(name), "77.25")));
        assert!(outcome.is_clean());
        let (outcome, rows) = call(session, "set", &in_place(set(&file, "5.5")));
        assert!(!outcome.is_clean());
        assert_eq!(rows.diagnostics[0].1["code"], "SP037", "{:?}", rows.diagnostics);
        assert!((power(session, &json!(name)) - 77.25).abs() < 1e-9);
        assert!((power(session, &file) - 4.5).abs() < 1e-9, "nothing was changed");
    }
}

#[test]
fn an_open_file_may_be_given_twice() {
    let session = Session::new(memory());
    let file = opened(&session, PACK);
    let request = json!({ "file": file, "path": "levels/forest", "with": [file] });
    let (outcome, rows) = call(&session, "refs", &request);
    assert!(outcome.code() <= 1 && !rows.rows.is_empty(), "{:?}", rows.diagnostics);
    let request = json!({
        "file": file, "paths": ["levels/forest"], "with": [file], "output": "part.snpak",
    });
    let (outcome, rows) = call(&session, "subset", &request);
    assert!(outcome.code() <= 1 && !rows.rows.is_empty(), "{:?}", rows.diagnostics);
}

#[test]
fn parts_of_a_session_share_its_files_and_are_ended_alone() {
    let session = Session::new(memory());
    let file = opened(&session, LEVEL);
    let (ended, other) = (session.part(), session.part());
    let (outcome, _) = call(&other, "set", &set(&file, "9.5"));
    assert!(outcome.is_clean());
    assert!((power(&ended, &file) - 9.5).abs() < 1e-9, "what is open is open in all parts");
    ended.cancel().cancel();
    let show = json!({ "file": file, "path": "CKMaterial/Wood" }).to_string();
    let mut rows = CollectedOutput::default();
    assert!(!verbs::answer(&ended, "show", &show, &mut rows).is_clean());
    assert_eq!(rows.diagnostics[0].1["code"], "SP014", "{:?}", rows.diagnostics);
    // Also for a file that was opened by another part, and was worked on by the ended one.
    for going_on in [&session, &other] {
        assert!((power(going_on, &file) - 9.5).abs() < 1e-9);
    }
    session.cancel().cancel();
    let mut rows = CollectedOutput::default();
    assert!(!verbs::answer(&other, "show", &show, &mut rows).is_clean());
}

#[test]
fn a_program_has_its_standard_streams_for_itself() {
    let printed = Arc::new(Mutex::new(Vec::new()));
    let taken = printed.clone();
    let session = Session::new(memory());
    let part = session.part_with_output(Arc::new(move |bytes| {
        taken.lock().unwrap().extend_from_slice(bytes);
        Ok(())
    }));
    let request = json!({ "file": LEVEL, "output": "-" });
    let (outcome, _) = call(&part, "rewrite", &request);
    assert!(outcome.is_clean());
    assert!(*printed.lock().unwrap() == samples::level().build().bytes);
    let mut rows = CollectedOutput::default();
    let request = json!({ "file": "-" }).to_string();
    assert_eq!(verbs::answer(&part, "ls", &request, &mut rows).code(), 2);
    assert_eq!(rows.diagnostics[0].1["code"], "SP222");
    // An output that cannot take more ends the verb.
    let full = session.part_with_output(Arc::new(|_| Err(Error::new(&codes::core::CANCELLED))));
    let request = json!({ "file": LEVEL, "output": "-" }).to_string();
    assert!(!verbs::answer(&full, "rewrite", &request, &mut rows).is_clean());
}

#[test]
fn others_look_at_what_a_session_keeps_open() {
    let session = Session::new(memory());
    let file = session.open(LEVEL).unwrap();
    let (outcome, _) =
        call(&session, "mv", &json!({ "file": file, "path": "CKMaterial/Wood", "name": "Oak" }));
    assert!(outcome.is_clean());
    let looked = session.look(file, |container, pages, task| {
        assert_eq!(session.look(file, |_, _, _| Ok(())).unwrap_err().code().id, "SP192");
        container.find("CKMaterial/Oak", pages, task)
    });
    assert_eq!(looked.unwrap().len(), 1);
    session.close(file);
    assert_eq!(session.look(file, |_, _, _| Ok(())).unwrap_err().code().id, "SP191");
}
