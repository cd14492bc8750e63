//! `CKBehaviorLink` (`docs/formats/classes/behaviors.md#ckbehaviorlink`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct BehaviorLink {
    /// What every object saves.
    pub object: Object,
}

impl Layout for BehaviorLink {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
