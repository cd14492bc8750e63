//! A catalogue of many files, made on one thread and on two, and brought up to date.

use crate::{
    clock::{Measured, measured},
    line::{Case, Line},
    work::{Work, on},
};
use spelunk_catalog::{Input, Options, Summary, catalog};
use std::{fs, io};

/// How often each sample is there.
const COPIES: usize = 20;

/// Catalogues of samples and of levels.
pub const CASES: &[Case] = &[
    Case {
        sides: &["first run", "second run"],
        lines: &[Line::ratio(
            "catalog-again",
            "catalogue of many samples, made",
            "brought up to date",
        )],
        measure: again,
    },
    Case {
        sides: &["2 threads", "1 thread"],
        lines: &[Line::ratio("catalog-threads", "catalogue of levels, 2 threads", "1 thread")
            .at_most(0.55)
            .on_the_wall()],
        measure: threads,
    },
];

fn again(work: &Work) -> io::Result<Measured> {
    let dir = tempfile::tempdir_in(&work.dir)?;
    let mut inputs = Vec::new();
    for copy in 0..COPIES {
        let samples = spelunk_fixtures::write_samples(&dir.path().join(copy.to_string()))?;
        inputs.extend(samples.iter().map(|path| Input::new(path)));
    }
    let run = |out: &str| -> Summary {
        let out = dir.path().join(out);
        catalog(&inputs, &out, &Options::default(), &mut |_, _| {}).expect("a catalogue")
    };
    run("known");
    let mut first = || {
        let time = measured(|| assert_eq!(run("new").new, inputs.len()));
        fs::remove_dir_all(dir.path().join("new")).expect("removed");
        time
    };
    let mut second = || measured(|| assert_eq!(run("known").written, 0));
    Measured::timed(work.rounds, [&mut first, &mut second])
        .with(format!("{} samples", inputs.len()))
}

fn threads(work: &Work) -> io::Result<Measured> {
    let dir = tempfile::tempdir_in(&work.dir)?;
    let mut inputs = Vec::new();
    for (nth, (name, bytes)) in work.levels()?.iter().cycle().take(work.count(32)).enumerate() {
        let path = dir.path().join(format!("{nth}-{name}"));
        fs::write(&path, bytes)?;
        inputs.push(Input::new(&path));
    }
    let run = |threads: usize| {
        let out = dir.path().join("catalogue");
        let options = Options { open: on(threads), ..Options::default() };
        let time = measured(|| {
            let made = catalog(&inputs, &out, &options, &mut |_, _| {}).expect("a catalogue");
            assert_eq!(made.new, inputs.len());
        });
        fs::remove_dir_all(&out).expect("removed");
        time
    };
    Measured::timed(work.rounds, [&mut || run(2), &mut || run(1)])
        .with(format!("{} levels", inputs.len()))
}
