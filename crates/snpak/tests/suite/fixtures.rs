//! Packs from labelled parts, which share no layout code with this crate.

use crate::common::{errors, exercise, findings, open, open_sound};
use proptest::prelude::*;
use snpak::{Pack, SnPak, codes};
use spelunk_core::{
    Budget, Bytes, Container, Format, Limits, Node, Of, Probe, Severity, Space, Strict, Task,
    WriteOptions,
    text::CodePages,
    walk::{Flat, Locate, finish},
};
use spelunk_fixtures::{
    Fixture, malformed, mutate, samples,
    snpak::{self as made, Append, Asset, Bulk, Codec, Dependency, Generation},
};
use std::sync::Arc;
use test_support::{
    entries::{find_with, listed, write},
    fields::info_damaged,
    laws::assert_covered_despite_damage,
    open::Ranged,
    task::with_task,
};

fn all() -> Vec<(&'static str, Fixture)> {
    let samples = spelunk_fixtures::samples().into_iter();
    samples.filter(|s| s.format == "snpak").map(|s| (s.name, s.fixture)).collect()
}

#[test]
fn every_sample_is_covered_verified_and_written_back() {
    for (name, file) in all() {
        let pack = open_sound(&file.bytes);
        assert_covered_despite_damage(&pack, "a pack");
        assert_eq!(errors(&file.bytes).expect(name), [""; 0], "{name}");
        for recompress in [false, true] {
            let (out, sink) = write(&pack, recompress);
            assert!(out == file.bytes, "{name}");
            if cfg!(feature = "c-codecs") {
                assert!(sink.findings.is_empty(), "{name}: {:?}", sink.findings);
            }
        }
    }
}

#[test]
fn every_field_is_where_the_fixture_has_it() {
    let file = samples::appended_pack().build();
    let pack = open_sound(&file.bytes);
    let mut flat = Flat::default();
    finish(with_task(file.bytes.len(), |task| pack.layout(task, &mut flat)).0).expect("a layout");
    let start_of = |suffix: &str, at: usize| {
        let here = |field: &&spelunk_core::walk::FlatField| {
            field.path.ends_with(suffix) && field.at.is_some_and(|span| span.start == at as u64)
        };
        flat.fields.iter().find(here).map(|field| field.path.clone())
    };
    for (part, suffix) in [
        ("header.previous_size", ".previous_index_size"),
        ("strings[0].count", ".header.string_count"),
        ("strings[0].data", ".data[0]"),
        ("index[1].dependency_count", ".header.dependency_count"),
        ("index[1].tables.entries[2].bulk_count", ".entries[2].bulk_count"),
        ("index[1].tables.entries[3].hash_hi", ".entries[3].payload_hash"),
        ("index[1].tables.bulk[4].level", ".bulk_entries[4].level"),
        ("index[0].tables.owners[0].count", ".owners[0].count"),
        ("index[0].tables.dependencies[2].kind", ".dependencies[2].kind"),
        ("chunks[3].size_uncompressed", ".size_uncompressed"),
        ("chunks[3].data", ".payload"),
    ] {
        assert!(start_of(suffix, file.offset_of(part)).is_some(), "{part}");
    }
    let at = file.offset_of("chunks[3].data") as u64 + 1;
    let mut locate = Locate::new(Space::FILE, at);
    finish(with_task(file.bytes.len(), |task| pack.layout(task, &mut locate)).0).expect("a layout");
    let found = locate.found.expect("every byte has a field");
    assert!(found.field.path.ends_with(".payload") && found.groups.len() == 2);
}

#[test]
fn ranges_and_memory_give_the_same() {
    for (name, file) in all() {
        let lent = open_sound(&file.bytes);
        let len = file.bytes.len();
        let (read, _) =
            with_task(len, |task| Pack::read_from(Arc::new(Ranged(file.bytes.clone())), task));
        let read = read.expect(name);
        assert_eq!(info_damaged(&lent).texts(), info_damaged(&read).texts());
        assert_covered_despite_damage(&read, "a pack");
        assert_eq!(write(&read, true).0, file.bytes);
        let ((), sink) = with_task(len, |task| {
            let before = task.budget.left().memory;
            read.verify(task).expect("a sound pack");
            // What verifying keeps: the buffer that is used again, and the sorted ids of the pack.
            let kept = task.scratch.len() + 8 * read.index().entries().len();
            assert!(before - task.budget.left().memory <= kept as u64);
            let before = task.budget.left().memory;
            read.verify(task).expect("a sound pack");
            read.info(task, &mut Flat::default()).expect("a summary");
            read.layout(task, &mut Flat::default()).expect("a layout");
            read.write(&mut std::io::sink(), &WriteOptions::default(), task).expect("written");
            assert_eq!(task.budget.left().memory, before, "{name}");
        });
        assert!(!sink.has_errors());
        for row in 0..read.index().entries().len() {
            let bytes = |pack: &Pack| with_task(len, |task| pack.payload(row, task)).0.expect(name);
            assert_eq!(bytes(&lent), bytes(&read));
        }
    }
}

#[test]
fn malformed_packs_are_refused_or_have_findings() {
    let refused = [
        ("short-header.snpak", "SP001"),
        ("short-file.snpak", codes::FILE_SIZE.id),
        ("big-endian.snpak", codes::BIG_ENDIAN.id),
        ("version2.snpak", codes::VERSION.id),
        ("header184.snpak", codes::HEADER_LONG.id),
        ("index-offset.snpak", codes::TABLE_RANGE.id),
        ("index-magic.snpak", codes::INDEX_MAGIC.id),
        ("entry-count.snpak", codes::INDEX_COUNT.id),
        ("one-byte.snpak", codes::MAGIC.id),
    ];
    let mut seen = 0;
    for file in malformed().into_iter().filter(|file| file.name.ends_with(".snpak")) {
        let found = findings(&file.bytes);
        let (name, bytes) = (file.name, &file.bytes);
        match refused.iter().find(|(known, _)| *known == name) {
            // One byte is the start of many things; its code may also be that of a cut header.
            Some((_, code)) if name == "one-byte.snpak" => {
                let id = found.expect_err(name).code().id;
                assert!([code, &"SP001"].contains(&&id), "{id}");
                assert_eq!(SnPak.probe(bytes, 1), Probe::No);
            }
            Some((_, code)) => {
                assert_eq!(found.expect_err(name).code().id, *code, "{name}");
                assert_eq!(SnPak.probe(bytes, bytes.len() as u64), Probe::Yes, "{name}");
            }
            None => {
                let (code, severity) = match name {
                    "payload.snpak" => (codes::DECODE.id, Severity::Error),
                    _ => (codes::CHAIN_LINK.id, Severity::Warning),
                };
                let found = found.expect(name);
                let same = |(id, how): &(&str, Severity)| {
                    *how == severity && (*id == code || *id == codes::PAYLOAD_HASH.id)
                };
                assert!(found.iter().any(same), "{name}: {found:?}");
                assert_covered_despite_damage(&open(bytes).0.expect(name), "a pack");
            }
        }
        seen += 1;
    }
    assert_eq!(seen, refused.len() + 2);
}

#[test]
fn rarer_damage_has_codes_of_its_own() {
    /// What is damaged, the parts and their new first bytes, and the codes that follow.
    type Case<'a> = (&'a str, &'a [(&'a str, &'a [u8])], &'a [&'a str]);
    let cases: [Case<'_>; 7] = [
        (
            "chunk version",
            &[("chunks[0].version", &[2])],
            &[codes::CHUNK_VERSION.id, codes::GAP.id],
        ),
        (
            "chunk offset",
            &[("index[0].tables.entries[5].chunk_offset", &[0xff; 8])],
            &[codes::CHUNK_RANGE.id, codes::GAP.id],
        ),
        (
            "compression id",
            &[("index[0].tables.entries[5].compression", &[9]), ("chunks[13].compression", &[9])],
            &[codes::COMPRESSION_UNKNOWN.id],
        ),
        (
            "plain size",
            &[
                ("index[0].tables.entries[3].plain_size", &[0, 0, 0, 0x40]),
                ("chunks[11].size_uncompressed", &[0, 0, 0, 0x40]),
            ],
            &[codes::PLAIN_SIZE.id],
        ),
        ("name id", &[("index[0].tables.entries[3].name_id", &[99])], &[codes::NAME_ID.id]),
        (
            "a flag and a range without an asset",
            &[
                ("index[0].tables.entries[1].flags", &[2]),
                ("index[0].tables.entries[1].bulk_count", &[0]),
            ],
            &[codes::FLAGS.id, codes::BULK_UNUSED.id],
        ),
        (
            "bulk count without the flag",
            &[("index[0].tables.entries[1].flags", &[0])],
            &[codes::BULK_FLAG.id, codes::BULK_UNUSED.id],
        ),
    ];
    let codes_of = |file: &Fixture| -> Vec<&str> {
        findings(&file.bytes).expect("it opens").into_iter().map(|(id, _)| id).collect()
    };
    for (what, pokes, codes) in cases {
        let mut file = samples::pack().build();
        for (part, bytes) in pokes {
            file.poke(part, bytes);
        }
        made::rehash(&mut file);
        assert_eq!(codes_of(&file), codes, "{what}");
        exercise(&file.bytes);
    }
    assert_eq!(codes_of(&samples::duplicate_pack().build()), [codes::DUPLICATE_ID.id]);

    let mut file = samples::pack().build();
    file.poke("strings[0].data", &[0xff]);
    let found = codes_of(&file);
    for code in [codes::STRINGS_HASH.id, codes::NOT_UTF8.id, codes::NAME_HASH.id] {
        assert!(found.contains(&code), "{found:?}");
    }
    let mut file = samples::appended_pack().build();
    file.poke("index[0].hash_hi", &[0; 8]);
    assert_eq!(codes_of(&file), [codes::CHAIN_DAMAGE.id]);
    let mut file = samples::delta_pack().build();
    file.poke("strings[0].magic", b"XXXX");
    let found = codes_of(&file);
    for code in [codes::CHAIN_STRINGS.id, codes::HIDDEN_ASSETS.id, codes::GAP.id] {
        assert!(found.contains(&code), "{found:?}");
    }
}

#[test]
fn a_strict_sink_ends_at_the_first_damage() {
    let mut file = samples::pack().build();
    file.poke("strings[0].hash_hi", &[0; 8]);
    assert_eq!(errors(&file.bytes).expect("it opens"), [codes::STRINGS_HASH.id]);
    let mut sink = Strict;
    let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
    let error = Pack::read_from(Arc::new(Bytes::from(file.bytes)), &mut task).unwrap_err();
    assert_eq!(error.code().id, codes::STRINGS_HASH.id);
}

#[test]
fn paths_ids_and_positions_name_assets_and_bulk_chunks() {
    let file = samples::duplicate_pack().build();
    let pack = open_sound(&file.bytes);
    let find = |path: &str| find_with(&pack, path, &pack.code_pages());
    let (assets, _) = listed(&pack, Of::Listing, &pack.code_pages());
    let paths: Vec<&str> = assets.iter().map(|(_, path)| path.as_str()).collect();
    assert_eq!(paths, ["sounds/wind", "#1", "sounds/wind (2)"], "the third hides the second");
    for (node, path) in &assets {
        assert_eq!(find(path), [*node], "{path}");
    }
    assert_eq!(find("#3"), []);
    assert_eq!(find("{492D61EB-B492-5927-BEA4-B262E9BED2CA}"), [Node(2)], "the last one counts");
    assert_eq!(find("#0#65537/7"), [Node(1 << 32)]);
    assert_eq!(find("sounds/wind#2/0"), [Node(2 << 32)]);
    assert_eq!(find("sounds/wind#2/1"), []);
    let bytes = |node| with_task(file.bytes.len(), |task| pack.bytes(node, task)).0;
    assert_eq!(bytes(Node(0)).expect("a payload"), "first");
    assert_eq!(bytes(Node(1 << 32)).expect("a payload"), "sub".repeat(20));
    assert_eq!(bytes(Node(9)).unwrap_err().code().id, "SP022");
    assert_eq!(bytes(Node(9 << 32)).unwrap_err().code().id, "SP022");

    let pack = open_sound(&samples::pack().build().bytes);
    let find = |path: &str| find_with(&pack, path, &pack.code_pages());
    assert_eq!(find("textures/bark"), [Node(0)]);
    assert_eq!(find("textures/bark@mobile"), [Node(1)]);
    let mip = find("textures/bark#1/0");
    assert_eq!(mip, [Node(1 << 32)]);
    let mut kinds = Vec::new();
    let (walked, _) = with_task(0, |task| {
        pack.children(Of::Node(Node(0)), &pack.code_pages(), task, &mut |entry, _| {
            kinds.push((entry.path.to_owned(), entry.kind.to_owned(), entry.size));
            Ok(())
        })
    });
    finish(walked).expect("bulk chunks");
    assert_eq!(kinds[0], ("textures/bark#1/0".into(), "level".into(), 16 * 16 * 4));
}

#[test]
fn assets_of_one_name_and_different_ids_share_their_path() {
    let mut made = samples::duplicate_pack();
    made.assets.truncate(2);
    let pack = open_sound(&made.build().bytes);
    for pages in [pack.code_pages(), CodePages::cp1252()] {
        let (assets, _) = listed(&pack, Of::Listing, &pages);
        assert!(assets.iter().all(|(_, path)| path == "sounds/wind"));
        assert_eq!(find_with(&pack, "sounds/wind", &pages), [Node(0), Node(1)]);
    }
}

#[test]
fn bulk_chunks_have_one_row_wherever_they_are_listed() {
    let pack = open_sound(&samples::duplicate_pack().build().bytes);
    let rows = |of: Of| {
        let mut flat = Flat::default();
        let walk = |task: &mut Task<'_>| {
            finish(pack.children(of, &pack.code_pages(), task, &mut |entry, task| {
                entry.details.walk(task, &mut flat)
            }))
        };
        with_task(0, walk).0.expect("a listing");
        flat.fields
    };
    let own = rows(Of::Node(Node(0)));
    let names: Vec<&str> = own[..7].iter().map(|field| field.field.name).collect();
    let wanted = ["semantic", "sub_index", "size", "stored_size", "compression", "level", "hash"];
    assert_eq!(names, wanted);
    let of_asset = rows(Of::Listing).into_iter().filter(|field| field.path.starts_with("bulk["));
    let of_asset: Vec<_> = of_asset.map(|field| (field.field.name, field.value)).collect();
    let own: Vec<_> = own.into_iter().map(|field| (field.field.name, field.value)).collect();
    assert_eq!(own, of_asset);
}

#[test]
fn the_high_bytes_of_levels_are_reserved() {
    let base = made::Pack { assets: samples::pack().assets[1..2].to_vec(), ..Default::default() };
    let mut base = base.build();
    let level = base.bytes[base.offset_of("index[0].tables.entries[0].level")];
    let codes = |part: &str, bytes: [u8; 2]| {
        let mut file = base.clone();
        file.poke(part, &bytes);
        made::rehash(&mut file);
        let pack = open_sound(&file.bytes);
        assert_eq!(
            info_damaged(&pack).texts(),
            info_damaged(&open_sound(&base.bytes)).texts(),
            "{part}"
        );
        findings(&file.bytes).expect("it opens")
    };
    for part in ["index[0].tables.entries[0].level", "chunks[0].level"] {
        assert_eq!(codes(part, [level, 1]), [(codes::RESERVED.id, Severity::Info)], "{part}");
    }
    base.poke("chunks[0].level", &[level ^ 1, 0]);
    let found = findings(&base.bytes).expect("it opens");
    assert_eq!(found, [(codes::LEVEL.id, Severity::Info)]);
}

#[test]
fn errors_of_payloads_name_the_row_and_the_chunk() {
    let mut file = samples::pack().build();
    file.poke("chunks[13].hash_hi", &[0; 8]);
    let pack = open_sound(&file.bytes);
    let ((), sink) = with_task(file.bytes.len(), |task| pack.verify(task).expect("findings only"));
    let paths: Vec<String> = sink.findings.iter().map(|found| found.error.path()).collect();
    assert_eq!(paths, ["entries[5].chunk.hash"; 2]);
}

#[test]
fn references_lead_to_the_assets_that_are_there() {
    let pack = open_sound(&samples::pack().build().bytes);
    let (mut targets, mut all) = (Vec::new(), Vec::new());
    let (told, _) = with_task(0, |task| {
        pack.refs(&[Node(0), Node(5)], task, &mut |position, reference, _| {
            assert_eq!((position, reference.field.name), (1, "asset_id"));
            assert_eq!(reference.is_there, reference.node.is_some());
            targets.push(reference.node);
            Ok(())
        })?;
        pack.all_refs(task, &mut |node, reference, _| {
            all.push((node, reference.node));
            Ok(())
        })
    });
    told.expect("references");
    // The moss is in another pack.
    targets.sort_unstable();
    assert_eq!(targets, [None, Some(Node(0)), Some(Node(2)), Some(Node(3))]);
    all.sort_unstable();
    assert_eq!(all, targets.iter().map(|target| (Node(5), *target)).collect::<Vec<_>>());
}

#[test]
fn generations_are_told_by_content() {
    let append = |generation, junk: &[u8]| Append {
        generation,
        assets: samples::pack().assets[1..3].to_vec(),
        junk_before: junk.to_vec(),
    };
    let seed = || made::Pack { appends: Vec::new(), ..samples::delta_pack() };
    let name = |pack: made::Pack| {
        let pack = open_sound(&pack.build().bytes);
        let info = info_damaged(&pack).texts();
        let wanted = info.iter().find(|(path, _)| path == "generation");
        wanted.expect("a generation").1.clone()
    };
    assert_eq!(name(seed()), "seed");
    assert_eq!(name(samples::delta_pack()), "seed-delta");
    assert_eq!(name(samples::pack()), "dependencies");
    let full = made::Pack { appends: vec![append(Generation::Newest, b"")], ..seed() };
    assert_eq!(name(full.clone()), "full-append");
    let mut hidden = full;
    hidden.appends.push(append(Generation::Seed, b""));
    assert_eq!(name(hidden), "full-append-delta", "an older index was appended completely");
    // Nothing lies between string table and index of a delta append of nothing either.
    let nothing = Append { generation: Generation::Seed, assets: Vec::new(), junk_before: vec![] };
    let empty = made::Pack { appends: vec![nothing], ..seed() };
    assert_eq!(name(empty), "seed-delta");
    let with_delta = made::Pack { appends: vec![append(Generation::Seed, b"")], ..samples::pack() };
    assert_eq!(name(with_delta), "dependencies-delta");
    let mut levels = seed();
    levels.generation = Generation::Newest;
    levels.assets.truncate(3);
    levels.assets[2].codec = Codec { id: 1, level: 1 };
    assert_eq!(name(levels.clone()), "levels");
    let mut with_delta = levels.clone();
    with_delta.appends = vec![append(Generation::Seed, b"")];
    assert_eq!(name(with_delta), "levels-delta");
    let sub = Bulk { semantic: 1, sub_index: 5, codec: Codec::NONE, data: b"mip".to_vec() };
    levels.assets[2].bulk = vec![sub];
    assert_eq!(name(levels), "sub-index");
}

#[test]
fn older_indexes_find_their_names() {
    let mut pack = samples::appended_pack();
    pack.appends.push(Append {
        generation: Generation::Newest,
        assets: samples::pack().assets[2..3].to_vec(),
        junk_before: b"what an interrupted append left: STRS".repeat(4),
    });
    pack.appends.push(Append {
        generation: Generation::Seed,
        assets: samples::pack().assets[..1].to_vec(),
        junk_before: Vec::new(),
    });
    let file = pack.build();
    let pack = open_sound(&file.bytes);
    let (history, _) = with_task(file.bytes.len(), |task| pack.history(task));
    let history = history.expect("a history");
    assert!(history.problems.is_empty());
    let places: Vec<u64> = history
        .revisions
        .iter()
        .map(|revision| revision.strings.as_ref().expect("a table").at().start)
        .collect();
    let wanted = ["strings[2]", "strings[1]", "strings[0]"];
    assert_eq!(places, wanted.map(|part| file.offset_of(part) as u64));
    assert_covered_despite_damage(&pack, "a pack");
    let found = findings(&file.bytes).expect("it opens");
    for code in [codes::HIDDEN_ASSETS.id, codes::GAP.id] {
        assert!(found.iter().any(|(id, _)| *id == code), "{code}: {found:?}");
    }
    assert!(found.iter().all(|(_, severity)| *severity != Severity::Error));
}

#[test]
fn no_mutation_panics() {
    let mut opened = 0;
    for (_, file) in all() {
        for seed in 0..1000 {
            opened += usize::from(exercise(&mutate::mutate(&file.bytes, seed)));
            opened += usize::from(exercise(&mutate::mutate_header(&file.bytes, seed)));
        }
    }
    assert!(opened > 1000, "{opened} mutated packs still open");
}

#[test]
fn damaged_tables_with_right_hashes_do_not_panic() {
    let base = samples::pack().build();
    let tables = base.range_of("index[0].tables");
    let mut opened = 0;
    for seed in 0..3000 {
        let mut file = base.clone();
        let mut damaged = mutate::mutate(&file.bytes[tables.clone()], seed);
        damaged.resize(tables.len(), 0xff);
        file.bytes[tables.clone()].copy_from_slice(&damaged);
        made::rehash(&mut file);
        opened += usize::from(exercise(&file.bytes));
    }
    assert!(opened > 1000, "{opened} damaged packs still open");
}

prop_compose! {
    fn any_codec()(id in 0_u8..5, level in 0_u8..4) -> Codec {
        Codec { id, level }
    }
}

fn any_data() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(Vec::new()),
        prop::collection::vec(any::<u8>(), 1..200),
        (any::<u8>(), 1_usize..5000).prop_map(|(byte, len)| vec![byte; len]),
    ]
}

prop_compose! {
    fn any_asset()(
        id in 0_u8..6,
        name in prop::collection::vec(1_u8.., 0..12),
        variant in prop::option::of(prop::collection::vec(1_u8.., 1..5)),
        codec in any_codec(),
        data in any_data(),
        bulk in prop::collection::vec((0_u32..4, 0_u32..4, any_codec(), any_data()), 0..3),
        needs in prop::collection::vec((0_u8..9, 0_u8..3), 0..3),
    ) -> Asset {
        let bulk = bulk.into_iter().map(|(semantic, sub_index, codec, data)| {
            Bulk { semantic, sub_index, codec, data }
        });
        let dependencies = needs.into_iter().map(|(id, kind)| {
            Dependency { asset: [id; 16], name: None, kind }
        });
        Asset {
            id: [id; 16],
            name,
            variant,
            codec,
            data,
            bulk: bulk.collect(),
            dependencies: dependencies.collect(),
            ..Asset::default()
        }
    }
}

prop_compose! {
    fn any_pack()(
        newest in any::<bool>(),
        assets in prop::collection::vec(any_asset(), 0..5),
        runs in prop::collection::vec(
            (any::<bool>(), prop::collection::vec(any_asset(), 0..3), 0_usize..9), 0..3),
        trailing in prop::collection::vec(any::<u8>(), 0..9),
    ) -> made::Pack {
        let generation = |newest| if newest { Generation::Newest } else { Generation::Seed };
        let appends = runs.into_iter().map(|(newest, assets, junk)| Append {
            generation: generation(newest),
            assets,
            junk_before: vec![0xa5; junk],
        });
        let (generation, appends) = (generation(newest), appends.collect());
        made::Pack { generation, assets, appends, trailing, ..made::Pack::default() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_read_is_written(made in any_pack()) {
        let file = made.build();
        let pack = open_sound(&file.bytes);
        assert_covered_despite_damage(&pack, "a pack");
        prop_assert_eq!(errors(&file.bytes).expect("it opens"), [""; 0]);
        prop_assert!(write(&pack, false).0 == file.bytes);
        prop_assert!(write(&pack, true).0 == file.bytes);
        if made.appends.is_empty() {
            for (row, asset) in made.assets.iter().enumerate() {
                let (payload, _) = with_task(file.bytes.len(), |task| pack.payload(row, task));
                prop_assert_eq!(&payload.expect("a payload"), &asset.data);
                let entry = pack.entry(row).expect("an entry");
                prop_assert_eq!(pack.name(entry).expect("a name"), &asset.name);
                prop_assert_eq!(pack.bulk(entry).len(), asset.bulk.len());
            }
        }
        exercise(&file.bytes);
    }
}
