//! Verbs over a folder of many levels, on one thread and on two, and beside each other.

use crate::{
    clock::Measured,
    line::{Case, Line},
    virtools,
    work::{Work, on},
};
use serde_json::{Value, json};
use spelunk::{
    Bytes, Error, Finding,
    verbs::{self, Disk, Output, Row, RowForm, Session},
};
use std::{fs, io, path::PathBuf};

/// Number of the levels, and of those that are compared, which takes many times as long.
const LEVELS: usize = 200;
const COMPARED: usize = 16;

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
pub const CASES: &[Case] = &[
    Case {
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
        ],
        lines: &[
            threads!("verify", 0),
            threads!("find", 1),
            threads!("lint", 2),
            threads!("info", 3),
            threads!("ls", 4),
            threads!("query", 5),
            Line::ratio("folder-find", "`find` in many levels", "`verify`")
                .by(|t, _| t[2] / t[0])
                .at_most(3.0),
        ],
        measure,
    },
    Case { sides: &["diff", "diff, 2 threads"], lines: &[threads!("diff", 0)], measure: compare },
];

/// Takes rows as the command prints them with `--json`, and counts them.
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

    fn form(&self) -> RowForm {
        RowForm::Json
    }
}

/// A folder with so many levels, as `made` makes them of real ones. They are made where they are not there.
fn levels(
    work: &Work,
    name: &str,
    count: usize,
    made: fn(&Bytes) -> Vec<u8>,
) -> io::Result<PathBuf> {
    let folder = work.folder(name)?;
    for (nth, (name, bytes)) in work.levels()?.iter().cycle().take(count).enumerate() {
        let path = folder.join(format!("{nth:03}-{name}"));
        if !path.exists() {
            fs::write(path, made(bytes))?;
        }
    }
    Ok(folder)
}

/// Runs a verb, and returns the number of its rows.
fn run(verb: &str, threads: usize, request: &Value) -> usize {
    let session = Session::new(Disk).with_options(on(threads));
    let mut printed = Printed::default();
    let done = verbs::call(&session, verb, &request.to_string(), &mut printed);
    done.expect("the verb takes a folder");
    assert_eq!(printed.failed, None, "{verb}");
    printed.rows
}

fn measure(work: &Work) -> io::Result<Measured> {
    let count = work.count(LEVELS);
    let folder = levels(work, "levels", count, |bytes| bytes.to_vec())?;
    let files = json!({ "files": [folder], "recursive": true });
    let find = json!({ "files": [folder], "pattern": "nothing has this" });
    let list = json!({ "file": folder, "recursive": true });
    let sql = "SELECT count(*), sum(size) FROM entries";
    let query = json!({ "files": [folder], "recursive": true, "sql": sql });
    for verb in ["verify", "info"] {
        assert!(run(verb, 1, &files) >= count, "{verb} says something of each file");
    }
    let mut sides: Vec<Box<dyn FnMut()>> = Vec::new();
    let requests = [
        ("verify", &files),
        ("find", &find),
        ("lint", &files),
        ("info", &files),
        ("ls", &list),
        ("query", &query),
    ];
    for (verb, request) in requests {
        for threads in [1, 2] {
            sides.push(Box::new(move || {
                run(verb, threads, request);
            }));
        }
    }
    let sides: &mut [Box<dyn FnMut()>; 12] =
        sides.as_mut_slice().try_into().map_err(io::Error::other)?;
    Measured::of(work.rounds, sides.each_mut().map(|side| side as &mut dyn FnMut()))
        .with(format!("{count} levels"))
}

/// The same levels, of which a chunk of each is another.
fn compare(work: &Work) -> io::Result<Measured> {
    let count = work.count(COMPARED);
    let old = levels(work, "compared", count, |bytes| bytes.to_vec())?;
    let new = levels(work, "changed", count, virtools::changed)?;
    let diff = json!({ "old": old, "new": new });
    assert!(run("diff", 1, &diff) >= count, "each has changed");
    let sides: [&mut dyn FnMut(); 2] =
        [&mut || _ = run("diff", 1, &diff), &mut || _ = run("diff", 2, &diff)];
    Measured::of(work.rounds, sides).with(format!("{count} levels"))
}
