//! Models and pictures into Virtools files (`docs/import.md`).
//!
//! A source becomes a model in the space of Virtools, and that objects of a file: of a new one, or of
//! one that is there. Where names meet, [`Policies`] say what happens.

pub mod arrays;
#[cfg(feature = "csv")]
pub mod data_arrays;
mod folder;
mod gltf;
mod model;
mod obj;
mod obj_text;
mod options;
mod put;
mod shape;

pub use folder::SourceFolder;
pub use options::{Options, Policies, Policy, Report, Save};

use crate::export::OutputFile;
use model::{Model, Texture};
use put::{ImportOutcome, Put};
use spelunk_core::{Bytes, Error, Result, Source, WriteOptions};
use spelunk_open::{Opened, codes, model::virtools_mut, skeleton::roomy};
use std::sync::Arc;
use virtools::{File, class};

/// A file with what was imported.
#[derive(Debug)]
pub struct Imported {
    /// The container, with what was noticed.
    pub opened: Opened,
    /// Options for writing it.
    pub options: WriteOptions,
    /// Counts of the imported objects.
    pub report: Report,
    /// Image files of textures that the file names.
    pub textures: Vec<OutputFile>,
}

/// Kind of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ImportFormat {
    Gltf,
    Obj,
    Picture,
}

/// Whether a file is a model or a picture rather than a document of ours. Its content counts; its name, only where
/// that decides nothing.
fn kind(file: &[u8], name: &str) -> Option<ImportFormat> {
    use virtools::chunk::bitmap::image::ImageFormat;
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if gltf::document::is_gltf(file) {
        return Some(ImportFormat::Gltf);
    }
    if extension.eq_ignore_ascii_case("obj") {
        return Some(ImportFormat::Obj);
    }
    let known = ImageFormat::sniff(file).is_some();
    (known || ImageFormat::from_extension(extension.as_bytes()).is_some())
        .then_some(ImportFormat::Picture)
}

/// Whether a file can be imported by [`import`].
pub fn is_source(file: &[u8], name: &str) -> bool {
    kind(file, name).is_some()
}

/// Imports a source into a file, or into a new one. `name` is that of the source, which pictures and models without
/// names are named after.
///
/// # Errors
/// [`IMPORT_KIND`](codes::IMPORT_KIND) for other sources; [`BAD_MODEL`](codes::BAD_MODEL),
/// [`NOT_MODELLED`](codes::NOT_MODELLED), [`TOO_MANY_VERTICES`](codes::TOO_MANY_VERTICES) and
/// [`NOT_REPLACED`](codes::NOT_REPLACED); those of opening the file; reading errors; limits.
pub fn import(
    source: &Bytes,
    name: &str,
    into: Option<Arc<dyn Source>>,
    options: &Options,
    opening: &spelunk_open::Options,
) -> Result<Imported> {
    let len = (source.len() as u64).saturating_add(into.as_ref().map_or(0, |into| into.len()));
    let roomy = roomy(opening, len);
    let is_new = into.is_none();
    let mut opened = match into {
        Some(into) => Opened::open(into, &roomy)?,
        None => blank(&roomy),
    };
    let pages = opened.code_pages();
    let format = opened.container().format();
    let imported = opened.edit(|edit, task| {
        let file = virtools_mut(edit)?;
        let put = Put::new(file, options, &pages, task);
        Some(put.and_then(|put| run(source, name, is_new, put)))
    });
    let imported = imported.flatten();
    let done = imported.unwrap_or_else(|| Err(Error::new(&codes::NO_EDITING).found(format)))?;
    let ImportOutcome { report, files } = done;
    Ok(Imported { opened, options: WriteOptions::default(), report, textures: files.made })
}

/// A new file without objects.
pub fn blank(options: &spelunk_open::Options) -> Opened {
    Opened::of(Box::new(File::new()), options)
}

/// Reads a source and puts it into the file.
fn run(source: &Bytes, name: &str, is_new: bool, put: Put<'_, '_>) -> Result<ImportOutcome> {
    let unknown = || Error::new(&codes::IMPORT_KIND).found(format!("`{name}`"));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = stem.rsplit(['/', '\\']).next().unwrap_or(stem);
    let folder = put.options.folder.as_ref();
    let model = match kind(source, name).ok_or_else(unknown)? {
        ImportFormat::Gltf => gltf::read(source, folder, put.task)?,
        ImportFormat::Obj => obj::read(source, stem, folder, put.task)?,
        ImportFormat::Picture if is_new => {
            return Err(unknown().expected("a model; a picture with --into"));
        }
        ImportFormat::Picture => {
            let (name, image) = (stem.to_owned(), Some(source.clone()));
            let texture = Texture { name, image, ..Texture::default() };
            Model { textures: vec![texture], ..Model::default() }
        }
    };
    match &put.options.replace {
        Some(path) => replace(path, model, put),
        None => put.all(model),
    }
}

/// Puts a mesh or a texture of a model in the place of one of the file.
fn replace(path: &str, mut model: Model, mut put: Put<'_, '_>) -> Result<ImportOutcome> {
    let index = put.object(path)?;
    let from = put.options.from.as_deref();
    match put.file.table().objects.get(index as usize).map(|object| object.class_id) {
        Some(class::TEXTURE) => {
            let at = one_of(&model.textures, |texture| &texture.name, from)?;
            put.replace_texture(index, model.textures.swap_remove(at))?;
        }
        Some(class::MESH) => {
            let at = one_of(&model.shapes, |shape| &shape.name, from)?;
            put.replace_mesh(
                index,
                model.shapes.swap_remove(at),
                model.textures,
                &model.materials,
            )?;
        }
        _ => {
            return Err(Error::new(&codes::NOT_REPLACED)
                .expected("the path of a mesh or a texture")
                .found(format!("`{path}`")));
        }
    }
    Ok(put.done)
}

/// The item that is named, or the only one.
fn one_of<T>(items: &[T], name: impl Fn(&T) -> &String, from: Option<&str>) -> Result<usize> {
    let wrong = |found: String| Error::new(&codes::NOT_REPLACED).found(found);
    match (from, items) {
        (Some(from), _) => {
            let at = items.iter().position(|item| name(item) == from);
            at.ok_or_else(|| wrong(format!("none of the name `{from}`")))
        }
        (None, [_]) => Ok(0),
        (None, []) => Err(wrong("none".to_owned())),
        (None, items) => {
            let names: Vec<&str> = items.iter().map(|item| name(item).as_str()).collect();
            Err(wrong(format!("{} of them: {}", items.len(), names.join(", "))))
        }
    }
}
