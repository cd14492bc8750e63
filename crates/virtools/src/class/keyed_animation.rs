//! `CKKeyedAnimation` (`docs/formats/classes/animations.md#ckkeyedanimation`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct KeyedAnimation {
    /// What every object saves.
    pub object: Object,
}

impl Layout for KeyedAnimation {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
