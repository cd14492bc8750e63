//! Opening and verifying everything, beside decompressing and hashing the payloads.

use super::{Work, bare, opened, with_task};
use crate::timing::{Rounds, seconds};
use std::io;

/// How much of the time the bare loop needs at the least.
const LIMITS: [f64; 3] = [0.9, 0.95, 0.97];

pub fn measure(work: &Work) -> io::Result<()> {
    for ((name, bytes), limit) in work.mixed()?.into_iter().zip(LIMITS) {
        let places = with_task(1, |task| bare::places(&opened(&bytes, task)));
        let mut scratch = Vec::new();
        let mut verify = |threads| {
            with_task(threads, |task| {
                task.scratch = std::mem::take(&mut scratch);
                let pack = opened(&bytes, task);
                snpak::verify(&pack, task).expect("collected");
                scratch = std::mem::take(&mut task.scratch);
            });
        };
        let mut one = || verify(1);
        let mut single = [bare::Worker::default()];
        let mut bare_one = || bare::check_all(&bytes, &places, &mut single);
        // The two closures that verify share their buffer, so they run one after the other.
        let mut more = Vec::new();
        let mut two = || {
            with_task(2, |task| {
                task.scratch = std::mem::take(&mut more);
                let pack = opened(&bytes, task);
                snpak::verify(&pack, task).expect("collected");
                more = std::mem::take(&mut task.scratch);
            });
        };
        let mut both = [bare::Worker::default(), bare::Worker::default()];
        let mut bare_two = || bare::check_all(&bytes, &places, &mut both);
        let rounds = Rounds::run(11, [&mut one, &mut bare_one, &mut two, &mut bare_two]);
        let [ours, bare, ours_2, bare_2] = rounds.medians();
        println!(
            "verify {name}: {} / {}, {:.3} of the bare loop (at least {limit})",
            seconds(ours),
            seconds(bare),
            rounds.median(|[ours, bare, ..]| bare / ours),
        );
        println!(
            "verify {name}, 2 threads: {} / {}, scales {:.2} / {:.2}, {:.3} of the bare loop (at least 0.95)",
            seconds(ours_2),
            seconds(bare_2),
            rounds.median(|[ours, _, ours_2, _]| ours / ours_2),
            rounds.median(|[_, bare, _, bare_2]| bare / bare_2),
            rounds.median(|[ours, bare, ours_2, bare_2]| (ours / ours_2) / (bare / bare_2)),
        );
    }
    Ok(())
}
