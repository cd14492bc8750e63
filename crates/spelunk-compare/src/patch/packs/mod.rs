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
//! of [`Slot`](snpak::edit::state::Slot); what was there and what is to be there stand side by side. A payload has the
//! number of its `block`, where one of the files does not store it; it is checked by its hash. Those that both files store
//! have to be in the other pack as well, in any state of it.

mod apply;
mod make;
mod value;

pub use super::delta::Run;
use super::delta::{DeltaPatch, Reversible};
pub use apply::apply;
pub use make::between;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format of the files.
pub(super) const FORMAT: &str = snpak::profile::PROFILE.name;

/// Patch of a pack. Changes are in the order of the old file, what is new behind it.
pub type PackPatch = DeltaPatch<AssetChange>;

/// Change of an asset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetChange {
    /// Id of the asset.
    pub asset: String,
    /// Path for people.
    pub path: String,
    /// Whether it comes, goes or stays.
    pub change: Sort,
    /// Changes of its fields; all fields where it comes or goes.
    pub fields: Vec<FieldChange>,
}

/// Whether an asset comes, goes or stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// The asset comes.
    Added,
    /// The asset goes.
    Removed,
    /// The asset stays, and has other fields.
    Changed,
}

/// Change of a field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldChange {
    /// Name of the field.
    pub field: String,
    /// Value before, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// Value to be there, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
}

impl Reversible for AssetChange {
    fn reversed(self) -> AssetChange {
        let field = |field: FieldChange| FieldChange { old: field.new, new: field.old, ..field };
        AssetChange {
            change: match self.change {
                Sort::Added => Sort::Removed,
                Sort::Removed => Sort::Added,
                Sort::Changed => Sort::Changed,
            },
            fields: self.fields.into_iter().map(field).collect(),
            ..self
        }
    }
}
