//! The archive: header, entries, name table, data, padding.
//!
//! See `docs/formats/pak.md#1-header` to `docs/formats/pak.md#6-checksum`. Nothing in it is
//! compressed. In the dialect `spec` an index at the end stands for entries and names, and data may be packed:
//! `docs/formats/spec.md#4-archives`.

mod archive;
mod archive_draft;
pub mod build;
mod check;
mod checksum;
mod container;
pub(crate) mod details;
mod draft;
mod edit;
mod entry;
pub(crate) mod folders;
mod form;
mod forms;
mod hash;
mod header;
mod index;
pub mod lint;
mod lookup;
mod members;
mod names;
mod order;
mod path;
mod path_order;
mod spec_draft;
mod wanted;
mod write;

pub use archive::{Archive, Region, RegionKind};
pub use archive_draft::{ArchiveDraft, SPEC_VERSION};
pub use checksum::checksum;
pub use container::Pak;
pub use draft::{Draft, is_tight};
pub use entry::PakEntry;
pub use form::{ArchiveForm, PathNumbers, shown};
pub use hash::{MAX_NAME, path_hash};
pub use header::{MAGIC, MAGIC_START, PakHeader};
pub use index::{MAGIC_SPEC, PathEntry, SpecHeader};
pub use members::Members;
pub use names::NameTable;
pub use path::{MemberPath, encoded, lower};
pub use spec_draft::{NewFile, SpecDraft, build_spec};
