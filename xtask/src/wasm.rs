//! `cargo xtask wasm [--quick]`: the door for JavaScript as a package for Node.js, and the verbs run there.

use crate::tools::{cargo, root, succeed, target};
use std::{io, path::PathBuf, process::Command};

/// The target without an operating system.
const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the package and runs the test of all doors with it. What makes packages of the compiler's output takes a while to build,
/// so only this chore has it: a feature of this crate, with which it starts itself anew. With `--quick` the package is compiled as
/// tests are: several times faster, with checks of overflow, and no package to give to anyone.
///
/// # Errors
/// Where the standard library of the target or Node.js is missing; where something cannot be built, or a door gives something else
/// than the others.
pub fn run(args: &[&str]) -> io::Result<()> {
    let profile = match args {
        [] => "release",
        ["--quick"] => "dev",
        [other, ..] => return Err(io::Error::other(format!("there is `--quick`, and no {other}"))),
    };
    if cfg!(not(feature = "wasm")) {
        let mut again = cargo();
        again.args(["run", "--quiet", "--package", "xtask", "--features", "wasm", "--", "wasm"]);
        return succeed(again.args(args));
    }
    let package = package(profile)?;
    println!("{} is a package for Node.js", package.display());
    let mut doors = cargo();
    doors.current_dir(root()).env("SPELUNK_WASM", package.join("spelunk_wasm.js"));
    // With the features that the whole workspace has, as it is tested otherwise: nothing is built twice.
    succeed(doors.args(["test", "--workspace", "--test", "doors"]))
}

/// Builds the package; gives its folder.
fn package(profile: &str) -> io::Result<PathBuf> {
    let built = target().join("wasm");
    let mut build = Command::new("cargo");
    build.current_dir(root()).env("CARGO_TARGET_DIR", &built);
    build.args(["build", "--profile", profile, "--target", TARGET, "--package", "spelunk-wasm"]);
    succeed(&mut build)?;
    // Cargo calls the folder of this profile otherwise.
    let profile = if profile == "dev" { "debug" } else { profile };
    let module = built.join(TARGET).join(profile).join("spelunk_wasm.wasm");
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
