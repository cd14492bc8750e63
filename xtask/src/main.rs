//! Chores of the workspace, run as `cargo xtask NAME`.
//!
//! * `demo` makes sample files of every format in `target/samples` and looks into them with `spelunk`;
//! * `samples DIR` only makes the files;
//! * `bench-table [FILE]` makes the tables of `docs/performance.md` from `docs/performance.json`, a run of the benchmarks, or from
//!   FILE, which is kept there then;
//! * `docs` writes the pages of the book that are made from the code, which git ignores, and brings what is kept of the kind up to date:
//!   the table of verbs in `docs/verbs.md`, the files for other programs in `dist` and `docs/schemas`, and `api.json`, the description
//!   of all verbs, unless that would break programs that go by the old one;
//! * `fuzz [--addresses] [--minutes N] [TARGET...]` builds the fuzz targets with a nightly toolchain and runs them, each for so many minutes;
//! * `attack [--executions N] [--seed S] [VERB...]` makes hostile files and has the command do everything to them that it can,
//!   within the memory that it promises; `--first N` begins with another scene, `--program PATH` attacks a command that is there;
//! * `dist [TARGET...]` makes release archives in `target/archives`, `dist packages [TARGET...]` packages for distributions of what
//!   these were made of, `dist manifests [URL]` a formula for Homebrew, a manifest for Scoop and the checksums, and `dist notes`
//!   prints what the changelog says of the version; `dist packages --quick` packs the command that the demo built;
//! * `page` builds the page that runs in a browser, in `target/page`; it needs Node.js;
//! * `wasm` builds the door for JavaScript as a package for Node.js, and runs the verbs there;
//! * `wine` runs the command's cases with the command that is built for Windows, under Wine; `wine --check` only tells what
//!   is missing for that.

#![forbid(unsafe_code)]

use std::{
    env, fs, io,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};
use xtask::tools::{self, cargo, root};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let chore = args.first().map_or("", String::as_str);
    tools::exit_code(match chore {
        "demo" if args.len() == 1 => demo(),
        "samples" if args.len() == 2 => {
            let samples = ["run", "--package", "spelunk-fixtures", "--bin", "samples"];
            tools::succeed(tools::quiet(cargo().args(samples)).arg("--").args(&args[1..]))
        }
        "docs" => tools::succeed(tools::package("makers").args(&args)),
        "bench-table" if args.len() <= 2 => {
            // A file is named from where the chore is run.
            let file = args.get(1).map(std::path::absolute).transpose();
            file.and_then(|file| tools::succeed(tools::package("makers").arg(chore).args(file)))
        }
        "attack" | "dist" | "fuzz" | "page" | "wasm" | "wine" => {
            return run(tools::package("chores").args(&args));
        }
        _ => {
            eprintln!(
                "usage: cargo xtask demo | samples DIR | bench-table [FILE] | docs | fuzz [--addresses] [--minutes N] [TARGET...] | attack [--executions N] [--seed S] [--first N] [--program PATH] [VERB...] | dist [packages [--quick]] [TARGET...] | dist manifests [URL] | dist notes | page [--quick] | wasm [--quick] | wine [--check]"
            );
            return ExitCode::from(2);
        }
    })
}

/// Runs a program whose exit code is that of the chore.
fn run(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            ExitCode::from(code.unwrap_or(1))
        }
        Err(error) => tools::exit_code(Err(error)),
    }
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
    let begun = Instant::now();
    println!(
        "Building the command `spelunk` and what makes the samples. The first time that takes some minutes: about three on a \
         machine of two cores."
    );
    tools::build_demo(&[])?;
    println!("Built in {}.\n", shown(begun.elapsed()));
    let dir = root().join("target/samples");
    fs::create_dir_all(&dir)?;
    let dir = fs::canonicalize(dir)?;
    tools::printed(Command::new(tools::built_demo("samples")?).arg(&dir))?;
    let spelunk = tools::built_demo("spelunk")?;
    for args in DEMO {
        println!("$ spelunk {}", args.join(" "));
        let status = Command::new(&spelunk).args(*args).current_dir(&dir).status()?;
        if !status.success() {
            return Err(io::Error::other(format!("spelunk {} failed", args.join(" "))));
        }
        println!();
    }
    println!("The samples are in {}.", dir.display());
    println!("The command is {}, with all of its verbs.", spelunk.display());
    println!(
        "It was built fast and is slow; `cargo install --path crates/spelunk-cli` makes the one to keep."
    );
    Ok(())
}

/// A time as people say it.
fn shown(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}
