//! Entries of files made for tests: their paths, bytes and fields, and those that are references alone.

use crate::common::{open, opened};
use spelunk_core::{
    Of, Severity, Task, Val,
    text::CodePages,
    walk::{Flat, finish},
};
use spelunk_fixtures::{
    chunk::Chunk,
    samples,
    virtools::{Body, IncludedFile, ObjectEntry, VirtoolsFile},
};
use test_support::{
    entries::{Row, find_damaged, list_damaged},
    findings::{codes, codes_of},
    task::with_task,
};

#[test]
fn paths_name_entries_and_ambiguity_is_told() {
    let mut sample = samples::menu();
    sample.objects.push(ObjectEntry::null(50, 32, b"50% #1/2"));
    sample.objects.push(ObjectEntry::null(51, 32, b"twice\0a"));
    sample.objects.push(ObjectEntry::null(52, 32, b"twice\0b"));
    sample.records.push(IncludedFile { name: b"a/b.txt".to_vec(), data: b"text".to_vec() });
    let file = opened(&sample.build());
    let pages = CodePages::cp1252();
    let find = |path: &str| {
        let mut paths = Vec::new();
        for node in find_damaged(&*file, path) {
            let mut push = |entry: &spelunk_core::Entry<'_>, _: &mut Task<'_>| {
                paths.push(entry.path.to_owned());
                Ok(())
            };
            finish(with_task(0, |task| file.entry(node, &pages, task, &mut push)).0).unwrap();
        }
        paths
    };
    assert_eq!(find("#3"), ["#3"]);
    assert_eq!(find("CKMesh/50%25 %231%2F2"), ["#7"]);
    assert_eq!(find("CKMesh/twice"), ["#8", "#9"]);
    assert_eq!(find("CKTexture/Menü_Hintergrund"), ["#1"]);
    assert_eq!(find("CKInterfaceObjectManager/"), ["#4"], "a nameless object");
    assert_eq!(find("CK3dEntity/"), ["#3"], "a name of NULs shows as none");
    assert_eq!(find("CKMesh"), ["CKMesh"]);
    assert_eq!(find("managers/D6B354D7-9b751ca5"), ["managers/d6b354d7-9b751ca5"]);
    assert_eq!(find("included/a%2Fb.txt"), ["included/a%2Fb.txt"]);
    for folder in ["header1", "data", "managers", "included"] {
        assert_eq!(find(folder), [folder]);
    }
    for nothing in ["", "#10", "#x", "#-1", "CKLight", "CKMesh/x", "plugins/4", "x/y", "managers/"]
    {
        assert!(find(nothing).is_empty(), "{nothing}");
    }
    let level = opened(&samples::level().build());
    assert_eq!(find_damaged(&*level, "plugins/4").len(), 1);
    for foreign in [0xFF, u64::MAX, 8 | (1 << 20)] {
        let node = spelunk_core::Node(foreign);
        let found = with_task(0, |task| level.entry(node, &pages, task, &mut |_, _| Ok(()))).0;
        assert_eq!(finish(found).unwrap_err().code().id, "SP022");
    }
}

#[test]
fn bytes_and_fields_of_every_entry() {
    let sample = samples::menu();
    let (data, file) = (sample.data_section(), opened(&sample.build()));
    let bytes = |path: &str| {
        let node = find_damaged(&*file, path)[0];
        with_task(0, |task| file.bytes(node, task)).0
    };
    assert_eq!(bytes("#1").unwrap(), data.slice_of("objects[1].chunk"));
    assert_eq!(bytes("#6").unwrap(), b""[..]);
    assert_eq!(bytes("data").unwrap(), data.bytes);
    assert_eq!(bytes("header1").unwrap(), sample.header1_section().bytes);
    assert_eq!(bytes("included/vtthumbnail.jpg").unwrap(), sample.records[0].data);
    assert_eq!(bytes("managers/3d242466-00000000").unwrap(), data.slice_of("managers[0].chunk"));
    assert_eq!(bytes("managers").unwrap_err().code().id, "SP024");
    assert_eq!(bytes("CKMesh").unwrap_err().code().id, "SP024");

    let fields = |path: &str| {
        let node = find_damaged(&*file, path)[0];
        let mut flat = Flat::default();
        finish(with_task(0, |task| file.walk(node, task, &mut flat)).0).unwrap();
        flat.fields
    };
    let object: Vec<_> = fields("#2").into_iter().map(|field| field.path).collect();
    let expected = "class entry.id entry.class_id entry.file_index entry.name_length entry.name";
    assert_eq!(object, expected.split_whitespace().collect::<Vec<_>>());
    for path in ["header1", "data", "included/vtthumbnail.jpg", "managers/3d242466-00000000"] {
        assert!(fields(path).len() >= 3, "{path}");
    }
}

#[test]
fn reference_only_entries_are_noted_and_ids_are_as_stored() {
    let references = samples::references().build();
    let (file, findings) = open(&references.bytes);
    assert_eq!(codes_of(&findings, Severity::Info), ["VT014"]);
    assert_eq!(findings.findings[0].error.path(), "object[2]");
    let (rows, _) = list_damaged(&*file.unwrap(), Of::Listing);
    assert_eq!(rows[0].details[1], ("id".to_owned(), Val::I(0x0080_0001)));
    assert_eq!(rows[2].details[1], ("id".to_owned(), Val::I(i64::from(0x8000_0003_u32 as i32))));
}

/// Bit 23 marks a reference-only entry where the chunk holds a type alone; otherwise it does when that is asked for.
#[test]
fn a_reference_of_the_specification_is_noted_and_read_as_one() {
    let verified = |sample: &VirtoolsFile| {
        let (result, findings) = with_task(0, |task| opened(&sample.build()).verify(task));
        result.unwrap();
        findings
    };
    let sample = samples::references();
    let findings = verified(&sample);
    assert_eq!(codes_of(&findings, Severity::Info), ["VT027"]);
    assert_eq!(findings.findings[0].error.path(), "object[0]");
    assert_eq!(codes(&findings).len(), 1);
    let guid = (1, 2);
    let of = |chunk: Chunk| Body::Chunk(chunk);
    let reference = |file: virtools::File| {
        with_task(0, |task| file.reference_id(0, &mut task.budget)).0.unwrap()
    };
    let model = |sample: &VirtoolsFile| {
        let bytes = spelunk_core::Bytes::from(sample.build().bytes);
        with_task(0, |task| virtools::File::read_from(&bytes, task)).0.unwrap()
    };
    assert_eq!(reference(model(&sample)), Some(1));
    for (id, body, told) in [
        (1, sample.objects[0].body.clone(), None),
        (0x0080_0001, Body::Null, Some("VT190")),
        (0x0080_0001, of(Chunk::object(45)), Some("VT190")),
        (0x0080_0001, of(Chunk::object(45).identifier(0x40)), None),
        (0x0080_0001, of(Chunk::object(45).identifier(0x41).guid(guid)), None),
        (0x0080_0001, of(Chunk::object(45).identifier(0x40).guid(guid).word(1)), None),
        (0x0080_0001, of(Chunk::object(45).identifier(0x40).identifier(0x41)), None),
    ] {
        let mut sample = sample.clone();
        sample.max_id = Some(0x0080_0002);
        sample.objects[0].id = id;
        sample.objects[0].body = body;
        assert_eq!(codes_of(&verified(&sample), Severity::Info), Vec::from_iter(told));
        let file = model(&sample);
        assert_eq!(reference(file.clone()), None);
        let asked = (id & 0x0080_0000 != 0).then_some(1);
        assert_eq!(reference(file.with_references_by_bit_23()), asked, "{:?}", sample.objects[0]);
    }
}

/// Identifiers and sub-chunks have paths below objects and managers, and rows, bytes and fields of their own.
#[test]
fn parts_of_chunks_are_listed_found_and_walked() {
    let file = opened(&samples::menu().build());
    let node = |path: &str| {
        let found = find_damaged(&*file, path);
        assert_eq!(found.len(), 1, "{path}");
        found[0]
    };
    let parts = |path: &str| {
        let (rows, findings) = list_damaged(&*file, Of::Parts(node(path)));
        assert!(findings.unwrap().findings.is_empty());
        rows.into_iter().map(|row| (row.path, row.kind, row.size)).collect::<Vec<_>>()
    };
    let row = |path: &str, kind: &str, size| (path.to_owned(), kind.to_owned(), size);
    let object = parts("#0");
    assert_eq!(object[0], row("#0/0x20000000", "identifier", 20));
    assert_eq!(object[1].0, "#0/0x80000000");
    assert_eq!(parts("CKLevel/Level"), object);
    assert_eq!(parts("#0/0x80000000")[0].0, "#0/0x80000000/0");
    let scene: Vec<_> = parts("#0/0x80000000/0").into_iter().map(|row| row.0).collect();
    assert_eq!(scene, ["#0/0x80000000/0/0x20000", "#0/0x80000000/0/0x40000"]);
    assert_eq!(parts("#0/0x80000000/0/0x20000")[0].1, "sub-chunk");
    assert_eq!(
        parts("managers/3d242466-00000000")[0].0,
        "managers/3d242466-00000000/0x52",
        "managers have parts, too"
    );
    assert_eq!(parts("#2"), [], "no identifier");
    assert_eq!(parts("#6"), [], "no chunk");
    for path in ["#0/0x1", "#0/0x80000000/1", "#6/0x1", "CKLevel/Level/0x1", "data/0x1", "#0/"] {
        assert!(find_damaged(&*file, path).is_empty(), "{path}");
    }
    let path = "#0/0x80000000/0/0x20000/0";
    let (entry, _) = with_task(0, |task| {
        let mut told = None;
        let pages = file.code_pages();
        let walked = file.entry(node(path), &pages, task, &mut |entry, _| {
            told = Some((entry.path.to_owned(), entry.size));
            Ok(())
        });
        finish(walked).map(|()| told)
    });
    let (told, size) = entry.unwrap().unwrap();
    assert_eq!(told, path);
    let bytes = with_task(0, |task| file.bytes(node(path), task)).0.unwrap();
    assert_eq!(bytes.len() as u64, size);
    assert_eq!(bytes[4..8], 33_u32.to_le_bytes(), "the class of the sub-chunk");
    let mut flat = Flat::default();
    finish(with_task(0, |task| file.walk(node(path), task, &mut flat)).0).unwrap();
    assert_eq!(flat.fields[0].path, "size");
}

/// Only objects that are packed on their own have a stored size.
#[test]
fn the_stored_size_of_an_object_is_told_where_it_has_one() {
    let file = opened(&samples::legacy(3).build());
    let (rows, _) = list_damaged(&*file, Of::Listing);
    let stored = |row: &Row| {
        row.details.iter().find(|(path, _)| path == "stored_size").map(|(_, value)| value.clone())
    };
    assert_eq!(rows[0].size, 44);
    assert_eq!(stored(&rows[0]), Some(Val::U(35)));
    assert_eq!(stored(&rows[2]), None, "its stream was not smaller");
}
