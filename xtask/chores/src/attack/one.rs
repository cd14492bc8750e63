//! One execution: a process that sets the limits, starts the command and tells what that took.
//!
//! It is a process of its own, since the memory of a process that waits for many children is told for all of them together.

use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::time::TimeValLike;
use std::{
    env,
    ffi::OsString,
    fs::{self, File},
    io,
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};
use wait_timeout::ChildExt;

/// How many seconds an execution may work where nothing else is asked for.
pub const SECONDS: u64 = 10;

/// How many times as long as it may work an execution may take by the clock: what waits for something that never comes does
/// not work.
const PATIENCE: u64 = 9;

/// How much an execution may write to one file: more is taken for endless.
const LONGEST: u64 = 2 << 30;

/// Where standard output and errors go, beside the scratch folder.
pub const STREAMS: [&str; 2] = ["stdout", "stderr"];

/// What an execution took, and how it ended.
#[derive(Debug, Clone, Default)]
pub struct Taken {
    /// The exit code, if there is one.
    pub code: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Whether it worked for too long.
    pub late: bool,
    /// Its largest resident memory in bytes.
    pub memory: u64,
    /// How long it worked, in milliseconds.
    pub milliseconds: u64,
}

/// What the command takes that has nothing to do.
#[derive(Debug, Clone, Copy)]
pub struct Bare {
    /// Addresses, in bytes: programs, libraries, and stacks of threads.
    pub addresses: u64,
    /// Resident memory, in bytes.
    pub memory: u64,
}

/// The process that runs one execution: `REPORT ADDRESSES SECONDS PROGRAM ARGS...`. It may work for so many seconds
/// on all threads together, to which it makes no difference what else the machine does, in the current folder.
///
/// # Errors
/// Where the limits cannot be set, and where the program cannot be started.
pub fn one(args: &[&str]) -> io::Result<()> {
    let [report, addresses, seconds, program, args @ ..] = args else {
        return Err(io::Error::other("attack-one is for attack alone"));
    };
    let addresses: u64 = addresses.parse().map_err(io::Error::other)?;
    let seconds: u64 = seconds.parse().map_err(io::Error::other)?;
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::null());
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    setrlimit(Resource::RLIMIT_FSIZE, LONGEST, LONGEST)?;
    setrlimit(Resource::RLIMIT_CPU, seconds + 1, seconds + 1)?;
    setrlimit(Resource::RLIMIT_AS, addresses, nix::sys::resource::RLIM_INFINITY)?;
    let mut child = command.spawn()?;
    let ended = child.wait_timeout(Duration::from_secs(PATIENCE * seconds))?;
    let status = match ended {
        Some(status) => status,
        None => {
            child.kill()?;
            child.wait()?
        }
    };
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let worked = [usage.user_time(), usage.system_time()];
    let milliseconds: i64 = worked.iter().map(|time| time.num_milliseconds()).sum();
    let memory = usage.max_rss();
    let code = status.code().unwrap_or(-1);
    let signal = status.signal().unwrap_or_default();
    let late = i32::from(ended.is_none() || milliseconds > seconds as i64 * 1000);
    fs::write(report, format!("{code} {signal} {late} {memory} {milliseconds}"))
}

/// Runs the command with these arguments in a folder; its output goes to files beside that.
pub fn execute(
    program: &Path,
    dir: &Path,
    args: &[OsString],
    addresses: u64,
    seconds: u64,
) -> io::Result<Taken> {
    let report = dir.with_extension("report");
    let [stdout, stderr] = STREAMS.map(|stream| File::create(dir.with_extension(stream)));
    let status = Command::new(env::current_exe()?)
        .arg("attack-one")
        .arg(&report)
        .arg(addresses.to_string())
        .arg(seconds.to_string())
        .arg(program)
        .args(args)
        .current_dir(dir)
        .env_remove("SPELUNK_CORPUS")
        .env_remove("RUST_BACKTRACE")
        // The allocator of the GNU library reserves 64 MiB of addresses for each thread, which is no memory.
        .env("MALLOC_ARENA_MAX", "1")
        .stdin(Stdio::null())
        .stdout(stdout?)
        .stderr(stderr?)
        .status()?;
    if !status.success() {
        return Err(io::Error::other("an execution could not be started"));
    }
    let text = fs::read_to_string(&report)?;
    let numbers: Vec<i64> = text.split(' ').filter_map(|number| number.parse().ok()).collect();
    let [code, signal, late, memory, milliseconds] = numbers[..] else {
        return Err(io::Error::other(format!("an execution told {text:?}")));
    };
    let some = |number: i64, none: i64| (number != none).then_some(number as i32);
    Ok(Taken {
        code: some(code, -1),
        signal: some(signal, 0),
        late: late != 0,
        memory: memory as u64 * 1024,
        milliseconds: milliseconds as u64,
    })
}

/// Finds out what a bare start takes: the fewest addresses with which a small file is verified on two threads.
pub fn bare(program: &Path, dir: &Path) -> io::Result<Bare> {
    let name = "bare.snpak";
    fs::write(dir.join(name), spelunk_fixtures::samples::pack().build().bytes)?;
    let args = ["verify", "--threads", "2", name].map(OsString::from);
    let run = |addresses| execute(program, dir, &args, addresses, SECONDS);
    let memory = run(1 << 40)?;
    if memory.code != Some(0) {
        return Err(io::Error::other("a small file is not verified"));
    }
    let (mut fails, mut does) = (1_u64 << 20, 1_u64 << 32);
    while does - fails > 64 << 10 {
        let middle = fails + (does - fails) / 2;
        match run(middle) {
            Ok(taken) if taken.code == Some(0) => does = middle,
            _ => fails = middle,
        }
    }
    Ok(Bare { addresses: does, memory: memory.memory })
}
