//! `cargo xtask wasm [--quick]`: the door for JavaScript as a package for Node.js, and the verbs run there.

use std::{fmt, io, path::PathBuf};
use xtask::tools::{cargo, missing_library, missing_program, quiet, rust_flags, succeed, target};

/// The profile of what browsers load.
pub const RELEASED: &str = "web";

/// The target without an operating system.
const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the package and runs the test of all doors with it. With `--quick` the package is compiled as tests are: several times
/// faster, with checks of overflow, and no package to give to anyone.
///
/// # Errors
/// Where the standard library of the target or Node.js is missing; where something cannot be built, or a door gives something else
/// than the others.
pub fn run(args: &[&str]) -> io::Result<()> {
    let package = package(profile(args)?, Platform::Node)?;
    println!("{} is a package for Node.js", package.display());
    let mut doors = cargo();
    doors.env("SPELUNK_WASM", package.join("spelunk_wasm.js"));
    // With the features that the whole workspace has, as it is tested otherwise: nothing is built twice.
    succeed(doors.args(["test", "--workspace", "--test", "suite", "doors::"]))
}

/// The profile that arguments ask for.
///
/// # Errors
/// Arguments that there are not.
pub fn profile(args: &[&str]) -> io::Result<&'static str> {
    match args {
        [] => Ok(RELEASED),
        ["--quick"] => Ok("dev"),
        [other, ..] => Err(io::Error::other(format!("there is `--quick`, and no {other}"))),
    }
}

/// Programs that run a package.
#[derive(Clone, Copy)]
pub enum Platform {
    Node,
    Web,
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Platform::Node => "nodejs",
            Platform::Web => "web",
        })
    }
}

/// What WebAssembly needs and is not there, each with how to get it.
///
/// # Errors
/// Where the compiler cannot be asked.
pub fn missing() -> io::Result<Vec<String>> {
    Ok(missing_library(TARGET)?.into_iter().chain(missing_program("node", "nodejs")).collect())
}

/// Builds the package; gives its folder.
///
/// # Errors
/// Where the standard library of the target is missing, or something cannot be built.
pub fn package(profile: &str, platform: Platform) -> io::Result<PathBuf> {
    let built = target().join("wasm");
    let mut build = cargo();
    build.env("CARGO_TARGET_DIR", &built);
    build.env("CARGO_ENCODED_RUSTFLAGS", rust_flags().join("\u{1f}"));
    build.args(["build", "--profile", profile, "--target", TARGET, "--package", "spelunk-wasm"]);
    succeed(&mut build)?;
    // Cargo calls the folder of this profile otherwise.
    let profile = if profile == "dev" { "debug" } else { profile };
    let module = built.join(TARGET).join(profile).join("spelunk_wasm.wasm");
    let folder = built.join(platform.to_string());
    // What makes packages takes a while to build, so it is a workspace of its own.
    let mut make = cargo();
    make.env("CARGO_TARGET_DIR", target().join("wasm-package"));
    quiet(make.args(["run", "--locked", "--manifest-path", ".ci/wasm/Cargo.toml"]));
    succeed(make.arg("--").arg(platform.to_string()).args([&module, &folder]))?;
    Ok(folder)
}
