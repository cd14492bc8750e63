//! Loading assets in a random order, each one checked, beside decompressing and hashing them in the same order.

use super::{Work, bare, opened, with_task};
use crate::timing::{Rounds, seconds};
use spelunk_fixtures::random::Random;
use std::{hint::black_box, io};

pub fn measure(work: &Work) -> io::Result<()> {
    for (name, bytes) in work.mixed()? {
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
        let rounds = Rounds::run(11, [&mut load, &mut take, &mut check]);
        let [load, take, check] = rounds.medians().map(|time| time / places.len() as f64);
        let more = rounds.median(|[load, _, check]| load - check) / places.len() as f64;
        println!(
            "random asset, {name}: {} / {}, {:.3} of the bare loop (at most {}), {} more; in a buffer of its own {}",
            seconds(load),
            seconds(check),
            rounds.median(|[load, _, check]| load / check),
            if name == "stored" { "1 us more" } else { "1.15" },
            seconds(more),
            seconds(take),
        );
    }
    Ok(())
}
