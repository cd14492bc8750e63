//! `CKScene` (`docs/formats/classes/scenes.md#ckscene`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Scene {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
