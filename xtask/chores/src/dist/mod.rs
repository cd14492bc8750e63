//! `cargo xtask dist`: release archives, the same bytes whenever the sources and the toolchain are.

mod archive;
mod notices;

use crate::{page, wasm};
use archive::Entry;
use sha2::{Digest, Sha256};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};
use xtask::tools::{self, cargo, root, target, text};

/// A system that archives are made for.
struct Target {
    triple: &'static str,
    /// The C compiler, and the package of Debian that has it.
    compiler: &'static str,
    package: &'static str,
    exe: &'static str,
    /// Further arguments of the linker.
    link: &'static [&'static str],
    pack: fn(&[Entry], u64) -> io::Result<Vec<u8>>,
    ending: &'static str,
}

const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-musl",
        compiler: "musl-gcc",
        package: "musl-tools",
        exe: "spelunk",
        link: &[],
        pack: archive::tar_gz,
        ending: "tar.gz",
    },
    Target {
        triple: "x86_64-pc-windows-gnu",
        compiler: "x86_64-w64-mingw32-gcc",
        package: "gcc-mingw-w64-x86-64",
        exe: "spelunk.exe",
        link: &["-Clink-arg=-Wl,--no-insert-timestamp"],
        pack: archive::zip,
        ending: "zip",
    },
];

/// The command is to stay under this many bytes.
const LARGEST: u64 = 25_000_000;

/// Makes archives for the named targets, for all where none is named, in `target/archives`.
pub fn run(wanted: &[&str]) -> io::Result<()> {
    let mut targets: Vec<&Target> = Vec::new();
    for triple in wanted {
        targets.push(TARGETS.iter().find(|target| target.triple == *triple).ok_or_else(|| {
            let known: Vec<_> = TARGETS.iter().map(|target| target.triple).collect();
            io::Error::other(format!("{triple}: archives are made for {}", known.join(", ")))
        })?);
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    let mut missing = Vec::new();
    for target in &targets {
        missing.extend(tools::missing(target.triple, target.compiler, target.package)?);
    }
    missing.extend(page::missing()?);
    tools::complete(&missing)?;

    let epoch = epoch()?;
    let page = page::build(wasm::RELEASED)?;
    let version = env!("CARGO_PKG_VERSION");
    // Not `dist`, which is cargo's own, for the profile of that name.
    let folder = tools::target().join("archives");
    fs::create_dir_all(&folder)?;
    let shared = shared_files()?;
    let mut sums = String::new();
    let mut archive = |file: String, bytes: Vec<u8>| {
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        sums += &format!("{sum}  {file}\n");
        fs::write(folder.join(file), bytes)
    };
    // The page that needs no command: a folder for any server of files.
    let name = format!("spelunk-{version}-page");
    let mut site = Vec::new();
    below(&page, &name, &mut site)?;
    site.sort_by(|a, b| a.path.cmp(&b.path));
    let bytes = archive::zip(&site, epoch)?;
    println!("{name}.zip: {} bytes", bytes.len());
    archive(format!("{name}.zip"), bytes)?;
    for target in targets {
        let name = format!("spelunk-{version}-{}", target.triple);
        let file = format!("{name}.{}", target.ending);
        let command = fs::read(build(target, &page, epoch)?)?;
        let size = command.len() as u64;
        if size >= LARGEST {
            return Err(io::Error::other(format!("{name}: the command has {size} bytes")));
        }
        let mut entries = vec![Entry::program(target.exe, command)];
        entries.extend(shared.iter().cloned());
        entries.extend(notices::for_target(target.triple)?);
        for entry in &mut entries {
            entry.path = format!("{name}/{}", entry.path);
        }
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        let bytes = (target.pack)(&entries, epoch)?;
        println!("{file}: {} bytes, the command {size}", bytes.len());
        archive(file, bytes)?;
    }
    fs::write(folder.join("SHA256SUMS"), &sums)?;
    println!("The archives are in {}, of {epoch} (SOURCE_DATE_EPOCH).", folder.display());
    Ok(())
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
    Ok(tools::target().join(target.triple).join("release").join(target.exe))
}

/// What all archives hold: pages to read, the manual, completions, how other programs tell the files.
fn shared_files() -> io::Result<Vec<Entry>> {
    // The pages that are not kept in the tree.
    tools::succeed(tools::package("makers").arg("docs"))?;
    let mut files = Vec::new();
    let pages = ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-MIT", "LICENSE-APACHE"];
    for page in pages.iter().chain(&["dist/spelunk.xml", "dist/spelunk.magic"]) {
        let name = page.rsplit('/').next().unwrap_or(page);
        files.push(Entry::file(name, fs::read(root().join(page))?));
    }
    for folder in ["docs", "licenses"] {
        below(&root().join(folder), folder, &mut files)?;
    }
    // The same command, built for this machine.
    tools::succeed(cargo().args(["build", "--quiet", "--package", "spelunk-cli"]))?;
    let spelunk = target().join("debug").join(format!("spelunk{}", env::consts::EXE_SUFFIX));
    let spelunk = |args: &[&str]| tools::printed(Command::new(&spelunk).args(args));
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
