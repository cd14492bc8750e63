//! Models and pictures into Virtools files (`docs/import.md`).
//!
//! A source becomes a model in the space of Virtools, and that objects of a file: of a new one, or of
//! one that is there. Where names meet, [`Policies`] say what happens.

mod gltf;
mod model;
mod obj;
mod obj_text;
mod put;
mod shape;

use crate::export::Made;
use model::{Model, Texture};
use put::{Done, Put};
use spelunk_core::{Bytes, Error, Result, Seg, Source, WriteOptions};
use spelunk_open::{
    Opened, codes,
    entries::select::Select,
    files::{Disk, FileName, Files, Reading},
    skeleton::roomy,
};
use std::{fmt, io, path::PathBuf, sync::Arc};
use virtools::{File, class};

/// Treatment of an imported object with the name of one that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The imported one gets another name.
    Rename,
    /// The imported one takes the place of the old one; what the source does not hold, such as scripts, stays.
    Replace,
    /// The old one is used. To a group that is kept, members are added.
    Keep,
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
    /// Whether image files are made of textures that the file only names ([`Imported::textures`]).
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

/// The folder in which the files lie that a source names: its buffers, materials and images.
#[derive(Clone)]
pub struct SourceFolder {
    files: Arc<dyn Files>,
    name: FileName,
}

impl SourceFolder {
    /// A folder of these files.
    pub fn new(files: Arc<dyn Files>, name: FileName) -> SourceFolder {
        SourceFolder { files, name }
    }
}

impl From<PathBuf> for SourceFolder {
    /// A folder on the disk.
    fn from(path: PathBuf) -> SourceFolder {
        SourceFolder::new(Arc::new(Disk), path.into())
    }
}

impl fmt::Debug for SourceFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

impl Options {
    /// Returns the storage for a texture, where that is said.
    fn save_of(&self, name: &str) -> Option<Save> {
        let fits = |glob: &String| {
            Select::new(&[glob], &[]).is_ok_and(|select| select.matches(name, "", name))
        };
        self.saves.iter().rev().find(|(glob, _)| fits(glob)).map(|(_, save)| *save)
    }
}

impl Policies {
    /// The policy for objects of a family.
    fn of(self, family: put::Family) -> Policy {
        match family {
            put::Family::Entity => self.object,
            put::Family::Mesh => self.mesh,
            put::Family::Material => self.material,
            put::Family::Texture => self.texture,
            put::Family::Group => self.group,
            // Those that are there hold more than models do.
            put::Family::Animation if self.object == Policy::Rename => Policy::Rename,
            put::Family::Animation => Policy::Keep,
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
    pub textures: Vec<Made>,
}

/// Kind of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Gltf,
    Obj,
    Picture,
}

/// Whether a file is a model or a picture rather than a document of ours. Its content counts; its name, only where
/// that decides nothing.
fn kind(file: &[u8], name: &str) -> Option<Kind> {
    use virtools::chunk::bitmap::image::ImageFormat;
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if gltf::document::is_gltf(file) {
        return Some(Kind::Gltf);
    }
    if extension.eq_ignore_ascii_case("obj") {
        return Some(Kind::Obj);
    }
    let known = ImageFormat::sniff(file).is_some();
    (known || ImageFormat::from_extension(extension.as_bytes()).is_some()).then_some(Kind::Picture)
}

/// Whether a file can be imported by [`import`].
pub fn is_source(file: &[u8], name: &str) -> bool {
    kind(file, name).is_some()
}

/// Opens a file that a source names: beside it or in a folder there, and nowhere else.
///
/// # Errors
/// [`BAD_MODEL`](codes::BAD_MODEL) for other names; those of opening the file.
fn beside(folder: Option<&SourceFolder>, name: &str) -> Result<Arc<dyn Source>> {
    let elsewhere = || {
        Error::new(&codes::BAD_MODEL)
            .expected("a file beside the document, or in a folder there")
            .found(format!("`{name}`"))
    };
    let SourceFolder { files, name: folder } = folder.ok_or_else(elsewhere)?;
    let within = |error: Error| error.within(Seg::Key(name.to_owned().into()));
    let found = files.locate(folder, name.strip_prefix("./").unwrap_or(name));
    let file = found.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => elsewhere(),
        _ => within(Error::io(error)),
    })?;
    files.open(&file, Reading::default()).map_err(within)
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
        None => Opened::of(Box::new(File::new()), &roomy),
    };
    let pages = opened.code_pages();
    let format = opened.container().format();
    let imported = opened.edit(|edit, task| {
        let file = edit.model_mut::<File>()?;
        let put = Put::new(file, options, &pages, task);
        Some(put.and_then(|put| run(source, name, is_new, put)))
    });
    let imported = imported.flatten();
    let done = imported.unwrap_or_else(|| Err(Error::new(&codes::NO_EDITING).found(format)))?;
    let Done { report, files } = done;
    Ok(Imported { opened, options: WriteOptions::default(), report, textures: files.made })
}

/// Reads a source and puts it into the file.
fn run(source: &Bytes, name: &str, is_new: bool, put: Put<'_, '_>) -> Result<Done> {
    let unknown = || Error::new(&codes::IMPORT_KIND).found(format!("`{name}`"));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = stem.rsplit(['/', '\\']).next().unwrap_or(stem);
    let folder = put.options.folder.as_ref();
    let model = match kind(source, name).ok_or_else(unknown)? {
        Kind::Gltf => gltf::read(source, folder, put.task)?,
        Kind::Obj => obj::read(source, stem, folder, put.task)?,
        Kind::Picture if is_new => {
            return Err(unknown().expected("a model; a picture with --into"));
        }
        Kind::Picture => {
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
fn replace(path: &str, mut model: Model, mut put: Put<'_, '_>) -> Result<Done> {
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
