//! The chunk file: a header of 20 bytes and chunks up to the end of the file.
//!
//! See `docs/formats/cff.md#1-file-header` to
//! `docs/formats/cff.md#5-telling-gamedata-maps-saves-and-other-games-apart`.

mod chunk;
mod chunks;
mod container;
pub(crate) mod details;
mod detect;
mod draft;
mod edit;
mod field_edit;
mod form;
mod header;
mod item;
mod list_draft;
mod lists;
mod map2_records;
mod map_info;
mod nested;
mod next;
mod record_edit;
mod records;
mod refs;
mod rows;
mod save_info;
mod spec_rules;
mod verify;
mod within;
mod write;

pub use chunk::{Chunk, ChunkFile, Data, WalkData};
pub use chunks::Chunks;
pub use container::Cff;
pub use detect::Kind;
pub use draft::{Content, Draft, NewChunk};
pub use form::{ChunkHeader, DumpHeader, Form, SpecHeader, TableHeader, UnpackedLength};
pub use header::{FileHeader, MAGIC, MAGIC_2003, MAGIC_SPEC};
pub use lists::List;
pub(crate) use within::WithinChunk;
pub(crate) use write::USUAL_LEVEL;
