//! Edits in place that are kept, taken back and made again: each state is the very one that was there before.

use serde_json::{Value, json};
use spelunk::{
    compare::history::History,
    verbs::{self, CollectedOutput, Memory, Outcome, Session},
};
use spelunk_fixtures::{corpus, samples};

const FILE: &str = "file";

fn call(session: &Session, verb: &str, request: &Value) -> (Outcome, CollectedOutput) {
    let mut rows = CollectedOutput::default();
    let outcome = verbs::call(session, verb, &request.to_string(), &mut rows);
    (outcome.unwrap_or_else(|error| panic!("{verb} {request}: {error}")), rows)
}

/// The same where it has to work.
fn done(session: &Session, verb: &str, request: &Value) -> CollectedOutput {
    let (outcome, rows) = call(session, verb, request);
    assert!(outcome.code() <= 1, "{verb} {request}: {:?}", rows.diagnostics);
    rows
}

/// The request of an edit in place that is kept.
fn in_place(rest: Value) -> Value {
    let mut request = json!({ "file": FILE, "in_place": true, "history": true });
    request.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    request
}

fn steps(session: &Session) -> Vec<(String, String)> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let rows = done(session, "history", &json!({ "file": FILE })).rows;
    rows.iter().map(|row| (text(row, "state"), text(row, "label"))).collect()
}

/// Edits a file, and goes all the way back and forth.
fn check(name: &str, old: &[u8], edits: &[(&str, Value)]) {
    let files = Memory::new();
    files.put(FILE, old.to_vec());
    files.put("other.snpak", samples::delta_pack().build().bytes);
    files.put("content", b"content".to_vec());
    let session = Session::new(files.clone());
    let mut states = vec![old.to_vec()];
    for (verb, rest) in edits {
        done(&session, verb, &in_place(rest.clone()));
        let new = files.get(FILE).unwrap().to_vec();
        assert!(states.last() != Some(&new), "{name}: {verb} {rest} changes nothing");
        states.push(new);
    }
    let listed = steps(&session);
    assert_eq!(listed.len(), edits.len(), "{name}");
    for ((state, label), (verb, _)) in listed.iter().zip(edits) {
        assert!(state == "done" && label.starts_with(verb), "{name}: {state} {label}");
    }
    let info = done(&session, "info", &json!({ "files": [FILE] }));
    assert_eq!(info.rows[0]["history"], json!({ "done": edits.len(), "undone": 0 }), "{name}");
    for state in states.iter().rev().skip(1) {
        done(&session, "undo", &json!({ "file": FILE }));
        assert!(files.get(FILE).unwrap() == *state, "{name}");
    }
    assert_eq!(call(&session, "undo", &json!({ "file": FILE })).0.code(), 2, "{name}");
    assert!(steps(&session).iter().all(|(state, _)| state == "undone"), "{name}");
    for state in states.iter().skip(1) {
        done(&session, "redo", &json!({ "file": FILE }));
        assert!(files.get(FILE).unwrap() == *state, "{name}");
    }
    assert_eq!(call(&session, "redo", &json!({ "file": FILE })).0.code(), 2, "{name}");
    // All at once, and a try of it before.
    let all = json!({ "file": FILE, "steps": edits.len() });
    let mut dry = all.clone();
    dry["dry_run"] = true.into();
    done(&session, "undo", &dry);
    assert!(files.get(FILE).unwrap() == *states.last().unwrap(), "{name}");
    let row = done(&session, "undo", &all).rows.remove(0);
    assert_eq!((row["done"].clone(), row["undone"].clone()), (json!(0), json!(edits.len())));
    assert!(files.get(FILE).unwrap() == *old, "{name}");
}

#[test]
fn edits_of_every_verb_are_taken_back_byte_for_byte() {
    let set = |change: &str| ("set", json!({ "changes": [change] }));
    check(
        "GameData",
        &samples::gamedata().build().bytes,
        &[
            set("texts/1/1/content=Old sword"),
            set("items/1/buy_value=7"),
            ("rm", json!({ "paths": ["items/2"] })),
            set("texts/1/1/content=Sword"),
        ],
    );
    check(
        "level",
        &samples::level().build().bytes,
        &[
            set("CKMaterial/Wood/material.diffuse=0xffff0000"),
            ("mv", json!({ "path": "CK3dObject/Cube", "name": "Box" })),
            ("add", json!({ "path": "CKGroup/Lamps" })),
            ("rm", json!({ "paths": ["CKParameterLocal/Floor"] })),
            ("rewrite", json!({ "write_mode": "uncompressed" })),
            set("CK3dObject/Box/entity.position[1]=2.5"),
        ],
    );
    check(
        "pack",
        &samples::appended_pack().build().bytes,
        &[
            set("sounds/wind/schema_version=7"),
            ("replace", json!({ "path": "sounds/wind", "source": "content", "raw": true })),
            ("compact", json!({})),
        ],
    );
    check(
        "pack of before",
        &samples::appended_pack().build().bytes,
        &[("rollback", json!({ "generation": 1 }))],
    );
    check(
        "archive",
        &samples::pak().build().bytes,
        &[("mv", json!({ "path": "mesh/tower.msb", "name": "mesh/keep.msb" }))],
    );
    check("map", &samples::map().build().bytes, &[set("lakes/0/depth=60")]);
}

#[test]
fn a_damaged_file_comes_back_as_damaged_as_it_was() {
    let mut bytes = samples::pack().build().bytes;
    // A part of the header is gone.
    bytes[8..24].fill(0xAA);
    check("damaged", &bytes, &[("repair", json!({}))]);
}

#[test]
fn what_changes_nothing_or_fails_is_no_step() {
    let files = Memory::new();
    files.put(FILE, samples::gamedata().build().bytes);
    let session = Session::new(files.clone());
    let set = |price: &str| in_place(json!({ "changes": [format!("items/1/buy_value={price}")] }));
    done(&session, "set", &set("7"));
    done(&session, "undo", &json!({ "file": FILE }));
    let kept = files.get("file.history").unwrap();
    assert_eq!(call(&session, "set", &set("many")).0.code(), 2);
    done(&session, "rewrite", &in_place(json!({})));
    assert!(files.get("file.history").unwrap() == kept);
    // Another edit in place of the one that was taken back.
    done(&session, "set", &set("9"));
    assert_eq!(steps(&session), [("done".to_owned(), "set items/1/buy_value=9".to_owned())]);
    // What is written elsewhere, or not asked to be kept, is none either.
    let mut elsewhere = set("5");
    elsewhere["in_place"] = false.into();
    elsewhere["output"] = "new".into();
    done(&session, "set", &elsewhere);
    assert!(files.get("new.history").is_none());
    assert_eq!(steps(&session).len(), 1);
}

#[test]
fn a_file_that_something_else_changed_is_left_alone() {
    let files = Memory::new();
    files.put(FILE, samples::gamedata().build().bytes);
    let session = Session::new(files.clone());
    let set = |price: u32| {
        done(
            &session,
            "set",
            &in_place(json!({ "changes": [format!("items/1/buy_value={price}")] })),
        )
    };
    set(7);
    let changes = json!({ "file": FILE, "output": "other", "changes": ["items/1/buy_value=8"] });
    done(&session, "set", &changes);
    let other = files.get("other").unwrap();
    files.put(FILE, other.clone());
    let (outcome, said) = call(&session, "undo", &json!({ "file": FILE }));
    assert_eq!((outcome.code(), &said.diagnostics[0].1["code"]), (1, &json!("SP217")));
    assert!(files.get(FILE).unwrap() == other);
    let listed = done(&session, "history", &json!({ "file": FILE }));
    assert!(listed.notes[0].contains("something else changed"), "{:?}", listed.notes);
    let begun = set(9);
    assert!(begun.notes[0].contains("begins anew"), "{:?}", begun.notes);
    assert_eq!(steps(&session).len(), 1);
    done(&session, "undo", &json!({ "file": FILE }));
    assert!(files.get(FILE).unwrap() == other);
}

#[test]
fn once_a_file_has_a_history_it_goes_on() {
    let files = Memory::new();
    files.put(FILE, samples::gamedata().build().bytes);
    let session = Session::new(files.clone());
    let set = |price: u32, history: bool| {
        let mut request = in_place(json!({ "changes": [format!("items/1/buy_value={price}")] }));
        request["history"] = history.into();
        done(&session, "set", &request)
    };
    set(6, false);
    assert!(files.get("file.history").is_none());
    set(7, true);
    set(8, false);
    assert_eq!(steps(&session).len(), 2);
    // One that cannot go on is said, and in nobody's way who did not ask for it.
    files.put("file.history", b"no history".to_vec());
    let said = set(9, false);
    assert_eq!(said.diagnostics[0].1["code"], "SP216", "{:?}", said.diagnostics);
    let new = files.get(FILE).unwrap();
    let asked = in_place(json!({ "changes": ["items/1/buy_value=10"] }));
    assert_eq!(call(&session, "set", &asked).0.code(), 1);
    assert!(files.get(FILE).unwrap() == new);
}

#[test]
fn a_damaged_history_harms_no_file() {
    let files = Memory::new();
    let old = samples::level().build().bytes;
    files.put(FILE, old.clone());
    let session = Session::new(files.clone());
    for power in ["1", "2", "3"] {
        let change = format!("CKMaterial/Wood/material.specular_power={power}");
        done(&session, "set", &in_place(json!({ "changes": [change] })));
    }
    let (new, kept) = (files.get(FILE).unwrap(), files.get("file.history").unwrap().to_vec());
    let mut refused = 0;
    for at in (0..kept.len()).step_by(23) {
        for wrong in [kept[..at].to_vec(), [&kept[..at], b"7", &kept[at + 1..]].concat()] {
            files.put(FILE, new.clone());
            files.put("file.history", wrong.clone());
            call(&session, "info", &json!({ "files": [FILE] }));
            call(&session, "history", &json!({ "file": FILE }));
            match call(&session, "undo", &json!({ "file": FILE, "steps": 3 })).0.is_clean() {
                // What is said of a step may be anything.
                true => assert!(files.get(FILE).unwrap() == *old),
                false => {
                    refused += 1;
                    assert!(files.get(FILE).unwrap() == new);
                    assert!(files.get("file.history").unwrap() == wrong);
                }
            }
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn a_file_that_stays_open_has_a_history_of_its_own() {
    let files = Memory::new();
    let old = samples::level().build().bytes;
    files.put(FILE, old.clone());
    let session = Session::new(files.clone());
    let handle = json!(session.open(FILE).unwrap());
    let power = |value: &str| format!("CKMaterial/Wood/material.specular_power={value}");
    let set = |value: &str| {
        let request = json!({ "file": handle, "changes": [power(value)], "history": true });
        done(&session, "set", &request)
    };
    let bytes = || {
        done(&session, "rewrite", &json!({ "file": handle, "output": "now", "force": true }));
        files.get("now").unwrap()
    };
    set("1");
    let first = bytes();
    set("2");
    let second = bytes();
    let copy = json!(session.fork(serde_json::from_value(handle.clone()).unwrap()).unwrap());
    let undo = |file: &Value| done(&session, "undo", &json!({ "file": file })).rows.remove(0);
    assert_eq!(undo(&handle)["labels"], json!([format!("set {}", power("2"))]));
    assert!(bytes() == first);
    assert_eq!(undo(&handle)["undone"], 2);
    assert!(bytes() == old);
    done(&session, "redo", &json!({ "file": handle, "steps": 2 }));
    assert!(bytes() == second);
    // A patch is a step, too; a copy goes its own ways.
    let patch = done(&session, "history", &json!({ "file": handle, "patch": 2 }));
    files.put("patch", patch.rows[0]["patch"].to_string().into_bytes());
    let back = json!({ "file": handle, "patch": "patch", "reverse": true, "history": true });
    done(&session, "patch", &back);
    assert!(bytes() == first);
    assert_eq!(undo(&copy)["done"], 1);
    let rows = done(&session, "history", &json!({ "file": handle })).rows;
    let labels: Vec<&str> = rows.iter().filter_map(|row| row["label"].as_str()).collect();
    assert_eq!(labels[2], "patch patch --reverse");
    // Nothing of it is beside the file.
    assert!(files.get("file.history").is_none() && files.get(FILE).unwrap() == *old);
    let info = done(&session, "info", &json!({ "files": [handle] }));
    assert_eq!(info.rows[0]["history"]["done"], 3);
}

#[test]
fn edits_of_real_files_are_taken_back_byte_for_byte() {
    let mut formats = std::collections::BTreeMap::<String, usize>::new();
    for real in corpus::all() {
        let bytes = real.bytes.to_vec();
        let files = Memory::new();
        files.put(FILE, bytes.clone());
        let session = Session::new(files.clone());
        let format = done(&session, "info", &json!({ "files": [FILE] })).rows[0]["format"].clone();
        let format = format.as_str().unwrap_or_default().to_owned();
        let tried = |verb: &str, rest: Value| call(&session, verb, &in_place(rest)).0.code() <= 1;
        let is_edited = match format.as_str() {
            "virtools" => tried("mv", json!({ "path": "#0", "name": "Spelunk" })),
            "snpak" => {
                let rows = done(&session, "ls", &json!({ "file": FILE })).rows;
                let first = rows.first().map(|row| row["path"].clone());
                first
                    .is_some_and(|path| tried("mv", json!({ "path": path, "name": "spelunk/new" })))
            }
            "spellforce-cff" => tried("set", json!({ "changes": ["items/*/buy_value=7"] })),
            _ => false,
        };
        if !is_edited || files.get("file.history").is_none() {
            continue;
        }
        assert!(files.get(FILE).unwrap() != bytes, "{}", real.name);
        done(&session, "undo", &json!({ "file": FILE }));
        assert!(files.get(FILE).unwrap() == bytes, "{}", real.name);
        *formats.entry(format).or_default() += 1;
    }
    if corpus::root().is_some() {
        assert_eq!(formats.len(), 3, "{formats:?}");
        assert!(formats["virtools"] > 10, "{formats:?}");
    }
}

#[test]
fn the_text_of_a_history_is_read_as_it_was_written() {
    let files = Memory::new();
    files.put(FILE, samples::gamedata().build().bytes);
    let session = Session::new(files.clone());
    for price in [7, 8] {
        let change = format!("items/1/buy_value={price}");
        done(&session, "set", &in_place(json!({ "changes": [change] })));
    }
    let text = files.get("file.history").unwrap();
    let history = History::parse(&text).unwrap();
    assert_eq!(history.text().unwrap(), text.to_vec());
    assert!(history.fits(&files.get(FILE).unwrap()).unwrap());
    assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 3);
}
