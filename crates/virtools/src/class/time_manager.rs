//! The time manager (`docs/formats/classes/managers.md#time-manager`).

use crate::codec::{Codec, Coded, Layout};

/// Which manager it is.
pub const GUID: [u32; 2] = [0x89CE_7B32, 0];

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct TimeManager {}

impl Layout for TimeManager {
    fn layout<C: Codec>(&mut self, _: &mut C) -> Coded<C> {
        Ok(())
    }
}
