//! What chores make with the library, run by `cargo xtask`, which does without it: most chores need not wait for it to be built.
//!
//! * `docs` writes the pages of the book that are made from the code, which git ignores, and brings what is kept of the kind up to date:
//!   the table of verbs in `docs/verbs.md`, the files for other programs in `dist` and `docs/schemas`, and `api.json`, the description
//!   of all verbs, unless that would break programs that go by the old one;
//! * `bench-table [FILE]` makes the tables of `docs/performance.md` from `docs/performance.json`, a run of the benchmarks, or from
//!   FILE, which is kept there then;
//! * `seeds DIR LONGEST TARGET...` gives fuzz targets the inputs of at most so many bytes that they begin with.

#![forbid(unsafe_code)]

mod seeds;

use std::{
    env, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["docs"] => makers::write(&root()),
        ["bench-table"] => makers::write_figures(&root(), None),
        ["bench-table", run] => makers::write_figures(&root(), Some(Path::new(run))),
        ["seeds", dir, longest, targets @ ..] => longest
            .parse()
            .map_err(io::Error::other)
            .and_then(|longest| seeds::sow(targets, Path::new(dir), longest)),
        _ => {
            eprintln!("usage: makers docs | bench-table [FILE] | seeds DIR LONGEST TARGET...");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("makers: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap_or(root)
}
