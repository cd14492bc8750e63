//! The archive: header, entries, name table, data, padding.
//!
//! See `docs/formats/pak.md#1-header` to `docs/formats/pak.md#6-checksum`. Nothing in it is
//! compressed.

mod archive;
mod checksum;
mod container;
mod entry;
mod hash;
mod header;
mod names;
mod write;

pub use archive::{Archive, Region, RegionKind};
pub use checksum::checksum;
pub use container::Pak;
pub(crate) use container::shown;
pub use entry::PakEntry;
pub use hash::path_hash;
pub use header::{MAGIC, PakHeader};
pub use names::{MAX_NAME, Names};
