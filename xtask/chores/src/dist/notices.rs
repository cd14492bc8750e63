//! The licences of what a build holds: a list of all crates in the command, and the texts in their packages.

use super::archive::Entry;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs, io,
    path::Path,
    process::Command,
};
use xtask::tools::{cargo, text};

/// A crate of another origin.
struct Crate {
    /// Name and version.
    name: String,
    licence: String,
    authors: Vec<String>,
    /// Texts of licences, as they are in its package.
    texts: Vec<String>,
}

/// The notices for what is built for a target.
pub fn for_target(triple: &str) -> io::Result<Vec<Entry>> {
    let crates = crates(triple)?;
    let mut files = vec![Entry::file("THIRD-PARTY.md", page(&crates).into_bytes())];
    let sysroot = text(Command::new("rustc").args(["--print", "sysroot"]))?;
    let library = Path::new(sysroot.trim_end()).join("share/doc/rust/COPYRIGHT-library.html");
    match fs::read(&library) {
        Ok(bytes) => files.push(Entry::file("licenses/rust-std.html", bytes)),
        Err(error) => {
            let message = format!(
                "{}: {error}; the toolchain lacks the notices of its standard library",
                library.display()
            );
            return Err(io::Error::new(error.kind(), message));
        }
    }
    Ok(files)
}

/// The crates that the command is linked of, without those that only build it.
fn crates(triple: &str) -> io::Result<Vec<Crate>> {
    // The tree has what is linked, but not where it lies; the metadata has that, for the whole workspace.
    let tree =
        text(
            cargo()
                .args(["tree", "--locked", "--package", "spelunk-cli", "--target", triple])
                .args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]),
        )?;
    let linked: BTreeSet<String> = tree
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.split_once(" v")?;
            Some(format!("{name} {}", rest.split(' ').next()?))
        })
        .collect();
    let metadata = text(cargo().args(["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let mut crates = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let word = |key: &str| package[key].as_str().unwrap_or_default();
        let name = format!("{} {}", word("name"), word("version"));
        // What has no source is of the house.
        if package["source"].is_null() || !linked.contains(&name) {
            continue;
        }
        let manifest = Path::new(word("manifest_path"));
        let authors = package["authors"].as_array().into_iter().flatten();
        crates.push(Crate {
            name,
            licence: word("license").to_owned(),
            authors: authors.filter_map(Value::as_str).map(str::to_owned).collect(),
            texts: texts(manifest.parent().unwrap_or(manifest))?,
        });
    }
    crates.sort_by(|a, b| a.name.cmp(&b.name));
    if crates.is_empty() {
        return Err(io::Error::other("cargo names no crate of which the command is made"));
    }
    Ok(crates)
}

/// The texts of licences in the folder of a package.
fn texts(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().to_ascii_uppercase();
        let is_licence = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|start| name.starts_with(start));
        if !is_licence {
            continue;
        }
        if entry.file_type()?.is_dir() {
            found.extend(texts_in(&entry.path())?);
        } else {
            found.push(plain(&entry.path())?);
        }
    }
    Ok(found)
}

/// All files of a folder of licences.
fn texts_in(folder: &Path) -> io::Result<Vec<String>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    paths.iter().filter(|path| path.is_file()).map(|path| plain(path)).collect()
}

/// A text with the line ends of all others, so that equal ones are told once.
fn plain(path: &Path) -> io::Result<String> {
    let text = String::from_utf8_lossy(&fs::read(path)?).replace("\r\n", "\n");
    Ok(text.trim().to_owned())
}

/// The list, and each text with the crates that have it.
fn page(crates: &[Crate]) -> String {
    let mut page = String::from(
        "# Crates in the command\n\n\
         The command is MIT or Apache-2.0. These crates of others are linked into it. Where one may be had under one of several\n\
         licences, all texts of its package are below. What else is linked, and its texts, is in `licenses`.\n\n\
         | crate | licence |\n|---|---|\n",
    );
    let mut texts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut without = String::new();
    for found in crates {
        let _ = writeln!(page, "| {} | {} |", found.name, found.licence);
        for text in &found.texts {
            texts.entry(text).or_default().push(&found.name);
        }
        if found.texts.is_empty() {
            let authors = found.authors.join(", ");
            let by = if authors.is_empty() { String::new() } else { format!(", by {authors}") };
            let _ = writeln!(without, "- {}: {}{by}", found.name, found.licence);
        }
    }
    if !without.is_empty() {
        let _ = write!(
            page,
            "\n## Without a text\n\nThe packages of these hold no text; those of MIT and Apache-2.0 are beside this file.\n\n{without}"
        );
    }
    page.push_str("\n## Texts\n");
    let mut texts: Vec<_> = texts.into_iter().collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(b.0)));
    for (text, names) in texts {
        let fence = if text.contains("```") { "~~~~" } else { "```" };
        let _ = write!(page, "\n### {}\n\n{fence}text\n{text}\n{fence}\n", names.join(", "));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use xtask::tools::root;

    /// The texts in `licenses` are those of the sources that are built.
    #[test]
    fn texts_of_bundled_libraries_are_current() {
        let metadata =
            text(cargo().args(["metadata", "--locked", "--format-version", "1"])).unwrap();
        let metadata: Value = serde_json::from_str(&metadata).unwrap();
        for (package, inside, ours) in [
            ("libz-sys", "src/zlib/LICENSE", "zlib.txt"),
            ("libdeflate-sys", "libdeflate/COPYING", "libdeflate.txt"),
            ("lzzzz", "vendor/liblz4/LICENSE", "lz4.txt"),
            ("zstd-sys", "zstd/LICENSE", "zstd.txt"),
        ] {
            let packages = metadata["packages"].as_array().unwrap();
            let found = packages.iter().find(|found| found["name"] == package).unwrap();
            let manifest = Path::new(found["manifest_path"].as_str().unwrap());
            let theirs = plain(&manifest.with_file_name("").join(inside)).unwrap();
            assert_eq!(theirs, plain(&root().join("licenses").join(ours)).unwrap(), "{ours}");
        }
    }

    #[test]
    fn a_text_is_told_once() {
        let made = |name: &str, texts: &[&str]| Crate {
            name: name.to_owned(),
            licence: "MIT".to_owned(),
            authors: vec!["A".to_owned()],
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
        };
        let page = page(&[made("a 1", &["same"]), made("b 2", &["same", "own"]), made("c 3", &[])]);
        assert!(page.contains("### a 1, b 2\n\n```text\nsame\n```\n"), "{page}");
        assert!(page.contains("### b 2\n\n```text\nown\n```\n"), "{page}");
        assert!(page.contains("- c 3: MIT, by A\n"), "{page}");
        assert_eq!(page.matches("same").count(), 1);
    }
}
