//! `cargo xtask wasm`: the door for JavaScript as a package for Node.js, and the verbs run there.

use crate::tools::{cargo, root, succeed, target};
use std::{io, path::PathBuf, process::Command};

/// The target without an operating system.
const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the package and runs the test of all doors with it. What makes packages of the compiler's output takes a while to build,
/// so only this chore has it: a feature of this crate, with which it starts itself anew.
///
/// # Errors
/// Where the standard library of the target or Node.js is missing; where something cannot be built, or a door gives something else
/// than the others.
pub fn run() -> io::Result<()> {
    if cfg!(not(feature = "wasm")) {
        let mut again = cargo();
        again.args(["run", "--quiet", "--package", "xtask", "--features", "wasm", "--", "wasm"]);
        return succeed(&mut again);
    }
    let package = package()?;
    println!("{} is a package for Node.js", package.display());
    let mut doors = cargo();
    doors.current_dir(root()).env("SPELUNK_WASM", package.join("spelunk_wasm.js"));
    succeed(doors.args(["test", "--package", "spelunk-cli", "--test", "doors"]))
}

/// Builds the package; gives its folder.
fn package() -> io::Result<PathBuf> {
    let built = target().join("wasm");
    let mut build = Command::new("cargo");
    build.current_dir(root()).env("CARGO_TARGET_DIR", &built);
    succeed(build.args(["build", "--release", "--target", TARGET, "--package", "spelunk-wasm"]))?;
    let module = built.join(TARGET).join("release/spelunk_wasm.wasm");
    let folder = built.join("node");
    bind(&module, &folder)?;
    Ok(folder)
}

#[cfg(feature = "wasm")]
fn bind(module: &std::path::Path, folder: &std::path::Path) -> io::Result<()> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    let made = bindgen.input_path(module).nodejs(true).map(|bindgen| bindgen.typescript(true));
    made.and_then(|bindgen| bindgen.generate(folder))
        .map_err(|error| io::Error::other(format!("{error:#}")))
}

#[cfg(not(feature = "wasm"))]
fn bind(_: &std::path::Path, _: &std::path::Path) -> io::Result<()> {
    Err(io::Error::other("this build cannot make packages"))
}
