//! The command, run in a folder of samples.

use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

/// A folder with every sample.
pub fn samples() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    spelunk_fixtures::write_samples(dir.path()).unwrap();
    dir
}

/// The command with nothing at its standard input.
pub fn spelunk(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
    command.args(args).current_dir(dir).stdin(Stdio::null()).output().unwrap()
}

/// The command with these bytes at its standard input.
pub fn spelunk_with(dir: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spelunk"));
    command.args(args).current_dir(dir).stdin(Stdio::piped());
    let mut running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Who refuses its input may end before it has all.
    let _ = running.stdin.take().unwrap().write_all(input);
    running.wait_with_output().unwrap()
}

/// The verbs that help lists.
pub fn verbs() -> Vec<String> {
    let help = String::from_utf8(spelunk(Path::new("."), &["--help"]).stdout).unwrap();
    let lines = help.lines().take_while(|line| *line != "Options of every verb:");
    let verbs = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let verbs: Vec<String> = verbs.filter(|verb| !verb.is_empty()).map(str::to_owned).collect();
    assert!(verbs.len() > 30, "{verbs:?}");
    verbs
}
