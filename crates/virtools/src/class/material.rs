//! `CKMaterial` (`docs/formats/classes/materials.md#ckmaterial`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Material {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Material {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
