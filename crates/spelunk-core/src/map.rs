//! The one module with `unsafe`: mapping a file into memory.

use bytes::Bytes;
use std::{fs::File, io};

/// Maps a whole file for reading.
#[allow(unsafe_code)]
pub(crate) fn map(file: &File) -> io::Result<Bytes> {
    // SAFETY: the map is private to the returned handle and never written through. The bytes stay as they
    // are unless another process changes the file; `source::Mapping` documents that risk and the option
    // that avoids it. Nothing in this workspace truncates or overwrites a file that it has mapped: outputs
    // are new files that are renamed (`replace`), and packs are opened without a map for being appended to.
    let map = unsafe { memmap2::Mmap::map(file)? };
    Ok(Bytes::from_owner(map))
}
