//! `CKSound` (`docs/formats/classes/sounds.md#cksound`).

use super::{
    be_object::BeObject,
    fresh::{Fresh, Host},
};
use crate::codec::{Codec, Coded, Layout, Text, field, group};
use spelunk_core::Ty;

const PAGE: &str = "docs/formats/classes/sounds.md#cksound";

/// Names of the places of the file of a sound.
pub const SAVE_OPTIONS: &[(i64, &str)] =
    &[(0, "external"), (ORIGINAL_FILE as i64, "include original"), (2, "global setting")];

/// Of [`SAVE_OPTIONS`]: as an included file.
pub const ORIGINAL_FILE: u32 = 1;

/// A sound in a file of its own.
#[derive(Clone, Debug, Default)]
pub struct Sound {
    /// State of the base class.
    pub be_object: BeObject,
    /// Place of the sound.
    pub source: Option<SoundFile>,
}

/// Place of a sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoundFile {
    /// Whether its file is included, see [`SAVE_OPTIONS`].
    pub save_option: u32,
    /// The name of its file.
    pub file: Text,
}

impl Layout for Sound {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        self.be_object.layout(c)?;
        c.section(0x1000, group!("sound", "Where it is."), &mut self.source, |c, source| {
            let SoundFile { save_option, file } = source;
            let field = field!("save_option", Ty::U32, "Where its file is.", values(SAVE_OPTIONS));
            c.item(field, save_option)?;
            c.text(field!("file", Ty::Text, "The name of its file."), file)
        })
    }
}

/// The one of [`SAVE_OPTIONS`] that all sounds of real files have.
const GLOBAL_SETTING: u32 = 2;

impl Fresh for Sound {
    fn fresh(host: &Host) -> Sound {
        let source = SoundFile { save_option: GLOBAL_SETTING, ..SoundFile::default() };
        Sound { be_object: Fresh::fresh(host), source: Some(source) }
    }
}
