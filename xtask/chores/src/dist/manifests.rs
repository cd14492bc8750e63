//! What other programs install a release by: a formula for Homebrew and a manifest for Scoop, made of its archives.

use super::{
    sums::{self, Sums},
    target::{TARGETS, Target},
};
use serde::Serialize;
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Write, fs, io, path::Path};
use xtask::tools::{cargo, text};

pub const FORMULA: &str = "spelunk.rb";
pub const SCOOP: &str = "spelunk.json";

/// What the manifest of the command says of it.
///
/// # Errors
/// Where cargo cannot be asked.
pub fn command() -> io::Result<Value> {
    let metadata = text(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let mut metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata["packages"].as_array_mut().into_iter().flatten();
    let mut named = packages.filter(|package| package["name"] == "spelunk-cli");
    named.next().map(Value::take).ok_or_else(|| io::Error::other("cargo knows no spelunk-cli"))
}

/// A release: what its archives are, and where they can be had.
pub struct Release<'a> {
    pub version: &'a str,
    pub repository: &'a str,
    /// What the command is, in a line.
    pub about: &'a str,
    pub sums: &'a Sums,
}

impl Release<'_> {
    /// Where a file of the release can be had. The metadata for `cargo binstall` says the same.
    pub fn url(&self, file: &str) -> String {
        format!("{}/releases/download/v{}/{file}", self.repository, self.version)
    }

    /// The place and the checksum of a target's archive, where there is one.
    fn archive(&self, target: &Target) -> Option<(String, &str)> {
        let file = target.archive(self.version);
        let sum = self.sums.get(&file)?;
        Some((self.url(&file), sum))
    }
}

/// Writes the checksums of all that is in a folder, and what is made of them.
///
/// # Errors
/// Where no repository is known, and where there are no archives.
pub fn write(folder: &Path, version: &str, repository: Option<&str>) -> io::Result<()> {
    let command = command()?;
    let repository = repository.or_else(|| command["repository"].as_str()).ok_or_else(|| {
        io::Error::other("the crates name no repository: cargo xtask dist manifests URL")
    })?;
    let sums = sums::write(folder, version)?;
    let release = Release {
        version,
        repository: repository.trim_end_matches('/'),
        about: command["description"].as_str().unwrap_or_default(),
        sums: &sums,
    };
    for (file, made) in [(FORMULA, formula(&release)?), (SCOOP, scoop(&release)?)] {
        match made {
            Some(made) => {
                fs::write(folder.join(file), made)?;
                println!("{}", folder.join(file).display());
            }
            None => println!("{file}: there is no archive for it"),
        }
    }
    Ok(())
}

/// What formulas of Homebrew call the systems and processors, and the archives for them.
const HOMEBREW: [(&str, [(&str, &str); 2]); 2] = [
    ("macos", [("arm", "aarch64-apple-darwin"), ("intel", "x86_64-apple-darwin")]),
    ("linux", [("arm", "aarch64-unknown-linux-gnu"), ("intel", "x86_64-unknown-linux-musl")]),
];

fn target(triple: &str) -> io::Result<&'static Target> {
    let known = TARGETS.iter().find(|target| target.triple == triple);
    known.ok_or_else(|| io::Error::other(format!("{triple} is no target")))
}

/// The formula, where there is an archive that Homebrew can take.
fn formula(release: &Release) -> io::Result<Option<String>> {
    let mut systems = String::new();
    for (system, processors) in HOMEBREW {
        let mut inside = String::new();
        for (processor, triple) in processors {
            if let Some((url, sum)) = release.archive(target(triple)?) {
                let _ = write!(
                    inside,
                    "    on_{processor} do\n      url \"{url}\"\n      sha256 \"{sum}\"\n    end\n"
                );
            }
        }
        if !inside.is_empty() {
            let _ = write!(systems, "\n  on_{system} do\n{inside}  end\n");
        }
    }
    if systems.is_empty() {
        return Ok(None);
    }
    let Release { version, repository, about, .. } = release;
    Ok(Some(format!(
        r##"# Made by `cargo xtask dist manifests`.
class Spelunk < Formula
  desc "{about}"
  homepage "{repository}"
  version "{version}"
  license any_of: ["MIT", "Apache-2.0"]
{systems}
  def install
    bin.install "spelunk"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/spelunk.bash" => "spelunk"
    zsh_completion.install "completions/_spelunk"
    fish_completion.install "completions/spelunk.fish"
    pkgshare.install "completions/spelunk.ps1", "spelunk.xml", "spelunk.magic"
    doc.install "docs", "licenses", "THIRD-PARTY.md", "SECURITY.md"
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/spelunk --version")
  end
end
"##
    )))
}

#[derive(Serialize)]
struct Scoop<'a> {
    version: &'a str,
    description: &'a str,
    homepage: &'a str,
    license: &'a str,
    architecture: BTreeMap<&'a str, ScoopArchive<'a>>,
    bin: &'a str,
    notes: [&'a str; 2],
}

#[derive(Serialize)]
struct ScoopArchive<'a> {
    url: String,
    hash: &'a str,
    extract_dir: String,
}

/// The manifest, where there is an archive for Windows. The whole archive is installed, with completions and the manual.
fn scoop(release: &Release) -> io::Result<Option<String>> {
    let windows = target("x86_64-pc-windows-gnu")?;
    let Some((url, hash)) = release.archive(windows) else {
        return Ok(None);
    };
    let archive = ScoopArchive { url, hash, extract_dir: windows.name(release.version) };
    let manifest = Scoop {
        version: release.version,
        description: release.about,
        homepage: release.repository,
        license: "MIT|Apache-2.0",
        architecture: BTreeMap::from([("64bit", archive)]),
        bin: windows.exe,
        notes: [
            "Manual pages, completions and the documentation are in the folder that `scoop prefix spelunk` prints.",
            "PowerShell completes with: Add-Content $PROFILE 'spelunk completions powershell | Out-String | Invoke-Expression'",
        ],
    };
    Ok(Some(serde_json::to_string_pretty(&manifest)? + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// A template of binstall with its values put in.
    fn filled(template: &Value, triple: &str) -> String {
        let exe = if triple.contains("windows") { ".exe" } else { "" };
        let values = [
            ("repo", "REPOSITORY"),
            ("version", VERSION),
            ("target", triple),
            ("bin", "spelunk"),
            ("binary-ext", exe),
        ];
        let template = template.as_str().unwrap().to_owned();
        let filled = values
            .iter()
            .fold(template, |text, (name, value)| text.replace(&format!("{{ {name} }}"), value));
        assert!(!filled.contains('{'), "{filled}");
        filled
    }

    fn sums() -> Sums {
        let of = |(number, target): (usize, &Target)| {
            (target.archive(VERSION), format!("{number:064x}"))
        };
        TARGETS.iter().enumerate().map(of).collect()
    }

    fn release(sums: &Sums) -> Release<'_> {
        Release { version: VERSION, repository: "REPOSITORY", about: "What it is", sums }
    }

    #[test]
    fn binstall_looks_for_the_archives_that_are_made() {
        let command = command().unwrap();
        let binstall = &command["metadata"]["binstall"];
        let sums = sums();
        let release = release(&sums);
        // Whoever has the other compiler of Windows gets the same archive.
        let others = [("x86_64-pc-windows-msvc", target("x86_64-pc-windows-gnu").unwrap())];
        let own = TARGETS.iter().map(|target| (target.triple, target));
        for (triple, target) in own.chain(others) {
            let value = |key: &str| match &binstall["overrides"][triple][key] {
                Value::Null => &binstall[key],
                value => value,
            };
            assert_eq!(filled(value("pkg-url"), triple), release.url(&target.archive(VERSION)));
            let inside = format!("{}/{}", target.name(VERSION), target.exe);
            assert_eq!(filled(value("bin-dir"), triple), inside);
            let form = if target.ending == "zip" { "zip" } else { "tgz" };
            assert_eq!(value("pkg-fmt"), form, "{triple}");
        }
    }

    #[test]
    fn formula_and_manifest_name_archives_with_their_sums() {
        let sums = sums();
        let release = release(&sums);
        let formula = formula(&release).unwrap().unwrap();
        let scoop: Value = serde_json::from_str(&scoop(&release).unwrap().unwrap()).unwrap();
        for (_, processors) in HOMEBREW {
            for (processor, triple) in processors {
                let file = target(triple).unwrap().archive(VERSION);
                let lines = format!(
                    "on_{processor} do\n      url \"{}\"\n      sha256 \"{}\"\n",
                    release.url(&file),
                    sums[&file]
                );
                assert!(formula.contains(&lines), "{formula}");
            }
        }
        let windows = target("x86_64-pc-windows-gnu").unwrap();
        let archive = &scoop["architecture"]["64bit"];
        assert_eq!(archive["url"], release.url(&windows.archive(VERSION)));
        assert_eq!(archive["hash"], sums[&windows.archive(VERSION)]);
        assert_eq!(archive["extract_dir"], windows.name(VERSION));
        assert_eq!(scoop["bin"], windows.exe);
    }

    #[test]
    fn what_is_not_there_is_not_named() {
        let sums: Sums =
            sums().into_iter().filter(|(file, _)| file.contains("aarch64-app")).collect();
        let release = release(&sums);
        let formula = formula(&release).unwrap().unwrap();
        assert!(formula.contains("on_macos") && !formula.contains("on_linux"), "{formula}");
        assert_eq!(formula.matches("sha256").count(), 1);
        assert_eq!(scoop(&release).unwrap(), None);
    }
}
