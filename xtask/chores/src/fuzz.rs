//! `cargo xtask fuzz`: all fuzz targets, built once, side by side, for some minutes.

use crate::progress;
use std::{
    collections::{BTreeMap, VecDeque},
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    thread,
    time::Instant,
};
use xtask::tools::{self, root, target};

/// The flags of `cargo fuzz`: edges are counted, operands compared, arithmetic checked.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Cdebug-assertions -Ccodegen-units=4";

/// The sanitizer of addresses as well. It makes everything two to three times slower, and watches the C libraries and the one
/// module that maps files; the rest is Rust without `unsafe`.
const ADDRESSES: &str = " -Zsanitizer=address";

/// The longest input in bytes. Longer ones make few executions a second and find nothing that these do not.
const LONGEST: usize = 16 << 10;

/// Executions a second below which a target gets shorter inputs the next time.
const SLOW: u64 = 500;

/// The run of a target.
#[derive(Default)]
struct Ran {
    executions: u64,
    seconds: u64,
    /// Inputs that are kept, after those that add nothing went.
    inputs: usize,
    findings: Vec<PathBuf>,
}

/// Runs targets, all of them where none is named, for so many minutes each.
///
/// # Errors
/// Where there is no nightly toolchain, where they cannot be built, and where one of them found something.
pub fn run(args: &[&str]) -> io::Result<()> {
    let (addresses, args) = match args {
        ["--addresses", args @ ..] => (true, args),
        args => (false, args),
    };
    let (minutes, names) = match args {
        ["--minutes", minutes, names @ ..] => (minutes.parse().map_err(io::Error::other)?, names),
        names => (1.0_f64, names),
    };
    let all = targets()?;
    let wanted: Vec<&String> =
        all.iter().filter(|name| names.is_empty() || names.contains(&name.as_str())).collect();
    if wanted.is_empty() {
        return Err(io::Error::other(format!("the targets are {}", all.join(", "))));
    }
    let programs = build(addresses)?;
    let dir = target().join("fuzz-corpus");
    let mut seeds = tools::package("makers");
    seeds.arg("seeds").arg(&dir).arg(LONGEST.to_string()).args(&wanted);
    tools::succeed(&mut seeds)?;
    let seconds = (minutes * 60.0).max(1.0) as u64;
    let left = Mutex::new(wanted.iter().copied().collect::<VecDeque<_>>());
    let told = Mutex::new(BTreeMap::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let rounds = wanted.len().div_ceil(threads) as u64;
    let estimate = format!(" of about {} min", (rounds * seconds).div_ceil(60));
    let bar = progress::bar(wanted.len() as u64, "targets", &estimate);
    thread::scope(|scope| {
        let each = || -> io::Result<()> {
            loop {
                let Some(name) = left.lock().ok().and_then(|mut left| left.pop_front()) else {
                    return Ok(());
                };
                let ran = fuzz(&programs.join(name), &dir.join(name), seconds)?;
                let line = format!(
                    "{name}: {} executions in {} s, {} inputs kept, {} findings",
                    ran.executions,
                    ran.seconds,
                    ran.inputs,
                    ran.findings.len()
                );
                bar.suspend(|| println!("{line}"));
                bar.inc(1);
                told.lock().map_err(|error| io::Error::other(error.to_string()))?.insert(name, ran);
            }
        };
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(each)).collect();
        running.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
        })
    })?;
    bar.finish_and_clear();
    let told = told.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    let sum: u64 = told.values().map(|ran: &Ran| ran.executions).sum();
    println!("{sum} executions of {} targets; inputs are kept in {}", told.len(), dir.display());
    let findings: Vec<String> = told
        .values()
        .flat_map(|ran| &ran.findings)
        .map(|path| path.display().to_string())
        .collect();
    match findings.is_empty() {
        true => Ok(()),
        false => Err(io::Error::other(format!("found: {}", findings.join(", ")))),
    }
}

/// The names of the targets.
fn targets() -> io::Result<Vec<String>> {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml"))?;
    let bins = manifest.split("[[bin]]").skip(1);
    let name = |bin: &str| Some(bin.split("name = \"").nth(1)?.split('"').next()?.to_owned());
    Ok(bins.filter_map(name).collect())
}

/// Builds all targets, with the sanitizer of `addresses` where that is wanted; gives the folder that they are in.
fn build(addresses: bool) -> io::Result<PathBuf> {
    let version = tools::text(Command::new("rustc").args(["+nightly", "--version", "--verbose"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| io::Error::other("rustc does not tell its host"))?;
    let (name, sanitizer) = match addresses {
        true => ("fuzz-build-addresses", ADDRESSES),
        false => ("fuzz-build", ""),
    };
    let dir = target().join(name);
    // The cargo that runs this is another toolchain's.
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root()).env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    cargo.args([
        "+nightly",
        "build",
        "--release",
        "--manifest-path",
        "fuzz/Cargo.toml",
        "--target",
    ]);
    cargo.arg(host).env("CARGO_TARGET_DIR", &dir).env("RUSTFLAGS", [FLAGS, sanitizer].concat());
    tools::succeed(&mut cargo)?;
    Ok(dir.join(host).join("release"))
}

/// Runs a target, and drops the inputs that it keeps and does not need.
fn fuzz(program: &Path, dir: &Path, seconds: u64) -> io::Result<Ran> {
    let [kept, seeds, found] = ["kept", "seeds", "findings"].map(|part| dir.join(part));
    for folder in [&kept, &found] {
        fs::create_dir_all(folder)?;
    }
    let list = |folder: &Path| -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    // Those of earlier runs may be mended.
    let known = list(&found)?;
    let ledger = dir.join("runs");
    let longest = longest(&ledger);
    let before = Instant::now();
    // A target that finds something ends with an error, and its finding is a file.
    let status = Command::new(program)
        .args([&kept, &seeds])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .args(["-print_final_stats=1", "-rss_limit_mb=2048", "-timeout=10", "-reload=0"])
        .arg(format!("-max_len={longest}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(dir.join("log"))?)
        .status()?;
    let log = fs::read(dir.join("log"))?;
    let log = String::from_utf8_lossy(&log);
    let mut lines = log.lines();
    let executed = lines
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok());
    let seconds = before.elapsed().as_secs();
    let smaller = dir.join("smaller");
    fs::create_dir_all(&smaller)?;
    let merged = Command::new(program)
        .arg("-merge=1")
        .args([&smaller, &kept])
        .stderr(Stdio::null())
        .status()?;
    if merged.success() {
        fs::remove_dir_all(&kept)?;
        fs::rename(&smaller, &kept)?;
    } else {
        fs::remove_dir_all(&smaller)?;
    }
    let mut findings = list(&found)?;
    findings.retain(|path| !known.contains(path));
    if !status.success() && findings.is_empty() {
        let log = dir.join("log");
        return Err(io::Error::other(format!(
            "{}: {status}, see {}",
            program.display(),
            log.display()
        )));
    }
    let executions = executed.unwrap_or_default();
    let ran = Ran { executions, seconds, inputs: list(&kept)?.len(), findings };
    let mut ledger = fs::OpenOptions::new().create(true).append(true).open(ledger)?;
    writeln!(ledger, "{executions} {seconds} {longest}")?;
    Ok(ran)
}

/// The longest input that a target makes: an eighth of what it was the last time, where the target was slow then.
fn longest(ledger: &Path) -> usize {
    let runs = fs::read_to_string(ledger).unwrap_or_default();
    let last = runs.lines().last().unwrap_or_default();
    let numbers: Vec<u64> = last.split(' ').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [executions, seconds, longest] => {
            let is_slow = executions < seconds.saturating_mul(SLOW);
            (if is_slow { (longest / 8).max(512) } else { longest }) as usize
        }
        _ => LONGEST,
    }
}
