//! Building and editing archives: what fixtures assemble without our writer, and what real archives are known to be.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::opened;
use spellforce::{
    pak::{
        Archive, Draft, MemberPath,
        build::{ArchiveTables, Spec},
        is_tight,
    },
    pakdata::{self, Cache, CacheArchive},
};
use spelunk_core::{Bytes, Collect, Of, Task, text::CodePages};
use spelunk_fixtures::{
    corpus,
    pak::{Pak, PakFile},
    random::Random,
    samples,
};
use std::{collections::BTreeMap, sync::Arc};
use test_support::{
    entries::{bytes_of, list, write},
    task::{budget, unlimited, with_sound_task},
};

fn archive(bytes: Vec<u8>) -> Archive {
    with_sound_task(|task| Archive::open(Arc::new(Bytes::from(bytes)), task)).unwrap()
}

fn reversed(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().rev().copied().collect()
}

/// What the archive holds, by path.
fn content(archive: &Archive) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let names = archive.names();
    let file = |(n, entry)| {
        let path: Vec<u8> = names.reversed_path(entry).unwrap().rev().collect();
        (path, with_sound_task(|task| archive.bytes(n, task)).unwrap().to_vec())
    };
    (0..).zip(archive.entries()).map(file).collect()
}

fn built(files: &[PakFile]) -> Vec<u8> {
    let mut draft = Draft::default();
    for file in files {
        let path = MemberPath::from_bytes(&file.path()).unwrap();
        draft.add(path, Arc::new(Bytes::from(file.data.clone())));
    }
    let mut out = Vec::new();
    let size = with_sound_task(|task| draft.write(&mut out, task)).unwrap();
    assert_eq!(size, out.len() as u64);
    out
}

/// What the fixture makes, whose packer has an unclean memory.
fn assembled(files: &[PakFile]) -> Vec<u8> {
    Pak { files: files.to_vec(), leftovers: [0; 44], ..Pak::default() }.build().bytes
}

#[test]
fn an_archive_is_built_as_the_fixture_assembles_it() {
    let files = samples::pak().files;
    assert_eq!(built(&files), assembled(&files));
    assert_eq!(built(&[]), assembled(&[]));
}

#[test]
fn random_archives_are_built_as_the_fixture_assembles_them() {
    let mut random = Random(20);
    for _ in 0..200 {
        let files = some_files(&mut random, 40);
        assert_eq!(built(&files), assembled(&files));
        let archive = archive(built(&files));
        assert!(with_sound_task(|task| archive.verify(task)).is_ok());
        assert!(with_sound_task(|task| is_tight(&archive, task)).unwrap());
    }
}

/// Files with directories that are prefixes of each other, umlauts, equal hashes, and no content here and there.
fn some_files(random: &mut Random, most: usize) -> Vec<PakFile> {
    let directories: [&[u8]; 7] =
        [b"a", b"ab", b"abc\\d", b"abc", b"script\\p10", b"script\\p101", b"t\xfcr"];
    let mut files = BTreeMap::new();
    for _ in 0..random.below(most) {
        let directory = directories[random.below(directories.len())];
        // "bb" and "ac" have one hash.
        let name: Vec<u8> = (0..=random.below(4)).map(|_| b"abc\xe4"[random.below(4)]).collect();
        let data = vec![random.next() as u8; random.below(3) * random.below(3000)];
        files.insert((directory, name.clone()), PakFile::new(directory, &name, &data));
    }
    let mut files: Vec<PakFile> = files.into_values().collect();
    for n in 1..files.len() {
        files.swap(n, random.below(n + 1));
    }
    files
}

#[test]
fn the_tables_of_real_archives_come_out_as_they_are() {
    let Some(files) = corpus::files("spellforce", &["dat"]) else { return };
    let file = &files[0];
    let cache =
        with_sound_task(|task| Cache::open(&Bytes::from(file.bytes.clone()), task)).unwrap();
    assert_eq!((cache.archives().count(), cache.entry_count()), (23, 59_587));
    assert_eq!(cache.trailing().len, 0);
    let pages = CodePages::cp1252();
    let mut made = Vec::new();
    for cached in cache.archives() {
        let encode =
            |text: &[u8]| reversed(&pages.encode(std::str::from_utf8(text).unwrap()).unwrap());
        let known: Vec<_> = cached.entries().collect();
        let paths: Vec<_> =
            known.iter().map(|file| (encode(file.name), encode(file.directory))).collect();
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_by_key(|n| (known[*n].offset, known[*n].size > 0));
        let specs: Vec<Spec<'_>> = order
            .iter()
            .map(|n| Spec {
                name: &paths[*n].0,
                directory: &paths[*n].1,
                size: known[*n].size as u64,
                top: [0; 2],
            })
            .collect();
        let tables = with_sound_task(|task| ArchiveTables::of(&specs, &mut task.budget)).unwrap();
        let numbers = cached.numbers();
        assert_eq!(tables.header.data_start.get() as i32, numbers.data_start.get());
        assert_eq!(tables.header.file_size.get() as i32, numbers.file_size.get());
        let names_len = numbers.data_start.get() as usize - 92 - 16 * known.len();
        assert_eq!(tables.names.len(), names_len);
        let head = [
            zerocopy::IntoBytes::as_bytes(&tables.header),
            zerocopy::IntoBytes::as_bytes(tables.entries.as_slice()),
            &tables.names,
        ]
        .concat();
        let mut sink = Collect::default();
        let mut task = Task::new(unlimited(), &mut sink);
        // Its data is not there.
        let archive = Archive::read(Arc::new(Bytes::from(head)), &mut task).unwrap();
        for ((entry, known), (name, directory)) in archive.entries().iter().zip(&known).zip(&paths)
        {
            assert_eq!(archive.names().reversed_name(entry).unwrap(), name);
            assert_eq!(archive.names().reversed_directory(entry).unwrap(), directory);
            assert_eq!(i64::from(entry.size.get()), known.size);
            assert_eq!(i64::from(entry.data_offset.get()), known.offset);
        }
        // Every path is found by bisection, and what is not there is not.
        for (n, entry) in archive.entries().iter().enumerate().step_by(7) {
            let path: Vec<u8> = archive.names().reversed_path(entry).unwrap().rev().collect();
            let path = MemberPath::from_bytes(&path).unwrap();
            assert_eq!(archive.lookup(&path, &mut task).unwrap(), Some(n as u32));
        }
        let nothing = MemberPath::from_bytes(b"mesh\\nothing.msh").unwrap();
        for _ in 0..3 {
            assert_eq!(archive.lookup(&nothing, &mut task).unwrap(), None);
        }
        made.push((cached, archive));
    }
    let text = |text: &[u8]| std::str::from_utf8(text).unwrap().to_owned();
    let texts: Vec<_> =
        made.iter().map(|(cached, _)| (text(cached.key), text(cached.path))).collect();
    let listed: Vec<CacheArchive<'_>> = texts
        .iter()
        .zip(&made)
        .map(|((key, path), (_, archive))| CacheArchive { key, path, archive })
        .collect();
    let mut again = Vec::new();
    with_sound_task(|task| pakdata::build(&listed, &mut again, task)).unwrap();
    assert!(again == file.bytes, "the cache is not the real one");
}

#[test]
fn synthetic_archives_are_edited_and_come_back() {
    let Some(files) = corpus::files("spellforce/synthetic", &["pak"]) else { return };
    for file in files {
        let archive = archive(file.bytes.to_vec());
        assert!(with_sound_task(|task| is_tight(&archive, task)).unwrap(), "{}", file.name);
        let (mut container, _) = opened(&file.bytes);
        let first = list(container.as_ref(), Of::Listing).remove(0);
        let old = bytes_of(container.as_ref(), first.node).unwrap();
        with_sound_task(|task| {
            let edit = container.edit().unwrap();
            edit.set_bytes(first.node, b"something longer than before".as_slice().into(), task)
        })
        .unwrap();
        let (longer, _) = write(container.as_ref(), false);
        assert_ne!(longer, file.bytes);
        with_sound_task(|task| container.edit().unwrap().set_bytes(first.node, old, task)).unwrap();
        let (again, _) = write(container.as_ref(), false);
        assert!(again == file.bytes, "{}", file.name);
    }
}

#[test]
fn edits_do_to_an_archive_what_they_do_to_a_map() {
    let mut random = Random(7);
    for round in 0..120 {
        let mut pak = samples::pak();
        pak.files.extend(some_files(&mut random, 20));
        let base = archive(pak.build().bytes);
        let mut expected = content(&base);
        let mut draft = with_sound_task(|task| Draft::of(&base, task)).unwrap();
        let mut left: Vec<u32> = (0..base.entries().len() as u32).collect();
        for nth in 0..random.below(6) {
            let at = random.below(left.len());
            let n = left[at];
            let path: Vec<u8> =
                base.names().reversed_path(base.entry(n).unwrap()).unwrap().rev().collect();
            let data = Bytes::from(vec![nth as u8; random.below(5000)]);
            let fresh = format!("new\\{round}_{nth}.txt");
            let fresh_path = MemberPath::from_text(&fresh).unwrap();
            match random.below(4) {
                0 => {
                    draft.set(n, Arc::new(data.clone())).unwrap();
                    expected.insert(path, data.to_vec());
                }
                1 => {
                    draft.remove(n).unwrap();
                    assert!(draft.remove(n).is_err());
                    expected.remove(&path);
                }
                2 => {
                    draft.rename(n, fresh_path).unwrap();
                    let data = expected.remove(&path).unwrap();
                    expected.insert(fresh.into_bytes(), data);
                }
                _ => {
                    draft.add(fresh_path, Arc::new(data.clone()));
                    expected.insert(fresh.into_bytes(), data.to_vec());
                    continue;
                }
            }
            left.remove(at);
        }
        let source = with_sound_task(|task| draft.source(task)).unwrap();
        let mut written = Vec::new();
        with_sound_task(|task| draft.write(&mut written, task)).unwrap();
        let bytes = with_sound_task(|task| source.read(0..source.len(), &mut task.budget)).unwrap();
        assert!(bytes == written, "both ways to write are one");
        let next = archive(written);
        assert_eq!(content(&next), expected);
        assert_eq!(next.header().leftover, base.header().leftover);
        assert!(with_sound_task(|task| is_tight(&next, task)).unwrap());
        with_sound_task(|task| next.verify(task)).unwrap();
    }
}

#[test]
fn what_an_archive_cannot_hold_is_refused() {
    let code = |files: &[(&str, &str, u64)]| {
        let texts: Vec<_> = files
            .iter()
            .map(|(d, n, s)| (reversed(d.as_bytes()), reversed(n.as_bytes()), *s))
            .collect();
        let specs: Vec<Spec<'_>> = texts
            .iter()
            .map(|(directory, name, size)| Spec { name, directory, size: *size, top: [0; 2] })
            .collect();
        let made = with_sound_task(|task| ArchiveTables::of(&specs, &mut task.budget));
        made.err().map(|error| error.code().id)
    };
    assert_eq!(code(&[("a", "b", 7), ("a", "c", 0)]), None);
    assert_eq!(code(&[("a", "b", 7), ("a", "b", 0)]), Some("PK016"));
    assert_eq!(code(&[("a", "b", 1 << 32)]), Some("PK019"));
    assert_eq!(code(&[("a", "b", u64::from(u32::MAX) - 5000), ("a", "c", 6000)]), Some("PK019"));
    let long = "n".repeat(250);
    let many: Vec<(String, String)> =
        (0..70_000).map(|n| ("data".to_owned(), format!("{n}{long}"))).collect();
    let many: Vec<(&str, &str, u64)> =
        many.iter().map(|(directory, name)| (directory.as_str(), name.as_str(), 0)).collect();
    assert_eq!(code(&many), Some("PK019"), "names behind 24 bits");
}

#[test]
fn sixty_thousand_files_make_an_archive() {
    let name = |n: u32| format!("texture\\terrain{}\\stone_{n}.tga", n % 300);
    let mut draft = Draft::default();
    for n in 0..60_000_u32 {
        draft
            .add(MemberPath::from_text(&name(n)).unwrap(), Arc::new(Bytes::from(vec![n as u8; 3])));
    }
    let mut out = Vec::new();
    with_sound_task(|task| draft.write(&mut out, task)).unwrap();
    let archive = archive(out);
    with_sound_task(|task| archive.verify(task)).unwrap();
    for n in (0..60_000).step_by(999) {
        let path = MemberPath::from_text(&name(n)).unwrap();
        let found = with_sound_task(|task| archive.lookup(&path, task)).unwrap().unwrap();
        assert_eq!(with_sound_task(|task| archive.bytes(found, task)).unwrap(), vec![n as u8; 3]);
    }
}

/// Look-ups are right where the order, the hashes or the case are not.
#[test]
fn files_are_found_in_archives_that_are_not_sorted() {
    let mut random = Random(3);
    let mut pak = samples::pak();
    pak.files.extend(some_files(&mut random, 60));
    pak.files.push(PakFile::new(b"Texture\\UI", b"T\xdcR.TGA", b"shouted"));
    let sound = pak.build();
    let count = pak.files.len();
    for round in 0..60 {
        let mut bytes = sound.bytes.clone();
        for _ in 0..=random.below(5) {
            let (a, b) = (92 + 16 * random.below(count), 92 + 16 * random.below(count));
            for byte in 0..16 {
                bytes.swap(a + byte, b + byte);
            }
        }
        if round % 2 == 0 {
            let at = sound.range_of("names").start + random.below(40);
            let is_hash = u32::from_le_bytes(bytes[100..104].try_into().unwrap()) as usize
                + sound.range_of("names").start;
            if at == is_hash {
                bytes[at] ^= 0x55;
            }
        }
        let archive = archive(bytes);
        for file in &pak.files {
            let path = MemberPath::from_bytes(&file.path()).unwrap();
            let nothing = MemberPath::from_bytes(&[&file.path()[..], b"x"].concat()).unwrap();
            let found = with_sound_task(|task| archive.lookup(&path, task)).unwrap().unwrap();
            assert_eq!(with_sound_task(|task| archive.bytes(found, task)).unwrap(), file.data);
            assert_eq!(with_sound_task(|task| archive.lookup(&nothing, task)).unwrap(), None);
        }
    }
}

/// Damage of one entry keeps none of the others from being changed, and is no panic.
#[test]
fn damaged_archives_are_edited_or_refused() {
    let sound = samples::pak().build();
    let mut random = Random(99);
    let mut changed = 0;
    for _ in 0..3000 {
        let mut bytes = sound.bytes.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(sound.range_of("names").end);
            bytes[at] = random.next() as u8;
        }
        let mut sink = Collect::default();
        let mut task = Task::new(budget(bytes.len()), &mut sink);
        let Ok(archive) = Archive::open(Arc::new(Bytes::from(bytes.clone())), &mut task) else {
            continue;
        };
        let mut draft = Draft::of(&archive, &mut task).unwrap();
        draft.set(0, Arc::new(Bytes::from_static(b"x"))).ok();
        if random.below(2) == 0 {
            draft.add(MemberPath::from_text("new/file.txt").unwrap(), Arc::new(Bytes::new()));
        }
        let Ok(source) = draft.source(&mut task) else { continue };
        if let Ok(next) = Archive::open(source, &mut task) {
            assert!(next.bytes(0, &mut task).is_ok());
            changed += 1;
        }
    }
    assert!(changed > 500, "{changed}");
}
