//! `CKBehavior` (`docs/formats/classes/behaviors.md#ckbehavior`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Behavior {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Behavior {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
