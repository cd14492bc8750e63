//! What engines skip, read as null or never see: a file with each fault, and what `verify` and `lint` say of it. Where
//! `SPELUNK_VIRTOOLS_LOAD` names a loader that others wrote, it has to break the same rule.

use crate::common::{
    linted::{group, named, saved_texture, stored},
    open,
    scene::{HERE, Mesh, TRIANGLE, entity, material},
};
use spelunk::{
    Severity,
    check::lint::{self, Missing, Selection},
};
use spelunk_fixtures::{
    chunk::Chunk,
    corpus,
    virtools::{Checksum, IncludedFile, ObjectEntry, VirtoolsFile},
};
use std::{collections::BTreeSet, process::Command};

/// Codes of all that is found when a file is opened, verified and linted, but for files that are elsewhere.
fn found(bytes: &[u8]) -> BTreeSet<&'static str> {
    let mut opened = open("a file", bytes);
    opened.run(|container, task| container.verify(task)).unwrap();
    let all = Selection::default();
    lint::lint(
        &mut opened,
        "a file",
        &all,
        &spelunk::entries::search::Search::default(),
        None,
        &mut Missing::new(),
    )
    .unwrap();
    let findings = opened.take_findings().findings;
    let codes = findings.iter().map(|finding| finding.error.code().id);
    codes.filter(|code| !["VL001", "VL003"].contains(code)).collect()
}

/// The rules that the loader of others says a file breaks, `R1` and so on; `None` where there is no such loader.
fn judged(name: &str, bytes: &[u8]) -> Option<String> {
    let judge = std::env::var_os("SPELUNK_VIRTOOLS_LOAD")?;
    let folder = std::env::temp_dir().join(format!("spelunk-loading-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{}.nmo", name.replace(' ', "-")));
    std::fs::write(&path, bytes).unwrap();
    let output = Command::new("python3").arg(judge).arg(&path).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// An entity with a mesh with a material with a texture, and a group of the entity.
fn sound() -> VirtoolsFile {
    let mesh = Mesh { slots: &[None, Some(1)], ..TRIANGLE };
    file(vec![
        (31, "Wood", stored_texture()),
        (30, "Wood", material(0xFFFF_FFFF, 0, 0, Some(0))),
        (32, "Floor_Mesh", mesh.chunk()),
        (33, "Floor", entity(HERE, Some(2), None)),
        (33, "Below", entity(HERE, None, Some(3))),
        (23, "All", group(&[3, 4])),
    ])
}

fn stored_texture() -> Chunk {
    saved_texture(3, stored)
}

fn file(objects: Vec<(u32, &str, Chunk)>) -> VirtoolsFile {
    let entry = |(id, (class_id, name, chunk)): (u32, (u32, &str, Chunk))| {
        ObjectEntry::new(id, class_id, name.as_bytes(), chunk)
    };
    let objects = (1..).zip(objects).map(entry).collect();
    VirtoolsFile { objects, ..VirtoolsFile::default() }
}

/// The sound file with another object in the place of one.
fn with(nth: usize, chunk: Chunk) -> VirtoolsFile {
    let mut file = sound();
    let old = &file.objects[nth];
    file.objects[nth] = ObjectEntry::new(old.id, old.class_id, &old.name, chunk);
    file
}

#[test]
fn what_loaders_do_not_load_is_found() {
    let empty = |nth: usize| {
        let mut file = sound();
        let old = &file.objects[nth];
        file.objects[nth] = ObjectEntry::null(old.id, old.class_id, &old.name);
        file
    };
    let with_id = |nth: usize, id: u32| {
        let mut file = sound();
        file.objects[nth].id = id;
        VirtoolsFile { max_id: Some(6), ..file }
    };
    let included = |name: &str, count: Option<u32>| {
        let record = IncludedFile { name: name.into(), data: b"BM".to_vec() };
        let mut file = with(0, saved_texture(3, named));
        (file.records, file.included_count) = (vec![record], count);
        file
    };
    let parameter = |id: u32, kept: usize| {
        let types =
            Chunk::object(46).identifier(0x40).words(&[0x6BD0_10E2, 0x115D_BAAD, 0, 0][..kept]);
        let mut file = sound();
        file.objects.push(ObjectEntry::new(id, 46, b"Speed", types));
        file
    };
    let flat = [1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let face = |face: [u32; 4]| {
        with(2, Mesh { slots: &[None, Some(1)], faces: &[face, [0, 1, 2, 0]], ..TRIANGLE }.chunk())
    };
    let index = {
        let mut file = sound();
        file.objects[2].file_index = Some(7);
        file
    };
    // What is wrong, the rule of the loader, and what is said here.
    let cases: Vec<(&str, &str, VirtoolsFile, &[&str])> = vec![
        ("nothing", "", sound(), &[]),
        ("no chunk", "R1", empty(4), &["VT165", "VT167"]),
        ("no chunk of a material", "R3", empty(1), &["VT165", "VT167"]),
        ("a reference to an entity", "R1", with_id(4, 5 | 1 << 31), &["VT014", "VT166", "VT167"]),
        ("a reference to a parameter", "", parameter(7 | 1 << 31, 2), &["VT014"]),
        ("a reference by bit 23", "", parameter(0x80_0007, 2), &["VT027"]),
        ("a file that is counted", "", included("wood.bmp", Some(1)), &[]),
        ("a picture that is not counted", "R2", included("wood.bmp", Some(0)), &["VT168", "VT169"]),
        ("a file that is not counted", "R2", included("other.bmp", Some(0)), &["VT168"]),
        ("a thumbnail", "", included("vtthumbnail.jpg", Some(0)), &[]),
        ("a position behind the table", "R4", with(1, material(0, 0, 0, Some(77))), &["VL092"]),
        ("ids that stand twice", "R5", with_id(4, 4), &["VT025"]),
        ("an id below MaxIDSaved", "R5", VirtoolsFile { max_id: Some(5), ..sound() }, &["VT013"]),
        ("another FileIndex", "R5", index, &["VT024"]),
        ("a checksum", "R5", VirtoolsFile { checksum: Checksum::Wrong, ..sound() }, &["VT005"]),
        ("axes in one plane", "R6", with(3, entity(flat, Some(2), None)), &["VL090"]),
        ("a circle of parents", "R6", with(3, entity(HERE, Some(2), Some(4))), &["VT091"]),
        ("a vertex that is not there", "R6", face([0, 1, 3, 0]), &["VL012"]),
        ("a slot that is not there", "R6", face([0, 1, 2, 2]), &["VL013"]),
        ("a member that is there twice", "R6", with(5, group(&[3, 4, 3])), &["VL091"]),
        ("no picture anywhere", "", with(0, saved_texture(3, |chunk| chunk)), &["VL071"]),
    ];
    for (what, rule, file, expected) in cases {
        let bytes = file.build().bytes;
        assert_eq!(found(&bytes), expected.iter().copied().collect(), "{what}");
        let Some(said) = judged(what, &bytes) else { continue };
        match rule {
            "" => assert!(said.contains("1 of 1 files load whole"), "{what}: {said}"),
            rule => assert!(said.contains(&format!("  {rule} ")), "{what}: {said}"),
        }
    }
}

#[test]
fn real_files_load_whole() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms", "vmo"]) else { return };
    const LOADING: [&str; 9] =
        ["VT165", "VT166", "VT167", "VT168", "VT169", "VL090", "VL091", "VL092", "VT091"];
    for real in &files {
        let found = found(&real.bytes);
        assert!(LOADING.iter().all(|code| !found.contains(code)), "{}: {found:?}", real.name);
        let mut opened = open(&real.name, &real.bytes);
        opened.run(|container, task| container.verify(task)).unwrap();
        let errors = opened.take_findings().findings;
        assert!(errors.iter().all(|finding| finding.severity != Severity::Error), "{}", real.name);
    }
}
