//! Maps of every size, made by our writer, read to values of their own beside the bare inflation of their chunks.

use crate::{
    clock::Measured,
    line::{Case, Goal, Line, Unit},
    made::{self, with_task},
    work::Work,
};
use spellforce::{cff::ChunkFile, map::Map};
use spelunk::Bytes;
use spelunk_core::{Result, Task, scalar::I16, zlib};
use std::{hint::black_box, io, sync::Arc};

/// Lines of a map of one size.
macro_rules! case {
    ($size:literal, $goal:expr) => {
        Case {
            sides: &["open and read", "inflate", "write one change", "write anew", "fill a lake"],
            lines: &[
                Line {
                    goal: $goal,
                    ..Line::ratio(
                        concat!("maps-read-", $size),
                        concat!("open and read, ", $size, " cells"),
                        "inflate the chunks",
                    )
                },
                Line::time(
                    concat!("maps-change-", $size),
                    concat!("write with one unit moved, ", $size, " cells"),
                    Unit::Milliseconds,
                )
                .by(|t, _| t[2]),
                Line::time(
                    concat!("maps-write-", $size),
                    concat!("write anew, ", $size, " cells"),
                    Unit::Milliseconds,
                )
                .by(|t, _| t[3]),
                Line::time(
                    concat!("maps-lake-", $size),
                    concat!("fill a lake, ", $size, " cells"),
                    Unit::Milliseconds,
                )
                .by(|t, _| t[4]),
            ],
            measure: |work| one(work, $size),
        }
    };
}

/// Maps of every size.
pub const CASES: &[Case] = &[
    case!(64, Goal::None),
    case!(256, Goal::None),
    case!(512, Goal::None),
    case!(1024, Goal::AtMost(1.2)),
];

/// Works without limits.
fn sound<T>(work: impl FnOnce(&mut Task<'_>) -> Result<T>) -> T {
    with_task(1, work).expect("a sound map")
}

fn open(bytes: &Bytes) -> ChunkFile {
    sound(|task| ChunkFile::open(Arc::new(bytes.clone()), task))
}

fn one(work: &Work, size: u16) -> io::Result<Measured> {
    let map = made::map(size);
    let bytes = made::map_file(&map);
    let file = open(&bytes);
    let plain: u64 = file.chunks().iter().map(spellforce::cff::Chunk::plain_len).sum();
    let mut read = || {
        // A file that was not read from before: what it inflates stays in it.
        let file = open(&bytes);
        black_box(sound(|task| Map::read(&file, task)));
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
    let again = sound(|task| Map::read(&open(&bytes), task));
    assert!(again == map, "it is read back equal");

    let mut changed = map.clone();
    changed.units[7].x = I16::new(3);
    let mut write = || {
        black_box(sound(|task| changed.to_draft_of(&file, task)?.source(task)));
    };
    let mut write_all = || {
        black_box(sound(|task| map.to_source(task)));
    };
    let mut fill = || {
        black_box(sound(|task| map.lake_cells(&map.lakes[0], &mut task.budget)));
    };
    let sides: [&mut dyn FnMut(); 5] =
        [&mut read, &mut inflate, &mut write, &mut write_all, &mut fill];
    Measured::of(work.rounds, sides)
        .with(format!("a map of {size} cells, {} bytes, {plain} inflated", bytes.len()))
}
