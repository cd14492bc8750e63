//! Sub-chunks of which nothing is known.

use super::Array;
use crate::chunk::{Chunk, buffer::ChunkBuf};
use spelunk_core::{Budget, Limits, Result, Span};
use zerocopy::little_endian::U32;

/// A sub-chunk of which nothing is known. What was read stays in the memory of the file until it is changed.
#[derive(Clone, Debug)]
pub enum Opaque {
    /// As it was read.
    Kept(OpaqueChunk),
    /// Content of its own.
    Own(Box<ChunkBuf>),
}

/// The dwords of a sub-chunk.
#[derive(Clone, Debug)]
pub struct OpaqueChunk {
    /// The size, and what it counts.
    words: Array<U32>,
    /// The dword of versions of the chunk around it, which gives its form.
    versions: u32,
    /// Whether the chunk around it is in file mode.
    file_mode: bool,
}

impl Opaque {
    /// The sub-chunk that `words`, its size first, are in `parent`.
    pub(super) fn kept(words: Array<U32>, parent: &Chunk<'_>) -> Opaque {
        let Chunk { versions, file_mode, .. } = *parent;
        Opaque::Kept(OpaqueChunk { words, versions, file_mode })
    }

    /// The chunk, as one of its own.
    ///
    /// # Errors
    /// Limits.
    pub fn chunk(&self) -> Result<ChunkBuf> {
        let kept = match self {
            Opaque::Own(chunk) => return Ok(ChunkBuf::clone(chunk)),
            Opaque::Kept(kept) => kept,
        };
        let mut parent = Chunk::bare(0, &[], Span::file(0, 0));
        parent.versions = kept.versions;
        parent.file_mode = kept.file_mode;
        parent.data = &kept.words;
        // A copy of what is in memory already.
        let mut budget = Budget::new(Limits::for_len(size_of_val::<[U32]>(&kept.words) as u64));
        match parent.sub_chunk(0)? {
            (Some(chunk), _) => ChunkBuf::copy(&chunk, &mut budget),
            // Null ones are not kept.
            (None, _) => Ok(ChunkBuf::new(crate::chunk::buffer::Header::bare(0))),
        }
    }
}

impl From<ChunkBuf> for Opaque {
    fn from(chunk: ChunkBuf) -> Opaque {
        Opaque::Own(Box::new(chunk))
    }
}
