//! `CKSynchroObject` (`docs/formats/classes/misc.md#cksynchroobject`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Synchro {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Synchro {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
