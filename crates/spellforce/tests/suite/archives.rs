//! Archives and the cache of their directories, from fixtures.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{assert_round_trip, opened};
use spelunk_core::{
    Collect, Of, Severity, Task, Val, WriteOptions,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    Fixture,
    pak::{Pak, PakFile},
    samples,
};
use test_support::{
    entries::{bytes_of, find, list, verify},
    fields::{info, value},
    findings::codes,
    laws::{assert_covered, assert_paths_lead_back},
    task::budget,
};

/// What is sorted for one operation is let go of, so that an open file can be checked again and again.
#[test]
fn archives_give_back_what_an_operation_took() {
    let bytes = samples::pak().build().bytes;
    let (container, _) = opened(&bytes);
    let mut sink = Collect::default();
    let mut task = Task::new(budget(bytes.len()), &mut sink);
    let before = task.budget.left().memory;
    finish(container.layout(&mut task, &mut Flat::default())).unwrap();
    container.verify(&mut task).unwrap();
    container.write(&mut Vec::new(), &WriteOptions::default(), &mut task).unwrap();
    assert_eq!(task.budget.left().memory, before);
}

#[test]
fn long_names_of_an_archive_are_warned_of_and_read() {
    let name = [b'n'; 300];
    let files = vec![
        PakFile::new(b"data", &name, b"content"),
        PakFile::new(&b"deep\\".repeat(90)[..449], b"a.txt", b"more"),
        PakFile::new(b"data", &[b'm'; 260], b""),
    ];
    let bytes = Pak { files, ..Pak::default() }.build().bytes;
    let (container, sink) = opened(&bytes);
    let container = container.as_ref();
    assert_eq!(codes(&sink), ["PK014", "PK014"]);
    assert!(sink.findings.iter().all(|finding| finding.severity == Severity::Warning));
    assert!(verify(container).findings.is_empty(), "the hashes of long paths are right");
    let rows = list(container, Of::Listing);
    let long = rows.iter().find(|row| row.get("name") == &Val::Text(name.to_vec().into())).unwrap();
    assert_eq!(long.path, format!("data/{}", "n".repeat(300)));
    assert_eq!(bytes_of(container, long.node).unwrap(), &b"content"[..]);
    assert_paths_lead_back(container);
    assert_covered(container, &bytes);
    assert_round_trip(container, &bytes);
}

#[test]
fn entries_of_an_archive_are_where_the_fixture_put_them() {
    let pak = samples::pak();
    let fixture = pak.build();
    let (container, _) = opened(&fixture.bytes);
    assert!(verify(container.as_ref()).findings.is_empty());
    let rows = list(container.as_ref(), Of::Listing);
    for (row, entry) in rows.iter().zip(pak.entries()) {
        let file = &pak.files[entry.file];
        let at = fixture.offset_of(&format!("files[{}]", entry.file));
        assert_eq!(row.get("offset"), &Val::U(at as u64));
        assert_eq!(row.get("directory"), &Val::Text(file.dir.clone().into()));
        assert_eq!(row.get("name"), &Val::Text(file.name.clone().into()));
        assert_eq!(row.name.as_ref(), Some(&file.name));
        let path =
            String::from_utf8_lossy(&file.path()).replace('\\', "/").replace('\u{fffd}', "ü");
        assert_eq!(row.path, path);
        let bytes = bytes_of(container.as_ref(), row.node).unwrap();
        assert_eq!(bytes, file.data);
        assert_eq!(find(container.as_ref(), &path.to_uppercase()), [row.node]);
    }
    let fields = info(container.as_ref());
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
        let later = verify(container.as_ref());
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
    let fields = info(container.as_ref());
    assert_eq!(value(&fields, "paks[1].key"), Val::Text(b"sf32.pak".to_vec().into()));
    assert_eq!(value(&fields, "trailing_size"), Val::U(set.trailing.len() as u64));
    let rows = list(container.as_ref(), Of::Listing);
    assert_eq!(rows.len(), 9);
    assert!(rows.iter().any(|row| row.path == "sf22.pak/texture/tür_holz.dds"));
    let row = rows.iter().find(|row| row.path == "sf32.pak/mesh/tower.msb").unwrap();
    assert_eq!((row.size, row.get("offset")), (11, &Val::I(0)));
    assert_eq!(row.get("name"), &Val::Text(b"tower.msb".to_vec().into()));
    assert_eq!(row.name.as_deref(), Some(&b"tower.msb"[..]));
    let error = bytes_of(container.as_ref(), row.node).unwrap_err();
    assert_eq!(error.code().id, "SP024");
    let mut twisted = fixture.clone();
    twisted.poke("paks[0].data_start_again", &[1]);
    assert_eq!(codes(&opened(&twisted.bytes).1), ["PD003", "PD004"]);
}
