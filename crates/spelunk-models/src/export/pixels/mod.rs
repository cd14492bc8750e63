//! Textures of packs as PNG, DDS and KTX2 files (`docs/export.md`, "Textures of packs").

mod dds;
#[cfg(feature = "images")]
mod decode;
#[cfg(not(feature = "images"))]
#[path = "without.rs"]
mod decode;
mod ktx2;
mod texture;

use super::{Options, OutputFile};
pub(crate) use decode::rgba;
use snpak::{
    Pack,
    texture::{Mip, Texture},
};
use spelunk_core::{
    Class, Container, Error, Of, Result, Task, codes as core, text::CodePages, walk::finish,
};
use spelunk_open::{
    Model, Opened, codes,
    entries::select::Select,
    model,
    safe_path::{SafePaths, file_name},
};
use std::collections::BTreeMap;
use virtools::chunk::bitmap::image::{self, Encoding};

/// Kinds of files that textures go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextureFileFormat {
    /// The largest mip, or every mip in a file of its own, decoded to 8 bits for each channel.
    Png,
    /// All mips as they are.
    Dds,
    /// All mips as they are.
    Ktx2,
}

impl TextureFileFormat {
    const fn extension(self) -> &'static str {
        match self {
            TextureFileFormat::Png => "png",
            TextureFileFormat::Dds => "dds",
            TextureFileFormat::Ktx2 => "ktx2",
        }
    }
}

/// The largest number of mips of a texture.
const MOST_MIPS: usize = 32;

/// Whether a file is one whose textures are exported here.
pub fn is_for(opened: &Opened) -> bool {
    matches!(Model::of(opened.container()), Model::Pack(_))
}

/// Hands the textures of a pack, or those that are chosen, to `each` as files, in the order of its index. An error of one of
/// several is reported, and the others are exported. Returns the number of files.
///
/// # Errors
/// [`NOTHING`](codes::NOTHING) where there are none; [`NOT_EXPORTED`](codes::NOT_EXPORTED) for files of other formats;
/// what is wrong with the texture where it is the only one; what `each` returns; reading errors; limits.
pub fn export(
    opened: &mut Opened,
    options: &Options,
    kind: TextureFileFormat,
    each: &mut dyn FnMut(OutputFile) -> Result<()>,
) -> Result<usize> {
    let pages = opened.code_pages();
    opened.run(|container, task| {
        let pack = model::pack(container, &codes::NOT_EXPORTED)?;
        let chosen = chosen(pack, options, &pages, task)?;
        let mut count = 0_usize;
        let mut put = |made: OutputFile| {
            count = count.saturating_add(1);
            each(made)
        };
        let mut names = SafePaths::default();
        let mut failed = false;
        for (row, name) in &chosen {
            let before = task.budget.left().memory;
            let made = one(pack, *row, name, options, kind, &mut names, task, &mut put);
            let taken = before.saturating_sub(task.budget.left().memory);
            task.budget.release(taken);
            match made {
                Ok(()) => {}
                Err(error) if chosen.len() == 1 => return Err(error),
                Err(error)
                    if matches!(error.code().class, Class::Limit | Class::Io | Class::Usage) =>
                {
                    return Err(error);
                }
                Err(error) => {
                    failed = true;
                    task.error(error)?;
                }
            }
        }
        if count == 0 {
            let found = match (chosen.is_empty(), failed) {
                (true, _) => "no textures",
                (false, false) => "no texture has a mip",
                (false, true) => "no texture can be exported",
            };
            return Err(Error::new(&codes::NOTHING).found(found));
        }
        Ok(count)
    })
}

/// The textures that are wanted: their positions, and the names of their files without an extension.
fn chosen(
    pack: &Pack,
    options: &Options,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<BTreeMap<usize, String>> {
    let mut chosen = BTreeMap::new();
    let mut wanted = vec![false; options.paths.len()];
    // A path that is not well-formed may still be a glob, and the other way round.
    let globs: Vec<Option<Select>> =
        options.paths.iter().map(|path| Select::new(&[path], &[]).ok()).collect();
    let mut named = BTreeMap::new();
    for (nth, path) in options.paths.iter().enumerate() {
        let found = match pack.find(path, pages, task) {
            Err(error) if error.ends_work() => return Err(error),
            found => found.unwrap_or_default(),
        };
        for node in found {
            named.entry(node).or_insert(nth);
        }
    }
    finish(pack.children(Of::Listing, pages, task, &mut |entry, task| {
        let Some(row) = pack.row_of(entry.node) else { return Ok(()) };
        let name = pages.show(entry.name.unwrap_or_default());
        let hit = named.get(&entry.node).copied().or_else(|| {
            let hit = |glob: &Option<Select>| {
                glob.as_ref().is_some_and(|glob| glob.matches(entry.path, entry.kind, &name))
            };
            globs.iter().position(hit)
        });
        if let Some(seen) = hit.and_then(|nth| wanted.get_mut(nth)) {
            *seen = true;
        } else if !options.paths.is_empty() {
            return Ok(());
        }
        if Texture::is_texture(pack, row) || options.shape.is_some() {
            let name = file_name(entry, pages);
            // The name, the file's, and the folded forms of all its folders; with mips each has a file.
            let folders = name.matches('/').count().saturating_add(2);
            let files = if options.mips { MOST_MIPS } else { 1 };
            let held = name.len().saturating_mul(folders).saturating_add(64).saturating_mul(files);
            task.budget.memory(held.saturating_add(name.len()).saturating_add(96) as u64)?;
            chosen.insert(row, name);
        }
        Ok(())
    }))?;
    match options.paths.iter().zip(&wanted).find(|(_, seen)| !**seen) {
        Some((path, _)) => Err(Error::new(&core::NOT_FOUND)
            .expected("the path of an asset, or a glob")
            .found(format!("`{path}`"))),
        None => Ok(chosen),
    }
}

/// Makes the files of one texture.
#[expect(clippy::too_many_arguments, reason = "the exporter's own, handed down")]
fn one(
    pack: &Pack,
    row: usize,
    name: &str,
    options: &Options,
    kind: TextureFileFormat,
    names: &mut SafePaths,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(OutputFile) -> Result<()>,
) -> Result<()> {
    let texture = match (Texture::read(pack, row, task)?, options.shape) {
        (Some(texture), _) => texture,
        (None, Some(shape)) => Texture::of_shape(pack, row, shape, task)?,
        (None, None) => return Ok(()),
    };
    let chain = texture.chain();
    if chain.is_empty() {
        return Ok(());
    }
    let mut put = |level: Option<u32>, content: Vec<u8>| {
        let level = level.map(|level| format!(".mip{level}")).unwrap_or_default();
        let name = names.claim(&format!("{name}{level}.{}", kind.extension()));
        each(OutputFile { name, content })
    };
    match kind {
        TextureFileFormat::Png if options.mips => {
            for mip in texture.mips.iter().filter(|mip| mip.bulk.is_some()) {
                put(Some(mip.level), png(pack, &texture, mip, task)?)?;
            }
            Ok(())
        }
        TextureFileFormat::Png => match chain.first() {
            Some(mip) => put(None, png(pack, &texture, mip, task)?),
            None => Ok(()),
        },
        TextureFileFormat::Dds => put(None, dds::file(pack, &texture, chain, task)?),
        TextureFileFormat::Ktx2 => put(None, ktx2::file(pack, &texture, chain, task)?),
    }
}

/// A mip as a PNG file.
fn png(pack: &Pack, texture: &Texture, mip: &Mip, task: &mut Task<'_>) -> Result<Vec<u8>> {
    let picture = rgba(pack, texture, mip, task)?;
    // The encoder holds the file beside the pixels; noise grows by less than this.
    task.budget.memory((picture.pixels().len() as u64 / 4).saturating_mul(5))?;
    image::encode(&picture, Encoding::Png)
}
