//! `CKLayer` (`docs/formats/classes/entities.md#cklayer`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Layer {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
