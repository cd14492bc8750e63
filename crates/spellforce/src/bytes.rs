//! Ranges of a source that are looked at or passed on and then let go.

use spelunk_core::{Budget, Class, Error, Result, Source, Task};
use std::{io, ops::Range};

/// Bytes that are passed on at once where the source cannot lend them.
const PIECE: u64 = 1 << 16;

/// Hands the bytes of `range` to `see`. Memory that they needed is given back.
pub(crate) fn with_range<T>(
    source: &dyn Source,
    range: Range<u64>,
    task: &mut Task<'_>,
    see: impl FnOnce(&[u8], &mut Task<'_>) -> T,
) -> Result<T> {
    let lent = source.lend(range.clone());
    let taken = if lent.is_some() { 0 } else { range.end.saturating_sub(range.start) };
    let bytes = match lent {
        Some(bytes) => bytes,
        None => source.read(range, &mut task.budget)?,
    };
    let seen = see(&bytes, task);
    drop(bytes);
    task.budget.release(taken);
    Ok(seen)
}

/// Hands the bytes of `range` to `see`, piece by piece where the source cannot lend them.
pub(crate) fn in_pieces(
    source: &dyn Source,
    range: Range<u64>,
    budget: &mut Budget,
    mut see: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<()> {
    budget.touch(range.end.saturating_sub(range.start))?;
    if let Some(bytes) = source.lend(range.clone()) {
        return Ok(see(&bytes)?);
    }
    let mut at = range.start;
    while at < range.end {
        let end = at.saturating_add(PIECE).min(range.end);
        see(&source.read(at..end, budget)?)?;
        budget.release(end.saturating_sub(at));
        at = end;
    }
    Ok(())
}

/// Reports the damage of one part and lets the work go on with the next. Only what the operating system
/// reports ends it.
pub(crate) fn tolerate(error: Error, task: &mut Task<'_>) -> Result<()> {
    match error.code().class {
        Class::Io => Err(error),
        _ => task.error(error),
    }
}
