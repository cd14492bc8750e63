//! Files that are made to be measured: what both programs have of them.

use spellforce::{
    map::{Lake, Map, Unit},
    pak::{Draft, MemberPath},
};
use spelunk_core::{Budget, Bytes, Limits, Source, Task, finding::Collect, scalar::I16};
use std::{num::NonZeroUsize, sync::Arc};

/// Runs work without limits on this many threads. Nothing may be wrong with what it works on.
pub fn with_task<T>(threads: usize, work: impl FnOnce(&mut Task<'_>) -> T) -> T {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    task.threads = NonZeroUsize::new(threads);
    let result = work(&mut task);
    assert!(!sink.has_errors());
    result
}

/// An archive of so many files of one byte.
pub fn archive(count: usize) -> Bytes {
    let mut draft = Draft::default();
    let content: Arc<dyn Source> = Arc::new(Bytes::from_static(&[7]));
    // All names together have 24 bits for their places.
    for nth in 0..count {
        let path = format!("texture\\terrain{}\\s_{nth}.tga", nth / 1000);
        draft.add(MemberPath::from_text(&path).expect("a path"), content.clone());
    }
    let mut out = Vec::new();
    with_task(1, |task| draft.write(&mut out, task)).expect("it is written");
    out.into()
}

/// Hills, fields and woods, packed about as well as ground is.
pub fn map(size: u16) -> Map {
    let mut map = with_task(1, |task| Map::new(size, &mut task.budget)).expect("a size of maps");
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

/// A map as a file.
pub fn map_file(map: &Map) -> Bytes {
    let written = with_task(1, |task| {
        let source = map.to_source(task)?;
        source.read(0..source.len(), &mut task.budget)
    });
    written.expect("it is written")
}
