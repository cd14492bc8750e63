//! `CK2dEntity` (`docs/formats/classes/sprites.md#ck2dentity`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Entity2d {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Entity2d {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
