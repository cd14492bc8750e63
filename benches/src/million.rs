//! Archives of very many files: the time for each must not grow with their number.

use crate::{
    clock::Measured,
    line::{Case, Line},
    made,
    work::Work,
};
use spelunk::{Bytes, Opened, Options};
use std::{hint::black_box, io, sync::Arc};

/// Numbers of the files of the archives.
const COUNTS: [usize; 2] = [100_000, 1_000_000];

/// Opening with a look-up, and checking.
pub const CASES: &[Case] = &[Case {
    sides: &["open 100,000", "open 1,000,000", "verify 100,000", "verify 1,000,000"],
    lines: &[
        Line::ratio(
            "pak-million-open",
            "open 1,000,000 files, look one up, a file",
            "100,000, a file",
        )
        .by(|t, n| t[1] / t[0] / n[0])
        .at_most(1.3),
        Line::ratio(
            "pak-million-verify",
            "open + verify 1,000,000 files, a file",
            "100,000, a file",
        )
        .by(|t, n| t[3] / t[2] / n[0])
        .at_most(1.3),
    ],
    measure,
}];

fn measure(work: &Work) -> io::Result<Measured> {
    let [small, large] = COUNTS.map(|count| made::archive(work.count(count)));
    let open = |bytes: &Bytes| {
        let opened = Opened::open(Arc::new(bytes.clone()), &Options::default());
        let mut opened = opened.expect("a sound archive");
        let pages = opened.code_pages();
        let path = "texture/terrain7/s_7777.tga";
        let found = opened.run(|container, task| container.find(path, &pages, task));
        assert_eq!(black_box(found.expect("a sound archive")).len(), 1);
    };
    let verify = |bytes: &Bytes| {
        let opened = Opened::open(Arc::new(bytes.clone()), &Options::default());
        let mut opened = opened.expect("a sound archive");
        opened.run(|container, task| container.verify(task)).expect("collected");
        assert!(!opened.take_findings().has_errors());
    };
    let sides: [&mut dyn FnMut(); 4] =
        [&mut || open(&small), &mut || open(&large), &mut || verify(&small), &mut || {
            verify(&large)
        }];
    let [few, many] = COUNTS.map(|count| work.count(count));
    Measured::of(work.rounds, sides)
        .and(&[many as f64 / few as f64])
        .with(format!("archives of {few} and {many} files"))
}
