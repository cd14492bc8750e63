//! Work that is ended from another thread.

use serde_json::{Value, json};
use spelunk::{
    Cancel, Error, Finding, Opened, Options, Result,
    open::codes::core::CANCELLED,
    verbs::{self, CollectedOutput, Memory, Outcome, Output, Row, Session},
};
use spelunk_fixtures::samples;
use std::sync::Arc;

/// A request of each verb, on samples that it does something with.
fn requests() -> Vec<(&'static str, Value)> {
    let new = |request: Value| {
        let mut request = request;
        request["output"] = "new".into();
        request
    };
    vec![
        ("info", json!({ "files": ["level.nmo"] })),
        ("ls", json!({ "file": "level.nmo" })),
        ("tree", json!({ "file": "level.nmo" })),
        ("show", json!({ "file": "level.nmo", "path": "CKMaterial/Wood" })),
        ("cat", json!({ "file": "level.nmo", "path": "CKMaterial/Wood" })),
        ("verify", json!({ "files": ["level.nmo"] })),
        ("extract", json!({ "file": "level.nmo", "directory": "new" })),
        ("refs", json!({ "file": "level.nmo", "path": "CKMaterial/Wood" })),
        ("find", json!({ "pattern": "Wood", "files": ["level.nmo"] })),
        ("overlay", json!({ "packs": ["a.snpak"] })),
        ("lint", json!({ "files": ["level.nmo"] })),
        ("rewrite", new(json!({ "file": "level.nmo" }))),
        ("diff", json!({ "old": "level.nmo", "new": "menu.nmo" })),
        (
            "set",
            new(
                json!({ "file": "level.nmo", "changes": ["CKMaterial/Wood/material.specular_power=3"] }),
            ),
        ),
        ("rm", new(json!({ "file": "level.nmo", "paths": ["CKMaterial/Wood"] }))),
        ("mv", new(json!({ "file": "level.nmo", "path": "CKMaterial/Wood", "name": "Oak" }))),
        ("add", new(json!({ "file": "level.nmo", "path": "CKGroup/New" }))),
        ("replace", new(json!({ "file": "a.snpak", "path": "#0", "source": "level.nmo" }))),
        ("export", new(json!({ "file": "level.nmo", "to": "json" }))),
        ("query", json!({ "files": ["level.nmo"], "sql": "SELECT path FROM entries" })),
        ("explain", json!({ "subject": "level.nmo", "place": "0x10" })),
        ("patch", new(json!({ "file": "level.nmo", "patch": "patch.json" }))),
        ("join", new(json!({ "files": ["level.nmo", "level.nmo"] }))),
        (
            "merge",
            new(json!({ "base": "level.nmo", "ours": "level.nmo", "theirs": ["level.nmo"] })),
        ),
        ("subset", new(json!({ "file": "level.nmo", "paths": ["CKMaterial/Wood"] }))),
        ("pack", new(json!({ "source": "folder" }))),
        ("append", json!({ "file": "a.snpak", "sources": ["level.nmo"] })),
        ("compact", new(json!({ "file": "a.snpak" }))),
        ("repair", new(json!({ "file": "a.snpak" }))),
        ("rollback", new(json!({ "file": "a.snpak", "generation": 1 }))),
        ("upgrade", json!({ "files": ["level.nmo"], "directory": "new" })),
        ("import", new(json!({ "source": "triangle.obj" }))),
        ("history", json!({ "file": "edited.nmo" })),
        ("undo", json!({ "file": "edited.nmo" })),
        ("redo", json!({ "file": "edited.nmo" })),
    ]
}

fn memory() -> Memory {
    let files = Memory::new();
    files.put("level.nmo", samples::level().build().bytes);
    files.put("folder/a.txt", b"content".to_vec());
    files.put("menu.nmo", samples::menu().build().bytes);
    files.put("a.snpak", samples::pack().build().bytes);
    files.put("triangle.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec());
    let session = Session::new(files.clone());
    files.put("edited.nmo", samples::level().build().bytes);
    let edit = |verb: &str, request: &Value| {
        verbs::call(&session, verb, &request.to_string(), &mut CollectedOutput::default()).unwrap();
    };
    for name in ["Oak", "Birch"] {
        let to = json!({ "file": "edited.nmo", "in_place": true, "history": true });
        let mut request = to.clone();
        request["path"] = "#1".into();
        request["name"] = name.into();
        edit("mv", &request);
    }
    edit("undo", &json!({ "file": "edited.nmo" }));
    let request = json!({ "old": "level.nmo", "new": "level.nmo", "patch": "patch.json" });
    verbs::call(&session, "diff", &request.to_string(), &mut CollectedOutput::default()).unwrap();
    files
}

fn content(files: &Memory) -> Vec<(String, usize)> {
    let all = files.names();
    all.into_iter()
        .map(|name| (name.to_string(), files.get(name.as_os_str()).unwrap().len()))
        .collect()
}

#[test]
fn every_verb_ends_where_it_was_cancelled_and_leaves_nothing() {
    let known: Vec<&str> = verbs::VERBS.iter().map(|verb| verb.name()).collect();
    let requests = requests();
    for verb in &known {
        assert!(requests.iter().any(|(name, _)| name == verb), "{verb} has no request here");
    }
    for (verb, request) in requests.iter().filter(|(verb, _)| known.contains(verb)) {
        let files = memory();
        let before = content(&files);
        let session = Session::new(files.clone());
        session.cancel().cancel();
        let request = request.to_string();
        let error =
            verbs::call(&session, verb, &request, &mut CollectedOutput::default()).unwrap_err();
        assert_eq!(error.code(), &CANCELLED, "{verb}: {error}");
        assert_eq!(content(&files), before, "{verb}");
        // And goes on where it was not.
        session.cancel().reset();
        let mut rows = CollectedOutput::default();
        let outcome = verbs::call(&session, verb, &request, &mut rows).unwrap();
        assert!(outcome.code() <= 1, "{verb}: {:?}", rows.diagnostics);
    }
}

#[test]
fn no_container_takes_the_end_of_the_work_for_damage() {
    for sample in samples::all() {
        let cancel = Cancel::default();
        let options = Options { cancel: Some(cancel.clone()), ..Options::default() };
        let Ok(mut opened) =
            Opened::open(Arc::new(spelunk::Bytes::from(sample.fixture.bytes)), &options)
        else {
            continue;
        };
        let told = opened.findings().counts().len();
        cancel.cancel();
        let ended = opened.run(|container, task| container.verify(task));
        match ended {
            Err(error) => assert_eq!(error.code(), &CANCELLED, "{}", sample.name),
            // What is checked of these takes no steps.
            Ok(()) => assert_eq!(sample.format, "spellforce-pakdata", "{}", sample.name),
        }
        assert_eq!(opened.findings().counts().len(), told, "{}", sample.name);
    }
}

/// Cancels the work when the first row comes.
struct Impatient {
    cancel: Cancel,
    rows: usize,
}

impl Output for Impatient {
    fn row(&mut self, _: &dyn Row) -> Result<()> {
        self.rows += 1;
        let cancel = self.cancel.clone();
        std::thread::spawn(move || cancel.cancel()).join().unwrap();
        Ok(())
    }

    fn body(&mut self, _: &str, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn diagnostic(&mut self, _: &str, _: &Finding) {}

    fn failed(&mut self, _: &str, _: &Error) {}
}

#[test]
fn rows_end_soon_after_another_thread_cancelled_them() {
    let cases: [(&str, Value); 4] = [
        ("ls", json!({ "file": "level.nmo" })),
        ("tree", json!({ "file": "level.nmo", "flat": true })),
        ("find", json!({ "pattern": "a", "files": ["level.nmo"] })),
        (
            "query",
            json!({ "files": ["level.nmo"], "sql": "SELECT a.path FROM entries a, entries b" }),
        ),
    ];
    for (verb, request) in cases {
        let session = Session::new(memory());
        let mut all = CollectedOutput::default();
        verbs::call(&session, verb, &request.to_string(), &mut all).unwrap();
        assert!(all.rows.len() > 3, "{verb}");
        let mut output = Impatient { cancel: session.cancel().clone(), rows: 0 };
        let ended: Result<Outcome> = verbs::call(&session, verb, &request.to_string(), &mut output);
        assert_eq!(ended.unwrap_err().code(), &CANCELLED, "{verb}");
        assert!(output.rows < all.rows.len(), "{verb}: all {} rows came", output.rows);
    }
}
