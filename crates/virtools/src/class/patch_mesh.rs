//! `CKPatchMesh` (`docs/formats/classes/meshes.md#ckpatchmesh`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct PatchMesh {
    /// What every object saves.
    pub object: Object,
}

impl Layout for PatchMesh {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
