//! `CKSpriteText` (`docs/formats/classes/sprites.md#ckspritetext`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct SpriteText {
    /// What every object saves.
    pub object: Object,
}

impl Layout for SpriteText {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
