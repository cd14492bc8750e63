//! Patches of SpellForce archives, and of the cache of them.
//!
//! ```json
//! {
//!   "spelunk_patch": 1,
//!   "format": "spellforce-pak",
//!   "old": {"size": 4096, "xxh3": "0x..."},
//!   "new": {"size": 4096, "xxh3": "0x..."},
//!   "changes": [
//!     {"path": "mesh/tower.msb", "old": {"size": 7, "xxh3": "0x...", "block": 2}, "new": {"size": 9, "xxh3": "0x...", "block": 1}},
//!     {"path": "sound/bell.wav", "old": {"size": 4, "xxh3": "0x..."}},
//!     {"path": "sound/gong.wav", "new": {"size": 4, "xxh3": "0x..."}}
//!   ],
//!   "to_new": [0, [76, 400], 1, [483, 3613]],
//!   "to_old": [3, [76, 400], 2, [485, 3611]],
//!   "blocks": ["...", "...", "...", "..."]
//! }
//! ```
//!
//! Made to the very file that it was made from, a patch gives the other one byte for byte: `to_new` lists its bytes as
//! stretches of the old file, `[OFFSET, LENGTH]`, and as numbers of `blocks`, which are base64. `to_old` is the way back.
//! Content that both archives have is in neither.
//!
//! Made to another archive, the changes are made file by file: what was there and what is to be there stand side by side,
//! by size and XXH3 (64 bits) of the content. Content has the number of its `block`, where the other archive does not have it
//! under any path; else it has to be in the archive that the patch is made to, under whatever path. Files whose path or data
//! cannot be read, and those that another one of the same path hides, are in the runs alone.
//!
//! A `pakdata.dat` has no `changes`: it says where the files of certain archives lie, so a patch of it is for this file only.

mod apply;
mod form;
mod make;

pub use super::delta::Run;
pub use apply::apply;
pub(super) use form::is_ours;
pub use form::{ArchivePatch, ContentDescriptor, FileChange};
pub use make::between;
