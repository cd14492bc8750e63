//! Going back to an earlier state.

use crate::{
    chunk::copy,
    codes, hash,
    header::{FLAG_TRAILING_INDEX, HEADER_SIZE, Header},
    index::HEADER_SIZE as INDEX_HEADER_SIZE,
    pack::Pack,
};
use spelunk_core::{
    Error, Result, Span, Task,
    scalar::{U64, Word},
};
use std::io::Write;
use zerocopy::IntoBytes;

/// Writes a pack as it was when the generation that `view` shows was the current one, and gives its size: everything up to
/// the end of its blocks, and a header that leads to them. What was appended later is not in it.
///
/// # Errors
/// [`codes::CHAIN_STRINGS`] where the names of the generation are lost; limits; reading and writing errors.
pub fn rollback(view: &Pack, out: &mut dyn Write, task: &mut Task<'_>) -> Result<u64> {
    let (index, strings) = (view.index(), view.strings());
    if strings.at().len == 0 || strings.at().space != Span::file(0, 0).space {
        return Err(Error::new(&codes::CHAIN_STRINGS).at(index.at()));
    }
    let size = end(view);
    let header = header(view, size);
    out.write_all(header.as_bytes())?;
    let rest = size.saturating_sub(HEADER_SIZE.into());
    copy(view.source(), Span::file(HEADER_SIZE.into(), rest), out, task)?;
    Ok(size)
}

/// Returns the end of the last block of the generation, or of one before it.
fn end(view: &Pack) -> u64 {
    let index = view.index();
    let entries = index.entries().iter().map(|entry| {
        entry.payload_chunk_offset.get().saturating_add(entry.payload_chunk_size_compressed.get())
    });
    let bulk = index
        .bulk()
        .iter()
        .map(|bulk| bulk.chunk_offset.get().saturating_add(bulk.size_compressed.get()));
    let tables = [index.at().end(), view.strings().at().end()];
    // A damaged row does not keep what came later.
    let inside = |end: &u64| *end <= index.at().start;
    let chunks = entries.chain(bulk).filter(inside);
    chunks.chain(tables).fold(HEADER_SIZE.into(), u64::max).min(view.len())
}

fn header(view: &Pack, size: u64) -> Header {
    let (index, strings) = (view.index(), view.strings().at());
    let mut header = *view.header();
    let previous = index.header().previous().unwrap_or(Span::file(0, 0));
    header.file_size = U64::new(size);
    header.index_offset = U64::new(index.at().start);
    header.index_size = U64::new(index.at().len);
    header.index_hash = hash::hash128(index.block());
    header.string_table_offset = U64::new(strings.start);
    header.string_table_size = U64::new(strings.len);
    header.previous_index_offset = U64::new(previous.start);
    header.previous_index_size = U64::new(previous.len);
    let flags = header.flags.get() & !FLAG_TRAILING_INDEX;
    let appended = if previous.len >= INDEX_HEADER_SIZE { FLAG_TRAILING_INDEX } else { 0 };
    header.flags = Word::new(flags | appended);
    header
}
