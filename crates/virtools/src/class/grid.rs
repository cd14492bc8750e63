//! `CKGrid` (`docs/formats/classes/entities.md#ckgrid`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Grid {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
