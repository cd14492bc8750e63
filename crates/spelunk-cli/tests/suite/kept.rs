//! What files keep when they are replaced, links that are not followed, and files that are not to be written to.
#![cfg(unix)]

use crate::common::{samples, spelunk};
use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

/// Runs a command; gives its exit code and what it says on standard error.
fn run(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = spelunk(dir, args);
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn ok(dir: &Path, args: &[&str]) -> String {
    let (code, told) = run(dir, args);
    assert_eq!(code, Some(0), "{args:?}: {told}");
    told
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn modes_and_attributes_stay() {
    let dir = samples();
    let dir = dir.path();
    let rename: &[&str] = &["mv", "level.nmo", "#3", "Dice", "--in-place"];
    let path = dir.join("level.nmo");
    let attribute = ("user.spelunk", b"kept");
    // Not every disk has attributes.
    let has = xattr::set(&path, attribute.0, attribute.1).is_ok();
    for wanted in [0o600, 0o644, 0o755, 0o4640] {
        set_mode(&path, wanted);
        ok(dir, rename);
        assert_eq!(mode(&path), wanted);
    }
    if has {
        let kept = xattr::get(&path, attribute.0).unwrap();
        assert_eq!(kept.as_deref(), Some(&attribute.1[..]));
    }
    ok(dir, &["extract", "sf22.pak", "-C", "out"]);
    let manifest = dir.join("out/spelunk-manifest.json");
    let new = mode(&manifest);
    for wanted in [0o644, 0o640, new] {
        set_mode(&manifest, wanted);
        ok(dir, &["extract", "sf22.pak", "-C", "out", "--force"]);
        assert_eq!(mode(&manifest), wanted);
    }
}

#[test]
fn read_only_files_are_refused() {
    let dir = samples();
    let dir = dir.path();
    for (file, args) in [
        ("level.nmo", &["mv", "level.nmo", "#3", "Dice", "--in-place"][..]),
        ("forest.snpak", &["compact", "forest.snpak", "--in-place"]),
        ("forest.snpak", &["append", "forest.snpak", "level.nmo"]),
    ] {
        let path = dir.join(file);
        set_mode(&path, 0o444);
        let old = fs::read(&path).unwrap();
        let (code, told) = run(dir, args);
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains(file) && told.contains("SP038"), "{told}");
        assert_eq!(fs::read(&path).unwrap(), old);
        ok(dir, &[args, &["--force"]].concat());
        // The sample is as compact as it gets.
        assert!(args[0] == "compact" || fs::read(&path).unwrap() != old, "{args:?}");
        assert_eq!(mode(&path), 0o444);
    }
}

#[test]
fn outputs_that_are_links_are_not_written_through() {
    let dir = samples();
    let dir = dir.path();
    let outside = dir.join("outside");
    let link = dir.join("link.json");
    let mut kept = 0;
    for args in [
        &["export", "level.nmo", "-o", "link.json"][..],
        &["rewrite", "level.nmo", "link.json"],
        &["pack", "folder", "-o", "link.json"],
    ] {
        fs::create_dir_all(dir.join("folder")).unwrap();
        fs::write(dir.join("folder/file"), "content").unwrap();
        fs::write(&outside, "theirs").unwrap();
        let _ = fs::remove_file(&link);
        symlink(&outside, &link).unwrap();
        assert_eq!(run(dir, args).0, Some(2), "{args:?}");
        ok(dir, &[args, &["--force", "--follow-links"]].concat());
        assert!(link.is_symlink() && fs::read(&outside).unwrap() != b"theirs");
        fs::write(&outside, "theirs").unwrap();
        ok(dir, &[args, &["--force"]].concat());
        assert!(!link.is_symlink(), "{args:?}");
        assert_eq!(fs::read(&outside).unwrap(), b"theirs");
        kept += 1;
    }
    assert_eq!(kept, 3);
}

#[test]
fn links_in_target_folders_lead_nowhere() {
    let dir = samples();
    let dir = dir.path();
    fs::create_dir_all(dir.join("outside")).unwrap();
    fs::create_dir_all(dir.join("old/deep")).unwrap();
    fs::copy(dir.join("version4.nmo"), dir.join("old/deep/file.nmo")).unwrap();
    for (args, link) in [
        (&["export", "level.nmo", "--to", "folder", "-o", "out"][..], "out/objects"),
        (&["upgrade", "-r", "old", "-C", "out", "--lossy"], "out/deep"),
        (&["catalog", "old", "-o", "out", "--force"], "out/files"),
        (&["extract", "sf22.pak", "-C", "out"], "out/texture"),
    ] {
        let _ = fs::remove_dir_all(dir.join("out"));
        fs::create_dir(dir.join("out")).unwrap();
        symlink(dir.join("outside"), dir.join(link)).unwrap();
        let (code, told) = run(dir, args);
        let inside: Vec<_> = fs::read_dir(dir.join("outside")).unwrap().collect();
        assert!(inside.is_empty(), "{args:?}: {inside:?}");
        assert_eq!(code, Some(4), "{args:?}: {told}");
        assert!(told.contains(link), "{told}");
    }
}

#[test]
fn links_that_are_found_are_passed_over_and_named() {
    let dir = samples();
    let dir = dir.path();
    fs::create_dir(dir.join("tree")).unwrap();
    fs::copy(dir.join("version4.nmo"), dir.join("tree/file.nmo")).unwrap();
    symlink("../version5.nmo", dir.join("tree/link.nmo")).unwrap();
    fs::create_dir(dir.join("elsewhere")).unwrap();
    fs::copy(dir.join("version4.nmo"), dir.join("elsewhere/far.nmo")).unwrap();
    symlink("../elsewhere", dir.join("tree/folder")).unwrap();
    symlink("../tree", dir.join("tree/loop")).unwrap();
    for (args, out) in [
        (&["upgrade", "-r", "tree", "--lossy", "-C"][..], "new"),
        (&["catalog", "tree", "-o"], "catalogue"),
        (&["pack", "tree", "-o"], "new.snpak"),
        (&["append", "forest.snpak", "tree"], ""),
    ] {
        let args: Vec<&str> =
            args.iter().copied().chain([out]).filter(|arg| !arg.is_empty()).collect();
        let told = ok(dir, &args);
        for link in ["link.nmo", "folder", "loop"] {
            let is_named = |line: &str| line.contains("--follow-links") && line.contains(link);
            assert!(told.lines().any(is_named), "{args:?}: {told}");
        }
    }
    assert!(!dir.join("new/link.nmo").exists() && dir.join("new/file.nmo").exists());
    let listed = |file: &str| String::from_utf8(spelunk(dir, &["ls", file]).stdout).unwrap();
    assert!(
        !listed("new.snpak").contains("link.nmo") && !listed("forest.snpak").contains("link.nmo")
    );
    ok(dir, &["upgrade", "-r", "tree", "--lossy", "-C", "new", "--follow-links", "--force"]);
    assert!(dir.join("new/link.nmo").exists() && dir.join("new/folder/far.nmo").exists());
    ok(dir, &["append", "forest.snpak", "tree", "--follow-links"]);
    let listed = listed("forest.snpak");
    assert!(listed.contains("link.nmo") && listed.contains("folder/far.nmo"));
}
