//! Catalogues of generated samples: what is in them, and what a second run does.

use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::{Field, Row},
};
use spelunk::{Cancel, core::replace::Lock};
use spelunk_catalog::{Input, Options, Summary, catalog, schema::TABLES};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    num::NonZeroUsize,
    ops::Range,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// A folder of samples and a folder for the catalogue.
struct Place {
    dir: tempfile::TempDir,
    /// How many samples there are.
    samples: usize,
}

impl Place {
    fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("in")).unwrap();
        let samples = spelunk_fixtures::write_samples(&dir.path().join("in")).unwrap().len();
        Place { dir, samples }
    }

    /// Writes small files.
    fn notes(&self, numbers: Range<usize>) {
        for nth in numbers {
            let path = self.file(&format!("note-{nth:03}.txt"));
            if !path.exists() {
                fs::write(path, format!("note {nth}")).unwrap();
            }
        }
    }

    /// Removes those of them that are there.
    fn no_notes(&self, numbers: Range<usize>) {
        for nth in numbers {
            let _ = fs::remove_file(self.file(&format!("note-{nth:03}.txt")));
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join("in").join(name)
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn inputs(&self) -> Vec<Input> {
        let files = fs::read_dir(self.dir.path().join("in")).unwrap();
        let input = |path: PathBuf| Input {
            name: path.file_name().unwrap().to_str().unwrap().to_owned(),
            file: path.into(),
        };
        files.map(|entry| input(entry.unwrap().path())).collect()
    }

    fn run(&self) -> Summary {
        self.run_to(&self.out(), &Options::default())
    }

    fn run_to(&self, out: &Path, options: &Options) -> Summary {
        catalog(&self.inputs(), out, options, &mut |_, _| {}).unwrap()
    }
}

/// All files below a folder.
fn below(dir: &Path) -> Vec<Input> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { below(&path) } else { vec![Input::new(&path)] })
        .collect()
}

/// The rows of a table, by another way of the library than the one that wrote them.
fn rows(out: &Path, table: &str) -> Vec<Row> {
    let mut parts: Vec<PathBuf> =
        fs::read_dir(out.join(table)).unwrap().map(|entry| entry.unwrap().path()).collect();
    parts.sort();
    let read = |path: PathBuf| {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        reader.get_row_iter(None).unwrap().map(Result::unwrap).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(read).collect()
}

/// A row as an object.
fn value(row: &Row) -> serde_json::Value {
    let value = |field: &Field| match field {
        Field::Null => serde_json::Value::Null,
        Field::Bool(truth) => (*truth).into(),
        Field::Long(number) | Field::TimestampMicros(number) => (*number).into(),
        Field::Str(text) => text.as_str().into(),
        other => panic!("no column has values such as {other:?}"),
    };
    row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

fn values(out: &Path, table: &str) -> Vec<serde_json::Value> {
    rows(out, table).iter().map(value).collect()
}

/// All files of a catalogue with their bytes and times.
fn state(out: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let tables = TABLES.iter().flat_map(|table| fs::read_dir(out.join(table.name)).unwrap());
    let all = tables.chain(fs::read_dir(out).unwrap()).map(|entry| entry.unwrap().path());
    let file = |path: PathBuf| {
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let name = path.strip_prefix(out).unwrap().to_str().unwrap().to_owned();
        (name, (fs::read(&path).unwrap(), time))
    };
    all.filter(|path| path.is_file()).map(file).collect()
}

/// The same without times, and without the numbers of the runs that wrote the parts.
fn bytes(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let plain = |(name, (bytes, _)): (String, (Vec<u8>, _))| {
        let is_manifest = name == MANIFEST;
        let bytes = if is_manifest {
            without_runs(&String::from_utf8(bytes).unwrap()).into()
        } else {
            bytes
        };
        (without_runs(&name), bytes)
    };
    state(out).into_iter().map(plain).collect()
}

const MANIFEST: &str = "spelunk-catalog.json";

/// A text with the names of parts as if there were no runs.
fn without_runs(text: &str) -> String {
    let pieces: Vec<&str> = text.split(".parquet").collect();
    let Some((last, parts)) = pieces.split_last() else { return String::new() };
    let part = |part: &&str| {
        let (start, run) = part.split_at(part.len() - 17);
        assert!(run.starts_with('-') && run[1..].bytes().all(|byte| byte.is_ascii_hexdigit()));
        format!("{start}.parquet")
    };
    parts.iter().map(part).chain([(*last).to_owned()]).collect()
}

/// The parts of a table as the manifest has them: path below the folder, size and number of rows.
fn parts(out: &Path, table: &str) -> Vec<(String, u64, u64)> {
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(out.join(MANIFEST)).unwrap()).unwrap();
    let parts = manifest["tables"][table].as_array().unwrap();
    let part = |part: &serde_json::Value| {
        let number = |name: &str| part[name].as_u64().unwrap();
        (part["path"].as_str().unwrap().to_owned(), number("size"), number("rows"))
    };
    parts.iter().map(part).collect()
}

/// The first part of a table.
fn first(out: &Path, table: &str) -> PathBuf {
    out.join(&parts(out, table)[0].0)
}

fn counts(summary: &Summary) -> [usize; 6] {
    let Summary { new, changed, touched, unchanged, gone, written, .. } = *summary;
    [new, changed, touched, unchanged, gone, written]
}

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

/// After any change a catalogue is the one that a first run makes.
fn same_as_new(place: &Place) {
    let other = place.dir.path().join("other");
    let _ = fs::remove_dir_all(&other);
    place.run_to(&other, &Options::default());
    assert!(bytes(&place.out()) == bytes(&other));
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
fn rows_that_are_missing_are_told() {
    let place = Place::new();
    place.run();
    // The tables of a catalogue that lacks the rows of a file, said to belong to one that has them.
    let whole = place.dir.path().join("whole");
    fs::rename(place.out(), &whole).unwrap();
    fs::rename(place.file("level.nmo"), place.dir.path().join("level.nmo")).unwrap();
    place.run();
    fs::rename(place.dir.path().join("level.nmo"), place.file("level.nmo")).unwrap();
    let lacking = first(&place.out(), "entries");
    let name = format!("entries/{}", lacking.file_name().unwrap().to_str().unwrap());
    fs::copy(&lacking, whole.join(&name)).unwrap();
    let (path, size, _) = parts(&whole, "entries").remove(0);
    let text = fs::read_to_string(whole.join(MANIFEST)).unwrap();
    let other = fs::metadata(&lacking).unwrap().len();
    let text = text.replace(&path, &name).replace(&format!(": {size},"), &format!(": {other},"));
    fs::write(whole.join(MANIFEST), text).unwrap();
    fs::write(place.file("new.txt"), "new").unwrap();
    let failed = catalog(&place.inputs(), &whole, &Options::default(), &mut |_, _| {});
    assert_eq!(failed.unwrap_err().code().id, "SP173");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let place = Place::new();
    let run = |threads: usize| {
        let mut options = Options::default();
        options.open.threads = NonZeroUsize::new(threads);
        let out = place.dir.path().join(threads.to_string());
        place.run_to(&out, &options);
        bytes(&out)
    };
    let one = run(1);
    assert!(one == run(2) && one == run(5));
}

#[test]
fn a_catalogue_is_brought_up_to_date_after_anything() {
    let place = Place::new();
    place.run();
    let all = place.inputs().len();
    let before = bytes(&place.out());
    let whole = |text: &str| {
        assert!(bytes(&place.out()) == before, "{text}");
        assert_eq!(place.run().written, 0, "{text}");
    };
    // A table that is missing, one that is cut off, one that belongs to another state.
    let part = first(&place.out(), "objects");
    fs::remove_file(&part).unwrap();
    assert_eq!(place.run().new, all);
    whole("a part was missing");
    let part = first(&place.out(), "objects");
    let bytes_of = fs::read(&part).unwrap();
    fs::write(&part, &bytes_of[..bytes_of.len() / 2]).unwrap();
    place.run();
    whole("a part was cut off");
    // Damage inside of a part is told, or found, and never the end of the program.
    for at in 0..50 {
        let part = first(&place.out(), "files");
        let sound = fs::read(&part).unwrap();
        let at = at * sound.len() / 50;
        let mut damaged = sound.clone();
        damaged[at] ^= 0x41;
        fs::write(&part, damaged).unwrap();
        let _ = catalog(&place.inputs(), &place.out(), &Options::default(), &mut |_, _| {});
    }
    place.run_to(&place.out(), &Options { full: true, ..Options::default() });
    whole("parts were damaged");
    // Other options: everything is looked at.
    let mut options = Options::default();
    options.open.max_ratio = Some(100);
    assert_eq!(place.run_to(&place.out(), &options).new, all);
    assert_eq!(place.run().new, all);
    whole("other options");
}

/// Whatever the manifest says is there, and nothing else.
fn is_as_the_manifest_says(out: &Path) {
    for table in TABLES {
        let there = fs::read_dir(out.join(table.name)).unwrap();
        let there = there.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut there: Vec<String> = there.map(|name| format!("{}/{name}", table.name)).collect();
        there.sort();
        let said = parts(out, table.name);
        assert_eq!(there, said.iter().map(|(path, ..)| path.clone()).collect::<Vec<_>>());
        for (path, size, rows) in said {
            let file = File::open(out.join(path)).unwrap();
            assert_eq!(file.metadata().unwrap().len(), size);
            let metadata = SerializedFileReader::new(file).unwrap().metadata().clone();
            assert_eq!(metadata.file_metadata().num_rows() as u64, rows);
        }
    }
}

#[test]
fn what_is_interrupted_leaves_the_old_catalogue() {
    let place = Place::new();
    place.notes(0..600);
    place.run();
    is_as_the_manifest_says(&place.out());
    let old = state(&place.out());
    // A run that ends early takes its parts with it.
    fs::remove_file(place.file("level.nmo")).unwrap();
    place.notes(600..700);
    let cancel = Cancel::default();
    let mut options = Options { full: true, ..Options::default() };
    options.open.cancel = Some(cancel.clone());
    let mut looked = 0;
    let mut waited = 0;
    let failed = catalog(&place.inputs(), &place.out(), &options, &mut |_, _| {
        looked += 1;
        if looked == 500 {
            // Readers of the folder see the old parts alone meanwhile.
            let names =
                TABLES.iter().flat_map(|table| fs::read_dir(place.out().join(table.name)).unwrap());
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            waited =
                names.filter(|name| name.starts_with('.') && name.ends_with(".waiting")).count();
            cancel.cancel();
        }
    });
    assert_eq!(failed.unwrap_err().code().id, "SP014");
    assert!(waited > 0, "no part was being written");
    assert!(state(&place.out()) == old);
    // What a run leaves that was killed goes with the next one: parts that wait, and some that did not wait any longer.
    let left = [
        "files/.part-00000-0123456789abcdef.parquet.waiting",
        "hashes/part-00001-0123456789abcdef.parquet",
    ];
    left.iter().for_each(|left| fs::write(place.out().join(left), "half a file").unwrap());
    let summary = place.run();
    assert_eq!((summary.gone, summary.new), (1, 100));
    is_as_the_manifest_says(&place.out());
    same_as_new(&place);
    left.iter().for_each(|left| fs::write(place.out().join(left), "half a file").unwrap());
    assert_eq!(place.run().written, 0);
    is_as_the_manifest_says(&place.out());
}

#[test]
fn a_catalogue_of_an_earlier_version_is_made_anew() {
    let place = Place::new();
    for table in TABLES {
        fs::create_dir_all(place.out().join(table.name)).unwrap();
        fs::write(place.out().join(table.name).join("part-00000.parquet"), "old").unwrap();
    }
    let marker = r#"{ "catalog": "2", "parts": 1, "settings": {} }"#;
    fs::write(place.out().join(MANIFEST), marker).unwrap();
    assert_eq!(place.run().new, place.samples);
    is_as_the_manifest_says(&place.out());
}

#[test]
fn other_folders_are_refused_and_their_files_stay() {
    let place = Place::new();
    fs::create_dir(place.out()).unwrap();
    fs::write(place.out().join("mine.txt"), "mine").unwrap();
    let run = |force| {
        let options = Options { force, ..Options::default() };
        catalog(&place.inputs(), &place.out(), &options, &mut |_, _| {})
    };
    assert_eq!(run(false).unwrap_err().code().id, "SP171");
    assert_eq!(fs::read_dir(place.out()).unwrap().count(), 1);
    run(true).unwrap();
    assert_eq!(fs::read_to_string(place.out().join("mine.txt")).unwrap(), "mine");
}

#[test]
fn a_catalogue_is_none_of_its_files() {
    let place = Place::new();
    let all = place.samples;
    let into = |inputs: &[Input], out: &Path| {
        let options = Options { force: true, ..Options::default() };
        let summary = catalog(inputs, out, &options, &mut |_, _| {}).unwrap();
        counts(&summary)
    };
    // Beside the files themselves, found by another way than it is named by, and through a link.
    let beside = place.dir.path().join("in");
    let mut found = vec![place.dir.path().join("in/../in/.")];
    #[cfg(unix)]
    {
        let link = place.dir.path().join("link");
        std::os::unix::fs::symlink(&beside, &link).unwrap();
        found.push(link);
    }
    for tree in &found {
        assert_eq!(
            into(&below(tree), &beside),
            [all, 0, 0, 0, 0, TABLES.len()],
            "{}",
            tree.display()
        );
        // What an interrupted run left there goes.
        let left = beside.join("files/.part-00000-0123456789abcdef.parquet.waiting");
        fs::write(left, "half a file").unwrap();
        assert_eq!(into(&below(tree), &beside), [0, 0, 0, all, 0, 0], "{}", tree.display());
        assert!(below(tree).len() > all, "its parts were among them");
        // It has other names the next time.
        fs::remove_file(beside.join("spelunk-catalog.json")).unwrap();
    }
    // To another catalogue they are files, and none of them is damaged.
    let other = place.dir.path().join("other");
    let summary = catalog(&below(&beside), &other, &Options::default(), &mut |_, _| {}).unwrap();
    assert_eq!(summary.files, all + TABLES.len(), "its parts");
    assert!(summary.bad.iter().all(|bad| bad.is_foreign), "{:?}", summary.bad);
    // Files of others below the folder are files.
    let out = beside.join("out");
    fs::create_dir(&out).unwrap();
    fs::copy(place.file("level.nmo"), out.join("level.nmo")).unwrap();
    assert_eq!(into(&below(&out), &out)[0], 1);
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
fn a_run_takes_nothing_from_another() {
    let place = Place::new();
    let first = place.run();
    let lock = place.out().join(MANIFEST);
    let run = |options: &Options| catalog(&place.inputs(), &place.out(), options, &mut |_, _| {});
    let take = || Lock::try_take(&lock).unwrap().expect("nobody has it");
    // The other run may change what this one would compare the files with.
    let other = take();
    assert_eq!(run(&Options::default()).unwrap_err().code().id, "SP172");
    let dry = Options { dry_run: true, ..Options::default() };
    assert_eq!(run(&dry).unwrap().unchanged, first.files);
    drop(other);
    fs::remove_file(place.file("sf22.pak")).unwrap();
    assert_eq!(run(&Options::default()).unwrap().gone, 1);
    assert_eq!(run(&Options::default()).unwrap().written, 0);
}

#[test]
fn what_cannot_be_read_is_tried_again() {
    let place = Place::new();
    let gone = Input { file: place.file("later.nmo").into(), name: "later.nmo".to_owned() };
    let inputs: Vec<Input> = place.inputs().into_iter().chain([gone]).collect();
    let run = || catalog(&inputs, &place.out(), &Options::default(), &mut |_, _| {}).unwrap();
    let first = run();
    assert_eq!(first.bad.iter().map(|bad| &*bad.file).collect::<Vec<_>>(), ["later.nmo"]);
    assert_eq!(counts(&run()), [0, 0, 0, inputs.len(), 0, 0]);
    fs::copy(place.file("level.nmo"), place.file("later.nmo")).unwrap();
    let last = run();
    assert_eq!((last.changed, last.bad.len()), (1, 0));
}

#[test]
fn an_empty_tree_has_tables_too() {
    let dir = tempfile::tempdir().unwrap();
    let summary = catalog(&[], dir.path(), &Options::default(), &mut |_, _| {}).unwrap();
    assert_eq!((summary.files, summary.written), (0, TABLES.len()));
    assert!(TABLES.iter().all(|table| rows(dir.path(), table.name).is_empty()));
}
