//! `pakdata.dat`: a third-party editor's cache of the directories of all archives.
//!
//! See `docs/formats/pak.md#7-pakdatadat`, and `docs/formats/spec.md#5-pakdatadat` for its form in the dialect `spec`. It has no magic, so it is recognised by its first
//! records, and no checksum.

mod build;
mod cache;
mod check;
mod container;
pub(crate) mod details;
mod form;
pub mod lint;
mod records;
mod write;

pub use build::{CacheArchive, build, build_spec, form as form_of};
pub use cache::{Cache, Cached, CachedFile};
pub use check::{Present, check};
pub use container::{PakData, Paks};
pub use form::{PakCount, SpecHeader};
pub use records::{CacheEntry, CacheHeader, PakNumbers, PakRepeats};

pub use crate::pak::ArchiveForm;
