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

/// Bytes that are passed on at once of those that the source lends.
const LENT: usize = 1 << 20;

/// Hands the bytes of `range` to `see`, piece by piece.
pub(crate) fn in_pieces(
    source: &dyn Source,
    range: Range<u64>,
    budget: &mut Budget,
    mut see: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<()> {
    budget.touch(range.end.saturating_sub(range.start))?;
    if let Some(bytes) = source.lend(range.clone()) {
        return bytes.chunks(LENT).try_for_each(|piece| {
            budget.check_cancelled()?;
            Ok(see(piece)?)
        });
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

/// Hands ranges that are to be written one behind the other to `pass`. Those that lie behind each other in
/// the old file too are passed on as one.
pub(crate) fn in_runs(
    ranges: impl Iterator<Item = Range<u64>>,
    mut pass: impl FnMut(Range<u64>) -> Result<()>,
) -> Result<()> {
    let mut run = 0..0;
    for range in ranges {
        if range.start == run.end {
            run.end = range.end;
        } else {
            pass(std::mem::replace(&mut run, range))?;
        }
    }
    pass(run)
}

/// Reports the damage of one part and lets the work go on with the next. Only what the operating system
/// reports ends it.
pub(crate) fn tolerate(error: Error, task: &mut Task<'_>) -> Result<()> {
    match error.code().class {
        Class::Io => Err(error),
        _ => task.error(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_neighbours_are_passed_on_as_one() {
        let mut passed = Vec::new();
        let ranges = [5..7, 7..9, 10..12, 2..3, 3..3, 3..5];
        in_runs(ranges.into_iter(), |run| {
            passed.push(run);
            Ok(())
        })
        .unwrap();
        passed.retain(|run| !run.is_empty());
        assert_eq!(passed, [5..9, 10..12, 2..5]);
    }
}
