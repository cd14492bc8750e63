//! Chores of the workspace, run as `cargo xtask NAME`.
//!
//! * `demo` makes sample files of every format in `target/samples` and looks into them with `spelunk`;
//! * `samples DIR` only makes the files;
//! * `workload DIR [ASSETS [TINY]]` makes the assets that the benchmarks of packs work with: 20,000 files of 51,200 bytes
//!   in `DIR/mixed`, and a pack of 1,000,000 tiny assets, `DIR/tiny.snpak`;
//! * `docs` writes the generated pages below `docs/`, and the parts of the command's JSON Schemas that are made.

#![forbid(unsafe_code)]

mod schemas;
mod workload;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["demo"] => demo(),
        ["samples", dir] => samples(Path::new(dir)),
        ["workload", dir, counts @ ..] => workload::make(Path::new(dir), counts),
        ["docs"] => docs(),
        _ => {
            eprintln!(
                "usage: cargo xtask demo | samples DIR | workload DIR [ASSETS [TINY]] | docs"
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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
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
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = Command::new(&cargo)
        .args(["build", "--quiet", "--package", "spelunk-cli"])
        .current_dir(root())
        .status()?;
    if !build.success() {
        return Err(io::Error::other("building spelunk failed"));
    }
    let target =
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let spelunk =
        fs::canonicalize(target.join("debug").join(format!("spelunk{}", env::consts::EXE_SUFFIX)))?;
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

fn docs() -> io::Result<()> {
    let made = spelunk::docs::pages().into_iter().chain(spelunk_catalog::pages());
    for (path, text) in made.chain(schemas::pages(&root())?) {
        let path = root().join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}
