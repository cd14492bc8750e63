//! How long verbs go on after they were cancelled from another thread.

use serde_json::{Value, json};
use spelunk::{
    Error, Finding,
    verbs::{self, FileName, Memory, Output, Row, Session},
};
use std::{
    collections::BTreeSet,
    fs, io,
    path::Path,
    thread,
    time::{Duration, Instant},
};

/// How many times each verb is cancelled, at places that are spread over its work.
const PLACES: u32 = 24;

/// Takes rows as the command prints them, and keeps none: letting go of a million of them takes longer than what is measured.
struct Printed;

impl Output for Printed {
    fn row(&mut self, row: &dyn Row) -> spelunk::Result<()> {
        Ok(row.write(&mut io::sink())?)
    }

    fn body(&mut self, _: &str, _: &[u8]) -> spelunk::Result<()> {
        Ok(())
    }

    fn diagnostic(&mut self, _: &str, _: &Finding) {}

    fn failed(&mut self, _: &str, _: &Error) {}
}

/// Requests for a file, and what they are called.
fn requests(file: &str) -> Vec<(&'static str, Value)> {
    let onto = |mut request: Value| {
        request["output"] = "new".into();
        request
    };
    vec![
        ("info", json!({ "files": [file] })),
        ("ls", json!({ "file": file })),
        ("tree", json!({ "file": file, "flat": true })),
        ("verify", json!({ "files": [file], "roundtrip": true })),
        ("lint", json!({ "files": [file] })),
        ("find", json!({ "pattern": "nothing has this", "files": [file] })),
        ("query", json!({ "files": [file], "sql": "SELECT count(*), max(value) FROM fields" })),
        ("diff", json!({ "old": file, "new": "other" })),
        ("diff", json!({ "old": file, "new": "other", "patch": "new" })),
        ("explain", json!({ "subject": file, "map": true })),
        ("extract", json!({ "file": file, "directory": "new" })),
        ("rewrite", onto(json!({ "file": file, "recompress": true }))),
        ("export", onto(json!({ "file": file, "to": "json" }))),
        ("export", onto(json!({ "file": file, "to": "sqlite" }))),
        ("merge", onto(json!({ "base": file, "ours": "other", "theirs": [file] }))),
        ("patch", onto(json!({ "file": file, "patch": "patch.json" }))),
        ("subset", onto(json!({ "file": file, "paths": ["*"] }))),
        ("join", onto(json!({ "files": [file, file] }))),
        ("pack", onto(json!({ "source": "folder" }))),
    ]
}

/// For each verb on `file`, with `other` to compare it with: what it takes, and the longest that it goes on after it was cancelled.
pub fn measure(file: &Path, other: &Path) -> io::Result<()> {
    let files = Memory::new();
    files.put("file", fs::read(file)?);
    files.put("other", fs::read(other)?);
    let session = Session::new(files.clone());
    let prepare = [
        ("diff", json!({ "old": "file", "new": "other", "patch": "patch.json" })),
        ("extract", json!({ "file": "file", "directory": "folder" })),
    ];
    for (verb, request) in prepare {
        let done = verbs::call(&session, verb, &request.to_string(), &mut Printed);
        done.map_err(io::Error::other)?;
    }
    let kept: BTreeSet<FileName> = files.names().into_iter().collect();
    let sweep = || {
        let new = files.names().into_iter().filter(|name| !kept.contains(name));
        new.for_each(|name| drop(files.remove(name)));
    };
    println!("{:<10} {:>10} {:>14} {:>14}", "", "whole", "median after", "longest after");
    for (verb, request) in requests("file") {
        let request = request.to_string();
        let call = || verbs::call(&session, verb, &request, &mut Printed);
        let begun = Instant::now();
        let whole = call();
        let took = begun.elapsed();
        sweep();
        if whole.is_err() {
            println!("{verb:<10} refused: {whole:?}");
            continue;
        }
        let mut after = Vec::new();
        for place in 0..PLACES {
            let wait = took.mul_f64((f64::from(place) + 0.5) / f64::from(PLACES));
            let cancel = session.cancel().clone();
            let canceller = thread::spawn(move || {
                thread::sleep(wait);
                let at = Instant::now();
                cancel.cancel();
                at
            });
            let ended = call();
            let end = Instant::now();
            let at = canceller.join().map_err(|_| io::Error::other("a thread panicked"))?;
            session.cancel().reset();
            sweep();
            if ended.is_err() {
                after.push(end.saturating_duration_since(at));
            }
        }
        after.sort_unstable();
        let median = after.get(after.len() / 2).copied().unwrap_or_default();
        let longest = after.last().copied().unwrap_or_default();
        let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        println!("{verb:<10} {:>10} {:>14} {:>14}", ms(took), ms(median), ms(longest));
    }
    Ok(())
}
