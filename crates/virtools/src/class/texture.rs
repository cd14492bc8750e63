//! `CKTexture` (`docs/formats/classes/textures.md#cktexture`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Texture {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
