//! Other programs: where they are, and running them.

use std::{
    env, fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    root.canonicalize().unwrap_or(root)
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Cargo, in the folder of the workspace.
pub fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    // What the cargo that runs a chore says of its package. Build scripts of others watch these, so that all that stands on them
    // would be built once more whenever cargo is called from here and from a shell in turns.
    let own = ["CARGO_PKG_", "CARGO_MANIFEST_"];
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(|name| own.iter().any(|start| name.starts_with(start))) {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// The profile of what is looked at once, which is built in a fraction of the time, and the folder that cargo names after it.
pub const DEMO: &str = "demo";

/// Builds the command, what makes the samples, and further programs of packages that have their names, in the profile [`DEMO`]: in
/// one go, so that every crate is built once, with the same features whatever else is built.
pub fn build_demo(further: &[&str]) -> io::Result<()> {
    let mut build = cargo();
    build.args(["build", "--profile", DEMO, "--package", "spelunk-cli", "--package"]);
    build.args(["spelunk-fixtures", "--bin", "spelunk", "--bin", "samples"]);
    for name in further {
        build.args(["--package", name, "--bin", name]);
    }
    succeed(quiet(&mut build))
}

/// A program that [`build_demo`] builds.
pub fn built_demo(name: &str) -> io::Result<PathBuf> {
    fs::canonicalize(target().join(DEMO).join(format!("{name}{}", env::consts::EXE_SUFFIX)))
}

/// A program of the workspace, which is built first.
pub fn package(name: &str) -> Command {
    let mut package = cargo();
    quiet(package.args(["run", "--package", name])).arg("--");
    package
}

/// Has cargo say nothing of what it builds, but on a terminal, where it shows how far it is: it may take minutes.
pub fn quiet(cargo: &mut Command) -> &mut Command {
    if !io::stderr().is_terminal() {
        cargo.arg("--quiet");
    }
    cargo
}

/// Folders of this machine that no built file is to name, and what stands in their place.
pub fn renamed_folders() -> Vec<(PathBuf, &'static str)> {
    let homes = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    homes.into_iter().map(|home| (home, "/cargo")).chain([(root(), "/spelunk")]).collect()
}

/// Flags of the compiler with which no built file names a folder of this machine.
pub fn rust_flags() -> Vec<String> {
    let flag = |(from, to): (PathBuf, &str)| format!("--remap-path-prefix={}={to}", from.display());
    renamed_folders().into_iter().map(flag).collect()
}

/// The exit code of a chore, whose error is printed.
pub fn exit_code(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a program, which has to succeed.
pub fn succeed(command: &mut Command) -> io::Result<()> {
    let status = command.status().map_err(|error| named(command, error))?;
    if status.success() { Ok(()) } else { Err(failed(command)) }
}

/// What a program prints, which has to succeed.
pub fn printed(command: &mut Command) -> io::Result<Vec<u8>> {
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| named(command, error))?;
    if output.status.success() { Ok(output.stdout) } else { Err(failed(command)) }
}

/// As [`printed`], where that is text.
pub fn text(command: &mut Command) -> io::Result<String> {
    String::from_utf8(printed(command)?).map_err(io::Error::other)
}

fn named(command: &Command, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", command.get_program().display()))
}

fn failed(command: &Command) -> io::Error {
    let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
    io::Error::other(format!("{} {} failed", command.get_program().display(), arguments.join(" ")))
}

/// Where a program is that goes by one of these names or paths.
pub fn program(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let anywhere = |name: &&str| {
        let mut places = folders.iter().map(|folder| folder.join(name));
        places.find(|place| place.is_file())
    };
    names.iter().find_map(anywhere)
}

/// What is missing to build for a target, each with how to get it: the standard library of Rust, and a C compiler.
pub fn missing(triple: &str, compiler: &str, package: &str) -> io::Result<Vec<String>> {
    Ok(missing_library(triple)?.into_iter().chain(missing_program(compiler, package)).collect())
}

/// The standard library for a target and how to get it, where it is missing.
pub fn missing_library(triple: &str) -> io::Result<Option<String>> {
    let mut print = Command::new("rustc");
    print.args(["--print", "target-libdir", "--target", triple]).current_dir(root());
    let is_there = Path::new(text(&mut print)?.trim_end()).is_dir();
    Ok((!is_there)
        .then(|| format!("the standard library for {triple}: rustup target add {triple}")))
}

/// A program and how to get it, where it is missing.
pub fn missing_program(name: &str, package: &str) -> Option<String> {
    let is_there = program(&[name, &format!("{name}{}", env::consts::EXE_SUFFIX)]).is_some();
    (!is_there).then(|| format!("{name}: on Debian and Ubuntu, apt-get install {package}"))
}

/// Refuses to go on where something is missing.
pub fn complete(missing: &[String]) -> io::Result<()> {
    if missing.is_empty() {
        return Ok(());
    }
    Err(io::Error::other(format!("what is needed is not installed:\n  {}", missing.join("\n  "))))
}
