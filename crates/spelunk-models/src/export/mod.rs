//! Content to files of other kinds: models, pictures, tables (`docs/export.md`).
//!
//! What stands in the space of a Virtools file goes to glTF ([`gltf`]) and OBJ ([`obj`]), its textures to PNG
//! ([`textures`]), its data arrays to CSV ([`csv`]). Textures of packs go to PNG, DDS and KTX2 ([`pixels`]).

#![cfg_attr(not(feature = "gltf"), allow(dead_code, reason = "models use more than pictures do"))]

#[cfg(feature = "csv")]
pub mod csv;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "gltf")]
pub mod obj;
pub mod pixels;
mod selection;
pub mod textures;

use selection::Selection;
pub use snpak::texture::TextureShape;
use spelunk_core::{Result, Task, text::CodePages};
pub use spelunk_open::files::OutputFile;
use spelunk_open::{Opened, codes, entries::search::Search, model};
use virtools::{File, scene::Scene};

/// Options of an export: the objects, and their form.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Paths or globs of objects: these alone, entities with what stands below them, groups with their members. All
    /// objects where there are none.
    pub paths: Vec<String>,
    /// Whether hidden entities are left out.
    pub no_hidden: bool,
    /// Folders that are searched for files of textures.
    pub textures: Search,
    /// Slot of textures of Virtools files, counted from 0; all slots where there is none.
    pub slot: Option<u32>,
    /// Whether each mip of a texture of a pack becomes a PNG file of its own.
    pub mips: bool,
    /// Format and size of textures of packs whose payloads are of no known type.
    pub shape: Option<TextureShape>,
}

/// Source of an exporter: the scene and the choice of objects.
struct ExportSource<'a, 'f, 't> {
    scene: Scene<'f>,
    /// The chosen objects; `None` for all.
    chosen: Option<Selection>,
    no_hidden: bool,
    search: Search,
    pages: &'a CodePages,
    task: &'a mut Task<'t>,
}

impl ExportSource<'_, '_, '_> {
    /// The name of an object for people.
    fn name(&self, index: u32) -> String {
        shown(&self.scene, self.pages, index)
    }

    /// Takes the memory of the names of objects: one long name may be repeated for many.
    fn charge_names(&mut self, indices: impl Iterator<Item = u32>) -> Result<()> {
        for index in indices {
            // As text, and as JSON.
            let len = self.scene.name(index).len() as u64;
            self.task.budget.memory(len.saturating_mul(4).saturating_add(128))?;
        }
        Ok(())
    }
}

/// The name of an object for people.
fn shown(scene: &Scene<'_>, pages: &CodePages, index: u32) -> String {
    pages.show(spelunk_core::text::until_nul(scene.name(index))).into_owned()
}

/// Works on a scene of a file, which is read first.
fn with_scene<T>(
    opened: &mut Opened,
    options: &Options,
    read: for<'f> fn(&'f File, &mut Task<'_>) -> Result<Scene<'f>>,
    work: impl FnOnce(ExportSource<'_, '_, '_>) -> Result<T>,
) -> Result<T> {
    with_file(opened, |file, pages, task| {
        let scene = read(file, task)?;
        let chosen = Selection::of(file, &options.paths, pages, task)?;
        let search = options.textures.clone();
        work(ExportSource { scene, chosen, no_hidden: options.no_hidden, search, pages, task })
    })
}

/// Works on a Virtools file.
fn with_file<T>(
    opened: &mut Opened,
    work: impl FnOnce(&File, &CodePages, &mut Task<'_>) -> Result<T>,
) -> Result<T> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        work(model::virtools(container, &codes::NOT_EXPORTED)?, &pages, task)
    })
}

/// A number in single precision that is one.
pub(crate) fn finite(value: f64) -> f32 {
    let value = if value.is_nan() { 0.0 } else { value };
    value.clamp(f32::MIN.into(), f32::MAX.into()) as f32
}
