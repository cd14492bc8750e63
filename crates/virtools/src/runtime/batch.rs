//! Many files become current ones, several at a time (`docs/formats/virtools-runtime.md#many-files`).

use super::{Hooks, Report, SaveTarget, load_and_save};
use crate::file::File;
use spelunk_core::{
    Budget, Bytes, Error, Finding, Result, Severity, Task, codes,
    finding::{Collect, Sink},
    limits::Limits,
};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// Result for one file.
#[derive(Debug)]
pub struct BatchReport {
    /// FileVersion of the source.
    pub version: u32,
    /// Report of the load: each entry of the object table, and what loading noticed:
    /// [`OBSOLETE_FORMAT`](crate::codes::OBSOLETE_FORMAT) in files of old generations.
    pub report: Report,
    /// Number of objects of the new file.
    pub objects: usize,
    /// Findings of opening, loading and saving the file, in that order.
    pub findings: Vec<Finding>,
}

/// Loads files and saves all of each, as [`load_and_save`] does: the first path of a job is what is read, the second one what
/// is written, which may be the same. The results stand in the order of the jobs.
///
/// `threads` jobs are done at a time; how many changes nothing but the time that it takes. Each has a budget of its own, by
/// what `limits` says for the length of its source, and hooks of its own, which `hooks` makes for its position. Each job
/// succeeds or fails on its own; the target of one that fails is as it was before.
///
/// A job fails
/// * where its source is damaged, as a strict sink has it;
/// * where its target is also that of a job before it, or what another one reads
///   ([`BAD_TARGET`](codes::BAD_TARGET)), so that the order would decide what becomes of it;
/// * with the errors of [`File::read_from`] and [`load_and_save`].
///
/// A panic of hooks goes on to the caller when the jobs of the other threads are done.
pub fn load_and_save_all(
    jobs: &[(PathBuf, PathBuf)],
    threads: usize,
    limits: &(dyn Fn(u64) -> Limits + Sync),
    hooks: &(dyn Fn(usize) -> Box<dyn Hooks> + Sync),
) -> Vec<Result<BatchReport>> {
    let clashes = clashes(jobs);
    let next = AtomicUsize::new(0);
    let take = || {
        let index = next.fetch_add(1, Ordering::Relaxed);
        jobs.get(index).map(|job| (index, job))
    };
    let work = || {
        let mut done = Vec::new();
        while let Some((index, (source, target))) = take() {
            let result = match clashes.contains(&index) {
                true => Err(clash(target)),
                false => run(source, target, limits, &mut *hooks(index)),
            };
            done.push((index, result));
        }
        done
    };
    let mut results = thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        // This thread works too, so fewer others only take longer.
        let others: Vec<_> = (1..threads.min(jobs.len())).map_while(spawn).collect();
        let mut results = work();
        for other in others {
            results.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Does one job.
fn run(
    source: &Path,
    target: &Path,
    limits: &dyn Fn(u64) -> Limits,
    hooks: &mut dyn Hooks,
) -> Result<BatchReport> {
    // Not mapped: a mapped file cannot be replaced on all systems.
    let bytes = Bytes::from(fs::read(source)?);
    let mut sink = Heedful::default();
    let mut task = Task::new(Budget::new(limits(bytes.len() as u64)), &mut sink);
    let file = File::read_from(&bytes, &mut task)?;
    let (report, ended) = load_and_save(&file, SaveTarget::Path(target), hooks, &mut task)?;
    Ok(BatchReport {
        version: file.head().version(),
        report,
        objects: ended.objects.len(),
        findings: sink.0.findings,
    })
}

/// Ends the work where there is damage, and keeps all else.
#[derive(Debug, Default)]
struct Heedful(Collect);

impl Sink for Heedful {
    fn report(&mut self, finding: Finding) -> Result<()> {
        match finding.severity {
            Severity::Error => Err(finding.error),
            _ => self.0.report(finding),
        }
    }
}

/// The positions of the jobs whose targets are those of jobs before them, or the sources of others.
fn clashes(jobs: &[(PathBuf, PathBuf)]) -> BTreeSet<usize> {
    let places: Vec<_> =
        jobs.iter().map(|(source, target)| (place(source), place(target))).collect();
    let mut sources: HashMap<&Path, Vec<usize>> = HashMap::new();
    for (index, (source, _)) in places.iter().enumerate() {
        sources.entry(source).or_default().push(index);
    }
    let (mut targets, mut clashes) = (HashSet::new(), BTreeSet::new());
    for (index, (_, target)) in places.iter().enumerate() {
        let readers = sources.get(&**target);
        let is_read = readers.is_some_and(|all| all.iter().any(|other| *other != index));
        if !targets.insert(target) || is_read {
            clashes.insert(index);
        }
    }
    clashes
}

/// A path that distinguishes a file from others, whether it is there or not.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = || {
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

fn clash(target: &Path) -> Error {
    Error::new(&codes::BAD_TARGET)
        .expected("a file that no other job reads or writes")
        .found(target.display().to_string())
}
