//! Files made for tests: every kind of content, and every kind of damage.

use crate::common::{current, open, opened};
use spelunk_core::{
    Budget, Bytes, Container, Format, Of, Probe, Severity, Strict, Task, Val,
    limits::Limits,
    source::FileSource,
    walk::{Flat, Locate, finish},
};
use spelunk_fixtures::{
    Sample, malformed, samples,
    virtools::{Body, Checksum, ManagerEntry, Packing, VirtoolsFile, adler32, rechecksum},
};
use std::sync::Arc;
use test_support::{
    entries::{find_damaged, list_damaged, write},
    fields::info_damaged,
    findings::{codes, codes_of, errors},
    laws::assert_covered_despite_damage,
    task::with_task,
};
use virtools::Virtools;

fn flat(file: &dyn Container) -> Flat {
    let mut flat = Flat::default();
    let (walked, _) = with_task(file.size() as usize, |task| file.layout(task, &mut flat));
    finish(walked).unwrap();
    flat
}

#[test]
fn samples_are_covered_and_written_back() {
    let samples = current();
    assert_eq!(samples.len(), 6);
    for Sample { name, fixture, .. } in samples {
        let (file, findings) = open(&fixture.bytes);
        let file = file.unwrap();
        assert!(errors(&findings).is_empty(), "{name}: {findings:?}");
        assert_covered_despite_damage(&*file, name);
        for recompress in [false, true] {
            let (written, notes) = write(&*file, recompress);
            assert_eq!(written, fixture.bytes, "{name}");
            assert!(notes.findings.is_empty() || !cfg!(feature = "c-codecs"), "{name}: {notes:?}");
        }
        let (result, findings) = with_task(0, |task| file.verify(task));
        result.unwrap();
        // An object of the menu saved nothing at all, on purpose.
        let (notes, warnings): (&[&str], &[&str]) = match name {
            "references.nmo" => (&["VT027"], &[]),
            "menu.cmo" => (&[], &["VT165"]),
            _ => (&[], &[]),
        };
        assert_eq!(codes_of(&findings, Severity::Info), notes, "{name}: {findings:?}");
        assert_eq!(codes_of(&findings, Severity::Warning), warnings, "{name}: {findings:?}");
        assert_eq!(codes(&findings).len(), notes.len() + warnings.len(), "{name}: {findings:?}");
    }
}

#[test]
fn fields_lie_where_the_assembler_put_them() {
    let menu = samples::menu().build();
    let flat = flat(&*opened(&menu));
    for (path, part) in [
        ("part0.crc", "part0.crc"),
        ("part0.hdr1_pack_size", "part0.header1_pack_size"),
        ("part1.max_id", "part1.max_id"),
        ("part1.product_build", "part1.product_build"),
        ("header1.objects[2].name_length", "header1.objects[2].name_size"),
        ("header1.objects[2].name", "header1.objects[2].name"),
        ("header1.objects[6].file_index", "header1.objects[6].file_index"),
        ("header1.stub.included_count", "header1.stub.count"),
        ("data.managers[1].size", "data.managers[1].size"),
        ("data.managers[1].chunk.data_size", "data.managers[1].chunk.data_size"),
        ("data.records[3].size", "data.objects[3].size"),
        ("data.records[0].chunk.scene.scene.size", "data.objects[0].chunk.data.9"),
        ("data.records[0].chunk.chunks[0]", "data.objects[0].chunk.chn"),
        ("tail.included[0].name", "records[0].name"),
        ("tail.included[0].content", "records[0].data"),
    ] {
        let field = flat.fields.iter().find(|field| field.path == path);
        let at = field.unwrap_or_else(|| panic!("no field {path}")).at.unwrap();
        let range = menu.range_of(part);
        assert_eq!((at.start, at.len), (range.start as u64, range.len() as u64), "{path}");
    }
}

#[test]
fn one_byte_is_located_in_the_file_and_in_an_inflated_space() {
    let level = samples::level();
    let plain = level.header1_section();
    let file = opened(&level.build());
    let offset = plain.offset_of("objects[3].class_id") as u64;
    let mut locate = Locate::new(virtools::file::HEADER1, offset);
    finish(with_task(0, |task| file.layout(task, &mut locate)).0).unwrap();
    let found = locate.found.unwrap();
    assert_eq!(found.field.path, "header1.objects[3].class_id");
    assert_eq!(found.field.value, Val::U(41));
    let mut locate = Locate::new(spelunk_core::Space::FILE, 70);
    finish(with_task(0, |task| file.layout(task, &mut locate)).0).unwrap();
    assert_eq!(locate.found.unwrap().field.path, "header1.stored");
}

#[test]
fn info_has_the_fields_of_the_contract_in_its_order() {
    let info = info_damaged(&*opened(&samples::menu().build()));
    let mut names: Vec<_> = info.iter().map(|f| f.path.split(['.', '[']).next().unwrap()).collect();
    names.dedup();
    let expected = "file_version ck_version product_version product_build product kind write_mode \
        object_count manager_count max_id checksum packing stored_size unpacked_size tail_size \
        classes included_files included_count evidence";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
    assert_eq!(info.text("product"), "3.5.0.53");
    assert_eq!(info.text("kind"), "level");
    assert_eq!(info.text("checksum.recipe"), "data-only");
    assert_eq!(info.text("included_files[0].name"), "\"vtthumbnail.jpg\"");
    let info = info_damaged(&*opened(&samples::level().build()));
    assert_eq!(info.text("kind"), "objects");
    assert_eq!(info.number("plugins[1].category"), 4);
    assert_eq!(info.text("plugins[1].name"), "behaviour");
    assert_eq!(info.text("plugins[1].guids[0]"), "01234567-89abcdef");
    assert_eq!(info.text("plugins[1].guids[2]"), "00000000-00000000");
    let info = info_damaged(&*opened(&samples::script().build()));
    assert_eq!(info.number("classes.CKCID_66051"), 1, "a class of a plugin");
}

/// What a reader was checked on is said of the very file.
#[test]
fn info_tells_its_evidence() {
    for (file_version, evidence) in [(8, "real files"), (9, "synthetic")] {
        let file = VirtoolsFile { file_version, ..samples::level() };
        assert_eq!(info_damaged(&*opened(&file.build())).text("evidence"), evidence);
    }
}

#[test]
fn the_bits_of_the_write_mode_have_names() {
    for (mode, meaning) in [
        (0, Some("uncompressed")),
        (4, Some("for viewer")),
        (8, Some("whole compressed")),
        (
            15,
            Some(
                "chunk compressed (old) | external textures (old) | for viewer | whole compressed",
            ),
        ),
        (16, None),
    ] {
        let file = VirtoolsFile { write_mode: Some(mode), ..VirtoolsFile::default() };
        let info = info_damaged(&*opened(&file.build()));
        let shown = info.iter().find(|field| field.path == "write_mode").unwrap();
        assert_eq!(shown.value, Val::Word(mode));
        assert_eq!(shown.field.meaning(&shown.value).as_deref(), meaning);
        assert_eq!(shown.at.unwrap(), spelunk_core::Span::file(24, 4));
    }
}

/// What a file that is cut short holds counts, not what its headers claim.
#[test]
fn the_stored_size_is_what_is_there() {
    let level = samples::level().build();
    assert!(samples::level().records.is_empty());
    for cut in 0..=level.slice_of("data").len() {
        let bytes = &level.bytes[..level.bytes.len() - cut];
        let info = info_damaged(&*open(bytes).0.unwrap());
        assert_eq!(info.number("stored_size"), bytes.len() as u64);
        assert_eq!(info.number("tail_size"), 0);
    }
}

/// Four bytes behind each stream, inside the declared sizes of the sections.
#[test]
fn bytes_behind_a_stream_are_warned_of_and_kept() {
    let level = samples::level().build();
    for (section, word, at) in [("header1", 28, 64), ("data", 32, level.offset_of("data") as u64)] {
        let mut bytes = level.bytes.clone();
        let range = level.range_of(section);
        bytes.splice(range.end..range.end, *b"more");
        let len = range.len() as u32 + 4;
        bytes[word..word + 4].copy_from_slice(&len.to_le_bytes());
        bytes[8..12].fill(0);
        let sum = adler32(0, &bytes);
        bytes[8..12].copy_from_slice(&sum.to_le_bytes());
        let (file, findings) = open(&bytes);
        assert!(findings.findings.is_empty(), "{section}: {findings:?}");
        let file = file.unwrap();
        let (result, findings) = with_task(0, |task| file.verify(task));
        result.unwrap();
        assert_eq!(codes(&findings), ["SP005"], "{section}");
        assert_eq!(codes_of(&findings, Severity::Warning), ["SP005"], "{section}");
        assert_eq!(
            findings.findings[0].error.place(),
            Some(spelunk_core::Span::file(at, len.into()))
        );
        assert_covered_despite_damage(&*file, section);
        for recompress in [false, true] {
            assert_eq!(write(&*file, recompress).0, bytes, "{section}");
        }
    }
}

#[test]
fn other_generations_are_told_by_name() {
    for (version, warned) in (0..8).map(|version| (version, version < 2)) {
        let (file, findings) = open(&samples::legacy(version).build().bytes);
        assert_eq!(info_damaged(&*file.unwrap()).number("file_version"), u64::from(version));
        assert_eq!(codes_of(&findings, Severity::Info), ["VT006"], "{version}");
        let old: &[&str] = if warned { &["VT004"] } else { &[] };
        assert_eq!(codes_of(&findings, Severity::Warning), old, "{version}");
    }
    let prehistoric = VirtoolsFile { file_version: 8, file_version2: 1, ..samples::legacy(0) };
    let (file, findings) = open(&prehistoric.build().bytes);
    assert_eq!(info_damaged(&*file.unwrap()).number("file_version"), 0);
    assert_eq!(codes(&findings), ["VT004", "VT006"]);
    let nine = VirtoolsFile { file_version: 9, ..samples::level() };
    let (file, findings) = open(&nine.build().bytes);
    assert!(file.is_ok());
    assert_eq!(codes_of(&findings, Severity::Info), ["VT006"]);
}

#[test]
fn malformed_files_are_told_apart() {
    /// Name, error of opening, findings of opening, findings of verifying.
    type Case =
        (&'static str, Option<&'static str>, &'static [&'static str], &'static [&'static str]);
    #[rustfmt::skip]
    let expected: &[Case] = &[
        ("short-part0.nmo", Some("VT002"), &[], &[]),
        ("short-part1.nmo", Some("VT002"), &[], &[]),
        ("short-header1.nmo", Some("VT007"), &[], &[]),
        ("short-data.nmo", None, &["VT008"], &[]),
        ("other-engine.nmo", Some("VT001"), &[], &[]),
        ("four-bytes.nmo", None, &["VT001"], &[]),
        ("version10.nmo", Some("VT003"), &[], &[]),
        ("checksum.nmo", None, &["VT005"], &[]),
        ("mode-bit.nmo", None, &["VT020"], &[]),
        ("stub-count.cmo", None, &["VT030"], &[]),
        ("object-count.cmo", Some("VT010"), &[], &[]),
        ("name-size.cmo", Some("VT012"), &[], &[]),
        ("chunk-size.cmo", None, &[], &["VT021"]),
        ("bomb.nmo", None, &[], &["SP004"]),
    ];
    let all = malformed();
    for (name, error, opening, verifying) in expected {
        let bytes = &all.iter().find(|file| file.name == *name).unwrap().bytes;
        let (file, findings) = open(bytes);
        let file = match (file, error) {
            (Err(found), Some(error)) => {
                assert_eq!(found.code().id, *error, "{name}: {found}");
                continue;
            }
            (Ok(file), None) => file,
            (file, _) => panic!("{name}: {:?}", file.err()),
        };
        assert_eq!(codes(&findings), *opening, "{name}: {findings:?}");
        let (result, findings) = with_task(bytes.len(), |task| file.verify(task));
        result.unwrap();
        let mut verified = codes(&findings);
        // The file that most of these were made of has an object that saved nothing.
        verified.retain(|code| *code != "VT165");
        assert_eq!(verified, *verifying, "{name}: {findings:?}");
        info_damaged(&*file);
        assert_covered_despite_damage(&*file, name);
        assert_eq!(write(&*file, true).0, *bytes, "{name}");
        let (objects, damage) = list_damaged(&*file, Of::Listing);
        assert_eq!(objects.len() as u64, info_damaged(&*file).number("object_count"), "{name}");
        // What opening told of Data is told with the rows again.
        let damaged = if *opening == ["VT008"] { opening } else { verifying };
        assert_eq!(codes(&damage.unwrap()), *damaged, "{name}: all rows, and the damage");
    }
}

/// Damaged Data is told with what it makes unknown, and not with what it does not touch.
#[test]
fn damage_met_while_listing_goes_to_the_sink() {
    let mut sample = samples::menu();
    sample.packing = Packing::Stored;
    let mut fixture = sample.build();
    fixture.poke("data.objects[3].size", &u32::MAX.to_le_bytes());
    rechecksum(&mut fixture, Checksum::DataOnly);
    let file = opened(&fixture);
    let told = |of: Of| {
        let (rows, damage) = list_damaged(&*file, of);
        (rows.len(), codes(&damage.unwrap()))
    };
    let below = |path: &str| told(Of::Node(find_damaged(&*file, path)[0]));
    assert_eq!(told(Of::Listing), (7, vec!["VT021"]));
    assert_eq!(told(Of::Root).1, ["VT021"]);
    assert_eq!(below("managers"), (4, vec![]));
    assert_eq!(below("included"), (1, vec![]));
    let pages = file.code_pages();
    for (path, expected) in [("#2", &[][..]), ("#3", &["VT021"]), ("data", &[])] {
        let node = find_damaged(&*file, path)[0];
        let class = std::cell::RefCell::new(String::new());
        let (found, damage) = with_task(0, |task| {
            file.entry(node, &pages, task, &mut |entry, _| {
                *class.borrow_mut() = entry.kind.to_owned();
                Ok(())
            })
        });
        finish(found).unwrap();
        assert_eq!(codes(&damage), expected, "{path}");
        if path.starts_with('#') {
            assert_eq!(below(&class.borrow()).1, expected, "the class of {path}");
            assert_eq!(below(path), (0, vec![]), "nothing lies below {path}");
        }
    }
    let mut sink = Strict;
    let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
    let ended = finish(file.children(Of::Listing, &pages, &mut task, &mut |_, _| Ok(())));
    assert_eq!(ended.unwrap_err().code().id, "VT021");
}

/// Whoever looks for a field finds it under one path, however its section is stored.
#[test]
fn packing_changes_no_path() {
    let paths = |packing: Packing| {
        let file = opened(&VirtoolsFile { packing, ..samples::level() }.build());
        let fields = flat(&*file).fields.into_iter().map(|field| field.path);
        fields.filter(|path| !path.ends_with("1.stored") && path != "data.stored").collect()
    };
    let stored: Vec<String> = paths(Packing::Stored);
    assert_eq!(stored, paths(Packing::Zlib(4)));
    assert!(stored.iter().any(|path| path == "data.records[1].size"));
}

#[test]
fn a_name_that_is_too_long_is_told_as_the_contract_shows_it() {
    let name = malformed().into_iter().find(|file| file.name == "name-size.cmo").unwrap();
    let error = open(&name.bytes).0.err().unwrap();
    assert_eq!(error.path(), "object[0].name_length");
    let text = error.to_string();
    assert!(text.starts_with("file:0x4c: object 0 > name length: "), "{text}");
    assert!(text.contains("found 4294967295") && text.ends_with("[VT012]"), "{text}");
}

#[test]
fn strict_reading_ends_at_the_first_error() {
    let file = VirtoolsFile { checksum: Checksum::Wrong, ..samples::level() }.build();
    let mut sink = Strict;
    let mut task = Task::new(Budget::new(Limits::for_len(0)), &mut sink);
    let bytes = Bytes::from(file.bytes);
    assert_eq!(virtools::File::read_from(&bytes, &mut task).unwrap_err().code().id, "VT005");
}

#[test]
fn the_probe_goes_by_content() {
    let level = samples::level().build();
    assert_eq!(Virtools.probe(&level.bytes, 0), Probe::Yes);
    assert_eq!(Virtools.probe(b"Nemo Fi\0", 8), Probe::Yes);
    for (name, claimed) in [("four-bytes.nmo", true), ("text.cmo", false), ("zeros.cff", false)] {
        let bytes = malformed().into_iter().find(|file| file.name == name).unwrap().bytes;
        assert_eq!(Virtools.probe(&bytes, 0) == Probe::Yes, claimed, "{name}");
    }
    assert_eq!(Virtools.probe(b"", 0), Probe::No);
    assert!(matches!(Virtools.probe(b"Nemo", 4), Probe::LooksLike(_)));
    let error = open(b"Nemo Fi\0").0.err().unwrap();
    assert_eq!(error.code().native, Some(("CKERR_INVALIDFILE", -22)));
}

#[test]
fn oddities_are_warned_of_and_kept() {
    let check = |sample: VirtoolsFile, opening: &[&str], verifying: &[&str]| {
        let fixture = sample.build();
        let (file, findings) = open(&fixture.bytes);
        let file = file.unwrap();
        assert_eq!(codes(&findings), opening);
        let (result, findings) = with_task(0, |task| file.verify(task));
        result.unwrap();
        assert_eq!(codes(&findings), verifying);
        assert_eq!(write(&*file, true).0, fixture.bytes);
        assert_covered_despite_damage(&*file, "odd");
    };
    let level = samples::level;
    check(VirtoolsFile { max_id: Some(7), ..level() }, &["VT013"], &[]);
    check(VirtoolsFile { tail: b"tail".to_vec(), ..level() }, &["VT031"], &[]);
    check(VirtoolsFile { stub_extra: b"extra".to_vec(), ..level() }, &[], &[]);
    check(VirtoolsFile { included_count: None, ..level() }, &[], &[]);
    let mut odd = level();
    odd.objects[1].file_index = Some(3);
    odd.objects[2].id = odd.objects[3].id;
    check(odd, &[], &["VT025", "VT024"]);
    let mut far_apart = level();
    far_apart.objects[1].id = 0x0070_0000;
    far_apart.objects[4].id = 0x0070_0000;
    check(far_apart, &[], &["VT025"]);
    let mut odd = level();
    odd.objects[4].body = Body::Bytes(b"\x0a\x1f\x07\x08\0\0\0\0x".to_vec());
    odd.managers.push(ManagerEntry { guid: (1, 2), body: Body::Bytes(vec![1; 11]) });
    check(odd, &[], &["VT023", "VT026", "VT023"]);
    let mut short = level();
    short.objects[4].body = Body::Bytes(vec![1; 4]);
    short.managers.push(ManagerEntry { guid: (1, 2), body: Body::Bytes(vec![1; 7]) });
    check(short, &[], &["VT023", "VT026", "VT026"]);
    let mut header_alone = level();
    header_alone.objects[4].body = Body::Bytes(vec![10, 31, 7, 8, 0, 0, 0, 0]);
    check(header_alone, &[], &[]);
    check(VirtoolsFile { product_build: 0x0305_0035, ..level() }, &[], &[]);
}

#[test]
fn damage_behind_the_object_table_leaves_the_objects_readable() {
    let stored = VirtoolsFile { packing: Packing::Stored, ..samples::level() }.build();
    let max = u32::MAX.to_le_bytes();
    for (part, value, code) in [
        ("header1.group_count", max, "VT015"),
        ("header1.groups[1].guid_count", max, "VT015"),
        ("header1.stub.size", max, "VT016"),
        ("header1.stub.size", 2_u32.to_le_bytes(), "VT016"),
        ("header1.stub.size", [0; 4], "VT017"),
        ("part1.manager_count", max, ""),
        ("part1.manager_count", [0; 4], ""),
        ("part1.object_count", 3_u32.to_le_bytes(), "VT015"),
        ("part1.data_unpack_size", max, "VT009"),
    ] {
        let mut fixture = stored.clone();
        let Some(_) = fixture.find(part) else { panic!("no part {part}") };
        fixture.poke(part, &value);
        rechecksum(&mut fixture, Checksum::Full);
        let (file, findings) = open(&fixture.bytes);
        let file = file.unwrap_or_else(|error| panic!("{part}: {error}"));
        let found = codes(&findings);
        assert!(found.contains(&code) || code.is_empty(), "{part}: {findings:?}");
        assert_eq!(write(&*file, true).0, fixture.bytes, "{part}");
        assert_covered_despite_damage(&*file, part);
        let (result, _) = with_task(0, |task| file.verify(task));
        result.unwrap();
    }
}

#[test]
fn range_reads_give_what_memory_gives() {
    let fixture = samples::menu().build();
    let path = std::env::temp_dir().join(format!("virtools-ranges-{}", std::process::id()));
    std::fs::write(&path, &fixture.bytes).unwrap();
    let source = FileSource::new(std::fs::File::open(&path).unwrap()).unwrap();
    std::fs::remove_file(&path).unwrap();
    let (file, findings) = with_task(0, |task| Virtools.open(Arc::new(source), task));
    assert!(findings.findings.is_empty());
    assert_eq!(write(&*file.unwrap(), true).0, fixture.bytes);
}
