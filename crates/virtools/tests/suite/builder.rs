//! Real chunks taken apart and built again.

use spelunk_core::{
    Budget, Bytes, Limits, Span, Strict, Task, scalar::Guid, zerocopy::little_endian::U32,
};
use spelunk_fixtures::corpus;
use std::collections::BTreeSet;
use test_support::task::budget;
use virtools::{
    File,
    chunk::{
        Chunk,
        buffer::{ChunkBuf, Header},
        build::Builder,
        decoded::{Decoded, DecodedItem},
        edit::Position,
        prototype::prototype,
        read::Reader,
        remap::{self, DwordKind, Unmapped},
        viewer::{INTERFACE, without_interface},
    },
};

const BEHAVIOR: u32 = 8;

fn each_file(mut test: impl FnMut(&str, &File)) {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    for real in files {
        let mut sink = Strict;
        let limits = Limits::for_len(real.bytes.len() as u64);
        let mut task = Task::new(Budget::new(limits), &mut sink);
        test(&real.name, &File::read_from(&Bytes::from(real.bytes), &mut task).unwrap());
    }
}

/// The bytes of every chunk of a file, those of managers first; objects with their class.
fn chunks(file: &File) -> Vec<(Option<u32>, &[u8])> {
    let records = file.records(&mut budget(1 << 20)).unwrap();
    let plain = records.plain();
    let managers = records.managers.iter().map(|manager| (None, manager.chunk.of(plain)));
    let objects = records.objects.iter().zip(&file.table().objects);
    let objects = objects.map(|(record, object)| (Some(object.class_id), record.chunk.of(plain)));
    managers.chain(objects).filter(|(_, bytes)| !bytes.is_empty()).collect()
}

fn read(bytes: &[u8]) -> Chunk<'_> {
    Chunk::read(bytes, Span::file(0, bytes.len() as u64)).unwrap()
}

/// Chunks and sub-chunks, single ids of 0, and all items of lists in a decoded chunk.
fn count(decoded: &Decoded, counts: &mut [usize; 3]) {
    counts[0] += 1;
    for item in &decoded.items {
        match item {
            DecodedItem::Identifier(_) | DecodedItem::Words(_) => continue,
            DecodedItem::Object(0) => counts[1] += 1,
            DecodedItem::SubChunk(sub) => count(sub, counts),
            DecodedItem::SubChunks(subs) => {
                subs.iter().flatten().for_each(|sub| count(sub, counts));
            }
            _ => {}
        }
        counts[2] += 1;
    }
}

#[test]
fn every_chunk_is_copied_and_built_again() {
    let mut counts = [0; 3];
    let mut all = 0;
    each_file(|name, file| {
        for (nth, (_, bytes)) in chunks(file).into_iter().enumerate() {
            let chunk = read(bytes);
            let copy = ChunkBuf::copy(&chunk, &mut budget(1 << 20)).unwrap();
            assert!(copy.to_bytes().unwrap() == bytes, "{name}: chunk {nth} copied");
            let decoded = Decoded::of(&chunk, &mut budget(1 << 20))
                .unwrap_or_else(|error| panic!("{name}: chunk {nth}: {error}"));
            let built = decoded.build().unwrap().to_bytes().unwrap();
            assert!(built == bytes, "{name}: chunk {nth} built");
            count(&decoded, &mut counts);
            all += 1;
        }
    });
    if all > 0 {
        assert!(all > 66_000, "{all} chunks");
        let [levels, zeros, listed] = counts;
        println!("{all} chunks, {} sub-chunks, {listed} listed items built", levels - all);
        println!("{zeros} of them a single id of 0");
    }
}

#[test]
fn ids_are_found_in_all_levels_and_changed_in_place() {
    let (mut ids, mut strangers, mut zeros, mut numbers) = (0, 0, 0, 0);
    each_file(|name, file| {
        let known: BTreeSet<u32> = file.table().objects.iter().map(|o| o.id as u32).collect();
        for (_, bytes) in chunks(file) {
            let chunk = read(bytes);
            let mut here = 0;
            let places = remap::places(&chunk, &mut budget(1 << 20)).unwrap();
            for (index, kind) in &places {
                let word = &bytes[index * 4..][..4];
                let id = u32::from_le_bytes(word.try_into().unwrap());
                match kind {
                    DwordKind::Manager(_) => numbers += 1,
                    DwordKind::Object if id == 0 => zeros += 1,
                    DwordKind::Object => {
                        here += 1;
                        strangers += usize::from(!known.contains(&id));
                    }
                }
            }
            ids += here;
            let map = |map: &dyn Fn(u32) -> Option<u32>, unmapped, bytes: &[u8]| {
                let chunk = read(bytes);
                remap::objects(&chunk, bytes, map, unmapped, &mut budget(1 << 20)).unwrap()
            };
            assert_eq!(map(&Some, Unmapped::Null, bytes), None, "{name}");
            let up = map(&|id| Some(id ^ 0x4000_0000), Unmapped::Keep, bytes);
            assert_eq!(up.is_some(), here != 0, "{name}");
            let Some(up) = up else { continue };
            let differing = up.chunks(4).zip(bytes.chunks(4)).filter(|(a, b)| a != b).count();
            assert_eq!(differing, here, "{name}: nothing else changes");
            let back = map(&|id| Some(id ^ 0x4000_0000), Unmapped::Keep, &up);
            assert!(back.as_deref() == Some(bytes), "{name}");
        }
    });
    if ids + zeros > 0 {
        // What an independent count found.
        assert_eq!((ids + zeros, strangers), (32_784, 308));
        println!(
            "{ids} ids, {strangers} of no object, {zeros} zeros; {numbers} numbers of managers"
        );
    }
}

/// Plugin group 4 lists the prototypes of all building blocks of a file, except in those of two products.
#[test]
fn prototypes_are_those_of_the_plugin_dependencies() {
    const INCOMPLETE: [u32; 2] = [0x0205_0030, 0x0305_0018];
    let (mut blocks, mut graphs) = (0, 0);
    each_file(|name, file| {
        let mut found = BTreeSet::new();
        for (_, bytes) in chunks(file).iter().filter(|(class, _)| *class == Some(BEHAVIOR)) {
            match prototype(&read(bytes)) {
                Some(guid) => {
                    blocks += 1;
                    found.insert((guid.d1.get(), guid.d2.get()));
                }
                None => graphs += 1,
            }
        }
        let groups = &file.table().plugins.as_ref().unwrap().groups;
        let blocks = groups.iter().filter(|group| group.category == 4);
        let listed: BTreeSet<_> = blocks
            .flat_map(|group| {
                group.guids().map(|guid| (guid.d1.get(), guid.d2.get())).collect::<Vec<_>>()
            })
            .collect();
        let missing = found.difference(&listed).count();
        if INCOMPLETE.contains(&file.head().product_build()) {
            assert!(missing < found.len() || found.is_empty(), "{name}");
        } else {
            assert_eq!(missing, 0, "{name}");
        }
    });
    println!("{blocks} building blocks, {graphs} graphs");
}

#[test]
fn interface_data_are_removed_and_put_back() {
    let mut removed = 0;
    each_file(|name, file| {
        for (_, bytes) in chunks(file).iter().filter(|(class, _)| *class == Some(BEHAVIOR)) {
            let chunk = read(bytes);
            let Some(mut without) = without_interface(&chunk, &mut budget(1 << 20)).unwrap() else {
                continue;
            };
            removed += 1;
            let at = Span::file(0, 0);
            assert_eq!(without_interface(&without.view(at), &mut budget(1 << 20)).unwrap(), None);
            // Lists and links are as if it had never been there.
            Decoded::of(&without.view(at), &mut budget(1 << 20)).unwrap();
            for section in without.view(at).sections() {
                let words = &without.data[section.payload()];
                let mut before = Reader::section(chunk, section.identifier).unwrap();
                assert_eq!(before.dwords(before.remaining(), "all").unwrap(), words, "{name}");
            }

            let sub = Reader::section(chunk, INTERFACE).unwrap().sub_chunk("interface").unwrap();
            let sub = sub.map(|sub| ChunkBuf::copy(&sub, &mut budget(1 << 20)).unwrap());
            let mut payload = Builder::new(Header::of(&chunk));
            payload.sub_chunk(sub.as_ref()).unwrap();
            without.insert_section(Position::First, INTERFACE, &payload.finish()).unwrap();
            assert!(without.to_bytes().unwrap() == *bytes, "{name}");
        }
    });
    println!("interface data of {removed} behaviours removed and put back");
}

#[test]
fn the_variable_manager_has_the_layout_of_the_page() {
    const VARIABLES: u32 = 0x98CC_3CC9;
    let (mut found, mut names, mut values) = (0, BTreeSet::new(), BTreeSet::new());
    each_file(|name, file| {
        let records = file.records(&mut budget(1 << 20)).unwrap();
        let of_variables = |guid: &Guid| guid.d1.get() == VARIABLES;
        for manager in records.managers.iter().filter(|manager| of_variables(&manager.guid)) {
            found += 1;
            let chunk = read(manager.chunk.of(records.plain()));
            let mut r = Reader::section(chunk, VARIABLES).unwrap();
            for _ in 0..r.dword("variables").unwrap() {
                names.insert(r.string("name").unwrap().text().to_vec());
                r.dword("value").unwrap();
            }
            assert_eq!(r.dwords(2, "zeros").unwrap(), [U32::ZERO; 2], "{name}");
            for _ in 0..r.dword("descriptions").unwrap() {
                values.insert(r.string("values").unwrap().text().to_vec());
                r.guid("describes").unwrap();
            }
            assert_eq!(r.remaining(), 0, "{name}");
        }
    });
    if found > 0 {
        assert_eq!((found, names.len(), values.len()), (12, 5, 3));
        assert!(values.contains(&b"enum:0=Uncompressed;8=Compressed"[..]));
        assert!(names.iter().all(|name| !name.windows(4).any(|part| part == b"Mode")));
    }
}
