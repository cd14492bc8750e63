//! Opening and verifying everything, beside decompressing and hashing the payloads.

use super::{Workload, bare, opened};
use crate::{
    clock::Measured,
    line::{Case, Line},
    made::with_task,
    work::Work,
};
use std::io;

/// Lines of a codec.
macro_rules! case {
    ($name:literal, $nth:literal, $over:literal, $least:literal) => {
        Case {
            sides: &["verify", "bare loop", "verify, 2 threads", "bare loop, 2 threads"],
            lines: &[
                // The bare loop by ours.
                Line::ratio(
                    concat!("packs-verify-", $name),
                    concat!($over, " of the payloads"),
                    concat!("open + verify, ", $name),
                )
                .by(|t, _| t[1] / t[0])
                .at_least($least),
                Line::ratio(
                    concat!("packs-verify-", $name, "-2"),
                    concat!("verify, ", $name, ": how 2 threads scale"),
                    "how the bare loop scales",
                )
                .by(|t, _| (t[0] / t[2]) / (t[1] / t[3]))
                .at_least(0.95)
                .on_the_wall(),
            ],
            measure: |work| one(work, $nth),
        }
    };
}

pub const STORED: Case = case!("stored", 0, "XXH3", 0.9);
pub const LZ4: Case = case!("lz4", 1, "decompress + hash", 0.95);
pub const ZSTD: Case = case!("zstd", 2, "decompress + hash", 0.97);

fn one(work: &Work, nth: usize) -> io::Result<Measured> {
    let bytes = Workload::of(work)?.mixed(nth)?;
    let places = with_task(1, |task| bare::places(&opened(&bytes, task)));
    let verify = |threads, scratch: &mut Vec<u8>| {
        with_task(threads, |task| {
            task.scratch = std::mem::take(scratch);
            let pack = opened(&bytes, task);
            snpak::verify(&pack, task).expect("collected");
            *scratch = std::mem::take(&mut task.scratch);
        });
    };
    let [mut scratch, mut more] = [Vec::new(), Vec::new()];
    let mut one = || verify(1, &mut scratch);
    let mut two = || verify(2, &mut more);
    let mut single = [bare::Worker::default()];
    let mut bare_one = || bare::check_all(&bytes, &places, &mut single);
    let mut both = [bare::Worker::default(), bare::Worker::default()];
    let mut bare_two = || bare::check_all(&bytes, &places, &mut both);
    Measured::of(work.rounds, [&mut one, &mut bare_one, &mut two, &mut bare_two]).with(format!(
        "{} assets, {} bytes",
        places.len(),
        bytes.len()
    ))
}
