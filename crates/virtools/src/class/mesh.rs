//! `CKMesh` (`docs/formats/classes/meshes.md#ckmesh`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// What every object saves.
    pub object: Object,
}

impl Layout for Mesh {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
