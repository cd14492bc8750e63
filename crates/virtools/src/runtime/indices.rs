//! The indices of groups and scenes.

use crate::class;
use fixedbitset::FixedBitSet;

/// The indices of the groups and of the scenes that there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Indices {
    groups: Lowest,
    scenes: Lowest,
}

impl Indices {
    /// Gives an index to an object that has one by its class.
    pub(super) fn give(&mut self, class_id: u32) -> Option<u32> {
        self.of(class_id).map(Lowest::give)
    }

    /// Takes the index of an object back.
    pub(super) fn take_back(&mut self, class_id: u32, index: Option<u32>) {
        if let (Some(indices), Some(index)) = (self.of(class_id), index) {
            indices.take_back(index);
        }
    }

    fn of(&mut self, class_id: u32) -> Option<&mut Lowest> {
        match class_id {
            _ if class::is_a(class_id, class::GROUP) => Some(&mut self.groups),
            _ if class::is_a(class_id, class::SCENE) => Some(&mut self.scenes),
            // For its own scene, which files hold as a part of it.
            _ if class::is_a(class_id, class::LEVEL) => Some(&mut self.scenes),
            _ => None,
        }
    }
}

/// Numbers from 0 on, of which the lowest that is free is given.
#[derive(Clone, Debug, Default)]
struct Lowest {
    given: FixedBitSet,
    /// Below it none is free.
    from: u32,
}

impl Lowest {
    fn give(&mut self) -> u32 {
        while self.given.contains(self.from as usize) {
            self.from = self.from.saturating_add(1);
        }
        self.given.grow_and_insert(self.from as usize);
        self.from
    }

    fn take_back(&mut self, index: u32) {
        if self.given.contains(index as usize) {
            self.given.remove(index as usize);
            self.from = self.from.min(index);
        }
    }
}
