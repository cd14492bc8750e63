//! Maps of every size, made by our writer, read to values of their own beside the bare inflation of their chunks.

use crate::timing::{ROUNDS, Rounds, seconds};
use spellforce::{
    cff::ChunkFile,
    map::{Lake, Map, Unit},
};
use spelunk::Bytes;
use spelunk_core::{Budget, Collect, Limits, Result, Task, scalar::I16, zlib};
use std::{hint::black_box, sync::Arc};

/// Works without limits.
fn with_task<T>(work: impl FnOnce(&mut Task<'_>) -> Result<T>) -> T {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    let done = work(&mut task).expect("a sound map");
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    done
}

fn open(bytes: &Bytes) -> ChunkFile {
    with_task(|task| ChunkFile::open(Arc::new(bytes.clone()), task))
}

/// Hills, fields and woods, packed about as well as ground is.
fn made(size: u16) -> Map {
    let mut map = with_task(|task| Map::new(size, &mut task.budget));
    let side = usize::from(size);
    let mut random = spelunk_fixtures::random::Random(u64::from(size));
    let mut tiles = Vec::with_capacity(side * side);
    for y in 0..side {
        for x in 0..side {
            let (u, v) = (x as f64 / 23.0, y as f64 / 31.0);
            let hill = 4000.0 + 1800.0 * u.sin() * v.cos() + 500.0 * (u * 3.1 + v).sin();
            map.heights[y * side + x] = hill as u16 + random.below(3) as u16;
            tiles.push((hill as u32 / 300 % 31) as u8 + u8::from(random.below(9) == 0) * 32);
        }
    }
    map.tiles = tiles.into();
    let mut decoration = vec![0; 1 << 20];
    for x in 0..side {
        for y in 0..side {
            if random.below(5) == 0 {
                decoration[x * 1024 + y] = (map.heights[y * side + x] / 400) as u8;
            }
        }
    }
    map.decoration = decoration.into();
    let cell = |random: &mut spelunk_fixtures::random::Random| I16::new(random.below(side) as i16);
    let sample = Unit {
        x: I16::new(0),
        y: I16::new(0),
        flags: I16::new(0),
        unit_id: I16::new(21),
        npc_id: Default::default(),
        unknown: Default::default(),
        group: 0,
        unknown_2: 0,
    };
    map.units =
        (0..2000).map(|_| Unit { x: cell(&mut random), y: cell(&mut random), ..sample }).collect();
    map.lakes =
        vec![Lake { x: cell(&mut random), y: cell(&mut random), depth: I16::new(900), kind: 0 }];
    map
}

pub fn measure() {
    for size in [64, 256, 512, 1024] {
        one(size);
    }
}

fn one(size: u16) {
    let map = made(size);
    let bytes = with_task(|task| {
        let source = map.to_source(task)?;
        source.read(0..source.len(), &mut task.budget)
    });
    let file = open(&bytes);
    let plain: u64 = file.chunks().iter().map(spellforce::cff::Chunk::plain_len).sum();
    println!("map of {size} cells, {} bytes, {plain} of them inflated", bytes.len());
    let read = || {
        // A file that was not read from before: what it inflates stays in it.
        let file = open(&bytes);
        black_box(with_task(|task| Map::read(&file, task)));
    };
    let mut buffer = vec![0; 1 << 21];
    let mut inflate = || {
        for chunk in file.chunks() {
            let at = chunk.data_at();
            let stored = &bytes[at.start as usize..at.end() as usize];
            let place = &mut buffer[..chunk.plain_len() as usize];
            assert_eq!(zlib::inflate_into(stored, place), Some(place.len()));
        }
        black_box(&buffer);
    };
    let rounds = Rounds::run(ROUNDS, [&mut { read }, &mut inflate]);
    let [took, least] = rounds.medians().map(seconds);
    let ratio = rounds.median(|[ours, bare]| ours / bare);
    println!(
        "  open and read: {took} / {least}, {ratio:.2} of inflating the chunks (at most 1.2 at 1024 cells)"
    );
    let again = with_task(|task| Map::read(&open(&bytes), task));
    assert!(again == map, "it is read back equal");

    let mut changed = map.clone();
    changed.units[7].x = I16::new(3);
    let write = || {
        black_box(with_task(|task| changed.to_draft_of(&file, task)?.source(task)));
    };
    let write_all = || {
        black_box(with_task(|task| map.to_source(task)));
    };
    let fill = || {
        black_box(with_task(|task| map.lake_cells(&map.lakes[0], &mut task.budget)));
    };
    let rounds = Rounds::run(ROUNDS, [&mut { write }, &mut { write_all }, &mut { fill }]);
    let [one, all, lake] = rounds.medians().map(seconds);
    println!("  with one unit moved: {one}, written anew: {all}, a lake: {lake}");
}
