//! `CKAnimation` (`docs/formats/classes/animations.md#ckanimation`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Animation {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
