//! Real files. Runs where `SPELUNK_CORPUS` names a folder that has them.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{assert_round_trip, exercise, format, opened};
use spelunk_core::{Collect, Finding, Of, Severity, Val};
use spelunk_fixtures::{
    corpus::{self, RealFile},
    mutate::{mutate, mutate_header},
};
use test_support::{
    entries::{bytes_of, find, list, verify},
    fields::{info, value},
    json::truth,
    laws::{assert_covered, assert_paths_lead_back},
    task::budget,
};

fn unsigned(value: &Val<'_>) -> u64 {
    match value {
        Val::U(n) => *n,
        Val::I(n) => u64::try_from(*n).expect("not negative"),
        other => panic!("{other:?} is no number"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn editions() -> Option<Vec<(&'static str, RealFile)>> {
    let files = corpus::files("spellforce", &["cff"])?;
    let edition = |file: RealFile| {
        Some((if file.name.contains("-ru") { "1.54_ru" } else { "1.54_en" }, file))
    };
    Some(files.into_iter().filter_map(edition).collect())
}

#[test]
fn whole_editions_have_the_chunks_rows_and_languages_of_the_truth() {
    let (Some(editions), Some(truth)) = (editions(), truth(corpus::text("truth/spellforce.json")))
    else {
        return;
    };
    assert_eq!(editions.len(), 2);
    for (edition, file) in editions {
        let truth = &truth["editions"][edition];
        let bytes = &file.bytes;
        let (container, sink) = opened(bytes);
        let container = container.as_ref();
        assert!(sink.findings.is_empty(), "{:?}", sink.findings);
        assert_eq!((container.format(), container.dialect()), ("spellforce-cff", None));
        assert_eq!(truth["size"], bytes.len() as u64);
        let rows = list(container, Of::Listing);
        let chunks = truth["chunks"].as_array().unwrap();
        assert_eq!((rows.len(), chunks.len()), (49, 49));
        let mut total = 0;
        for (n, (row, chunk)) in rows.iter().zip(chunks).enumerate() {
            for (field, key) in [
                ("offset", "offset"),
                ("id", "id"),
                ("occurrence", "occurrence"),
                ("data_type", "data_type"),
                ("stored_size", "data_len"),
                ("rows", "rows"),
            ] {
                assert_eq!(chunk[key], unsigned(row.get(field)), "{edition} {} {field}", row.path);
            }
            assert_eq!(row.get("packed"), &Val::Bool(false));
            match chunk["row_size"].as_u64() {
                Some(size) => assert_eq!(unsigned(row.get("row_size")), size),
                None => assert_eq!(row.get("row_size"), &Val::None),
            }
            let category = spellforce::gamedata::CATEGORIES[n];
            assert_eq!(chunk["id"], category.id, "the table is in the order of the file");
            total += chunk["rows"].as_u64().unwrap();
        }
        let fields = info(container);
        assert_eq!(value(&fields, "rows"), Val::U(total));
        for (field, key) in
            [("format_version", "format"), ("type", "type"), ("file_version", "version")]
        {
            assert_eq!(truth["header"][key], unsigned(&value(&fields, field)));
        }
        let slots = match edition {
            "1.54_ru" => [39119, 25939, 22698, 13671, 13652, 1],
            _ => [39118, 25939, 22698, 13672, 13652, 1],
        };
        for (slot, rows) in slots.into_iter().enumerate() {
            assert_eq!(value(&fields, &format!("languages[{slot}].slot")), Val::U(slot as u64));
            assert_eq!(value(&fields, &format!("languages[{slot}].rows")), Val::U(rows));
        }
        assert!(!fields.iter().any(|field| field.path.starts_with("languages[6]")));
        let (own, known) = match edition {
            "1.54_ru" => (["ru", "Russian"], "vanilla-1.54-ru"),
            _ => (["en", "English"], "vanilla-1.54-en"),
        };
        let told = ["code", "name"].map(|key| value(&fields, &format!("languages[1].{key}")));
        assert_eq!(told, own.map(|text| Val::Str(text.into())));
        assert_eq!(value(&fields, "edition"), Val::Str(known.into()));
        assert_eq!(value(&fields, "evidence"), Val::Str("real files".into()));
    }
}

#[test]
fn sampled_rows_are_those_of_the_truth() {
    let (Some(editions), Some(truth)) = (editions(), truth(corpus::text("truth/spellforce.json")))
    else {
        return;
    };
    let mut compared = 0;
    for (edition, file) in editions {
        let container = opened(&file.bytes).0;
        let samples = truth["editions"][edition]["samples"].as_object().unwrap();
        for (id, rows) in samples {
            for row in rows.as_array().unwrap() {
                let path = format!("{id}[{}]", row["row"]);
                let nodes = find(container.as_ref(), &path);
                assert_eq!(nodes.len(), 1, "{path}");
                let bytes = bytes_of(container.as_ref(), nodes[0]).unwrap();
                let at = row["file_offset"].as_u64().unwrap() as usize;
                assert_eq!(bytes, file.bytes[at..at + bytes.len()], "{path}");
                if let Some(raw) = row["raw_hex"].as_str() {
                    assert_eq!(hex(&bytes), raw, "{edition} {path}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 600, "{compared}");
}

#[test]
fn whole_editions_are_covered_and_written_back_and_opened_by_their_headers() {
    let Some(editions) = editions() else { return };
    for (edition, file) in editions {
        let mut sink = Collect::default();
        let source: std::sync::Arc<dyn spelunk_core::Source> =
            std::sync::Arc::new(spelunk_core::Bytes::from(file.bytes.clone()));
        let mut task = spelunk_core::Task::new(budget(file.bytes.len()), &mut sink);
        let before = task.budget.left();
        let container = format(&file.bytes).unwrap().open(source, &mut task).unwrap();
        let after = task.budget.left();
        let (memory, steps) = (before.memory - after.memory, before.steps - after.steps);
        assert!(memory < 10_000 && steps < 1_000, "{edition}: {memory} bytes, {steps} steps");
        assert_covered(container.as_ref(), &file.bytes);
        assert_round_trip(container.as_ref(), &file.bytes);
        let found = verify(container.as_ref());
        assert!(found.findings.iter().all(|finding| finding.severity == Severity::Warning));
        for seed in 0..12 {
            exercise(format(&file.bytes).unwrap(), &mutate_header(&file.bytes, seed));
        }
    }
}

/// Opens, checks the laws, and tries mutations.
fn check(file: &RealFile, seeds: u64) -> Box<dyn spelunk_core::Container> {
    let bytes = &file.bytes;
    let (container, sink) = opened(bytes);
    assert!(sink.findings.is_empty(), "{}: {:?}", file.name, sink.findings);
    assert_covered(container.as_ref(), bytes);
    assert_round_trip(container.as_ref(), bytes);
    assert_paths_lead_back(container.as_ref());
    // A part of a GameData refers to rows that were left out.
    let found = verify(container.as_ref());
    let of_rows = |finding: &Finding| {
        let id = finding.error.code().id;
        // The maps have objects that the editor would drop.
        id.starts_with("GD") || (id == "MP015" && finding.severity == Severity::Info)
    };
    let other = found.findings.iter().find(|finding| !of_rows(finding));
    assert!(other.is_none(), "{}: {other:?}", file.name);
    let format = format(bytes).unwrap();
    for seed in 0..seeds {
        exercise(format, &mutate(bytes, seed));
        exercise(format, &mutate_header(bytes, seed));
    }
    container
}

#[test]
fn reduced_files_have_the_rows_of_their_manifest() {
    let Some(files) = corpus::files("spellforce/reduced", &["cff"]) else { return };
    let manifest = truth(corpus::text("spellforce/reduced/manifest.json")).unwrap();
    for file in &files {
        let container = check(file, 20);
        assert_eq!((container.format(), container.dialect()), ("spellforce-cff", None));
        let truth = &manifest[&file.name];
        let mut total = 0;
        for row in list(container.as_ref(), Of::Listing) {
            let rows = unsigned(row.get("rows"));
            assert_eq!(truth["rows"][&row.path], rows, "{} {}", file.name, row.path);
            total += rows;
        }
        let fields = info(container.as_ref());
        assert_eq!(value(&fields, "rows"), Val::U(total));
        assert_eq!(truth["format"], unsigned(&value(&fields, "format_version")));
        let packed = unsigned(&value(&fields, "packed_count"));
        // Every file is raw, packed throughout, or raw and packed by turns; the manifest says which.
        assert_eq!(truth["packed"] == 0, packed == 0, "{}", file.name);
        assert_eq!(file.name.contains("zlib"), packed == 49, "{}", file.name);
    }
}

#[test]
fn files_of_mods_and_of_the_second_game_are_named_for_what_they_are() {
    let Some(files) = corpus::files("spellforce/container", &["cff", "map"]) else { return };
    for file in &files {
        let container = check(file, 10);
        let rows = list(container.as_ref(), Of::Listing);
        let ids: Vec<_> = rows.iter().map(|row| unsigned(row.get("id"))).collect();
        let fields = info(container.as_ref());
        if file.name.ends_with(".cff") {
            assert_eq!((container.format(), container.dialect()), ("spellforce-cff", None));
            assert_eq!(ids, [2002, 2054, 2005, 2003, 2013, 2012, 2016, 2024, 2025, 2026, 2042]);
            assert_eq!(value(&fields, "rows"), Val::U(1 + 1 + 1 + 2 + 1 + 3 + 18 + 1 + 2 + 1 + 59));
        } else {
            assert_eq!(container.format(), "spellforce-map");
            assert_eq!(container.dialect(), Some("spellforce2"));
            assert_eq!(
                ids,
                [
                    9000, 9010, 1019, 1014, 1000, 1013, 1015, 1016, 1001, 1003, 1006, 1007, 1008,
                    1004, 1010, 1011, 1012, 1002, 1009, 1018, 1020, 1021, 1022, 1024, 3000,
                ]
            );
            assert_eq!(value(&fields, "packed_count"), Val::U(25));
            assert_eq!(value(&fields, "map_size"), Val::None);
        }
    }
    assert_eq!(files.len(), 4);
}

#[test]
fn synthetic_maps_and_archives_agree_with_their_manifest() {
    let Some(files) = corpus::files("spellforce/synthetic", &["map", "pak"]) else { return };
    let manifest = truth(corpus::text("spellforce/synthetic/manifest.json")).unwrap();
    for file in &files {
        let truth = &manifest[&file.name];
        assert_eq!(truth["size"], file.bytes.len() as u64);
        let container = check(file, 20);
        let fields = info(container.as_ref());
        if container.format() == "spellforce-pak" {
            assert_eq!(value(&fields, "checksum.ok"), Val::Bool(true), "{}", file.name);
            continue;
        }
        assert_eq!((container.format(), container.dialect()), ("spellforce-map", None));
        assert_eq!(truth["chunks"], unsigned(&value(&fields, "chunk_count")));
        assert_eq!(value(&fields, "map_size"), Val::I(64));
        let rows = list(container.as_ref(), Of::Listing);
        let mut ids: Vec<_> = rows.iter().map(|row| unsigned(row.get("id"))).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(truth["ids"], serde_json::json!(ids));
        assert!(rows.iter().all(|row| row.get("name") != &Val::None));
    }
    let archive = files.iter().find(|file| file.name == "sf90.pak").unwrap();
    let container = opened(&archive.bytes).0;
    let paths: Vec<_> =
        list(container.as_ref(), Of::Listing).into_iter().map(|row| row.path).collect();
    assert_eq!(paths.len(), 7);
    assert!(paths.contains(&"script/p101/n5538_flüchtling.lua".to_owned()), "{paths:?}");
}

#[test]
fn the_real_cache_holds_23_archives_and_59587_entries() {
    let Some(files) = corpus::files("spellforce", &["dat"]) else { return };
    let file = &files[0];
    let bytes = &file.bytes;
    let (container, sink) = opened(bytes);
    let container = container.as_ref();
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let fields = info(container);
    assert_eq!(value(&fields, "pak_count"), Val::U(23));
    assert_eq!(value(&fields, "entry_count"), Val::U(59_587));
    assert_eq!(value(&fields, "trailing_size"), Val::U(0));
    let pak = |n: usize| {
        let text = |name: &str| match value(&fields, &format!("paks[{n}].{name}")) {
            Val::Text(text) => String::from_utf8(text.into_owned()).unwrap(),
            other => panic!("{other:?}"),
        };
        let number = |name: &str| unsigned(&value(&fields, &format!("paks[{n}].{name}")));
        (text("key"), number("entry_count"), number("data_start"), number("file_size"))
    };
    assert_eq!(pak(0), ("sf0.pak".to_owned(), 2077, 109_480, 117_358_592));
    assert_eq!(pak(1).1, 3508);
    assert_eq!((pak(22).0.as_str(), pak(22).1), ("sf9.pak", 32));
    let small = (0..23).map(pak).find(|pak| pak.0 == "sf27.pak").unwrap();
    assert_eq!(small, ("sf27.pak".to_owned(), 2, 154, 4096));
    let rows = list(container, Of::Listing);
    assert_eq!(rows.len(), 59_587);
    assert_eq!(rows[0].path, "sf0.pak/texture/terrain/landscape_island_086_stoned_l3.tga");
    assert_eq!((rows[0].size, rows[0].get("offset")), (300, &Val::I(78_532_310)));
    assert_eq!(rows[0].get("pak"), &Val::Text(b"sf0.pak".to_vec().into()));
    let gold = find(container, "SF27.PAK/data/gold.sem");
    let row = rows.iter().find(|row| row.path == "sf27.pak/data/gold.sem").unwrap();
    assert_eq!(gold, [row.node]);
    assert_eq!((row.size, row.get("offset")), (16, &Val::I(16)));
    assert_covered(container, bytes);
    assert_round_trip(container, bytes);
    let format = format(bytes).unwrap();
    for seed in 0..30 {
        exercise(format, &mutate(bytes, seed));
        exercise(format, &mutate_header(bytes, seed));
    }
}

/// The order of all real archives, which only the cache knows: by hash, ties by the reversed path.
#[test]
fn the_hash_explains_the_order_of_every_real_archive() {
    let Some(files) = corpus::files("spellforce", &["dat"]) else { return };
    let container = opened(&files[0].bytes).0;
    let mut before: Option<(String, u16, Vec<u8>)> = None;
    let (mut pairs, mut ties) = (0, 0);
    for row in list(container.as_ref(), Of::Listing) {
        let (pak, path) = row.path.split_once('/').unwrap();
        // Names are Latin letters with umlauts: one byte each in the archive.
        let bytes: Vec<u8> = path.chars().map(|c| if c == '/' { b'\\' } else { c as u8 }).collect();
        let hash = spellforce::pak::path_hash(bytes.iter().copied());
        let reversed: Vec<u8> = bytes.into_iter().rev().collect();
        if let Some((pak_before, hash_before, reversed_before)) = &before
            && pak_before == pak
        {
            pairs += 1;
            ties += usize::from(*hash_before == hash);
            assert!((hash_before, reversed_before) < (&hash, &reversed), "{}", row.path);
        }
        before = Some((pak.to_owned(), hash, reversed));
    }
    assert_eq!((pairs, ties), (59_564, 2381));
}
