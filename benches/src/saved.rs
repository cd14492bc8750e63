//! Runs that were saved, as JSON: lines with their figures, and the machine. No names of hosts and no paths are in it.

use crate::{
    clock::{Measured, Reading, Stat},
    line::{Case, Clock, Figures, Group, Value, Verdict},
    work::Work,
};
use serde::{Deserialize, Serialize};
use std::{fs, io, path::Path, process::Command, thread, time::SystemTime};

/// A run.
#[derive(Serialize, Deserialize)]
pub struct Run {
    /// Where, of what and when.
    pub machine: Machine,
    /// Rounds of each line.
    pub rounds: usize,
    /// Whether less was made than is measured otherwise.
    pub quick: bool,
    /// Whether real files were measured.
    pub real_files: bool,
    /// The lines.
    pub lines: Vec<SavedLine>,
}

/// Where, of what and when a run was.
#[derive(Serialize, Deserialize)]
pub struct Machine {
    /// Model of the processor.
    pub cpu: String,
    /// Number of its cores.
    pub cores: usize,
    /// The system and its version.
    pub kernel: String,
    /// The compiler.
    pub rustc: String,
    /// Kind of the file system that was worked on.
    pub file_system: String,
    /// The commit; with `+` where files were changed since.
    pub commit: String,
    /// Time in UTC at which the run began.
    pub date: String,
    /// Processes that wanted to run in the minute before the run.
    pub load: f64,
}

/// A line and its figures.
#[derive(Serialize, Deserialize)]
pub struct SavedLine {
    /// Name of the line.
    pub name: String,
    /// Name of its group.
    pub group: String,
    /// Section of the page that has it.
    pub section: String,
    /// What is measured.
    pub what: String,
    /// What it is measured over; empty for what is no ratio.
    pub over: String,
    /// What was measured with.
    pub input: String,
    /// Unit of the values; empty for ratios.
    pub unit: String,
    /// The value that is wanted; empty where there is none.
    pub goal: String,
    /// What the goal is judged by: `cpu`, `wall` or `count`.
    pub by: String,
    /// The judgement.
    pub verdict: Verdict,
    /// Values by process time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Stat>,
    /// Values by time on the wall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall: Option<Stat>,
    /// The value of what has no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
    /// The sides and their medians in milliseconds of process time and on the wall.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<(String, f64, f64)>,
    /// Why there is no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
}

impl SavedLine {
    /// A line with what follows of what was measured.
    pub fn new(group: &Group, case: &Case, figures: &Figures, measured: &Measured) -> SavedLine {
        let line = figures.line;
        let by = match (line.value, line.clock) {
            (Value::Number(_), _) => "count",
            (_, Clock::Cpu) => "cpu",
            (_, Clock::Wall) => "wall",
        };
        SavedLine {
            name: line.name.to_owned(),
            group: group.name.to_owned(),
            section: group.section.to_owned(),
            what: line.what.to_owned(),
            over: line.over.to_owned(),
            input: measured.input.clone(),
            unit: line.unit.name().to_owned(),
            goal: line.goal.text(line.unit),
            by: by.to_owned(),
            verdict: figures.verdict(),
            cpu: figures.cpu,
            wall: figures.wall,
            number: figures.number,
            sides: if by == "count" { Vec::new() } else { medians(case, measured) },
            absent: measured.absent.clone(),
        }
    }

    /// Returns the value that counts.
    pub fn stat(&self) -> Option<Stat> {
        let of_clock = if self.by == "wall" { self.wall } else { self.cpu };
        of_clock.or(self.number.map(|median| Stat { median, spread: 0.0 }))
    }
}

/// The sides and their medians in milliseconds.
pub fn medians(case: &Case, measured: &Measured) -> Vec<(String, f64, f64)> {
    let median = |nth: usize, time: fn(&Reading) -> f64| {
        let times = measured.rounds.iter().filter_map(|round| round.get(nth)).map(time);
        Some(Stat::of(times.collect())?.median * 1e3)
    };
    let side = |(nth, name): (usize, &&str)| {
        let [cpu, wall] = [median(nth, |r| r.cpu)?, median(nth, |r| r.wall)?];
        Some(((*name).to_owned(), cpu, wall))
    };
    case.sides.iter().enumerate().filter_map(side).collect()
}

impl Run {
    /// A run on this machine, without lines.
    pub fn new(work: &Work) -> io::Result<Run> {
        let (rounds, quick, real_files) = (work.rounds, work.is_quick, work.is_real());
        let machine = Machine::here(&work.dir)?;
        Ok(Run { machine, rounds, quick, real_files, lines: Vec::new() })
    }

    /// Reads a run that was saved.
    pub fn read(path: &Path) -> io::Result<Run> {
        Ok(serde_json::from_slice(&fs::read(path)?)?)
    }

    /// Saves it.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        fs::write(path, text)
    }
}

impl Machine {
    /// This machine.
    fn here(dir: &Path) -> io::Result<Machine> {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let cpus = read("/proc/cpuinfo");
        let model = cpus.lines().find_map(|line| line.strip_prefix("model name"));
        let model = model.and_then(|rest| rest.split_once(':')).map(|(_, name)| name.trim());
        let version = |name: &str| read(&format!("/proc/sys/kernel/{name}")).trim().to_owned();
        let said = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            let output = command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
            let text =
                output.ok().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
            text.unwrap_or_default().trim().to_owned()
        };
        let mut commit = said("git", &["rev-parse", "--short=12", "HEAD"]);
        if !said("git", &["status", "--porcelain", "--untracked-files=no"]).is_empty() {
            commit.push('+');
        }
        let load = read("/proc/loadavg");
        Ok(Machine {
            cpu: model.unwrap_or("unknown").to_owned(),
            cores: thread::available_parallelism()?.get(),
            kernel: format!("{} {}", version("ostype"), version("osrelease")),
            rustc: said("rustc", &["--version"]),
            file_system: file_system(dir)?,
            commit,
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            load: load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or_default(),
        })
    }
}

/// The kind of file system that a folder is on, where the system says so.
fn file_system(folder: &Path) -> io::Result<String> {
    let folder = fs::canonicalize(folder)?;
    let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
    let fields = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        Some((fields.next()?, fields.next()?))
    });
    let holding = fields.filter(|(place, _)| folder.starts_with(place));
    let nearest = holding.max_by_key(|(place, _)| place.len());
    Ok(nearest.map_or("unknown", |(_, kind)| kind).to_owned())
}

/// How a value changed beside a run that was saved.
#[derive(Debug, PartialEq)]
pub struct Change {
    /// The value of before.
    pub before: f64,
    /// The value of now by that of before.
    pub by: f64,
    /// Whether the two are further apart than either spread explains.
    pub is_outside: bool,
}

impl Change {
    /// Returns that from one figure to another.
    pub fn of(before: Stat, now: Stat) -> Change {
        let apart = (now.median - before.median).abs();
        let spread = (before.spread * before.median).abs().max((now.spread * now.median).abs());
        // What is counted has no spread. What differs in the last figures only did not change.
        let is_outside = apart > spread && apart > before.median.abs() * 1e-3;
        Change { before: before.median, by: now.median / before.median, is_outside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_outside_where_no_spread_explains_it() {
        let stat = |median, spread| Stat { median, spread };
        let change = Change::of(stat(2.0, 0.05), stat(1.0, 0.1));
        assert_eq!(change, Change { before: 2.0, by: 0.5, is_outside: true });
        assert!(!Change::of(stat(1.0, 0.2), stat(1.1, 0.0)).is_outside);
        assert!(!Change::of(stat(1.0, 0.0), stat(1.1, 0.2)).is_outside);
        assert!(Change::of(stat(4.0, 0.0), stat(5.0, 0.0)).is_outside);
        assert!(!Change::of(stat(4.0, 0.0), stat(4.0, 0.0)).is_outside);
    }
}
