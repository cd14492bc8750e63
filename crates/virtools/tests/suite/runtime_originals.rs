//! Files that objects name come along where they are to: looked for in the search paths of the context.

use crate::common::runtime;

use runtime::*;
use spelunk_core::{Bytes, Collect, text::CodePages};
use spelunk_fixtures::{
    chunk::Chunk,
    virtools::{IncludedFile, ObjectEntry, VirtoolsFile},
};
use std::{fs, path::Path};
use test_support::{findings::codes, task::with_task};
use virtools::{
    File,
    runtime::{
        Context, Depth, Load, Modes, Quiet, Save, SaveTarget, join, load_and_save,
        path_manager::{Category, PathManager},
        subset,
    },
};

const EXTERNAL: u32 = 1;
const ORIGINAL: u32 = 4;

fn names(chunk: Chunk, identifier: u32, files: &[&[u8]]) -> Chunk {
    let chunk = chunk.identifier(identifier).word(files.len() as u32);
    files.iter().fold(chunk, |chunk, name| match name {
        [] => chunk.null_string(),
        name => chunk.string(name),
    })
}

fn texture(option: u32, files: &[&[u8]]) -> Chunk {
    let chunk = names(Chunk::object(31), 0x1_0000, files);
    chunk.identifier(0x2F_F000).words(&[option << 16 | 0x200, 0, 0, 1])
}

/// Below data version 5 the option stands in a section of its own.
fn old_texture(option: u32, file: &[u8]) -> Chunk {
    let chunk = names(Chunk::object(31).data_version(4), 0x1_0000, &[file]);
    chunk.identifier(0x8_0000).words(&[option, 0])
}

fn sprite(option: u32, file: &[u8]) -> Chunk {
    names(Chunk::object(28), 0x40_0000, &[file]).identifier(0x2000_0000).words(&[option, 0])
}

fn sound(class_id: u32, option: u32, file: &[u8]) -> Chunk {
    Chunk::object(class_id).identifier(0x1000).word(option).string(file)
}

fn file_of(chunks: Vec<(u32, Chunk)>, records: Vec<IncludedFile>) -> File {
    let objects = chunks.into_iter().zip(1..);
    let objects =
        objects.map(|((class_id, chunk), id)| ObjectEntry::new(id, class_id, b"It", chunk));
    let included_count = Some(records.len() as u32);
    let objects = objects.collect();
    built(&VirtoolsFile { objects, records, included_count, ..VirtoolsFile::default() })
}

/// A context whose pictures and sounds are in these folders.
fn context(pictures: &Path, sounds: &Path) -> Context {
    let mut context = Context::new();
    assert!(context.paths_mut().add(Category::BITMAPS, pictures));
    assert!(context.paths_mut().add(Category::SOUNDS, sounds));
    context
}

fn included(file: &File) -> Vec<(String, String, bool)> {
    let text = |bytes: &Bytes| bytes.escape_ascii().to_string();
    let all = file.tail().included.iter();
    all.map(|it| (text(&it.name), text(&it.content), it.counted)).collect()
}

/// What is saved of objects, as a file that was written and read again.
fn saved(context: &mut Context, ids: &[u32]) -> (File, Collect) {
    let mut bytes = Vec::new();
    let save = Save { depth: Depth::Given, ..Save::default() };
    let target = SaveTarget::Writer(&mut bytes);
    let ids = ids.to_vec();
    let (ended, findings) = with_all(|task| context.save(ids, save, target, &mut Quiet, task));
    ended.unwrap();
    (open_file(&bytes), findings)
}

fn told(findings: &Collect, code: &str) -> Vec<String> {
    let of = findings.findings.iter().filter(|it| it.error.code().id == code);
    of.map(|it| it.error.to_string()).collect()
}

#[test]
fn what_is_to_come_along_is_found_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let [pictures, sounds] = ["Textures", "Sounds"].map(|name| dir.path().join(name));
    for folder in [&pictures, &sounds] {
        fs::create_dir(folder).unwrap();
    }
    for name in ["wood.BMP", "side.tga", "old.bmp", "cursor.bmp", "external.bmp"] {
        fs::write(pictures.join(name), name).unwrap();
    }
    // A sound is not looked for where pictures are.
    fs::write(pictures.join("lost.wav"), "").unwrap();
    fs::write(sounds.join("theme.wav"), "music").unwrap();
    fs::write(sounds.join("tune.mid"), "notes").unwrap();
    fs::write(sounds.join("only.wav"), "").unwrap();
    let file = file_of(
        vec![
            (31, texture(ORIGINAL, &[b"C:\\Work\\Wood.bmp", b"", b"side.tga"])),
            (31, texture(ORIGINAL, &[b"WOOD.bmp"])),
            (31, texture(EXTERNAL, &[b"external.bmp"])),
            (31, old_texture(ORIGINAL, b"old.bmp")),
            (28, sprite(ORIGINAL, b"cursor.bmp")),
            (28, sprite(EXTERNAL, b"external.bmp")),
            (25, sound(25, 1, b"D:\\Music\\Theme.wav")),
            (26, sound(26, 1, b"tune.mid")),
            (25, sound(25, 0, b"lost.wav")),
            (25, sound(25, 1, b"lost.wav")),
            (31, texture(ORIGINAL, &[b"gone.bmp", b"..\\Sounds\\only.wav"])),
        ],
        Vec::new(),
    );
    let mut context = context(&pictures, &sounds);
    load(&mut context, &file, &Load::default());
    let all: Vec<u32> = (1..12).collect();
    let (file, findings) = saved(&mut context, &all);
    // Names are those that objects use; a name that is there in other letters is the same.
    let expected = [
        ("Wood.bmp", "wood.BMP"),
        ("side.tga", "side.tga"),
        ("old.bmp", "old.bmp"),
        ("cursor.bmp", "cursor.bmp"),
        ("Theme.wav", "music"),
        ("tune.mid", "notes"),
    ];
    let expected = expected.map(|(name, content)| (name.to_owned(), content.to_owned(), true));
    assert_eq!(included(&file), expected);
    assert_eq!(file.table().included_count(), 6);
    let missing = told(&findings, "VT201");
    assert_eq!(missing.len(), 3, "{missing:?}");
    for (text, name) in missing.iter().zip(["lost.wav", "gone.bmp", "only.wav"]) {
        assert!(text.contains(name), "{text} {name}");
    }
    assert_eq!(codes(&findings).len(), 3);
    // Of what is not saved nothing comes along.
    let (file, findings) = saved(&mut context, &[3, 5]);
    assert_eq!(included(&file), expected[3..4]);
    assert_eq!(codes(&findings), [] as [&str; 0]);
    // Search paths stay when everything else is gone.
    context.reset();
    assert_eq!(context.paths().paths(Category::SOUNDS), [sounds]);
}

#[test]
fn what_is_held_already_is_not_looked_for() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("Wood.bmp"), "of the folder").unwrap();
    let file = file_of(vec![(31, texture(ORIGINAL, &[b"Wood.bmp"]))], Vec::new());
    let mut context = context(dir.path(), dir.path());
    load(&mut context, &file, &Load::default());
    let mut quiet = Quiet;
    let mut saving = context.start_save(Save::default(), SaveTarget::Model, &mut quiet).unwrap();
    saving.include(b"x\\WOOD.BMP", Bytes::from_static(b"given")).unwrap();
    let (ended, findings) = with_all(|task| {
        saving.object(1, task)?;
        saving.end(task)
    });
    assert_eq!(findings.findings.len(), 0);
    let expected = ("WOOD.BMP".to_owned(), "given".to_owned(), true);
    assert_eq!(included(&ended.unwrap().file), [expected]);
}

#[test]
fn files_are_included_by_path_and_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    fs::write(path("T\u{fc}r.txt"), "door").unwrap();
    let mut context = Context::new();
    let data = context.paths_mut().add_category("levels");
    context.paths_mut().add(data, dir.path());
    let mut quiet = Quiet;
    let mut saving = context.start_save(Save::default(), SaveTarget::Model, &mut quiet).unwrap();
    let (ended, findings) = with_all(|task| {
        saving.include_path(&path("T\u{fc}r.txt"), task)?;
        saving.include_path(&path("nothing.txt"), task)?;
        // A folder cannot be read.
        saving.include_path(dir.path(), task)?;
        assert!(
            saving.include_path(&path("\u{6728}.txt"), task).is_err(),
            "the code page lacks it"
        );
        assert!(saving.include_found(b"E:\\T\xFCr.txt\0garbage", data, task)?);
        assert!(!saving.include_found(b"T\xFCr.txt", Category::DATA, task)?);
        assert!(!saving.include_found(b"", data, task)?);
        saving.end(task)
    });
    let folder = dir.path().file_name().unwrap().to_str().unwrap().to_owned();
    let [door, nothing] = ["T\\xfcr.txt", "nothing.txt"].map(str::to_owned);
    let expected = [
        (door.clone(), "door".to_owned(), true),
        (nothing, String::new(), true),
        (folder, String::new(), true),
        (door, "door".to_owned(), true),
    ];
    assert_eq!(included(&ended.unwrap().file), expected);
    assert_eq!(codes(&findings), ["VT202", "VT202", "VT201", "VT201"]);
    let [missing, ..] = &told(&findings, "VT202")[..] else { panic!() };
    assert!(missing.contains("nothing.txt"), "{missing}");
}

#[test]
fn names_are_read_in_the_code_page_of_the_search_paths() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("\u{6728}.bmp"), "tree").unwrap();
    let file = file_of(vec![(31, texture(ORIGINAL, &[b"\xC4\xBE.bmp"]))], Vec::new());
    let mut context = Context::new();
    *context.paths_mut() =
        PathManager::new().with_code_pages(CodePages::from_labels("gbk").unwrap());
    context.paths_mut().add(Category::BITMAPS, dir.path());
    load(&mut context, &file, &Load::default());
    let (file, findings) = saved(&mut context, &[1]);
    assert_eq!(findings.findings.len(), 0);
    assert_eq!(included(&file), [("\\xc4\\xbe.bmp".to_owned(), "tree".to_owned(), true)]);
}

/// More than memory allows is no file that cannot be read.
#[test]
fn large_files_are_charged() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("large.bmp"), vec![0; 17 << 20]).unwrap();
    let mut context = Context::new();
    let mut quiet = Quiet;
    let mut saving = context.start_save(Save::default(), SaveTarget::Model, &mut quiet).unwrap();
    let path = dir.path().join("large.bmp");
    let (failed, _) = with_task(1 << 10, |task| {
        task.budget.memory(task.budget.left().memory - (1 << 20)).unwrap();
        saving.include_path(&path, task)
    });
    assert_eq!(failed.unwrap_err().code().class, spelunk_core::Class::Limit);
}

/// What files carry along goes with their objects, once, and is not missed.
#[test]
fn whole_tasks_take_what_files_hold() {
    let record = |name: &[u8]| IncludedFile { name: name.to_vec(), data: b"pixels".to_vec() };
    let chunks = || vec![(31, texture(ORIGINAL, &[b"Wood.bmp"])), (23, Chunk::object(23))];
    let file = file_of(chunks(), vec![record(b"wood.bmp"), record(b"other.bmp")]);
    let pixels = |name: &str| (name.to_owned(), "pixels".to_owned(), true);
    let both = [pixels("wood.bmp"), pixels("other.bmp")];
    let (ended, findings) =
        with_all(|task| load_and_save(&file, SaveTarget::Model, &mut Quiet, task).unwrap().1);
    assert_eq!((included(&ended.file), findings.findings.len()), (both.to_vec(), 0));
    let (joined, findings) = with_all(|task| join(&[&file], Modes::default(), task).unwrap());
    assert_eq!((included(&joined.file), findings.findings.len()), (both.to_vec(), 0));
    let (part, findings) = with_all(|task| subset(&file, &[0], Depth::All, false, task).unwrap());
    assert_eq!((included(&part.file), findings.findings.len()), (both[..1].to_vec(), 0));
    let (part, _) = with_all(|task| subset(&file, &[1], Depth::All, false, task).unwrap());
    assert_eq!(included(&part.file), []);
    // Without it there is nothing to take.
    let file = file_of(chunks(), Vec::new());
    let (part, findings) = with_all(|task| subset(&file, &[0], Depth::All, false, task).unwrap());
    assert_eq!((included(&part.file), codes(&findings)), (vec![], vec!["VT201"]));
}
