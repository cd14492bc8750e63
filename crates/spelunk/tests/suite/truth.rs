//! The numbers that `info`, `ls` and `verify` give for real files, against what independent programs found.

use crate::common::{errors, info, open, rows, truth};
use serde_json::Value;
use spelunk_fixtures::corpus;
use test_support::json::{number, word};

#[test]
fn virtools() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    let mut objects = 0;
    for file in &files {
        let name = file.name.as_str();
        let truth = truth(&format!("truth/virtools/{name}.json"));
        let header = &truth["header"];
        let mut opened = open(name, &file.bytes);
        assert_eq!(opened.container().format(), "virtools");
        let details = info(name, &mut opened);
        for key in ["file_version", "object_count", "manager_count", "max_id", "product_version"] {
            assert_eq!(details[key], header[key], "{name}: {key}");
        }
        for key in ["ck_version", "product_build"] {
            assert_eq!(word(&details[key]), word(&header[key]), "{name}: {key}");
            assert_eq!(details[key].as_str().unwrap().len(), 10, "{name}: {key}");
        }
        assert_eq!(word(&details["write_mode"]), number(header, "write_mode"), "{name}");
        assert_eq!(word(&details["checksum"]["stored"]), word(&header["crc"]), "{name}");
        assert_eq!(details["checksum"]["ok"], true, "{name}");
        let full = header["crc_ok_full_range"] == true;
        let recipe = if full { "full" } else { "data-only" };
        assert_eq!(details["checksum"]["recipe"], recipe, "{name}");
        assert_eq!(details["classes"], truth["class_counts"], "{name}");
        assert_eq!(details["tail_size"], header["bytes_after_data"], "{name}");
        let stored = 64 + number(header, "hdr1_pack") + number(header, "data_pack");
        assert_eq!(number(&details, "stored_size"), stored, "{name}");
        assert_eq!(number(header, "file_size"), file.bytes.len() as u64);
        let packed = |key: &str| {
            let same = header[format!("{key}_pack")] == header[format!("{key}_unpack")];
            if same { "stored" } else { "zlib" }
        };
        assert_eq!(details["packing"]["header1"], packed("hdr1"), "{name}");
        assert_eq!(details["packing"]["data"], packed("data"), "{name}");
        let plugins: std::collections::BTreeMap<String, u64> = details["plugins"]
            .as_array()
            .unwrap()
            .iter()
            .map(|group| {
                let guids = group["guids"].as_array().unwrap().len() as u64;
                (number(group, "category").to_string(), guids)
            })
            .collect();
        assert_eq!(serde_json::json!(plugins), header["plugin_categories"], "{name}");

        let rows = rows(&mut opened);
        assert_eq!(rows.len() as u64, number(header, "object_count"), "{name}");
        objects += rows.len();
        let mut named = 0;
        for list in truth.as_object().unwrap().values().filter_map(Value::as_array) {
            for entry in list.iter().filter(|entry| entry["name"].is_string()) {
                let row = &rows[number(entry, "index") as usize];
                // The truth holds names as Latin-1; they differ from cp1252 in 0x80..0x9f alone.
                let latin1 = entry["name"].as_str().unwrap();
                if latin1.chars().all(|c| !c.is_control()) {
                    assert_eq!(row["name"], latin1, "{name}: object {}", row["index"]);
                    named += 1;
                }
            }
        }
        assert!(
            named > 0 || truth["header"]["object_count"] == 0 || name.ends_with(".nms"),
            "{name}"
        );
        assert_eq!(errors(&mut opened), Vec::<&str>::new(), "{name}");
    }
    assert!(files.len() > 42 || objects == 66_748, "{objects}");
}

#[test]
fn snpak() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    const NAMES: [&str; 5] = ["none", "lz4", "zstd", "lz4hc", "zstd-fast"];
    for file in &files {
        let name = file.name.as_str();
        let truth = truth(&format!("snpak/{}.json", name.trim_end_matches(".snpak")));
        let mut opened = open(name, &file.bytes);
        assert_eq!(opened.container().format(), "snpak");
        let details = info(name, &mut opened);
        let index = &truth["index"];
        assert_eq!(details["version"], truth["header"]["version"], "{name}");
        assert_eq!(details["asset_count"], index["entry_count"], "{name}");
        assert_eq!(details["bulk_count"], index["bulk_count"], "{name}");
        assert_eq!(details["string_count"], truth["strings"]["count"], "{name}");
        let chain = truth["index_chain"].as_array().unwrap().len() as u64;
        assert_eq!(number(&details, "index_chain"), chain, "{name}");
        assert_eq!(word(&details["flags"]), number(&truth["header"], "flags"), "{name}");

        let assets = truth["assets"].as_array().unwrap();
        let rows = rows(&mut opened);
        assert_eq!(rows.len(), assets.len(), "{name}");
        for (row, asset) in rows.iter().zip(assets) {
            let what = format!("{name}: asset {}", asset["i"]);
            assert_eq!(row["asset_id"], asset["id"], "{what}");
            assert_eq!(row["kind"], asset["kind"], "{what}");
            assert_eq!(row["payload_type"], asset["payload_type"], "{what}");
            assert_eq!(row["schema_version"], asset["schema"], "{what}");
            assert_eq!(row["name"], asset["name"], "{what}");
            let variant = asset["variant"].as_str().filter(|variant| !variant.is_empty());
            assert_eq!(row["variant"].as_str(), variant, "{what}");
            assert_eq!(row["size"], asset["size_uncompressed"], "{what}");
            let with_header = number(asset, "size_compressed_with_header");
            assert_eq!(number(row, "stored_size") + 80, with_header, "{what}");
            let compression = NAMES[number(asset, "compression") as usize];
            assert_eq!(row["compression"], compression, "{what}");
            assert_eq!(row["level"], asset["level"], "{what}");
            assert_eq!(row["hash"], asset["xxh3_128"], "{what}");
            let bulk = asset["bulk"].as_array().map_or(&[][..], Vec::as_slice);
            let listed = row["bulk"].as_array().unwrap();
            assert_eq!(listed.len(), bulk.len(), "{what}");
            for (listed, bulk) in listed.iter().zip(bulk) {
                assert_eq!(listed["semantic"], bulk["semantic"], "{what}");
                assert_eq!(listed["sub_index"], bulk["sub"], "{what}");
                assert_eq!(listed["size"], bulk["size_uncompressed"], "{what}");
                assert_eq!(listed["hash"], bulk["xxh3_128"], "{what}");
            }
        }
        assert_eq!(errors(&mut opened), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn spellforce_whole_gamedata() {
    let Some(files) = corpus::files("spellforce", &["cff"]) else { return };
    let truth = truth("truth/spellforce.json");
    // Rows of each language slot of the text category, counted by another program.
    let slots = [
        ("GameData-1.54-en.cff", "1.54_en", [39_118, 25_939, 22_698, 13_672, 13_652, 1]),
        ("GameData-1.54-ru.cff", "1.54_ru", [39_119, 25_939, 22_698, 13_671, 13_652, 1]),
    ];
    for (name, edition, slots) in slots {
        let file = files.iter().find(|file| file.name == name).expect(name);
        let truth = &truth["editions"][edition];
        let mut opened = open(name, &file.bytes);
        assert_eq!(opened.container().format(), "spellforce-cff");
        assert_eq!(opened.container().dialect(), None);
        let details = info(name, &mut opened);
        assert_eq!(details["format_version"], truth["header"]["format"]);
        assert_eq!(details["type"], truth["header"]["type"]);
        assert_eq!(details["file_version"], truth["header"]["version"]);
        let chunks = truth["chunks"].as_array().unwrap();
        assert_eq!(number(&details, "chunk_count"), chunks.len() as u64);
        let total: u64 = chunks.iter().map(|chunk| number(chunk, "rows")).sum();
        assert_eq!(number(&details, "rows"), total, "{name}");
        let listed: Vec<u64> = details["languages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|language| number(language, "rows"))
            .collect();
        assert_eq!(listed, slots, "{name}");
        let rows = rows(&mut opened);
        assert_eq!(rows.len(), chunks.len());
        for (row, chunk) in rows.iter().zip(chunks) {
            let what = format!("{name}: {}", chunk["id"]);
            assert_eq!(row["path"], chunk["id"].to_string(), "{what}");
            for (key, theirs) in
                [("id", "id"), ("occurrence", "occurrence"), ("data_type", "data_type")]
            {
                assert_eq!(row[key], chunk[theirs], "{what}");
            }
            assert_eq!(row["rows"], chunk["rows"], "{what}");
            assert_eq!(row["row_size"], chunk["row_size"], "{what}");
            assert_eq!(row["size"], chunk["data_len"], "{what}");
            assert_eq!(row["offset"], chunk["offset"], "{what}");
        }
        assert_eq!(errors(&mut opened), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn spellforce_reduced_and_other_games() {
    let Some(files) = corpus::files("spellforce/reduced", &["cff"]) else { return };
    let manifest = truth("spellforce/reduced/manifest.json");
    for file in files {
        let name = file.name.as_str();
        let mut opened = open(name, &file.bytes);
        let details = info(name, &mut opened);
        let listed: std::collections::BTreeMap<String, u64> = rows(&mut opened)
            .iter()
            .map(|row| (row["path"].as_str().unwrap().to_owned(), number(row, "rows")))
            .collect();
        assert_eq!(serde_json::json!(listed), manifest[name]["rows"], "{name}");
        assert_eq!(number(&details, "rows"), listed.values().sum::<u64>(), "{name}");
        assert_eq!(details["format_version"], manifest[name]["format"], "{name}");
        assert_eq!(errors(&mut opened), Vec::<&str>::new(), "{name}");
    }
    for file in corpus::files("spellforce/container", &["cff", "map"]).unwrap() {
        let name = file.name.as_str();
        let mut opened = open(name, &file.bytes);
        let (format, dialect, chunks) = if name.ends_with(".map") {
            ("spellforce-map", Some("spellforce2"), 25)
        } else {
            ("spellforce-cff", None, 11)
        };
        assert_eq!(opened.container().format(), format, "{name}");
        assert_eq!(opened.container().dialect(), dialect, "{name}");
        assert_eq!(number(&info(name, &mut opened), "chunk_count"), chunks, "{name}");
        assert_eq!(errors(&mut opened), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn spellforce_maps_archives_and_cache() {
    let Some(files) = corpus::files("spellforce/synthetic", &["map", "pak"]) else { return };
    let manifest = truth("spellforce/synthetic/manifest.json");
    for file in files {
        let name = file.name.as_str();
        let mut opened = open(name, &file.bytes);
        let details = info(name, &mut opened);
        if name.ends_with(".map") {
            assert_eq!(opened.container().format(), "spellforce-map");
            assert_eq!(opened.container().dialect(), None);
            assert_eq!(details["chunk_count"], manifest[name]["chunks"], "{name}");
            assert_eq!(details["map_size"], 64, "{name}");
        } else {
            assert_eq!(opened.container().format(), "spellforce-pak");
            assert_eq!(details["version"], 4, "{name}");
            assert_eq!(number(&details, "entry_count"), rows(&mut opened).len() as u64, "{name}");
        }
        assert_eq!(errors(&mut opened), Vec::<&str>::new(), "{name}");
    }
    let cache = corpus::files("spellforce", &["dat"]).unwrap().remove(0);
    let mut opened = open(&cache.name, &cache.bytes);
    assert_eq!(opened.container().format(), "spellforce-pakdata");
    let details = info(&cache.name, &mut opened);
    assert_eq!(details["pak_count"], 23);
    assert_eq!(details["entry_count"], 59_587);
    let rows = rows(&mut opened);
    assert_eq!(rows.len(), 59_587);
    let first = &rows[0];
    assert_eq!(first["path"], "sf0.pak/texture/terrain/landscape_island_086_stoned_l3.tga");
    assert_eq!((number(first, "size"), number(first, "offset")), (300, 78_532_310));
    assert_eq!(errors(&mut opened), Vec::<&str>::new());
}
