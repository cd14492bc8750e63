//! `CKState` (`docs/formats/classes/misc.md#ckstate`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// What every object saves.
    pub object: Object,
}

impl Layout for State {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
