//! `CKPlace` (`docs/formats/classes/entities.md#ckplace`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Place {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
