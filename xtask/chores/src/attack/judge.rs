//! What is expected of an execution, and what was not as expected.

use super::one::{self, Bare, Taken};
use super::scenes::Step;
use serde::de::IgnoredAny;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

/// What every file may have in any case.
const LEAST: u64 = 64 << 20;

/// How many times its size a file may have besides.
const TIMES: u64 = 8;

/// Pages of the program that a bare start does not touch, and what the allocator leaves free between what it gave out.
const PAGES: u64 = 4 << 20;

/// How much of the output is read.
const READ: u64 = 64 << 20;

/// What came of an execution.
pub struct Judged {
    /// What it took.
    pub taken: Taken,
    /// How much memory it might have.
    pub allowed: u64,
    /// The limit of addresses.
    pub addresses: u64,
    /// What was not as expected.
    pub faults: Vec<String>,
}

/// Executes a step and judges it.
pub fn execute(
    program: &Path,
    dir: &Path,
    step: &Step,
    bare: Bare,
    seconds: u64,
) -> io::Result<Judged> {
    step.prepare(dir)?;
    let before = contents(dir)?;
    let promised = promised(dir, step)?;
    let addresses = promised + bare.addresses + PAGES;
    let taken = one::execute(program, dir, &step.args, addresses, seconds)?;
    let allowed = promised + bare.memory + PAGES;
    let mut faults = Vec::new();
    let errors = fs::read(dir.with_extension("stderr"))?;
    let errors = String::from_utf8_lossy(&errors);
    match (taken.late, taken.signal, taken.code) {
        (true, ..) => faults.push(format!("more than {seconds} s")),
        (_, Some(signal), _) => {
            let said = errors.lines().last().unwrap_or_default();
            faults.push(format!("ended by signal {signal}: {said}"));
        }
        (.., Some(0..=5)) => {}
        (.., code) => {
            let said = errors.lines().find(|line| line.contains("panicked")).unwrap_or_default();
            faults.push(format!("ended with {}: {said}", code.unwrap_or(-1)));
        }
    }
    if taken.memory > allowed {
        let (took, may) = (taken.memory >> 10, allowed >> 10);
        faults.push(format!("{took} KiB of memory where {may} KiB are promised"));
    }
    // What was killed may leave things, which the next writer removes.
    if !taken.late && taken.signal.is_none() {
        faults.extend(disturbed(&before, &contents(dir)?, step));
        if step.json {
            faults.extend(not_json(&dir.with_extension("stdout"))?);
        }
    }
    Ok(Judged { taken, allowed, addresses, faults })
}

/// What an execution may have for the files and folders that its arguments name.
fn promised(dir: &Path, step: &Step) -> io::Result<u64> {
    let mut sum = 0;
    for arg in &step.args {
        // An input may come with a label before it, as those of `overlay` do.
        let text = arg.to_string_lossy();
        let labelled = text.split_once('=').map(|(_, path)| dir.join(path));
        let labelled = labelled.filter(|path| path.symlink_metadata().is_ok());
        let path = labelled.unwrap_or_else(|| dir.join(arg));
        // What is written is no input, and an argument that is no name may lead anywhere.
        if arg.is_empty() || arg.to_string_lossy().contains("..") || !path.starts_with(dir) {
            continue;
        }
        if let Ok(told) = path.symlink_metadata() {
            let size = if told.is_dir() {
                contents(&path)?.values().map(|(size, _)| size).sum()
            } else {
                told.len()
            };
            sum += LEAST + TIMES * size;
        }
    }
    Ok(sum.max(LEAST))
}

/// The files below a folder, with their sizes and hashes of their bytes.
fn contents(dir: &Path) -> io::Result<BTreeMap<PathBuf, (u64, u64)>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let told = path.symlink_metadata()?;
            if told.is_dir() {
                folders.push(path);
                continue;
            }
            let mut hasher = DefaultHasher::new();
            let mut file = File::open(&path)?;
            let mut part = vec![0; 64 << 10];
            loop {
                let read = file.read(&mut part)?;
                if read == 0 {
                    break;
                }
                part[..read].hash(&mut hasher);
            }
            let name = path.strip_prefix(dir).unwrap_or(&path).to_path_buf();
            all.insert(name, (told.len(), hasher.finish()));
        }
    }
    Ok(all)
}

type Contents = BTreeMap<PathBuf, (u64, u64)>;

/// What changed in the folder that was not to be written.
fn disturbed(before: &Contents, after: &Contents, step: &Step) -> Vec<String> {
    let meant = |path: &PathBuf| step.writes.iter().any(|name| path.starts_with(name));
    let mut faults = Vec::new();
    for (path, content) in before.iter().filter(|(path, _)| !meant(path)) {
        match after.get(path) {
            None => faults.push(format!("{} is gone", path.display())),
            Some(now) if now != content => faults.push(format!("{} was changed", path.display())),
            Some(_) => {}
        }
    }
    let new = after.keys().filter(|path| !before.contains_key(*path) && !meant(path));
    faults.extend(new.map(|path| format!("{} was left behind", path.display())));
    faults
}

/// The first line that is no JSON.
fn not_json(path: &Path) -> io::Result<Option<String>> {
    let mut lines = BufReader::new(File::open(path)?.take(READ));
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.last() != Some(&b'\n') && lines.get_ref().limit() == 0 {
            break;
        }
        if let Err(error) = serde_json::from_slice::<IgnoredAny>(&line) {
            return Ok(Some(format!("line {number} of the output is no JSON: {error}")));
        }
    }
    Ok(None)
}
