//! `CKParameterIn` (`docs/formats/classes/parameters.md#ckparameterin`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct ParameterIn {
    /// What every object saves.
    pub object: Object,
}

impl Layout for ParameterIn {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
