//! Virtools files loaded into one context as engines do, once and many times: the time for each object must not grow.

use crate::{
    clock::{Measured, measured},
    line::{Case, Line, Unit},
    made::with_task,
    work::Work,
};
use spelunk_core::Bytes;
use std::{hint::black_box, io};
use virtools::{
    File,
    runtime::{Context, Depth, Load, Mode, Modes, Quiet, Save, SaveTarget, load::flags},
};

const MICROSECONDS: Unit = Unit::Microseconds;

/// All files together, and one file again and again.
pub const CASES: &[Case] = &[
    Case {
        sides: &["load once", "load 10 times", "save all"],
        lines: &[
            Line::time("runtime-load", "all files into one context, an object", MICROSECONDS)
                .by(|t, n| t[0] / n[0]),
            Line::time("runtime-load-10", "all files ten times, an object", MICROSECONDS)
                .by(|t, n| t[1] / (10.0 * n[0])),
            Line::time("runtime-save", "save all as one, an object", MICROSECONDS)
                .by(|t, n| t[2] / n[0]),
        ],
        measure: all,
    },
    Case {
        sides: &["load 25 copies", "load 100 copies"],
        lines: &[
            Line::ratio("runtime-copies", "100 copies into one context, a copy", "25, a copy")
                .by(|t, _| t[1] / t[0] / 4.0)
                .at_most(1.2),
            Line::time("runtime-load-100", "100 copies, an object", MICROSECONDS)
                .by(|t, n| t[1] / (100.0 * n[0])),
        ],
        measure: copies,
    },
];

/// Opens files and inflates them, which is measured elsewhere.
fn opened<'b>(files: impl Iterator<Item = &'b Bytes>) -> Vec<File> {
    let open = |bytes: &Bytes| {
        with_task(1, |task| {
            let file = File::read_from(bytes, task).expect("opened before");
            file.records(&mut task.budget).expect("it is sound");
            file
        })
    };
    files.map(open).collect()
}

fn all(work: &Work) -> io::Result<Measured> {
    let files = opened(work.virtools()?.iter().map(|(_, bytes)| bytes));
    let mut context = Context::new();
    load(&mut context, &files);
    let ids: Vec<u32> = context.ids().collect();
    let count = ids.len();
    let mut once = || measured(|| load(&mut Context::new(), &files));
    let mut ten = || {
        let mut context = Context::new();
        measured(|| (0..10).for_each(|_| load(&mut context, &files)))
    };
    let mut save = || {
        let ids = ids.clone();
        measured(|| {
            let how = Save { depth: Depth::Given, ..Save::default() };
            let saved =
                with_task(1, |task| context.save(ids, how, SaveTarget::Model, &mut Quiet, task));
            black_box(saved.expect("saved"));
        })
    };
    Measured::timed(work.rounds, [&mut once, &mut ten, &mut save])
        .and(&[count as f64])
        .with(format!("{} files with {count} objects", files.len()))
}

/// The smallest level again and again: names get numbers, of which there are more and more.
fn copies(work: &Work) -> io::Result<Measured> {
    let levels = work.levels()?;
    let (name, bytes) = &levels[0];
    let files = opened([bytes].into_iter());
    let count = files[0].table().objects.len();
    let times = |copies: usize| {
        let mut context = Context::new();
        measured(|| (0..copies).for_each(|_| load(&mut context, &files)))
    };
    Measured::timed(work.rounds, [&mut || times(25), &mut || times(100)])
        .and(&[count as f64])
        .with(format!("{name} with {count} objects"))
}

fn load(context: &mut Context, files: &[File]) {
    // Every name is compared, and those that are there get numbers.
    let how = Load {
        flags: flags::DEFAULT | flags::AUTOMATIC_MODE,
        modes: Modes::all(Mode::Rename),
        compare_own: false,
        ..Load::default()
    };
    for file in files {
        let report = with_task(1, |task| context.load(file, &how, &mut Quiet, task));
        black_box(report.expect("loaded"));
    }
}
