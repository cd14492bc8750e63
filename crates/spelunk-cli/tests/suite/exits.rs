//! Exit codes, streams and writing: what scripts rely on.

use crate::common::{self, spelunk};
use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

fn samples() -> tempfile::TempDir {
    let dir = common::samples();
    for malformed in spelunk_fixtures::malformed() {
        fs::write(dir.path().join(malformed.name), malformed.bytes).unwrap();
    }
    dir
}

fn code(dir: &Path, args: &[&str]) -> i32 {
    spelunk(dir, args).status.code().unwrap()
}

#[test]
fn exit_codes_are_the_contracts() {
    let dir = samples();
    let dir = dir.path();
    fs::create_dir(dir.join("both")).unwrap();
    for name in ["level.nmo", "forest.snpak"] {
        fs::copy(dir.join(name), dir.join("both").join(name)).unwrap();
    }
    fs::write(dir.join("empty.json"), "{}").unwrap();
    for (args, expected) in [
        (&["info", "level.nmo"][..], 0),
        (&["verify", "level.nmo", "forest.snpak"], 0),
        // Damage in a readable file: `verify` is the judge, `info` and `ls` only tell.
        (&["verify", "checksum.nmo"], 1),
        (&["info", "checksum.nmo"], 0),
        (&["ls", "checksum.nmo"], 0),
        (&["verify", "--lenient", "checksum.nmo"], 0),
        (&["diff", "level.nmo", "level.nmo"], 0),
        (&["diff", "level.nmo", "menu.cmo"], 1),
        (&["diff", "--lenient", "level.nmo", "menu.cmo"], 1),
        (&["diff", "level.nmo", "forest.snpak"], 2),
        (&["diff", "level.nmo", "picture.nmo"], 3),
        (&["diff", "no-such-file", "level.nmo"], 4),
        (&["no-such-verb"], 2),
        (&["show", "level.nmo", "no-such-entry"], 2),
        (&["explain", "level.nmo", "0xffffff"], 2),
        (&["info", "short-part0.nmo"], 3),
        (&["info", "picture.nmo"], 3),
        (&["info", "empty.nmo"], 3),
        (&["info", "no-such-file"], 4),
        // Plugins that are missing are warnings; formats without plugins are no matter in a folder.
        (&["info", "--missing-plugins", "--registry", "empty.json", "level.nmo"], 0),
        (&["info", "--missing-plugins", "-r", "both"], 0),
        (&["info", "--missing-plugins", "both/level.nmo", "both/forest.snpak"], 2),
        (&["info", "--missing-plugins", "--registry", "level.nmo", "level.nmo"], 3),
        (&["info", "--missing-plugins", "--registry", "no-such-file", "level.nmo"], 4),
        (&["info", "version10.nmo"], 5),
        (&["join", "level.nmo", "menu.cmo", "-o", "joined.nmo"], 0),
        (&["join", "level.nmo", "checksum.nmo", "-o", "damaged.nmo"], 1),
        (&["join", "level.nmo", "menu.cmo", "-o", "joined.nmo"], 2),
        (&["join", "level.nmo", "menu.cmo", "-o", "./level.nmo", "--force"], 2),
        (&["join", "level.nmo", "forest.snpak", "-o", "x.nmo"], 2),
        (&["join", "level.nmo", "picture.nmo", "-o", "x.nmo"], 3),
        (&["join", "level.nmo", "no-such-file", "-o", "x.nmo"], 4),
        (&["join", "forest.snpak", "forest.snpak", "-o", "x.snpak"], 5),
        (&["subset", "level.nmo", "#3", "-o", "cube.nmo"], 0),
        (&["subset", "level.nmo", "#3", "-o", "cube.nmo"], 2),
        (&["subset", "level.nmo", "#3", "-o", "level.nmo", "--force"], 2),
        (&["subset", "level.nmo", "no-such-entry", "-o", "x.nmo"], 2),
        (&["subset", "picture.nmo", "#3", "-o", "x.nmo"], 3),
        (&["subset", "level.nmo", "#3", "-o", "no-such-folder/x.nmo"], 4),
        (&["subset", "forest.snpak", "levels/*", "-o", "levels.snpak"], 0),
        (&["subset", "forest.snpak", "levels/*", "-o", "levels.snpak"], 2),
        (&["subset", "forest.snpak", "*", "--lossy", "-o", "x.snpak"], 2),
        (&["subset", "forest.snpak", "*", "--with", "no-such-file", "-o", "x.snpak"], 4),
        (&["subset", "sf22.pak", "*", "-o", "x.snpak"], 5),
        (&["refs", "forest.snpak", "levels/forest"], 0),
        (&["refs", "forest.snpak", "--missing"], 0),
        (&["refs", "forest.snpak"], 2),
        (&["refs", "forest.snpak", "no-such-entry"], 2),
        (&["refs", "sf22.pak", "--missing"], 0),
        (&["refs", "level.nmo", "--missing", "--with", "forest.snpak"], 5),
        (&["overlay", "forest.snpak", "forest.snpak", "--conflicts"], 0),
        (&["overlay", "forest.snpak", "forest-appended.snpak", "--conflicts"], 1),
        (&["overlay", "forest.snpak", "no-such-file"], 4),
        (&["overlay", "level.nmo"], 5),
        (&["diff", "forest.snpak", "forest.snpak", "--blocks"], 0),
        (&["diff", "forest.snpak", "forest-appended.snpak", "--blocks"], 1),
        (&["diff", "forest.snpak", "forest.snpak", "--blocks=1"], 2),
        (&["diff", "forest.snpak", "no-such-file", "--blocks"], 4),
        // The highest of 3, 4 and 5, and one bad file does not stop the others.
        (&["info", "version10.nmo", "no-such-file", "picture.nmo", "level.nmo"], 5),
        (&["verify", "checksum.nmo", "picture.nmo"], 3),
    ] {
        assert_eq!(code(dir, args), expected, "{args:?}");
    }
    assert!(
        !dir.join("x.nmo").exists() && !dir.join("x.snpak").exists(),
        "nothing of it was written"
    );
}

#[test]
fn data_goes_to_standard_output_and_the_rest_to_standard_error() {
    let dir = samples();
    let output = spelunk(dir.path(), &["info", "--json", "picture.nmo", "level.nmo"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> =
        stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "one line for each file");
    assert_eq!(lines[0]["diagnostics"][0]["code"], "SP030");
    assert_eq!(lines[1]["format"], "virtools");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("picture.nmo") && stderr.contains("a PNG image"), "{stderr}");
}

#[test]
fn a_closed_pipe_is_success() {
    let dir = samples();
    let mut child = Command::new(env!("CARGO_BIN_EXE_spelunk"))
        .args(["ls", "--json", "-r", "."])
        .current_dir(dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let status = child.wait().unwrap();
    assert!(matches!(status.code(), Some(0 | 3 | 5)), "{status}");
}

#[test]
fn standard_input_is_a_file() {
    let dir = samples();
    let output = Command::new(env!("CARGO_BIN_EXE_spelunk"))
        .args(["ls", "-"])
        .stdin(fs::File::open(dir.path().join("level.nmo")).unwrap())
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(output.stdout, spelunk(dir.path(), &["ls", "level.nmo"]).stdout);
}

#[test]
fn rewriting_never_touches_the_input_unless_told() {
    let dir = samples();
    let dir = dir.path();
    let old = fs::read(dir.join("level.nmo")).unwrap();
    assert_eq!(code(dir, &["rewrite", "level.nmo", "copy.nmo"]), 0);
    assert_eq!(fs::read(dir.join("copy.nmo")).unwrap(), old);
    assert_eq!(code(dir, &["rewrite", "level.nmo", "copy.nmo"]), 2, "it exists");
    assert_eq!(code(dir, &["rewrite", "--force", "--recompress", "level.nmo", "copy.nmo"]), 0);
    assert_eq!(fs::read(dir.join("copy.nmo")).unwrap(), old);
    assert_eq!(code(dir, &["rewrite", "--dry-run", "level.nmo", "third.nmo"]), 0);
    assert!(!dir.join("third.nmo").exists());
    assert_eq!(code(dir, &["rewrite", "--in-place", "--backup=.old", "level.nmo"]), 0);
    assert_eq!(fs::read(dir.join("level.nmo.old")).unwrap(), old);
    assert_eq!(fs::read(dir.join("level.nmo")).unwrap(), old);
    assert_eq!(spelunk(dir, &["rewrite", "level.nmo", "-"]).stdout, old);
    assert_eq!(code(dir, &["rewrite", "--in-place", "--backup=.old", "level.nmo"]), 2, "kept once");
    assert_eq!(code(dir, &["rewrite", "--force", "level.nmo", "level.nmo"]), 2, "not --in-place");
    assert_eq!(code(dir, &["rewrite", "--force", "level.nmo", "."]), 2, "a folder");
    assert_eq!(code(dir, &["rewrite", "--dry-run", "level.nmo", "copy.nmo"]), 2, "it exists");
}

#[test]
fn damage_that_is_carried_through_is_said_and_counts() {
    let dir = samples();
    let dir = dir.path();
    let old = fs::read(dir.join("checksum.nmo")).unwrap();
    assert_eq!(code(dir, &["rewrite", "checksum.nmo", "copy.nmo"]), 1);
    assert_eq!(fs::read(dir.join("copy.nmo")).unwrap(), old);
    assert_eq!(code(dir, &["tree", "checksum.nmo"]), 1);
    assert_eq!(code(dir, &["extract", "checksum.nmo", "-C", "out"]), 1);
    assert_eq!(code(dir, &["cat", "--lenient", "checksum.nmo", "#0"]), 0);
}

#[test]
fn lists_of_files_name_any_file_and_folders_skip_what_is_none() {
    let dir = samples();
    let dir = dir.path();
    fs::create_dir(dir.join("some")).unwrap();
    fs::copy(dir.join("level.nmo"), dir.join("some/level.nmo")).unwrap();
    fs::write(dir.join("some/notes.txt"), "no container").unwrap();
    fs::write(dir.join("list"), b"\xef\xbb\xbflevel.nmo\r\n\r\nforest.snpak\n").unwrap();
    let output = spelunk(dir, &["verify", "-r", "some", "--files-from", "list"]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(stdout.lines().count(), 4, "{stdout}");
    assert!(stdout.ends_with("3 files: 3 ok\n"), "{stdout}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("1 file passed over"));
    // A file that became empty is damage, wherever it is.
    fs::write(dir.join("some/empty.nmo"), "").unwrap();
    assert_eq!(code(dir, &["verify", "-r", "some"]), 3);
    assert_eq!(code(dir, &["verify", "--files-from", "no-list"]), 4);
}

#[test]
fn strictness_ends_at_the_first_error_without_calling_the_file_unreadable() {
    let dir = samples();
    assert_eq!(code(dir.path(), &["verify", "--strict", "checksum.nmo"]), 1);
    assert_eq!(code(dir.path(), &["verify", "--strict", "short-part0.nmo"]), 3);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_output_error() {
    let dir = samples();
    let status = Command::new(env!("CARGO_BIN_EXE_spelunk"))
        .args(["rewrite", "level.nmo", "-"])
        .current_dir(dir.path())
        .stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(4));
}

fn files_below(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

#[test]
fn extraction_writes_every_entry_and_a_manifest() {
    let dir = samples();
    let dir = dir.path();
    assert_eq!(code(dir, &["extract", "sf22.pak", "-C", "out", "--dry-run"]), 0);
    assert!(!dir.join("out").exists());
    assert_eq!(code(dir, &["extract", "sf22.pak", "-C", "out"]), 0);
    let text = fs::read_to_string(dir.join("out/spelunk-manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let entries = manifest["entries"].as_array().unwrap();
    // Beside them the manifest, and the skeleton that the archive is built by.
    assert_eq!(files_below(&dir.join("out")).len(), entries.len() + 2);
    for entry in entries {
        let path = entry["path"].as_str().unwrap();
        let bytes = fs::read(dir.join("out").join(entry["file"].as_str().unwrap())).unwrap();
        assert_eq!(bytes, spelunk(dir, &["cat", "sf22.pak", path]).stdout, "{path}");
        assert_eq!(entry["size"], bytes.len() as u64, "{path}");
    }
    let json = spelunk(dir, &["extract", "--json", "sf22.pak", "*.lua", "-C", "lua"]).stdout;
    for line in String::from_utf8(json).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(line["file"], "sf22.pak");
        assert!(dir.join("lua").join(line["output"].as_str().unwrap()).is_file());
    }
    assert_eq!(code(dir, &["extract", "pakdata.dat", "-C", "none"]), 2, "no bytes of its own");
    assert!(!dir.join("none").exists());
    assert_eq!(code(dir, &["extract", "sf22.pak", "-C", "out"]), 2, "the files exist");
    assert_eq!(code(dir, &["extract", "sf22.pak", "-C", "out", "--force"]), 0);
}

#[test]
fn a_folder_becomes_the_container_again() {
    let dir = samples();
    let dir = dir.path();
    let old = fs::read(dir.join("menu.cmo")).unwrap();
    assert_eq!(code(dir, &["extract", "menu.cmo", "-C", "menu"]), 0);
    assert_eq!(code(dir, &["pack", "menu", "-o", "new.cmo"]), 0);
    assert_eq!(fs::read(dir.join("new.cmo")).unwrap(), old);
    assert_eq!(spelunk(dir, &["pack", "menu", "-o", "-"]).stdout, old);
    assert_eq!(code(dir, &["pack", "menu", "-o", "new.cmo"]), 2, "it exists");
    fs::write(dir.join("menu/included/vtthumbnail.jpg"), "another picture").unwrap();
    fs::write(dir.join("menu/notes.txt"), "mine").unwrap();
    let output = spelunk(dir, &["pack", "--json", "--force", "menu", "-o", "new.cmo"]);
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(line["changed"], serde_json::json!(["included/vtthumbnail.jpg"]));
    assert_eq!(line["size"], fs::metadata(dir.join("new.cmo")).unwrap().len());
    assert!(String::from_utf8(output.stderr).unwrap().contains("notes.txt"));
    let cat = spelunk(dir, &["cat", "new.cmo", "included/vtthumbnail.jpg"]);
    assert_eq!(cat.stdout, b"another picture");
    let new = fs::read(dir.join("new.cmo")).unwrap();
    fs::remove_file(dir.join("menu/included/vtthumbnail.jpg")).unwrap();
    assert_eq!(code(dir, &["pack", "--force", "menu", "-o", "new.cmo"]), 4, "a file is missing");
    fs::write(dir.join("menu/spelunk-manifest.json"), "{}").unwrap();
    assert_eq!(code(dir, &["pack", "--force", "menu", "-o", "new.cmo"]), 3, "no manifest of ours");
    assert_eq!(code(dir, &["pack", "--force", "nowhere", "-o", "new.cmo"]), 4);
    assert_eq!(fs::read(dir.join("new.cmo")).unwrap(), new, "nothing was written");
}

#[test]
fn one_file_that_is_not_upgraded_does_not_stop_the_others() {
    let dir = samples();
    let dir = dir.path();
    let args = ["upgrade", "forest.snpak", "picture.nmo", "level.nmo", "-C", "new", "--dry-run"];
    let output = spelunk(dir, &args);
    assert_eq!(output.status.code(), Some(5));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("SP032") && stderr.contains("SP030"), "{stderr}");
    assert!(stderr.contains("level.nmo: current already"), "{stderr}");
    assert!(!dir.join("new").exists());
    fs::create_dir(dir.join("old")).unwrap();
    fs::copy(dir.join("level.nmo"), dir.join("old/level.nmo")).unwrap();
    assert_eq!(code(dir, &["upgrade", "-r", "old", "-C", "new"]), 0, "nothing to do");
    assert!(!dir.join("new").exists());
}

/// Whatever a verb was about when the memory limit was reached, it says that and nothing of what it compared or changed.
#[test]
fn a_limit_that_is_reached_is_no_difference() {
    let dir = samples();
    let dir = dir.path();
    for args in [
        &["diff", "level.nmo", "menu.cmo"][..],
        &["diff", "forest.snpak", "duplicates.snpak"],
        &["diff", "GameData.cff", "GameData-packed.cff"],
        &["set", "GameData.cff", "2003/1/name_id=7", "-o", "out", "--force"],
        &["set", "level.nmo", "#4/entry.name=Other", "-o", "out", "--force"],
        &["compact", "forest.snpak", "-o", "out", "--force"],
        &["rewrite", "level.nmo", "out", "--recompress", "--force"],
        &[
            "query",
            "level.nmo",
            "SELECT length(replace(hex(zeroblob(1000)), '0', name)) FROM objects",
        ],
    ] {
        let (mut reached, mut done) = (0, false);
        for bits in 0..27 {
            let limit = (1_u64 << bits).to_string();
            let output = spelunk(dir, &[args, &["--max-memory", &limit]].concat());
            let stderr = String::from_utf8_lossy(&output.stderr);
            if stderr.contains("[SP010]") || stderr.contains("[SP011]") {
                reached += 1;
                assert_eq!(output.status.code(), Some(3), "{args:?}, {limit}: {stderr}");
            } else {
                assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}, {limit}: {stderr}");
                done = true;
            }
        }
        assert!(reached > 4 && done, "{args:?}: {reached}");
    }
}

/// What a statement makes of a file is limited as what the file holds is.
#[test]
fn many_long_texts_in_a_statement_are_refused() {
    let dir = samples();
    let texts = vec!["randomblob(4000000)"; 100].join(", ");
    let output = spelunk(dir.path(), &["query", "level.nmo", &format!("SELECT {texts}")]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(stderr.contains("SP010"), "{stderr}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_told() {
    let dir = tempfile::tempdir().unwrap();
    spelunk_fixtures::write_samples(dir.path()).unwrap();
    for args in [
        &["cat", "forest.snpak", "sounds/wind"][..],
        &["ls", "forest.snpak"],
        &["--help"],
        &["help", "ls"],
        &["--version"],
        &["man"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_spelunk"));
        let output = command.args(args).current_dir(dir.path()).stdout(full).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{args:?}: {told}");
        assert!(told.contains("standard output"), "{args:?}: {told}");
    }
}

/// The page is part of a build that was made after it: then `view` prints its address and stays, else it says what is missing.
#[test]
fn view_serves_the_page_or_says_how_to_get_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut view = Command::new(env!("CARGO_BIN_EXE_spelunk"))
        .args(["view", "--no-open"])
        .arg(dir.path())
        // What a killed server leaves goes with the folder.
        .env("TMPDIR", dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    if spelunk_view::is_built_in() {
        let mut line = String::new();
        BufReader::new(view.stdout.take().unwrap()).read_line(&mut line).unwrap();
        view.kill().unwrap();
        view.wait().unwrap();
        assert!(line.starts_with("http://127.0.0.1:") && line.contains("/#token="), "{line}");
        return;
    }
    let output = view.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(5));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("SP194") && output.stdout.is_empty(), "{text}");
}
