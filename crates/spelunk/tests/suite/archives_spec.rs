//! Archives of the dialect `spec` where real ones stand: in folders, packed and extracted, in caches, merged and patched.
#![allow(clippy::indexing_slicing)]

use crate::{
    archives::{cat, content, disk, extracted, listed, opened, rows},
    common::patches::{apply, between, makes_each_of_the_other, try_between},
};
use spelunk::{
    Bytes, Collect, Opened, Options, Result,
    check::lint,
    compare::merge::{self, OnConflict},
    containers::archives::{self, Mounting},
    containers::pack::{self, ContainerKind, Dialect, PackTarget, PackedContainer},
    entries::search::Search,
    open::files::FileName,
};
use spelunk_core::source::{self, Mapping};
use spelunk_fixtures::{
    mutate::mutate,
    pak::{Pak, PakFile},
    spec::{self, SpecFile},
};
use std::{fs, path::Path, sync::Arc};
use test_support::findings::codes;

type File<'a> = (&'a str, &'a [u8], bool);

fn files(files: &[File<'_>]) -> Vec<SpecFile> {
    let file = |(path, data, packed): &File<'_>| SpecFile {
        path: path.chars().map(|c| c as u8).collect(),
        data: data.to_vec(),
        packed: *packed,
    };
    files.iter().map(file).collect()
}

fn archive(of: &[File<'_>]) -> Vec<u8> {
    spec::pak(&files(of)).bytes
}

fn real(files: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let file = |(dir, name, data): &(&str, &str, &[u8])| {
        PakFile::new(dir.as_bytes(), name.as_bytes(), data)
    };
    Pak { files: files.iter().map(file).collect(), ..Pak::default() }.build().bytes
}

fn open(bytes: &[u8]) -> Opened {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()).unwrap()
}

fn folder(archives: &[(&str, Vec<u8>)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in archives {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

const LONG: &[u8] = &[b'w'; 300];

#[test]
fn the_highest_number_wins_in_folders_of_one_dialect_and_of_both() {
    let two = ("sf2.pak", real(&[("sound", "a.wav", b"two"), ("mesh", "m.msb", LONG)]));
    let zero = archive(&[("sound\\a.wav", b"zero", false), ("ReadMe", b"root", false)]);
    let ten = archive(&[("Sound/A.WAV", b"ten", true), ("mesh/m.msb", LONG, true)]);
    let all = [("sf0.pak", zero), two, ("sf10.pak", ten)];
    for (left_out, is_spec, winner) in
        [("", false, "ten"), ("sf2.pak", true, "ten"), ("sf10.pak", false, "two")]
    {
        let some: Vec<_> = all.iter().filter(|(name, _)| *name != left_out).cloned().collect();
        let dir = folder(&some);
        let mut set = opened(dir.path(), Mounting::default());
        assert!(!set.findings().has_errors());
        assert_eq!(set.container().dialect(), is_spec.then_some("spec"));
        assert_eq!(listed(&mut set), ["mesh/m.msb", "readme", "sound/a.wav"]);
        assert_eq!(cat(&mut set, "SOUND/a.wav").unwrap(), winner.as_bytes());
        assert_eq!(cat(&mut set, "readme").unwrap(), b"root");
        assert_eq!(cat(&mut set, "mesh/m.msb").unwrap(), LONG);
        assert_eq!(cat(&mut set, "mesh/none.msb"), None);
        // Sizes are plain ones, so a packed copy is no other file.
        let differing: Vec<_> = rows(&mut set, true).into_iter().map(|row| row.path).collect();
        assert_eq!(differing, ["sound/a.wav"]);
        let row = rows(&mut set, false).remove(0);
        assert!(row.files.iter().all(|(_, size)| *size == 300), "{row:?}");
        set.run(|container, task| container.verify(task)).unwrap();
        assert!(!set.findings().has_errors(), "{:?}", codes(set.findings()));
    }
}

#[test]
fn every_file_is_found_however_many_there_are() {
    let paths: Vec<String> = (0..500).map(|n| format!("d{}/File{n}.x", n % 7)).collect();
    let data: Vec<String> = (0..500).map(|n| n.to_string()).collect();
    let all = paths.iter().zip(&data).map(|(path, data)| (path.as_str(), data.as_bytes(), false));
    let dir = folder(&[("sf1.pak", archive(&all.collect::<Vec<_>>()))]);
    let mut set = opened(dir.path(), Mounting::default());
    for (path, data) in paths.iter().zip(&data) {
        assert_eq!(cat(&mut set, path).unwrap(), data.as_bytes());
        assert_eq!(cat(&mut set, &format!("{path}x")), None);
    }
}

#[test]
fn archives_that_cannot_be_opened_are_named() {
    let sound = archive(&[("a/b", b"c", false)]);
    let cut = sound[..sound.len() - 12].to_vec();
    let dir = folder(&[("sf1.pak", sound), ("sf2.pak", cut), ("sf3.pak", b"none".to_vec())]);
    let set = opened(dir.path(), Mounting::default());
    assert_eq!(codes(set.findings()), ["SD004", "SP001"]);
    let unread = archives::unread(set.container());
    let names: Vec<_> = unread.iter().map(|it| (&*it.name, it.error.code().id)).collect();
    assert_eq!(names, [("sf2.pak", "SD004"), ("sf3.pak", "SP001")]);
}

fn packed(dir: &Path, dialect: Option<Dialect>) -> Result<(Vec<u8>, Vec<String>)> {
    let target = PackTarget { kind: ContainerKind::Archive, dialect, follow_links: false };
    let options = Options::default();
    let (mut out, findings) = (Vec::new(), &mut Collect::default());
    match pack::pack_as(&disk(), &FileName::from(dir), None, target, &options)? {
        PackedContainer::Archive(files) => {
            let size = files.write(&mut out, &options, findings)?;
            assert_eq!(size, out.len() as u64);
            Ok((out, files.changed.sorted()))
        }
        PackedContainer::Filled(filled) => {
            let (mut opened, options) = (filled.opened, filled.options);
            opened.run(|container, task| container.write(&mut out, &options, task))?;
            Ok((out, filled.changed))
        }
        PackedContainer::New(_) => panic!("a pack"),
    }
}

fn awkward() -> Vec<u8> {
    archive(&[
        ("script\\N1.lua", &b"print(1)\n".repeat(20), true),
        ("script/n1.lua", b"another", false),
        ("..\\..\\evil", b"out", false),
        ("root", b"", true),
        ("t\u{fc}r#\u{81}", b"umlaut", false),
        ("con", LONG, true),
    ])
}

#[test]
fn what_was_extracted_is_packed_again_byte_for_byte() {
    let sound = awkward();
    let trailing = [&sound[..], b"behind"].concat();
    // The index offset and all data move by a gap.
    let mut gap = sound.clone();
    let index = u32::from_le_bytes(gap[12..16].try_into().unwrap());
    gap.splice(index as usize..index as usize, *b"gap");
    gap[12..16].copy_from_slice(&(index + 3).to_le_bytes());
    // A stream of another level.
    let stream = spelunk_fixtures::virtools::zlib(&b"fast and long ".repeat(30), 1);
    let mut level = archive(&[("root", b"", true), ("a/b", &stream, false)]);
    *level.last_mut().unwrap() = 1;
    for bytes in [sound, trailing, gap, level] {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        let source: Arc<dyn spelunk::Source> = Arc::new(Bytes::from(bytes.clone()));
        let expected = content(&bytes);
        extracted(&source, &target, &[]);
        for dialect in [None, Some(Dialect::Spec)] {
            let (again, changed) = packed(&target, dialect).unwrap();
            assert!(again == bytes && changed.is_empty(), "{changed:?}");
        }
        fs::write(target.join("root"), b"not empty").unwrap();
        let (other, changed) = packed(&target, None).unwrap();
        assert_eq!(changed, ["root"]);
        let mut wanted = expected.clone();
        wanted.insert("root".to_owned(), b"not empty".to_vec());
        assert_eq!(content(&other), wanted);
    }
}

#[test]
fn a_part_becomes_an_archive_of_its_dialect_or_of_the_other_one() {
    let dir = tempfile::tempdir().unwrap();
    let [part, back] = ["part", "back"].map(|name| dir.path().join(name));
    let bytes = archive(&[
        ("data\\B.txt", LONG, true),
        ("data/a.txt", b"a", false),
        ("left/out", b"", false),
    ]);
    let source: Arc<dyn spelunk::Source> = Arc::new(Bytes::from(bytes));
    extracted(&source, &part, &["data/*"]);
    assert!(!part.join(pack::SKELETON).exists());
    let (made, _) = packed(&part, None).unwrap();
    let wanted = archive(&[("data\\B.txt", LONG, true), ("data/a.txt", b"a", false)]);
    assert_eq!(content(&made), content(&wanted));
    if cfg!(feature = "c-codecs") {
        assert!(made == wanted, "paths, order and packing are kept");
    }
    // Of a real archive, in the order in which the data lay.
    let source = real(&[("data", "z.txt", b"z"), ("data", "b.txt", LONG)]);
    let source: Arc<dyn spelunk::Source> = Arc::new(Bytes::from(source));
    extracted(&source, &back, &[]);
    let (made, _) = packed(&back, Some(Dialect::Spec)).unwrap();
    assert!(
        made == archive(&[("data/z.txt", b"z", false), ("data/b.txt", LONG, false)]),
        "files that were stored plain stay so"
    );
}

#[test]
fn a_folder_becomes_an_archive_of_the_dialect() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("Mesh/Large")).unwrap();
    fs::write(dir.path().join("Mesh/Large/T\u{fc}r.msb"), b"tower").unwrap();
    fs::write(dir.path().join("notes"), b"notes").unwrap();
    let (made, _) = packed(dir.path(), Some(Dialect::Spec)).unwrap();
    let wanted =
        archive(&[("Mesh\\Large\\T\u{fc}r.msb", b"tower", false), ("notes", b"notes", false)]);
    assert!(made == wanted);
    // A real archive has no file outside of a folder.
    assert_eq!(packed(dir.path(), None).unwrap_err().code().id, "PK017");
    let refused = |kind| {
        let target = PackTarget { kind, dialect: Some(Dialect::Spec), follow_links: false };
        let dir = FileName::from(dir.path());
        pack::pack_as(&disk(), &dir, None, target, &Options::default()).unwrap_err().to_string()
    };
    let error = refused(ContainerKind::Pack);
    assert!(error.contains("dialect spec of snpak") && error.contains("SP121"), "{error}");
    let error = "specs".parse::<Dialect>().unwrap_err().to_string();
    assert!(error.contains("expected spec, found `specs`") && error.contains("SP196"), "{error}");
    fs::write(dir.path().join("\u{436}"), b"").unwrap();
    assert_eq!(packed(dir.path(), Some(Dialect::Spec)).unwrap_err().code().id, "PK018");
}

#[test]
fn a_cache_of_the_dialect_is_written_and_goes_stale() {
    let few: &[File<'_>] = &[("a\\b.c", b"1", false)];
    let more: &[File<'_>] = &[("t\u{fc}r/x", LONG, true), ("y", b"", false)];
    let dir = folder(&[("sf1.pak", archive(few)), ("sf2.pak", archive(more))]);
    let present = || -> Vec<_> {
        let open = |path: &Path| source::open(path, Mapping::Never).unwrap();
        archives::find(dir.path()).into_iter().map(|path| (path.clone(), open(&path))).collect()
    };
    let mut cache = Vec::new();
    assert_eq!(archives::write_cache(&present(), None, &mut cache).unwrap(), 2);
    let wanted = spec::pakdata(&[("sf1.pak", &files(few)), ("sf2.pak", &files(more))]).bytes;
    assert!(cache == wanted);
    let checked = || {
        let mut opened = open(&cache);
        archives::check(&mut opened, &present()).unwrap();
        let found = opened.take_findings();
        (codes(&found), found.findings.first().map(|it| it.error.to_string()).unwrap_or_default())
    };
    assert_eq!(checked().0, [""; 0]);
    let mut missing = Vec::new();
    let list = Arc::new(Bytes::from(cache.clone()));
    let mut set = opened(dir.path(), Mounting::default());
    archives::missing(&mut set, list, &Options::default(), &mut |path| {
        missing.push(path.to_owned());
        Ok(())
    })
    .unwrap();
    assert_eq!(missing, ["y"], "a list names files in folders alone");
    let write = |name: &str, bytes: Vec<u8>| fs::write(dir.path().join(name), bytes).unwrap();
    write("sf1.pak", archive(&[("a\\b.c", b"12", false)]));
    let (found, text) = checked();
    assert_eq!(found, ["PD009"]);
    assert!(text.contains("a\\b.c, 2 bytes at 16, compression 0"), "{text}");
    write("sf1.pak", archive(&[]));
    assert_eq!(checked().0, ["PD008"]);
    write("sf1.pak", real(&[("a", "b.c", b"1")]));
    let (found, text) = checked();
    assert_eq!(found, ["PD013"]);
    assert!(text.contains("found the layout of real files"), "{text}");
    for (wanted, odd) in [(None, "sf2.pak"), (Some(spellforce::pak::ArchiveForm::Spec), "sf1.pak")]
    {
        let error = archives::write_cache(&present(), wanted, &mut Vec::new()).unwrap_err();
        assert_eq!(error.code().id, "PK003");
        assert!(error.to_string().starts_with(odd), "{error}");
    }
    fs::remove_file(dir.path().join("sf1.pak")).unwrap();
    assert_eq!(checked().0, ["PD006"]);
}

fn merged(all: [&[u8]; 3]) -> Vec<u8> {
    let files = all.map(open);
    let [base, ours, theirs] = &files;
    let options = Options::default();
    let merged = merge::merge([base, ours, theirs], OnConflict::Refuse, &options).unwrap();
    let mut out = Vec::new();
    let mut opened = merged.opened.expect("no conflict");
    opened.run(|container, task| container.write(&mut out, &Default::default(), task)).unwrap();
    out
}

#[test]
fn archives_are_merged_file_by_file_whatever_their_dialects() {
    let base = archive(&[("a/x", b"1", false), ("a/y", LONG, true), ("a/z", b"1", false)]);
    let ours = archive(&[("a/x", b"ours", false), ("a/y", LONG, true), ("a/z", b"1", false)]);
    let other = [b'o'; 300];
    let theirs: [File<'_>; 3] =
        [("a/x", b"1", false), ("A\\Y", &other, true), ("New", &other[..200], true)];
    let wanted =
        archive(&[("a/x", b"ours", false), ("a/y", &other, true), ("New", &other[..200], true)]);
    let made = merged([&base, &ours, &archive(&theirs)]);
    assert_eq!(content(&made), content(&wanted));
    if cfg!(feature = "c-codecs") {
        assert!(made == wanted, "of the path, order and packing of either side");
    }
    assert!(merged([&base, &ours, &base]) == ours, "nothing to take");
    // Of a real archive come the contents.
    let theirs = real(&[("a", "x", b"1"), ("a", "y", &other), ("b", "new", b"n")]);
    let made = merged([&base, &ours, &theirs]);
    let wanted: [File<'_>; 3] =
        [("a/x", b"ours", false), ("a/y", &other, true), ("b\\new", b"n", false)];
    assert_eq!(content(&made), content(&archive(&wanted)));
    assert_eq!(open(&made).container().dialect(), Some("spec"));
    let ours = real(&[("a", "x", b"1"), ("a", "y", LONG), ("a", "z", b"1")]);
    let theirs = archive(&[("a/x", b"theirs", true), ("a/y", LONG, false), ("a/z", b"1", false)]);
    let made = merged([&base, &ours, &theirs]);
    assert!(made == real(&[("a", "x", b"theirs"), ("a", "y", LONG), ("a", "z", b"1")]));
}

#[test]
fn patches_make_each_of_the_other_and_change_others_file_by_file() {
    let old = archive(&[("a\\x", b"1", false), ("a\\y", LONG, true), ("Gone", b"gone", false)]);
    let new = archive(&[("a\\x", b"22", false), ("a\\y", LONG, true), ("New/N", b"new", true)]);
    let text = makes_each_of_the_other("spec", &old, &new);
    assert!(text.contains("\"New/N\"") && text.contains("\"Gone\""), "{text}");
    makes_each_of_the_other("to itself", &old, &old);
    makes_each_of_the_other("to a real one", &old, &real(&[("a", "x", b"22"), ("a", "y", LONG)]));
    // Another archive of either dialect.
    let patch = between(&old, &new);
    let more = archive(&[
        ("more", b"more", false),
        ("a/X", b"1", false),
        ("gone", b"gone", false),
        ("a\\y", b"own", false),
    ]);
    let (made, applied) = apply(&patch, &more);
    assert_eq!((applied.made, applied.conflicts.len()), (3, 0));
    let wanted = archive(&[
        ("more", b"more", false),
        ("a/X", b"22", false),
        ("a\\y", b"own", false),
        ("New/N", b"new", false),
    ]);
    assert!(made == wanted);
    let patch = between(
        &archive(&[("a\\x", b"1", true), ("b/y", LONG, true)]),
        &archive(&[("a\\x", b"22", true), ("b/y", LONG, true)]),
    );
    let (made, applied) = apply(&patch, &real(&[("a", "x", b"1"), ("c", "z", b"z")]));
    assert_eq!((applied.made, applied.conflicts.len()), (1, 0));
    assert!(made == real(&[("a", "x", b"22"), ("c", "z", b"z")]));
}

#[test]
fn rules_that_apply_to_the_dialect_are_applied() {
    let found = |bytes: &[u8]| {
        let mut opened = open(bytes);
        let files: Arc<dyn spelunk::verbs::Files> = disk();
        let search = Search::beside(files, None, &[], &[]);
        let (all, mut missing) = (lint::Selection::default(), lint::Missing::new());
        opened.take_findings();
        lint::lint(&mut opened, "x.pak", &all, &search, None, &mut missing).unwrap();
        codes(opened.findings())
    };
    // Letters and folders are as one likes.
    let sound = archive(&[("Root", b"1", false), ("A/b", b"2", true)]);
    assert_eq!(found(&sound), [""; 0]);
    assert_eq!(found(&archive(&[("A/b", b"1", false), ("a\\B", b"2", false)])), ["PK021"]);
    assert_eq!(found(&[&sound[..], b"tail"].concat()), ["SD005"]);
    let cache = spec::pakdata(&[("sf1.pak", &[]), ("SF1.pak", &[])]).bytes;
    assert_eq!(found(&cache), ["PD011"]);
}

#[test]
fn damaged_archives_are_mounted_merged_and_patched_without_a_panic() {
    let sound = awkward();
    let base = archive(&[("a/x", b"1", false), ("root", b"2", true)]);
    let (mut set_up, mut merges, mut patches) = (0, 0, 0);
    for seed in 0..300 {
        let bytes = mutate(&sound, seed);
        let dir = folder(&[("sf1.pak", base.clone()), ("sf2.pak", bytes.clone())]);
        let mut set = opened(dir.path(), Mounting::default());
        set_up += usize::from(archives::unread(set.container()).is_empty());
        for path in listed(&mut set) {
            let pages = set.code_pages();
            set.run(|container, task| {
                let nodes = container.find(&path, &pages, task).unwrap();
                let _ = nodes.first().map(|node| container.bytes(*node, task));
            });
        }
        let _ = archives::rows(&mut set, true, |_| true, &mut |_| Ok(()));
        let Ok(damaged) = Opened::open(Arc::new(Bytes::from(bytes.clone())), &Options::default())
        else {
            continue;
        };
        let files = [open(&base), damaged, open(&sound)];
        let [a, b, c] = &files;
        for all in [[a, b, c], [c, a, b], [b, c, a]] {
            merges +=
                usize::from(merge::merge(all, OnConflict::Theirs, &Options::default()).is_ok());
        }
        if let Ok(patch) = try_between(&bytes, &base) {
            patches += usize::from(apply(&patch, &bytes).0 == base);
        }
    }
    assert!(set_up > 20 && merges > 20 && patches > 20, "{set_up} {merges} {patches}");
}
