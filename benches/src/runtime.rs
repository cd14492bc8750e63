//! All Virtools files loaded into one context, once, ten times, a hundred times: the time for each object must not grow.

use crate::timing::time;
use spelunk_core::{Budget, Bytes, Limits, Task, finding::Collect};
use std::{
    fs,
    hint::black_box,
    io,
    path::PathBuf,
    time::{Duration, Instant},
};
use virtools::{
    File,
    runtime::{Context, Depth, Load, Mode, Modes, Quiet, Save, SaveTarget, load::flags},
};

/// Measures the Virtools files among `files`.
pub fn measure(files: &[PathBuf]) -> io::Result<()> {
    let mut all = Vec::new();
    for path in files {
        let bytes = Bytes::from(fs::read(path)?);
        let opened = with_task(|task| {
            let file = File::read_from(&bytes, task)?;
            // Inflating is measured elsewhere.
            file.records(&mut task.budget)?;
            Ok::<File, spelunk_core::Error>(file)
        });
        all.extend(opened.ok().filter(|file| file.head().version() == 8));
    }
    println!("virtools: {} files into one context, resident and inflated", all.len());
    for copies in [1, 10, 100] {
        // What is small is done several times; the median counts.
        let mut times = Vec::new();
        for _ in 0..if copies == 100 { 1 } else { 11 } {
            times.push(once(&all, copies));
        }
        times.sort();
        let (load, count) = times[times.len() / 2];
        let each = load.as_secs_f64() * 1e6 / count as f64;
        println!(
            "{:<56} {count:>10} {:>11} {each:>8.3} us an object",
            format!("  load, {copies} times"),
            time(load)
        );
    }
    let mut context = Context::new();
    load(&mut context, &all);
    let ids: Vec<u32> = context.ids().collect();
    let count = ids.len();
    let mut times: Vec<Duration> = (0..11)
        .map(|_| {
            let ids = ids.clone();
            let save = Save { depth: Depth::Given, ..Save::default() };
            let started = Instant::now();
            let saved =
                with_task(|task| context.save(ids, save, SaveTarget::Model, &mut Quiet, task));
            black_box(saved.expect("saved"));
            started.elapsed()
        })
        .collect();
    times.sort();
    let saved = times[times.len() / 2];
    let each = saved.as_secs_f64() * 1e6 / count as f64;
    let name = "  save all as one, references renumbered";
    println!("{name:<56} {count:>10} {:>11} {each:>8.3} us an object", time(saved));
    Ok(())
}

/// Loads all files into one context so many times; gives the time and how many objects there are then.
fn once(files: &[File], copies: usize) -> (Duration, usize) {
    let mut context = Context::new();
    let started = Instant::now();
    for _ in 0..copies {
        load(&mut context, files);
    }
    (started.elapsed(), context.len())
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
        let report = with_task(|task| context.load(file, &how, &mut Quiet, task));
        black_box(report.expect("loaded"));
    }
}

fn with_task<T>(work: impl FnOnce(&mut Task<'_>) -> T) -> T {
    let mut sink = Collect::default();
    work(&mut Task::new(Budget::new(Limits::for_len(1 << 30)), &mut sink))
}
