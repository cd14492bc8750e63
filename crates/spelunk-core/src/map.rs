//! The one module with `unsafe`: mapping a file into memory.

use bytes::Bytes;
use std::{fs::File, io};

/// Maps the bytes of a file from `start` on for reading.
#[allow(unsafe_code)]
pub(crate) fn map(file: &File, start: u64) -> io::Result<Bytes> {
    // SAFETY: the map is private to the returned handle and never written through. The bytes stay as they
    // are unless another process changes the file; `source::Mapping` documents that risk and the option
    // that avoids it. Nothing in this workspace truncates or overwrites bytes that it has mapped: outputs
    // are new files that are renamed (`replace`). A pack that is appended to grows behind what is mapped of it, is never cut
    // below that, and its header, which is written over, lies before `start`: the handle leads to no byte of it.
    let map = unsafe { memmap2::MmapOptions::new().offset(start).map(file)? };
    Ok(Bytes::from_owner(map))
}
