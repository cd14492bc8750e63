//! The form of patches of packs.

use crate::patch::delta::{DeltaPatch, Reversible};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The format of the files.
pub(in crate::patch) const FORMAT: &str = snpak::profile::PROFILE.name;

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
