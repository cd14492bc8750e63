//! The attribute manager (`docs/formats/classes/managers.md#attribute-manager`).

use crate::codec::{Codec, Coded, Layout};

/// Which manager it is.
pub const GUID: [u32; 2] = [0x3D24_2466, 0];

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct AttributeManager {}

impl Layout for AttributeManager {
    fn layout<C: Codec>(&mut self, _: &mut C) -> Coded<C> {
        Ok(())
    }
}
