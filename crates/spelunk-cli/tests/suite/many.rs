//! Many files at once: what is named together is done to each, and none takes the place of another one.

use crate::common::{samples, spelunk, spelunk_with};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path};

fn code(dir: &Path, args: &[&str]) -> i32 {
    spelunk(dir, args).status.code().unwrap()
}

fn rows(dir: &Path, args: &[&str]) -> Vec<Value> {
    let text = String::from_utf8(spelunk(dir, args).stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The copies of a content, by whether they are whole files and by its hash: how many are said to be there, and the bytes.
type CopiesByContent = BTreeMap<(bool, String), Vec<(u64, Vec<u8>)>>;

/// Folders `a` and `b` with a level each; one that is cut off, and something that is no container, lie beside the first.
fn folders(dir: &Path) {
    for folder in ["a", "b"] {
        fs::create_dir(dir.join(folder)).unwrap();
        fs::copy(dir.join("level.nmo"), dir.join(folder).join("level.nmo")).unwrap();
    }
    let level = fs::read(dir.join("level.nmo")).unwrap();
    fs::write(dir.join("a/cut.nmo"), &level[..40]).unwrap();
    fs::write(dir.join("a/notes.txt"), "no container").unwrap();
}

#[test]
fn each_file_of_a_folder_is_changed_as_it_would_be_alone() {
    let dir = samples();
    let dir = dir.path();
    folders(dir);
    let change = "CKMaterial/*/material.diffuse=#112233";
    assert_eq!(code(dir, &["set", "level.nmo", change, "-o", "alone.nmo"]), 0);
    let alone = fs::read(dir.join("alone.nmo")).unwrap();
    assert_ne!(alone, fs::read(dir.join("level.nmo")).unwrap());
    fs::create_dir(dir.join("both")).unwrap();
    for folder in ["a", "b"] {
        fs::rename(dir.join(folder), dir.join("both").join(folder)).unwrap();
    }
    // One that cannot be opened does not stop the others.
    assert_eq!(code(dir, &["set", "-r", "both", change, "-o", "new"]), 3);
    assert_eq!(fs::read(dir.join("new/a/level.nmo")).unwrap(), alone);
    assert_eq!(fs::read(dir.join("new/b/level.nmo")).unwrap(), alone);
    // What nobody has changes nothing.
    fs::remove_file(dir.join("both/a/cut.nmo")).unwrap();
    assert_eq!(code(dir, &["rm", "-r", "both", "CKLight/*", "-o", "none"]), 0);
    assert!(!dir.join("none").exists());
    assert_eq!(code(dir, &["set", "both", change, "--in-place"]), 4, "a folder without -r");
}

#[test]
fn files_of_one_name_have_places_of_their_own_or_are_refused() {
    let dir = samples();
    let dir = dir.path();
    folders(dir);
    let list = |names: &[String]| fs::write(dir.join("list"), names.join("\n")).unwrap();
    list(&["a/level.nmo".into(), "b/level.nmo".into()]);
    assert_eq!(code(dir, &["extract", "--files-from", "list", "CKMaterial/*", "-C", "out"]), 0);
    for folder in ["a", "b"] {
        assert!(dir.join("out").join(folder).join("level.nmo/spelunk-manifest.json").is_file());
    }
    assert_eq!(code(dir, &["export", "--files-from", "list", "--to", "glb", "-o", "models"]), 0);
    assert!(dir.join("models/a/level.glb").is_file() && dir.join("models/b/level.glb").is_file());
    // Outside of where the command runs only names are left, and these are one.
    let whole = |folder: &str| dir.join(folder).join("level.nmo").to_str().unwrap().to_owned();
    list(&[whole("a"), whole("b")]);
    for args in [
        &["extract", "--files-from", "list", "-C", "no", "--force"][..],
        &["export", "--files-from", "list", "--to", "glb", "-o", "no", "--force"],
        &["rm", "--files-from", "list", "CKMaterial/Wood", "-o", "no", "--force"],
    ] {
        assert_eq!(code(dir, args), 2, "{args:?}");
        assert!(!dir.join("no").exists(), "{args:?}");
    }
    // In their own places they are apart.
    assert_eq!(code(dir, &["rm", "--files-from", "list", "CKMaterial/Wood", "--in-place"]), 0);
    for folder in ["a", "b"] {
        assert_ne!(fs::read(whole(folder)).unwrap(), fs::read(dir.join("level.nmo")).unwrap());
    }
}

#[test]
fn duplicates_have_the_same_bytes_and_equal_files_are_one_copy() {
    let dir = samples();
    let dir = dir.path();
    fs::copy(dir.join("sf22.pak"), dir.join("again.pak")).unwrap();
    let made = ["add", "sf22.pak", "file/notes/copy.txt", "--from", "again.pak", "-o", "one.pak"];
    assert_eq!(code(dir, &made), 0);
    let made = ["add", "one.pak", "file/notes/other.txt", "--from", "again.pak", "-o", "two.pak"];
    assert_eq!(code(dir, &made), 0);
    let found = rows(dir, &["find", "--duplicates", "sf22.pak", "again.pak", "two.pak", "--json"]);
    // Whole files and entries stand apart.
    let mut groups = CopiesByContent::new();
    for row in &found {
        let text = |key: &str| row[key].as_str().unwrap();
        let bytes = match text("path") {
            "" => fs::read(dir.join(text("file"))).unwrap(),
            path => spelunk(dir, &["cat", text("file"), path]).stdout,
        };
        assert_eq!(row["size"], bytes.len());
        // Entries of the copy are those of the file that it is a copy of.
        assert!(text("file") != "again.pak" || text("path").is_empty(), "{row}");
        let of = (text("path").is_empty(), text("sha256").to_owned());
        groups.entry(of).or_default().push((row["copies"].as_u64().unwrap(), bytes));
    }
    for (of, copies) in &groups {
        let (stated, bytes) = &copies[0];
        assert_eq!((*stated, copies.len() > 1), (copies.len() as u64, true), "{of:?}");
        assert!(copies.iter().all(|copy| copy == &(*stated, bytes.clone())), "{of:?}");
    }
    let names = |path: &str| found.iter().filter(|row| row["path"] == path).count();
    assert_eq!((names("notes/copy.txt"), names("notes/other.txt"), names("")), (1, 1, 2));
    assert_eq!(code(dir, &["find", "--duplicates", "again.pak", "--require-match"]), 1);
}

#[test]
fn what_an_older_version_has_is_no_news() {
    let dir = samples();
    let dir = dir.path();
    let lint =
        |args: &[&str]| rows(dir, &[&["lint", "level.nmo", "--json"], args].concat()).remove(0);
    let all = lint(&[]);
    let count = all["findings"].as_array().unwrap().len();
    assert!(count > 0, "{all}");
    let none = lint(&["--since", "level.nmo"]);
    assert_eq!((&none["findings"], &none["suppressed"]), (&Value::Array(vec![]), &count.into()));
    // An older version without the material had less to find fault with, and what it had is at other positions.
    let texture = ["rm", "level.nmo", "CKTexture/Wood_Texture", "-o", "older.nmo"];
    assert_eq!(code(dir, &texture), 0);
    let new = lint(&["--since", "older.nmo"]);
    assert!(new["findings"].as_array().unwrap().iter().any(|it| it["code"] == "VL003"), "{new}");
    // A folder has older versions under the same names; a file that is new has none.
    fs::create_dir(dir.join("old")).unwrap();
    assert_eq!(lint(&["--since", "old"])["findings"], all["findings"]);
    fs::copy(dir.join("level.nmo"), dir.join("old/level.nmo")).unwrap();
    assert_eq!(lint(&["--since", "old"])["findings"], none["findings"]);
}

#[test]
fn an_error_that_comes_again_is_counted() {
    let dir = samples();
    let names = "no.nmo\n".repeat(4);
    let told = spelunk_with(dir.path(), &["info", "--files-from", "-"], names.as_bytes());
    let told = String::from_utf8(told.stderr).unwrap();
    assert_eq!(told.matches("no.nmo").count(), 1, "{told}");
    assert!(told.contains("the same 3 times more"), "{told}");
}
