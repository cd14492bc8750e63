//! Runs that meet something: other runs, interruptions, damage, and what is not theirs.

use super::place::*;
use parquet::file::reader::{FileReader, SerializedFileReader};
use spelunk::{Cancel, core::replace::Lock};
use spelunk_catalog::{Input, Options, catalog, schema::TABLES};
use std::{
    fs::{self, File},
    num::NonZeroUsize,
    path::Path,
};

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
