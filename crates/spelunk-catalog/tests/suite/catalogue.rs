//! Catalogues of generated samples: what is in them, and what a second run does.

use super::place::*;
use spelunk_catalog::{Input, Options, Summary, catalog, schema::TABLES};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::Path,
    time::{Duration, SystemTime},
};

#[test]
fn every_file_is_a_row_and_tables_belong_together() {
    let place = Place::new();
    fs::write(place.file("readme.txt"), "no container").unwrap();
    fs::write(place.file("broken.nmo"), &fs::read(place.file("level.nmo")).unwrap()[..40]).unwrap();
    let summary = place.run();
    let files = values(&place.out(), "files");
    assert_eq!(files.len(), place.inputs().len());
    assert_eq!(counts(&summary), [files.len(), 0, 0, 0, 0, TABLES.len()]);
    let of = |name: &str| files.iter().find(|row| row["file"] == name).unwrap();
    let readme = of("readme.txt");
    assert!(readme["format"].is_null() && readme["ok"].is_null() && readme["size"] == 12);
    let broken = of("broken.nmo");
    assert_eq!((&broken["format"], &broken["ok"]), (&"virtools".into(), &false.into()));
    let code = broken["error_code"].as_str().unwrap();
    let findings = values(&place.out(), "findings");
    let told = findings.iter().find(|row| row["file"] == "broken.nmo").unwrap();
    assert_eq!((told["code"].as_str(), told["severity"].as_str()), (Some(code), Some("error")));
    assert_eq!(summary.bad.len(), 2);
    // Numbers in `files` are the numbers of rows.
    for (table, number) in [("entries", "entry"), ("objects", "object")] {
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        for row in values(&place.out(), table) {
            let count = found.entry(row["file"].as_str().unwrap().to_owned()).or_default();
            assert_eq!(row[number].as_u64(), Some(*count), "{table} are numbered");
            *count += 1;
        }
        for row in &files {
            let count = found.get(row["file"].as_str().unwrap()).copied().unwrap_or_default();
            assert_eq!(row[table].as_u64(), Some(count), "{table} of {}", row["file"]);
        }
    }
    let level = of("level.nmo");
    let details: serde_json::Value =
        serde_json::from_str(level["details"].as_str().unwrap()).unwrap();
    assert_eq!(details["object_count"], level["entries"]);
}

#[test]
fn objects_are_told_by_their_ids_and_entries_by_their_bytes() {
    let place = Place::new();
    place.run();
    let objects = values(&place.out(), "objects");
    let find = |file: &str, kind: &str, id: &str| {
        let is = |row: &&serde_json::Value| {
            row["file"] == file && row["kind"] == kind && row["id"] == id
        };
        objects.iter().find(is).unwrap_or_else(|| panic!("{file} {kind} {id}"))
    };
    let sword = find("GameData.cff", "items", "1");
    assert_eq!((&sword["kind_id"], &sword["name"]), (&"2003".into(), &"Iron sword".into()));
    assert!(objects.iter().any(|row| row["kind"] == "CKMesh" && row["kind_id"] == "32"));
    assert!(
        objects
            .iter()
            .any(|row| row["file"] == "forest.snpak" && row["id"].as_str().unwrap().len() == 36)
    );
    assert!(objects.iter().all(|row| row["file"] != "sf22.pak"), "members are files");
    let entries = values(&place.out(), "entries");
    let member = entries.iter().find(|row| row["file"] == "sf22.pak").unwrap();
    let (at, len) = (member["byte_offset"].as_u64().unwrap(), member["size"].as_u64().unwrap());
    let pak = fs::read(place.file("sf22.pak")).unwrap();
    let bytes = &pak[at as usize..(at + len) as usize];
    let hash = format!("{:032x}", twox_hash::XxHash3_128::oneshot(bytes));
    assert_eq!(member["hash"].as_str(), Some(&*hash));
    assert!(
        entries.iter().filter(|row| row["file"] == "level.nmo").all(|row| !row["hash"].is_null())
    );
}

#[test]
fn references_and_contents_have_tables_of_their_own() {
    let place = Place::new();
    fs::write(place.file("abc.txt"), "abc").unwrap();
    place.run();
    let out = place.out();
    let references = values(&out, "references");
    let of_level: Vec<_> = references.iter().filter(|row| row["file"] == "level.nmo").collect();
    let objects = values(&out, "objects");
    let name = |path: &serde_json::Value| {
        let is = |row: &&serde_json::Value| row["file"] == "level.nmo" && row["path"] == *path;
        objects.iter().find(is).map(|row| row["name"].as_str().unwrap_or_default())
    };
    let means = |from: &str, field: &str, to: &str| {
        of_level.iter().any(|row| {
            (name(&row["path"]), row["field"].as_str(), name(&row["target"]))
                == (Some(from), Some(field), Some(to))
        })
    };
    assert!(means("Wood", "texture", "Wood_Texture"), "{of_level:?}");
    assert!(of_level.iter().all(|row| row["missing"] == false || row["target"].is_null()));
    let numbers: Vec<u64> = of_level.iter().filter_map(|row| row["reference"].as_u64()).collect();
    assert!(numbers.into_iter().eq(0..of_level.len() as u64));
    // Rows of a GameData refer by their keys.
    assert!(references.iter().any(|row| row["file"] == "GameData.cff" && !row["target"].is_null()));

    let hashes = values(&out, "hashes");
    let abc = hashes.iter().find(|row| row["file"] == "abc.txt").unwrap();
    let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(abc["sha256"], known);
    assert_eq!((&abc["size"], &abc["entry"]), (&3.into(), &serde_json::Value::Null));
    let files = values(&out, "files");
    let entries = values(&out, "entries");
    for row in &hashes {
        let of_file = |other: &&serde_json::Value| other["file"] == row["file"];
        match row["entry"].as_u64() {
            None => {
                let file = files.iter().find(of_file).unwrap();
                assert_eq!(file["hash"], row["xxh3"]);
            }
            Some(number) => {
                let is = |other: &&serde_json::Value| {
                    of_file(other) && other["entry"].as_u64() == Some(number)
                };
                let entry = entries.iter().find(is).unwrap();
                assert_eq!((&entry["path"], &entry["size"]), (&row["path"], &row["size"]));
                assert_eq!(entry["hash"], row["xxh3"]);
            }
        }
    }
    assert!(hashes.len() > files.len() + entries.len() / 2);
}

#[test]
fn a_second_run_writes_nothing() {
    let place = Place::new();
    let first = place.run();
    let before = state(&place.out());
    let second = place.run();
    assert_eq!(counts(&second), [0, 0, 0, first.files, 0, 0]);
    assert_eq!(state(&place.out()), before);
    let sums = |it: &Summary| (it.containers, it.entries, it.objects, it.findings, it.damaged);
    assert_eq!(sums(&first), sums(&second));
    // Nor does it open anything: other bytes behind the same size and time are not seen.
    let file = File::options().write(true).open(place.file("level.nmo")).unwrap();
    let (len, time) =
        (file.metadata().unwrap().len(), file.metadata().unwrap().modified().unwrap());
    let sound = fs::read(place.file("level.nmo")).unwrap();
    fs::write(place.file("level.nmo"), vec![0; len as usize]).unwrap();
    file.set_modified(time).unwrap();
    assert_eq!(counts(&place.run()), [0, 0, 0, first.files, 0, 0]);
    fs::write(place.file("level.nmo"), sound).unwrap();
    file.set_modified(time).unwrap();
    // Nor does one that looks at everything again.
    let third = place.run_to(&place.out(), &Options { full: true, ..Options::default() });
    assert_eq!(counts(&third), [0, 0, 0, first.files, 0, 0]);
    assert_eq!(state(&place.out()), before);
}

#[test]
fn changes_touch_what_they_have_to() {
    let place = Place::new();
    // Enough for several parts.
    let level = fs::read(place.file("level.nmo")).unwrap();
    place.notes(0..300);
    let first = place.run();
    assert_eq!(first.written, 2 * TABLES.len(), "two parts of each table");
    let all = first.files;

    // The same bytes at another time: one table.
    let later = SystemTime::now() + Duration::from_secs(10);
    let file = File::options().write(true).open(place.file("level.nmo")).unwrap();
    file.set_modified(later).unwrap();
    assert_eq!(counts(&place.run()), [0, 0, 1, all - 1, 0, 1]);
    assert_eq!(counts(&place.run()), [0, 0, 0, all, 0, 0]);
    same_as_new(&place);

    // Other bytes of the same size: one part of the tables with other rows, which are files, hashes and findings.
    let mut other = level.clone();
    *other.last_mut().unwrap() ^= 1;
    fs::write(place.file("level.nmo"), other).unwrap();
    let dry = place.run_to(&place.out(), &Options { dry_run: true, ..Options::default() });
    assert_eq!(counts(&dry), [0, 1, 0, all - 1, 0, 0]);
    assert_eq!(counts(&place.run()), [0, 1, 0, all - 1, 0, 3]);
    same_as_new(&place);

    // One that is gone, and one that is new.
    fs::remove_file(place.file("note-007.txt")).unwrap();
    fs::write(place.file("copy.nmo"), &level).unwrap();
    let summary = place.run();
    assert_eq!(counts(&summary)[..5], [1, 0, 0, all - 1, 1]);
    assert!(values(&place.out(), "files").iter().all(|row| row["file"] != "note-007.txt"));
    same_as_new(&place);
}

#[test]
fn parts_that_become_more_and_fewer_hold_the_same_rows() {
    let place = Place::new();
    place.notes(0..256 - place.samples);
    assert_eq!(place.run().written, TABLES.len(), "one part of each table");
    let parts = || fs::read_dir(place.out().join("entries")).unwrap().count();
    // Rows are copied, and what is not new is not looked at. Each old part becomes several, and
    // several of them become one.
    for (files, wanted) in [(257, 2), (1100, 8), (1000, 4), (300, 2), (2500, 16), (200, 1)] {
        let (before, now) = (values(&place.out(), "files").len(), files - place.samples);
        place.notes(0..now);
        place.no_notes(now..2500);
        let mut looked = 0;
        let run =
            catalog(&place.inputs(), &place.out(), &Options::default(), &mut |_, _| looked += 1);
        let summary = run.unwrap();
        assert_eq!(looked, files.saturating_sub(before), "{files}: only new files are opened");
        assert_eq!(
            (summary.files, summary.unchanged, parts()),
            (files, files.min(before), wanted),
            "{files}"
        );
        same_as_new(&place);
    }
}

#[test]
fn names_that_are_no_text_are_kept_apart() {
    let place = Place::new();
    let run = |inputs: &[Input]| catalog(inputs, &place.out(), &Options::default(), &mut |_, _| {});
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let names = [&b"n\xE4"[..], b"n\xF6"]
            .map(|name| Input::new(Path::new(std::ffi::OsStr::from_bytes(name))));
        assert_eq!(names.each_ref().map(|input| &*input.name), ["n\\xE4", "n\\xF6"]);
        assert_eq!(run(&names).unwrap().files, 2);
    }
    // Nothing is left out for the name that it was given.
    let input = |file: &str| Input { file: place.file(file).into(), name: "one".to_owned() };
    let two = [input("level.nmo"), input("sf22.pak")];
    assert_eq!(run(&two).unwrap_err().code().id, "SP174");
    assert_eq!(run(&[input("level.nmo"), input("level.nmo")]).unwrap().files, 1);
}

#[test]
fn an_empty_tree_has_tables_too() {
    let dir = tempfile::tempdir().unwrap();
    let summary = catalog(&[], dir.path(), &Options::default(), &mut |_, _| {}).unwrap();
    assert_eq!((summary.files, summary.written), (0, TABLES.len()));
    assert!(TABLES.iter().all(|table| rows(dir.path(), table.name).is_empty()));
}
