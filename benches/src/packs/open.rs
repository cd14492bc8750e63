//! Opening a pack of very many assets, beside hashing what opening checks; and the first look-ups.

use super::{Workload, opened};
use crate::{
    clock::{Measured, measured},
    line::{Case, Line, Unit},
    made::with_task,
    work::{Work, resident},
};
use spelunk::core::source;
use spelunk_core::Bytes;
use std::{cell::Cell, hint::black_box, io};
use twox_hash::XxHash3_128;

pub const CASE: Case = Case {
    sides: &["open", "hash the tables"],
    lines: &[Line::ratio("packs-open", "open 1,000,000 assets", "hashing the tables").at_most(1.5)],
    measure: opening,
};

/// What is counted of one opening, and of the first look-up.
pub const FIRST: Case = Case {
    sides: &[],
    lines: &[
        Line::number("packs-open-first", "open, mapped for the first time", Unit::Milliseconds, 0),
        Line::number("packs-open-heap", "heap of an opened pack", Unit::Mebibytes, 1).at_most(16.0),
        Line::number("packs-names", "table of names, an asset", Unit::Bytes, 2).at_most(9.0),
        Line::number(
            "packs-names-peak",
            "making the table of names: heap at the peak",
            Unit::Mebibytes,
            3,
        ),
    ],
    measure: first,
};

const PASS: &str = "a pass over the entries";

pub const LOOK_UPS: Case = Case {
    sides: &["by name", "by id", "pass over the entries", "hash all names"],
    lines: &[
        Line::ratio("packs-by-name", "first look-up by name", PASS)
            .by(|t, _| t[0] / t[2])
            .at_most(4.0),
        Line::ratio("packs-by-name-hashed", "first look-up by name", "hashing all names")
            .by(|t, _| t[0] / t[3]),
        Line::ratio("packs-by-id", "first look-up by id", PASS).by(|t, _| t[1] / t[2]),
    ],
    measure: look_ups,
};

fn tiny(work: &Work) -> io::Result<Bytes> {
    resident(&Workload::of(work)?.folder.join("tiny.snpak"))
}

fn opening(work: &Work) -> io::Result<Measured> {
    let bytes = tiny(work)?;
    let pack = with_task(1, |task| opened(&bytes, task));
    let (index, strings) = (pack.index().block(), pack.strings().data());
    let mut open = || drop(black_box(with_task(1, |task| opened(&bytes, task))));
    let mut hash = || {
        black_box(XxHash3_128::oneshot(strings));
        black_box(XxHash3_128::oneshot(index));
        black_box(XxHash3_128::oneshot(&index[88..]));
    };
    Measured::of(work.rounds, [&mut open, &mut hash])
        .with(format!("{} assets", pack.index().entries().len()))
}

fn first(work: &Work) -> io::Result<Measured> {
    let path = Workload::of(work)?.folder.join("tiny.snpak");
    let mut done = Ok(());
    let mapped = measured(|| {
        done = with_task(1, |task| {
            let source = source::open(&path, source::Mapping::Large)?;
            snpak::Pack::read_from(source, task).map(drop)
        });
    });
    done.map_err(io::Error::other)?;
    let bytes = tiny(work)?;
    let fresh = Cell::new(None);
    let opening =
        allocation_counter::measure(|| fresh.set(Some(with_task(1, |task| opened(&bytes, task)))));
    let fresh = fresh.into_inner().ok_or_else(|| io::Error::other("no pack"))?;
    let count = fresh.index().entries().len();
    let name = fresh.name(&fresh.index().entries()[count / 2]).expect("a name").to_vec();
    let naming = allocation_counter::measure(|| {
        with_task(1, |task| fresh.by_name(&name, &mut task.budget)).expect("found");
    });
    Measured::numbers(vec![
        mapped.wall,
        opening.bytes_max as f64,
        naming.bytes_current as f64 / count as f64,
        naming.bytes_max as f64,
    ])
    .with(format!("{count} assets"))
}

fn look_ups(work: &Work) -> io::Result<Measured> {
    let bytes = tiny(work)?;
    let pack = with_task(1, |task| opened(&bytes, task));
    let count = pack.index().entries().len();
    let name = pack.name(&pack.index().entries()[count / 2]).expect("a name").to_vec();
    let mut by_name = || {
        let pack = with_task(1, |task| opened(&bytes, task));
        measured(|| drop(with_task(1, |task| pack.by_name(&name, &mut task.budget))))
    };
    let mut by_id = || {
        let pack = with_task(1, |task| opened(&bytes, task));
        measured(|| drop(with_task(1, |task| pack.by_id(&[7; 16], &mut task.budget))))
    };
    let mut pass = || {
        measured(|| {
            let fold = |sum: u64, entry: &snpak::index::IndexEntry| {
                sum ^ entry.name_hash64.get() ^ u64::from(entry.name_string_id.get())
            };
            black_box(pack.index().entries().iter().fold(0, fold));
        })
    };
    let mut hash = || {
        measured(|| {
            for entry in pack.index().entries() {
                let name = pack.name(entry).expect("a name");
                black_box(twox_hash::XxHash3_64::oneshot(name));
            }
        })
    };
    Measured::timed(work.rounds, [&mut by_name, &mut by_id, &mut pass, &mut hash])
        .with(format!("{count} assets"))
}
