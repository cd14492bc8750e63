//! Patches of SnPAK packs.
//!
//! ```json
//! {
//!   "spelunk_patch": 1,
//!   "format": "snpak",
//!   "old": {"size": 3000, "xxh3": "0x..."},
//!   "new": {"size": 3600, "xxh3": "0x..."},
//!   "changes": [
//!     {"asset": "492d61eb-...", "path": "sounds/wind", "change": "changed", "fields": [
//!       {"field": "payload", "old": {"size": 900, "hash": "...", "compression": 1, "level": 1}, "new": {"size": 500, ...}}
//!     ]}
//!   ],
//!   "to_new": [[0, 8], 1, [180, 2820], 0],
//!   "to_old": [[0, 8], 2, [180, 2820]],
//!   "blocks": ["...", "...", "..."]
//! }
//! ```
//!
//! Made to the very file that it was made from, a patch gives the other one byte for byte, history and all: `to_new` lists
//! its bytes as stretches of the old file, `[OFFSET, LENGTH]`, and as numbers of `blocks`, which are base64. `to_old` is the
//! way back. Payloads that both files store are in neither.
//!
//! Made to another pack, the changes are made asset by asset and field by field, as a new state behind it. Fields are those
//! of [`AssetField`](snpak::edit::state::AssetField); what was there and what is to be there stand side by side. A payload has the
//! number of its `block`, where one of the files does not store it; it is checked by its hash. Those that both files store
//! have to be in the other pack as well, in any state of it.

mod apply;
mod form;
mod make;
mod value;

pub use super::delta::Run;
pub use apply::apply;
pub(super) use form::FORMAT;
pub use form::{AssetChange, FieldChange, PackPatch, Sort};
pub use make::between;
