//! Changing ids and numbers inside chunks in place (`docs/formats/virtools.md#125-remapping`).
//!
//! No size changes, so the bytes of a chunk are patched in a copy, sub-chunks included. What comes back is
//! `None` where nothing changes.
//!
//! References in file mode are positions in the object table. Neither the chain nor the lists say where they
//! are, so only who knows the class can follow them; they stay as they are.

use super::{Chunk, read::Reader, visit::Visit};
use spelunk_core::{Budget, Result, Span, scalar::Guid};

/// Treatment of an id that is not in the map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unmapped {
    /// The id stays, as engines do when they copy objects.
    Keep,
    /// The id becomes 0, the null reference, as engines do when they load a file.
    Null,
}

/// Kind of a dword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DwordKind {
    /// The raw id of an object, 0 for none.
    Object,
    /// A number of this manager.
    Manager(Guid),
}

/// The dwords of a chunk, its sub-chunks included, that hold ids of objects and numbers of managers, in the order
/// in which [`Chunk::visit`] shows them: each by its index from the start of the outermost chunk.
///
/// # Errors
/// [`NESTING`](crate::codes::NESTING); limits.
pub fn places(chunk: &Chunk<'_>, budget: &mut Budget) -> Result<Vec<(usize, DwordKind)>> {
    let mut count = 0_u64;
    chunk.visit(&mut IdVisitor(|_, _| count = count.saturating_add(1)), budget)?;
    let mut places = budget.vec(count)?;
    chunk.visit(&mut IdVisitor(|at, kind| places.push((at, kind))), budget)?;
    Ok(places)
}

/// Calls a function for every id and number.
struct IdVisitor<F>(F);

impl<F: FnMut(usize, DwordKind)> Visit for IdVisitor<F> {
    fn object(&mut self, at: usize, _: u32) -> Result<()> {
        (self.0)(at, DwordKind::Object);
        Ok(())
    }

    fn manager_int(&mut self, at: usize, guid: Guid, _: u32) -> Result<()> {
        (self.0)(at, DwordKind::Manager(guid));
        Ok(())
    }
}

/// Gives other ids to the objects that `chunk` refers to by their raw ids. `bytes` are those that `chunk` was
/// read from. 0 is no id and stays.
///
/// # Errors
/// [`NESTING`](crate::codes::NESTING); limits.
pub fn objects(
    chunk: &Chunk<'_>,
    bytes: &[u8],
    map: &dyn Fn(u32) -> Option<u32>,
    unmapped: Unmapped,
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>> {
    patch(chunk, bytes, budget, &|kind, id| {
        if kind != DwordKind::Object || id == 0 {
            return id;
        }
        map(id).unwrap_or(if unmapped == Unmapped::Keep { id } else { 0 })
    })
}

/// Gives other numbers to what `chunk` says of one manager: a number that is not negative and below the length
/// of `table` becomes that element of it, all others stay. `bytes` are those that `chunk` was read from.
///
/// # Errors
/// [`NESTING`](crate::codes::NESTING); limits.
pub fn manager_ints(
    chunk: &Chunk<'_>,
    bytes: &[u8],
    manager: Guid,
    table: &[u32],
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>> {
    patch(chunk, bytes, budget, &|kind, value| {
        let number = usize::try_from(value.cast_signed()).ok();
        let mapped = number.filter(|_| kind == DwordKind::Manager(manager));
        mapped.and_then(|number| table.get(number)).copied().unwrap_or(value)
    })
}

/// Gives another value to a parameter of this type: in section 0x40, behind the type, the mode 1 and the size of
/// the value. (Known engines replace that size instead, which is an error of theirs.) A value that is not in the
/// map stays, as does one that is shorter than a dword. `bytes` are those that `chunk` was read from.
///
/// # Errors
/// [`NESTING`](crate::codes::NESTING); limits.
pub fn parameter(
    chunk: &Chunk<'_>,
    bytes: &[u8],
    parameter_type: Guid,
    map: &dyn Fn(u32) -> Option<u32>,
    budget: &mut Budget,
) -> Result<Option<Vec<u8>>> {
    let mut values = Vec::new();
    let mut look = |level: &Chunk<'_>| {
        if let Some((at, value)) = parameter_value(level, parameter_type)
            && let Some(new) = map(value).filter(|new| *new != value)
        {
            values.push((word_index(chunk, at), new));
        }
    };
    look(chunk);
    chunk.visit(&mut EachChunk(look), budget)?;
    let mut changed = None;
    for (at, new) in values {
        write(&mut changed, bytes, at, new, budget)?;
    }
    Ok(changed)
}

/// Calls a function for every sub-chunk.
struct EachChunk<F>(F);

impl<F: FnMut(&Chunk<'_>)> Visit for EachChunk<F> {
    fn enter(&mut self, _: usize, chunk: &Chunk<'_>) -> Result<()> {
        (self.0)(chunk);
        Ok(())
    }
}

/// Place of the value of a parameter of this type, and its first dword.
fn parameter_value(chunk: &Chunk<'_>, parameter_type: Guid) -> Option<(Span, u32)> {
    const BUFFER: u32 = 1;
    let mut reader = Reader::find(*chunk, crate::class::parameter::SECTION)?;
    let here = reader.guid("type").ok()? == parameter_type;
    let buffer = reader.dword("mode").ok()? == BUFFER && reader.dword("size").ok()? >= 4;
    let at = reader.span(1);
    (here && buffer).then(|| reader.dword("value").ok().map(|value| (at, value)))?
}

fn patch(
    chunk: &Chunk<'_>,
    bytes: &[u8],
    budget: &mut Budget,
    new: &dyn Fn(DwordKind, u32) -> u32,
) -> Result<Option<Vec<u8>>> {
    let mut changed = None;
    let before = budget.left().memory;
    let places = places(chunk, budget)?;
    let taken = before.saturating_sub(budget.left().memory);
    for (index, kind) in &places {
        let start = index.saturating_mul(4);
        let word = bytes.get(start..).and_then(<[u8]>::first_chunk::<4>);
        let Some(value) = word.map(|word| u32::from_le_bytes(*word)) else { continue };
        let new = new(*kind, value);
        if new != value {
            write(&mut changed, bytes, *index, new, budget)?;
        }
    }
    budget.release(taken);
    Ok(changed)
}

/// Writes a dword into the copy of `bytes`, which is made for the first one.
fn write(
    changed: &mut Option<Vec<u8>>,
    bytes: &[u8],
    index: usize,
    value: u32,
    budget: &mut Budget,
) -> Result<()> {
    let copy = match changed {
        Some(copy) => copy,
        None => {
            budget.touch(bytes.len() as u64)?;
            let mut copy = budget.vec(bytes.len() as u64)?;
            copy.extend_from_slice(bytes);
            changed.insert(copy)
        }
    };
    let start = index.saturating_mul(4);
    if let Some(slot) = copy.get_mut(start..).and_then(<[u8]>::first_chunk_mut::<4>) {
        *slot = value.to_le_bytes();
    }
    Ok(())
}

/// The dword at `at`, counted from the start of the outermost chunk.
fn word_index(outermost: &Chunk<'_>, at: Span) -> usize {
    let bytes = at.start.saturating_sub(outermost.at.start);
    usize::try_from(bytes >> 2).unwrap_or(usize::MAX)
}
