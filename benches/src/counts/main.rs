//! Instructions of the hot loops, counted by valgrind over made files, and compared with the counts that are kept.
//!
//! `cargo run --release -p benches --no-default-features --bin counts [LOOP...]` runs each loop once more than not and counts the
//! difference, so that nothing of what makes the files is in it. Where a count differs from the kept one by more than 2 %, it fails
//! and says what to do; `--accept` keeps the counts of now in `benches/instructions.json`. Counts depend on the compiler and on the
//! instructions that the processor knows, as codecs and hashes choose their loops by these: with others than the kept ones
//! nothing is judged.

#![forbid(unsafe_code)]

mod loops;
#[path = "../made.rs"]
mod made;

use loops::LOOPS;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    env, fs, io,
    path::PathBuf,
    process::{Command, ExitCode},
};

/// How far a count may be from the kept one, as a part of it.
const TOLERANCE: f64 = 0.02;

/// The argument with which valgrind runs this program.
const INNER: &str = "--loop";

/// Counts, and what they depend on.
#[derive(Default, Serialize, Deserialize)]
struct Counts {
    /// The compiler.
    rustc: String,
    /// The instructions that loops are chosen by, as valgrind's processor has them.
    processor: String,
    /// Instructions of each loop.
    loops: BTreeMap<String, u64>,
}

impl Counts {
    fn path() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("instructions.json")
    }

    fn kept() -> io::Result<Counts> {
        match fs::read(Counts::path()) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Counts::default()),
            Err(error) => Err(error),
        }
    }
}

fn main() -> ExitCode {
    let mut names: Vec<String> = env::args().skip(1).collect();
    if let [inner, name, times] = names.as_slice()
        && inner == INNER
    {
        return run(name, times.parse().unwrap_or_default());
    }
    let is_accepting = names.iter().any(|name| name == "--accept");
    names.retain(|name| name != "--accept");
    if let Some(name) = names.iter().find(|name| LOOPS.iter().all(|known| known.name != **name)) {
        let known: Vec<&str> = LOOPS.iter().map(|known| known.name).collect();
        eprintln!(
            "{name} is no loop; the loops are {}; --accept keeps their counts",
            known.join(", ")
        );
        return ExitCode::from(2);
    }
    match count(&names, is_accepting) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("counts: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Is the program that valgrind counts: makes the files of a loop, and runs it so many times.
fn run(name: &str, times: usize) -> ExitCode {
    let Some(known) = LOOPS.iter().find(|known| known.name == name) else {
        return ExitCode::from(2);
    };
    let mut work = (known.make)();
    (0..times).for_each(|_| work());
    println!("{}", processor());
    ExitCode::SUCCESS
}

/// The architecture, and those instructions by which codecs, hashes and searches choose their loops.
fn processor() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        let known = [
            ("sse4.2", is_x86_feature_detected!("sse4.2")),
            ("pclmulqdq", is_x86_feature_detected!("pclmulqdq")),
            ("avx2", is_x86_feature_detected!("avx2")),
            ("bmi2", is_x86_feature_detected!("bmi2")),
            ("vpclmulqdq", is_x86_feature_detected!("vpclmulqdq")),
            ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ];
        let there = known.iter().filter(|(_, is_there)| *is_there).map(|(name, _)| *name);
        [env::consts::ARCH].into_iter().chain(there).collect::<Vec<_>>().join(" ")
    }
    #[cfg(not(target_arch = "x86_64"))]
    env::consts::ARCH.to_owned()
}

/// Counts the loops that are named, or all, and judges them by the kept counts. Returns whether they are as they are to be.
fn count(names: &[String], is_accepting: bool) -> io::Result<bool> {
    let mut kept = Counts::kept()?;
    let version = Command::new("rustc").arg("--version").output()?.stdout;
    let rustc = String::from_utf8_lossy(&version).trim().to_owned();
    let (mut is_fine, mut processor) = (true, String::new());
    let mut counted = BTreeMap::new();
    for known in LOOPS {
        if !names.is_empty() && names.iter().all(|name| name != known.name) {
            continue;
        }
        let [(without, _), (with, found)] =
            [instructions(known.name, 1)?, instructions(known.name, 2)?];
        let now = with.saturating_sub(without);
        let before = kept.loops.get(known.name).copied();
        let by = before.map(|before| now as f64 / before as f64 - 1.0);
        let change = by.map_or("not kept yet".to_owned(), |by| format!("{:+.2} %", by * 100.0));
        println!("{:<20} {now:>13} {change:>12}  {}", known.name, known.what);
        counted.insert(known.name.to_owned(), now);
        processor = found;
        let is_alike = kept.rustc == rustc && kept.processor == processor;
        if is_accepting || !is_alike && before.is_some() {
            continue;
        }
        match by {
            Some(by) if by.abs() <= TOLERANCE => {}
            Some(by) => {
                is_fine = false;
                eprintln!(
                    "{} takes {:.1} % {} instructions than what is kept: find out why; where that is meant, run \
                     `cargo run --release -p benches --no-default-features --bin counts -- --accept`, and commit \
                     benches/instructions.json with the reason.",
                    known.name,
                    by.abs() * 100.0,
                    if by > 0.0 { "more" } else { "fewer" },
                );
            }
            None => {
                is_fine = false;
                eprintln!("{} has no count that is kept: --accept keeps it.", known.name);
            }
        }
    }
    let is_alike = kept.rustc == rustc && kept.processor == processor;
    if is_accepting {
        if !is_alike {
            // Counts of one file are of one compiler and processor.
            kept.loops.clear();
        }
        kept.loops.extend(counted);
        kept.loops.retain(|name, _| LOOPS.iter().any(|known| known.name == name));
        (kept.rustc, kept.processor) = (rustc, processor);
        let mut text = serde_json::to_vec_pretty(&kept)?;
        text.push(b'\n');
        fs::write(Counts::path(), text)?;
    } else if !is_alike && !kept.loops.is_empty() {
        println!(
            "Nothing is judged: the counts that are kept are of {} with {}, these are of {rustc} with {processor}.",
            kept.rustc, kept.processor
        );
    }
    Ok(is_fine)
}

/// Runs a loop so many times under valgrind. Returns the instructions of the whole process, and the processor that it saw.
fn instructions(name: &str, times: usize) -> io::Result<(u64, String)> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    // The same on every machine, whatever its allocator and its environment are.
    valgrind.arg(env::current_exe()?).args([INNER, name, &times.to_string()]).env_clear();
    let output = valgrind.output().map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("valgrind (on Debian and Ubuntu, apt-get install valgrind): {error}"),
        )
    })?;
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(io::Error::other(format!("{name}: valgrind failed\n{report}")));
    }
    let line = report.lines().find_map(|line| line.split_once("Collected : "));
    let count = line.and_then(|(_, count)| count.trim().parse().ok());
    let count = count.ok_or_else(|| io::Error::other(format!("{name}: no count\n{report}")))?;
    Ok((count, String::from_utf8_lossy(&output.stdout).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loop_runs_and_has_a_count_that_is_kept() {
        let kept = Counts::kept().unwrap();
        for known in LOOPS {
            let mut work = (known.make)();
            work();
            work();
            assert!(kept.loops.contains_key(known.name), "{} has no count", known.name);
        }
        assert_eq!(kept.loops.len(), LOOPS.len());
    }
}
