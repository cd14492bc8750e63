//! Looking for what is left of a pack whose header or index is lost.

use crate::{
    chunk::{self, Chunk, with_bytes},
    compression::Decoder,
    header::HEADER_SIZE,
    index::{self, Index, IndexHeader},
    payload,
    strings::{self, StringTable, StringsHeader},
};
use memchr::memchr3_iter;
use spelunk_core::{Class, Result, Source, Span, Task, cursor::Cursor, place::Space};

/// Number of bytes that are searched at a time.
const WINDOW: u64 = 1 << 20;
/// Bytes that each window shares with the next, so that no signature is cut.
const OVERLAP: u64 = 4;

/// The sound blocks of a pack, in the order of their bytes.
#[derive(Debug, Default)]
pub(super) struct SalvagedBlocks {
    /// String tables whose data have their hash.
    pub(super) strings: Vec<StringTable>,
    /// Indexes whose tables have their hash.
    pub(super) indexes: Vec<Index>,
    /// Chunks whose payloads have their hash.
    pub(super) chunks: Vec<Chunk>,
}

/// Searches a whole file. Nothing but the blocks themselves is trusted; what looks like a block inside a sound one is
/// part of that one.
///
/// # Errors
/// Limits; reading errors.
pub(super) fn search(source: &dyn Source, task: &mut Task<'_>) -> Result<SalvagedBlocks> {
    let mut found = SalvagedBlocks::default();
    Decoder::with_scratch(task, |decoder, task| {
        let mut at = u64::from(HEADER_SIZE).min(source.len());
        while at < source.len() {
            at = window(source, at, &mut found, decoder, task)?;
        }
        Ok(found)
    })
}

/// Searches the window at `at`; gives where the next one starts.
fn window(
    source: &dyn Source,
    at: u64,
    found: &mut SalvagedBlocks,
    decoder: &mut Decoder,
    task: &mut Task<'_>,
) -> Result<u64> {
    let end = at.saturating_add(WINDOW).min(source.len());
    let place = Span::file(at, end.saturating_sub(at));
    with_bytes(source, place, task, |bytes, task| {
        task.budget.touch(place.len)?;
        for nth in memchr3_iter(b'C', b'S', b'I', bytes) {
            let Some(magic) = bytes.get(nth..).and_then(|rest| rest.first_chunk::<4>()) else {
                continue;
            };
            let offset = at.saturating_add(nth as u64);
            let block = match *magic {
                chunk::MAGIC => sound_chunk(source, offset, decoder, task)?.map(|chunk| {
                    found.chunks.push(chunk);
                    chunk.at
                }),
                strings::MAGIC => sound_strings(source, offset, task)?.map(|table| {
                    let at = table.at();
                    found.strings.push(table);
                    at
                }),
                index::MAGIC => sound_index(source, offset, task)?.map(|index| {
                    let at = index.at();
                    found.indexes.push(index);
                    at
                }),
                _ => None,
            };
            if let Some(block) = block {
                return Ok(block.end());
            }
        }
        Ok(if end == source.len() { end } else { end.saturating_sub(OVERLAP) })
    })
}

/// Makes damage `None`; limits and reading errors stay errors.
fn sound<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(block) => Ok(Some(block)),
        Err(error) if matches!(error.code().class, Class::Io) => Err(error),
        Err(error) if error.code().id == spelunk_core::codes::STEPS.id => Err(error),
        Err(_) => Ok(None),
    }
}

/// The chunk at `offset`, if its payload has its hash.
pub(super) fn sound_chunk(
    source: &dyn Source,
    offset: u64,
    decoder: &mut Decoder,
    task: &mut Task<'_>,
) -> Result<Option<Chunk>> {
    let read = Chunk::read(source, offset, source.len(), task).and_then(|chunk| {
        payload::check(source, &chunk, decoder, task)?;
        task.budget.memory(size_of::<Chunk>() as u64)?;
        Ok(chunk)
    });
    sound(read)
}

fn sound_strings(
    source: &dyn Source,
    offset: u64,
    task: &mut Task<'_>,
) -> Result<Option<StringTable>> {
    let head = Span::file(offset, strings::BLOCK_HEADER_SIZE);
    if head.end() > source.len() {
        return Ok(None);
    }
    let size = with_bytes(source, head, task, |bytes, _| {
        let header: &StringsHeader = Cursor::new(bytes, Space::FILE, offset).record()?;
        Ok::<_, spelunk_core::Error>(header.block_size.get())
    })?;
    if offset.checked_add(size).is_none_or(|end| end > source.len()) {
        return Ok(None);
    }
    let table = StringTable::read(source, Span::file(offset, size), task);
    sound(table.and_then(|table| table.check_hash(task).map(|()| table)))
}

fn sound_index(source: &dyn Source, offset: u64, task: &mut Task<'_>) -> Result<Option<Index>> {
    let head = Span::file(offset, index::HEADER_SIZE);
    if head.end() > source.len() {
        return Ok(None);
    }
    let size = with_bytes(source, head, task, |bytes, _| {
        let header: &IndexHeader = Cursor::new(bytes, Space::FILE, offset).record()?;
        Ok::<_, spelunk_core::Error>(header.block_size.get())
    })?;
    if offset.checked_add(size).is_none_or(|end| end > source.len()) {
        return Ok(None);
    }
    let index = Index::read(source, Span::file(offset, size), None, task);
    sound(index.and_then(|index| index.check_hash(task).map(|()| index)))
}
