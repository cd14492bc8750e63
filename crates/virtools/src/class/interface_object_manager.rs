//! `CKInterfaceObjectManager` (`docs/formats/classes/misc.md#ckinterfaceobjectmanager`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct InterfaceObjectManager {
    /// What every object saves.
    pub object: Object,
}

impl Layout for InterfaceObjectManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
