//! Loading assets in a random order, each one checked, beside decompressing and hashing them in the same order.

use super::{Workload, bare, opened};
use crate::{
    clock::Measured,
    line::{Case, Line, Unit},
    made::with_task,
    work::Work,
};
use spelunk_fixtures::random::Random;
use std::{hint::black_box, io};

const SIDES: &[&str] = &["load by id", "load in a buffer of its own", "bare loop"];
const OVER: &str = "decompress + hash";

/// What one more takes than the hash, and in a buffer of its own.
pub const STORED: Case = Case {
    sides: SIDES,
    lines: &[
        Line::time(
            "packs-load-stored",
            "random asset, stored, by id: more than the hash",
            Unit::Microseconds,
        )
        .by(|t, n| (t[0] - t[2]) / n[0])
        .at_most(1.0),
        Line::ratio("packs-take-stored", "random asset, stored, in a buffer of its own", OVER)
            .by(|t, _| t[1] / t[2]),
    ],
    measure: |work| one(work, 0),
};

/// Lines of a codec.
macro_rules! case {
    ($name:literal, $nth:literal) => {
        Case {
            sides: SIDES,
            lines: &[
                Line::ratio(
                    concat!("packs-load-", $name),
                    concat!("random asset, ", $name, ", by id"),
                    OVER,
                )
                .by(|t, _| t[0] / t[2])
                .at_most(1.15),
                Line::ratio(
                    concat!("packs-take-", $name),
                    concat!("random asset, ", $name, ", in a buffer of its own"),
                    OVER,
                )
                .by(|t, _| t[1] / t[2]),
            ],
            measure: |work| one(work, $nth),
        }
    };
}

pub const LZ4: Case = case!("lz4", 1);
pub const ZSTD: Case = case!("zstd", 2);

fn one(work: &Work, nth: usize) -> io::Result<Measured> {
    let bytes = Workload::of(work)?.mixed(nth)?;
    let (pack, places) = with_task(1, |task| {
        let pack = opened(&bytes, task);
        let places = bare::places(&pack);
        (pack, places)
    });
    let mut order: Vec<usize> = (0..places.len()).collect();
    let mut random = Random(8);
    for nth in (1..order.len()).rev() {
        order.swap(nth, random.below(nth + 1));
    }
    let ids: Vec<[u8; 16]> =
        order.iter().map(|row| pack.index().entries()[*row].asset_id.0).collect();
    let mut buffer = Vec::new();
    // By id, into a buffer that is used again; what is not packed is lent.
    let mut load = || {
        with_task(1, |task| {
            for id in &ids {
                let row = pack.by_id(id, &mut task.budget).expect("no limit").expect("there");
                let located = pack.locate(row).expect("sound");
                if located.compression() == snpak::Compression::NONE {
                    black_box(pack.load(&located, task).expect("sound"));
                } else {
                    pack.payload_into(&located, &mut buffer, task).expect("sound");
                    black_box(&buffer);
                }
            }
        });
    };
    // The same with a buffer of its own for each.
    let mut take = || {
        with_task(1, |task| {
            for row in &order {
                black_box(pack.payload(*row, task).expect("sound"));
            }
        });
    };
    let mut worker = bare::Worker::default();
    let mut check = || {
        for row in &order {
            black_box(worker.check(&bytes, places[*row]));
        }
    };
    Measured::of(work.rounds, [&mut load, &mut take, &mut check])
        .and(&[places.len() as f64])
        .with(format!("{} assets", places.len()))
}
