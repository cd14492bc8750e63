//! `CKSprite3D` (`docs/formats/classes/entities.md#cksprite3d`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Sprite3d {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Sprite3d {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
