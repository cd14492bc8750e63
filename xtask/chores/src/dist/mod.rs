//! `cargo xtask dist`: release archives, the same bytes whenever the sources and the toolchain are, and what is made of them:
//! packages of distributions, manifests of other programs that install, checksums, and what the changelog says.

mod archive;
mod manifests;
mod notices;
mod packages;
mod stage;
mod sums;
mod target;

use crate::{page, wasm};
use archive::Entry;
use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
};
use target::Target;
use xtask::tools::{self, cargo, root, text};

/// The command is to stay under this many bytes.
const LARGEST: u64 = 32_000_000;

/// Makes archives, or what is made of them.
///
/// # Errors
/// Where something cannot be built, and where what it is to be made of is missing.
pub fn run(args: &[&str]) -> io::Result<()> {
    // Not `dist`, which is cargo's own, for the profile of that name.
    let folder = tools::target().join("archives");
    fs::create_dir_all(&folder)?;
    match args {
        ["packages", "--quick"] => {
            // Notices are those of this machine's command; pages that are not kept are there if they were made.
            tools::build_demo(&[])?;
            let program = tools::built_demo("spelunk")?;
            let host = text(Command::new("rustc").args(["--print", "host-tuple"]))?;
            let mut files = shared_files(&program)?;
            files.extend(notices::for_target(host.trim_end())?);
            stage::lay_out(&files, &program.with_file_name(stage::FOLDER))?;
            let folder = folder.join("quick");
            fs::create_dir_all(&folder)?;
            packages::make(None, &folder, epoch()?)
        }
        ["packages", triples @ ..] => {
            let all = target::named(triples)?;
            let built = |target: &&Target| target.built(stage::FOLDER).is_dir();
            for target in all.into_iter().filter(|target| !triples.is_empty() || built(target)) {
                packages::make(Some(target), &folder, epoch()?)?;
            }
            sums::write(&folder, VERSION).map(drop)
        }
        ["manifests"] => manifests::write(&folder, VERSION, None),
        ["manifests", repository] => manifests::write(&folder, VERSION, Some(repository)),
        ["notes"] => {
            let changelog = fs::read_to_string(root().join("CHANGELOG.md"))?;
            let section = section(&changelog, VERSION).ok_or_else(|| {
                io::Error::other(format!("CHANGELOG.md has no section [{VERSION}]"))
            })?;
            writeln!(io::stdout(), "{section}")
        }
        triples => archives(&target::named(triples)?, &folder),
    }
}

/// The version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Makes archives for targets, and lays out what packages are made of.
fn archives(targets: &[&Target], folder: &Path) -> io::Result<()> {
    let mut missing = Vec::new();
    for target in targets {
        missing.extend(target.missing()?);
    }
    let made = env::var_os("SPELUNK_PAGE").map(PathBuf::from);
    if made.is_none() {
        missing.extend(page::missing()?);
    }
    tools::complete(&missing)?;

    let epoch = epoch()?;
    // Where the page is made once for all systems, each of them takes it as it is.
    let page = made.map_or_else(|| page::build(wasm::RELEASED), |page| page.canonicalize())?;
    tools::build_demo(&["makers"])?;
    // The pages that are not kept in the tree.
    tools::succeed(Command::new(tools::built_demo("makers")?).arg("docs"))?;
    let shared = shared_files(&tools::built_demo("spelunk")?)?;
    // The page that needs no command: a folder for any server of files.
    let name = format!("spelunk-{VERSION}-page");
    let mut site = Vec::new();
    below(&page, &name, &mut site)?;
    site.sort_by(|a, b| a.path.cmp(&b.path));
    let bytes = archive::zip(&site, epoch)?;
    println!("{name}.zip: {} bytes", bytes.len());
    fs::write(folder.join(format!("{name}.zip")), bytes)?;
    for target in targets {
        let name = target.name(VERSION);
        let command = fs::read(build(target, &page, epoch)?)?;
        let size = command.len() as u64;
        if size >= LARGEST {
            return Err(io::Error::other(format!("{name}: the command has {size} bytes")));
        }
        let mut entries = shared.clone();
        entries.extend(notices::for_target(target.triple)?);
        if target.has_packages {
            stage::lay_out(&entries, &target.built(stage::FOLDER))?;
        }
        entries.push(Entry::program(target.exe, command));
        for entry in &mut entries {
            entry.path = format!("{name}/{}", entry.path);
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let bytes = (target.pack)(&entries, epoch)?;
        let file = target.archive(VERSION);
        println!("{file}: {} bytes, the command {size}", bytes.len());
        fs::write(folder.join(file), bytes)?;
    }
    sums::write(folder, VERSION)?;
    println!("The archives are in {}, of {epoch} (SOURCE_DATE_EPOCH).", folder.display());
    Ok(())
}

/// What the changelog says of a version.
fn section<'a>(changelog: &'a str, version: &str) -> Option<&'a str> {
    let (_, rest) = changelog.split_once(&format!("\n## [{version}]"))?;
    let (_, section) = rest.split_once('\n')?;
    Some(section.split_once("\n## [").map_or(section, |(section, _)| section).trim())
}

/// The time of everything in the archives, in seconds since 1970: `SOURCE_DATE_EPOCH`, else that of the last commit.
fn epoch() -> io::Result<u64> {
    let told = match env::var("SOURCE_DATE_EPOCH") {
        Ok(told) => told,
        Err(_) => {
            text(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()))?
        }
    };
    told.trim().parse().map_err(|error| io::Error::other(format!("SOURCE_DATE_EPOCH: {error}")))
}

/// Builds the command without the paths of this machine in it; gives where it is.
fn build(target: &Target, page: &Path, epoch: u64) -> io::Result<PathBuf> {
    let variable = |name: &str| format!("{name}_{}", target.triple.replace('-', "_"));
    let mut rust: Vec<String> = target.link.iter().map(|&flag| flag.to_owned()).collect();
    rust.extend(tools::rust_flags());
    let c: Vec<String> = tools::renamed_folders()
        .iter()
        .map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display()))
        .collect();
    tools::succeed(
        cargo()
            .args(["build", "--locked", "--package", "spelunk-cli", "--release"])
            .args(["--target", target.triple])
            .env("CARGO_ENCODED_RUSTFLAGS", rust.join("\u{1f}"))
            .env(variable("CC"), target.compiler)
            .env(variable("CFLAGS"), c.join(" "))
            // The page goes into the command.
            .env("SPELUNK_PAGE", page)
            .env("SOURCE_DATE_EPOCH", epoch.to_string()),
    )?;
    Ok(target.built(target.exe))
}

/// What all archives hold: pages to read, the manual and completions that a command prints, how other programs tell the files.
fn shared_files(program: &Path) -> io::Result<Vec<Entry>> {
    let mut files = Vec::new();
    let pages = ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-MIT", "LICENSE-APACHE"];
    for page in pages.iter().chain(&["dist/spelunk.xml", "dist/spelunk.magic"]) {
        let name = page.rsplit('/').next().unwrap_or(page);
        files.push(Entry::file(name, fs::read(root().join(page))?));
    }
    for folder in ["docs", "licenses"] {
        below(&root().join(folder), folder, &mut files)?;
    }
    let spelunk = |args: &[&str]| tools::printed(Command::new(program).args(args));
    for (shell, name) in [
        ("bash", "spelunk.bash"),
        ("zsh", "_spelunk"),
        ("fish", "spelunk.fish"),
        ("powershell", "spelunk.ps1"),
    ] {
        files.push(Entry::file(&format!("completions/{name}"), spelunk(&["completions", shell])?));
    }
    let manual = spelunk(&["man"])?;
    let verbs = verbs(&String::from_utf8_lossy(&manual));
    if verbs.is_empty() {
        return Err(io::Error::other("the manual names no verb"));
    }
    for verb in verbs {
        files.push(Entry::file(&format!("man/spelunk-{verb}.1"), spelunk(&["man", &verb])?));
    }
    files.push(Entry::file("man/spelunk.1", manual));
    Ok(files)
}

/// The verbs whose pages the page of the command refers to.
fn verbs(manual: &str) -> Vec<String> {
    let references = manual.lines().filter_map(|line| line.trim().strip_prefix("spelunk\\-"));
    references.filter_map(|rest| Some(rest.strip_suffix("(1)")?.replace('\\', ""))).collect()
}

/// The files below a folder.
fn below(folder: &Path, name: &str, files: &mut Vec<Entry>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            below(&entry.path(), &name, files)?;
        } else {
            files.push(Entry::file(&name, fs::read(entry.path())?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_a_section_of_the_changelog() {
        let changelog = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-27\n\n### Added\n\n- A\n\n## [0.1.0] - x\n\n- B\n";
        assert_eq!(section(changelog, "0.2.0"), Some("### Added\n\n- A"));
        assert_eq!(section(changelog, "0.1.0"), Some("- B"));
        assert_eq!(section(changelog, "0.3.0"), None);
    }

    /// What is not named to the workflow of a release is not released.
    #[test]
    fn a_release_builds_every_target() {
        let workflow = fs::read_to_string(root().join(".github/workflows/release.yml")).unwrap();
        let built = workflow.lines().filter_map(|line| line.trim().strip_prefix("- target: "));
        let mut built: Vec<&str> = built.collect();
        let mut known: Vec<&str> = target::TARGETS.iter().map(|target| target.triple).collect();
        built.sort_unstable();
        known.sort_unstable();
        assert_eq!(built, known);
    }
}
