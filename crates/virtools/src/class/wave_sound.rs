//! `CKWaveSound` (`docs/formats/classes/sounds.md#ckwavesound`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct WaveSound {
    /// What every object saves.
    pub object: Object,
}

impl Layout for WaveSound {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
