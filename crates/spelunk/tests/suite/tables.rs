//! GameData as tables: what was not changed comes back byte for byte, in every form.

use spelunk::{
    Bytes, Opened, Options,
    tables::{self, Imported, csv, json, sql},
    verbs::Disk,
};
use spelunk_fixtures::{corpus, mutate::mutate, samples};
use std::{fs, path::Path, sync::Arc};

type Result<T> = spelunk::Result<T>;

fn open(bytes: &[u8]) -> Result<Opened> {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default())
}

/// Through a form and back. A second name for each form, for messages.
type Form = (&'static str, fn(&mut Opened, &Path) -> Result<Imported>);

const FORMS: &[Form] = &[("SQLite", through_sqlite), ("JSON", through_json), ("CSV", through_csv)];

fn through_sqlite(opened: &mut Opened, folder: &Path) -> Result<Imported> {
    let path = folder.join("tables.sqlite");
    fs::write(&path, [])?;
    sql::export(opened, &path)?;
    assert!(sql::is_for(&fs::read(&path)?));
    sql::import(&Bytes::from(fs::read(&path)?), &Options::default())
}

fn through_json(opened: &mut Opened, _: &Path) -> Result<Imported> {
    let mut text = Vec::new();
    json::export(opened, &mut text)?;
    assert!(json::is_for(&text));
    json::import(&text, &Options::default())
}

fn through_csv(opened: &mut Opened, folder: &Path) -> Result<Imported> {
    csv::export(opened, &mut |made| Ok(fs::write(folder.join(made.name), made.content)?))?;
    assert!(csv::is_for(&Disk, &folder.into()));
    csv::import(folder, &Options::default())
}

/// A folder of its own that is gone with the test.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn check(name: &str, bytes: &[u8]) {
    for (form, through) in FORMS {
        let mut opened = open(bytes).unwrap();
        let folder = folder();
        let imported = through(&mut opened, folder.path());
        let imported = imported.unwrap_or_else(|error| panic!("{name}, {form}: {error}"));
        assert!(written(imported) == bytes, "{name} is another one through {form}");
    }
}

fn written(imported: Imported) -> Vec<u8> {
    let Imported { mut opened, options } = imported;
    let mut out = Vec::new();
    opened.run(|container, task| container.write(&mut out, &options, task)).unwrap();
    out
}

#[test]
fn real_files_come_back_byte_for_byte() {
    for folder in ["spellforce", "spellforce/reduced", "spellforce/container"] {
        let Some(files) = corpus::files(folder, &["cff"]) else { return };
        for file in &files {
            check(&file.name, &file.bytes);
        }
    }
}

#[test]
fn samples_come_back_and_other_formats_are_refused() {
    let mut checked = 0;
    for sample in samples() {
        let Ok(mut opened) = open(&sample.fixture.bytes) else { continue };
        if tables::is_for(&opened) {
            check(sample.name, &sample.fixture.bytes);
            checked += 1;
        } else {
            let error = json::export(&mut opened, &mut Vec::new()).unwrap_err();
            assert_eq!(error.code().id, "SP130", "{}", sample.name);
        }
    }
    assert!(checked > 1, "{checked}");
}

#[test]
fn damaged_files_come_back_or_are_refused() {
    let mut came_back = 0;
    let is_own = |bytes: &[u8]| open(bytes).is_ok_and(|opened| tables::is_for(&opened));
    for sample in samples().into_iter().filter(|sample| is_own(&sample.fixture.bytes)) {
        for seed in 0..100 {
            let bytes = mutate(&sample.fixture.bytes, seed);
            let Ok(mut opened) = open(&bytes) else { continue };
            if !tables::is_for(&opened) {
                continue;
            }
            for (form, through) in FORMS {
                let folder = folder();
                match through(&mut opened, folder.path()) {
                    Ok(imported) => {
                        let name = format!("{} {seed}", sample.name);
                        assert!(written(imported) == bytes, "{name} is another one through {form}");
                        came_back += 1;
                    }
                    Err(error) => assert!(!error.to_string().is_empty()),
                }
            }
        }
    }
    assert!(came_back > 100, "{came_back}");
}

#[test]
fn damaged_tables_are_refused_or_make_some_file() {
    let is_own = |bytes: &[u8]| open(bytes).is_ok_and(|opened| tables::is_for(&opened));
    let own = samples().into_iter().find(|sample| is_own(&sample.fixture.bytes)).unwrap();
    let folder = folder();
    let path = folder.path().join("tables.sqlite");
    let mut text = Vec::new();
    let mut opened = open(&own.fixture.bytes).unwrap();
    json::export(&mut opened, &mut text).unwrap();
    fs::write(&path, []).unwrap();
    sql::export(&mut opened, &path).unwrap();
    let database = fs::read(&path).unwrap();
    let (mut made, mut refused) = (0, 0);
    let mut count = |imported: Result<Imported>| match imported {
        Ok(imported) => {
            written(imported);
            made += 1;
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            refused += 1;
        }
    };
    for seed in 0..400 {
        count(json::import(&mutate(&text, seed), &Options::default()));
        count(sql::import(&Bytes::from(mutate(&database, seed)), &Options::default()));
    }
    assert!(made > 20 && refused > 200, "{made} {refused}");
}
