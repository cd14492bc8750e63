//! Chores of the workspace, run as `cargo xtask NAME`.
//!
//! * `demo` makes sample files of every format in `target/samples` and looks into them with `spelunk`;
//! * `samples DIR` only makes the files;
//! * `workload DIR [ASSETS [TINY]]` makes the assets that the benchmarks of packs work with: 20,000 files of 51,200 bytes
//!   in `DIR/mixed`, and a pack of 1,000,000 tiny assets, `DIR/tiny.snpak`;
//! * `docs` writes the pages of the book that are made from the code, which git ignores, and brings what is kept of the kind up to date:
//!   the table of verbs in `docs/verbs.md`, the files for other programs in `dist` and `docs/schemas`, and `api.json`, the description
//!   of all verbs, unless that would break programs that go by the old one;
//! * `fuzz [--addresses] [--minutes N] [TARGET...]` builds the fuzz targets with a nightly toolchain and runs them, each for so many minutes;
//! * `attack [--executions N] [--seed S] [VERB...]` makes hostile files and has the command do everything to them that it can,
//!   within the memory that it promises; `--first N` begins with another scene, `--program PATH` attacks a command that is there;
//! * `dist [TARGET...]` makes release archives in `target/archives`;
//! * `wasm` builds the door for JavaScript as a package for Node.js, and runs the verbs there;
//! * `wine` runs the command's cases with the command that is built for Windows, under Wine; `wine --check` only tells what
//!   is missing for that.

#![forbid(unsafe_code)]

#[cfg(unix)]
mod attack;
mod dist;
mod fuzz;
mod tools;
mod wasm;
mod wine;

use std::{
    env, fs, io,
    path::Path,
    process::{Command, ExitCode},
};
use tools::{cargo, root, target};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["demo"] => demo(),
        ["samples", dir] => samples(Path::new(dir)),
        ["docs" | "workload", ..] => tools::succeed(tools::makers().args(&args)),
        ["dist", targets @ ..] => dist::run(targets),
        ["fuzz", args @ ..] => fuzz::run(args),
        #[cfg(unix)]
        ["attack", args @ ..] => attack::run(args),
        #[cfg(unix)]
        ["attack-one", args @ ..] => attack::one(args),
        ["wasm", args @ ..] => wasm::run(args),
        ["wine"] => wine::run(),
        ["wine", "--check"] => match wine::check() {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
        _ => {
            eprintln!(
                "usage: cargo xtask demo | samples DIR | workload DIR [ASSETS [TINY]] | docs | fuzz [--addresses] [--minutes N] [TARGET...] | attack [--executions N] [--seed S] [--first N] [--program PATH] [VERB...] | dist [TARGET...] | wasm [--quick] | wine [--check]"
            );
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn samples(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for path in spelunk_fixtures::write_samples(dir)? {
        println!("{}", path.display());
    }
    Ok(())
}

/// What the demo runs, in the folder of the samples.
const DEMO: &[&[&str]] = &[
    &["info", "level.nmo"],
    &["ls", "level.nmo"],
    &["tree", "sf22.pak"],
    &["tree", "gameplay.nmo", "scripts"],
    &["ls", "forest.snpak"],
    &["show", "GameData.cff", "2016"],
    &["explain", "level.nmo", "0x34"],
    &[
        "verify",
        "--roundtrip",
        "level.nmo",
        "forest.snpak",
        "GameData.cff",
        "liannon.map",
        "sf22.pak",
    ],
];

fn demo() -> io::Result<()> {
    let dir = root().join("target/samples");
    fs::create_dir_all(&dir)?;
    spelunk_fixtures::write_samples(&dir)?;
    tools::succeed(cargo().args(["build", "--package", "spelunk-cli"]))?;
    let spelunk = target().join("debug").join(format!("spelunk{}", env::consts::EXE_SUFFIX));
    let spelunk = fs::canonicalize(spelunk)?;
    for args in DEMO {
        println!("$ spelunk {}", args.join(" "));
        let status = Command::new(&spelunk).args(*args).current_dir(&dir).status()?;
        if !status.success() {
            return Err(io::Error::other(format!("spelunk {} failed", args.join(" "))));
        }
        println!();
    }
    println!("The samples are in {}.", fs::canonicalize(&dir)?.display());
    Ok(())
}
