//! A format that registers itself gets every verb that looks at files, and the others refuse it with a sentence.

#[allow(dead_code, reason = "its `main`")]
#[path = "../../examples/new_format.rs"]
mod example;

use example::{Chests, REQUESTS, run};
use serde_json::{Value, json};
use spelunk::{
    Bytes, Node, Opened, Options,
    open::codes::core::NOT_FOUND,
    verbs::{CollectedOutput, Memory},
};
use std::sync::Arc;

/// Chests with one thing each, assembled by hand, with the checksums that their bytes have.
fn files() -> Memory {
    let chest = |name: &[u8], content: &[u8]| {
        let mut rest = name.to_vec();
        rest.resize(16, 0);
        rest.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
        rest.extend(content);
        let sum: u32 = rest.iter().map(|byte| u32::from(*byte)).sum();
        [b"CHST".as_slice(), &1_u32.to_le_bytes(), &sum.to_le_bytes(), &rest].concat()
    };
    let files = Memory::new();
    files.put("a.chest", chest(b"sword", b"sharp"));
    files.put("b.chest", chest(b"sword", b"blunt"));
    let mut damaged = chest(b"sword", b"sharp");
    damaged[8] ^= 1;
    files.put("damaged.chest", damaged);
    files.put("cut.chest", chest(b"sword", b"sharp")[..34].to_vec());
    files
}

#[test]
fn what_lies_behind_all_things_is_the_content_of_none() {
    let options = Options::default().with_format(&Chests);
    let chest = files().get("a.chest").unwrap();
    let mut opened = Opened::open(Arc::new(chest), &options).unwrap();
    let mut bytes = |nth| opened.run(|container, task| container.bytes(Node(nth), task));
    assert_eq!(bytes(0).unwrap(), b"sharp"[..]);
    assert_eq!(bytes(1).unwrap_err().code(), &NOT_FOUND);
}

fn told(files: &Memory, verb: &str, request: &str) -> (u8, CollectedOutput) {
    let (outcome, rows) = run(files, verb, request).unwrap_or_else(|e| panic!("{verb}: {e}"));
    (outcome.code(), rows)
}

#[test]
fn every_verb_that_looks_at_files_works_on_it() {
    let files = files();
    let mut seen = Vec::new();
    for (verb, request) in REQUESTS {
        let (code, CollectedOutput { rows, bodies, diagnostics, .. }) = told(&files, verb, request);
        assert_eq!(code, u8::from(*verb == "diff"), "{verb}: {diagnostics:?}");
        assert_eq!(diagnostics, [], "{verb}");
        let row = rows.first().cloned().unwrap_or_default();
        match *verb {
            "info" => {
                assert_eq!((&row["format"], &row["size"]), (&json!("chest"), &json!(37)));
                assert_eq!(row["diagnostics"], json!([]));
            }
            "ls" => {
                assert_eq!((&row["path"], &row["size"]), (&json!("sword"), &json!(5)));
                assert_eq!(rows.len(), 1);
            }
            "tree" => assert_eq!(row["children"][0]["label"], "sword"),
            "show" => {
                let size = row["fields"].as_array().unwrap().iter();
                let size = size.filter(|field| field["path"] == "size").collect::<Vec<_>>();
                assert_eq!((size.len(), &size[0]["value"]), (1, &json!(5)), "{row}");
                assert_eq!(row["type"], "thing");
            }
            "cat" => assert_eq!(bodies[0].1, b"sharp"),
            "extract" => {
                assert_eq!(files.get("out/sword"), Some(Bytes::from("sharp")));
                let manifest = files.get("out/spelunk-manifest.json").unwrap();
                let manifest: Value = serde_json::from_slice(&manifest).unwrap();
                assert_eq!(manifest["format"], "chest");
                assert_eq!(manifest["entries"][0]["file"], "sword");
            }
            "verify" => {
                assert_eq!((&row["ok"], &row["findings"]), (&json!(true), &json!([])));
                assert_eq!(row["roundtrip"]["identical"], true, "{row}");
            }
            "rewrite" => assert_eq!(files.get("again.chest"), files.get("a.chest")),
            "explain" => {
                assert_eq!((&row["path"], &row["value"]), (&json!("things[0].size"), &json!(5)));
                assert_eq!(row["doc"], "Length of the content.");
            }
            "diff" => {
                assert_eq!((rows.len(), &row["change"]), (1, &json!("changed")), "{rows:?}");
                assert_eq!(row["new"]["path"], "sword");
            }
            "find" => assert!(rows.iter().any(|row| row["path"] == "sword"), "{rows:?}"),
            "query" => assert_eq!((&row["name"], &row["size"]), (&json!("sword"), &json!(5))),
            other => panic!("{other}"),
        }
        seen.push(*verb);
    }
    let looking = "info ls tree show cat extract verify rewrite explain diff find query";
    assert_eq!(seen.join(" "), looking);
}

#[test]
fn damage_is_located_and_no_panic() {
    let files = files();
    let (code, rows) = told(&files, "verify", r#"{"files": ["damaged.chest"]}"#);
    assert_eq!((code, &rows.rows[0]["ok"]), (1, &json!(false)));
    assert_eq!(rows.rows[0]["findings"][0]["code"], "CH001");
    assert_eq!(rows.rows[0]["findings"][0]["offset"], 8);
    // Writing it again mends nothing, and loses nothing; what is wrong is reported.
    assert_eq!(told(&files, "rewrite", r#"{"file": "damaged.chest", "output": "d.chest"}"#).0, 1);
    assert_eq!(files.get("d.chest"), files.get("damaged.chest"));
    let whole = files.get("a.chest").unwrap();
    for len in 4..whole.len() {
        files.put("cut.chest", whole.slice(..len));
        let (code, rows) = told(&files, "info", r#"{"files": ["cut.chest"]}"#);
        assert_eq!((code, &rows.rows[0]["format"]), (3, &json!("chest")), "{len}");
    }
}

#[test]
fn a_format_that_is_not_registered_is_not_known() {
    let session = spelunk::verbs::Session::new(files());
    let mut rows = CollectedOutput::default();
    let request = r#"{"file": "a.chest"}"#;
    let outcome = spelunk::verbs::call(&session, "ls", request, &mut rows).unwrap();
    assert_eq!(outcome.code(), 3);
    assert_eq!(rows.diagnostics[0].1["code"], "SP030");
}

#[test]
fn verbs_that_change_files_refuse_it_and_say_what_to_do() {
    for (verb, request) in [
        ("set", r#"{"file": "a.chest", "output": "c.chest", "changes": ["sword/size=4"]}"#),
        ("rm", r#"{"file": "a.chest", "output": "c.chest", "paths": ["sword"]}"#),
        ("mv", r#"{"file": "a.chest", "output": "c.chest", "path": "sword", "name": "axe"}"#),
        ("join", r#"{"files": ["a.chest", "b.chest"], "output": "c.chest"}"#),
        ("subset", r#"{"file": "a.chest", "paths": ["sword"], "output": "c.chest"}"#),
        ("lint", r#"{"files": ["a.chest"]}"#),
        ("refs", r#"{"file": "a.chest"}"#),
        ("compact", r#"{"file": "a.chest", "output": "c.chest"}"#),
        ("rollback", r#"{"file": "a.chest", "output": "c.chest"}"#),
        ("upgrade", r#"{"files": ["a.chest"], "directory": "up"}"#),
    ] {
        let files = files();
        let (code, rows) = told(&files, verb, request);
        let said = format!("{:?} {:?}", rows.diagnostics, rows.notes);
        // That nothing refers to anything is no failure.
        assert!(matches!(code, 2 | 5) || verb == "refs", "{verb}: {code} {said}");
        let instead = spelunk::Profile::new("chest", "Chests").instead(verb);
        assert!(rows.notes.iter().any(|note| Some(&**note) == instead), "{verb}: {said}");
        assert_eq!(files.get("c.chest"), None, "{verb}");
    }
    let (code, rows) =
        told(&files(), "diff", r#"{"old": "a.chest", "new": "b.chest", "patch": "p.json"}"#);
    assert_eq!(code, 5, "{:?}", rows.diagnostics);
}
