//! `CK3dEntity` (`docs/formats/classes/entities.md#ck3dentity`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Entity3d {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Entity3d {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
