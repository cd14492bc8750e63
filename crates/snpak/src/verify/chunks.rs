//! The names and the chunks of indexes, on as many threads as there may be.

use super::checked::Checked;
use crate::{
    chunk::Chunk,
    compression::Decoder,
    index::Index,
    layout::ChunkBlocks,
    pack::Pack,
    payload::{self, Claim, RowRef},
};
use spelunk_core::{
    Budget, Class, Error, Finding, Result, Sink, Span, Task, codes as core,
    parallel::{Job, Share, ordered},
};
use std::{cell::RefCell, ops::Range};

/// Share of what is left for each thread, as a divisor, that the rows of a batch name together, in bytes of the file, where one
/// row does not name more. Large batches need fewer hands, and small ones at the end let the threads end together.
const SHARE: u64 = 8;
/// Bytes of a batch at the least and at the most.
const BATCH: (u64, u64) = (256 << 10, 64 << 20);
/// Rows of a batch at the most.
const ROWS: usize = 16_384;
/// Batches that each thread may have done before it is their turn.
const AHEAD: u64 = 4;
/// Share of a thread's part of the memory that is left, as a divisor, that the thread may use. What needs more is checked by
/// itself.
const PART: u64 = 8;

/// Checks the names of indexes, and every chunk that they name: once decoded and hashed, and compared with each row that
/// names it. Gives where they lie.
///
/// # Errors
/// What the sink makes of a finding; the step limit; reading errors.
pub(super) fn check(pack: &Pack, all: &[Checked<'_>], task: &mut Task<'_>) -> Result<ChunkBlocks> {
    let indexes: Vec<&Index> = all.iter().map(|checked| checked.index).collect();
    // Where the source has all of it in memory, no chunk is asked for by itself.
    let whole = pack.source().lend(0..pack.len());
    let rows =
        RowsByChunk { pack, all, rows: payload::rows(&indexes, task)?, whole: whole.as_deref() };
    let count = rows.rows.len();
    let mut chunks = ChunkBlocks::new(count, task)?;
    let threads = task.thread_count();
    if threads == 1 || count <= 1 {
        all.iter().try_for_each(|checked| checked.names(task))?;
        Decoder::with_scratch(task, |decoder, task| {
            (0..count).try_for_each(|nth| rows.check(nth, decoder, task, &mut chunks, Memory::All))
        })?;
    } else {
        rows.share(threads, &mut chunks, task)?;
    }
    Ok(chunks)
}

/// Rows in the order of the chunks that they name.
struct RowsByChunk<'p> {
    pack: &'p Pack,
    all: &'p [Checked<'p>],
    rows: Vec<RowRef>,
    whole: Option<&'p [u8]>,
}

/// A piece of the work.
enum Piece {
    /// The names of the index at this position.
    Names(usize),
    /// The chunks of these rows.
    Chunks(Range<usize>),
}

/// Result of a piece.
#[derive(Default)]
struct PieceResult {
    found: Vec<Finding>,
    chunks: Vec<Span>,
    steps: u64,
    /// Rows that need more memory than a thread may use, or more steps than are left, and those behind them.
    rest: Range<usize>,
    /// The same for names.
    names: Option<usize>,
    /// Why the batch could not be ended.
    error: Option<Error>,
}

/// Amount of memory that there is: a want of it is a finding only where there is no more.
#[derive(Clone, Copy, PartialEq)]
enum Memory {
    Part,
    All,
}

/// Whoever takes the places of chunks.
trait Places {
    fn add(&mut self, at: Span, task: &mut Task<'_>) -> Result<()>;
}

impl Places for ChunkBlocks {
    fn add(&mut self, at: Span, task: &mut Task<'_>) -> Result<()> {
        ChunkBlocks::add(self, at, task)
    }
}

impl Places for Vec<Span> {
    fn add(&mut self, at: Span, _: &mut Task<'_>) -> Result<()> {
        self.push(at);
        Ok(())
    }
}

/// Keeps every finding.
struct All<'f>(&'f RefCell<Vec<Finding>>);

impl Sink for All<'_> {
    fn report(&mut self, finding: Finding) -> Result<()> {
        self.0.borrow_mut().push(finding);
        Ok(())
    }
}

impl RowsByChunk<'_> {
    /// Checks all rows on some threads.
    fn share(&self, threads: usize, chunks: &mut ChunkBlocks, task: &mut Task<'_>) -> Result<()> {
        let count = threads as u64;
        let memory = task.budget.left().memory / PART;
        let budget = task.budget.fork(memory.checked_div(count).unwrap_or_default());
        let share = Share { threads, weight: count.saturating_mul(AHEAD) };
        let names = (0..self.all.len()).map(Piece::Names);
        let chunks_of = self.batches(count).map(Piece::Chunks);
        ordered(
            share,
            &mut names.chain(chunks_of).map(|piece| (1, Job::Do(piece))),
            &Decoder::default,
            &|decoder, piece| match piece {
                Piece::Names(nth) => self.check_names(nth, budget.clone()),
                Piece::Chunks(batch) => self.check_batch(batch, decoder, budget.clone()),
            },
            &mut |done: PieceResult| {
                task.budget.steps(done.steps)?;
                for Finding { severity, error } in done.found {
                    task.report(severity, error)?;
                }
                for at in done.chunks {
                    chunks.add(at, task)?;
                }
                if let Some(error) = done.error {
                    return Err(error);
                }
                let again = done.names.and_then(|nth| self.all.get(nth));
                again.map_or(Ok(()), |checked| checked.names(task))?;
                Decoder::with_scratch(task, |decoder, task| {
                    let mut rest = done.rest.clone();
                    rest.try_for_each(|nth| self.check(nth, decoder, task, chunks, Memory::All))
                })
            },
        )
    }

    /// Batches of rows whose chunks lie behind each other.
    fn batches(&self, threads: u64) -> impl Iterator<Item = Range<usize>> + '_ {
        let (least, most) = BATCH;
        let parts = threads.saturating_mul(SHARE);
        let mut start = 0_usize;
        std::iter::from_fn(move || {
            let rest = self.rows.get(start..)?;
            let from = rest.first()?.offset;
            let left = self.pack.len().saturating_sub(from);
            let size = left.checked_div(parts).unwrap_or_default().clamp(least, most);
            let reach = from.saturating_add(size);
            let count = rest.iter().take(ROWS).take_while(|row| row.offset < reach).count();
            let batch = start..start.saturating_add(count.max(1));
            start = batch.end;
            Some(batch)
        })
    }

    fn check_names(&self, nth: usize, budget: Budget) -> PieceResult {
        let mut found = Vec::new();
        let mut task = Task::new(budget, &mut found);
        let checked = self.all.get(nth).map_or(Ok(()), |checked| checked.names(&mut task));
        let steps = task.budget.steps_taken();
        match checked {
            Ok(()) => PieceResult { found, steps, ..PieceResult::default() },
            Err(error) if error.code().class == Class::Limit => {
                PieceResult { steps, names: Some(nth), ..PieceResult::default() }
            }
            Err(error) => {
                PieceResult { found, steps, error: Some(error), ..PieceResult::default() }
            }
        }
    }

    fn check_batch(
        &self,
        batch: Range<usize>,
        decoder: &mut Decoder,
        budget: Budget,
    ) -> PieceResult {
        let found = RefCell::new(Vec::new());
        let mut sink = All(&found);
        let mut task = Task::new(budget, &mut sink);
        let mut chunks = Vec::new();
        let mut rest = batch.clone();
        let mut error = None;
        for nth in batch {
            let known = found.borrow().len();
            match self.check(nth, decoder, &mut task, &mut chunks, Memory::Part) {
                Ok(()) => rest.start = nth.saturating_add(1),
                Err(stopped) => {
                    // What was found in a row that is checked again is found again.
                    found.borrow_mut().truncate(known);
                    error = Some(stopped).filter(|error| error.code().class != Class::Limit);
                    break;
                }
            }
        }
        let steps = task.budget.steps_taken();
        PieceResult { found: found.into_inner(), chunks, steps, rest, names: None, error }
    }

    /// Compares a row with the chunk that it names. With the last of the rows that name a chunk it is decoded.
    fn check(
        &self,
        nth: usize,
        decoder: &mut Decoder,
        task: &mut Task<'_>,
        places: &mut dyn Places,
        memory: Memory,
    ) -> Result<()> {
        let Some(row) = self.rows.get(nth) else { return Ok(()) };
        let others = |nth: Option<usize>| {
            let other = nth.and_then(|nth| self.rows.get(nth));
            other.is_some_and(|other| other.offset == row.offset)
        };
        let is_first = !others(nth.checked_sub(1));
        let Some(claim) = self.claim(row) else { return Ok(()) };
        let chunk = match self.chunk(row.offset, task) {
            Ok(chunk) => chunk,
            Err(_) if !is_first => return Ok(()),
            Err(error) => return finding(claim.locate(error), task),
        };
        task.budget.steps(1)?;
        if !claim.agrees(&chunk) {
            claim.compare(&chunk, &mut |severity, error| task.report(severity, error))?;
        }
        if others(nth.checked_add(1)) {
            return Ok(());
        }
        if let Err(error) = self.payload(&chunk, decoder, task) {
            if memory == Memory::Part && error.code().id == core::MEMORY.id {
                return Err(error);
            }
            let first = self.rows.partition_point(|other| other.offset < row.offset);
            let named = self.rows.get(first).and_then(|row| self.claim(row));
            finding(named.unwrap_or(claim).locate(error), task)?;
        }
        places.add(chunk.at, task)
    }

    fn chunk(&self, offset: u64, task: &mut Task<'_>) -> Result<Chunk> {
        let Some(bytes) = self.whole else { return self.pack.chunk(offset, task) };
        task.budget.steps(1)?;
        let (size, limits) = (self.pack.header().file_size.get(), &self.pack.options().limits);
        Chunk::of_whole(bytes, offset, size, limits)
    }

    fn payload(&self, chunk: &Chunk, decoder: &mut Decoder, task: &mut Task<'_>) -> Result<()> {
        let at = chunk.payload_at();
        let range = usize::try_from(at.start).ok().zip(usize::try_from(at.end()).ok());
        match self.whole.and_then(|bytes| bytes.get(range?.0..range?.1)) {
            Some(stored) => payload::check_stored(chunk, stored, decoder, task),
            None => payload::check(self.pack.source(), chunk, decoder, task),
        }
    }

    fn claim(&self, row: &RowRef) -> Option<Claim> {
        let checked = self.all.get(row.index as usize)?;
        payload::claim(checked.index, row.row, |bulk| checked.owner(bulk))
    }
}

/// Reports what is wrong with one chunk, a limit included, which does not end the verification of the others. Only the step limit
/// does, since it is drawn down by all of them together.
fn finding(error: Error, task: &mut Task<'_>) -> Result<()> {
    let fatal = error.code().class == Class::Io || error.code().id == core::STEPS.id;
    if fatal { Err(error) } else { task.error(error) }
}
