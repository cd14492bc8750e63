//! The behavior manager (`docs/formats/classes/managers.md#behavior-manager`).

use crate::codec::{Codec, Coded, Layout};

/// Which manager it is.
pub const GUID: [u32; 2] = [0x58D6_21AE, 0];

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct BehaviorManager {}

impl Layout for BehaviorManager {
    fn layout<C: Codec>(&mut self, _: &mut C) -> Coded<C> {
        Ok(())
    }
}
