//! What is asked of an import, and what came of it.

use super::{folder::SourceFolder, put::ObjectFamily};
use spelunk_open::entries::select::Select;

/// Treatment of an imported object with the name of one that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The imported one gets another name.
    Rename,
    /// The imported one takes the place of the old one; what the source does not hold, such as scripts, stays.
    Replace,
    /// The old one is used. To a group that is kept, members are added.
    Keep,
    /// Both have the name.
    Both,
}

/// Policies for objects by their types.
#[derive(Clone, Copy, Debug)]
pub struct Policies {
    /// Entities: objects, cameras, lights, curves.
    pub object: Policy,
    /// Meshes.
    pub mesh: Policy,
    /// Materials.
    pub material: Policy,
    /// Textures.
    pub texture: Policy,
    /// Groups.
    pub group: Policy,
}

impl Policies {
    /// Returns one policy for objects of all types.
    pub const fn all(policy: Policy) -> Policies {
        Policies { object: policy, mesh: policy, material: policy, texture: policy, group: policy }
    }
}

impl Default for Policies {
    fn default() -> Policies {
        Policies {
            object: Policy::Rename,
            mesh: Policy::Rename,
            material: Policy::Rename,
            texture: Policy::Keep,
            group: Policy::Keep,
        }
    }
}

/// Storage of the picture of a texture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Save {
    /// As pixels.
    Raw,
    /// As the name of a file.
    External,
    /// As the name of a file that the container carries along.
    Original,
    /// As an image file within the texture.
    Embedded,
}

/// Options of an import.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Policies for objects whose names meet.
    pub policies: Policies,
    /// Storage of textures, by globs of their names; the last one that fits counts. Without any, pictures are stored as they were
    /// when they were exported, new ones as pixels.
    pub saves: Vec<(String, Save)>,
    /// Whether image files are made of textures that the file only names ([`Imported::textures`](super::Imported::textures)).
    pub write_textures: bool,
    /// Whether shapes of too many vertices become several meshes.
    pub split: bool,
    /// Groups `Sector_01` to this one are made where they are missing.
    pub sectors: Option<u32>,
    /// The path of the mesh or texture whose place the source takes, and nothing else of it is imported.
    pub replace: Option<String>,
    /// The name of the mesh or texture of the source that takes it; needed where there are several.
    pub from: Option<String>,
    /// The folder of files that the source names.
    pub folder: Option<SourceFolder>,
}

impl Options {
    /// Returns the storage for a texture, where that is said.
    pub(super) fn save_of(&self, name: &str) -> Option<Save> {
        let fits = |glob: &String| {
            Select::new(&[glob], &[]).is_ok_and(|select| select.matches(name, "", name))
        };
        self.saves.iter().rev().find(|(glob, _)| fits(glob)).map(|(_, save)| *save)
    }
}

impl Policies {
    /// The policy for objects of a family.
    pub(super) fn of(self, family: ObjectFamily) -> Policy {
        match family {
            ObjectFamily::Entity => self.object,
            ObjectFamily::Mesh => self.mesh,
            ObjectFamily::Material => self.material,
            ObjectFamily::Texture => self.texture,
            ObjectFamily::Group => self.group,
            // Those that are there hold more than models do.
            ObjectFamily::Animation => match self.object {
                new @ (Policy::Rename | Policy::Both) => new,
                Policy::Replace | Policy::Keep => Policy::Keep,
            },
        }
    }
}

/// Counts of objects by their treatment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Objects that are new.
    pub created: usize,
    /// Objects whose place imported ones took.
    pub replaced: usize,
    /// Objects that were there and are used.
    pub kept: usize,
    /// Objects among the new ones that have another name than in the source.
    pub renamed: usize,
}
