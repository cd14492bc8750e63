//! Paths of errors in chunks.

use spelunk_core::Error;

/// Adds the steps `chunks[n]` to the path of an error.
pub(crate) trait WithinChunk {
    /// The error with that path.
    fn within_chunk(self, position: usize) -> Error;
}

impl WithinChunk for Error {
    fn within_chunk(self, position: usize) -> Error {
        self.within(spelunk_core::Seg::Index(position as u64)).field("chunks")
    }
}
