//! Packs that the reference implementation wrote, against what it says of them.

use crate::common::{errors, exercise, findings, open, open_sound};
use crate::judgements::JUDGEMENTS;
use serde_json::Value;
use snpak::{Compression, Pack, hash::hash128};
use spelunk_core::{
    Container, Of, Severity, Val,
    text::CodePages,
    walk::{Flat, finish},
};
use spelunk_fixtures::{corpus, mutate};
use std::collections::BTreeMap;
use test_support::{
    entries::{find_with, listed, write},
    fields::info_damaged,
    json::truth,
    laws::assert_covered_despite_damage,
    task::with_task,
};

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn uuid(bytes: [u8; 16]) -> String {
    Val::Uuid(bytes).to_string()
}

fn hex(bytes: &[u8]) -> String {
    Val::Bytes(bytes.into()).to_string()
}

fn unhex(text: &str) -> Vec<u8> {
    let digit = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("two digits");
    (0..text.len()).step_by(2).map(digit).collect()
}

/// Every pack with its truth.
fn packs() -> Option<Vec<(String, Vec<u8>, Value)>> {
    let files = corpus::files("snpak", &["snpak"])?;
    let with_truth = |file: corpus::RealFile| {
        let truth = format!("snpak/{}", file.name.replace(".snpak", ".json"));
        let truth = corpus::text(&truth).expect("a truth file");
        (file.name, file.bytes, serde_json::from_str(&truth).expect("JSON"))
    };
    Some(files.into_iter().map(with_truth).collect())
}

fn check_header(pack: &Pack, truth: &Value) {
    let (header, says) = (pack.header(), &truth["header"]);
    for (is, name) in [
        (header.version.get().into(), "version"),
        (header.header_size.get().into(), "header_size"),
        (header.file_size.get(), "file_size"),
        (header.index_offset.get(), "index_offset"),
        (header.index_size.get(), "index_size"),
        (header.string_table_offset.get(), "string_table_offset"),
        (header.string_table_size.get(), "string_table_size"),
        (header.type_table_offset.get(), "type_table_offset"),
        (header.type_table_size.get(), "type_table_size"),
        (header.flags.get().into(), "flags"),
        (header.reserved0.get().into(), "reserved0"),
        (header.previous_index_offset.get(), "prev_index_offset"),
        (header.previous_index_size.get(), "prev_index_size"),
    ] {
        assert_eq!(is, number(&says[name]), "{name}");
    }
    assert_eq!(format!("{:08x}", header.endian_marker.get()), text(&says["endian"]));
    assert_eq!(format!("{:032x}", header.index_hash.get()), text(&says["index_hash"]));
}

fn check_tables(pack: &Pack, truth: &Value) {
    let strings = pack.strings();
    let says = &truth["strings"];
    assert_eq!(u64::from(strings.count()), number(&says["count"]));
    assert_eq!(format!("{:032x}", strings.header().hash.get()), text(&says["hash"]));
    for (id, value) in (0..).zip(says["values"].as_array().expect("values")) {
        assert_eq!(strings.get(id).expect("a string"), text(value).as_bytes());
    }
    let (index, says) = (pack.index(), &truth["index"]);
    assert_eq!(index.entries().len() as u64, number(&says["entry_count"]));
    assert_eq!(index.bulk().len() as u64, number(&says["bulk_count"]));
    assert_eq!(index.owners().len() as u64, number(&says["dep_owner_count"]));
    assert_eq!(index.dependencies().len() as u64, number(&says["dep_entry_count"]));
    assert_eq!(format!("{:032x}", index.header().hash.get()), text(&says["entries_hash"]));
    let chain = truth["index_chain"].as_array().expect("a chain");
    assert_eq!(pack.links().len(), chain.len());
    let (history, _) = with_task(pack.len() as usize, |task| pack.history(task));
    let history = history.expect("a history");
    assert!(history.problems.is_empty());
    let older = history.revisions.iter().map(|revision| &revision.index);
    for (index, says) in std::iter::once(index).chain(older).zip(chain) {
        assert_eq!(index.at().start, number(&says["offset"]));
        assert_eq!(index.at().len, number(&says["size"]));
        assert_eq!(index.entries().len() as u64, number(&says["entries"]));
        assert_eq!(index.bulk().len() as u64, number(&says["bulk"]));
    }
    // Every older index finds a string table of its own.
    for revision in &history.revisions {
        assert!(revision.strings.is_some());
    }
}

/// Compares a payload with its truth. The reference's sha256 stands for the same bytes as its
/// XXH3-128, which is compared here.
fn check_payload(pack: &Pack, row: usize, nth: Option<usize>, says: &Value, len: &str) {
    let (payload, _) = with_task(pack.len() as usize, |task| match nth {
        None => pack.payload(row, task),
        Some(nth) => pack.bulk_payload(row, nth, task),
    });
    let payload = payload.expect("a payload");
    assert_eq!(payload.len() as u64, number(&says[len]));
    assert_eq!(format!("{:032x}", hash128(&payload).get()), text(&says["xxh3_128"]));
}

fn is_shadowed(pack: &Pack, row: usize) -> bool {
    let (is, _) = with_task(pack.len() as usize, |task| pack.is_shadowed(row, &mut task.budget));
    is.expect("enough memory")
}

fn check_asset(pack: &Pack, row: usize, says: &Value) -> usize {
    let entry = pack.entry(row).expect("an entry");
    assert_eq!(uuid(entry.asset_id.0), text(&says["id"]));
    assert_eq!(uuid(entry.asset_kind.0), text(&says["kind"]));
    assert_eq!(uuid(entry.cooked_payload_type.0), text(&says["payload_type"]));
    for (is, name) in [
        (entry.cooked_schema_version.get().into(), "schema"),
        (entry.name_string_id.get().into(), "name_id"),
        (entry.variant_string_id.get().into(), "variant_id"),
        (entry.payload_chunk_offset.get(), "offset"),
        (entry.payload_chunk_size_compressed.get(), "size_compressed_with_header"),
        (entry.payload_chunk_size_uncompressed.get(), "size_uncompressed"),
        (entry.compression.into(), "compression"),
        (entry.level.get().into(), "level"),
        (entry.flags.into(), "flags"),
        (entry.bulk_first_index.get().into(), "bulk_first"),
        (entry.bulk_count.get().into(), "bulk_count"),
    ] {
        assert_eq!(is, number(&says[name]), "{name} of {row}");
    }
    assert_eq!(hex(pack.name(entry).expect("a name")), text(&says["name_hex"]));
    let variant = pack.variant(entry).unwrap_or_default();
    assert_eq!(variant, text(&says["variant"]).as_bytes());
    assert_eq!(format!("{:016x}", entry.name_hash64.get()), text(&says["name_hash64"]));
    assert_eq!(format!("{:016x}", entry.variant_hash64.get()), text(&says["variant_hash64"]));
    assert_eq!(format!("{:032x}", entry.payload_hash.get()), text(&says["xxh3_128"]));
    let shadowed = says["shadowed_by_later_same_id"].as_bool().expect("a flag");
    assert_eq!(is_shadowed(pack, row), shadowed);
    let (found, _) = with_task(pack.len() as usize, |task| {
        pack.by_name(pack.name(entry).expect("a name"), &mut task.budget)
    });
    assert_eq!(found.expect("enough memory").len() as u64, number(&says["found_by_name"]));
    check_payload(pack, row, None, says, "payload_len");

    let bulk = says["bulk"].as_array().expect("bulk");
    assert_eq!(pack.bulk(entry).len(), bulk.len());
    for (nth, (is, says)) in pack.bulk(entry).iter().zip(bulk).enumerate() {
        for (is, name) in [
            (is.semantic.get().into(), "semantic"),
            (is.sub_index.get().into(), "sub"),
            (is.chunk_offset.get(), "offset"),
            (is.size_compressed.get(), "size_compressed_with_header"),
            (is.size_uncompressed.get(), "size_uncompressed"),
            (is.compression.into(), "compression"),
            (is.level.into(), "level"),
        ] {
            assert_eq!(is, number(&says[name]), "{name} of bulk {nth} of {row}");
        }
        check_payload(pack, row, Some(nth), says, "len");
    }
    let needs = says["deps"].as_array().expect("deps");
    assert_eq!(pack.dependencies(row).len(), needs.len());
    for (is, says) in pack.dependencies(row).iter().zip(needs) {
        assert_eq!(uuid(is.asset_id.0), text(&says["id"]));
        let name = pack.strings().get(is.name_string_id.get()).unwrap_or_default();
        assert_eq!(name, text(&says["name"]).as_bytes());
        assert_eq!(u64::from(is.kind), number(&says["kind"]));
    }
    1 + bulk.len()
}

#[test]
fn every_pack_says_what_the_reference_says() {
    let Some(packs) = packs() else { return };
    let mut chunks = 0;
    for (name, bytes, truth) in &packs {
        let pack = open_sound(bytes);
        assert_eq!(pack.len(), number(&truth["size"]), "{name}");
        check_header(&pack, truth);
        check_tables(&pack, truth);
        for (row, says) in truth["assets"].as_array().expect("assets").iter().enumerate() {
            chunks += check_asset(&pack, row, says);
        }
    }
    assert_eq!((packs.len(), chunks), (18, CHUNKS));
}

/// Main and bulk chunks of the active indexes of all packs.
const CHUNKS: usize = 196;

#[test]
fn every_pack_is_covered_verified_and_written_back() {
    let Some(packs) = packs() else { return };
    let mut not_reproduced = BTreeMap::new();
    for (name, bytes, _) in &packs {
        let pack = open_sound(bytes);
        assert_covered_despite_damage(&pack, "a pack");
        assert_eq!(errors(bytes).expect(name), [""; 0], "{name}");
        assert!(write(&pack, false).0 == *bytes, "{name}");
        let (out, sink) = write(&pack, true);
        assert!(out == *bytes, "{name}");
        for finding in &sink.findings {
            assert_eq!(finding.error.code().id, "SP041");
            assert_eq!(finding.severity, Severity::Info);
        }
        if !sink.findings.is_empty() {
            not_reproduced.insert(name.as_str(), sink.findings.len());
        }
    }
    println!("{not_reproduced:?}");
}

#[test]
fn the_summary_tells_generation_and_sizes() {
    let Some(packs) = packs() else { return };
    let expected = [
        ("01_empty.snpak", "seed", "0"),
        ("02_one_none.snpak", "seed", "0"),
        ("03_all_compressions_levels.snpak", "levels", "0"),
        ("04_writer_defaults.snpak", "levels", "0"),
        ("06_variants.snpak", "levels", "0"),
        ("08_bulk.snpak", "sub-index", "0"),
        ("10_zero_and_edge_sizes.snpak", "levels", "0"),
        ("11_append2.snpak", "full-append", ""),
        ("13_deps.snpak", "dependencies", "0"),
        ("15_old_then_new_append.snpak", "dependencies", ""),
        ("16_old_delta_then_new_append.snpak", "full-append", ""),
        ("18_trailing_bytes_only.snpak", "seed", "8"),
        ("20_textures.snpak", "seed", "0"),
        ("old_01_lz4.snpak", "seed", "0"),
        ("old_01_none.snpak", "seed", "0"),
        ("old_01_zstd.snpak", "seed", "0"),
        ("old_04_empty.snpak", "seed", "0"),
        ("old_05_append2_delta.snpak", "seed-delta", ""),
    ];
    for ((name, bytes, truth), (file, generation, wasted)) in packs.iter().zip(expected) {
        assert_eq!(name, file);
        let pack = open_sound(bytes);
        let info: BTreeMap<String, String> = info_damaged(&pack).texts().into_iter().collect();
        assert_eq!(info["generation"], generation, "{name}");
        if !wasted.is_empty() {
            assert_eq!(info["wasted_size"], wasted, "{name}");
        } else {
            assert!(info["wasted_size"].parse::<u64>().expect("a number") > 0, "{name}");
        }
        let assets = truth["assets"].as_array().expect("assets");
        let mut stored = BTreeMap::new();
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for asset in assets {
            for chunk in std::iter::once(asset).chain(asset["bulk"].as_array().expect("bulk")) {
                let size = number(&chunk["size_compressed_with_header"]) - 80;
                if stored.insert(number(&chunk["offset"]), size).is_none() {
                    let id = number(&chunk["compression"]) as u8;
                    *counts.entry(Compression(id).name()).or_default() += 1;
                }
            }
        }
        assert_eq!(info["stored_size"], stored.values().sum::<u64>().to_string(), "{name}");
        for (compression, count) in counts {
            assert_eq!(info[&format!("compression.{compression}")], count.to_string(), "{name}");
        }
    }
}

#[test]
fn every_entry_is_found_by_every_path() {
    let Some(packs) = packs() else { return };
    for (name, bytes, _) in &packs {
        let pack = open_sound(bytes);
        for pages in [CodePages::utf8(), CodePages::from_labels("utf8,cp1252").expect("labels")] {
            let (assets, sink) = listed(&pack, Of::Listing, &pages);
            assert!(sink.findings.is_empty(), "{name}");
            assert_eq!(listed(&pack, Of::Root, &pages).0, assets);
            for (row, (node, path)) in assets.iter().enumerate() {
                let find = |path: &str| find_with(&pack, path, &pages);
                assert!(find(path).contains(node), "{name}: {path}");
                assert_eq!(find(&format!("#{row}")), [*node]);
                let id = uuid(pack.entry(row).expect("an entry").asset_id.0);
                if is_shadowed(&pack, row) {
                    assert_eq!(*path, format!("#{row}"), "{name}");
                } else {
                    assert_eq!(find(&id.to_uppercase()), [*node]);
                }
                for (nth, (bulk, path)) in
                    listed(&pack, Of::Node(*node), &pages).0.into_iter().enumerate()
                {
                    assert!(find(&path).contains(&bulk), "{name}: {path}");
                    let (_, key) = path.split_once('#').expect("a bulk chunk");
                    let key = key.split_once('@').map_or(key, |(key, _)| key);
                    assert!(find(&format!("#{row}#{key}")).contains(&bulk), "{name}: {path}");
                    assert_eq!(find(&format!("#{row}#{key}@{nth}")), [bulk], "{name}: {path}");
                }
            }
        }
    }
}

#[test]
fn repeated_bulk_chunks_have_paths_of_their_own() {
    let Some(packs) = packs() else { return };
    let (_, bytes, _) = packs.iter().find(|(name, ..)| name == "08_bulk.snpak").expect("the pack");
    let pack = open_sound(bytes);
    let pages = pack.code_pages();
    let [asset] = find_with(&pack, "mesh/aux", &pages)[..] else { panic!("one asset") };
    let (bulk, _) = listed(&pack, Of::Node(asset), &pages);
    let paths: Vec<&str> = bulk.iter().map(|(_, path)| path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "mesh/aux#2/0",
            "mesh/aux#2/7",
            "mesh/aux#65541/4294967295",
            "mesh/aux#0/0@3",
            "mesh/aux#0/0@4",
            "mesh/aux#65535/1",
            "mesh/aux#1/3",
        ]
    );
    assert_eq!(find_with(&pack, "mesh/aux#0/0", &pages), [bulk[3].0, bulk[4].0]);
    assert_eq!(find_with(&pack, "mesh/aux#0/0@4", &pages), [bulk[4].0]);
    assert_eq!(find_with(&pack, "mesh/aux#2/7@1", &pages), [bulk[1].0]);
    for none in ["mesh/aux#0/0@1", "mesh/aux#0/0@9", "mesh/aux#0/0@", "mesh/aux#0/0@3@3"] {
        assert_eq!(find_with(&pack, none, &pages), [], "{none}");
    }
    for (node, path) in &bulk {
        let (walked, _) = with_task(bytes.len(), |task| {
            Container::entry(&pack, *node, &pages, task, &mut |entry, _| {
                assert_eq!((entry.node, entry.path), (*node, path.as_str()));
                Ok(())
            })
        });
        finish(walked).expect("an entry");
    }
}

/// What the C++ reader with all checks says of a damaged pack, and what is expected here.
fn expected(outcome: &str) -> &'static str {
    let hash_damage = ["hash mismatch"];
    if outcome.starts_with("open error") {
        return if hash_damage.iter().any(|text| outcome.contains(text)) {
            "findings"
        } else {
            "refused"
        };
    }
    if outcome.starts_with("load errors") { "findings" } else { "clean" }
}

#[test]
fn every_damaged_pack_is_judged_as_the_reference_does() {
    let Some(packs) = packs() else { return };
    let files: BTreeMap<&str, &Vec<u8>> =
        packs.iter().map(|(name, bytes, _)| (name.as_str(), bytes)).collect();
    let cases = truth(corpus::text("snpak/corrupt_variants.json")).expect("the cases");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in cases["cases"].as_array().expect("cases") {
        let name = text(&case["name"]);
        let mut bytes = files[text(&case["base"])].clone();
        for patch in case["patches"].as_array().expect("patches") {
            let (at, new) = (number(&patch[0]) as usize, unhex(text(&patch[1])));
            bytes[at..at + new.len()].copy_from_slice(&new);
        }
        if let Some(len) = case["truncate_to"].as_u64() {
            bytes.truncate(len as usize);
        }
        if let Some(more) = case["append_hex"].as_str() {
            bytes.extend(unhex(more));
        }
        let is = match errors(&bytes) {
            Err(_) => "refused",
            Ok(errors) if errors.is_empty() => "clean",
            Ok(_) => "findings",
        };
        let says = match name {
            // The reference never compares these two hashes with the chunk's.
            "entry_payload_hash_differs_from_chunk" | "bulk_entry_hash_differs_from_chunk" => {
                "checked here"
            }
            _ => expected(text(&case["cpp_new_verify_all"])),
        };
        *counts.entry(says).or_default() += 1;
        let codes = match findings(&bytes) {
            Err(error) => vec![error.code().id],
            Ok(found) => found.into_iter().map(|(id, _)| id).collect(),
        };
        let known = JUDGEMENTS.iter().find(|(known, _)| *known == name);
        assert_eq!(codes, known.expect("a judgement").1, "{name}");
        if is != says && (says, is) != ("checked here", "findings") {
            wrong.push(format!("{name}: {is} instead of {says}: {:?}", findings(&bytes)));
        }
        if is != "refused" {
            let pack = open(&bytes).0.expect("a pack that opens");
            assert_covered_despite_damage(&pack, "a pack");
            assert!(write(&pack, false).0 == bytes, "{name}");
            assert!(write(&pack, true).0 == bytes, "{name}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all = [("checked here", 2), ("clean", 17), ("findings", 36), ("refused", 42)];
    assert_eq!(counts, BTreeMap::from(all));
}

#[test]
fn no_mutation_of_a_real_pack_panics() {
    let Some(packs) = packs() else { return };
    let mut opened = 0;
    for (_, bytes, _) in packs.iter().filter(|(_, bytes, _)| bytes.len() < 20_000) {
        for seed in 0..150 {
            opened += usize::from(exercise(&mutate::mutate(bytes, seed)));
            opened += usize::from(exercise(&mutate::mutate_header(bytes, seed)));
        }
    }
    assert!(opened > 500, "{opened} mutated packs still open");
}

/// A row of `ls` as paths and texts.
fn row(pack: &Pack, wanted: usize) -> Vec<(String, String)> {
    let mut flat = Flat::default();
    let (walked, _) = with_task(pack.len() as usize, |task| {
        pack.children(Of::Listing, &pack.code_pages(), task, &mut |entry, task| {
            if entry.node.0 as usize == wanted {
                entry.details.walk(task, &mut flat)
            } else {
                Ok(())
            }
        })
    });
    finish(walked).expect("a listing");
    flat.fields.into_iter().map(|field| (field.path, field.value.to_string())).collect()
}

#[test]
fn rows_have_the_fields_that_are_promised() {
    let Some(packs) = packs() else { return };
    let (_, bytes, _) = packs.iter().find(|(name, ..)| name == "13_deps.snpak").expect("the pack");
    let pack = open_sound(bytes);
    let row = row(&pack, 0);
    let names: Vec<&str> = row.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(
        names[..18],
        [
            "index",
            "asset_id",
            "kind",
            "kind_name",
            "payload_type",
            "payload_type_name",
            "schema_version",
            "name",
            "variant",
            "stored_size",
            "compression",
            "level",
            "hash",
            "flags",
            "shadowed",
            "dependencies[0].asset_id",
            "dependencies[0].name",
            "dependencies[0].kind",
        ]
    );
    let values: BTreeMap<_, _> = row.into_iter().collect();
    assert_eq!(values["asset_id"], "11112222-3333-4444-8555-000000000001");
    assert_eq!(values["hash"], "6569288635150e058b9602981dddedf9");
    assert_eq!(values["stored_size"], "243");
    assert_eq!(values["compression"], "zstd");
    assert_eq!(values["variant"], "nothing");
    assert_eq!(values["dependencies[2].name"], "\"Only/Name\"");
}
