//! `CKMidiSound` (`docs/formats/classes/sounds.md#ckmidisound`).

use super::{
    fresh::{Fresh, Host},
    sound::Sound,
};
use crate::codec::{Codec, Coded, Layout, Text, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/sounds.md#ckmidisound";

/// Music of notes.
#[derive(Clone, Debug, Default)]
pub struct MidiSound {
    /// State of the base class.
    pub sound: Sound,
    /// The name of its file, in old files.
    pub old_file: Option<Text>,
}

impl Layout for MidiSound {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.sound.layout(c)?;
        c.section(
            0x10_0000,
            group!("old_file", "The name of its file, in old files."),
            &mut self.old_file,
            |c, file| c.text(field!("file", Ty::Text, "The name of its file."), file),
        )
    }
}

impl Fresh for MidiSound {
    fn fresh(host: &Host) -> MidiSound {
        MidiSound { sound: Fresh::fresh(host), old_file: None }
    }
}
