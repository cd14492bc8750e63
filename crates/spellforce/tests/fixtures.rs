//! Files assembled from labelled parts, by code that shares no layout with the reader.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use common::*;
use proptest::prelude::*;
use spelunk_core::{
    Budget, Bytes, Class, Collect, Limits, Of, Severity, Source, Strict, Task, Val, WriteOptions,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    Fixture,
    cff::{CffChunk, CffFile, Walk as Headers, blob},
    malformed,
    mutate::{mutate, mutate_header},
    pak::{Pak, PakFile},
    samples,
};
use std::sync::Arc;

/// The samples of this crate's formats in their real layout.
fn own_samples() -> Vec<spelunk_fixtures::Sample> {
    let all = spelunk_fixtures::samples().into_iter();
    all.filter(|s| s.format.starts_with("spellforce") && s.dialect != Some("spec")).collect()
}

fn opened(bytes: &[u8]) -> (Box<dyn spelunk_core::Container>, Collect) {
    let mut sink = Collect::default();
    let container = open(bytes, &mut sink).unwrap();
    (container, sink)
}

fn number(value: &Val<'_>) -> i64 {
    match value {
        Val::U(n) => *n as i64,
        Val::I(n) => *n,
        Val::Word(n) => i64::from(*n),
        other => panic!("{other:?} is no number"),
    }
}

#[test]
fn samples_are_named_covered_reached_and_written_back() {
    let mut seen = 0;
    for sample in own_samples() {
        let bytes = &sample.fixture.bytes;
        let (container, sink) = opened(bytes);
        let container = container.as_ref();
        assert!(!sink.has_errors(), "{}: {:?}", sample.name, sink.findings);
        assert_eq!(container.format(), sample.format, "{}", sample.name);
        assert_eq!(container.size(), bytes.len() as u64);
        assert_eq!(container.dialect(), sample.dialect, "{}", sample.name);
        assert_round_trip(container, bytes);
        assert_covered(container, bytes);
        assert_paths_lead_back(container);
        assert!(!verify(container, bytes).has_errors(), "{}", sample.name);
        seen += 1;
    }
    assert!(seen >= 11, "{seen}");
}

#[test]
fn chunk_rows_are_where_the_fixture_put_them() {
    let model = samples::gamedata();
    let wide = CffFile { walk: Headers::Wide, format: 3, ..model.clone() };
    for (file, is_wide) in
        [(model.clone(), false), (model.clone().repacked(3, 6), false), (wide, true)]
    {
        let fixture = file.build();
        let (container, _) = opened(&fixture.bytes);
        let fields = info(container.as_ref(), &fixture.bytes);
        assert_eq!(value(&fields, "wide_headers"), Val::Bool(is_wide));
        assert_eq!(value(&fields, "chunk_count"), Val::U(file.chunks.len() as u64));
        assert_eq!(value(&fields, "tail_size"), Val::U(0));
        let rows = list(container.as_ref(), Of::Listing);
        for (i, (row, chunk)) in rows.iter().zip(&file.chunks).enumerate() {
            let at = fixture.offset_of(&format!("chunks[{i}].id"));
            assert_eq!(row.path, chunk.id.to_string());
            assert_eq!(row.get("offset"), &Val::U(at as u64));
            assert_eq!(number(row.get("data_type")), i64::from(chunk.data_type));
            assert_eq!(row.get("packed"), &Val::Bool(chunk.level.is_some()));
            assert_eq!(row.size as usize, chunk.payload.bytes.len());
            let stored = fixture.slice_of(&format!("chunks[{i}].data")).len();
            assert_eq!(row.get("stored_size"), &Val::U(stored as u64));
            let bytes = bytes_of(container.as_ref(), row.node, &fixture.bytes).unwrap();
            assert_eq!(bytes, chunk.payload.bytes);
            // Rows are parts `rows[n]` of the payload.
            let count =
                (0..).find(|n| chunk.payload.find(&format!("rows[{n}]")).is_none()).unwrap();
            assert_eq!(number(row.get("rows")), count as i64, "{}", chunk.id);
            for n in 0..count {
                let node = find(container.as_ref(), &format!("{}[{n}]", chunk.id));
                let bytes = bytes_of(container.as_ref(), node[0], &fixture.bytes).unwrap();
                assert_eq!(bytes, chunk.payload.slice_of(&format!("rows[{n}]")));
            }
            assert_eq!(find(container.as_ref(), &format!("{}[{count}]", chunk.id)), []);
        }
    }
}

#[test]
fn heights_of_a_map_are_grouped_and_its_size_is_told() {
    let fixture = samples::map().build();
    let (container, _) = opened(&fixture.bytes);
    let fields = info(container.as_ref(), &fixture.bytes);
    assert_eq!(value(&fields, "map_size"), Val::I(16));
    assert_eq!(value(&fields, "rows"), Val::None);
    assert!(!fields.iter().any(|field| field.path.starts_with("languages")));
    assert_eq!(value(&fields, "evidence"), Val::Str("synthetic".into()));
    let root = list(container.as_ref(), Of::Root);
    let heights = root.iter().find(|row| row.path == "6").unwrap();
    assert_eq!(heights.kind, "heights");
    assert_eq!(heights.size, 16 * 32);
    let rows = list(container.as_ref(), Of::Node(heights.node));
    assert_eq!(rows.len(), 16);
    assert_eq!(rows[12].path, "6.12");
    assert_eq!(find(container.as_ref(), "6.12"), [rows[12].node]);
    assert_eq!(find(container.as_ref(), "6"), [heights.node]);
    assert!(bytes_of(container.as_ref(), heights.node, &fixture.bytes).is_err());
}

#[test]
fn malformed_files_say_what_is_wrong() {
    let expected = [
        ("short-header.cff", Err("SP001")),
        ("short-chunk.cff", Err("SP001")),
        ("magic-2003.cff", Err("CF002")),
        ("magic-spec.cff", Err("CF003")),
        ("negative.cff", Ok(&["CF005"][..])),
        ("past-end.cff", Ok(&["CF006"][..])),
        ("flag2.cff", Ok(&["CF008"][..])),
        ("inflates-short.cff", Ok(&["SP003"][..])),
        ("remainder.cff", Ok(&["CF011"][..])),
        ("polygon.cff", Ok(&["CF011"][..])),
        ("version5.pak", Err("PK002")),
        ("short-header.pak", Err("SP001")),
        ("entry-count.pak", Err("PK004")),
        ("entry-offset.pak", Ok(&["PK007", "PK008", "PK013"][..])),
        ("name-offset.pak", Ok(&["PK006", "PK008"][..])),
        ("short.dat", Ok(&["SP001", "PD005"][..])),
    ];
    let all = malformed();
    for (name, outcome) in expected {
        let file = &all.iter().find(|m| m.name == name).unwrap().bytes;
        let mut sink = Collect::default();
        let found = match open(file, &mut sink) {
            Err(error) => {
                assert!(error.place().is_some(), "{name}: {error}");
                Err(error.code().id)
            }
            Ok(container) => {
                let mut found = codes(&sink);
                found.extend(codes(&verify(container.as_ref(), file)));
                let (out, _) = written(container.as_ref(), file, false);
                assert!(&out == file, "{name}");
                found.dedup();
                Ok(found)
            }
        };
        assert_eq!(found, outcome.map(<[_]>::to_vec), "{name}");
    }
    for name in ["negative.dat", "string.dat", "other.dat", "zeros.cff", "archive.pak", "quake.pak"]
    {
        let file = &all.iter().find(|m| m.name == name).unwrap().bytes;
        assert!(format(file).is_none(), "{name}");
    }
}

#[test]
fn layouts_of_the_specification_are_named_and_not_read() {
    let all = spelunk_fixtures::samples();
    for (name, code) in
        [("weapons-spec.cff", "CF004"), ("valley-spec.map", "CF004"), ("archive-spec.pak", "PK003")]
    {
        let file = &all.iter().find(|s| s.name == name).unwrap().fixture.bytes;
        let error = open(file, &mut Collect::default()).err().unwrap();
        assert_eq!(error.code().id, code);
    }
}

#[test]
fn what_precedes_damage_is_read_and_the_rest_is_kept() {
    let model = samples::gamedata();
    let fixture = model.build();
    let cut = fixture.range_of("chunks[3].data").end - 1;
    let bytes = &fixture.bytes[..cut];
    let (container, sink) = opened(bytes);
    assert_eq!(codes(&sink), ["CF006"]);
    let place = sink.findings[0].error.place().unwrap();
    assert_eq!(place.start as usize, fixture.offset_of("chunks[3].length"));
    assert_eq!(list(container.as_ref(), Of::Listing).len(), 3);
    let tail = cut - fixture.offset_of("chunks[3]");
    let fields = info(container.as_ref(), bytes);
    assert_eq!(value(&fields, "tail_size"), Val::U(tail as u64));
    assert_covered(container.as_ref(), bytes);
    assert_eq!(written(container.as_ref(), bytes, false).0, bytes);
}

/// Rows of polygons are counted when they are listed, for which the chunk has to be inflated.
#[test]
fn damage_met_while_listing_is_reported_and_everything_is_handed_out() {
    let model = samples::gamedata().repacked(3, 6);
    let damaged = model.chunks.iter().position(|chunk| chunk.id == 2030).unwrap();
    let mut fixture = model.build();
    let part = format!("chunks[{damaged}].data");
    fixture.poke(&part, &[0x78, 0x9c, 0xff, 0xff]);
    let bytes = &fixture.bytes;
    let (container, sink) = opened(bytes);
    assert!(sink.findings.is_empty(), "opening inflates nothing: {:?}", sink.findings);
    let container = container.as_ref();
    // Every listing tells, not only the first one.
    for of in [Of::Listing, Of::Root, Of::Listing] {
        let (rows, sink) = list_damaged(container, of);
        assert_eq!(codes(&sink), ["SP003"]);
        let place = sink.findings[0].error.place().unwrap();
        assert_eq!(place.start as usize, fixture.offset_of(&part));
        assert_eq!(rows.len(), model.chunks.len());
        for (row, chunk) in rows.iter().zip(&model.chunks) {
            assert_eq!(row.size as usize, chunk.payload.bytes.len());
            assert_eq!(row.get("rows") == &Val::None, chunk.id == 2030, "{}", row.path);
        }
    }
    let mut sink = Collect::default();
    let mut task = Task::new(budget(bytes), &mut sink);
    assert_eq!(container.find("2030[0]", &container.code_pages(), &mut task).unwrap(), []);
    let mut flat = Flat::default();
    finish(container.info(&mut task, &mut flat)).unwrap();
    assert!(flat.fields.iter().any(|field| field.path == "evidence"), "info goes on");
    assert_eq!(codes(&sink), ["SP003"], "the same damage is told once");
    let mut strict = Strict;
    let mut task = Task::new(budget(bytes), &mut strict);
    let pages = container.code_pages();
    let walked = container.children(Of::Listing, &pages, &mut task, &mut |_| Ok(()));
    assert_eq!(finish(walked).unwrap_err().code().id, "SP003");
}

#[test]
fn listing_and_finding_keep_to_the_limits_they_are_given() {
    let fails = |container: &dyn spelunk_core::Container, of: Option<Of>, limits: Limits| {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let pages = container.code_pages();
        match of {
            Some(of) => finish(container.children(of, &pages, &mut task, &mut |_| Ok(()))),
            None => container.find("2030[0]", &pages, &mut task).map(|_| ()),
        }
        .is_err_and(|error| error.code().class == Class::Limit)
    };
    let packed = samples::gamedata().repacked(3, 6).build();
    let limits = limits(&packed.bytes);
    for of in [Some(Of::Listing), Some(Of::Root), None] {
        let (container, _) = opened(&packed.bytes);
        let container = container.as_ref();
        assert!(fails(container, of, Limits { steps: 0, ..limits }), "{of:?}");
        assert!(fails(container, of, Limits { memory: 0, ..limits }), "{of:?}");
        assert!(!fails(container, of, limits), "{of:?}");
        assert!(!fails(container, of, Limits { memory: 0, ..limits }), "{of:?}: counted once");
    }
    let (container, _) = opened(&packed.bytes);
    let row = find(container.as_ref(), "2030[0]")[0];
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits { memory: 0, ..limits }), &mut sink);
    let pages = container.code_pages();
    let given = container.entry(row, &pages, &mut task, &mut |_| Ok(()));
    assert_eq!(finish(given).unwrap_err().code().id, "SP010");

    let archive = samples::pak().build();
    let (container, _) = opened(&archive.bytes);
    let container = container.as_ref();
    for of in [Some(Of::Listing), Some(Of::Root), None] {
        assert!(fails(container, of, Limits { steps: 0, ..limits }), "{of:?}");
    }
    assert!(fails(container, Some(Of::Root), Limits { memory: 0, ..limits }));
    assert!(!fails(container, Some(Of::Root), limits));
    assert!(!fails(container, Some(Of::Root), Limits { memory: 0, ..limits }), "sorted once");
    let cache = samples::archive_set().build();
    let (container, _) = opened(&cache.bytes);
    assert!(fails(container.as_ref(), Some(Of::Listing), Limits { steps: 0, ..limits }));
}

/// What is sorted for one operation is let go of, so that an open file can be checked again and again.
#[test]
fn archives_give_back_what_an_operation_took() {
    let bytes = samples::pak().build().bytes;
    let (container, _) = opened(&bytes);
    let mut sink = Collect::default();
    let mut task = Task::new(budget(&bytes), &mut sink);
    let before = task.budget.left().memory;
    finish(container.layout(&mut task, &mut Flat::default())).unwrap();
    container.verify(&mut task).unwrap();
    container.write(&mut Vec::new(), &WriteOptions::default(), &mut task).unwrap();
    assert_eq!(task.budget.left().memory, before);
}

/// A strict reader gets the first error as the result of opening.
#[test]
fn strict_reading_ends_at_the_first_error() {
    let bytes = CffFile { tail: vec![1, 2, 3], ..samples::gamedata() }.build();
    let source: Arc<dyn Source> = Arc::new(Bytes::from(bytes.bytes.clone()));
    let mut strict = Strict;
    let mut task = Task::new(budget(&bytes.bytes), &mut strict);
    let error = format(&bytes.bytes).unwrap().open(source, &mut task).err().unwrap();
    assert_eq!(error.code().id, "SP001");
    assert_eq!(error.place().unwrap().start as usize, bytes.offset_of("tail"));
}

#[test]
fn the_retry_with_wide_headers_is_taken_only_when_it_ends_the_file() {
    let wide = CffFile { walk: Headers::Wide, format: 3, ..samples::gamedata() };
    let mut bytes = wide.build().bytes;
    bytes.push(0);
    let mut sink = Collect::default();
    let opened = open(&bytes, &mut sink);
    // The first chunk reads alike up to its data; what follows does not fit either rule.
    assert!(opened.is_err() || sink.has_errors());
    let narrow = CffFile { format: 2, ..wide };
    let mut sink = Collect::default();
    assert!(open(&narrow.build().bytes, &mut sink).is_err() || sink.has_errors());
}

#[test]
fn repeated_chunks_are_listed_as_they_are() {
    let row = |n: u8| CffChunk::raw(2064, 1, blob(&[n, 0, 1, 0]));
    let chunks = vec![row(1), row(2), CffChunk { occurrence: 4, ..row(3) }];
    let bytes = CffFile { chunks, ..CffFile::default() }.build().bytes;
    let (container, sink) = opened(&bytes);
    assert_eq!(codes(&sink), ["CF007"]);
    assert_eq!(sink.findings[0].severity, Severity::Warning);
    let paths: Vec<_> =
        list(container.as_ref(), Of::Listing).into_iter().map(|row| row.path).collect();
    assert_eq!(paths, ["2064.0", "2064.0", "2064.4"]);
    assert_eq!(find(container.as_ref(), "2064.0").len(), 2);
    assert_eq!(find(container.as_ref(), "2064[0]").len(), 3);
    assert_eq!(find(container.as_ref(), "2064.4[0]").len(), 1);
    assert_round_trip(container.as_ref(), &bytes);
}

#[test]
fn a_category_with_another_data_type_is_opaque() {
    let chunks = vec![CffChunk::raw(2064, 9, blob(&[1, 0, 1, 0, 5]))];
    let bytes = CffFile { chunks, ..CffFile::default() }.build().bytes;
    let (container, sink) = opened(&bytes);
    assert_eq!(codes(&sink), ["CF010"]);
    assert_eq!(sink.findings[0].severity, Severity::Info);
    assert!(verify(container.as_ref(), &bytes).findings.is_empty());
    let rows = list(container.as_ref(), Of::Listing);
    assert_eq!((rows[0].get("rows"), rows[0].get("row_size")), (&Val::None, &Val::None));
    assert_eq!(find(container.as_ref(), "2064[0]"), []);
}

#[test]
fn entries_of_an_archive_are_where_the_fixture_put_them() {
    let pak = samples::pak();
    let fixture = pak.build();
    let (container, _) = opened(&fixture.bytes);
    assert!(verify(container.as_ref(), &fixture.bytes).findings.is_empty());
    let rows = list(container.as_ref(), Of::Listing);
    for (row, entry) in rows.iter().zip(pak.entries()) {
        let file = &pak.files[entry.file];
        let at = fixture.offset_of(&format!("files[{}]", entry.file));
        assert_eq!(row.get("offset"), &Val::U(at as u64));
        assert_eq!(row.get("directory"), &Val::Text(file.dir.clone().into()));
        let path =
            String::from_utf8_lossy(&file.path()).replace('\\', "/").replace('\u{fffd}', "ü");
        assert_eq!(row.path, path);
        let bytes = bytes_of(container.as_ref(), row.node, &fixture.bytes).unwrap();
        assert_eq!(bytes, file.data);
        assert_eq!(find(container.as_ref(), &path.to_uppercase()), [row.node]);
    }
    let fields = info(container.as_ref(), &fixture.bytes);
    assert_eq!(value(&fields, "checksum.ok"), Val::Bool(true));
    let stored = fixture.u32_of("header.checksum");
    assert_eq!(value(&fields, "checksum.stored"), Val::Word(stored));
    let padding = fixture.range_of("padding").len() as u64;
    assert_eq!(value(&fields, "padding_size"), Val::U(padding));
    let folder = find(container.as_ref(), "Script/P101");
    assert_eq!(list(container.as_ref(), Of::Node(folder[0]))[0].path, "script/p101/n7_guard.lua");
}

#[test]
fn oddities_of_archives_are_warnings_and_survive() {
    let mut overlap = samples::pak().build();
    let other = overlap.u32_of("entries[1].offset").to_le_bytes();
    overlap.poke("entries[0].offset", &other);
    let mut padded = samples::pak().build();
    padded.poke("padding", b"x");
    let mut order: Fixture = samples::pak().build();
    let (a, b) = (order.slice_of("entries[0]").to_vec(), order.slice_of("entries[1]").to_vec());
    order.poke("entries[0]", &b).poke("entries[1]", &a);
    let mut hash = samples::pak().build();
    hash.poke("names", &[0xff, 0xff]);
    let mut longer = samples::pak().build();
    longer.bytes.extend([0; 10]);
    let top = Pak { offset_top_byte: 0xab, ..samples::pak() }.build();
    let cases = [
        (overlap, vec!["PK008", "PK011"]),
        (padded, vec!["PK012"]),
        (order, vec!["PK008", "PK010"]),
        (hash, vec!["PK008", "PK009"]),
        (longer, vec!["PK005"]),
        (top, vec![]),
    ];
    for (fixture, expected) in cases {
        let (container, mut sink) = opened(&fixture.bytes);
        let later = verify(container.as_ref(), &fixture.bytes);
        sink.findings.extend(later.findings);
        let found = codes(&sink);
        assert!(expected.iter().all(|code| found.contains(code)), "{expected:?}: {found:?}");
        let allowed = |code: &&str| expected.contains(code) || matches!(*code, "PK013" | "PK012");
        assert!(found.iter().all(allowed), "{expected:?}: {found:?}");
        assert_round_trip(container.as_ref(), &fixture.bytes);
        assert_covered(container.as_ref(), &fixture.bytes);
    }
}

#[test]
fn the_cache_tells_archives_entries_and_what_was_left_behind() {
    let set = samples::archive_set();
    let fixture = set.build();
    let (container, sink) = opened(&fixture.bytes);
    assert_eq!(codes(&sink), ["PD004"]);
    assert_eq!(sink.findings[0].severity, Severity::Warning);
    let fields = info(container.as_ref(), &fixture.bytes);
    assert_eq!(value(&fields, "paks[1].key"), Val::Text(b"sf32.pak".to_vec().into()));
    assert_eq!(value(&fields, "trailing_size"), Val::U(set.trailing.len() as u64));
    let rows = list(container.as_ref(), Of::Listing);
    assert_eq!(rows.len(), 9);
    assert!(rows.iter().any(|row| row.path == "sf22.pak/texture/tür_holz.dds"));
    let row = rows.iter().find(|row| row.path == "sf32.pak/mesh/tower.msb").unwrap();
    assert_eq!((row.size, row.get("offset")), (11, &Val::U(0)));
    let error = bytes_of(container.as_ref(), row.node, &fixture.bytes).unwrap_err();
    assert_eq!(error.code().id, "SP024");
    let mut twisted = fixture.clone();
    twisted.poke("paks[0].data_start_again", &[1]);
    assert_eq!(codes(&opened(&twisted.bytes).1), ["PD003", "PD004"]);
}

#[test]
fn range_reads_give_what_memory_gives() {
    for sample in own_samples() {
        let bytes = &sample.fixture.bytes;
        let (lent, _) = opened(bytes);
        let mut sink = Collect::default();
        let mut task = Task::new(budget(bytes), &mut sink);
        let source = Arc::new(Ranged(bytes.clone()));
        let read = format(bytes).unwrap().open(source, &mut task).unwrap();
        assert_eq!(list(lent.as_ref(), Of::Listing), list(read.as_ref(), Of::Listing));
        assert_eq!(info(lent.as_ref(), bytes), info(read.as_ref(), bytes));
        assert_covered(read.as_ref(), bytes);
        assert_round_trip(read.as_ref(), bytes);
    }
}

/// Files whose size is out of proportion to what they say: they open, or a limit says no, soon.
#[test]
fn crowded_files_take_no_longer_than_they_are_long() {
    let empty: Vec<u8> = CffChunk::raw(6, 6, blob(b"")).payload.bytes;
    assert!(empty.is_empty());
    let header = CffFile::map().build().bytes;
    for id in [6_i16, 2030] {
        let mut bytes = header.clone();
        for occurrence in 0..80_000_i32 {
            let data_type = if id == 6 { 6 } else { 2 };
            for word in [id, (occurrence % 3) as i16, 0, 0, 0, data_type] {
                bytes.extend(word.to_le_bytes());
            }
        }
        assert!(exercise(format(&bytes).unwrap(), &bytes));
    }
    // An archive whose entries share one long name and one deep folder.
    let dir = b"a\\".repeat(120);
    let mut bytes =
        Pak { files: vec![PakFile::new(&dir, &[b'n'; 250], b"x")], ..Pak::default() }.build().bytes;
    let entry = bytes[92..108].to_vec();
    let count = 30_000_u32;
    let more = entry.repeat(count as usize - 1);
    bytes.splice(108..108, more.iter().copied());
    bytes[76..80].copy_from_slice(&count.to_le_bytes());
    let data_start = u32::from_le_bytes(bytes[84..88].try_into().unwrap()) + more.len() as u32;
    bytes[84..88].copy_from_slice(&data_start.to_le_bytes());
    assert!(exercise(format(&bytes).unwrap(), &bytes));
}

#[test]
fn damaged_files_never_panic_and_what_opens_is_written_back() {
    let mut opened = 0;
    for sample in own_samples() {
        let bytes = &sample.fixture.bytes;
        let format = format(bytes).unwrap();
        for seed in 0..300 {
            opened += usize::from(exercise(format, &mutate(bytes, seed)));
            opened += usize::from(exercise(format, &mutate_header(bytes, seed)));
        }
    }
    assert!(opened > 1000, "{opened}");
    for file in malformed() {
        for format in spellforce::FORMATS {
            exercise(*format, &file.bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_chunks_are_written_back(
        chunks in proptest::collection::vec(
            (any::<i16>(), 0_i16..3, any::<i16>(), proptest::option::of(0_u32..=9),
             proptest::collection::vec(any::<u8>(), 0..200)),
            0..12,
        ),
        format in 2_u32..4,
        wide in any::<bool>(),
    ) {
        let chunks = chunks.into_iter().map(|(id, occurrence, data_type, level, payload)| {
            CffChunk { occurrence, level, ..CffChunk::raw(id, data_type, blob(&payload)) }
        });
        let walk = if wide && format == 3 { Headers::Wide } else { Headers::ByFlag };
        let file = CffFile { format, walk, chunks: chunks.collect(), ..CffFile::default() };
        let bytes = file.build().bytes;
        let (container, sink) = opened(&bytes);
        prop_assert!(!sink.has_errors());
        prop_assert_eq!(list(container.as_ref(), Of::Listing).len(), file.chunks.len());
        assert_round_trip(container.as_ref(), &bytes);
        assert_covered(container.as_ref(), &bytes);
    }

    #[test]
    fn any_archive_is_written_back(
        files in proptest::collection::btree_map(
            "[a-zäöü]{1,4}(\\\\[a-z0-9]{1,3}){0,3}\\\\[a-z0-9./#%]{1,8}",
            proptest::collection::vec(any::<u8>(), 0..40),
            1..20,
        ),
    ) {
        let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
        let files = files.iter().map(|(path, data)| {
            let (dir, name) = path.rsplit_once('\\').unwrap();
            PakFile::new(&latin(dir), &latin(name), data)
        });
        let pak = Pak { files: files.collect(), ..Pak::default() };
        let bytes = pak.build().bytes;
        let (container, sink) = opened(&bytes);
        prop_assert!(sink.findings.is_empty(), "{:?}", sink.findings);
        prop_assert!(verify(container.as_ref(), &bytes).findings.is_empty());
        assert_round_trip(container.as_ref(), &bytes);
        assert_covered(container.as_ref(), &bytes);
        assert_paths_lead_back(container.as_ref());
    }
}
