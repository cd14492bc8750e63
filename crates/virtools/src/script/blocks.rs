//! Building blocks that files use.

use super::Scripts;
use crate::class::behavior::Prototype;
use std::collections::BTreeMap;

/// Uses of a building block.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// Number of behaviours that are such a block.
    pub count: u64,
    /// Names that behaviours of this kind have, as stored, with how many have each.
    pub names: BTreeMap<Vec<u8>, u64>,
}

impl Scripts<'_> {
    /// The building blocks, by GUID and version.
    pub fn blocks(&self) -> BTreeMap<Prototype, Uses> {
        let mut blocks: BTreeMap<Prototype, Uses> = BTreeMap::new();
        for (index, behavior) in &self.behaviors {
            let Some(prototype) = behavior.prototype else { continue };
            let uses = blocks.entry(prototype).or_default();
            uses.count = uses.count.saturating_add(1);
            let name = uses.names.entry(self.name(*index).to_vec()).or_default();
            *name = name.saturating_add(1);
        }
        blocks
    }
}
