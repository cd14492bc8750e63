//! The dialect `spec`: the written specification's layouts, and damage to them.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::{
    common::{assert_round_trip, exercise, format, open, opened},
    spec_examples::{CHUNK, WEAPON},
};
use proptest::prelude::*;
use spellforce::{
    cff::{Chunks, Form},
    pak::{Archive, Members, NewFile, build_spec as build},
    pakdata,
};
use spelunk_core::{
    Budget, Bytes, Class, Collect, Container, Limits, Of, Source, Task, Val,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    Asm, Fixture,
    cff::{CffChunk, blob},
    mutate::{mutate, mutate_header},
    spec::{self, SpecFile},
    virtools::zlib,
};
use std::sync::Arc;
use test_support::{
    entries::{bytes_of, find, list, list_damaged, verify, write},
    fields::{info, value},
    findings::codes,
    laws::{assert_covered, assert_paths_lead_back},
    task::{budget, limits, with_task},
};

/// The dump of a file header.
pub const HEADER: [u8; 20] =
    [0x12, 0x5e, 0x5e, 0xdd, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

pub fn fields_of(container: &dyn Container, path: &str, file: &[u8]) -> Flat {
    let node = find(container, path)[0];
    let mut sink = Collect::default();
    let mut flat = Flat::default();
    finish(container.walk(node, &mut Task::new(budget(file.len()), &mut sink), &mut flat)).unwrap();
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    flat
}

pub fn fails(bytes: &[u8]) -> &'static str {
    let error = open(bytes).0.err().expect("a file that is refused");
    assert!(error.place().is_some(), "{error}");
    error.code().id
}

/// The same file with the magic that the specification prints.
pub fn misprinted(mut fixture: Fixture) -> Vec<u8> {
    fixture.poke("header.magic", &HEADER[..4]);
    fixture.bytes
}

#[test]
fn maps_have_heights_layers_and_entities_and_keep_what_is_not_told() {
    let mut heights = Asm::new();
    heights.u32("width", 3).u32("height", 2);
    (0..6).for_each(|n| {
        heights.u16(&format!("h{n}"), n * 1000);
    });
    let mut layers = vec![255];
    for n in 0..255_u16 {
        layers.extend(n.to_le_bytes());
        layers.extend([n as u8; 6]);
    }
    let mut units = Asm::new();
    units.u32("count", 2);
    for n in 0..2_u16 {
        units.u16(&format!("id{n}"), 40 + n).f32(&format!("x{n}"), 1.5).f32(&format!("y{n}"), 2.5);
        units.f32(&format!("z{n}"), 0.25).f32(&format!("r{n}"), 90.0);
        units.bytes(&format!("more{n}"), &[n as u8; 5]);
    }
    let unknown: Vec<u8> = (0..=255).collect();
    let all = [
        CffChunk::raw(2, 1, heights.finish()),
        CffChunk::packed(3, 1, blob(&layers)),
        CffChunk::packed(4, 1, units.finish()),
        CffChunk::raw(5, 1, blob(&[0; 4])),
        CffChunk::raw(9, 1, blob(&unknown)),
        CffChunk::packed(77, 1, blob(&unknown)),
    ];
    for bytes in [spec::cff(1, &all).bytes, misprinted(spec::cff(1, &all))] {
        let (container, sink) = opened(&bytes);
        assert!(sink.findings.is_empty(), "{:?}", sink.findings);
        let container = container.as_ref();
        assert_eq!((container.format(), container.dialect()), ("spellforce-map", Some("spec")));
        let fields = info(container);
        assert_eq!(value(&fields, "map_width"), Val::U(3));
        assert_eq!(value(&fields, "map_height"), Val::U(2));
        let rows = list(container, Of::Listing);
        let counts: Vec<_> = rows.iter().map(|row| row.get("rows").clone()).collect();
        let none = Val::None;
        assert_eq!(counts, [none.clone(), Val::U(255), Val::U(2), Val::U(0), none.clone(), none]);
        let unit = fields_of(container, "4[1]", &bytes);
        assert_eq!(value(&unit.fields, "id"), Val::U(41));
        assert_eq!(value(&unit.fields, "rotation"), Val::F(90.0));
        assert_eq!(value(&unit.fields, "rest"), Val::Bytes(vec![1; 5].into()));
        let layer = fields_of(container, "3[254]", &bytes);
        assert_eq!(value(&layer.fields, "texture_id"), Val::U(254));
        assert_eq!(value(&layer.fields, "rest"), Val::Bytes(vec![254; 6].into()));
        let map = fields_of(container, "2", &bytes);
        assert_eq!(value(&map.fields, "heights[5]"), Val::U(5000));
        assert_eq!(find(container, "4[2]"), []);
        assert_eq!(codes(&verify(container)), ["CF012"], "chunk 77");
        assert_round_trip(container, &bytes);
        assert_covered(container, &bytes);
        assert_paths_lead_back(container);
    }
}

#[test]
fn what_contradicts_the_layouts_is_told_with_its_place() {
    let told = |kind, chunk: CffChunk, beside: &[CffChunk]| {
        let bytes = spec::cff(kind, &[&[chunk][..], beside].concat()).bytes;
        let (container, sink) = opened(&bytes);
        assert!(sink.findings.is_empty());
        assert_round_trip(container.as_ref(), &bytes);
        assert_covered(container.as_ref(), &bytes);
        let sink = verify(container.as_ref());
        assert!(sink.findings.iter().all(|finding| finding.error.place().is_some()));
        assert!(sink.findings.iter().all(|f| f.error.path().starts_with("chunks[")));
        codes(&sink)
    };
    let chunk = |id, data: &[u8]| CffChunk::raw(id, 3, blob(data));
    assert_eq!(told(0, chunk(2016, &[0; 567]), &[]), ["CF011"]);
    assert_eq!(told(0, chunk(2015, &[0; 16]), &[]), ["CF010"], "type 3");
    assert_eq!(told(0, chunk(2001, &[0; 17]), &[]), ["CF011"]);
    assert_eq!(told(0, chunk(999, b"?"), &[]), ["CF012"]);
    assert_eq!(told(1, chunk(2, b"short"), &[]), ["SD001"]);
    let heights = [2, 0, 0, 0, 1, 0, 0, 0, 9, 9, 8, 8];
    assert_eq!(told(1, chunk(2, &heights), &[]), [""; 0]);
    assert_eq!(told(1, chunk(2, &heights[..11]), &[]), ["SD002"]);
    assert_eq!(told(1, chunk(2, &[0xff; 40]), &[]), ["SD002"]);
    assert_eq!(told(1, chunk(4, &[3, 0, 0, 0, 1]), &[]), ["SD001"]);
    assert_eq!(told(1, chunk(4, &[2; 3]), &[]), ["SD001"]);
    assert_eq!(told(1, chunk(4, &[&[1, 0, 0, 0][..], &[0; 30]].concat()), &[]), [""; 0]);
    assert_eq!(told(1, chunk(4, &[&[2, 0, 0, 0][..], &[0; 37]].concat()), &[]), ["CF011"]);
    assert_eq!(told(1, chunk(4, &[0; 9]), &[]), ["CF011"]);
    let layers =
        |count: u8, size| chunk(3, &[&[count][..], &vec![0; count as usize * size]].concat());
    assert_eq!(told(1, layers(255, 4), &[chunk(2, &heights)]), [""; 0]);
    assert_eq!(told(1, layers(254, 4), &[chunk(2, &heights)]), ["SD003"]);
    assert_eq!(told(1, layers(255, 5), &[chunk(2, &heights)]), ["SD003"]);
}

#[test]
fn real_files_are_never_taken_for_it_and_damaged_ones_neither() {
    for sample in spelunk_fixtures::samples() {
        if !sample.format.starts_with("spellforce") || sample.dialect == Some("spec") {
            continue;
        }
        for seed in 0..100 {
            let bytes = mutate(&sample.fixture.bytes, seed);
            let Some(format) = format(&bytes) else { continue };
            if let Ok(container) = test_support::open::open(format, &bytes).0 {
                assert_ne!(container.dialect(), Some("spec"), "{} {seed}", sample.name);
            }
        }
    }
}

#[test]
fn damaged_chunks_are_told_and_what_precedes_them_is_read() {
    let text = b"wood and stone ".repeat(50);
    let chunks = [CffChunk::raw(1, 3, blob(b"abc")), CffChunk::packed(2029, 2, blob(&text))];
    let fixture = spec::cff(0, &chunks);
    // Cut short: only the printed magic tells what it was.
    let mut cut = misprinted(fixture.clone());
    cut.truncate(fixture.range_of("chunks[1].data").end - 1);
    let (container, sink) = opened(&cut);
    assert_eq!(codes(&sink), ["CF006"]);
    let place = sink.findings[0].error.place().unwrap();
    assert_eq!(place.start as usize, fixture.offset_of("chunks[1].length"));
    assert_eq!(list(container.as_ref(), Of::Listing).len(), 1);
    assert_round_trip(container.as_ref(), &cut);
    assert_covered(container.as_ref(), &cut);
    // A stream that does not inflate.
    let mut broken = fixture.clone();
    broken.poke("chunks[1].data", &[0x78, 0x9c, 0xff, 0xff]);
    let (container, sink) = opened(&broken.bytes);
    assert_eq!(codes(&sink), ["SP003"]);
    let at = sink.findings[0].error.place().unwrap().start as usize;
    assert_eq!(at, fixture.offset_of("chunks[1].data"));
    let rows = list(container.as_ref(), Of::Listing);
    assert_eq!(rows[1].size as usize, fixture.slice_of("chunks[1].data").len());
    assert!(bytes_of(container.as_ref(), rows[1].node).is_err());
    assert_covered(container.as_ref(), &broken.bytes);
    assert_eq!(write(container.as_ref(), true).0, broken.bytes);
    assert_eq!(codes(&verify(container.as_ref())), ["CF012"], "the stream is told once");
    // Bytes behind a stream, and two chunks of one name.
    let followed = [zlib(&text, 6), b"more".to_vec()].concat();
    let mut a = Asm::new();
    a.bytes("header", &HEADER);
    for _ in 0..2 {
        a.bytes("chunk", &[0xed, 0x07, 0, 0, 1, 2, 0]).u32("length", followed.len() as u32);
        a.bytes("data", &followed);
    }
    let bytes = a.finish().bytes;
    let (container, sink) = opened(&bytes);
    assert_eq!(codes(&sink), ["CF007"]);
    let told = codes(&verify(container.as_ref()));
    assert_eq!(told.iter().filter(|code| **code == "SP005").count(), 2);
    assert_eq!(find(container.as_ref(), "2029.0").len(), 2);
    assert_eq!(find(container.as_ref(), "#1").len(), 1);
    // Neither form of the headers fits.
    assert_eq!(fails(&[&HEADER[..], &[9; 40]].concat()), "CF003");
    assert_eq!(fails(&HEADER[..19]), "SP001");
}

fn files() -> Vec<SpecFile> {
    let file = |path: &[u8], data: &[u8], packed| SpecFile {
        path: path.to_vec(),
        data: data.to_vec(),
        packed,
    };
    vec![
        file(b"texture\\bark.dds", b"DDS bark", false),
        file(b"script/N1.lua", &b"print(1)\r\n".repeat(12), true),
        file(b"empty", b"", false),
        file("\u{fc}ber#1".chars().map(|c| c as u8).collect::<Vec<_>>().as_slice(), b"x", true),
    ]
}

fn archive(bytes: &[u8]) -> Archive {
    let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(bytes));
    with_task(1 << 20, |task| Archive::open_any(source, task)).0.unwrap()
}

#[test]
fn archives_are_listed_read_and_built() {
    let bytes = spec::pak(&files()).bytes;
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let container = container.as_ref();
    assert!(container.model::<Members>().is_some_and(|of| of.archive().form().is_spec()));
    assert_eq!((container.format(), container.dialect()), ("spellforce-pak", Some("spec")));
    assert_eq!(value(&info(container), "evidence"), Val::Str("synthetic".into()));
    let rows = list(container, Of::Listing);
    let paths: Vec<_> = rows.iter().map(|row| &*row.path).collect();
    assert_eq!(paths, ["texture/bark.dds", "script/N1.lua", "empty", "\u{fc}ber%231"]);
    for (row, file) in rows.iter().zip(files()) {
        assert_eq!(bytes_of(container, row.node).unwrap(), file.data);
        assert_eq!(row.size as usize, file.data.len(), "the plain size");
        assert_eq!(row.get("compression"), &Val::U(file.packed.into()));
    }
    assert_eq!(find(container, "SCRIPT/n1.LUA"), [rows[1].node]);
    assert!(verify(container).findings.is_empty());
    assert_round_trip(container, &bytes);
    assert_covered(container, &bytes);
    assert_paths_lead_back(container);
    // Built of what was read it is the same.
    let new: Vec<NewFile> = files()
        .into_iter()
        .map(|f| NewFile { path: f.path, data: f.data.into(), level: f.packed.then_some(6) })
        .collect();
    let built = |files: &[NewFile]| {
        let mut out = Vec::new();
        with_task(1 << 20, |task| build(1, files, &mut out, task)).0.map(|()| out)
    };
    if cfg!(feature = "c-codecs") {
        assert!(built(&new).unwrap() == bytes);
    }
    let again = built(&new).unwrap();
    let (container, _) = opened(&again);
    assert_eq!(list(container.as_ref(), Of::Listing).len(), 4);
    assert_eq!(opened(&built(&[]).unwrap()).0.size(), 16);
    let refused = |path: &[u8]| {
        let file = NewFile { path: path.to_vec(), ..new[0].clone() };
        built(&[new[1].clone(), file]).unwrap_err().code().id
    };
    assert_eq!(refused(b""), "PK015");
    assert_eq!(refused(b"a\0b"), "PK015");
    assert_eq!(refused(b"script/N1.lua"), "PK016");
}

#[test]
fn damaged_archives_tell_what_is_wrong() {
    let fixture = spec::pak(&files());
    let told = |bytes: &[u8]| {
        let (container, sink) = opened(bytes);
        let (_, listed) = list_damaged(container.as_ref(), Of::Listing);
        assert!(listed.unwrap().findings.iter().all(|finding| finding.error.place().is_some()));
        assert_eq!(write(container.as_ref(), false).0, bytes);
        assert_eq!(write(container.as_ref(), true).0, bytes);
        assert_covered(container.as_ref(), bytes);
        let mut told = codes(&sink);
        told.extend(codes(&verify(container.as_ref())));
        told
    };
    let poked = |part: &str, bytes: &[u8]| {
        let mut damaged = fixture.clone();
        damaged.poke(part, bytes);
        damaged.bytes
    };
    assert_eq!(told(&poked("entries[0].offset", &[0xff; 4])), ["PK007", "PK013"]);
    assert_eq!(told(&poked("entries[0].offset", &[0; 4])), ["PK007", "PK013"], "in the header");
    assert_eq!(told(&poked("entries[0].size", &[9])), ["PK011"]);
    assert_eq!(told(&poked("entries[1].compression", &[7])), ["SD006"]);
    assert_eq!(told(&poked("entries[0].compression", &[1])), ["SP003"]);
    assert_eq!(told(&poked("files[1]", &[0, 0, 0])), ["SP003"]);
    assert_eq!(told(&[&fixture.bytes[..], b"tail"].concat()), ["SD005"]);
    assert_eq!(told(&fixture.bytes[..fixture.bytes.len() - 1]), ["SD004", "PK013"]);
    assert_eq!(told(&poked("header.entry_count", &[0xff; 4])), ["SD004"]);
    let index = fixture.offset_of("entries[0]");
    assert_eq!(fails(&fixture.bytes[..index]), "SD004");
    // An index outside the file is no archive at all.
    assert!(format(&poked("header.index_offset", &[0xff; 4])).is_none());
    let source: Arc<dyn Source> = Arc::new(Bytes::from(poked("header.index_offset", &[0xff; 4])));
    let error = with_task(1 << 20, |task| Archive::open_any(source, task)).0.unwrap_err();
    assert_eq!(error.code().id, "SD004");
}

#[test]
fn caches_are_read_and_built() {
    let files = files();
    let few = files[..1].to_vec();
    let bytes = spec::pakdata(&[("sf0.pak", &files), ("SF1.PAK", &few), ("sf2.pak", &[])]).bytes;
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let container = container.as_ref();
    assert_eq!((container.format(), container.dialect()), ("spellforce-pakdata", Some("spec")));
    let rows = list(container, Of::Listing);
    assert_eq!(rows[4].path, "SF1.PAK/texture/bark.dds");
    assert_eq!(list(container, Of::Root).len(), 3);
    assert!(bytes_of(container, rows[0].node).is_err());
    assert_round_trip(container, &bytes);
    assert_covered(container, &bytes);
    assert_paths_lead_back(container);
    // Built of the archives it is the same.
    let all = [spec::pak(&files), spec::pak(&few), spec::pak(&[])].map(|f| archive(&f.bytes));
    let listed = [("sf0.pak", &all[0]), ("SF1.PAK", &all[1]), ("sf2.pak", &all[2])];
    let mut built = Vec::new();
    with_task(1 << 20, |task| pakdata::build_spec(1, &listed, &mut built, task)).0.unwrap();
    assert!(built == bytes);
    let wrong = with_task(1 << 20, |task| {
        pakdata::build_spec(1, &[("a\0b", &all[0])], &mut Vec::new(), task).unwrap_err()
    })
    .0;
    assert_eq!(wrong.code().id, "PK015");
    // Cut short behind the first archive, and followed by something.
    let fixture = spec::pakdata(&[("sf0.pak", &files), ("sf1.pak", &few)]);
    let cut = &fixture.bytes[..fixture.bytes.len() - 3];
    let (container, sink) = opened(cut);
    assert_eq!(codes(&sink), ["SP001", "PD005"]);
    assert_round_trip(container.as_ref(), cut);
    assert_covered(container.as_ref(), cut);
    let (container, sink) = opened(&[&bytes[..], b"old"].concat());
    assert_eq!(codes(&sink), ["PD004"]);
    assert_eq!(container.size(), bytes.len() as u64 + 3);
    assert_eq!(fails(&fixture.bytes[..40]), "SP001");
}

#[test]
fn nothing_opens_without_counting_the_work() {
    let zeros = vec![0; 1 << 22];
    let packed = SpecFile { path: b"zeros".to_vec(), data: zeros.clone(), packed: true };
    let bombs = [
        spec::cff(0, &[CffChunk::packed(2001, 3, blob(&zeros))]).bytes,
        spec::pak(&[packed]).bytes,
    ];
    for bytes in bombs {
        for few in [
            Limits { steps: 1000, ..limits(bytes.len()) },
            Limits { ratio: 10, ..limits(bytes.len()) },
            Limits { memory: 1000, ..limits(bytes.len()) },
        ] {
            let mut sink = Collect::default();
            let mut task = Task::new(Budget::new(few), &mut sink);
            let source = Arc::new(Bytes::from(bytes.clone()));
            let opened = format(&bytes).unwrap().open(source, &mut task);
            let limit = match opened.and_then(|file| file.verify(&mut task)) {
                Err(error) => error.code().class,
                Ok(()) => sink.findings[0].error.code().class,
            };
            assert_eq!(limit, Class::Limit, "{few:?}");
        }
    }
}

/// Files whose size is out of proportion to what they say: they open, or a limit says no, soon.
#[test]
fn crowded_files_take_no_longer_than_they_are_long() {
    let mut bytes = HEADER.to_vec();
    (0..80_000).for_each(|n| bytes.extend([(n % 3) as u8, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0]));
    assert!(exercise(format(&bytes).unwrap(), &bytes));
    let file = SpecFile { path: b"a".repeat(300), data: b"same".to_vec(), packed: true };
    let mut bytes = spec::pak(&[file]).bytes;
    let index = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let entry = bytes[index..].to_vec();
    bytes.extend(entry.repeat(9_999));
    bytes[8..12].copy_from_slice(&10_000_u32.to_le_bytes());
    assert!(exercise(format(&bytes).unwrap(), &bytes));
}

#[test]
fn damaged_files_never_panic_and_what_opens_is_written_back() {
    let mut dumped = [&HEADER[..], &CHUNK].concat();
    dumped.extend(WEAPON.repeat(256));
    let chunks =
        [CffChunk::raw(2015, 2, blob(&WEAPON)), CffChunk::packed(2016, 3, blob(&[5; 566]))];
    let all = [
        dumped,
        misprinted(spec::cff(0, &chunks)),
        misprinted(spec::map(8)),
        spec::pak(&files()).bytes,
        spec::pakdata(&[("sf0.pak", &files()), ("sf1.pak", &files())]).bytes,
    ];
    let mut opened = [0; 5];
    for (n, bytes) in all.iter().enumerate() {
        let format = format(bytes).unwrap();
        for seed in 0..300 {
            opened[n] += usize::from(exercise(format, &mutate(bytes, seed)));
            opened[n] += usize::from(exercise(format, &mutate_header(bytes, seed)));
        }
    }
    assert!(opened.iter().all(|opened| *opened > 20), "{opened:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_chunks_are_written_back(
        chunks in proptest::collection::vec(
            (prop_oneof![any::<i16>(), 1_i16..8, 2015_i16..2017], 0_i16..3, 1_i16..4,
             proptest::option::of(0_u32..=9), proptest::collection::vec(any::<u8>(), 0..700)),
            1..12,
        ),
        kind in 0_u32..4,
    ) {
        let chunks = chunks.into_iter().map(|(id, occurrence, data_type, level, payload)| {
            CffChunk { occurrence, level, ..CffChunk::raw(id, data_type, blob(&payload)) }
        });
        let chunks: Vec<_> = chunks.collect();
        let bytes = misprinted(spec::cff(kind, &chunks));
        let (container, sink) = opened(&bytes);
        prop_assert!(!sink.has_errors());
        let file = container.model::<Chunks>().unwrap().file();
        prop_assert_eq!(file.form(), Form::SpecTable);
        prop_assert_eq!(file.chunks().len(), chunks.len());
        let rows = list(container.as_ref(), Of::Listing);
        for (row, chunk) in rows.iter().zip(&chunks) {
            let plain = bytes_of(container.as_ref(), row.node).unwrap();
            prop_assert_eq!(&plain, &chunk.payload.bytes);
        }
        assert_round_trip(container.as_ref(), &bytes);
        assert_covered(container.as_ref(), &bytes);
    }

    #[test]
    fn any_archive_is_written_back_and_built_again(
        files in proptest::collection::btree_map(
            proptest::collection::vec(1_u8..=255, 1..12),
            (proptest::collection::vec(any::<u8>(), 0..60), any::<bool>()),
            1..20,
        ),
        trailing in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        let files: Vec<_> = files.into_iter()
            .map(|(path, (data, packed))| SpecFile { path, data, packed }).collect();
        let built = spec::pak(&files).bytes;
        let bytes = [&built[..], &trailing].concat();
        let (container, sink) = opened(&bytes);
        prop_assert!(!sink.has_errors());
        assert_round_trip(container.as_ref(), &bytes);
        assert_covered(container.as_ref(), &bytes);
        let again: Vec<_> = files.iter().map(|f| NewFile {
            path: f.path.clone(),
            data: f.data.clone().into(),
            level: f.packed.then_some(6),
        }).collect();
        let mut out = Vec::new();
        with_task(1 << 20, |task| build(1, &again, &mut out, task)).0.unwrap();
        let (again, _) = opened(&out);
        for (n, file) in files.iter().enumerate() {
            let node = spelunk_core::Node(n as u64);
            prop_assert_eq!(bytes_of(again.as_ref(), node).unwrap(), file.data.clone());
        }
        let cache = spec::pakdata(&[("any.pak", &files)]).bytes;
        let (container, sink) = opened(&cache);
        prop_assert!(!sink.has_errors());
        assert_round_trip(container.as_ref(), &cache);
        assert_covered(container.as_ref(), &cache);
    }
}
