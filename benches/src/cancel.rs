//! How long verbs go on after they were cancelled from another thread.

use crate::{
    clock::Measured,
    line::{Case, Line, Unit},
    work::Work,
};
use serde_json::{Value, json};
use spelunk::{
    Error, Finding,
    verbs::{self, FileName, Memory, Output, Row, Session},
};
use std::{collections::BTreeSet, io, thread, time::Instant};

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

/// Lines of a request.
macro_rules! case {
    ($name:literal, $verb:literal, $($request:tt)+) => {
        Case {
            sides: &[],
            lines: &[
                Line::number(
                    concat!("cancel-", $name),
                    concat!($name, ": the longest that it goes on"),
                    Unit::Milliseconds,
                    0,
                ),
                Line::number(
                    concat!("cancel-", $name, "-median"),
                    concat!($name, ": half of the times at the most"),
                    Unit::Milliseconds,
                    1,
                ),
                Line::number(
                    concat!("cancel-", $name, "-whole"),
                    concat!($name, ": all of it, without being cancelled"),
                    Unit::Milliseconds,
                    2,
                ),
            ],
            measure: |work| one(work, $verb, json!({ $($request)+ })),
        }
    };
}

/// Requests for a file, with another one to compare it with.
pub const CASES: &[Case] = &[
    case!("info", "info", "files": ["file"]),
    case!("ls", "ls", "file": "file"),
    case!("tree", "tree", "file": "file", "flat": true),
    case!("verify", "verify", "files": ["file"], "roundtrip": true),
    case!("lint", "lint", "files": ["file"]),
    case!("find", "find", "pattern": "nothing has this", "files": ["file"]),
    case!(
        "query",
        "query",
        "files": ["file"],
        "sql": "SELECT count(*), max(value) FROM fields"
    ),
    case!("diff", "diff", "old": "file", "new": "other"),
    case!("diff-patch", "diff", "old": "file", "new": "other", "patch": "new"),
    case!("explain", "explain", "subject": "file", "map": true),
    case!("extract", "extract", "file": "file", "directory": "new"),
    case!("rewrite", "rewrite", "file": "file", "recompress": true, "output": "new"),
    case!("export-json", "export", "file": "file", "to": "json", "output": "new"),
    case!("export-sqlite", "export", "file": "file", "to": "sqlite", "output": "new"),
    case!("merge", "merge", "base": "file", "ours": "other", "theirs": ["file"], "output": "new"),
    case!("patch", "patch", "file": "file", "patch": "patch.json", "output": "new"),
    case!("subset", "subset", "file": "file", "paths": ["*"], "output": "new"),
    case!("join", "join", "files": ["file", "file"], "output": "new"),
    case!("pack", "pack", "source": "folder", "output": "new"),
];

/// A verb on the largest level, with another one to compare it with: the longest that it goes on after it was cancelled, the
/// median of that, and what it takes to its end. In seconds.
fn one(work: &Work, verb: &str, request: Value) -> io::Result<Measured> {
    let levels = work.levels()?;
    let files = Memory::new();
    let [file, other] =
        [levels.last(), levels.first()].map(|level| level.cloned().unwrap_or_default());
    files.put("file", file.1);
    files.put("other", other.1);
    let session = Session::new(files.clone());
    // What two of the verbs take.
    let prepare = match verb {
        "patch" => Some(("diff", json!({ "old": "file", "new": "other", "patch": "patch.json" }))),
        "pack" => Some(("extract", json!({ "file": "file", "directory": "folder" }))),
        _ => None,
    };
    if let Some((verb, request)) = prepare {
        let done = verbs::call(&session, verb, &request.to_string(), &mut Printed);
        done.map_err(io::Error::other)?;
    }
    let kept: BTreeSet<FileName> = files.names().into_iter().collect();
    let sweep = || {
        let new = files.names().into_iter().filter(|name| !kept.contains(name));
        new.for_each(|name| drop(files.remove(name)));
    };
    let request = request.to_string();
    let call = || verbs::call(&session, verb, &request, &mut Printed);
    let begun = Instant::now();
    let whole = call();
    let took = begun.elapsed();
    sweep();
    if let Err(error) = whole {
        return Measured::absent(format!("refused: {error}"));
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
    Measured::numbers([longest, median, took].map(|time| time.as_secs_f64()).to_vec()).with(file.0)
}
