//! Files assembled from labelled parts, by code that shares no layout with the reader.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{assert_round_trip, exercise, format, open, opened};
use proptest::prelude::*;
use spelunk_core::{
    Budget, Bytes, Class, Collect, Limits, Of, Severity, Source, Strict, Task, Val,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    cff::{CffChunk, CffFile, Walk as Headers, blob},
    malformed,
    mutate::{mutate, mutate_header},
    pak::{Pak, PakFile},
    samples,
    virtools::zlib,
};
use std::sync::Arc;
use test_support::{
    entries::{bytes_of, find, list, list_damaged, verify, write},
    fields::{info, value},
    findings::codes,
    laws::{assert_covered, assert_paths_lead_back},
    open::Ranged,
    task::{budget, limits},
};

/// The samples of this crate's formats.
fn own_samples() -> Vec<spelunk_fixtures::Sample> {
    let all = spelunk_fixtures::samples().into_iter();
    all.filter(|s| s.format.starts_with("spellforce")).collect()
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
        assert!(!verify(container).has_errors(), "{}", sample.name);
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
        let fields = info(container.as_ref());
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
            let bytes = bytes_of(container.as_ref(), row.node).unwrap();
            assert_eq!(bytes, chunk.payload.bytes);
            // Rows are parts `rows[n]` of the payload.
            let count =
                (0..).find(|n| chunk.payload.find(&format!("rows[{n}]")).is_none()).unwrap();
            assert_eq!(number(row.get("rows")), count as i64, "{}", chunk.id);
            for n in 0..count {
                let node = find(container.as_ref(), &format!("{}[{n}]", chunk.id));
                let bytes = bytes_of(container.as_ref(), node[0]).unwrap();
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
    let fields = info(container.as_ref());
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
    assert!(bytes_of(container.as_ref(), heights.node).is_err());
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
        let (container, sink) = open(file);
        let found = match container {
            Err(error) => {
                assert!(error.place().is_some(), "{name}: {error}");
                Err(error.code().id)
            }
            Ok(container) => {
                let mut found = codes(&sink);
                found.extend(codes(&verify(container.as_ref())));
                let (out, _) = write(container.as_ref(), false);
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

/// Where a model of a real file is asked for, files of the specification are refused by name.
#[test]
fn layouts_of_the_specification_are_no_real_files() {
    let all = spelunk_fixtures::samples();
    let source = |name: &str| -> Arc<dyn Source> {
        let bytes = &all.iter().find(|s| s.name == name).unwrap().fixture.bytes;
        Arc::new(Bytes::copy_from_slice(bytes))
    };
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::for_len(1000)), &mut sink);
    for name in ["weapons-spec.cff", "valley-spec.map"] {
        let file = spellforce::cff::ChunkFile::open(source(name), &mut task).unwrap();
        assert!(file.form().is_spec());
        let error = spellforce::map::Map::read(&file, &mut task).unwrap_err();
        assert_eq!(error.code().id, "CF004");
        let chunks = spellforce::cff::Chunks::of(file, &mut task).unwrap();
        assert!(!chunks.is_map());
        assert_eq!(chunks.map(&mut task).unwrap(), None);
    }
    // Its rows are read as structs of their own, and of real ones where these have the same layout.
    let game = spellforce::GameData::read_from(source("weapons-spec.cff"), &mut task).unwrap();
    let weapon: spellforce::gamedata::schema::Weapon = game.row(123).unwrap();
    assert_eq!(weapon.max_damage.get(), 15);
    let error = game.rows::<spellforce::gamedata::schema::Spell>().unwrap_err();
    assert_eq!(error.code().id, "SP022");
    assert!(game.rows::<spellforce::gamedata::schema::SpecSpell>().unwrap().is_empty());
    let map = spellforce::GameData::read_from(source("valley-spec.map"), &mut task).unwrap_err();
    assert_eq!(map.code().id, "SP030");
    let error = spellforce::pak::Archive::open(source("archive-spec.pak"), &mut task).unwrap_err();
    assert_eq!(error.code().id, "PK003");
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
    let fields = info(container.as_ref());
    assert_eq!(value(&fields, "tail_size"), Val::U(tail as u64));
    assert_covered(container.as_ref(), bytes);
    assert_eq!(write(container.as_ref(), false).0, bytes);
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
        let sink = sink.unwrap();
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
    let mut task = Task::new(budget(bytes.len()), &mut sink);
    assert_eq!(container.find("2030[0]", &container.code_pages(), &mut task).unwrap(), []);
    let mut flat = Flat::default();
    finish(container.info(&mut task, &mut flat)).unwrap();
    assert!(flat.fields.iter().any(|field| field.path == "evidence"), "info goes on");
    assert_eq!(codes(&sink), ["SP003"], "the same damage is told once");
    let mut strict = Strict;
    let mut task = Task::new(budget(bytes.len()), &mut strict);
    let pages = container.code_pages();
    let walked = container.children(Of::Listing, &pages, &mut task, &mut |_, _| Ok(()));
    assert_eq!(finish(walked).unwrap_err().code().id, "SP003");
}

#[test]
fn listing_and_finding_keep_to_the_limits_they_are_given() {
    let fails = |container: &dyn spelunk_core::Container, of: Option<Of>, limits: Limits| {
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let pages = container.code_pages();
        match of {
            Some(of) => finish(container.children(of, &pages, &mut task, &mut |_, _| Ok(()))),
            None => container.find("2030[0]", &pages, &mut task).map(|_| ()),
        }
        .is_err_and(|error| error.code().class == Class::Limit)
    };
    let packed = samples::gamedata().repacked(3, 6).build();
    let limits = limits(packed.bytes.len());
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
    let given = container.entry(row, &pages, &mut task, &mut |_, _| Ok(()));
    finish(given).expect("what was inflated is kept");

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

/// A strict reader gets the first error as the result of opening.
#[test]
fn strict_reading_ends_at_the_first_error() {
    let bytes = CffFile { tail: vec![1, 2, 3], ..samples::gamedata() }.build();
    let source: Arc<dyn Source> = Arc::new(Bytes::from(bytes.bytes.clone()));
    let mut strict = Strict;
    let mut task = Task::new(budget(bytes.bytes.len()), &mut strict);
    let error = format(&bytes.bytes).unwrap().open(source, &mut task).err().unwrap();
    assert_eq!(error.code().id, "SP001");
    assert_eq!(error.place().unwrap().start as usize, bytes.offset_of("tail"));
}

#[test]
fn the_retry_with_wide_headers_is_taken_only_when_it_ends_the_file() {
    let wide = CffFile { walk: Headers::Wide, format: 3, ..samples::gamedata() };
    let mut bytes = wide.build().bytes;
    bytes.push(0);
    let (opened, sink) = open(&bytes);
    // The first chunk reads alike up to its data; what follows does not fit either rule.
    assert!(opened.is_err() || sink.has_errors());
    let narrow = CffFile { format: 2, ..wide };
    let (opened, sink) = open(&narrow.build().bytes);
    assert!(opened.is_err() || sink.has_errors());
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
    assert!(verify(container.as_ref()).findings.is_empty());
    let rows = list(container.as_ref(), Of::Listing);
    assert_eq!((rows[0].get("rows"), rows[0].get("row_size")), (&Val::None, &Val::None));
    assert_eq!(find(container.as_ref(), "2064[0]"), []);
}

#[test]
fn bytes_behind_the_stream_of_a_chunk_are_reported_and_kept() {
    let payload = [1, 0, 1, 0];
    let mut stored = zlib(&payload, 6);
    for extra in [&b""[..], b"more"] {
        stored.extend_from_slice(extra);
        let unpacked_length = Some(payload.len() as i32);
        let chunk =
            CffChunk { flag: Some(1), unpacked_length, ..CffChunk::raw(2064, 1, blob(&stored)) };
        let chunks = vec![CffChunk::raw(2063, 1, blob(&[0; 5])), chunk];
        let fixture = CffFile { chunks, ..CffFile::default() }.build();
        let (container, sink) = opened(&fixture.bytes);
        assert!(sink.findings.is_empty(), "{:?}", sink.findings);
        let found = verify(container.as_ref());
        if extra.is_empty() {
            assert!(found.findings.is_empty(), "{:?}", found.findings);
            continue;
        }
        assert_eq!(codes(&found), ["SP005"]);
        assert_eq!(found.findings[0].severity, Severity::Warning);
        let place = found.findings[0].error.place().unwrap();
        let data = fixture.range_of("chunks[1].data");
        assert_eq!((place.start as usize, place.len as usize), (data.start, data.len()));
        let node = find(container.as_ref(), "2064[0]")[0];
        assert_eq!(bytes_of(container.as_ref(), node).unwrap(), payload[..]);
        for recompress in [false, true] {
            assert_eq!(write(container.as_ref(), recompress).0, fixture.bytes);
        }
    }
}

/// Chunks of ids that nothing explains.
fn unexplained(payloads: &[&[u8]]) -> CffFile {
    let chunks = (500..).zip(payloads).map(|(id, payload)| CffChunk::packed(id, 1, blob(payload)));
    CffFile { chunks: chunks.collect(), ..CffFile::default() }
}

#[test]
fn a_save_holds_whole_chunk_files_and_not_only_their_magic() {
    let inner = [b"state", &samples::gamedata().build().bytes[..]].concat();
    let magic = [&b"some"[..], &[0x12, 0xdd, 0x72, 0xdd], &[0xff; 60]].concat();
    let save = unexplained(&[b"short", &[0; 900], &inner]);
    let mut raw = save.clone();
    raw.chunks[0].level = None;
    let other_game = CffFile { format: 3, kind: 0, version: 0, ..save.clone() };
    let behind = vec![0; 4 << 20];
    let cases = [
        (save, "spellforce-save"),
        (unexplained(&[b"short", &[0; 900], &magic]), "spellforce-cff"),
        (raw, "spellforce-cff"),
        (other_game, "spellforce-cff"),
        // What does not fit into what is looked at is passed over, and what follows is seen.
        (unexplained(&[&behind, &behind, &inner]), "spellforce-cff"),
        (unexplained(&[&[&behind[..], &[0]].concat(), &inner]), "spellforce-save"),
    ];
    for (n, (file, format)) in cases.into_iter().enumerate() {
        let bytes = file.build().bytes;
        let (container, sink) = opened(&bytes);
        assert_eq!(container.format(), format, "{n}");
        let unknown = format != "spellforce-save";
        assert_eq!(container.dialect(), unknown.then_some("unknown"), "{n}");
        assert_eq!(codes(&sink), if unknown { vec!["CF009"] } else { vec![] }, "{n}");
    }
}

#[test]
fn telling_a_save_is_charged_bounded_and_keeps_to_the_limits() {
    let zeros = vec![0; 1 << 20];
    let bytes = unexplained(&vec![&zeros[..]; 40]).build().bytes;
    let open_with = |limits: Limits| {
        let source: Arc<dyn Source> = Arc::new(Bytes::from(bytes.clone()));
        let mut sink = Collect::default();
        let mut task = Task::new(Budget::new(limits), &mut sink);
        let opened = format(&bytes).unwrap().open(source, &mut task);
        let left = task.budget.left();
        opened.map(|_| (limits.memory - left.memory, limits.steps - left.steps))
    };
    let (memory, steps) = open_with(limits(bytes.len())).unwrap();
    // Four of the forty chunks, inflated one after the other into the same buffer.
    assert!((1 << 20..3 << 20).contains(&memory), "{memory}");
    assert!((2 * (4 << 14)..2 * (4 << 14) + 1000).contains(&steps), "{steps}");
    for few in [
        Limits { memory: 500_000, ..limits(bytes.len()) },
        Limits { steps: 9000, ..limits(bytes.len()) },
    ] {
        assert_eq!(open_with(few).unwrap_err().code().class, Class::Limit);
    }
}

#[test]
fn range_reads_give_what_memory_gives() {
    for sample in own_samples() {
        let bytes = &sample.fixture.bytes;
        let (lent, _) = opened(bytes);
        let mut sink = Collect::default();
        let mut task = Task::new(budget(bytes.len()), &mut sink);
        let source = Arc::new(Ranged(bytes.clone()));
        let read = format(bytes).unwrap().open(source, &mut task).unwrap();
        assert_eq!(list(lent.as_ref(), Of::Listing), list(read.as_ref(), Of::Listing));
        assert_eq!(info(lent.as_ref()), info(read.as_ref()));
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
    // Archives whose entries share one long name and one deep folder, or one endless name.
    let dir = b"a\\".repeat(120);
    crowd_archive(PakFile::new(&dir, &[b'n'; 250], b"x"));
    crowd_archive(PakFile::new(b"a", &vec![b'n'; 100_000], b"x"));
}

fn crowd_archive(file: PakFile) {
    let opens = file.name.len() < 1000;
    let mut bytes = Pak { files: vec![file], ..Pak::default() }.build().bytes;
    let entry = bytes[92..108].to_vec();
    let count = 30_000_u32;
    let more = entry.repeat(count as usize - 1);
    bytes.splice(108..108, more.iter().copied());
    bytes[76..80].copy_from_slice(&count.to_le_bytes());
    let data_start = u32::from_le_bytes(bytes[84..88].try_into().unwrap()) + more.len() as u32;
    bytes[84..88].copy_from_slice(&data_start.to_le_bytes());
    assert_eq!(exercise(format(&bytes).unwrap(), &bytes), opens);
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
        prop_assert!(verify(container.as_ref()).findings.is_empty());
        assert_round_trip(container.as_ref(), &bytes);
        assert_covered(container.as_ref(), &bytes);
        assert_paths_lead_back(container.as_ref());
    }
}
