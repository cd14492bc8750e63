//! What is published is complete: what registries show of a crate, and the licences in each package.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Text of a file, with the line ends of all others.
fn text(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.replace("\r\n", "\n")
}

/// Folders of the crates that are published.
fn published() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() >= 6, "{folders:?}");
    folders
}

/// The value of a key of `[package]`, as it is written.
fn value<'a>(manifest: &'a str, key: &str) -> Option<&'a str> {
    let (_, package) = manifest.split_once("[package]")?;
    let package = package.split_once("\n[").map_or(package, |(package, _)| package);
    package
        .lines()
        .find_map(|line| Some(line.strip_prefix(key)?.trim_start().strip_prefix('=')?.trim()))
}

/// The strings of a list on one line.
fn list(value: &str) -> Vec<&str> {
    value.split('"').skip(1).step_by(2).collect()
}

#[test]
fn packages_say_what_they_are() {
    for folder in published() {
        let manifest = text(&folder.join("Cargo.toml"));
        let has = |key| {
            let value = value(&manifest, key);
            value.unwrap_or_else(|| panic!("{}: no {key}", folder.display()))
        };
        assert!(has("description").len() > 20, "{}", folder.display());
        for key in ["version.workspace", "license.workspace", "rust-version.workspace"] {
            assert_eq!(has(key), "true", "{}", folder.display());
        }
        assert_eq!(has("readme"), "\"README.md\"", "{}", folder.display());
        assert!((1..=5).contains(&list(has("keywords")).len()), "{}", folder.display());
        assert!((1..=5).contains(&list(has("categories")).len()), "{}", folder.display());
        let included = list(has("include"));
        for part in ["/src", "/README.md", "/LICENSE-*"] {
            assert!(included.contains(&part), "{}: {part} is not included", folder.display());
        }
        assert_eq!(value(&manifest, "publish"), None, "{}", folder.display());
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(text(&folder.join("README.md")).starts_with(&format!("# {name}\n")), "{name}");
    }
    for other in ["fixtures", "test-support", "xtask", "xtask/makers", "benches"] {
        let manifest = text(&root().join(other).join("Cargo.toml"));
        assert_eq!(value(&manifest, "publish"), Some("false"), "{other}");
    }
}

#[test]
fn packages_hold_the_licences() {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        let own = text(&root().join(licence));
        for folder in published() {
            assert!(text(&folder.join(licence)) == own, "{}: another {licence}", folder.display());
        }
    }
}

/// The version of the workspace, in quotation marks.
fn version() -> String {
    let manifest = text(&root().join("Cargo.toml"));
    let (_, package) = manifest.split_once("[workspace.package]\n").unwrap();
    let version = package.lines().find_map(|line| line.strip_prefix("version = "));
    version.unwrap().to_owned()
}

#[test]
fn crates_ask_for_each_other_in_their_own_version() {
    let manifest = text(&root().join("Cargo.toml"));
    let mut found = 0;
    for line in manifest.lines().filter(|line| line.contains("path = \"crates/")) {
        assert!(line.contains(&format!("version = {}", version())), "{line}");
        found += 1;
    }
    assert!(found >= 5);
}

/// What has a workspace of its own is released in the same version.
#[test]
fn the_package_for_python_and_the_add_on_have_the_version() {
    let library = text(&root().join("python/Cargo.toml"));
    assert_eq!(value(&library, "version"), Some(version().as_str()));
    let add_on = text(&root().join("python/blender/virtools/blender_manifest.toml"));
    assert!(add_on.lines().any(|line| line == format!("version = {}", version())), "{add_on}");
    for lock in ["Cargo.lock", "python/Cargo.lock", "fuzz/Cargo.lock"] {
        let entry = format!("name = \"spelunk\"\nversion = {}\n", version());
        assert!(text(&root().join(lock)).contains(&entry), "{lock}");
    }
}

/// Keep a Changelog: one section for what is to come, then releases with their day, and known kinds of changes.
#[test]
fn the_changelog_has_its_form() {
    let page = text(&root().join("CHANGELOG.md"));
    let sections: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert_eq!(sections.first(), Some(&"[Unreleased]"));
    for section in &sections[1..] {
        let (version, day) = section.split_once(" - ").unwrap_or_else(|| panic!("{section}"));
        assert!(version.starts_with('[') && version.ends_with(']'), "{section}");
        assert_eq!(day.len(), "2000-01-01".len(), "{section}");
    }
    let kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    for kind in page.lines().filter_map(|line| line.strip_prefix("### ")) {
        assert!(kinds.contains(&kind), "{kind}");
    }
}
