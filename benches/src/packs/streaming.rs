//! A frame loop that loads assets within a budget: the sample in C++, which `SPELUNK_STREAMING` names, beside the same loop in Rust.

use super::{CODECS, Workload};
use crate::{
    clock::{Measured, measured},
    jobs::Jobs,
    line::{Case, Line},
    work::Work,
};
use snpak::Pack;
use spelunk_core::{Budget, Limits, Task, finding::Collect};
use spelunk_fixtures::random::Random;
use std::{
    cell::RefCell,
    env, io,
    process::Command,
    time::{Duration, Instant},
};

/// Bytes and time of a frame, and the memory that assets go to; as the sample has them.
const BYTES: usize = 4 << 20;
const TIME: Duration = Duration::from_micros(2000);
const MEMORY: usize = 64 << 20;

macro_rules! case {
    ($name:literal, $nth:literal) => {
        Case {
            sides: &["C++", "Rust"],
            lines: &[Line::ratio(
                concat!("cpp-streaming-", $name),
                concat!("assets in a frame loop, ", $name),
                "the same in Rust",
            )
            // 0.98 of the speed.
            .at_most(1.02)],
            measure: |work| one(work, $nth),
        }
    };
}

/// Packs of each codec.
pub const CASES: &[Case] = &[case!("stored", 0), case!("lz4", 1), case!("zstd", 2)];

fn one(work: &Work, nth: usize) -> io::Result<Measured> {
    let Some(program) = env::var_os("SPELUNK_STREAMING") else {
        return Measured::absent("SPELUNK_STREAMING does not name the sample in C++");
    };
    let workload = Workload::of(work)?;
    drop(workload.mixed(nth)?);
    let path = workload.folder.join(format!("mixed-{}.snpak", CODECS[nth].0));
    let sample = RefCell::new(Jobs::start(Command::new(program).arg("--jobs"))?);
    let job = path.display().to_string();
    let in_cpp = || sample.borrow_mut().run(&job).expect("a sound pack");
    let pack = Pack::open(&path).map_err(io::Error::other)?;
    let count = pack.index().entries().len();
    assert_eq!(in_cpp().1, count as u64, "both load all assets");
    let mut order: Vec<usize> = (0..count).collect();
    let mut random = Random(8);
    for nth in (1..count).rev() {
        order.swap(nth, random.below(nth + 1));
    }
    let mut memory = vec![0; MEMORY];
    let mut in_rust = || measured(|| stream(&pack, &order, &mut memory));
    Measured::timed(work.rounds, [&mut || in_cpp().0, &mut in_rust]).with(format!("{count} assets"))
}

/// Loads assets in this order, in frames.
fn stream(pack: &Pack, order: &[usize], memory: &mut [u8]) {
    let (mut next, mut at) = (0, 0);
    while next < order.len() {
        let (ends, mut bytes, first) = (Instant::now() + TIME, 0, next);
        while let Some(row) = order.get(next) {
            let located = pack.locate(*row).expect("sound");
            let size = located.plain_len() as usize;
            if next > first && (bytes + size > BYTES || Instant::now() >= ends) {
                break;
            }
            if at + size > memory.len() {
                at = 0;
            }
            let mut sink = Collect::default();
            let mut task = Task::new(Budget::new(Limits::for_len(pack.len())), &mut sink);
            pack.payload_to(&located, &mut memory[at..at + size], &mut task).expect("sound");
            (at, bytes, next) = (at + size, bytes + size, next + 1);
        }
    }
}
