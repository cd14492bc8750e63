//! Opening a pack of very many assets, beside hashing what opening checks; and the first look-ups.

use super::{Work, opened, resident, with_task};
use crate::{
    MEMORY,
    timing::{Rounds, seconds},
};
use std::{
    hint::black_box,
    io,
    time::{Duration, Instant},
};
use twox_hash::XxHash3_128;

pub fn measure(work: &Work) -> io::Result<()> {
    let path = work.folder.join("tiny.snpak");
    let started = Instant::now();
    with_task(1, |task| {
        let source = spelunk::core::source::open(&path, spelunk::core::source::Mapping::Large)?;
        snpak::Pack::read_from(source, task)
    })
    .map_err(io::Error::other)?;
    println!("open, mapped for the first time: {}", seconds(started.elapsed().as_secs_f64()));
    let bytes = resident(&path)?;

    let pack = with_task(1, |task| opened(&bytes, task));
    let count = pack.index().entries().len();
    let (index, strings) = (pack.index().block(), pack.strings().data());
    let mut open = || drop(black_box(with_task(1, |task| opened(&bytes, task))));
    let mut hash = || {
        black_box(XxHash3_128::oneshot(strings));
        black_box(XxHash3_128::oneshot(index));
        black_box(XxHash3_128::oneshot(&index[88..]));
    };
    let rounds = Rounds::run(15, [&mut open, &mut hash]);
    let [open, hash] = rounds.medians().map(seconds);
    println!(
        "open {count} assets: {open} / {hash}, {:.3} of the hashes (at most 1.5)",
        rounds.median(|[open, hash]| open / hash)
    );

    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let fresh = with_task(1, |task| opened(&bytes, task));
    let opening = MEMORY.peak_usage().saturating_sub(before);
    let held = MEMORY.current_usage();
    let name = fresh.name(&fresh.index().entries()[count / 2]).expect("a name").to_vec();
    with_task(1, |task| fresh.by_name(&name, &mut task.budget)).expect("found");
    println!(
        "heap: {} KiB to open (below 16 MiB); names {:.2} bytes an asset (at most 9), {} KiB at the peak",
        opening >> 10,
        (MEMORY.current_usage() - held) as f64 / count as f64,
        MEMORY.peak_usage().saturating_sub(before) >> 10,
    );

    let timed = |work: &mut dyn FnMut()| -> Duration {
        let started = Instant::now();
        work();
        started.elapsed()
    };
    let mut by_name = || {
        let pack = with_task(1, |task| opened(&bytes, task));
        timed(&mut || drop(with_task(1, |task| pack.by_name(&name, &mut task.budget))))
    };
    let mut by_id = || {
        let pack = with_task(1, |task| opened(&bytes, task));
        timed(&mut || drop(with_task(1, |task| pack.by_id(&[7; 16], &mut task.budget))))
    };
    let mut pass = || {
        timed(&mut || {
            let fold = |sum: u64, entry: &snpak::index::IndexEntry| {
                sum ^ entry.name_hash64.get() ^ u64::from(entry.name_string_id.get())
            };
            black_box(pack.index().entries().iter().fold(0, fold));
        })
    };
    let mut hash = || {
        timed(&mut || {
            for entry in pack.index().entries() {
                let name = pack.name(entry).expect("a name");
                black_box(twox_hash::XxHash3_64::oneshot(name));
            }
        })
    };
    let rounds = Rounds::timed(15, [&mut by_name, &mut by_id, &mut pass, &mut hash]);
    let [by_name, by_id, pass, hash] = rounds.medians().map(seconds);
    println!(
        "first look-up by name: {by_name}, {:.2} of a pass over the entries ({pass}; at most 4), {:.2} of hashing all names ({hash})",
        rounds.median(|[by_name, _, pass, _]| by_name / pass),
        rounds.median(|[by_name, _, _, hash]| by_name / hash),
    );
    println!(
        "first look-up by id: {by_id}, {:.2} of a pass over the entries",
        rounds.median(|[_, by_id, pass, _]| by_id / pass)
    );
    Ok(())
}
