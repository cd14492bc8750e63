//! Chunk files as they are found in bytes: `docs/formats/save.md#5-nested-chunk-files`.

use crate::cff::{ChunkHeader, FileHeader, MAGIC, UnpackedLength};
use memchr::memmem;
use spelunk_core::{Budget, Result, Space, cursor::Cursor, zlib};
use std::collections::HashSet;

/// The shortest chunk file: its header and that of one chunk.
pub(super) const SHORTEST: u64 = FileHeader::LEN + size_of::<ChunkHeader>() as u64;

/// Memory that a nested chunk takes while its file is walked, beside its own: its place in the set of those that were seen.
const SEEN: u64 = 16;

/// The headers of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Headers {
    pub(super) chunk: ChunkHeader,
    pub(super) unpacked: Option<UnpackedLength>,
}

impl Headers {
    pub(super) const fn len(&self) -> usize {
        if self.unpacked.is_some() { 16 } else { 12 }
    }

    pub(super) fn stored_len(&self) -> usize {
        usize::try_from(self.chunk.data_length.get()).unwrap_or_default()
    }

    pub(super) fn key(&self) -> (i16, i16) {
        (self.chunk.id.get(), self.chunk.occurrence.get())
    }

    /// The headers of a chunk that fits into the bytes that it starts.
    fn read(bytes: &[u8]) -> Option<Headers> {
        let mut cursor = Cursor::new(bytes, Space::FILE, 0);
        let chunk = *cursor.record::<ChunkHeader>().ok()?;
        let stored = usize::try_from(chunk.data_length.get()).ok()?;
        let unpacked = match chunk.packed.get() {
            0 => None,
            1 => {
                let unpacked = *cursor.record::<UnpackedLength>().ok()?;
                let most = (stored as u64).saturating_mul(zlib::MAX_RATIO);
                let plain = u64::try_from(unpacked.unpacked_length.get()).ok()?;
                (plain <= most).then_some(Some(unpacked))?
            }
            _ => return None,
        };
        (stored <= cursor.remaining()).then_some(Headers { chunk, unpacked })
    }

    /// Whether this may be a chunk behind others. Nothing says where the last one ends, so what no program writes is
    /// taken for something else: a chunk without data, and numbers below zero.
    fn may_follow(&self) -> bool {
        let Headers { chunk, .. } = self;
        let numbers = [chunk.id.get(), chunk.occurrence.get(), chunk.data_type.get()];
        self.stored_len() > 0 && numbers.iter().all(|number| *number >= 0)
    }
}

/// A chunk file that was found: its header, and where it and its chunks start.
pub(super) struct EmbeddedChunkFile {
    pub(super) start: usize,
    pub(super) len: usize,
    pub(super) header: FileHeader,
    pub(super) chunks: Vec<(usize, Headers)>,
}

/// The header of a chunk file and the headers of its first chunk, where `bytes` start with those: a container version and a type
/// that some file has, and a chunk that fits into the bytes.
fn starts_chunk_file(bytes: &[u8]) -> Option<(FileHeader, Headers)> {
    let mut cursor = Cursor::new(bytes, Space::FILE, 0);
    let header = *cursor.record::<FileHeader>().ok()?;
    let known = matches!((header.format_version.get(), header.file_type.get()), (2 | 3, 0..=2));
    let is_one = known && header.magic.get() == MAGIC;
    Some((header, Headers::read(cursor.rest()).filter(|_| is_one)?))
}

/// Whether a plausible chunk file starts somewhere in `plain`.
pub(super) fn holds_chunk_file(plain: &[u8]) -> bool {
    memmem::find_iter(plain, &MAGIC.to_le_bytes())
        .any(|start| plain.get(start..).and_then(starts_chunk_file).is_some())
}

/// The chunk files in `plain`, one behind the other. What lies in their chunks is not searched.
pub(super) fn find(plain: &[u8], budget: &mut Budget) -> Result<Vec<EmbeddedChunkFile>> {
    budget.touch(plain.len() as u64)?;
    let mut found: Vec<EmbeddedChunkFile> = Vec::new();
    for start in memmem::find_iter(plain, &MAGIC.to_le_bytes()) {
        budget.steps(1)?;
        let end = found.last().map_or(0, |file| file.start.saturating_add(file.len));
        let bytes = plain.get(start..).filter(|_| start >= end).unwrap_or_default();
        if let Some((header, first)) = starts_chunk_file(bytes) {
            let (chunks, len) = chunks(bytes, first, budget)?;
            budget.memory(size_of::<EmbeddedChunkFile>() as u64)?;
            found.push(EmbeddedChunkFile { start, len, header, chunks });
        }
    }
    Ok(found)
}

/// The chunks of a chunk file, and where the last one ends: before what is no chunk, or one that was there already.
fn chunks(
    bytes: &[u8],
    first: Headers,
    budget: &mut Budget,
) -> Result<(Vec<(usize, Headers)>, usize)> {
    let mut chunks = Vec::new();
    let mut seen = HashSet::new();
    let mut start = FileHeader::LEN as usize;
    let mut next = Some(first);
    while let Some(headers) = next.filter(|headers| seen.insert(headers.key())) {
        budget.steps(1)?;
        budget.memory((size_of::<(usize, Headers)>() as u64).saturating_add(SEEN))?;
        chunks.push((start, headers));
        start = start.saturating_add(headers.len()).saturating_add(headers.stored_len());
        next = bytes.get(start..).and_then(Headers::read).filter(Headers::may_follow);
    }
    Ok((chunks, start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Something, then a chunk file with one chunk of five bytes.
    fn nested(format: u32, kind: u32, packed: i16, length: i32, unpacked: i32) -> Vec<u8> {
        let mut plain = vec![0x12, 0xdd, 0x12];
        for word in [MAGIC, format, kind, 1, 0] {
            plain.extend(word.to_le_bytes());
        }
        for word in [2016, 0, packed] {
            plain.extend(word.to_le_bytes());
        }
        plain.extend(length.to_le_bytes());
        plain.extend(3_i16.to_le_bytes());
        if packed != 0 {
            plain.extend(unpacked.to_le_bytes());
        }
        plain.extend([7; 5]);
        plain
    }

    #[test]
    fn a_chunk_file_inside_needs_known_words_and_a_chunk_that_fits() {
        for (format, kind) in [(2, 2), (2, 0), (3, 1), (3, 2)] {
            assert!(holds_chunk_file(&nested(format, kind, 0, 5, 0)));
            assert!(holds_chunk_file(&nested(format, kind, 1, 5, 1000)));
        }
        assert!(!holds_chunk_file(&nested(4, 1, 0, 5, 0)), "another version");
        assert!(!holds_chunk_file(&nested(3, 9, 0, 5, 0)), "another type");
        assert!(!holds_chunk_file(&nested(3, 1, 0, 6, 0)), "the chunk does not fit");
        assert!(!holds_chunk_file(&nested(3, 1, 0, -1, 0)));
        assert!(!holds_chunk_file(&nested(3, 1, 7, 5, 5)), "another packed word");
        assert!(!holds_chunk_file(&nested(3, 1, 1, 5, 1 << 20)), "no stream holds that much");
        let mut cut = nested(2, 2, 0, 5, 0);
        cut.truncate(3 + 20 + 11);
        assert!(!holds_chunk_file(&cut));
        assert!(!holds_chunk_file(&MAGIC.to_le_bytes()));
        assert!(!holds_chunk_file(&[]));
    }
}
