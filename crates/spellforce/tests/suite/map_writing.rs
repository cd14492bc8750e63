//! Maps that are made and changed: read back equal, and nothing else changes.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::opened;
use spellforce::{
    cff::{Chunk, ChunkFile},
    map::{Building, GameMode, Lake, Map, Minimap, Object, Player, Teams, TileDefinition, Unit},
};
use spelunk_core::{Bytes, Collect, Source, Task, scalar::I16};
use spelunk_fixtures::{
    cff::{CffChunk, CffFile, blob},
    corpus,
    random::Random,
    samples,
};
use std::sync::Arc;
use test_support::{
    findings::codes,
    task::{budget, unlimited, with_sound_task},
};
use zerocopy::{FromBytes, FromZeros};

fn open_file(bytes: impl Into<Bytes>) -> ChunkFile {
    with_sound_task(|task| ChunkFile::open(Arc::new(bytes.into()), task)).unwrap()
}

fn all(source: &dyn Source) -> Bytes {
    source.read(0..source.len(), &mut unlimited()).unwrap()
}

fn written(map: &Map) -> Bytes {
    with_sound_task(|task| map.to_source(task).map(|source| all(&*source))).unwrap()
}

fn read(bytes: impl Into<Bytes>) -> Map {
    with_sound_task(|task| Map::read(&open_file(bytes), task)).unwrap()
}

/// The file with the content of `map`.
fn updated(file: &ChunkFile, map: &Map) -> Bytes {
    with_sound_task(|task| map.to_draft_of(file, task)?.source(task).map(|source| all(&*source)))
        .unwrap()
}

fn new(size: u16) -> Map {
    Map::new(size, &mut unlimited()).unwrap()
}

fn records<R: FromBytes>(random: &mut Random, most: usize) -> Vec<R> {
    let count = random.below(most + 1);
    let row = |random: &mut Random| {
        let bytes: Vec<u8> = (0..size_of::<R>()).map(|_| random.next() as u8).collect();
        R::read_from_bytes(&bytes).ok().unwrap()
    };
    (0..count).map(|_| row(random)).collect()
}

fn bytes(random: &mut Random, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.next() as u8).collect()
}

fn text(random: &mut Random) -> Vec<u16> {
    (0..random.below(9)).map(|_| random.next() as u16).collect()
}

fn teams(random: &mut Random, cooperative: bool) -> Teams {
    let player = |random: &mut Random| Player {
        x: random.next() as i16,
        y: random.next() as i16,
        text_id: random.next() as u16,
        map_type: if cooperative { text(random) } else { Vec::new() },
        level_range: if cooperative { text(random) } else { Vec::new() },
    };
    let first = if cooperative { 1 } else { 2 };
    let mut compositions = Vec::new();
    for number in first..=4 {
        if random.below(2) == 0 {
            continue;
        }
        let team = |least: usize, random: &mut Random| {
            (0..least + random.below(3)).map(|_| player(random)).collect::<Vec<_>>()
        };
        let mut composition = vec![team(1, random)];
        composition.resize_with(number, || team(0, random));
        compositions.push(composition);
    }
    Teams { cooperative, compositions }
}

/// A map of anything.
fn any_map(size: u16, random: &mut Random) -> Map {
    let cells = usize::from(size) * usize::from(size);
    let cooperative = random.below(2) == 0;
    let mut decoration = bytes(random, 1024);
    decoration.resize(1 << 20, 0);
    let mut map = Map {
        zero: random.next() as u8,
        tiles: bytes(random, cells).into(),
        heights: (0..cells).map(|_| random.next() as u16).collect(),
        texture_ids: bytes(random, 63),
        decoration: decoration.into(),
        movement_flags: records(random, 40),
        vision_flags: records(random, 40),
        lakes: records(random, 255),
        objects: records(random, 40),
        portals: records(random, 40),
        interactive: records(random, 40),
        buildings: records(random, 40),
        units: records(random, 40),
        spawns: records(random, 40),
        flag_cells: records(random, 40),
        unit_groups: (0..random.below(256)).map(|group| group as u8).collect(),
        ..new(size)
    };
    if random.below(3) > 0 {
        map.teams = Some(teams(random, cooperative));
        let bgr = bytes(random, 4 * 5 * 3).into();
        map.minimap = Some(Minimap { width: 4, height: 5, bgr });
    }
    if cooperative {
        map.coop = vec![FromZeros::new_zeroed(); 3];
    }
    map
}

#[test]
fn maps_of_every_size_are_read_back_equal() {
    let mut random = Random(1);
    for size in [1, 64, 256, 512, 1024] {
        for map in [new(size), any_map(size, &mut random)] {
            let file = written(&map);
            assert_eq!(read(file.clone()), map, "{size}");
            let (container, sink) = opened(&file);
            assert!(sink.findings.is_empty(), "{:?}", sink.findings);
            assert_eq!((container.format(), container.dialect()), ("spellforce-map", None));
            let file = open_file(file);
            assert!(file.chunks().iter().all(Chunk::is_packed));
            assert!(file.chunks().iter().all(|chunk| chunk.plain_len() > 0));
            let header = file.header();
            let words = [header.format_version, header.file_type, header.file_version];
            assert_eq!(words.map(|word| word.get()), [3, 1, 0]);
            assert_eq!(header.checksum.get(), 0);
        }
    }
}

#[test]
fn a_new_map_has_the_definitions_of_the_editor() {
    let map = new(64);
    let of = |tile: usize| -> TileDefinition { map.tile_definitions[tile] };
    assert_eq!(
        (of(0).textures.0, of(0).weights.0, of(0).reindex_data),
        ([1, 0, 0], [255, 0, 0], 0)
    );
    assert_eq!((of(31).textures.0, of(31).reindex_data, of(31).material), ([31, 0, 0], 254, 10));
    assert_eq!((of(40).weights.0, of(40).material, of(121).material), ([0; 3], 10, 0));
    assert_eq!((of(224).textures.0, of(224).reindex_index), ([32, 0, 0], 1));
    assert_eq!((of(254).textures.0, of(254).reindex_index), ([62, 0, 0], 31));
    let fixed = |of: TileDefinition| [of.constant_8, of.constant_9, of.constant_11];
    assert!(map.tile_definitions.iter().all(|of| fixed(*of) == [255, 128, 255]));
    assert_eq!((map.texture_ids[1], map.texture_ids[32], map.texture_ids[62]), (1, 120, 150));
    let order: Vec<i16> = open_file(written(&map)).chunks().iter().map(Chunk::id).collect();
    let rows = [6; 64];
    assert_eq!(order, [[2].as_slice(), &rows, &[3, 4, 31, 32, 44, 46]].concat());
}

#[test]
fn what_cannot_be_written_is_refused() {
    let refused = |change: &dyn Fn(&mut Map)| {
        let mut map = new(16);
        change(&mut map);
        let error = with_sound_task(|task| map.to_draft(task).map(drop)).unwrap_err();
        assert_eq!(error.code().id, "MP040", "{error}");
    };
    refused(&|map| map.heights.truncate(9));
    refused(&|map| map.tiles = Bytes::new());
    refused(&|map| map.decoration = Bytes::from_static(&[1, 2]));
    refused(&|map| map.tile_definitions.truncate(9));
    refused(&|map| map.lakes = vec![Lake::new_zeroed(); 256]);
    refused(&|map| map.minimap = Some(Minimap { width: 0, height: 0, bgr: Bytes::new() }));
    refused(&|map| {
        let compositions = vec![vec![Vec::new(), vec![Player::default()]]];
        map.teams = Some(Teams { cooperative: false, compositions });
    });
    refused(&|map| {
        let compositions = vec![vec![vec![Player::default()]]];
        map.teams = Some(Teams { cooperative: false, compositions });
    });
    refused(&|map| (map.size, map.tiles, map.heights) = (0, Bytes::new(), Vec::new()));
    for size in [0, 40_000] {
        assert!(Map::new(size, &mut unlimited()).is_err());
    }
}

/// Chunks as they are stored, by id and occurrence.
fn stored(file: &[u8]) -> Vec<((i16, i16), Vec<u8>)> {
    let opened = open_file(file.to_vec());
    let of = |chunk: &Chunk| {
        let at = chunk.at();
        ((chunk.id(), chunk.occurrence()), file[at.start as usize..at.end() as usize].to_vec())
    };
    opened.chunks().iter().map(of).collect()
}

#[test]
fn a_change_replaces_its_chunk_alone() {
    let mut sample = samples::map();
    sample.chunks.insert(3, CffChunk::packed(777, 9, blob(b"unknown")));
    sample.chunks.push(CffChunk::raw(8000, 1, blob(b"raw")));
    sample.tail = Vec::new();
    let old = sample.build().bytes;
    let file = open_file(old.clone());
    let map = read(old.clone());
    assert_eq!(updated(&file, &map), old);

    let changed = |change: &dyn Fn(&mut Map), ids: &[(i16, i16)]| {
        let mut map = map.clone();
        change(&mut map);
        let new = updated(&file, &map);
        assert_eq!(read(new.clone()), map);
        let (before, after) = (stored(&old), stored(&new));
        let differs: Vec<_> = after.iter().filter(|chunk| !before.contains(chunk)).collect();
        assert_eq!(differs.iter().map(|chunk| chunk.0).collect::<Vec<_>>(), ids);
        let names = |chunks: &[((i16, i16), Vec<u8>)]| -> Vec<(i16, i16)> {
            chunks.iter().map(|chunk| chunk.0).collect()
        };
        (names(&before), names(&after))
    };
    let (before, after) = changed(&|map| map.units[0].x = I16::new(3), &[(12, 0)]);
    assert_eq!(before, after);
    let (before, after) = changed(&|map| map.heights[16 * 5 + 1] = 9, &[(6, 5)]);
    assert_eq!(before, after);
    let (before, after) = changed(&|map| map.portals.clear(), &[]);
    assert_eq!(after, before.iter().copied().filter(|id| id.0 != 35).collect::<Vec<_>>());
    let (before, mut after) =
        changed(&|map| map.coop = vec![FromZeros::new_zeroed(); 3], &[(59, 0)]);
    let place = after.iter().position(|id| id.0 == 59).unwrap();
    assert_eq!(after[place + 1], (60, 0), "at its place in the order of the editor");
    after.remove(place);
    assert_eq!(before, after);
    let smaller = |map: &mut Map| {
        map.size = 15;
        (map.tiles, map.heights) = (Bytes::from(vec![1; 225]), vec![7; 225]);
    };
    let rows: Vec<(i16, i16)> = (0..15).map(|y| (6, y)).collect();
    let (before, after) = changed(&smaller, &[[(2, 0)].as_slice(), &rows].concat());
    assert_eq!(after, before.into_iter().filter(|id| *id != (6, 15)).collect::<Vec<_>>());
    let larger = |map: &mut Map| {
        map.size = 17;
        (map.tiles, map.heights) = (Bytes::from(vec![1; 289]), vec![7; 289]);
    };
    let rows: Vec<(i16, i16)> = (0..17).map(|y| (6, y)).collect();
    changed(&larger, &[[(2, 0)].as_slice(), &rows].concat());
}

/// A map of nothing but this chunk and a size.
fn only(id: i16, data_type: i16, bytes: &[u8]) -> CffFile {
    let chunks = vec![
        CffChunk::packed(2, 6, blob(&[0, 0, 0])),
        CffChunk::packed(id, data_type, blob(bytes)),
    ];
    CffFile { chunks, ..CffFile::map() }
}

#[test]
fn older_layouts_are_read_and_kept_while_they_can_hold_what_there_is() {
    for (data_type, size) in [(1, 9), (2, 10), (3, 11)] {
        let bytes: Vec<u8> = (1..=size * 2).collect();
        let file = open_file(only(11, data_type, &bytes).build().bytes);
        let mut map = with_sound_task(|task| Map::read(&file, task)).unwrap();
        let Building { building_id, level, race, .. } = map.buildings[1];
        assert_eq!(building_id, size + 9);
        assert_eq!(level, if data_type > 1 { size + 10 } else { 1 });
        assert_eq!(race, if data_type > 2 { size + 11 } else { 0 });
        map.buildings[0].x = I16::new(-5);
        let kept = open_file(updated(&file, &map));
        assert_eq!(kept.chunks()[1].data_type(), data_type);
        assert_eq!(kept.chunks()[1].plain_len(), bytes.len() as u64);
        map.buildings[0].race = 9;
        let newest = open_file(updated(&file, &map));
        assert_eq!(newest.chunks()[1].data_type(), 3);
        assert_eq!(with_sound_task(|task| Map::read(&newest, task)).unwrap(), map);
    }
    for (data_type, size) in [(-1, 13), (0, 13), (4, 13), (5, 14), (9, 14)] {
        let bytes: Vec<u8> = (1..=size * 3).collect();
        let file = open_file(only(12, data_type, &bytes).build().bytes);
        let mut map = with_sound_task(|task| Map::read(&file, task)).unwrap();
        assert_eq!(map.units.len(), 3);
        let Unit { group, unknown_2, .. } = map.units[1];
        assert_eq!((group, unknown_2), (size + 13, if size == 14 { size + 14 } else { 0 }));
        map.units.pop();
        let kept = open_file(updated(&file, &map));
        let chunk = &kept.chunks()[1];
        assert_eq!((chunk.data_type(), chunk.plain_len()), (data_type, u64::from(size) * 2));
    }
    for (data_type, size) in [(0, 10), (3, 10), (4, 12), (5, 14), (6, 16)] {
        let bytes: Vec<u8> = (1..=size * 3).collect();
        let file = open_file(only(29, data_type, &bytes).build().bytes);
        let mut map = with_sound_task(|task| Map::read(&file, task)).unwrap();
        let Object { npc_id, unknown, camp_certain, .. } = map.objects[0];
        assert_eq!(npc_id.get(), 0x0a09);
        assert_eq!(unknown.get(), if size > 10 { 0x0c0b } else { 0 });
        assert_eq!(camp_certain.get(), if size > 14 { 0x100f } else { 0 });
        map.objects[2].angle = I16::new(7);
        let kept = open_file(updated(&file, &map));
        let chunk = &kept.chunks()[1];
        assert_eq!((chunk.data_type(), chunk.plain_len()), (data_type, u64::from(size) * 3));
        assert_eq!(with_sound_task(|task| Map::read(&kept, task)).unwrap(), map);
    }
}

#[test]
fn layouts_that_are_not_known_are_told_and_kept() {
    for (id, data_type) in [(11, 4), (29, 7), (53, 3), (31, 1), (40, 9)] {
        let bytes = only(id, data_type, &[1; 40]).build().bytes;
        let mut sink = Collect::default();
        let mut task = Task::new(budget(bytes.len()), &mut sink);
        let file = open_file(bytes.clone());
        let mut map = Map::read(&file, &mut task).unwrap();
        assert_eq!(codes(&sink), ["MP036"], "{id}");
        map.weather = vec![100, 0, 0, 0, 0, 0, 0, 0];
        let new = updated(&file, &map);
        assert!(new.starts_with(&bytes) || stored(&new)[1..].contains(&stored(&bytes)[1]));
    }
}

#[test]
fn random_changes_of_maps_are_read_back() {
    let mut random = Random(7);
    for round in 0..60 {
        let old = any_map(8, &mut random);
        let other = any_map(if round % 3 == 0 { 9 } else { 8 }, &mut random);
        let file = open_file(written(&old));
        let mut map = old.clone();
        let mut takes = || random.below(2) == 0;
        if takes() || round % 3 == 0 {
            (map.size, map.zero, map.tiles) = (other.size, other.zero, other.tiles.clone());
            map.heights = other.heights.clone();
        }
        if takes() {
            map.units = other.units.clone();
        }
        if takes() {
            (map.teams, map.minimap) = (other.teams.clone(), other.minimap.clone());
        }
        if takes() {
            (map.lakes, map.spawns) = (other.lakes.clone(), other.spawns.clone());
        }
        if takes() {
            (map.objects, map.coop) = (other.objects.clone(), other.coop.clone());
        }
        let new = updated(&file, &map);
        assert_eq!(read(new.clone()), map);
        // And back again: the same bytes, as every chunk is packed like before.
        let back = updated(&open_file(new), &old);
        assert_eq!(read(back), old);
    }
}

#[test]
fn the_maps_of_the_corpus_are_changed_and_changed_back() {
    let Some(files) = corpus::files("spellforce/synthetic", &["map"]) else { return };
    for real in files {
        let file = open_file(real.bytes.clone());
        let map = read(real.bytes.clone());
        assert_eq!(updated(&file, &map), real.bytes, "nothing changed");
        let mut changed = map.clone();
        changed.heights[64 * 9] += 1;
        changed.lakes[0].kind = 3;
        changed.units.push(changed.units[0]);
        let new = updated(&file, &changed);
        assert_eq!(read(new.clone()), changed);
        assert_eq!(GameMode::of(&open_file(new.clone())), GameMode::of(&file));
        assert_eq!(updated(&open_file(new), &map), real.bytes, "packed as before");
        // A map that is written anew has the same content.
        assert_eq!(read(written(&map)), map);
    }
}
