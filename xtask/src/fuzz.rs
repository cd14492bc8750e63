//! `cargo xtask fuzz`: all fuzz targets, built once, side by side, for some minutes.

use crate::tools::{self, root, target};
use std::{
    collections::{BTreeMap, VecDeque},
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    thread,
    time::Instant,
};

/// What `cargo fuzz` has the compiler do: count edges and compare operands, and watch addresses.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Zsanitizer=address -Ccodegen-units=1 -Cdebug-assertions";

/// The start of a file that targets put before their input, by the first letters of their names.
const GIVEN: [(&str, &[u8]); 5] = [
    ("virtools", b"Nemo Fi\0"),
    ("snpak", b"SNPAK\0\0\0"),
    ("cff", &[0x12, 0xdd, 0x72, 0xdd]),
    ("pakdata", b"\x01\0\0\0\x07sf0.pak"),
    ("pak", b"\x04\0\0\0MASSIVE PAKFILE V 4.0\r\n\0"),
];

/// Larger files make few executions a second and find nothing that smaller ones do not.
const LARGEST: usize = 16 << 10;

/// What came of a target.
#[derive(Default)]
struct Ran {
    executions: u64,
    seconds: u64,
    inputs: usize,
    findings: Vec<PathBuf>,
}

/// Runs targets, all of them where none is named, for so many minutes each.
///
/// # Errors
/// Where there is no nightly toolchain, where they cannot be built, and where one of them found something.
pub fn run(args: &[&str]) -> io::Result<()> {
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
    let programs = build()?;
    let dir = target().join("fuzz-corpus");
    let seconds = (minutes * 60.0).max(1.0) as u64;
    let left = Mutex::new(wanted.iter().copied().collect::<VecDeque<_>>());
    let told = Mutex::new(BTreeMap::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let each = || -> io::Result<()> {
            loop {
                let Some(name) = left.lock().ok().and_then(|mut left| left.pop_front()) else {
                    return Ok(());
                };
                let ran = fuzz(name, &programs.join(name), &dir.join(name), seconds)?;
                println!(
                    "{name}: {} executions in {} s, {} inputs kept, {} findings",
                    ran.executions,
                    ran.seconds,
                    ran.inputs,
                    ran.findings.len()
                );
                told.lock().map_err(|error| io::Error::other(error.to_string()))?.insert(name, ran);
            }
        };
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(each)).collect();
        running.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
        })
    })?;
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

/// Builds all targets; gives the folder that they are in.
fn build() -> io::Result<PathBuf> {
    let version = tools::text(Command::new("rustc").args(["+nightly", "--version", "--verbose"]))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| io::Error::other("rustc does not tell its host"))?;
    let dir = target().join("fuzz-build");
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
    tools::succeed(cargo.arg(host).env("CARGO_TARGET_DIR", &dir).env("RUSTFLAGS", FLAGS))?;
    Ok(dir.join(host).join("release"))
}

/// Runs a target, and makes what it keeps as small as can be.
fn fuzz(name: &str, program: &Path, dir: &Path, seconds: u64) -> io::Result<Ran> {
    let [kept, seeds, found] = ["kept", "seeds", "findings"].map(|part| dir.join(part));
    for folder in [&kept, &seeds, &found] {
        fs::create_dir_all(folder)?;
    }
    sow(name, &seeds)?;
    let before = Instant::now();
    let output = Command::new(program)
        .args([&kept, &seeds])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .args(["-print_final_stats=1", "-rss_limit_mb=2048", "-timeout=10", "-use_value_profile=1"])
        .arg(format!("-max_len={LARGEST}"))
        .stdin(Stdio::null())
        .output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    fs::write(dir.join("log"), log.as_bytes())?;
    let stat = |name: &str| {
        let mut lines = log.lines();
        let line = lines.find_map(|line| line.strip_prefix(&format!("stat::{name}:")));
        line.and_then(|number| number.trim().parse().ok()).unwrap_or_default()
    };
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
    let list = |folder: &Path| -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    Ok(Ran {
        executions: stat("number_of_executed_units"),
        seconds: before.elapsed().as_secs(),
        inputs: list(&kept)?.len(),
        findings: list(&found)?,
    })
}

/// Gives a target the small samples, and the small files of the folder that `SPELUNK_CORPUS` names, as it wants them.
fn sow(name: &str, seeds: &Path) -> io::Result<()> {
    let given = GIVEN.iter().find(|(letters, _)| name.starts_with(letters));
    let samples = spelunk_fixtures::samples().into_iter().map(|sample| sample.fixture.bytes);
    let real = spelunk_fixtures::corpus::all().into_iter().map(|file| file.bytes);
    let small = samples.chain(real).filter(|bytes| bytes.len() <= LARGEST);
    for (nth, bytes) in small.enumerate() {
        let seed = match given {
            Some((_, start)) => bytes.strip_prefix(*start),
            None => Some(&bytes[..]),
        };
        if let Some(seed) = seed {
            fs::write(seeds.join(nth.to_string()), seed)?;
        }
    }
    Ok(())
}
