//! Content of files that lie on no disk.

use spelunk_core::{Bytes, Error, Result, Source};
use std::{fmt, io, sync::Arc};

/// The content of a file that lies on no disk.
#[derive(Clone)]
pub enum HeldContent {
    /// Bytes in memory.
    Bytes(Bytes),
    /// A source that is read when it is asked for.
    Source(Arc<dyn Source>),
}

impl HeldContent {
    pub(super) fn source(&self) -> Arc<dyn Source> {
        match self {
            HeldContent::Bytes(bytes) => Arc::new(bytes.clone()),
            HeldContent::Source(source) => source.clone(),
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            HeldContent::Bytes(bytes) => bytes.len() as u64,
            HeldContent::Source(source) => source.len(),
        }
    }

    /// All bytes as a vector of its own.
    pub(super) fn to_vec(&self) -> Result<Vec<u8>> {
        let source = self.source();
        let mut bytes = Vec::new();
        let len = usize::try_from(source.len()).map_err(|_| Error::io(out_of_memory()))?;
        bytes.try_reserve_exact(len).map_err(|_| Error::io(out_of_memory()))?;
        bytes.resize(len, 0);
        source.read_at(0, &mut bytes)?;
        Ok(bytes)
    }
}

/// Bytes are equal by what they are, sources if they are one.
impl PartialEq for HeldContent {
    fn eq(&self, other: &HeldContent) -> bool {
        match (self, other) {
            (HeldContent::Bytes(a), HeldContent::Bytes(b)) => a == b,
            (HeldContent::Source(a), HeldContent::Source(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for HeldContent {}

impl fmt::Debug for HeldContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

/// The error of a file that is larger than what memory there is.
pub(super) fn out_of_memory() -> io::Error {
    io::Error::new(io::ErrorKind::OutOfMemory, "the file does not fit in memory")
}
