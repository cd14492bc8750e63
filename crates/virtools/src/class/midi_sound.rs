//! `CKMidiSound` (`docs/formats/classes/sounds.md#ckmidisound`).

use super::object::Object;
use crate::codec::{Codec, Coded, Layout};

/// To be described.
#[derive(Clone, Debug, Default)]
pub struct MidiSound {
    /// What every object saves.
    pub object: Object,
}

impl Layout for MidiSound {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.object.layout(c)
    }
}
