//! Headers that are longer than the known one: whether what follows the known fields is an extension, or their size is damaged.

use crate::{chunk, header::Header, index, strings};
use spelunk_core::{Budget, Result, Source};

/// Whether a longer header has an extension. It has none where a block begins behind the known fields: its size is damaged
/// then.
///
/// # Errors
/// Reading errors; limits.
pub fn is_extended(header: &Header, source: &dyn Source, budget: &mut Budget) -> Result<bool> {
    let at = header.extension();
    Ok(at.len > 0 && !begins_block(source, at.start, budget)?)
}

/// The same where nothing but the size says so: a block begins right behind the extension, too.
///
/// # Errors
/// Reading errors; limits.
pub fn is_surely_extended(
    header: &Header,
    source: &dyn Source,
    budget: &mut Budget,
) -> Result<bool> {
    let end = header.extension().end();
    Ok(is_extended(header, source, budget)? && begins_block(source, end, budget)?)
}

/// Whether the magic of a block is at this offset.
fn begins_block(source: &dyn Source, at: u64, budget: &mut Budget) -> Result<bool> {
    let end = at.saturating_add(4).min(source.len());
    let start = source.read(at.min(end)..end, budget)?;
    Ok([strings::MAGIC, index::MAGIC, chunk::MAGIC].iter().any(|magic| start == magic[..]))
}
