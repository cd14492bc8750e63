//! `CKDataArray` (`docs/formats/classes/data-arrays.md#ckdataarray`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct DataArray {
    /// What every object saves.
    pub object: Object,
}

impl Layout for DataArray {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
