//! The ways in which a file can be loaded.

use super::flags;
use crate::{class, runtime::classes};

/// Options of a load.
#[derive(Clone, Debug)]
pub struct Load {
    /// [`flags`]: what is loaded and how.
    pub flags: u32,
    /// Treatment of objects whose names are there already.
    pub modes: Modes,
    /// Whether names are also compared with those of objects of the same file, as engines do.
    pub compare_own: bool,
    /// Whether all levels of the file get their states, not only the first one, as in engines.
    pub all_levels: bool,
    /// Whether what engines leave out or change stays as it is, so that it is saved again. Entries for which engines create
    /// nothing get objects: those that the file only refers to and nobody has, and those without a chunk. Scenes of data
    /// version 0 keep their states, and attributes that are new keep the flags of the file.
    pub keep_entries: bool,
    /// Whether chunks of old generations and data versions are brought to the current layout, as far as it is known, which is
    /// what engines do when they load and save.
    pub renew: bool,
    /// Name of the character that [`flags::AS_CHARACTER`] makes where the file has none.
    pub character: Option<Vec<u8>>,
}

impl Default for Load {
    fn default() -> Load {
        Load {
            flags: flags::DEFAULT,
            modes: Modes::default(),
            compare_own: true,
            all_levels: false,
            keep_entries: false,
            renew: false,
            character: None,
        }
    }
}

impl Load {
    /// All that files hold, entries too for which engines create nothing, so that a saving loses nothing. With modes, names
    /// are compared with those of other files.
    pub fn everything(modes: Option<Modes>) -> Load {
        Load {
            flags: flags::DEFAULT | if modes.is_some() { flags::AUTOMATIC_MODE } else { 0 },
            modes: modes.unwrap_or_default(),
            // Objects of one file that share a name have always been two.
            compare_own: false,
            all_levels: true,
            keep_entries: true,
            ..Load::default()
        }
    }

    pub(super) fn has(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

/// Treatment of an object whose name another one of its class has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Two objects have the name.
    Keep,
    /// The one that is there gets the state of the new one, which is not created. (Known engines do as with
    /// [`Mode::Keep`], for they never finished this.)
    Replace,
    /// The new one gets a number behind its name.
    Rename,
    /// The one that is there is used as it is.
    UseCurrent,
}

/// Treatment of objects whose names are there already, by families of classes. They are asked from the most special one on;
/// `None` has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Modes {
    /// Of what belongs to no other family.
    pub general: Option<Mode>,
    /// Of what stands in space.
    pub entities_3d: Option<Mode>,
    /// Of meshes.
    pub meshes: Option<Mode>,
    /// Of materials, and of textures that have none of their own.
    pub materials: Option<Mode>,
    /// Of textures, where it is another one than that of materials. Engines have one for both.
    pub textures: Option<Mode>,
    /// Of groups, where it is another one than that of what belongs to no other family. Engines have one for both.
    pub groups: Option<Mode>,
}

impl Modes {
    /// The same for all families.
    pub const fn all(mode: Mode) -> Modes {
        let mode = Some(mode);
        Modes {
            general: mode,
            entities_3d: mode,
            meshes: mode,
            materials: mode,
            textures: None,
            groups: None,
        }
    }

    /// The mode for a class. What can be used in the place of a new one and is neither mesh nor material nor texture, as
    /// sprites, has none.
    pub(super) fn of(&self, class_id: u32) -> Option<Mode> {
        let is_a = |ancestor| class::is_a(class_id, ancestor);
        if classes::options(class_id) & classes::CAN_USE_CURRENT != 0 {
            return match class_id {
                _ if is_a(class::MESH) => self.meshes,
                _ if is_a(class::TEXTURE) => self.textures.or(self.materials),
                _ if is_a(class::MATERIAL) => self.materials,
                _ => None,
            };
        }
        match class_id {
            _ if is_a(class::ENTITY_3D) => self.entities_3d,
            _ if is_a(class::GROUP) => self.groups.or(self.general),
            _ => self.general,
        }
    }
}
