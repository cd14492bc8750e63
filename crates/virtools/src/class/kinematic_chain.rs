//! `CKKinematicChain` (`docs/formats/classes/animations.md#ckkinematicchain`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct KinematicChain {
    /// What every object saves.
    pub object: Object,
}

impl Layout for KinematicChain {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
