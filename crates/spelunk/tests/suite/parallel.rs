//! Files side by side: what comes of them is the same for any number of threads, and in their order.

use serde_json::{Value, json};
use spelunk::{
    Error, Finding, Options, Result,
    open::codes::core::CANCELLED,
    verbs::{self, CollectedOutput, Memory, Outcome, Output, Row, RowForm, Session},
};
use spelunk_fixtures::{corpus, samples};
use std::num::NonZeroUsize;

/// Samples of every format many times over, with damage among them, and what is no container.
fn folder() -> Memory {
    let files = Memory::new();
    for copy in 0..3 {
        for (nth, sample) in samples::all().into_iter().enumerate() {
            let mut bytes = sample.fixture.bytes;
            let at = (copy * 131 + nth * 17 + 40) % bytes.len();
            if copy % 2 == 1 {
                bytes[at] ^= 0x41;
            }
            if copy == 2 {
                bytes.truncate(at.max(1));
            }
            files.put(format!("all/{copy}/{nth:02}-{}", sample.name), bytes);
        }
        files.put(format!("all/{copy}/notes.txt"), b"no container".to_vec());
    }
    files
}

/// Everything that an output takes, in order, in one form.
#[derive(Debug, Default, PartialEq)]
struct Log {
    lines: Vec<String>,
    takes_json: bool,
    /// Number of rows after which the output takes no more.
    most: Option<usize>,
}

impl Output for Log {
    fn begin(&mut self, heading: &verbs::Heading<'_>) -> Result<()> {
        self.lines.push(format!("begin {heading:?}"));
        Ok(())
    }

    fn row(&mut self, row: &dyn Row) -> Result<()> {
        if self.most == Some(0) {
            return Err(Error::io(std::io::ErrorKind::BrokenPipe.into()));
        }
        self.most = self.most.map(|most| most - 1);
        self.lines.push(if self.takes_json {
            let mut text = Vec::new();
            row.write(&mut text).unwrap();
            String::from_utf8(text).unwrap()
        } else {
            row.value().to_string()
        });
        Ok(())
    }

    fn end(&mut self) -> Result<()> {
        self.lines.push("end".to_owned());
        Ok(())
    }

    fn body(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.lines.push(format!("body {name} {bytes:?}"));
        Ok(())
    }

    fn diagnostic(&mut self, file: &str, finding: &Finding) {
        self.lines.push(format!("{file}: {finding}"));
    }

    fn failed(&mut self, file: &str, error: &Error) {
        self.lines.push(format!("{file}: failed: {error}"));
    }

    fn note(&mut self, text: &str) {
        self.lines.push(format!("note: {text}"));
    }

    fn form(&self) -> RowForm {
        if self.takes_json { RowForm::Json } else { RowForm::Value }
    }
}

/// Requests for all files of the folder `all`.
fn requests() -> Vec<(&'static str, Value)> {
    let all = |more: Value| {
        let mut request = json!({ "files": ["all"], "recursive": true });
        for (key, value) in more.as_object().unwrap() {
            request[key] = value.clone();
        }
        request
    };
    let sql = |statement: &str| all(json!({ "sql": statement }));
    vec![
        ("info", all(json!({}))),
        ("verify", all(json!({ "coverage": true }))),
        ("verify", all(json!({ "format": "sarif" }))),
        ("lint", all(json!({}))),
        ("lint", all(json!({ "missing_report": true }))),
        ("find", all(json!({ "pattern": "a" }))),
        ("find", all(json!({ "pattern": "3", "whole": true }))),
        ("query", sql("SELECT * FROM entries")),
        ("query", sql("SELECT file, count(*) FROM entries GROUP BY file")),
        ("ls", json!({ "file": "all", "recursive": true })),
    ]
}

fn run(
    files: &Memory,
    verb: &str,
    request: &Value,
    threads: usize,
    log: &mut Log,
) -> Result<Outcome> {
    let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
    let session = Session::new(files.clone()).with_options(options);
    verbs::call(&session, verb, &request.to_string(), log)
}

/// Of every verb for the folder `all`, and of a comparison of two folders in it.
fn assert_same(files: &Memory, [old, new]: [&str; 2]) {
    let diff = |key: &str| json!({ "old": old, "new": new, "stat": key == "stat" });
    let compared = ["changes", "stat"].map(|key| ("diff", diff(key)));
    for (verb, request) in requests().into_iter().chain(compared) {
        for takes_json in [false, true] {
            let new = || Log { takes_json, ..Log::default() };
            let mut one = new();
            let outcome = run(files, verb, &request, 1, &mut one).unwrap();
            assert!(
                one.lines.len() > 20 || request["format"] == "sarif",
                "{verb}: {:?}",
                one.lines
            );
            for threads in [2, 5] {
                let mut several = new();
                let same = run(files, verb, &request, threads, &mut several).unwrap();
                assert_eq!(same, outcome, "{verb}");
                for (nth, (one, other)) in one.lines.iter().zip(&several.lines).enumerate() {
                    assert_eq!(one, other, "{verb} with {threads} threads: line {nth}");
                }
                assert_eq!(one.lines.len(), several.lines.len(), "{verb}");
            }
        }
    }
}

#[test]
fn what_comes_of_files_is_the_same_for_any_number_of_threads() {
    assert_same(&folder(), ["all/0", "all/1"]);
}

#[test]
fn what_comes_of_real_files_is_the_same_for_any_number_of_threads() {
    let files = Memory::new();
    for (folder, endings) in [
        ("virtools", &["nmo", "cmo", "nms"][..]),
        ("snpak", &["snpak"]),
        ("spellforce", &["map", "pak"]),
    ] {
        let Some(found) = corpus::files(folder, endings) else { return };
        let small = found.into_iter().filter(|file| file.bytes.len() < 200_000);
        for file in small.take(10) {
            files.put(format!("all/{folder}/{}", file.name), file.bytes.to_vec());
        }
    }
    assert_same(&files, ["all/virtools", "all/snpak"]);
}

/// The output is full in the middle: what came before is what would have come first, and the verb ends with its error.
#[test]
fn a_full_output_ends_the_verb_in_order() {
    let files = folder();
    for (verb, request) in requests() {
        let mut all = Log::default();
        run(&files, verb, &request, 1, &mut all).unwrap();
        for most in [0, 1, 7] {
            if all.lines.iter().filter(|line| line.starts_with('{')).count() <= most {
                continue;
            }
            for threads in [1, 3] {
                let mut log = Log { most: Some(most), ..Log::default() };
                let error = run(&files, verb, &request, threads, &mut log).unwrap_err();
                assert_eq!(error.io_error().unwrap().kind(), std::io::ErrorKind::BrokenPipe);
                // Where rows end is said even so.
                let end =
                    log.lines.iter().rposition(|line| line != "end").map_or(0, |last| last + 1);
                assert_eq!(log.lines[..end], all.lines[..end], "{verb}, {threads} threads");
            }
        }
    }
}

#[test]
fn files_side_by_side_end_soon_after_another_thread_cancelled_them() {
    /// Cancels the work at its third row.
    struct Third<'s>(&'s Session, usize);
    impl Output for Third<'_> {
        fn row(&mut self, _: &dyn Row) -> Result<()> {
            self.1 += 1;
            if self.1 == 3 {
                self.0.cancel().cancel();
            }
            Ok(())
        }
        fn body(&mut self, _: &str, _: &[u8]) -> Result<()> {
            Ok(())
        }
        fn diagnostic(&mut self, _: &str, _: &Finding) {}
        fn failed(&mut self, file: &str, error: &Error) {
            assert_ne!(error.code(), &CANCELLED, "{file}");
        }
    }
    for (verb, request) in requests() {
        if request["format"] == "sarif" {
            continue;
        }
        let options = Options { threads: NonZeroUsize::new(4), ..Options::default() };
        let session = Session::new(folder()).with_options(options);
        let mut out = Third(&session, 0);
        let request = request.to_string();
        let ended = verbs::call(&session, verb, &request, &mut out);
        assert_eq!(ended.unwrap_err().code(), &CANCELLED, "{verb}");
        assert_eq!(out.1, 3, "{verb}");
    }
}

/// Files that the session keeps open are worked on one at a time, whatever the number of threads: the same one may come twice.
#[test]
fn files_that_stay_open_may_come_twice() {
    let files = folder();
    let options = Options { threads: NonZeroUsize::new(4), ..Options::default() };
    let session = Session::new(files.clone()).with_options(options);
    files.put("level.nmo", samples::level().build().bytes);
    let handle = serde_json::to_value(session.open("level.nmo").unwrap()).unwrap();
    let request = json!({ "files": [handle, handle, "level.nmo", handle] });
    let mut out = CollectedOutput::default();
    let outcome = verbs::call(&session, "verify", &request.to_string(), &mut out).unwrap();
    assert!(outcome.is_clean(), "{:?}", out.diagnostics);
    assert_eq!(out.rows.len(), 4);
}

/// Files of two folders are paired by their paths in them.
#[test]
fn folders_are_compared_file_by_file() {
    let files = Memory::new();
    let mut wood = samples::level().build().bytes;
    files.put("old/levels/same.nmo", wood.clone());
    files.put("new/levels/same.nmo", wood.clone());
    files.put("old/levels/level.nmo", wood.clone());
    files.put("old/gone.snpak", samples::pack().build().bytes);
    files.put("new/levels/come.nmo", samples::menu().build().bytes);
    files.put("old/read.txt", b"one".to_vec());
    files.put("new/read.txt", b"other".to_vec());
    files.put("old/torn.nmo", wood.clone());
    files.put("new/torn.nmo", wood.split_off(100));
    let session = Session::new(files.clone());
    let mut rows = CollectedOutput::default();
    let set = json!({ "file": "old/levels/level.nmo", "output": "new/levels/level.nmo",
        "changes": ["CKMaterial/Wood/material.specular_power=3"] });
    verbs::call(&session, "set", &set.to_string(), &mut rows).unwrap();
    let mut rows = CollectedOutput::default();
    let request = json!({ "old": "old", "new": "new" }).to_string();
    let outcome = verbs::call(&session, "diff", &request, &mut rows).unwrap();
    assert_eq!(outcome.code(), 1, "{:?}", rows.diagnostics);
    let row = |nth: usize| &rows.rows[nth];
    assert_eq!(rows.rows.len(), 5, "{:?}", rows.rows);
    assert_eq!(
        (&row(0)["change"], &row(0)["file"]),
        (&json!("file_removed"), &json!("gone.snpak"))
    );
    assert_eq!(
        row(1),
        &json!({ "change": "file_added", "file": "levels/come.nmo",
        "new_size": samples::menu().build().bytes.len() })
    );
    assert_eq!(
        (&row(2)["change"], &row(2)["file"]),
        (&json!("changed"), &json!("levels/level.nmo"))
    );
    assert_eq!(row(2)["fields"][0]["path"], "material.specular_power");
    assert_eq!(
        row(3),
        &json!({ "change": "file_changed", "file": "read.txt", "old_size": 3, "new_size": 5 })
    );
    assert_eq!((&row(4)["change"], &row(4)["file"]), (&json!("file_changed"), &json!("torn.nmo")));
    assert_eq!(rows.notes, ["files: 1 the same, 3 changed, 1 added, 1 removed"]);
    let patch = json!({ "old": "old", "new": "new", "patch": "p.json" }).to_string();
    let error = verbs::call(&session, "diff", &patch, &mut rows).unwrap_err();
    assert_eq!(error.code().id, "SP190", "{error}");
    let same = json!({ "old": "old", "new": "old" }).to_string();
    assert!(
        verbs::call(&session, "diff", &same, &mut CollectedOutput::default()).unwrap().is_clean()
    );
}
