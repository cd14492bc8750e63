//! What is read stays as it is, whatever is written beside it: no output takes the place of an input, and nothing goes between the
//! bytes of one.

use crate::common::{samples, spelunk_with};
use serde_json::Value;
use spelunk::{
    File,
    verbs::{self, CollectedOutput, Memory, Session},
};
use std::{fs, path::Path, process::Command};

/// Runs a command that is refused; gives what it says.
fn refused(dir: &Path, args: &[&str]) -> String {
    let output = spelunk_with(dir, args, b"");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn rows(dir: &Path, args: &[&str]) -> Vec<Value> {
    let output = spelunk_with(dir, args, b"");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn no_output_takes_the_place_of_an_input() {
    let dir = samples();
    let dir = dir.path();
    for copy in ["other.nmo", "w.bin"] {
        fs::copy(dir.join("level.nmo"), dir.join(copy)).unwrap();
    }
    fs::write(dir.join("list"), "level.nmo\nw.bin\n").unwrap();
    fs::create_dir(dir.join("deep")).unwrap();
    let entry = rows(dir, &["ls", "sf22.pak", "--json"])[0]["path"].as_str().unwrap().to_owned();
    let archive = dir.join("out").join(&entry);
    fs::create_dir_all(archive.parent().unwrap()).unwrap();
    fs::copy(dir.join("sf22.pak"), &archive).unwrap();
    let archive = format!("out/{entry}");
    let cases: [(&str, Vec<&str>); 6] = [
        ("level.nmo", vec!["diff", "level.nmo", "other.nmo", "--patch", "level.nmo"]),
        ("level.nmo", vec!["diff", "level.nmo", "other.nmo", "--patch", "deep/../level.nmo"]),
        ("level.nmo", vec!["lint", "level.nmo", "--write-suppressions", "level.nmo"]),
        ("w.bin", vec!["export", "w.bin", "-o", "w.gltf"]),
        ("w.bin", vec!["pack", "--files-from", "list", "-o", "w.bin"]),
        (&archive, vec!["extract", &archive, "-C", "out"]),
    ];
    for (input, mut args) in cases {
        let before = fs::read(dir.join(input)).unwrap();
        args.push("--force");
        let told = refused(dir, &args);
        assert!(told.contains("an input") || told.contains("the input"), "{args:?}: {told}");
        assert!(fs::read(dir.join(input)).unwrap() == before, "{args:?} wrote over {input}");
    }
}

#[test]
fn a_mended_file_is_all_that_goes_to_standard_output() {
    let dir = samples();
    for name in ["level.nmo", "menu.cmo"] {
        let bytes = fs::read(dir.path().join(name)).unwrap();
        let output = spelunk_with(dir.path(), &["lint", "-", "--fix", "-o", "-"], &bytes);
        let file = File::from_bytes(output.stdout).unwrap();
        let findings = file.take_findings();
        assert!(!findings.has_errors(), "{name}: {findings:?}");
        assert!(!output.stderr.is_empty(), "findings are told");
    }
}

#[test]
fn standard_input_is_one_thing() {
    let dir = samples();
    let level = fs::read(dir.path().join("level.nmo")).unwrap();
    let cases: [&[&str]; 2] = [
        &["add", "-", "included/x.txt", "--from", "-", "-o", "new"],
        &["replace", "-", "#1", "-", "--raw", "-o", "new"],
    ];
    for args in cases {
        let output = spelunk_with(dir.path(), args, &level);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(!dir.path().join("new").exists());
    }
}

/// The first error of a damaged file ends a strict reading; what that counts as does not depend on how the file comes.
#[test]
fn strict_reading_ends_alike_by_name_and_by_standard_input() {
    let dir = samples();
    let level = fs::read(dir.path().join("level.nmo")).unwrap();
    let mut codes = std::collections::BTreeSet::new();
    for at in (40..level.len()).step_by(23) {
        let mut damaged = level.clone();
        damaged[at] ^= 0x55;
        fs::write(dir.path().join("damaged.nmo"), &damaged).unwrap();
        let by_name = spelunk_with(dir.path(), &["verify", "--strict", "damaged.nmo"], b"");
        let by_stream = spelunk_with(dir.path(), &["verify", "--strict", "-"], &damaged);
        assert_eq!(by_name.status.code(), by_stream.status.code(), "byte {at}");
        codes.insert(by_name.status.code());
    }
    assert!(codes.len() > 1, "{codes:?}");
}

#[test]
fn a_request_names_one_place_for_what_it_makes() {
    let files = Memory::new();
    let level = spelunk_fixtures::samples::level().build().bytes;
    files.put("a", level.clone());
    let session = Session::new(files.clone());
    for (verb, more) in [("set", r#""changes": ["nothing"]"#), ("rewrite", r#""level": 9"#)] {
        let request = format!(r#"{{"file": "a", "output": "b", "in_place": true, {more}}}"#);
        let error =
            verbs::call(&session, verb, &request, &mut CollectedOutput::default()).unwrap_err();
        assert_eq!(error.code().id, "SP190", "{verb}: {error}");
    }
    assert_eq!(files.names().len(), 1);
    assert!(files.get("a").unwrap() == level);
}

#[test]
fn an_empty_list_empties_no_catalogue() {
    let dir = samples();
    let dir = dir.path();
    assert!(spelunk_with(dir, &["catalog", "level.nmo", "-o", "cat"], b"").status.success());
    fs::write(dir.join("none"), "").unwrap();
    refused(dir, &["catalog", "--files-from", "none", "-o", "cat"]);
    let all = rows(dir, &["catalog", "level.nmo", "-o", "cat", "--json"]);
    assert_eq!(all[0]["unchanged"], 1, "{all:?}");
}

#[test]
fn a_dry_run_tells_what_a_run_does() {
    let dir = samples();
    let dir = dir.path();
    let export = ["export", "level.nmo", "-o", "folder", "--to", "folder", "--json"];
    let dry = [&export[..], &["--dry-run"]].concat();
    let (planned, done) = (rows(dir, &dry).remove(0), rows(dir, &export).remove(0));
    assert_eq!((&planned["files"], &planned["size"]), (&done["files"], &done["size"]));
    let there = fs::read_dir(dir.join("folder/objects")).unwrap().count() + 1;
    assert_eq!(done["files"], there);
    refused(dir, &dry);
    refused(dir, &export);
}

#[cfg(unix)]
#[test]
fn a_dry_run_of_an_append_needs_what_an_append_needs() {
    use std::os::unix::fs::PermissionsExt;

    let dir = samples();
    let pack = dir.path().join("forest.snpak");
    fs::set_permissions(&pack, fs::Permissions::from_mode(0o444)).unwrap();
    let before = fs::read(&pack).unwrap();
    for more in [&["--dry-run"][..], &[]] {
        refused(dir.path(), &[&["append", "forest.snpak", "level.nmo"], more].concat());
    }
    assert!(fs::read(&pack).unwrap() == before);
}

#[test]
fn what_is_not_written_has_a_row_too() {
    let dir = samples();
    let dir = dir.path();
    let place = "CKMaterial/Wood/material.specular_power=";
    for (new, value) in [("a.nmo", "3"), ("b.nmo", "4")] {
        let set = ["set", "level.nmo", &format!("{place}{value}"), "-o", new];
        let done = spelunk_with(dir, &set, b"");
        assert!(done.status.success(), "{done:?}");
    }
    let diff = ["diff", "level.nmo", "a.nmo", "--patch", "a.json"];
    assert_eq!(spelunk_with(dir, &diff, b"").status.code(), Some(1));
    let refused = rows(dir, &["patch", "b.nmo", "a.json", "-o", "new", "--json"]);
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0]["output"].is_null() && refused[0].get("output").is_some());
    assert_eq!(refused[0]["conflicts"], 1);
}

/// A system lets a process have so many files open; an export has as many as there are textures.
#[cfg(unix)]
#[test]
fn exports_of_many_files_need_few_open_files() {
    let dir = samples();
    let dir = dir.path();
    assert!(spelunk_with(dir, &["extract", "textures.snpak", "-C", "in"], b"").status.success());
    let manifest = dir.join("in/spelunk-manifest.json");
    let mut many: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    let one = many["entries"][0].clone();
    let named = |nth: usize| {
        let mut one = one.clone();
        one["path"] = format!("t{nth:03}").into();
        one["name"] = one["path"].clone();
        one.as_object_mut().unwrap().remove("asset_id");
        one
    };
    many["entries"] = (0..450).map(named).collect();
    fs::write(dir.join("in/many.json"), many.to_string()).unwrap();
    let packed = spelunk_with(dir, &["pack", "in/many.json", "-o", "many.snpak"], b"");
    assert!(packed.status.success(), "{packed:?}");
    let export = "ulimit -n 450; exec \"$0\" export many.snpak -o out --to png";
    let program = env!("CARGO_BIN_EXE_spelunk");
    let output =
        Command::new("sh").args(["-c", export, program]).current_dir(dir).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(fs::read_dir(dir.join("out")).unwrap().count(), 450);
}
