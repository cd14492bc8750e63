//! What chores make with the library, run by `cargo xtask`, which does without it: most chores need not wait for it to be built.
//!
//! * `docs` writes the generated pages below `docs/`, the files for other programs below `dist/`, and `api.json`, the description of
//!   all verbs, unless that would break programs that go by the old one;
//! * `workload DIR [ASSETS [TINY]]` makes the assets that the benchmarks of packs work with: 20,000 files of 51,200 bytes
//!   in `DIR/mixed`, and a pack of 1,000,000 tiny assets, `DIR/tiny.snpak`;
//! * `seeds DIR LONGEST TARGET...` gives fuzz targets the inputs of at most so many bytes that they begin with.

#![forbid(unsafe_code)]

mod api;
mod details;
mod readme;
mod reference;
mod seeds;
mod workload;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["docs"] => docs(),
        ["workload", dir, counts @ ..] => workload::make(Path::new(dir), counts),
        ["seeds", dir, longest, targets @ ..] => longest
            .parse()
            .map_err(io::Error::other)
            .and_then(|longest| seeds::sow(targets, Path::new(dir), longest)),
        _ => {
            eprintln!(
                "usage: makers docs | workload DIR [ASSETS [TINY]] | seeds DIR LONGEST TARGET..."
            );
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

fn docs() -> io::Result<()> {
    let made = spelunk::docs::pages().into_iter().chain(spelunk_catalog::pages());
    let made = made.chain(reference::pages());
    for (path, text) in made.chain([api::page(&root())?, readme::page(&root())?]) {
        let path = root().join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}
