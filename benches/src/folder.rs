//! Verbs over a folder of many levels, on one thread and on two, and beside each other.

use crate::{
    clock::Measured,
    line::{Case, Line},
    virtools,
    work::{Work, on},
};
use serde_json::{Value, json};
use spelunk::{
    Error, Finding,
    verbs::{self, Disk, Output, Row, Session},
};
use std::{fs, io, path::PathBuf};

/// Number of the levels.
const LEVELS: usize = 200;

/// Lines of a verb on two threads.
macro_rules! threads {
    ($name:literal, $nth:literal) => {
        Line::ratio(
            concat!("folder-", $name, "-threads"),
            concat!("`", $name, "` of many levels, 2 threads"),
            "1 thread",
        )
        .by(|t, _| t[2 * $nth + 1] / t[2 * $nth])
        .at_most(0.6)
        .on_the_wall()
    };
}

/// The verbs, each on one thread and then on two.
pub const CASES: &[Case] = &[Case {
    sides: &[
        "verify",
        "verify, 2 threads",
        "find",
        "find, 2 threads",
        "lint",
        "lint, 2 threads",
        "info",
        "info, 2 threads",
        "ls",
        "ls, 2 threads",
        "query",
        "query, 2 threads",
        "diff",
        "diff, 2 threads",
    ],
    lines: &[
        threads!("verify", 0),
        threads!("find", 1),
        threads!("lint", 2),
        threads!("info", 3),
        threads!("ls", 4),
        threads!("query", 5),
        threads!("diff", 6),
        Line::ratio("folder-find", "`find` in many levels", "`verify`")
            .by(|t, _| t[2] / t[0])
            .at_most(3.0),
    ],
    measure,
}];

/// Takes rows as the command prints them, and counts them.
#[derive(Default)]
pub struct Printed {
    /// Number of the rows.
    pub rows: usize,
    /// Why a file could not be worked on.
    pub failed: Option<String>,
}

impl Output for Printed {
    fn row(&mut self, row: &dyn Row) -> spelunk::Result<()> {
        self.rows += 1;
        Ok(row.write(&mut io::sink())?)
    }

    fn body(&mut self, _: &str, _: &[u8]) -> spelunk::Result<()> {
        Ok(())
    }

    fn diagnostic(&mut self, _: &str, _: &Finding) {}

    fn failed(&mut self, file: &str, error: &Error) {
        self.failed = Some(format!("{file}: {error}"));
    }
}

/// The folders with the levels, and with the same ones of which a chunk is another; they are made where they are not there.
fn levels(work: &Work) -> io::Result<[PathBuf; 2]> {
    let folders = [work.folder("levels")?, work.folder("changed-levels")?];
    for (nth, (name, bytes)) in work.levels()?.iter().cycle().take(work.count(LEVELS)).enumerate() {
        let [level, changed] = folders.each_ref().map(|it| it.join(format!("{nth:03}-{name}")));
        if !level.exists() {
            fs::write(level, bytes)?;
        }
        if !changed.exists() {
            fs::write(changed, virtools::changed(bytes))?;
        }
    }
    Ok(folders)
}

fn measure(work: &Work) -> io::Result<Measured> {
    let [folder, changed] = levels(work)?;
    let count = work.count(LEVELS);
    let run = |verb: &str, threads: usize, request: &Value| {
        let session = Session::new(Disk).with_options(on(threads));
        let mut printed = Printed::default();
        let done = verbs::call(&session, verb, &request.to_string(), &mut printed);
        done.expect("the verb takes a folder");
        assert_eq!(printed.failed, None, "{verb}");
        printed.rows
    };
    let files = json!({ "files": [folder], "recursive": true });
    let find = json!({ "files": [folder], "pattern": "nothing has this" });
    let list = json!({ "file": folder, "recursive": true });
    let sql = "SELECT count(*), sum(size) FROM entries";
    let query = json!({ "files": [folder], "recursive": true, "sql": sql });
    let diff = json!({ "old": folder, "new": changed });
    for (verb, request) in [("verify", &files), ("info", &files), ("diff", &diff)] {
        assert!(run(verb, 1, request) >= count, "{verb} says something of each file");
    }
    let mut sides: Vec<Box<dyn FnMut()>> = Vec::new();
    let requests = [
        ("verify", &files),
        ("find", &find),
        ("lint", &files),
        ("info", &files),
        ("ls", &list),
        ("query", &query),
        ("diff", &diff),
    ];
    for (verb, request) in requests {
        for threads in [1, 2] {
            sides.push(Box::new(move || {
                run(verb, threads, request);
            }));
        }
    }
    let sides: &mut [Box<dyn FnMut()>; 14] =
        sides.as_mut_slice().try_into().map_err(io::Error::other)?;
    Measured::of(work.rounds, sides.each_mut().map(|side| side as &mut dyn FnMut()))
        .with(format!("{count} levels"))
}
