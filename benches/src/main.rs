//! Ratios: what work costs beside the bare loops that nobody can do without, and beside itself on more threads or more files.
//!
//! `cargo run --release -p benches --bin ratios -- [LINE-OR-GROUP...]` measures lines; `--list` prints all of them with their goals.
//! Each is described once, as data (`line.rs`), beside the code that measures it. Sides run interleaved over the same resident
//! bytes, warm; process time (user and system, of all threads and of processes that are run) counts beside the time on the
//! wall. A value is the median of the values of the rounds, and its spread the distance between their quartiles. Where that is
//! above a tenth, no goal is judged.
//!
//! * `--folder DIR` has real files (else `SPELUNK_CORPUS` has, else samples are made);
//! * `--work DIR` keeps what is made for the next run, some 11 GB; else it is made in the folder for temporary files and removed;
//! * `--save FILE` writes a run as JSON, `--against FILE` prints what changed beside one;
//! * `--rounds N` runs another number of rounds than 11;
//! * `--quick` makes an eighth of the files and runs five rounds;
//! * `--program PATH` is the command to start, which is built otherwise;
//! * `--check` fails where a goal that is judged is missed.

#![forbid(unsafe_code)]

mod archives;
mod bare;
mod cancel;
mod catalog;
mod clock;
mod document;
mod export;
mod folder;
mod formats;
mod gamedata;
mod jobs;
mod join;
mod line;
mod made;
mod maps;
mod million;
mod packs;
mod python;
mod report;
mod runtime;
mod saved;
mod start;
mod tables;
mod virtools;
mod work;

use line::{Case, Figures, Group, Line, Verdict};
use saved::{Run, SavedLine};
use std::{
    env, fs, io,
    path::PathBuf,
    process::{Command, ExitCode},
};
use work::Work;

/// All lines.
const GROUPS: &[Group] = &[
    Group { name: "formats", section: "All formats", cases: &[formats::CASES] },
    Group { name: "virtools", section: "Virtools", cases: &[virtools::CASES, export::CASES] },
    Group { name: "document", section: "Virtools", cases: &[document::CASES] },
    Group { name: "runtime", section: "Virtools", cases: &[runtime::CASES] },
    Group { name: "join", section: "Virtools", cases: &[join::CASES] },
    Group { name: "packs", section: "Packs", cases: &[packs::CASES] },
    Group { name: "archives", section: "SpellForce archives", cases: &[archives::CASES] },
    Group { name: "pak", section: "SpellForce archives", cases: &[million::CASES] },
    Group { name: "gamedata", section: "GameData", cases: &[gamedata::CASES] },
    Group { name: "tables", section: "GameData", cases: &[tables::CASES] },
    Group { name: "maps", section: "Maps", cases: &[maps::CASES] },
    Group { name: "folder", section: "Many files", cases: &[folder::CASES] },
    Group { name: "catalog", section: "Many files", cases: &[catalog::CASES] },
    Group { name: "cpp", section: "C++", cases: &[packs::STREAMING] },
    Group { name: "python", section: "Python", cases: &[python::CASES] },
    Group { name: "start", section: "The command", cases: &[start::CASES] },
    Group { name: "cancel", section: "The command", cases: &[cancel::CASES] },
];

/// The argument with which this program measures one case for itself.
const PART: &str = "--part";
/// How often a case is measured at the most whose values lie too far apart.
const MOST_TIMES: usize = 2;

const USAGE: &str = "usage: ratios [LINE-OR-GROUP...] [--list] [--folder DIR] [--work DIR] [--rounds N] [--quick] [--program PATH] \
                     [--save FILE] [--against FILE] [--check]";

/// What the arguments ask for.
#[derive(Default)]
struct Wish {
    names: Vec<String>,
    folder: Option<PathBuf>,
    work: Option<PathBuf>,
    rounds: Option<usize>,
    program: Option<PathBuf>,
    save: Option<PathBuf>,
    against: Option<PathBuf>,
    is_quick: bool,
    is_list: bool,
    is_check: bool,
    /// Whether this process measures for another one, which says all but the lines.
    is_part: bool,
}

impl Wish {
    /// Reads the arguments.
    fn of(mut args: impl Iterator<Item = String>) -> Result<Wish, String> {
        let mut wish = Wish::default();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--list" => wish.is_list = true,
                "--quick" => wish.is_quick = true,
                "--check" => wish.is_check = true,
                PART => wish.is_part = true,
                "--folder" => wish.folder = Some(value()?.into()),
                "--work" => wish.work = Some(value()?.into()),
                "--program" => wish.program = Some(value()?.into()),
                "--save" => wish.save = Some(value()?.into()),
                "--against" => wish.against = Some(value()?.into()),
                "--rounds" => {
                    let rounds = value()?.parse().ok().filter(|rounds| *rounds > 0);
                    wish.rounds = Some(rounds.ok_or("--rounds needs a number above 0")?);
                }
                name if is_name(name) => wish.names.push(arg),
                _ => return Err(format!("{arg} is no option, line or group\n{USAGE}")),
            }
        }
        Ok(wish)
    }

    /// Whether a line is asked for.
    fn has(&self, group: &Group, line: &Line) -> bool {
        let named = |name: &String| name == group.name || name == line.name;
        self.names.is_empty() || self.names.iter().any(named)
    }
}

fn is_name(name: &str) -> bool {
    let named = |case: &Case| case.lines.iter().any(|line| line.name == name);
    GROUPS.iter().any(|group| group.name == name || group.cases().any(named))
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    // This program is what the command is compared with, too, and what is measured in a process of its own.
    if let Some(done) = start::as_process(&args) {
        return done;
    }
    let wish = match Wish::of(args.into_iter()) {
        Ok(wish) => wish,
        Err(text) => {
            eprintln!("{text}");
            return ExitCode::from(2);
        }
    };
    if wish.is_list {
        GROUPS.iter().for_each(report::list);
        return ExitCode::SUCCESS;
    }
    match measure(&wish) {
        Ok(missed) => ExitCode::from(u8::from(wish.is_check && missed > 0)),
        Err(error) => {
            eprintln!("ratios: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures the lines that are asked for. Returns how many goals are missed.
fn measure(wish: &Wish) -> io::Result<usize> {
    let before = wish.against.as_deref().map(Run::read).transpose()?;
    let temporary = tempfile::tempdir()?;
    let dir = match &wish.work {
        Some(dir) if wish.is_quick => dir.join("quick"),
        Some(dir) => dir.clone(),
        None => temporary.path().to_owned(),
    };
    fs::create_dir_all(&dir)?;
    let real = wish.folder.clone().or_else(|| env::var_os("SPELUNK_CORPUS").map(PathBuf::from));
    let mut work = Work::new(dir, real);
    work.is_quick = wish.is_quick;
    work.program = wish.program.clone();
    work.rounds = wish.rounds.unwrap_or(if wish.is_quick { 5 } else { work::ROUNDS });
    let mut run = Run::new(&work)?;
    let cases: Vec<(&Group, &Case)> =
        GROUPS.iter().flat_map(|group| group.cases().map(move |case| (group, case))).collect();
    let wanted =
        |(group, case): &(&Group, &Case)| case.lines.iter().any(|line| wish.has(group, line));
    let cases: Vec<_> = cases.into_iter().filter(wanted).collect();
    let mut failed = Vec::new();
    if !wish.is_part {
        report::machine(&run);
    }
    for (group, case) in &cases {
        let lines: Vec<&Line> = case.lines.iter().filter(|line| wish.has(group, line)).collect();
        if cases.len() > 1 {
            match apart(wish, &work, &lines)? {
                Some(found) => run.lines.extend(found),
                None => failed.extend(lines.iter().map(|line| line.name)),
            }
        } else {
            let measured = (case.measure)(&work)?;
            report::case(case, &measured);
            for line in lines {
                let figures = Figures::of(line, &measured);
                let saved = SavedLine::new(group, case, &figures, &measured);
                let known = before.iter().flat_map(|run| &run.lines);
                report::line(&saved, known.into_iter().find(|known| known.name == saved.name));
                run.lines.push(saved);
            }
        }
        // A run that is cut short is not lost.
        if let Some(path) = &wish.save {
            run.write(path)?;
        }
    }
    let missed = if wish.is_part { 0 } else { report::summary(&run) };
    match failed[..] {
        [] => Ok(missed),
        _ => Err(io::Error::other(format!("could not be measured: {}", failed.join(", ")))),
    }
}

/// Measures lines of one case in a process of its own, so that the memory that other cases leave changes nothing. Where the values
/// lie too far apart to be judged, they are measured again. Nothing where the process failed, which has said why: the others can be
/// measured all the same.
fn apart(wish: &Wish, work: &Work, lines: &[&Line]) -> io::Result<Option<Vec<SavedLine>>> {
    let saved = tempfile::NamedTempFile::new()?;
    let mut found = Vec::new();
    for _ in 0..MOST_TIMES {
        let mut process = Command::new(env::current_exe()?);
        process.args(lines.iter().map(|line| line.name)).arg(PART);
        process.arg("--rounds").arg(work.rounds.to_string()).arg("--save").arg(saved.path());
        process.args(wish.is_quick.then_some("--quick"));
        let work_dir = if wish.work.is_some() { &wish.work } else { &Some(work.dir.clone()) };
        let paths = [
            ("--folder", &wish.folder),
            ("--work", work_dir),
            ("--program", &wish.program),
            ("--against", &wish.against),
        ];
        for (name, path) in paths {
            path.iter().for_each(|path| {
                process.arg(name).arg(path);
            });
        }
        if !process.status()?.success() {
            return Ok(None);
        }
        found = Run::read(saved.path())?.lines;
        if found.iter().all(|line| line.verdict != Verdict::Unsure) {
            break;
        }
    }
    Ok(Some(found))
}
