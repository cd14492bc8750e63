//! Packages for distributions of Linux, made by `cargo deb` and `cargo generate-rpm` of what an archive was made of.

use super::target::{TARGETS, Target};
use std::{io, path::Path, process::Command};
use xtask::tools::{self, cargo, complete, missing_program};

/// The programs of cargo that make packages.
const MAKERS: [&str; 2] = ["cargo-deb", "cargo-generate-rpm"];

/// Makes the packages of a target, or of this machine's command in the profile of the demo where none is given: these are made fast,
/// and are large.
///
/// # Errors
/// Where what makes them is not installed, where the command is not built, and where a target has no packages.
pub fn make(target: Option<&Target>, folder: &Path, epoch: u64) -> io::Result<()> {
    if let Some(target) = target.filter(|target| !target.has_packages) {
        let with: Vec<_> = TARGETS.iter().filter(|target| target.has_packages).collect();
        let with: Vec<_> = with.iter().map(|target| target.triple).collect();
        let message = format!("{}: packages are made for {}", target.triple, with.join(", "));
        return Err(io::Error::other(message));
    }
    let missing = MAKERS.iter().filter(|maker| missing_program(maker, "").is_some());
    complete(&missing.map(|maker| format!("cargo install --locked {maker}")).collect::<Vec<_>>())?;
    let with_target = |command: &mut Command| {
        match target {
            Some(target) => command.args(["--target", target.triple]),
            None => command.args(["--profile", tools::DEMO]),
        };
        command.arg("--output").arg(folder).env("SOURCE_DATE_EPOCH", epoch.to_string());
    };
    let mut deb = cargo();
    // The command is stripped as it is built.
    deb.args(["deb", "--package", "spelunk-cli", "--no-build", "--no-strip", "--locked"]);
    with_target(&mut deb);
    if target.is_none() {
        deb.arg("--fast");
    }
    tools::succeed(&mut deb)?;
    let mut rpm = cargo();
    rpm.args(["generate-rpm", "--package", "crates/spelunk-cli", "--target-dir"]);
    rpm.arg(tools::target());
    // What it does by itself depends on whether this machine has the tools of rpm.
    rpm.args(["--auto-req", "builtin"]);
    with_target(&mut rpm);
    if target.is_none() {
        rpm.args(["--payload-compress", "none"]);
    }
    tools::succeed(&mut rpm)
}

#[cfg(test)]
mod tests {
    use super::super::{manifests::command, stage};
    use serde_json::Value;

    /// Sources, and where they go.
    fn assets<'a>(metadata: &'a Value) -> Vec<(&'a str, &'a str, &'a str)> {
        let assets = metadata["assets"].as_array().unwrap().iter();
        let parts =
            |asset: &'a Value| ["source", "dest", "mode"].map(|key| asset[key].as_str().unwrap());
        assets.map(parts).map(|[from, to, mode]| (from, to.trim_start_matches('/'), mode)).collect()
    }

    #[test]
    fn both_packages_hold_the_same_files() {
        let command = command().unwrap();
        let [deb, rpm] = ["deb", "generate-rpm"].map(|key| &command["metadata"][key]);
        assert_eq!(deb["name"], rpm["name"]);
        let (deb, rpm) = (assets(deb), assets(rpm));
        let zsh = format!("target/release/{}/zsh/_spelunk", stage::FOLDER);
        let share = format!("target/release/{}/share/**/*", stage::FOLDER);
        let command = ("target/release/spelunk", "usr/bin/", "755");
        let share = (share.as_str(), "usr/share/", "644");
        let zsh = |folder| (zsh.as_str(), folder, "644");
        assert_eq!(deb, [command, share, zsh("usr/share/zsh/vendor-completions/")]);
        assert_eq!(rpm, [command, share, zsh("usr/share/zsh/site-functions/")]);
    }
}
