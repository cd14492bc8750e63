//! Patches of SpellForce's chunk files: GameData, maps, saves.
//!
//! ```json
//! {
//!   "spelunk_patch": 1,
//!   "format": "spellforce-cff",
//!   "old": {"size": 66859922, "xxh3": "0x..."},
//!   "new": {"size": 66859922, "xxh3": "0x..."},
//!   "code_pages": {"old": {"1": "windows-1252"}, "new": {"1": "windows-1251"}},
//!   "tables": [
//!     {"chunk": "2002", "table": "spells", "rows": [
//!       {"key": [1496], "set": {"mana_cost": [30, 15], "recast_time": [60000, 6000]}}
//!     ]},
//!     {"chunk": "2016", "table": "texts", "rows": [
//!       {"key": [14439, 0], "nth": 1, "set": {"content": ["Schwert", "Klinge"]}},
//!       {"key": [70, 1], "add": {"text_id": 70, "language_id": 1, "mode": 0, "handle": "", "content": "Iron"}},
//!       {"key": [71, 1], "remove": {"text_id": 71, "language_id": 1, "mode": 0, "handle": "", "content": "Wood"}}
//!     ], "order": {"new": [[0, 9], [12, 1], [9, 3]], "old": []}}
//!   ]
//! }
//! ```
//!
//! Rows go by their keys, and by `nth` (from 0 on) where several rows have one. What was there and what is to be there stand
//! side by side, so a patch can be read, checked and taken back. Texts are decoded by the code pages that stand in it; one that
//! does not come back from its decoded form is `{"hex": "..."}`, the bytes of its field.
//!
//! Files of the dialect `spec` say so: `"dialect": "spec"`. A patch is made to files of its dialect alone, as rows of one
//! category have other fields there.
//!
//! In maps the rows are the records of lists, and their keys are their positions: those in the old list of what is set or goes,
//! those in the new one of what comes. Beside the fields of a record that are set stand those that stay, as `kept`: by what they
//! hold, records are found in other maps, wherever they are there. Records of maps of the second game have fields with paths, as
//! `components[0].tag.tag`; one that is there in one version alone is null in the other one.
//!
//! Made to the very file that it was made from, a patch gives the other one byte for byte. Where rows would not end up in
//! their order, `order` lists them: runs of the rows as they are after the changes, `[FIRST, COUNT]`. What is no row stands
//! in `chunks` (plain data that is no rows, as a whole, or as `edits` where it stays as long as it was and little of it
//! differs) and `frame` (the header, and the chunks in their order, with how they are
//! packed), where that differs. Made to another file, the rows are changed field by field as far as what is to be changed
//! is there; the rest is reported.

mod apply;
mod bytes;
mod cell;
mod chunks;
mod closest;
mod elsewhere;
mod field;
mod form;
mod lists;
mod make;
mod structures;

pub use apply::apply;
pub(crate) use bytes::differing;
pub(crate) use field::value as field_value;
pub use form::{
    Both, ByteEdit, ChunkChange, ChunkFileFrame, ChunkPlacement, Pages, RowChange, SpecFrame,
    TableChange, TablePatch,
};
pub use make::between;
use spellforce::profile;

/// Whether files of a format are chunk files.
pub(super) fn is_ours(format: &str) -> bool {
    [&profile::GAMEDATA, &profile::MAP, &profile::SAVE].iter().any(|it| it.name == format)
}
