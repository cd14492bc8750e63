//! `CKLevel` (`docs/formats/classes/scenes.md#cklevel`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Level {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Level {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
