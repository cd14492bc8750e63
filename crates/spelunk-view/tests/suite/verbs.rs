//! Verbs, called through the server.

use super::{Running, settings};
use serde_json::{Value, json};
use spelunk::{
    Error, Result,
    core::codes,
    verbs::{NoRows, Outcome, Output, Session, TypedVerb, Verb},
};
use spelunk_fixtures::{samples, write_samples};
use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};
use test_support::http;

#[test]
fn an_open_file_is_changed_back_and_forth_to_the_first_byte() {
    let dir = tempfile::tempdir().unwrap();
    let level = dir.path().join("level.nmo");
    let before = samples::level().build().bytes;
    fs::write(&level, &before).unwrap();
    let server = Running::of(settings(dir.path()));
    let name = level.to_str().unwrap();
    let handle = |value: Value| value["handle"].as_u64().unwrap();
    let file = handle(server.json("POST", "/api/open", &json!({ "name": name })));
    let copy = handle(server.json("POST", "/api/fork", &json!({ "handle": file })));
    let change = json!({ "file": file, "changes": ["CKMaterial/Wood/material.diffuse=#ff0000"] });
    assert_eq!(server.lines("set", &change).last().unwrap()["code"], 0);
    // The copy is as it was.
    let made = |verb: &str, extension: &str, output: &str, request: Value| {
        let path = format!("/api/make/{verb}?extension={extension}&output={output}");
        let answer = server.ask("POST", &path, request.to_string().as_bytes());
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        answer.body
    };
    let bytes = |handle: u64| made("rewrite", "nmo", "output", json!({ "file": handle }));
    assert_eq!(bytes(copy), before);
    let after = bytes(file);
    assert_ne!(after, before);
    let patch = made("diff", "patch", "patch", json!({ "old": copy, "new": file }));
    let answer = server.ask("PUT", "/api/file?name=.step.patch", &patch);
    let answer: Value = serde_json::from_slice(&answer.body).unwrap();
    for (reverse, expected) in [(true, &before), (false, &after), (true, &before)] {
        let request = json!({ "file": file, "patch": answer["name"], "reverse": reverse });
        assert_eq!(server.lines("patch", &request).last().unwrap()["code"], 0);
        assert_eq!(&bytes(file), expected);
    }
    assert_eq!(fs::read(&level).unwrap(), before);
    // What another program writes is noticed.
    assert_eq!(server.json("POST", "/api/changed", &json!([file, copy])), json!([]));
    fs::write(&level, &after).unwrap();
    assert_eq!(server.json("POST", "/api/changed", &json!([file])), json!([file]));
    server.json("POST", "/api/close", &json!({ "handle": file }));
    assert_eq!(server.lines("info", &json!({ "files": [file] })).last().unwrap()["code"], 2);
}

#[test]
fn many_rows_and_bodies_come_whole() {
    let dir = tempfile::tempdir().unwrap();
    write_samples(dir.path()).unwrap();
    let server = Running::of(settings(dir.path()));
    let name = |file: &str| dir.path().join(file).to_str().unwrap().to_owned();
    let lines = server.lines(
        "explain",
        &json!({ "subject": name("GameData-wide.cff"), "map": true, "full": true }),
    );
    let mut rows = spelunk::verbs::CollectedOutput::default();
    let session = Session::new(spelunk::verbs::Disk);
    let request =
        json!({ "subject": name("GameData-wide.cff"), "map": true, "full": true }).to_string();
    spelunk::verbs::call(&session, "explain", &request, &mut rows).unwrap();
    let found: Vec<&Value> = lines.iter().filter_map(|line| line.get("row")).collect();
    assert!(found.len() > 100 && found.iter().copied().eq(&rows.rows));
    let path = "/api/call/cat";
    let request =
        json!({ "file": name("sf22.pak"), "path": "script/p101/n7_guard.lua" }).to_string();
    let answer = server.ask("POST", path, request.as_bytes());
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    assert!(text.starts_with("{\"body\":20}\n") && text.ends_with("{\"code\":0}\n"), "{text}");
}

/// Calls of [`ENDLESS`] that ended.
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// A verb that goes on until it is cancelled.
static ENDLESS: &dyn Verb =
    &TypedVerb::<Value, NoRows>::new("endless", |session, _, _: &mut dyn Output| {
        while session.cancel().check().is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
        ENDED.fetch_add(1, Ordering::SeqCst);
        Err::<Outcome, _>(Error::new(&codes::CANCELLED))
    });

#[test]
fn a_call_ends_when_its_caller_leaves_and_the_next_one_is_not_touched() -> Result<()> {
    let dir = tempfile::tempdir()?;
    fs::write(dir.path().join("level.nmo"), samples::level().build().bytes)?;
    let server = Arc::new(Running::with(settings(dir.path()), |files| {
        Session::new(files).register(ENDLESS)
    }));
    let token = format!("Bearer {}", server.token);
    for count in 1..=3 {
        let headers = [("Authorization", token.as_str())];
        let stream = http::begin(&server.host, "POST", "/api/call/endless", &headers, b"{}")?;
        // The next one waits for its turn meanwhile.
        let (other, name) = (server.clone(), dir.path().join("level.nmo"));
        let next = thread::spawn(move || other.lines("ls", &json!({ "file": name })));
        thread::sleep(Duration::from_millis(100));
        assert!(!next.is_finished());
        drop(stream);
        let lines = next.join().unwrap();
        assert_eq!(lines.last().unwrap()["code"], 0);
        assert_eq!(lines.len(), 10);
        assert_eq!(ENDED.load(Ordering::SeqCst), count);
    }
    Ok(())
}
