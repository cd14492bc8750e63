//! Entries as files, with a manifest of what they were.

mod manifest;
mod plan;
mod wishes;

pub use plan::{MANIFEST, Plan};
pub use wishes::{ExtractionItem, items};

use crate::{
    Class, Container, Error, Node, Result, Task,
    core::text::CodePages,
    open::files::{Disk, FileSink, Files, content::hash},
    open::skeleton::{self, Origin, PackedLevel, SKELETON},
};
use manifest::{ManifestRows, Packing, Row};
use spelunk_core::{
    Budget, Bytes, Finding, Limits, Span, codes,
    parallel::{Job, Share, ordered},
};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};
use twox_hash::XxHash3_128;

/// Outcome of an extraction.
#[derive(Debug, Default)]
pub struct ExtractionOutcome {
    /// Files written, or to be written on a dry run.
    pub files: Vec<ExtractedFile>,
    /// Entries that could not be read or written, with what is wrong; the others were written. Of those with equal
    /// errors, as all behind one damage have, it is the first.
    pub failed: Vec<(String, Error)>,
    /// Number of further entries with an error that is equal to one of `failed`.
    pub failed_alike: u64,
}

/// A file that was written, or is to be.
#[derive(Debug)]
pub struct ExtractedFile {
    /// Path of the entry.
    pub path: String,
    /// Path of the file below the target folder, with `/`.
    pub output: String,
    /// Size in bytes.
    pub size: u64,
}

/// Extracts the entries of `container` that `plan` selects. `each` is called after every file with the bytes that are done,
/// and with those that there are in all.
///
/// Nothing is written before it is certain that no file is in the way. An entry whose bytes are damaged is
/// left out and reported; the others are written. The manifest lists every extracted entry with everything its
/// listing has and with the stored bytes of its name, and the container's own summary. Where the format can be
/// edited, a skeleton from which [`pack`](mod@crate::containers::pack) rebuilds the container is written beside it, if the plan has its origin.
///
/// # Errors
/// When the tables cannot be read, the entries have no bytes of their own, a file exists and may not be
/// replaced, or writing fails; when the entries are more than the ratio of the limits allows for the whole file;
/// [`NO_INCLUDED`](crate::open::codes::NO_INCLUDED).
pub fn extract(
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(u64, u64),
) -> Result<ExtractionOutcome> {
    extract_to(&*Disk.sink(), container, pages, plan, task, each)
}

/// As [`extract`], to anything that takes files.
///
/// # Errors
/// Those of [`extract`].
pub fn extract_to(
    to: &dyn FileSink,
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(u64, u64),
) -> Result<ExtractionOutcome> {
    let wanted = items(container, pages, plan.select, plan.included, task)?;
    // Entries may share their bytes: what they are together is no part of any section's size.
    let all = wanted.iter().map(|entry| entry.size).fold(0, u64::saturating_add);
    agree(container.size(), all, task)?;
    // A container without entries has a manifest too; globs that match nothing leave nothing behind.
    let some = !wanted.is_empty() || (plan.select.takes_all() && !plan.included);
    if !plan.force && some {
        let outputs = wanted.iter().map(|entry| entry.output.as_str());
        to.refuse_existing(&plan.folder(), &mut outputs.chain([MANIFEST, SKELETON]))?;
    }
    let below = manifest::below(&wanted, &mut task.budget)?;
    let work = ExtractionJob { to, container, pages, plan, wanted: &wanted, below };
    let mut state = ExtractionState {
        done: ExtractionOutcome::default(),
        rows: ManifestRows::default(),
        nodes: Vec::new(),
        errors: HashSet::new(),
    };
    work.all(&mut state, task, each)?;
    let ExtractionState { done, rows, nodes, .. } = state;
    if !plan.dry_run && some {
        let whole = done.failed.is_empty();
        let packing = skeleton(to, container, plan, (nodes, whole), task)?;
        manifest::write(to, container, pages, plan, &rows, packing, task)?;
    }
    Ok(done)
}

/// Up to so many bytes any ratio is fine where none is asked for.
const ANY_RATIO: u64 = 1 << 30;
/// The ratio that counts beyond that. Entries of real files are up to nine times what the file is.
const MOST_RATIO: u64 = 100;

/// Whether a file of this size may be entries of that size together.
fn agree(size: u64, all: u64, task: &Task<'_>) -> Result<()> {
    let at = Span::file(0, size);
    task.budget.agree(size, all, at)?;
    let is_asked_for = task.budget.left().ratio != Limits::for_len(0).ratio;
    if is_asked_for || all <= size.saturating_mul(MOST_RATIO).max(ANY_RATIO) {
        return Ok(());
    }
    let least = all.div_ceil(size.max(1));
    Err(Error::new(&codes::EXPANSION)
        .at(at)
        .expected(format!(
            "at most {MOST_RATIO} times {size} bytes, unless --max-ratio {least} allows it"
        ))
        .found(format!("{all} bytes")))
}

/// Everything that is known when all entries are read.
struct ExtractionState {
    done: ExtractionOutcome,
    rows: ManifestRows,
    nodes: Vec<Node>,
    /// Hashes of the texts of the errors of entries, each once.
    errors: HashSet<u128>,
}

/// The work on all entries, which threads share.
struct ExtractionJob<'w> {
    to: &'w dyn FileSink,
    container: &'w dyn Container,
    pages: &'w CodePages,
    plan: &'w Plan<'w>,
    wanted: &'w [ExtractionItem],
    below: HashMap<Node, Vec<(usize, &'w str)>>,
}

/// An entry that was written, or failed.
struct One {
    made: Result<(Row, u64)>,
    found: Vec<Finding>,
    /// Memory that the container keeps from now on.
    kept: u64,
    steps: u64,
}

impl One {
    /// Returns the memory in bytes that it takes until it is its turn.
    fn waits(&self) -> u64 {
        let row = self.made.as_ref().map_or(0, |(row, _)| row.held());
        row.saturating_add((size_of_val(&*self.found) as u64).saturating_mul(8))
    }
}

/// Plain bytes of the entries of a batch, where one entry does not have more.
const BATCH: u64 = 4 << 20;
/// Memory in bytes that an error takes beside its texts, with its hash in a table that grows.
const FAILED: u64 = 256;
/// Memory in bytes that two texts take beside their letters.
const TEXTS: u64 = 32;
/// Entries of a batch at the most.
const ENTRIES: usize = 64;
/// Batches that each thread may have done before it is their turn.
const AHEAD: u64 = 4;
/// Divisor of the memory that is left: each thread may use that part of its share. What needs more is done by itself. As much
/// again may wait for its turn.
const PART: u64 = 16;

impl ExtractionJob<'_> {
    /// Reads and writes all entries, and takes note of them in their order.
    fn all(
        &self,
        state: &mut ExtractionState,
        task: &mut Task<'_>,
        each: &mut dyn FnMut(u64, u64),
    ) -> Result<()> {
        let size = |entry: &ExtractionItem| entry.size;
        let all = self.wanted.iter().map(size).fold(0, u64::saturating_add);
        let mut done = 0_u64;
        let mut each = |nth: usize| {
            done = done.saturating_add(self.wanted.get(nth).map_or(0, size));
            each(done, all);
        };
        let threads = task.thread_count();
        // For threads to work with, and to have things wait for their turn. One alone does not get further than many.
        let share = task.budget.left().memory / PART;
        let aside = share.saturating_mul(2);
        task.budget.memory(aside)?;
        let part = share.checked_div(threads as u64).unwrap_or_default();
        self.shared(threads, part, state, task, &mut each)?;
        task.budget.release(aside);
        Ok(())
    }

    /// Reads and writes all entries on so many threads, each of which may use so much memory.
    fn shared(
        &self,
        threads: usize,
        part: u64,
        state: &mut ExtractionState,
        task: &mut Task<'_>,
        each: &mut dyn FnMut(usize),
    ) -> Result<()> {
        if threads == 1 || self.wanted.len() <= 1 {
            for (nth, entry) in self.wanted.iter().enumerate() {
                let made = self.one(entry, task);
                self.note(nth, made, state, task)?;
                each(nth);
            }
            return Ok(());
        }
        let count = threads as u64;
        let budget = task.budget.fork(part);
        let share = Share { threads, weight: count.saturating_mul(AHEAD) };
        ordered(
            share,
            &mut self.batches().map(|batch| (1, Job::Do(batch))),
            &|| (),
            &|(), batch: Range<usize>| {
                let entries = self.wanted.get(batch.clone()).unwrap_or_default();
                let mut waits = 0_u64;
                let all = entries.iter().map(|entry| {
                    // What waits is charged when it is its turn, so a batch that is beyond its share ends here.
                    if waits > part / AHEAD {
                        let made = Err(Error::new(&codes::MEMORY));
                        return One { made, found: Vec::new(), kept: 0, steps: 0 };
                    }
                    let one = self.apart(entry, budget.clone());
                    waits = waits.saturating_add(one.waits());
                    one
                });
                (batch.start, all.collect::<Vec<One>>())
            },
            &mut |(start, all)| {
                for (nth, one) in (start..).zip(all) {
                    task.budget.steps(one.steps)?;
                    let limited =
                        matches!(&one.made, Err(error) if error.code().class == Class::Limit);
                    let made = match self.wanted.get(nth).filter(|_| limited) {
                        // What needs more than the part of a thread has all of the memory here.
                        Some(entry) => self.one(entry, task),
                        None => {
                            for Finding { severity, error } in one.found {
                                task.report(severity, error)?;
                            }
                            task.budget.memory(one.kept)?;
                            one.made
                        }
                    };
                    self.note(nth, made, state, task)?;
                    each(nth);
                }
                Ok(())
            },
        )
    }

    /// Entries that lie behind each other.
    fn batches(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut start = 0_usize;
        std::iter::from_fn(move || {
            let mut size = 0_u64;
            let rest = self.wanted.get(start..).filter(|rest| !rest.is_empty())?;
            let fits = |entry: &&ExtractionItem| {
                let fits = size < BATCH;
                size = size.saturating_add(entry.size);
                fits
            };
            let count = rest.iter().take(ENTRIES).take_while(fits).count();
            let batch = start..start.saturating_add(count.max(1));
            start = batch.end;
            Some(batch)
        })
    }

    /// Extracts an entry with a budget and a list of findings of its own.
    fn apart(&self, entry: &ExtractionItem, budget: Budget) -> One {
        let mut found = Vec::new();
        let memory = budget.left().memory;
        let mut task = Task::new(budget, &mut found);
        let made = self.one(entry, &mut task);
        let kept = memory.saturating_sub(task.budget.left().memory);
        let steps = task.budget.steps_taken();
        One { made, found, kept, steps }
    }

    /// Extracts an entry; gives its row of the manifest and its size.
    fn one(&self, entry: &ExtractionItem, task: &mut Task<'_>) -> Result<(Row, u64)> {
        let ExtractionJob { container, pages, plan, .. } = *self;
        let bytes = container.bytes(entry.node, task)?;
        let size = bytes.len() as u64;
        let below = self.below.get(&entry.node);
        let mut row = match plan.dry_run {
            true => Row::default(),
            false => Row::of(container, pages, (entry, size), below, task)?,
        };
        if !plan.dry_run {
            // A pack lists the hashes of its payloads itself.
            let has_hash = container.profile().extraction.has_hashes;
            if plan.origin.is_some() && !has_hash {
                row.put("xxh3", &hash(&bytes))?;
            }
            manifest::put(self.to, plan, &entry.output, &bytes, task)?;
        }
        // Bytes that the container did not keep are freed with this handle.
        if bytes.is_unique() {
            task.budget.release(size);
        }
        Ok((row, size))
    }

    /// Takes note of what became of an entry.
    fn note(
        &self,
        nth: usize,
        made: Result<(Row, u64)>,
        state: &mut ExtractionState,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let Some(entry) = self.wanted.get(nth) else { return Ok(()) };
        match made {
            Ok((row, size)) => {
                let names = entry.path.len().saturating_add(entry.output.len()) as u64;
                task.budget.memory(names.saturating_add(TEXTS))?;
                state.rows.push(&row, &mut task.budget)?;
                task.budget.room(&mut state.nodes, 1)?;
                state.nodes.push(entry.node);
                let (path, output) = (entry.path.clone(), entry.output.clone());
                task.budget.room(&mut state.done.files, 1)?;
                state.done.files.push(ExtractedFile { path, output, size });
            }
            // A container whose entries lie elsewhere has none to give.
            Err(error) if error.code().id == codes::NO_SUCH_OPERATION.id && nth == 0 => {
                return Err(error);
            }
            Err(error) if error.code().class == Class::Io || error.is_cancelled() => {
                return Err(error);
            }
            Err(error) => {
                let said = error.to_string();
                // A number for what it says is enough to know it again.
                if !state.errors.insert(XxHash3_128::oneshot(said.as_bytes())) {
                    state.done.failed_alike = state.done.failed_alike.saturating_add(1);
                    return Ok(());
                }
                let texts = entry.path.len().saturating_add(said.len()) as u64;
                task.budget.memory(texts.saturating_add(FAILED))?;
                task.budget.room(&mut state.done.failed, 1)?;
                state.done.failed.push((entry.path.clone(), error));
            }
        }
        Ok(())
    }
}

/// Writes the skeleton, and gives what packing needs. Nothing where the format cannot be edited.
fn skeleton(
    to: &dyn FileSink,
    container: &dyn Container,
    plan: &Plan<'_>,
    (nodes, whole): (Vec<Node>, bool),
    task: &mut Task<'_>,
) -> Result<Packing> {
    let Some(origin) = &plan.origin else { return Ok(Packing::without(container.profile())) };
    // A part of a pack is put back with `append`, one of an archive with `replace` and `add`; there is no need of the rest for
    // that.
    let is_part = !plan.select.takes_all();
    if container.profile().extraction.parts_are_added && is_part {
        return Ok(Packing::default());
    }
    let packed = match PackedLevel::of(container, task) {
        Err(error) if error.code().class == Class::Io || error.is_cancelled() => {
            return Err(error);
        }
        packed => packed.unwrap_or_default(),
    };
    // It is made while this container is open.
    let beside = skeleton::beside(origin.options, task.budget.left().memory);
    let origin = &Origin { options: &beside, ..*origin };
    let mut content = |node: Node| -> Result<Bytes> {
        let bytes = container.bytes(node, task)?;
        // What is filled with it takes it from the limits that it has.
        if bytes.is_unique() {
            task.budget.release(bytes.len() as u64);
        }
        Ok(bytes)
    };
    let Some(skeleton) = skeleton::skeleton(origin, &nodes, whole, &packed, &mut content)? else {
        return Ok(Packing::default());
    };
    task.budget.memory((nodes.len() as u64).saturating_mul(size_of::<(Node, bool)>() as u64))?;
    task.budget.check_cancelled()?;
    manifest::put(to, plan, SKELETON, &skeleton.bytes, task)?;
    let row = skeleton.row();
    Ok(Packing {
        level: packed.level,
        skeleton: row,
        places: nodes.into_iter().zip(skeleton.emptied).collect(),
    })
}
