//! What a run prints.

use crate::{
    clock::{Measured, Stat},
    line::{Case, Group, Verdict},
    saved::{Change, Run, SavedLine, medians},
};

/// Prints the lines of a group, with their goals.
pub fn list(group: &Group) {
    println!("{} ({})", group.name, group.section);
    for line in group.cases().flat_map(|case| case.lines) {
        let over = if line.over.is_empty() { String::new() } else { format!(" / {}", line.over) };
        let goal = line.goal.text(line.unit);
        let by = format!("{:?}", line.clock).to_lowercase();
        let goal = if goal.is_empty() { goal } else { format!("; {goal} ({by})") };
        println!("  {:<32} {}{over}{goal}", line.name, line.what);
    }
}

/// Prints where and of what a run is.
pub fn machine(run: &Run) {
    let machine = &run.machine;
    println!(
        "{}, {} cores, {}, {}; files on {}; commit {}; {} rounds{}{}",
        machine.cpu,
        machine.cores,
        machine.kernel,
        machine.rustc,
        machine.file_system,
        machine.commit,
        run.rounds,
        if run.quick { ", quick" } else { "" },
        if run.real_files { "" } else { "; no real files: samples are measured" },
    );
    if machine.load > 0.3 {
        println!(
            "Other programs work beside this one (load {}): judge by process time, and run it again when the machine is idle.",
            machine.load
        );
    }
    println!("{:<32} {:>10} {:>10} {:>7} {:>7}  {:<18} ", "", "cpu", "wall", "spread", "", "goal");
}

/// Prints what was measured, and the times of its sides.
pub fn case(case: &Case, measured: &Measured) {
    let sides: Vec<String> = medians(case, measured)
        .iter()
        .map(|(name, cpu, wall)| format!("{name} {}/{} ms", figures(*cpu), figures(*wall)))
        .collect();
    let input = if measured.input.is_empty() { "made files" } else { &measured.input };
    if measured.absent.is_none() {
        println!("# {input}: {}", sides.join(", "));
    }
}

/// A number with three figures that say something.
fn figures(number: f64) -> String {
    let places = match number.abs() {
        size if size >= 100.0 || size == 0.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        size if size >= 0.01 => 4,
        _ => 6,
    };
    format!("{number:.places$}")
}

/// Prints the figures of a line, and how they changed beside those of before.
pub fn line(line: &SavedLine, before: Option<&SavedLine>) {
    if let Some(reason) = &line.absent {
        return println!("{:<32} not measured: {reason}", line.name);
    }
    let value = |stat: Option<Stat>| stat.map_or("-".to_owned(), |stat| figures(stat.median));
    let number = line.number.map(|median| Stat { median, spread: 0.0 });
    let verdict = match line.verdict {
        Verdict::Met => "met",
        Verdict::Missed => "MISSED",
        Verdict::Unsure => "unsure",
        Verdict::None => "",
        Verdict::Absent => "not measured",
    };
    let spread = line.stat().map_or(0.0, |stat| stat.spread * 100.0);
    let by = if line.by == "wall" { " (wall)" } else { "" };
    let change = match (before.and_then(SavedLine::stat), line.stat()) {
        (Some(before), Some(now)) => {
            let change = Change::of(before, now);
            let outside = if change.is_outside { ", outside of both spreads" } else { "" };
            format!(
                "  was {}, {:+.1} %{outside}",
                figures(change.before),
                (change.by - 1.0) * 100.0
            )
        }
        _ => String::new(),
    };
    println!(
        "{:<32} {:>10} {:>10} {spread:>5.1} % {:>7}  {:<18} {verdict}{change}",
        line.name,
        value(line.cpu.or(number)),
        value(line.wall),
        line.unit,
        format!("{}{by}", line.goal),
    );
}

/// Prints how many goals are met, missed and not judged. Returns the number of those missed.
pub fn summary(run: &Run) -> usize {
    let count = |verdict| run.lines.iter().filter(|line| line.verdict == verdict).count();
    let missed = count(Verdict::Missed);
    println!(
        "{} goals met, {missed} missed, {} not judged: their values lie too far apart; {} lines not measured",
        count(Verdict::Met),
        count(Verdict::Unsure),
        count(Verdict::Absent),
    );
    missed
}
