//! The dialect `spec`: the hex dumps and the worked examples of the written specification.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::{
    common::{assert_round_trip, opened},
    spec::{HEADER, fails, fields_of},
};
use spelunk_core::{Of, Val};
use spelunk_fixtures::{
    cff::{CffChunk, blob},
    spec,
};
use test_support::{
    entries::{bytes_of, find, list, verify},
    fields::{info, value},
    findings::codes,
    laws::{assert_covered, assert_paths_lead_back},
};

/// The dump of a chunk header, said to lie at 0x14.
pub const CHUNK: [u8; 10] = [0xdf, 0x07, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x10, 0x00];
/// The dump of a weapon, said to lie at 0x1E.
pub const WEAPON: [u8; 16] = [0x7b, 0, 0x0a, 0, 0x0f, 0, 0, 0, 0x01, 0, 0x64, 0, 0x01, 0, 0x01, 0];

/// Dump 1. What is printed is a whole file without chunks. Wrong in it: the bytes of the magic, which are not those of the
/// decimal number that stands beside them, and format 3 with type 0, where real GameData have 2 and mostly 2.
#[test]
fn the_dump_of_the_file_header() {
    let (container, sink) = opened(&HEADER);
    assert!(sink.findings.is_empty());
    assert_eq!((container.format(), container.dialect()), ("spellforce-cff", Some("spec")));
    let fields = info(container.as_ref());
    let magic = u32::from_le_bytes(HEADER[..4].try_into().unwrap());
    assert_eq!(value(&fields, "magic"), Val::Word(magic));
    assert_eq!(value(&fields, "format_version"), Val::U(3));
    assert_eq!(value(&fields, "type"), Val::U(0));
    assert_eq!(value(&fields, "evidence"), Val::Str("synthetic".into()));
    // The number that the specification gives for these bytes belongs to others.
    assert_eq!(magic, 0xdd5e_5e12);
    assert_ne!(magic.cast_signed(), -579_674_862);
    assert_eq!((-579_674_862_i32).cast_unsigned(), spellforce::cff::MAGIC);
    assert_round_trip(container.as_ref(), &HEADER);
    assert_covered(container.as_ref(), &HEADER);
}

/// Dump 2. Wrong in it: it is one byte short of the table's header. Read with a length of three bytes it says 4096, as the
/// text beside it does, and the item is where the third dump has it. With the table's four bytes the length takes the first
/// byte of the item.
#[test]
fn the_dump_of_a_chunk_header() {
    assert_eq!(CHUNK.len(), 10);
    assert_eq!(HEADER.len() + CHUNK.len(), 0x1e, "the place of the third dump");
    let three = u32::from_le_bytes([CHUNK[7], CHUNK[8], CHUNK[9], 0]);
    let four = u32::from_le_bytes([CHUNK[7], CHUNK[8], CHUNK[9], WEAPON[0]]);
    assert_eq!((three, four), (4096, 0x7b00_1000));
    // All three dumps as one file, with the 256 items that the text counts.
    let mut bytes = [&HEADER[..], &CHUNK].concat();
    bytes.extend(WEAPON.repeat(256));
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    let container = container.as_ref();
    assert_eq!(value(&info(container), "chunk_header_size"), Val::U(10));
    let rows = list(container, Of::Listing);
    assert_eq!((rows.len(), &*rows[0].path, rows[0].size), (1, "2015", 4096));
    assert_eq!(rows[0].get("rows"), &Val::U(256));
    assert_eq!(rows[0].get("data_type"), &Val::I(2));
    assert_eq!(rows[0].get("packed"), &Val::Bool(false));
    let first = find(container, "2015[0]")[0];
    assert_eq!(bytes_of(container, first).unwrap(), WEAPON.as_slice());
    assert_round_trip(container, &bytes);
    assert_covered(container, &bytes);
    assert_paths_lead_back(container);
    assert_eq!(codes(&verify(container)), ["GD002"; 255], "one id 256 times");
    // With the byte that is missing it is the table's header.
    let mut bytes = [&HEADER[..], &CHUNK, &[0]].concat();
    bytes.extend(WEAPON.repeat(256));
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    assert_eq!(value(&info(container.as_ref()), "chunk_header_size"), Val::U(11));
}

/// What is printed alone, a header and one item of the 256 that it counts: a chunk that is cut short, and nothing else.
#[test]
fn the_dumps_as_they_are_printed_are_a_file_cut_short() {
    let printed = [&HEADER[..], &CHUNK, &WEAPON].concat();
    let (container, sink) = opened(&printed);
    let [finding] = &sink.findings[..] else { panic!("{:?}", sink.findings) };
    let error = &finding.error;
    assert_eq!((error.code().id, finding.severity), ("CF006", spelunk_core::Severity::Error));
    assert_eq!(error.place().map(|at| (at.start, at.len)), Some((0x1b, 3)));
    assert_eq!(error.path(), "chunks[0].data_length");
    let text = error.to_string();
    assert!(text.contains("at most 16 bytes") && text.contains("4096 bytes"), "{text}");
    let container = container.as_ref();
    let rows = list(container, Of::Listing);
    assert_eq!((rows[0].size, rows[0].get("rows")), (16, &Val::U(1)));
    assert_eq!(rows[0].get("stored_size"), &Val::U(16));
    assert_eq!(value(&fields_of(container, "2015", &printed).fields, "data_length"), Val::U(4096));
    let weapon = fields_of(container, "2015/123", &printed);
    assert_eq!(value(&weapon.fields, "weapon_speed"), Val::U(100));
    assert_eq!(weapon.fields[0].at.unwrap().start, 0x1e, "the place that is told");
    assert!(verify(container).findings.is_empty(), "told once");
    assert_round_trip(container, &printed);
    assert_covered(container, &printed);
    assert_paths_lead_back(container);
    // Wherever it ends, what is there of the last row is kept.
    for len in HEADER.len() + CHUNK.len()..printed.len() {
        let (container, sink) = opened(&printed[..len]);
        assert_eq!(codes(&sink), ["CF006"], "{len}");
        assert_round_trip(container.as_ref(), &printed[..len]);
        assert_covered(container.as_ref(), &printed[..len]);
    }
    // With headers of the table it is the table's chunk; a length that only the dump has room for is none of it.
    let table = [&HEADER[..], &CHUNK, &[0], &WEAPON].concat();
    let (container, sink) = opened(&table);
    assert_eq!(codes(&sink), ["CF006"]);
    assert_eq!(value(&info(container.as_ref()), "chunk_header_size"), Val::U(11));
    assert_eq!(find(container.as_ref(), "2015/123").len(), 1);
    // Another data type, and the magic of real files, say nothing of a chunk.
    let mut other = printed.clone();
    other[25] = 3;
    assert_eq!(fails(&other), "CF003");
    let real = [&spellforce::cff::MAGIC.to_le_bytes()[..], &printed[4..]].concat();
    assert_eq!(fails(&real), "CF006");
}

/// Dump 3. Nothing is wrong in it: the row is that of real files too.
#[test]
fn the_dump_of_a_weapon() {
    let mut bytes = [&HEADER[..], &CHUNK[..7], &[16, 0, 0, 0]].concat();
    bytes.extend(WEAPON);
    let (container, _) = opened(&bytes);
    let flat = fields_of(container.as_ref(), "2015[0]", &bytes);
    let told: Vec<_> =
        flat.fields.iter().map(|field| (&*field.path, field.value.to_string())).collect();
    let expected = [
        ("item_id", 123),
        ("min_damage", 10),
        ("max_damage", 15),
        ("min_range", 0),
        ("max_range", 1),
        ("weapon_speed", 100),
        ("weapon_type", 1),
        ("weapon_material", 1),
    ];
    let expected: Vec<_> = expected.iter().map(|(name, n)| (*name, n.to_string())).collect();
    assert_eq!(told, expected);
    assert_eq!(flat.fields[0].at.unwrap().start, 0x1f, "a byte behind the place that is told");
}

/// The layout example and the sums of the specification.
#[test]
fn the_examples_of_the_specification() {
    // "15 items of 16 bytes" is 240 bytes: the file of the layout example has these chunks, with headers of 11 bytes.
    let example = [(2001, 3, 240, 15), (2002, 2, 12_800, 200), (2003, 2, 51_200, 3200)];
    let chunks = example.map(|(id, data_type, len, _)| {
        // Ids that ascend, so that nothing is found wrong with the rows.
        let size = if id == 2002 { 64 } else { 16 };
        let row = |n: u16| [&n.to_le_bytes()[..], &vec![0; size - 2]].concat();
        let rows: Vec<u8> = (0..(len / size) as u16).flat_map(row).collect();
        assert_eq!(rows.len(), len);
        CffChunk::raw(id, data_type, blob(&rows))
    });
    let bytes = spec::cff(0, &chunks).bytes;
    assert_eq!(bytes.len(), 20 + 3 * 11 + 240 + 12_800 + 51_200);
    let (container, sink) = opened(&bytes);
    assert!(sink.findings.is_empty());
    let listed = list(container.as_ref(), Of::Listing);
    for ((id, _, len, items), row) in example.into_iter().zip(&listed) {
        assert_eq!((&*row.path, row.size), (&*id.to_string(), len as u64));
        assert_eq!(row.get("rows"), &Val::U(items));
    }
    assert!(verify(container.as_ref()).findings.is_empty());
    // "1 + 255 x (2 + width x height)" bytes of texture weights.
    let map = spec::whole_map(6, 4);
    let (container, _) = opened(&map.bytes);
    let weights = &list(container.as_ref(), Of::Listing)[1];
    assert_eq!((weights.size, weights.get("rows")), (1 + 255 * (2 + 6 * 4), &Val::U(255)));
    assert!(verify(container.as_ref()).findings.is_empty());
    // A map of 128 by 128 cells.
    let map = spec::map(128);
    let (container, _) = opened(&map.bytes);
    let heights = &list(container.as_ref(), Of::Listing)[0];
    assert_eq!(heights.size, 32_776);
    // A text row has 566 bytes, texts of 50 and 512 bytes, ended by the first NUL.
    let mut row = vec![7, 0, 0, 1];
    row.extend(b"item_sword_iron\0garbage");
    row.resize(54, 0);
    row.extend(b"Iron Sword\0");
    row.resize(566, 0xcc);
    let bytes = spec::cff(0, &[CffChunk::raw(2016, 3, blob(&row))]).bytes;
    let (container, _) = opened(&bytes);
    let flat = fields_of(container.as_ref(), "2016/7/0", &bytes);
    assert_eq!(value(&flat.fields, "handle"), Val::Text(b"item_sword_iron".as_slice().into()));
    assert_eq!(value(&flat.fields, "content"), Val::Str("Iron Sword".into()));
    assert_round_trip(container.as_ref(), &bytes);
    // The table of languages: the same bytes in each of the seven.
    let shown = ["\u{c6}", "\u{c6}", "\u{c6}", "\u{c6}", "\u{c6}", "\u{416}", "\u{106}"];
    let rows: Vec<u8> = (0..7).flat_map(|id| spec::text(1, id, b"", b"\xc6")).collect();
    let bytes = spec::cff(0, &[CffChunk::raw(2016, 3, blob(&rows))]).bytes;
    let (container, _) = opened(&bytes);
    for (id, shown) in shown.into_iter().enumerate() {
        let flat = fields_of(container.as_ref(), &format!("2016/1/{id}"), &bytes);
        assert_eq!(value(&flat.fields, "content"), Val::Str(shown.into()), "{id}");
    }
}
