//! `CKSound` (`docs/formats/classes/sounds.md#cksound`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Sound {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Sound {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
