//! Folders of SpellForce archives: which file wins, what it hides, what is missing; archives from folders; caches; merges.
#![allow(clippy::indexing_slicing)]

use spelunk::{
    Bytes, Collect, Container, Error, Format, Of, Opened, Options, Profile, Result, Source, Task,
    compare::merge::{self},
    containers::archives::{self, Mounting, Preference, Row},
    containers::extract::{Plan, extract},
    containers::pack::{self, ContainerKind, Origin, PackTarget, PackedContainer},
    core::walk,
    entries::select::Select,
    open::{codes, detect::Formats},
    verbs::{Disk, Files},
};
use spelunk_core::{
    Probe,
    source::{self, Mapping},
};
use spelunk_fixtures::pak::{Pak, PakFile};
use std::{collections::BTreeMap, fs, path::Path, sync::Arc};
use test_support::findings::codes;

fn write(path: &Path, files: &[(&str, &str, &[u8])]) {
    let file = |(dir, name, data): &(&str, &str, &[u8])| {
        let cp1252 = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
        PakFile::new(&cp1252(dir), &cp1252(name), data)
    };
    let pak = Pak { files: files.iter().map(file).collect(), ..Pak::default() };
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, pak.build().bytes).unwrap();
}

/// A game with archives that hide each other, and loose files.
fn game() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let pak = |name: &str| dir.path().join("pak").join(name);
    write(
        &pak("sf2.pak"),
        &[
            ("sound", "a.wav", b"two"),
            ("texture", "t\u{fc}r.dds", b"two"),
            ("mesh", "same.msb", b"the same"),
            ("mesh", "other.msb", b"other 02"),
        ],
    );
    write(
        &pak("sf10.pak"),
        &[
            ("sound", "a.wav", b"ten"),
            ("mesh", "same.msb", b"the same"),
            ("mesh", "other.msb", b"other 10"),
        ],
    );
    write(
        &pak("sf30.pak"),
        &[("sound", "a.wav", b"thirty"), ("script\\p1", "n1.lua", b"archived")],
    );
    write(
        &pak("mods.pak"),
        &[("sound", "a.wav", b"without a number"), ("data", "mod.txt", b"mod")],
    );
    fs::create_dir_all(dir.path().join("Script/P1")).unwrap();
    fs::write(dir.path().join("Script/P1/N1.lua"), b"loose").unwrap();
    fs::write(dir.path().join("SpellForce.exe"), b"MZ").unwrap();
    dir
}

pub fn opened(dir: &Path, mounting: Mounting) -> Opened {
    let options = Options { mounting, ..Options::default() };
    archives::open(dir, &options).unwrap().expect("archives")
}

pub fn cat(opened: &mut Opened, path: &str) -> Option<Vec<u8>> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let found = container.find(path, &pages, task).unwrap();
        assert!(found.len() <= 1);
        found.first().map(|node| container.bytes(*node, task).unwrap().to_vec())
    })
}

pub fn listed(opened: &mut Opened) -> Vec<String> {
    let (pages, mut paths) = (opened.code_pages(), Vec::new());
    opened.run(|container, task| {
        walk::finish(container.children(Of::Listing, &pages, task, &mut |entry, _| {
            paths.push(entry.path.to_owned());
            Ok(())
        }))
        .unwrap();
    });
    paths
}

pub fn rows(opened: &mut Opened, conflicts: bool) -> Vec<Row> {
    let mut rows = Vec::new();
    archives::rows(opened, conflicts, |_| true, &mut |row| {
        rows.push(row.clone());
        Ok(())
    })
    .unwrap();
    rows
}

/// A format that knows its files by `MZ`.
struct Programs;

impl Format for Programs {
    fn profile(&self) -> &'static Profile {
        static PROGRAMS: Profile = Profile::new("program", "Programs");
        &PROGRAMS
    }

    fn probe(&self, head: &[u8], _: u64) -> Probe {
        if head.starts_with(b"MZ") { Probe::Yes } else { Probe::No }
    }

    fn open(&self, _: Arc<dyn Source>, _: &mut Task<'_>) -> Result<Box<dyn Container>> {
        Err(Error::new(&codes::core::UNKNOWN_FORMAT))
    }
}

#[test]
fn a_game_is_told_by_its_files_and_nothing_else() {
    let dir = game();
    let mut formats = Formats::default();
    assert!(archives::is_game(dir.path(), &formats));
    // A pipe would wait for somebody who writes into it.
    #[cfg(unix)]
    {
        let pipe = dir.path().join("a pipe");
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
        assert!(archives::is_game(dir.path(), &formats));
    }
    formats.register(&Programs);
    assert!(!archives::is_game(dir.path(), &formats), "a file of a format that was registered");
}

/// Folders whose path is longer than any that can be read, whoever asks.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_told_and_passed_over() {
    let dir = game();
    let name = "a".repeat(200);
    let script = format!("for n in $(seq 22); do mkdir {name} && cd -P {name} || exit 1; done");
    let mut made = std::process::Command::new("sh");
    let made = made.args(["-c", &script]).current_dir(dir.path()).status();
    assert!(made.unwrap().success());
    let mut opened = opened(dir.path(), Mounting::default());
    assert_eq!(cat(&mut opened, "script/p1/n1.lua").unwrap(), b"loose");
    let findings = opened.take_findings().findings;
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!(finding.error.code(), &codes::core::IO);
    assert!(finding.error.to_string().contains(&name), "{finding}");
}

#[test]
fn the_highest_number_wins_and_loose_files_win_over_all() {
    let dir = game();
    let mut game = opened(dir.path(), Mounting::default());
    // Once before everything was listed, once after.
    for _ in 0..2 {
        assert_eq!(cat(&mut game, "sound/a.wav").unwrap(), b"thirty");
        assert_eq!(cat(&mut game, "SOUND/A.WAV").unwrap(), b"thirty");
        assert_eq!(cat(&mut game, "texture/T\u{dc}R.dds").unwrap(), b"two");
        assert_eq!(cat(&mut game, "script/p1/n1.lua").unwrap(), b"loose");
        assert_eq!(cat(&mut game, "data/mod.txt").unwrap(), b"mod");
        assert_eq!(cat(&mut game, "mesh/nothing.msb"), None);
        let paths = listed(&mut game);
        let expected = ["data/mod.txt", "mesh/other.msb", "mesh/same.msb", "script/p1/n1.lua"];
        assert_eq!(paths[..4], expected);
        assert_eq!(paths[4..], ["sound/a.wav", "texture/t\u{fc}r.dds"]);
    }
    let mounting = Mounting { no_loose: true, ..Mounting::default() };
    assert_eq!(cat(&mut opened(dir.path(), mounting), "script/p1/n1.lua").unwrap(), b"archived");
    let mounting = Mounting { preference: Preference::Editor, ..Mounting::default() };
    let mut editor = opened(dir.path(), mounting);
    assert_eq!(cat(&mut editor, "sound/a.wav").unwrap(), b"thirty");
    // The editor looks for sounds in 30, 20 and 2.
    fs::remove_file(dir.path().join("pak/sf30.pak")).unwrap();
    for (preference, expected) in [(Preference::Editor, b"two"), (Preference::Number, b"ten")] {
        let mut set = opened(dir.path(), Mounting { preference, ..Mounting::default() });
        assert_eq!(cat(&mut set, "sound/a.wav").unwrap(), expected);
        let row = rows(&mut set, false).into_iter().find(|row| row.path == "sound/a.wav").unwrap();
        assert_eq!(row.files.len(), 3);
        assert_eq!(row.files[0].1, 3);
    }
}

#[test]
fn the_folder_of_the_archives_is_a_game_too_and_others_are_none() {
    let dir = game();
    let mut set = opened(&dir.path().join("pak"), Mounting::default());
    assert_eq!(cat(&mut set, "script/p1/n1.lua").unwrap(), b"archived");
    let empty = tempfile::tempdir().unwrap();
    assert!(archives::open(empty.path(), &Options::default()).unwrap().is_none());
    fs::write(empty.path().join("quake.pak"), b"PACK no archive of ours at all").unwrap();
    let error = archives::open(empty.path(), &Options::default()).unwrap_err();
    assert_eq!(error.code().id, "SP001");
    // One that is damaged is told and left out.
    fs::write(dir.path().join("pak/sf99.pak"), b"nothing").unwrap();
    let mut set = opened(dir.path(), Mounting::default());
    assert!(set.findings().has_errors());
    assert_eq!(cat(&mut set, "sound/a.wav").unwrap(), b"thirty");
}

#[test]
fn files_that_hide_others_are_compared() {
    let dir = game();
    let mut set = opened(dir.path(), Mounting::default());
    let all = rows(&mut set, false);
    assert_eq!(all.iter().map(|row| row.files.len()).sum::<usize>(), 12);
    let clashes = rows(&mut set, true);
    let told: Vec<_> = clashes.iter().map(|row| (row.path.as_str(), row.differ)).collect();
    let expected = [
        ("mesh/other.msb", Some("content")),
        ("script/p1/n1.lua", Some("size")),
        ("sound/a.wav", Some("size")),
    ];
    assert_eq!(told, expected);
    let sound: Vec<&str> = clashes[2].files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(sound, ["sf30.pak", "sf10.pak", "sf2.pak", "mods.pak"]);
}

#[test]
fn a_cache_is_written_and_goes_stale() {
    let dir = game();
    let mut cache = Vec::new();
    let present: Vec<_> = archives::find(dir.path())
        .into_iter()
        .map(|path| (path.clone(), source::open(&path, Mapping::Never).unwrap()))
        .collect();
    assert_eq!(archives::write_cache(&present, None, &mut cache).unwrap(), 4);
    let codes = |cache: &[u8]| {
        let source = Arc::new(Bytes::from(cache.to_vec()));
        let mut opened = Opened::open(source, &Options::default()).unwrap();
        let present: Vec<_> = archives::find(dir.path())
            .into_iter()
            .map(|path| (path.clone(), source::open(&path, Mapping::Never).unwrap()))
            .collect();
        archives::check(&mut opened, &present).unwrap();
        let mut codes = codes(opened.findings());
        codes.dedup();
        codes
    };
    let missing = |list: &[u8]| {
        let mut set = opened(dir.path(), Mounting::default());
        let mut missing = Vec::new();
        let list = Arc::new(Bytes::from(list.to_vec()));
        archives::missing(&mut set, list, &Options::default(), &mut |path| {
            missing.push(path.to_owned());
            Ok(())
        })
        .unwrap();
        missing
    };
    assert!(codes(&cache).is_empty());
    assert!(missing(&cache).is_empty());
    let list = "\u{feff}sound\\a.wav\r\nsound/b.wav\r\n\r\ntexture/\u{436}.dds\r\n";
    assert_eq!(missing(list.as_bytes()), ["sound/b.wav", "texture/\u{436}.dds"]);
    write(&dir.path().join("pak/sf2.pak"), &[("sound", "a.wav", b"changed")]);
    assert_eq!(codes(&cache), ["PD008", "PD009"]);
    assert_eq!(missing(&cache), ["texture/t\u{fc}r.dds"]);
    fs::rename(dir.path().join("pak/sf2.pak"), dir.path().join("pak/sf3.pak")).unwrap();
    assert_eq!(codes(&cache), ["PD006", "PD007"]);
}

pub fn extracted(source: &Arc<dyn spelunk::Source>, target: &Path, globs: &[&str]) {
    let options = Options::default();
    let mut opened = Opened::open(source.clone(), &options).unwrap();
    let pages = opened.code_pages();
    let select = Select::new::<&str>(globs, &[]).unwrap();
    let origin = Some(Origin { source, options: &options });
    let (included, force, dry_run) = (false, false, false);
    let plan =
        Plan { target, select: &select, included, origin, force, follow_links: false, dry_run };
    let done =
        opened.run(|container, task| extract(container, &pages, &plan, task, &mut |_, _| {}));
    assert!(done.unwrap().failed.is_empty());
}

pub fn disk() -> Arc<dyn Files> {
    Arc::new(Disk)
}

fn packed(dir: &Path) -> Result<(Vec<u8>, Vec<String>)> {
    let PackedContainer::Archive(files) = pack::pack_as(
        &disk(),
        &dir.into(),
        None,
        PackTarget { kind: ContainerKind::Archive, ..PackTarget::default() },
        &Options::default(),
    )?
    else {
        panic!("no archive")
    };
    let mut out = Vec::new();
    files.write(&mut out, &Options::default(), &mut Collect::default())?;
    Ok((out, files.changed.sorted()))
}

pub fn content(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut opened =
        Opened::open(Arc::new(Bytes::from(bytes.to_vec())), &Options::default()).unwrap();
    let paths = listed(&mut opened);
    let content = paths.iter().map(|path| (path.clone(), cat(&mut opened, path).unwrap()));
    content.collect()
}

/// Names that are one on disks that do not tell case apart, device names, and capital letters.
fn awkward() -> Pak {
    let file =
        |dir: &str, name: &str, data: &[u8]| PakFile::new(dir.as_bytes(), name.as_bytes(), data);
    let files = vec![
        file("texture", "a.tga", b"small"),
        file("Texture", "A.tga", b"large"),
        file("..\\..\\windows", "evil.txt", b"out"),
        file("data", "con", b"device"),
        PakFile::new(b"data", b"t\xfcr.txt", b"umlaut"),
        file("data", "empty", b""),
    ];
    Pak { files, offset_top_byte: 7, ..Pak::default() }
}

#[test]
fn what_was_extracted_is_packed_again_byte_for_byte() {
    let sample = awkward().build();
    let mut gap = sample.bytes.clone();
    gap.extend([0; 4096]);
    let mut unsorted = sample.bytes.clone();
    for byte in 0..16 {
        unsorted.swap(92 + byte, 108 + byte);
    }
    for (bytes, is_head) in [(sample.bytes.clone(), true), (gap, false), (unsorted, true)] {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("out");
        let source: Arc<dyn spelunk::Source> = Arc::new(Bytes::from(bytes.clone()));
        extracted(&source, &target, &[]);
        assert!(!dir.path().join("windows").exists());
        let skeleton = fs::metadata(target.join(pack::SKELETON)).unwrap().len();
        assert_eq!(skeleton < bytes.len() as u64, is_head);
        let (again, changed) = packed(&target).unwrap();
        assert!(again == bytes);
        assert!(changed.is_empty(), "{changed:?}");
        // A file of another size, and one that is not empty any more.
        let mut expected = content(&bytes);
        for name in ["data/empty", "data/t\u{fc}r.txt"] {
            fs::write(target.join(name), b"something else").unwrap();
            expected.insert(name.to_owned(), b"something else".to_vec());
        }
        let (other, changed) = packed(&target).unwrap();
        assert_eq!(changed, ["data/empty", "data/t\u{fc}r.txt"]);
        assert_eq!(content(&other), expected);
        fs::remove_file(target.join("data/empty")).unwrap();
        assert_eq!(packed(&target).unwrap_err().code().id, "SP052");
    }
}

#[test]
fn folders_and_parts_of_archives_become_new_ones() {
    let dir = tempfile::tempdir().unwrap();
    let [part, plain] = ["part", "plain"].map(|name| dir.path().join(name));
    let bytes = awkward().build().bytes;
    let source: Arc<dyn spelunk::Source> = Arc::new(Bytes::from(bytes));
    extracted(&source, &part, &["data/*"]);
    assert!(!part.join(pack::SKELETON).exists());
    let (made, _) = packed(&part).unwrap();
    let names: Vec<String> = content(&made).into_keys().collect();
    assert_eq!(names, ["data/con", "data/empty", "data/t\u{fc}r.txt"]);
    fs::create_dir_all(plain.join("Texture/UI")).unwrap();
    fs::write(plain.join("Texture/UI/Knopf_\u{dc}.tga"), b"button").unwrap();
    let (made, _) = packed(&plain).unwrap();
    assert_eq!(content(&made).into_keys().collect::<Vec<_>>(), ["texture/ui/knopf_\u{fc}.tga"]);
    fs::write(plain.join("readme.txt"), b"").unwrap();
    assert_eq!(packed(&plain).unwrap_err().code().id, "PK017");
    fs::rename(plain.join("readme.txt"), plain.join("Texture/\u{436}.txt")).unwrap();
    let error = packed(&plain).unwrap_err();
    assert_eq!(error.code().id, "PK018");
    assert!(error.to_string().contains("`\u{436}`"), "{error}");
}

#[test]
fn three_archives_are_merged_file_by_file() {
    let archive = |files: &[(&str, &[u8])]| {
        let file = |(name, data): &(&str, &[u8])| PakFile::new(b"data", name.as_bytes(), data);
        let bytes = Pak { files: files.iter().map(file).collect(), ..Pak::default() }.build().bytes;
        Opened::open(Arc::new(Bytes::from(bytes)), &Options::default()).unwrap()
    };
    let base = archive(&[("a", b"1"), ("b", b"1"), ("c", b"1"), ("d", b"1")]);
    let ours = archive(&[("a", b"ours"), ("b", b"1"), ("c", b"both"), ("d", b"1"), ("e", b"new")]);
    let theirs = archive(&[("a", b"1"), ("b", b"theirs"), ("c", b"both"), ("f", b"new")]);
    let options = Options::default();
    let all = [&base, &ours, &theirs];
    let merged = merge::merge(all, merge::OnConflict::Refuse, &options).unwrap();
    let report = merged.report;
    assert_eq!(report.from_ours.len(), 2);
    assert_eq!(report.from_theirs.len(), 3);
    assert_eq!((report.both.len(), report.conflicts.len()), (1, 0));
    let mut opened = merged.opened.unwrap();
    let paths = listed(&mut opened);
    assert_eq!(paths.len(), 5);
    for (path, data) in [("a", "ours"), ("b", "theirs"), ("c", "both"), ("e", "new"), ("f", "new")]
    {
        assert_eq!(cat(&mut opened, &format!("data/{path}")).unwrap(), data.as_bytes());
    }
    let other = archive(&[("a", b"theirs")]);
    let all = [&base, &ours, &other];
    let refused = merge::merge(all, merge::OnConflict::Refuse, &options).unwrap();
    assert!(refused.opened.is_none());
    assert_eq!(refused.report.conflicts.len(), 2);
    let merged = merge::merge(all, merge::OnConflict::Theirs, &options).unwrap();
    let mut opened = merged.opened.unwrap();
    assert_eq!(cat(&mut opened, "data/a").unwrap(), b"theirs");
    assert_eq!(cat(&mut opened, "data/c"), None);
}
