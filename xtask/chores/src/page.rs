//! `cargo xtask page [--quick]`: the page, which works without a server, in `target/page`.

use crate::wasm::{self, Platform};
use std::{fs::File, io, path::PathBuf, process::Command, time::SystemTime};
use xtask::tools::{complete, missing_program, root, succeed, target};

/// Builds the page. With `--quick` the verbs are compiled as tests are: several times faster, and slow.
///
/// # Errors
/// Where the standard library of the target, Node.js or npm is missing; where something cannot be built.
pub fn run(args: &[&str]) -> io::Result<()> {
    complete(&missing()?)?;
    let out = build(wasm::profile(args)?)?;
    println!(
        "{} is the page: serve the folder, or put it anywhere; what is built from now on has it for `spelunk view`",
        out.display()
    );
    Ok(())
}

/// What the page needs and is not there, each with how to get it.
///
/// # Errors
/// Where the compiler cannot be asked.
pub fn missing() -> io::Result<Vec<String>> {
    Ok(wasm::missing()?.into_iter().chain(missing_program("npm", "npm")).collect())
}

/// Builds the verbs for browsers in a profile and bundles the page with them; returns its folder.
///
/// # Errors
/// Where something cannot be built.
pub fn build(profile: &str) -> io::Result<PathBuf> {
    let module = wasm::package(profile, Platform::Web)?;
    let folder = root().join("page");
    let out = target().join("page");
    let mut npm = Command::new("npm");
    npm.current_dir(&folder).args(["ci", "--silent", "--no-audit", "--no-fund"]);
    succeed(&mut npm)?;
    let mut bundle = Command::new("node");
    bundle.current_dir(&folder).args(["build.mjs", "--wasm"]).arg(&module).arg("--out").arg(&out);
    // Only what is released has the size that it is to have.
    if profile == wasm::RELEASED {
        bundle.arg("--limits");
    }
    succeed(&mut bundle)?;
    // What is built from now on takes the page in.
    let taker = File::options().append(true).open(root().join("crates/spelunk-view/build.rs"))?;
    taker.set_modified(SystemTime::now())?;
    Ok(out)
}
