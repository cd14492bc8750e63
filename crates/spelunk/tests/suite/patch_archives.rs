//! Patches of archives make the very file that they were made for, both ways; made to other archives they change the files
//! of the same paths and nothing else, and what does not fit is told. Those of caches are for one file.
#![allow(clippy::indexing_slicing)]

use crate::common;

use crate::common::{
    errors, open,
    patches::{
        apply, between, makes_each_of_the_other, source, try_apply, try_between, wrong_runs,
    },
};
use serde_json::{Value, json};
use spellforce::{
    pak::Archive,
    pakdata::{self, CacheArchive},
};
use spelunk::{
    Budget, Collect, Limits, Options, Task,
    compare::patch::{
        AnyPatch, Applied,
        archives::{ArchivePatch, Run},
    },
    containers::pack::Origin,
    open::codes,
};
use spelunk_fixtures::{
    corpus,
    mutate::mutate,
    pak::{Pak, PakFile},
    samples,
};

fn counts(applied: &Applied) -> (u64, u64, usize) {
    (applied.made, applied.made_before, applied.conflicts.len())
}

fn file(path: &str, data: &[u8]) -> PakFile {
    let cp1252: Vec<u8> = path.chars().map(|c| c as u8).collect();
    let slash = cp1252.iter().rposition(|byte| *byte == b'/').unwrap();
    let dir: Vec<u8> =
        cp1252[..slash].iter().map(|b| if *b == b'/' { b'\\' } else { *b }).collect();
    PakFile::new(&dir, &cp1252[slash + 1..], data)
}

fn pak(files: &[(&str, &[u8])]) -> Vec<u8> {
    let files = files.iter().map(|(path, data)| file(path, data)).collect();
    Pak { files, ..Pak::default() }.build().bytes
}

/// What an archive holds, by path.
fn held(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut opened = open("held", bytes);
    assert_eq!(errors(&mut opened), [""; 0]);
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let mut nodes = Vec::new();
        let all = container.children(spelunk::Of::Listing, &pages, task, &mut |entry, _| {
            nodes.push((entry.path.to_owned(), entry.node));
            Ok(())
        });
        spelunk::core::walk::finish(all).unwrap();
        let content = |(path, node)| (path, container.bytes(node, task).unwrap().to_vec());
        let mut files: Vec<_> = nodes.into_iter().map(content).collect();
        files.sort();
        files
    })
}

fn holds(bytes: &[u8], wanted: &[(&str, &[u8])]) {
    let mut wanted: Vec<_> =
        wanted.iter().map(|(path, data)| ((*path).to_owned(), data.to_vec())).collect();
    wanted.sort();
    assert_eq!(held(bytes), wanted);
}

fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed + 1;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}

const TUR: &str = "texture/t\u{fc}r.dds";

/// One file of each kind: stays, changes, goes, gets another path, comes.
const OLD: &[(&str, &[u8])] = &[
    ("mesh/same.msb", b"same"),
    (TUR, b"the old door"),
    ("sound/gone.wav", b"gone"),
    ("a/x.y", b"moved"),
];
const NEW: &[(&str, &[u8])] = &[
    ("mesh/same.msb", b"same"),
    (TUR, b"a new door"),
    ("b/z.y", b"moved"),
    ("new/empty.txt", b""),
];

#[test]
fn generated_archives_become_each_other_byte_for_byte() {
    let mut all: Vec<(String, Vec<u8>)> = samples()
        .into_iter()
        .filter(|sample| sample.name.ends_with(".pak"))
        .map(|sample| (sample.name.to_owned(), sample.fixture.bytes))
        .filter(|(_, bytes)| open("sample", bytes).container().format() == "spellforce-pak")
        .filter(|(_, bytes)| try_between(bytes, bytes).is_ok())
        .collect();
    assert!(!all.is_empty());
    all.push(("old".into(), pak(OLD)));
    all.push(("new".into(), pak(NEW)));
    all.push(("empty".into(), pak(&[])));
    // Bytes between and behind files, and tables that say what is not so.
    for seed in 0..40 {
        let bytes = mutate(&pak(OLD), seed);
        let options = Options::default();
        if spelunk::Opened::open(source(&bytes), &options).is_ok() {
            all.push((format!("damaged {seed}"), bytes));
        }
    }
    assert!(all.len() > 20, "{}", all.len());
    for (nth, (a, old)) in all.iter().enumerate() {
        for (b, new) in &all[nth..] {
            if open(b, new).container().format() == "spellforce-pak" {
                makes_each_of_the_other(&format!("{a} {b}"), old, new);
            }
        }
    }
}

#[test]
fn a_patch_is_about_as_large_as_what_is_new() {
    let names: Vec<String> = (0..100).map(|n| format!("data/{n}.bin")).collect();
    let mut files: Vec<PakFile> =
        (0..).zip(&names).map(|(n, name)| file(name, &noise(n, 10_000))).collect();
    let build = |files: &[PakFile]| Pak { files: files.to_vec(), ..Pak::default() }.build().bytes;
    let old = build(&files);
    assert!(old.len() > 1_000_000);
    files.swap(3, 70);
    files[9].data = noise(1000, 500);
    files.remove(20);
    files[50] = file("other/path.bin", &files[50].data.clone());
    let size = makes_each_of_the_other("changed", &old, &build(&files)).len();
    // The contents that only one of them has, in base64; and the entries, all of which are other ones.
    assert!(size < (10_000 + 10_000 + 500) * 4 / 3 + 20_000, "{size} bytes");
}

#[test]
fn changes_are_told_by_path_and_content() {
    let AnyPatch::Archives(patch) = between(&pak(OLD), &pak(NEW)) else { panic!("another form") };
    let told: Vec<_> = patch
        .changes
        .iter()
        .map(|change| {
            let side = |side: &Option<spelunk::compare::patch::archives::ContentDescriptor>| {
                side.as_ref().map(|stored| (stored.size, stored.block.is_some()))
            };
            (change.path.as_str(), side(&change.old), side(&change.new))
        })
        .collect();
    let expected = [
        ("a/x.y", Some((5, false)), None),
        ("b/z.y", None, Some((5, false))),
        ("new/empty.txt", None, Some((0, true))),
        ("sound/gone.wav", Some((4, true)), None),
        (TUR, Some((12, true)), Some((10, true))),
    ];
    assert_eq!(told, expected);
}

#[test]
fn other_archives_get_the_same_changes() {
    let patch = between(&pak(OLD), &pak(NEW));
    let own: (&str, &[u8]) = ("data/own.txt", b"mine");
    let mine = pak(&[&[own], OLD].concat());
    let (made, applied) = apply(&patch, &mine);
    assert!(!applied.same_file);
    assert_eq!(counts(&applied), (5, 0, 0), "{:?}", applied.conflicts);
    holds(&made, &[&[own], NEW].concat());
    // Once more it finds nothing to do, and writes what is there.
    let (again, applied) = apply(&patch, &made);
    assert_eq!(counts(&applied), (0, 5, 0));
    assert!(again == made);
    // And back.
    let (back, applied) = apply(&patch.clone().reversed(), &made);
    assert_eq!(counts(&applied), (5, 0, 0), "{:?}", applied.conflicts);
    holds(&back, &[&[own], OLD].concat());
    // Made to the file that it makes, it says so.
    let (same, applied) = apply(&patch, &pak(NEW));
    assert_eq!(counts(&applied), (0, 5, 0));
    assert!(same == pak(NEW));
    // A part of it was made already.
    let half = pak(&[own, ("mesh/same.msb", b"same"), (TUR, b"a new door"), ("a/x.y", b"moved")]);
    let (made, applied) = apply(&patch, &half);
    assert_eq!(counts(&applied), (3, 2, 0), "{:?}", applied.conflicts);
    holds(&made, &[&[own], NEW].concat());
}

#[test]
fn something_else_is_a_conflict_and_everything_else_is_made() {
    let patch = between(&pak(OLD), &pak(NEW));
    let mine = pak(&[
        (TUR, b"my own door"),
        ("sound/gone.wav", b"gone"),
        ("a/x.y", b"moved"),
        ("b/z.y", b"?"),
    ]);
    let (made, applied) = apply(&patch, &mine);
    assert_eq!(counts(&applied), (3, 0, 2));
    assert!(applied.conflicts.iter().all(|error| error.code().id == codes::CONFLICT.id));
    let told = applied.conflicts[0].to_string();
    let start =
        "b/z.y: what the patch is to change is not there: expected no such file, found 1 bytes";
    assert!(told.starts_with(start), "{told}");
    assert!(applied.conflicts[1].to_string().contains("11 bytes, XXH3 0x"));
    holds(&made, &[(TUR, b"my own door"), ("b/z.y", b"?"), ("new/empty.txt", b"")]);
    // What is to change is not there at all.
    let (_, applied) = apply(&patch, &pak(&[("a/x.y", b"moved")]));
    assert_eq!(counts(&applied), (3, 1, 1), "{:?}", applied.conflicts);
    // Content that is under another path is taken from there; where it is nowhere, that is a conflict.
    let (made, applied) = apply(&patch, &pak(&[(TUR, b"the old door"), ("c/copy.y", b"moved")]));
    assert_eq!(counts(&applied), (3, 2, 0), "{:?}", applied.conflicts);
    assert!(held(&made).contains(&("b/z.y".to_owned(), b"moved".to_vec())));
    let (_, applied) = apply(&patch, &pak(&[(TUR, b"the old door")]));
    assert_eq!(counts(&applied), (2, 2, 1));
    assert!(applied.conflicts[0].to_string().contains("no such content"));
}

#[test]
fn files_that_cannot_be_read_are_left_as_they_are() {
    let patch = between(&pak(OLD), &pak(NEW));
    let files: Vec<PakFile> = OLD.iter().map(|(path, data)| file(path, data)).collect();
    let fixture = Pak { files, ..Pak::default() };
    let place = fixture.entries().iter().position(|entry| entry.file == 1).unwrap();
    let mut damaged = fixture.build();
    damaged.poke(&format!("entries[{place}].size"), &u32::MAX.to_le_bytes());
    let options = Options::default();
    let bytes = source(&damaged.bytes);
    let refused = patch.apply(&Origin { source: &bytes, options: &options });
    // Files that stay cannot be moved while it is not known where they end.
    assert_eq!(refused.map(drop).unwrap_err().code().id, spellforce::codes::PAK_EXTENT.id);
    let door: Vec<_> =
        OLD.iter().map(|(path, data)| (*path, if *path == TUR { b"new" } else { *data })).collect();
    let (same, applied) = apply(&between(&pak(OLD), &pak(&door)), &damaged.bytes);
    assert_eq!(counts(&applied), (0, 0, 1));
    assert!(applied.conflicts[0].to_string().contains("a file that cannot be read"));
    assert!(same == damaged.bytes);
    // But the bytes of such an archive can be told.
    makes_each_of_the_other("damaged", &damaged.bytes, &pak(NEW));
    let AnyPatch::Archives(patch) = between(&damaged.bytes, &pak(NEW)) else { panic!() };
    assert!(patch.changes.iter().all(|change| change.path != TUR));
    assert_eq!(patch.changes.len(), 4);
}

/// The patch with another value in a place.
fn with(whole: &Value, pointer: &str, value: Value) -> spelunk::Result<AnyPatch> {
    let mut patch = whole.clone();
    *patch.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    AnyPatch::parse(patch.to_string().as_bytes())
}

#[test]
fn hostile_patches_are_refused() {
    let (old, new) = (pak(OLD), pak(NEW));
    let mine = pak(&[&[("data/own.txt", &b"mine"[..])], OLD].concat());
    let whole: Value = serde_json::from_str(&between(&old, &new).text().unwrap()).unwrap();
    let door = &whole["changes"][4];
    assert_eq!(door["path"], TUR);
    let block = door["new"]["block"].as_u64().unwrap();
    let blocks = whole["blocks"].as_array().unwrap().len() as u64;
    let for_others = [
        (format!("/blocks/{block}"), json!("###")),
        (format!("/blocks/{block}"), json!("AAAA")),
        ("/changes/4/new/size".to_owned(), json!(9)),
        ("/changes/4/new/size".to_owned(), json!(u64::MAX)),
        ("/changes/4/new/xxh3".to_owned(), json!("0x0")),
        ("/changes/4/new/block".to_owned(), json!(blocks)),
        ("/changes/4/new".to_owned(), door["old"].clone()),
        ("/changes/0/old".to_owned(), json!(null)),
        ("/changes/4/path".to_owned(), json!("a/x.y")),
        ("/changes/4/path".to_owned(), json!("A\\X.Y")),
        ("/changes/4/path".to_owned(), json!("../x/y")),
        ("/changes/4/path".to_owned(), json!("alone")),
        ("/changes/4/path".to_owned(), json!("\u{436}/x")),
        ("/changes/4".to_owned(), json!({"path": "q/w"})),
        ("/spelunk_patch".to_owned(), json!(2)),
        ("/changes/4/new/block".to_owned(), json!(-1)),
    ];
    for (pointer, value) in for_others {
        let refused =
            with(&whole, &pointer, value.clone()).and_then(|patch| try_apply(&patch, &mine));
        let code = refused.map(drop).unwrap_err().code();
        assert_eq!(code.id, codes::BAD_PATCH.id, "{pointer} {value}");
    }
    for (pointer, value) in wrong_runs(blocks) {
        let refused = with(&whole, pointer, value).and_then(|patch| try_apply(&patch, &old));
        assert_eq!(refused.map(drop).unwrap_err().code().id, codes::BAD_PATCH.id, "{pointer}");
    }
}

#[test]
fn damaged_patches_do_no_harm() {
    let (old, new) = (pak(OLD), pak(NEW));
    let mine = pak(&[&[("data/own.txt", &b"mine"[..])], OLD].concat());
    let text = between(&old, &new).text().unwrap().into_bytes();
    let digits: Vec<usize> = (0..text.len()).filter(|at| text[*at].is_ascii_digit()).collect();
    let (mut read, mut refused) = (0, 0);
    for seed in 0..2_000_u64 {
        // Damage within numbers leaves JSON more often where it is small.
        let mut damaged = text.clone();
        if seed % 2 == 0 {
            damaged = mutate(&text, seed);
        } else {
            for step in 0..1 + seed % 3 {
                let at = digits[(seed.wrapping_mul(7919 + step) % digits.len() as u64) as usize];
                damaged[at] = b'1' + ((seed >> 3) % 9) as u8;
            }
        }
        let patch = match ArchivePatch::parse(&damaged) {
            Ok(patch) => patch,
            Err(error) => {
                assert_eq!(error.code().id, codes::BAD_PATCH.id);
                continue;
            }
        };
        read += 1;
        for patch in [patch.clone().reversed(), patch] {
            for bytes in [&old, &new, &mine] {
                if let Err(error) = try_apply(&AnyPatch::Archives(patch.clone()), bytes) {
                    let known = [codes::BAD_PATCH.id, codes::OTHER_FORMAT.id];
                    assert!(known.contains(&error.code().id), "{seed}: {error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} {refused}");
}

/// A cache of archives with these names.
fn cache(paks: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut findings = Collect::default();
    let task = &mut Task::new(Budget::new(Limits::unlimited()), &mut findings);
    let archives: Vec<_> =
        paks.iter().map(|(_, bytes)| Archive::open(source(bytes), task).unwrap()).collect();
    let listed: Vec<_> = paks
        .iter()
        .zip(&archives)
        .map(|((key, _), archive)| CacheArchive { key, path: "C:\\pak\\x.pak", archive })
        .collect();
    let mut out = Vec::new();
    pakdata::build(&listed, &mut out, task).unwrap();
    out
}

/// The code with which a patch of one cache is refused by another one.
fn refuses_other(patch: &AnyPatch, other: &[u8]) {
    let error = try_apply(patch, other).map(drop).unwrap_err();
    assert_eq!(error.code().id, codes::OTHER_CACHE.id);
    assert!(error.to_string().contains("spelunk pack DIR -o pakdata.dat"), "{error}");
}

#[test]
fn a_cache_is_patched_where_it_is_the_very_one() {
    let old = cache(&[("sf1.pak", pak(OLD)), ("sf2.pak", pak(&[("a/b.c", b"1")]))]);
    let new = cache(&[("sf1.pak", pak(NEW)), ("sf2.pak", pak(&[("a/b.c", b"1")]))]);
    makes_each_of_the_other("caches", &old, &new);
    let patch = between(&old, &new);
    let (made, applied) = apply(&patch, &old);
    assert_eq!((counts(&applied), made == new), ((1, 0, 0), true));
    let (same, applied) = apply(&patch, &new);
    assert_eq!((counts(&applied), same == new), ((0, 1, 0), true));
    refuses_other(&patch, &cache(&[("sf1.pak", pak(OLD))]));
    let AnyPatch::Archives(mut patch) = patch else { panic!("another form") };
    assert!(patch.changes.is_empty());
    // A change of a single file cannot be made to a cache.
    let AnyPatch::Archives(other) = between(&pak(OLD), &pak(NEW)) else { panic!("another form") };
    patch.changes = other.changes;
    let error = try_apply(&AnyPatch::Archives(patch), &old).map(drop).unwrap_err();
    assert_eq!(error.code().id, codes::BAD_PATCH.id);
}

#[test]
fn the_real_cache_is_patched() {
    let Some(files) = corpus::files("spellforce", &["dat"]) else { return };
    let mut seen = 0;
    for file in files.iter().filter(|file| file.name.ends_with("pakdata.dat")) {
        seen += 1;
        // A file gets another name.
        let old = &file.bytes;
        let mut new = old.clone();
        let at = old.windows(4).position(|bytes| bytes == b".tga").unwrap();
        new[at..at + 4].copy_from_slice(b".dds");
        let size = makes_each_of_the_other(&file.name, old, &new).len();
        assert!(size < 2_000, "{size} bytes");
        makes_each_of_the_other("longer", &new, &[&old[..], b"left over"].concat());
        refuses_other(&between(old, &new), &cache(&[("sf1.pak", pak(OLD))]));
        let small = cache(&[("sf1.pak", pak(OLD))]);
        makes_each_of_the_other("to nothing", old, &small);
    }
    assert_eq!(seen, 1);
}

#[test]
fn patches_are_for_one_format() {
    let (archive, cache) = (pak(OLD), cache(&[("sf1.pak", pak(OLD))]));
    let of = |code: spelunk::Error| code.code().id;
    let pack = common::sample("forest.snpak");
    assert_eq!(try_between(&archive, &cache).map_err(of), Err(codes::OTHER_FORMAT.id));
    assert_eq!(try_between(&archive, &pack).map_err(of), Err(codes::OTHER_FORMAT.id));
    let patch = between(&archive, &archive);
    for other in [&cache, &pack] {
        let refused = try_apply(&patch, other).map(drop).map_err(of);
        assert_eq!(refused, Err(codes::OTHER_FORMAT.id));
    }
    let AnyPatch::Archives(same) = patch else { panic!("another form") };
    assert_eq!(same.to_new, [Run::Copy([0, archive.len() as u64])]);
    assert!(same.changes.is_empty() && same.blocks.is_empty());
}
