//! The systems that releases are made for, and what their archives are called.

use super::archive::{self, Entry};
use std::{env, io, path::PathBuf};
use xtask::tools;

/// A system that archives are made for.
pub struct Target {
    pub triple: &'static str,
    /// The system that builds for it, as [`env::consts::OS`] names it.
    pub on: &'static str,
    /// The C compiler, and the package of Debian that has it.
    pub compiler: &'static str,
    pub package: &'static str,
    pub exe: &'static str,
    /// Further arguments of the linker.
    pub link: &'static [&'static str],
    pub pack: fn(&[Entry], u64) -> io::Result<Vec<u8>>,
    pub ending: &'static str,
    /// Whether packages for distributions of Linux are made of it.
    pub has_packages: bool,
}

/// What one target shares with those that no more is said of.
const LINUX: Target = Target {
    triple: "",
    on: "linux",
    compiler: "",
    package: "",
    exe: "spelunk",
    link: &[],
    pack: archive::tar_gz,
    ending: "tar.gz",
    has_packages: false,
};

const MACOS: Target = Target { on: "macos", compiler: "clang", package: "clang", ..LINUX };

pub const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-gnu",
        compiler: "x86_64-linux-gnu-gcc",
        package: "gcc-x86-64-linux-gnu",
        link: &["-Clinker=x86_64-linux-gnu-gcc"],
        has_packages: true,
        ..LINUX
    },
    // Static, for distributions whose libraries are older than those that the others are built with.
    Target {
        triple: "x86_64-unknown-linux-musl",
        compiler: "musl-gcc",
        package: "musl-tools",
        ..LINUX
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        compiler: "aarch64-linux-gnu-gcc",
        package: "gcc-aarch64-linux-gnu",
        link: &["-Clinker=aarch64-linux-gnu-gcc"],
        has_packages: true,
        ..LINUX
    },
    Target { triple: "x86_64-apple-darwin", ..MACOS },
    Target { triple: "aarch64-apple-darwin", ..MACOS },
    Target {
        triple: "x86_64-pc-windows-gnu",
        compiler: "x86_64-w64-mingw32-gcc",
        package: "gcc-mingw-w64-x86-64",
        exe: "spelunk.exe",
        link: &["-Clink-arg=-Wl,--no-insert-timestamp"],
        pack: archive::zip,
        ending: "zip",
        ..LINUX
    },
];

impl Target {
    /// The folder in its archive, which is what the archive is called without its ending.
    pub fn name(&self, version: &str) -> String {
        format!("spelunk-{version}-{}", self.triple)
    }

    /// The file name of its archive.
    pub fn archive(&self, version: &str) -> String {
        format!("{}.{}", self.name(version), self.ending)
    }

    /// Where cargo puts a file that it builds for the target as it is released.
    pub fn built(&self, file: &str) -> PathBuf {
        tools::target().join(self.triple).join("release").join(file)
    }

    /// What is missing to build for it, each with how to get it.
    pub fn missing(&self) -> io::Result<Vec<String>> {
        if self.on != env::consts::OS {
            return Ok(vec![format!("{} is built on {} alone", self.triple, self.on)]);
        }
        tools::missing(self.triple, self.compiler, self.package)
    }
}

/// The targets of these names; where none is named, all that this system builds for.
///
/// # Errors
/// Names that there are not.
pub fn named(triples: &[&str]) -> io::Result<Vec<&'static Target>> {
    if triples.is_empty() {
        return Ok(TARGETS.iter().filter(|target| target.on == env::consts::OS).collect());
    }
    let known = |triple: &&str| {
        TARGETS.iter().find(|target| target.triple == *triple).ok_or_else(|| {
            let known: Vec<_> = TARGETS.iter().map(|target| target.triple).collect();
            io::Error::other(format!("{triple}: archives are made for {}", known.join(", ")))
        })
    };
    triples.iter().map(known).collect()
}
