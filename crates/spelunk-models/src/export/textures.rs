//! Textures as PNG files, and where the files are that hold them.

use super::{ExportSource, Options, OutputFile, pixels, with_scene};
use spelunk_core::{Budget, Error, Result, source::Mapping, text::CodePages};
use spelunk_open::{
    Opened, codes,
    entries::search::Search,
    files::{FileName, Files, Reading},
    safe_path::SafePaths,
};
use std::{ops::Range, sync::Arc};
use virtools::{
    chunk::bitmap::{
        Rgba,
        image::{self, Encoding, ImageFormat},
    },
    scene::{Scene, texture::Texture},
};

/// The folders in which files of textures are looked for: those that were named, then where the file lies, `Textures`
/// there, and `../Textures`.
pub fn folders(files: Arc<dyn Files>, file: Option<&FileName>, named: &[FileName]) -> Search {
    Search::beside(files, file, &["textures"], named)
}

/// A picture of a texture.
#[derive(Debug)]
pub(super) enum Picture {
    /// The texture names no file and holds no picture.
    None,
    /// The file of this name was not found.
    Missing(String),
    /// A PNG file.
    Png {
        png: Vec<u8>,
        /// The name of the file that the texture names.
        file: Option<String>,
        /// Whether the picture was in the container, and not in that file.
        embedded: bool,
    },
}

impl ExportSource<'_, '_, '_> {
    /// The picture of a slot of a texture as PNG. One that cannot be decoded is reported, and treated as missing.
    ///
    /// # Errors
    /// Limits; what the sink makes of a finding.
    pub fn picture(&mut self, index: u32, slot: usize) -> Result<Picture> {
        let Some(texture) = self.scene.textures.get(&index) else { return Ok(Picture::None) };
        let file = texture.file_name(slot).map(|name| self.pages.show(name).into_owned());
        let before = self.task.budget.left().memory;
        let (pages, budget) = (self.pages, &mut self.task.budget);
        let png = match decoded(texture, slot, &self.search, pages, budget) {
            Ok(Decoded::None) => return Ok(Picture::None),
            Ok(Decoded::Missing(name)) => return Ok(Picture::Missing(name)),
            Ok(Decoded::Picture { picture, embedded, .. }) => {
                image::encode(&picture, Encoding::Png).map(|png| (png, embedded))
            }
            Err(error) => Err(error),
        };
        let taken = before.saturating_sub(self.task.budget.left().memory);
        self.task.budget.release(taken);
        match png {
            Ok((png, embedded)) => {
                self.task.budget.memory(png.len() as u64)?;
                Ok(Picture::Png { png, file, embedded })
            }
            Err(error)
                if error.code().class == spelunk_core::Class::Limit || error.is_cancelled() =>
            {
                Err(error)
            }
            Err(error) => {
                let name = self.name(index);
                self.task.warn(Error::new(&codes::PICTURE).found(format!("`{name}`: {error}")))?;
                Ok(file.map_or(Picture::None, Picture::Missing))
            }
        }
    }

    /// Reports the files of textures that were not found.
    ///
    /// # Errors
    /// What the sink makes of a finding.
    pub fn report_missing(&mut self, mut missing: Vec<String>) -> Result<()> {
        missing.sort();
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        let missing = format!("{} (name folders with --textures)", missing.join(", "));
        self.task.warn(Error::new(&codes::TEXTURES).found(missing))
    }
}

/// A picture of a texture, decoded.
#[derive(Debug)]
pub(crate) enum Decoded {
    /// The texture names no file and holds no picture.
    None,
    /// The file of this name was not found.
    Missing(String),
    /// The picture.
    Picture {
        picture: Rgba,
        /// The name of the file that the texture names.
        file: Option<String>,
        /// Whether the picture was in the container, and not in that file.
        embedded: bool,
    },
}

/// The picture of a slot of a texture.
///
/// # Errors
/// Where it cannot be decoded; limits.
pub(crate) fn decoded(
    texture: &Texture,
    slot: usize,
    search: &Search,
    pages: &CodePages,
    budget: &mut Budget,
) -> Result<Decoded> {
    let file = texture.file_name(slot).map(|name| pages.show(name).into_owned());
    if let Some(picture) = texture.picture(slot, budget)? {
        return Ok(Decoded::Picture { picture, file, embedded: true });
    }
    let Some(name) = file else { return Ok(Decoded::None) };
    let Some((files, found)) = search.find(&name) else { return Ok(Decoded::Missing(name)) };
    let picture = load(files, found, texture, budget)?;
    Ok(Decoded::Picture { picture, file: Some(name), embedded: false })
}

/// The picture in an image file.
fn load(
    files: &dyn Files,
    name: &FileName,
    texture: &Texture,
    budget: &mut Budget,
) -> Result<Rgba> {
    let how = Reading { mapping: Mapping::default(), most: budget.left().memory };
    let bytes = files.read(name, how, budget)?;
    let extension = name.as_path().extension().unwrap_or_default();
    let format = ImageFormat::sniff(&bytes)
        .or_else(|| ImageFormat::from_extension(extension.as_encoded_bytes()))
        .unwrap_or(ImageFormat::Tga);
    let mut picture = image::decode(&bytes, format, budget)?;
    texture.make_transparent(&mut picture);
    Ok(picture)
}

/// The textures of a file, or those that are chosen, as PNG files: every slot of them, or the one of the options; of packs as
/// [`pixels::export`] makes them. Files that are named and not found are reported.
///
/// # Errors
/// [`NOTHING`](codes::NOTHING) where there is no picture at all; [`NO_SLOT`](codes::NO_SLOT) where no texture has that slot; [`NOT_EXPORTED`](codes::NOT_EXPORTED) for files of
/// other formats; reading errors; limits.
pub fn export(opened: &mut Opened, options: &Options) -> Result<Vec<OutputFile>> {
    if pixels::is_for(opened) {
        let mut made = Vec::new();
        pixels::export(opened, options, pixels::TextureFileFormat::Png, &mut |file| {
            made.push(file);
            Ok(())
        })?;
        return Ok(made);
    }
    with_scene(
        opened,
        options,
        |file, task| Scene::textures(file, task),
        |mut source| {
            let textures = chosen_slots(&source, options.slot)?;
            let mut made = Vec::new();
            let mut missing = Vec::new();
            let mut names = SafePaths::default();
            for (index, slots, is_one_of_many) in textures {
                for slot in slots {
                    match source.picture(index, slot)? {
                        Picture::None => {}
                        Picture::Missing(name) => missing.push(name),
                        Picture::Png { png: content, .. } => {
                            let name = source.name(index).replace('/', "%2F");
                            let name = if is_one_of_many { format!("{name}.{slot}") } else { name };
                            made.push(OutputFile {
                                name: names.claim(&format!("{name}.png")),
                                content,
                            });
                        }
                    }
                }
            }
            let all_missing = !missing.is_empty();
            source.report_missing(missing)?;
            if made.is_empty() {
                let why =
                    if all_missing { "files of all textures are missing" } else { "no textures" };
                return Err(Error::new(&codes::NOTHING).found(why));
            }
            Ok(made)
        },
    )
}

/// The chosen textures, the slots of each that are exported, and whether it has more than one.
fn chosen_slots(
    source: &ExportSource<'_, '_, '_>,
    only: Option<u32>,
) -> Result<Vec<(u32, Range<usize>, bool)>> {
    let is_chosen = |index: u32| source.chosen.as_ref().is_none_or(|chosen| chosen.has(index));
    let textures = source.scene.textures.iter().filter(|(index, _)| is_chosen(**index));
    let all: Vec<(u32, usize)> =
        textures.map(|(index, texture)| (*index, texture.slots())).collect();
    let Some(only) = only else {
        return Ok(all.into_iter().map(|(index, slots)| (index, 0..slots, slots > 1)).collect());
    };
    let slot = only as usize;
    let most = all.iter().map(|(_, slots)| *slots).max().unwrap_or_default();
    if most > 0 && slot >= most {
        let error = Error::new(&codes::NO_SLOT).expected(format!("--slot below {most}"));
        return Err(error.found(format!("--slot {only}")));
    }
    let with = all.into_iter().filter(|(_, slots)| slot < *slots);
    Ok(with.map(|(index, slots)| (index, slot..slot.saturating_add(1), slots > 1)).collect())
}
