//! A catalogue of all real files, against what independent programs found in them. Where `SPELUNK_CATALOGUE` names a folder it
//! is left there, for readers of Parquet that share nothing with this code.

use parquet::{file::reader::SerializedFileReader, record::RowAccessor};
use serde_json::Value;
use spelunk_catalog::{Input, Options, catalog, schema::TABLES};
use spelunk_fixtures::corpus;
use std::{collections::BTreeMap, env, fs, path::PathBuf, time::Instant};
use test_support::json;

fn truth(path: &str) -> Value {
    json::truth(corpus::text(path)).unwrap()
}

fn sum(rows: impl Iterator<Item = Option<u64>>) -> u64 {
    rows.map(|rows| rows.expect("a number of rows")).sum()
}

/// Entries and objects of a file, where an independent program told them.
fn expected(folder: &str, name: &str) -> Option<(u64, u64)> {
    match folder {
        "virtools" => {
            let objects =
                truth(&format!("truth/virtools/{name}.json"))["header"]["object_count"].as_u64()?;
            Some((objects, objects))
        }
        "snpak" => {
            let name = name.strip_suffix(".snpak")?;
            let assets = truth(&format!("snpak/{name}.json"))["assets"].as_array()?.len() as u64;
            Some((assets, assets))
        }
        "spellforce/reduced" => {
            let rows = &truth("spellforce/reduced/manifest.json")[name]["rows"];
            let rows = rows.as_object()?;
            Some((rows.len() as u64, sum(rows.values().map(Value::as_u64))))
        }
        "spellforce" if name == "pakdata.dat" => Some((59_587, 0)),
        "spellforce" => {
            let edition = if name.contains("-en") { "1.54_en" } else { "1.54_ru" };
            let chunks = &truth("truth/spellforce.json")["editions"][edition]["chunks"];
            let chunks = chunks.as_array()?;
            Some((chunks.len() as u64, sum(chunks.iter().map(|chunk| chunk["rows"].as_u64()))))
        }
        _ => None,
    }
}

#[test]
fn counts_are_those_of_other_programs_and_a_second_run_opens_nothing() {
    let Some(_) = corpus::root() else { return };
    let dir = tempfile::tempdir().unwrap();
    let (mut inputs, mut wanted) = (Vec::new(), BTreeMap::new());
    for (folder, endings, _) in corpus::FOLDERS {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
        for file in corpus::files(folder, endings).unwrap() {
            let name = format!("{folder}/{}", file.name);
            let path = dir.path().join(&name);
            fs::write(&path, &file.bytes).unwrap();
            wanted.insert(name.clone(), expected(folder, &file.name));
            inputs.push(Input { file: path.into(), name });
        }
    }
    let out =
        env::var_os("SPELUNK_CATALOGUE").map_or_else(|| dir.path().join("out"), PathBuf::from);
    let times = || {
        let tables = TABLES.iter().flat_map(|table| fs::read_dir(out.join(table.name)).unwrap());
        let parts = tables.map(|entry| entry.unwrap());
        let time = |part: fs::DirEntry| (part.path(), part.metadata().unwrap().modified().unwrap());
        parts.map(time).collect::<BTreeMap<_, _>>()
    };
    let run = || {
        let mut looked = 0;
        let started = Instant::now();
        let summary = catalog(&inputs, &out, &Options::default(), &mut |_, _| looked += 1).unwrap();
        (summary, looked, times(), started.elapsed())
    };
    let (first, _, parts, slow) = run();
    let (second, looked, same, fast) = run();
    assert!(first.bad.is_empty(), "{:?}", first.bad);
    assert_eq!((first.files, first.containers), (wanted.len(), wanted.len()));
    // None is opened, to be listed or for its hash, and nothing is written.
    assert_eq!((looked, second.unchanged, second.written), (0, wanted.len(), 0));
    assert_eq!(same, parts);
    println!("first run {slow:?}, second run {fast:?}");
    let mut known = 0;
    for part in fs::read_dir(out.join("files")).unwrap() {
        let reader = SerializedFileReader::try_from(part.unwrap().path().as_path()).unwrap();
        for row in reader.into_iter().map(Result::unwrap) {
            let file = row.get_string(0).unwrap();
            let [entries, objects] = [7, 8].map(|column| row.get_long(column).unwrap() as u64);
            if let Some(wanted) = wanted[file] {
                assert_eq!((entries, objects), wanted, "{file}");
                known += 1;
            }
        }
    }
    assert!(known > 70, "only {known} of the files have a truth");
}
