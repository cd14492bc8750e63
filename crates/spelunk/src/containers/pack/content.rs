//! Content of files that go into a container.

use crate::{
    Budget, Bytes, Result,
    open::files::{
        FileName, Files,
        content::{hash, open_unmapped, reading_error},
    },
};
use twox_hash::XxHash3_128;

/// Whether bytes have a hash that a manifest has: of 64 bits as [`hash`] makes it, or of 128 as packs store it.
pub(super) fn has_hash(bytes: &[u8], known: &str) -> bool {
    match known.starts_with("0x") {
        true => hash(bytes) == known,
        false => format!("{:032x}", XxHash3_128::oneshot(bytes)) == known,
    }
}

/// Reads a file whose size was agreed on.
pub(super) fn read(files: &dyn Files, name: &FileName, budget: &mut Budget) -> Result<Bytes> {
    let source = open_unmapped(files, name)?;
    let len = source.len();
    budget.touch(len)?;
    match source.lend(0..len) {
        Some(bytes) => budget.memory(len).map(|()| bytes),
        None => source.read(0..len, budget).map_err(|error| reading_error(name, error)),
    }
}
