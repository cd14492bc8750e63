//! `CKCurve` (`docs/formats/classes/entities.md#ckcurve`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Curve {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
