//! `CKSprite` (`docs/formats/classes/sprites.md#cksprite`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Sprite {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Sprite {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
