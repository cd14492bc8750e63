//! `cargo xtask attack`: hostile files times everything that the command does to them, each execution in a process of its own
//! that may have no more memory than is promised.

mod judge;
mod one;
mod report;
mod scenes;

pub use one::one;

use crate::progress;
use report::Report;
use scenes::{Scenes, VERBS};
use spelunk_fixtures::random::Random;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};
use xtask::tools::{self, cargo, root, target};

/// How many run at a time.
const SIDE_BY_SIDE: usize = 2;

/// What was asked for.
struct Options {
    executions: u64,
    seed: u64,
    first: u64,
    /// How long each may work.
    seconds: u64,
    program: Option<PathBuf>,
    verbs: Vec<&'static str>,
}

impl Options {
    fn read(args: &[&str]) -> io::Result<Options> {
        let mut options = Options {
            executions: 2_000,
            seed: 1,
            first: 0,
            seconds: one::SECONDS,
            program: None,
            verbs: Vec::new(),
        };
        let mut args = args.iter().copied();
        while let Some(arg) = args.next() {
            let mut number = || {
                let text = args.next().unwrap_or_default();
                text.parse().map_err(|_| io::Error::other(format!("{arg} takes a number")))
            };
            match arg {
                "--executions" => options.executions = number()?,
                "--seed" => options.seed = number()?,
                "--first" => options.first = number()?,
                "--seconds" => options.seconds = number()?,
                "--program" => options.program = args.next().map(PathBuf::from),
                verb => match VERBS.iter().find(|known| **known == verb) {
                    Some(verb) => options.verbs.push(verb),
                    None => {
                        let known = VERBS.join(" ");
                        let told =
                            format!("{verb} is no verb that takes a file; there are {known}");
                        return Err(io::Error::other(told));
                    }
                },
            }
        }
        if options.verbs.is_empty() {
            options.verbs = VERBS.to_vec();
        }
        Ok(options)
    }
}

/// Attacks the command.
///
/// # Errors
/// Where the command cannot be built or run, and where there are findings.
pub fn run(args: &[&str]) -> io::Result<()> {
    let options = Options::read(args)?;
    let program = options.program.map_or_else(build, |program| program.canonicalize())?;
    let folder = target().join("attack");
    let findings = folder.join("findings");
    if findings.exists() {
        fs::remove_dir_all(&findings)?;
    }
    let bare = one::bare(&program, &scratch(&folder, SIDE_BY_SIDE)?)?;
    println!(
        "a bare start takes {} KiB of addresses and {} KiB of memory",
        bare.addresses >> 10,
        bare.memory >> 10
    );
    let scenes = Scenes::new(program.clone());
    let report = Mutex::new(Report::new(findings, program.clone(), options.seed));
    let next = AtomicU64::new(options.first);
    let bar = progress::bar(options.executions, "executions", ", {eta} to go  {msg}");
    thread::scope(|scope| {
        let worker = |nth: usize| -> io::Result<()> {
            let dir = scratch(&folder, nth)?;
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if locked(&report).executions() >= options.executions {
                    return Ok(());
                }
                fs::remove_dir_all(&dir)?;
                fs::create_dir_all(&dir)?;
                let mut r = Random(options.seed.wrapping_mul(0x1_0000_0001) ^ number << 20);
                r.next();
                let verb = options.verbs[r.below(options.verbs.len())];
                let scene = scenes.set(verb, &dir, &mut r)?;
                for step in scene {
                    let judged = judge::execute(&program, &dir, &step, bare, options.seconds)?;
                    let go_on = judged.faults.is_empty();
                    let mut report = locked(&report);
                    bar.suspend(|| report.add(number, &step, judged, &dir))?;
                    bar.set_position(report.executions());
                    bar.set_message(format!("{} findings", report.findings()));
                    if !go_on {
                        break;
                    }
                }
            }
        };
        let running: Vec<_> =
            (0..SIDE_BY_SIDE).map(|nth| scope.spawn(move || worker(nth))).collect();
        running.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
        })
    })?;
    bar.finish_and_clear();
    let report = report.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    report.table();
    match report.findings() {
        0 => Ok(()),
        findings => Err(io::Error::other(format!("{findings} findings"))),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// An empty folder of a worker's own.
fn scratch(folder: &Path, nth: usize) -> io::Result<PathBuf> {
    let dir = folder.join(format!("scratch-{nth}"));
    if dir.exists() {
        fs::remove_dir_all(&dir)?;
    }
    fs::create_dir_all(&dir)?;
    dir.canonicalize()
}

/// Builds the command as it is released.
fn build() -> io::Result<PathBuf> {
    tools::succeed(cargo().args(["build", "--release", "--package", "spelunk-cli"]))?;
    let folder = root().join(target()).join("release");
    folder.join(format!("spelunk{}", env::consts::EXE_SUFFIX)).canonicalize()
}
