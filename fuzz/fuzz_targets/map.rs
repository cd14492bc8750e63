//! Maps: the first bytes choose a chunk and its data type, the rest is what it holds, beside sound ground. The map is read,
//! walked, checked, changed and written; what was read comes back.
#![no_main]

#[path = "common.rs"]
mod common;

use spellforce::{
    cff::{ChunkFile, Content, Draft, NewChunk},
    map::{Map, SECTIONS},
};
use spelunk::Bytes;
use spelunk_core::{Budget, Collect, Limits, Task};
use std::sync::{Arc, LazyLock};

/// A small map without anything on it.
static GROUND: LazyLock<Bytes> = LazyLock::new(|| {
    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
    let ground = Map::new(4, &mut task.budget).expect("a small map");
    let ground = ground.to_source(&mut task).expect("a new map is written");
    ground.read(0..ground.len(), &mut task.budget).expect("it is in memory")
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [chosen, data_type, data @ ..] = data else { return };
    let mut sink = Collect::default();
    let limits = Limits::for_len(data.len() as u64);
    let mut task = Task::new(Budget::new(limits), &mut sink);
    let ground = ChunkFile::open(Arc::new(GROUND.clone()), &mut task).expect("a map");
    let mut draft = Draft::of(&ground);
    let section = SECTIONS[usize::from(*chosen) % SECTIONS.len()];
    let there = ground.chunks().iter().position(|chunk| chunk.id() == section.id);
    let place = there.unwrap_or(usize::MAX);
    if there.is_some() {
        draft.remove(place).expect("it is there");
    }
    draft.insert(
        place,
        NewChunk {
            id: section.id,
            occurrence: 0,
            data_type: match data_type {
                0 => section.data_type,
                other => i16::from(*other),
            },
            packed: 1,
            content: Content::Packed(Bytes::copy_from_slice(data), 1),
        },
    );
    let source = draft.source(&mut task).expect("it fits");
    let bytes = source
        .read(0..source.len(), &mut Budget::new(Limits::unlimited()))
        .expect("it is in memory");
    common::exercise(&bytes);

    let mut sink = Collect::default();
    let mut task = Task::new(Budget::new(limits), &mut sink);
    let Ok(file) = ChunkFile::open(Arc::new(bytes.clone()), &mut task) else { return };
    let Ok(map) = Map::read(&file, &mut task) else { return };
    // Nothing changed: the same bytes.
    let Ok(same) = map.to_draft_of(&file, &mut task).and_then(|draft| draft.source(&mut task))
    else {
        return;
    };
    let same = same.read(0..same.len(), &mut Budget::new(Limits::unlimited()));
    assert_eq!(same.expect("it is in memory"), bytes);
    for lake in map.lakes.iter().take(4) {
        let _ = map.lake_cells(lake, &mut task.budget);
    }
    // What can be written anew is read back equal.
    let Ok(new) = map.to_source(&mut task) else { return };
    let Ok(new) = ChunkFile::open(new, &mut task) else { return };
    if let Ok(again) = Map::read(&new, &mut task) {
        assert_eq!(again, map);
    }
});
