//! `cargo xtask wine`: the command's cases, with the command that is built for Windows.

use std::{
    fs, io,
    path::Path,
    process::{Command, ExitCode, Stdio},
};
use xtask::tools::{self, cargo, root, target};

const TRIPLE: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
const WINE: &[&str] = &["wine64", "/usr/lib/wine/wine64", "wine"];

/// Whether all that is needed is installed: the exit code of `cargo xtask wine --check`, which prints what is missing.
pub fn check() -> io::Result<ExitCode> {
    let missing = missing()?;
    for line in &missing {
        println!("{line}");
    }
    Ok(if missing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn missing() -> io::Result<Vec<String>> {
    let mut missing = tools::missing(TRIPLE, COMPILER, "gcc-mingw-w64-x86-64")?;
    if tools::program(WINE).is_none() {
        missing.push("wine64: on Debian and Ubuntu, apt-get install wine64".to_owned());
    }
    Ok(missing)
}

/// Builds the command and runs the cases; all that Wine needs is in `target/wine`.
pub fn run() -> io::Result<()> {
    tools::complete(&missing()?)?;
    let wine = tools::program(WINE).ok_or_else(|| io::Error::other("wine64 is gone"))?;
    // Nothing is measured: what is compiled in half the time will do.
    tools::succeed(
        cargo()
            .args(["build", "--package", "spelunk-cli", "--target", TRIPLE])
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env("CARGO_PROFILE_DEV_STRIP", "symbols"),
    )?;
    let folder = target().join("wine");
    fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    fs::copy(target().join(TRIPLE).join("debug/spelunk.exe"), folder.join("spelunk.exe"))?;
    tools::succeed(
        Command::new(COMPILER)
            .args(["-O1", "-shared", "-s", "-o"])
            .arg(folder.join("bcryptprimitives.dll"))
            .arg(root().join("xtask/wine/bcryptprimitives.c"))
            .arg("-ladvapi32"),
    )?;
    let script =
        format!("#!/bin/sh\nexec '{}' '{}/spelunk.exe' \"$@\"\n", wine.display(), folder.display());
    let command = folder.join("spelunk");
    fs::write(&command, script)?;
    make_executable(&command)?;
    let prefix = folder.join("prefix");
    let inside = |command: &mut Command| {
        command
            .env("WINEPREFIX", &prefix)
            .env("WINEARCH", "win64")
            .env("WINEDEBUG", "-all")
            .env("WINEDLLOVERRIDES", "bcryptprimitives=n;mscoree,mshtml=");
    };
    // The first start makes the prefix, and prints about it.
    let mut first = Command::new(&command);
    inside(&mut first);
    println!("{}", tools::text(first.arg("--version"))?.trim_end());
    // A command that waits for its input keeps Wine's services running: they are slow to start, and where one fails it
    // prints into the output of whichever command started it.
    let mut waiting = Command::new(&command);
    inside(&mut waiting);
    waiting.args(["info", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut waiting = waiting.spawn()?;
    // Of the whole workspace, so that it is the test that is built already.
    let mut cases = cargo();
    inside(&mut cases);
    cases.args(["test", "--workspace", "--test", "cmd"]).env("SPELUNK_COMMAND", &command);
    let result = tools::succeed(&mut cases);
    drop(waiting.stdin.take());
    waiting.wait()?;
    result
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
