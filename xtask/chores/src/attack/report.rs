//! What an attack found: told as it comes, kept with its files, and as a table in the end.

use super::judge::Judged;
use super::one;
use super::scenes::{Step, quoted};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// Of how many findings the files are kept.
const KEPT: usize = 99;

/// What is known of a verb.
#[derive(Default)]
struct Verb {
    executions: u64,
    findings: u64,
    codes: BTreeMap<i32, u64>,
    share: f64,
    memory: u64,
    milliseconds: u64,
}

/// Everything that was found.
pub struct Report {
    folder: PathBuf,
    program: PathBuf,
    seed: u64,
    verbs: BTreeMap<&'static str, Verb>,
    findings: usize,
    executions: u64,
}

impl Report {
    pub fn new(folder: PathBuf, program: PathBuf, seed: u64) -> Report {
        Report { folder, program, seed, verbs: BTreeMap::new(), findings: 0, executions: 0 }
    }

    pub fn executions(&self) -> u64 {
        self.executions
    }

    pub fn findings(&self) -> usize {
        self.findings
    }

    /// Takes an execution in, and keeps its files where it is a finding.
    pub fn add(&mut self, number: u64, step: &Step, judged: Judged, dir: &Path) -> io::Result<()> {
        self.executions += 1;
        let verb = self.verbs.entry(step.verb()).or_default();
        verb.executions += 1;
        *verb.codes.entry(judged.taken.code.unwrap_or(-1)).or_default() += 1;
        verb.share = verb.share.max(judged.taken.memory as f64 / judged.allowed as f64);
        verb.memory = verb.memory.max(judged.taken.memory);
        verb.milliseconds = verb.milliseconds.max(judged.taken.milliseconds);
        if judged.faults.is_empty() {
            return Ok(());
        }
        verb.findings += 1;
        self.findings += 1;
        let name = format!("{:02}-{}-{number}", self.findings, step.verb());
        println!("{name}: {} ({})", judged.faults.join("; "), step.shape);
        let args = quoted(&step.args);
        println!("  spelunk {args}");
        if self.findings > KEPT {
            return Ok(());
        }
        let kept = self.folder.join(&name);
        copy(dir, &kept.join("files"))?;
        for stream in one::STREAMS {
            let from = dir.with_extension(stream);
            if from.metadata()?.len() < 16 << 20 {
                fs::copy(from, kept.join(stream))?;
            }
        }
        let again = format!(
            "#!/bin/sh\n# {}\n# cargo xtask attack --seed {} --first {number} --executions 1\n\
             cd \"$(dirname \"$0\")/files\" && export MALLOC_ARENA_MAX=1 && ulimit -v {} && exec \"${{SPELUNK:-{}}}\" {args}\n",
            judged.faults.join("; "),
            self.seed,
            judged.addresses >> 10,
            self.program.display()
        );
        fs::write(kept.join("again.sh"), again)?;
        println!("  again: sh {}", kept.join("again.sh").display());
        Ok(())
    }

    /// Prints the table.
    pub fn table(&self) {
        println!(
            "{:10} {:>10} {:>8} {:>12} {:>10} {:>10}  exit codes",
            "verb", "executions", "findings", "most memory", "of promise", "slowest"
        );
        for (name, verb) in &self.verbs {
            let codes: Vec<String> =
                verb.codes.iter().map(|(code, count)| format!("{code}: {count}")).collect();
            println!(
                "{name:10} {:>10} {:>8} {:>8} KiB {:>9.0}% {:>7} ms  {}",
                verb.executions,
                verb.findings,
                verb.memory >> 10,
                verb.share * 100.0,
                verb.milliseconds,
                codes.join(", ")
            );
        }
        let most = self.verbs.values().map(|verb| verb.share).fold(0.0, f64::max);
        let slowest = self.verbs.values().map(|verb| verb.milliseconds).max().unwrap_or_default();
        println!(
            "{} executions of {} verbs, {} findings; most memory {:.0}% of the promise; slowest {slowest} ms",
            self.executions,
            self.verbs.len(),
            self.findings,
            most * 100.0
        );
    }
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &to)?;
        } else if path.metadata()?.len() < 64 << 20 {
            fs::copy(&path, &to)?;
        }
    }
    Ok(())
}
