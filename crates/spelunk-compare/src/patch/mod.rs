//! Patches: what has to be done to one file so that it becomes another one.
//!
//! ```json
//! {
//!   "spelunk_patch": 1,
//!   "format": "virtools",
//!   "old": {"size": 88000, "xxh3": "0x..."},
//!   "new": {"size": 88004, "xxh3": "0x..."},
//!   "entries": [
//!     {"key": 232, "kind": "CKDataArray", "old": {"index": 232, "name": "Balls", "nth": 0, "of": 1}, "new": {...}}
//!   ],
//!   "changes": [
//!     {"entry": 232, "edits": [{"at": "/value/data/rows/0/cells/7/value", "old": 0.13, "new": 0.325}]}
//!   ]
//! }
//! ```
//!
//! Both sides stand in it, so a patch can be read, and taken back. Values are those of [documents](spelunk_open::document);
//! the key of an entry (`"@232"`) stands for references to it. Made to the file that it was made from, a patch gives
//! the other one byte for byte: where the changes alone would not, because objects are in another order or words of
//! the header are other ones, a `frame` holds what is left. Made to another file, it changes the entries of the same
//! kind and name, as far as what is to be changed is there; what does not fit is reported.
//!
//! That is the form for Virtools files; [`packs`] has the one for SnPAK packs, [`tables`] that for GameData, maps and saves, [`archives`] that
//! for SpellForce archives and their cache, [`bytes`] that for files that cannot be opened, and [`AnyPatch`] is any of them.

mod any;
mod applied;
mod apply;
pub mod archives;
pub mod bytes;
pub mod delta;
mod edits;
mod entry;
mod form;
mod frame;
mod keys;
mod make;
mod making;
pub mod packs;
pub mod tables;
mod target;

pub use any::AnyPatch;
pub use applied::Applied;
pub(crate) use applied::short;
pub use apply::apply;
pub use edits::Edit;
pub use form::{EntryChange, EntryLocator, Frame, Patch, PatchEntry, Print, Run, Skeleton};
pub(crate) use keys::number as key_number;
pub use make::between;
pub(crate) use make::{Compared, compared, is_entry, mentions};
pub(crate) use tables::{differing, field_value};
pub(crate) use target::{Spot, apply_at, spots};
