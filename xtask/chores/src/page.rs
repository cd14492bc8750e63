//! `cargo xtask page [--quick]`: the page, which works without a server, in `target/page`.

use crate::wasm::{self, Platform};
use std::{io, process::Command};
use xtask::tools::{root, succeed, target};

/// Builds the verbs for browsers and bundles the page with them. With `--quick` the verbs are compiled as tests are: several times
/// faster, and slow.
///
/// # Errors
/// Where the standard library of the target, Node.js or npm is missing; where something cannot be built.
pub fn run(args: &[&str]) -> io::Result<()> {
    let module = wasm::package(wasm::profile(args)?, Platform::Web)?;
    let folder = root().join("page");
    let out = target().join("page");
    let npm = |args: &[&str]| {
        let mut npm = Command::new("npm");
        npm.current_dir(&folder).args(args);
        succeed(&mut npm)
    };
    npm(&["ci", "--silent", "--no-audit", "--no-fund"])?;
    let mut bundle = Command::new("node");
    bundle.current_dir(&folder).args(["build.mjs", "--wasm"]).arg(&module).arg("--out").arg(&out);
    succeed(&mut bundle)?;
    println!("{} is the page: serve the folder, or put it anywhere", out.display());
    Ok(())
}
