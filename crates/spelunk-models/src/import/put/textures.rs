//! Textures: pixels in the file, a name, or a file that is carried along.

use super::{
    names::{NameMatch, ObjectFamily},
    state::{ObjectPlacement, Put},
};
use crate::import::{model::Texture, options::Save};
use spelunk_core::{Bytes, Error, Result, ResultExt, Task};
use spelunk_open::codes;
use virtools::{
    chunk::bitmap::{
        Reader, Rgba,
        image::{self, Encoding, ImageFormat},
    },
    class::{
        self, Value,
        bitmap::ReaderImages,
        texture::{CUBE_MAP, HAS_VIDEO_FORMAT, Picture, TRANSPARENT},
    },
};

/// Bits of the save option in the flags of textures.
const SAVE_OPTION: u32 = 0xFF << 16;

/// Save options of textures.
const RAW: u32 = 0;
const EXTERNAL: u32 = 1;
const IMAGE_FORMAT: u32 = 2;
const ORIGINAL_FILE: u32 = 4;

/// Storage of a texture.
struct TextureStorage {
    pixels: Option<Rgba>,
    /// The reader of the image file that the pixels are stored as, and that file where it is one already.
    reader: Option<(&'static Reader, Option<Bytes>)>,
    file_name: Option<Vec<u8>>,
    option: u32,
}

/// The picture in an image file.
fn picture(file: &[u8], name: &str, task: &mut Task<'_>) -> Result<Rgba> {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let format = ImageFormat::sniff(file)
        .or_else(|| ImageFormat::from_extension(extension.as_bytes()))
        .unwrap_or(ImageFormat::Tga);
    image::decode(file, format, &mut task.budget)
}

/// Storage of a texture: the one that is wished for, where there is a picture; else the one that it had.
const fn save_of(from: &Texture, wish: Option<Save>, old_option: Option<u32>) -> Save {
    match (wish, &from.image) {
        (Some(wish), Some(_)) => wish,
        // Only the name is known.
        (_, None) => Save::External,
        (None, Some(_)) if from.file.is_some() && from.stored.is_some() && !from.embedded => {
            Save::External
        }
        (None, Some(_)) if matches!(old_option, Some(IMAGE_FORMAT)) => Save::Embedded,
        (None, Some(_)) => Save::Raw,
    }
}

/// The extension that image files of a format have.
fn extension(file: &[u8]) -> &'static str {
    match ImageFormat::sniff(file) {
        Some(ImageFormat::Png) => "png",
        Some(ImageFormat::Jpeg) => "jpg",
        Some(ImageFormat::Bmp) => "bmp",
        Some(ImageFormat::Gif) => "gif",
        Some(ImageFormat::Tiff) => "tif",
        Some(ImageFormat::Pcx) => "pcx",
        _ => "tga",
    }
}

/// An image file of the format that its name says; as it is, where it has that.
fn file_of(name: &str, image: &Bytes, task: &mut Task<'_>) -> Result<Bytes> {
    let wanted =
        name.rsplit_once('.').and_then(|(_, end)| ImageFormat::from_extension(end.as_bytes()));
    if wanted.is_none() || wanted == ImageFormat::sniff(image) {
        return Ok(image.clone());
    }
    let pixels = picture(image, "", task)?;
    let encoding = match wanted {
        Some(ImageFormat::Bmp) => Encoding::Bmp,
        Some(ImageFormat::Tga) => Encoding::Tga { run_lengths: false },
        Some(ImageFormat::Jpeg) => Encoding::Jpeg { quality: 95 },
        Some(ImageFormat::Tiff) => Encoding::Tiff,
        Some(ImageFormat::Gif) => Encoding::Gif,
        Some(ImageFormat::Pcx) => Encoding::Pcx,
        _ => Encoding::Png,
    };
    // What cannot hold alpha gets the picture without.
    let pixels = if encoding.holds_alpha() || pixels.is_opaque() {
        pixels
    } else {
        let mut opaque = pixels;
        let count = opaque.pixels().len() / 4;
        opaque.set_alpha(std::iter::repeat_n(u8::MAX, count));
        opaque
    };
    Ok(image::encode(&pixels, encoding)?.into())
}

impl Put<'_, '_> {
    /// Puts a texture into the file.
    pub(super) fn texture(&mut self, from: Texture) -> Result<u32> {
        let index = from.index.or(from.stored.as_ref().map(|stored| stored.index));
        self.prefer(ObjectFamily::Texture, &from.name, index)?;
        if from.is_of_file {
            return self.existing(ObjectFamily::Texture, &from.name);
        }
        if from.is_named {
            let stored = self.stored(&from.name)?;
            if let NameMatch::Old(index) =
                self.names.find(ObjectFamily::Texture, class::TEXTURE, &stored)
            {
                self.done.report.kept += 1;
                return Ok(index);
            }
        }
        let index = match self.place(ObjectFamily::Texture, class::TEXTURE, &from.name)? {
            ObjectPlacement::Keep(index) => return Ok(index),
            ObjectPlacement::Write(index) => index,
        };
        let name = from.name.clone();
        self.write_texture(index, from)
            .map_err(|error| error.within(spelunk_core::Seg::Key(name.into())))?;
        Ok(index)
    }

    /// Puts a picture in the place of that of a texture.
    pub(super) fn write_texture(&mut self, index: u32, from: Texture) -> Result<()> {
        let mut value = self.value(index)?;
        let Value::Texture(old) = &value.value else { return Ok(()) };
        let (slots, is_movie) = (old.bitmap.slots(), old.bitmap.movie.is_some());
        let had = old.bitmap.file_names.as_ref().and_then(|names| names.first());
        let had = had.map(|name| name.text().to_vec());
        let state = from.stored.as_ref();
        let several = |slots: usize, is_movie: bool| slots > 1 || is_movie;
        if state.is_some_and(|state| several(state.slots, state.movie.is_some()))
            && several(slots, is_movie)
        {
            // A model shows one picture of them: all stay.
            return Ok(());
        }
        if several(slots, is_movie)
            || state.is_some_and(|state| several(state.slots, state.movie.is_some()))
        {
            let error = Error::new(&codes::NOT_IMPORTED);
            self.task.warn(error.found(format!("all pictures of `{}` but one", from.name)))?;
        }
        let stored = self.store(&from, had.as_deref())?;
        if let Value::Texture(saved) = &mut value.value {
            let TextureStorage { pixels, reader, .. } = &stored;
            let wish = self.options.save_of(&from.name);
            let picture = match (pixels, reader) {
                (None, _) => Picture::None,
                (Some(pixels), reader) => {
                    let left = self.task.budget.left().memory;
                    let shown = saved.bitmap.rgba(0, &mut self.task.budget).ok().flatten();
                    let is_shown = shown.is_some_and(|shown| shown == *pixels);
                    self.task.budget.release(left.saturating_sub(self.task.budget.left().memory));
                    let is_file = saved.bitmap.reader.is_some();
                    match reader {
                        // What shows the picture already stays as it is stored, unless that is not wished.
                        reader if is_shown && (wish.is_none() || is_file && reader.is_some()) => {
                            Picture::Kept
                        }
                        Some((reader, file)) => {
                            Picture::File(ReaderImages::of(pixels, file.as_deref(), reader)?)
                        }
                        None => Picture::Raw(pixels),
                    }
                }
            };
            saved.set_picture(picture, stored.file_name.as_deref(), stored.option)?;
            let (data, state) = (saved.data_mut(), from.stored.as_ref());
            if let (Some(data), Some(state)) = (data, state) {
                // All but the save option, and that there are six sides.
                let other = SAVE_OPTION | CUBE_MAP;
                data.flags = state.flags.0 & !other | data.flags & other;
                let wishes = data.flags & HAS_VIDEO_FORMAT != 0;
                data.video_format = state.video_format.or(data.video_format).filter(|_| wishes);
                if let Some([red, green, blue]) = state.transparent_color {
                    data.transparent_color = Some(u32::from_be_bytes([0, red, green, blue]));
                    data.flags |= TRANSPARENT;
                }
            }
        }
        self.save(index, value)
    }

    /// Returns the storage of a texture: as wished, else as it was before, else with its pixels.
    fn store(&mut self, from: &Texture, had: Option<&[u8]>) -> Result<TextureStorage> {
        let old_option = from.stored.as_ref().map(|stored| (stored.flags.0 >> 16) & 0xFF);
        if from.is_named {
            let option = old_option.unwrap_or(RAW);
            return Ok(TextureStorage { pixels: None, reader: None, file_name: None, option });
        }
        let wish = self.options.save_of(&from.name);
        let save = save_of(from, wish, old_option);
        // The option that was stored goes with how it was stored.
        let kept = old_option.filter(|_| wish.is_none());
        let name = || match (&from.file, &from.image) {
            (Some(file), _) => file.clone(),
            (None, Some(image)) => format!("{}.{}", from.name, extension(image)),
            (None, None) => from.name.clone(),
        };
        // Names of files have no folders.
        let name = || name().replace(['/', '\\'], "%2F");
        match (save, &from.image) {
            (Save::Raw | Save::Embedded, Some(image)) => {
                let mut pixels = picture(image, &name(), self.task)?;
                if let Some(state) = &from.stored {
                    opaque_again(&mut pixels, state.transparent_color);
                }
                let file_name = from.file.as_ref().map(|file| self.stored(file)).transpose()?;
                if save == Save::Raw {
                    let option = kept.unwrap_or(RAW);
                    return Ok(TextureStorage {
                        pixels: Some(pixels),
                        reader: None,
                        file_name,
                        option,
                    });
                }
                let reader = reader_of(from.file.as_deref(), image);
                let own = ImageFormat::sniff(image).is_none_or(|format| format == reader.format);
                // A file whose pixels are another picture by now is made anew.
                let same = from.stored.as_ref().is_none_or(|it| it.transparent_color.is_none());
                let file = Some(image.clone()).filter(|_| own && same);
                let (pixels, reader) = (Some(pixels), Some((reader, file)));
                Ok(TextureStorage {
                    pixels,
                    reader,
                    file_name,
                    option: kept.unwrap_or(IMAGE_FORMAT),
                })
            }
            (Save::Original, Some(image)) => {
                let name = name();
                let content = file_of(&name, image, self.task)?;
                let file_name = self.include(&name, content, had)?;
                let file_name = Some(file_name);
                Ok(TextureStorage { pixels: None, reader: None, file_name, option: ORIGINAL_FILE })
            }
            (_, image) => {
                let mut name = name();
                match image {
                    Some(image) if self.options.write_textures => {
                        let content = file_of(&name, image, self.task)?.to_vec();
                        name = self.done.files.add(&name, content);
                    }
                    // Where it came from a file, that is there.
                    Some(_) if from.file.is_none() || from.embedded => {
                        let error = Error::new(&codes::NO_PLACE);
                        self.task.warn(error.found(format!("`{}`", from.name)))?;
                    }
                    _ => {}
                }
                let file_name = Some(self.stored(&name)?);
                let option = kept.unwrap_or(EXTERNAL);
                Ok(TextureStorage { pixels: None, reader: None, file_name, option })
            }
        }
    }

    /// Has the file carry an image file along, and gives its name there: one with this content, or, where the texture had
    /// one of this name, in its place, or a new one.
    fn include(&mut self, name: &str, content: Bytes, had: Option<&[u8]>) -> Result<Vec<u8>> {
        for number in 1.. {
            let tried = match (number, name.rsplit_once('.')) {
                (1, _) => name.to_owned(),
                (number, Some((stem, extension))) => format!("{stem}_{number}.{extension}"),
                (number, None) => format!("{name}_{number}"),
            };
            let tried = self.stored(&tried)?;
            let files = &self.file.tail().included;
            self.task.budget.steps(files.len() as u64)?;
            let found = files
                .iter()
                .zip(0_u32..)
                .map(|(file, at)| (at, file))
                .find(|(_, file)| file.name == tried);
            match found.map(|(at, file)| (at, file.content == content)) {
                Some((_, true)) => return Ok(tried),
                Some((at, false)) if had == Some(&tried[..]) => {
                    self.file.set_included(at, content).field("included")?;
                    return Ok(tried);
                }
                Some(_) => {}
                None => {
                    self.file.add_included(&tried, content).field("included")?;
                    return Ok(tried);
                }
            }
        }
        Ok(Vec::new())
    }
}

/// The bitmap reader for a picture: that of the format that the name of its file says, else that of TGA files. JPEG files are
/// not made of others, which would lose something.
fn reader_of(name: Option<&str>, image: &[u8]) -> &'static Reader {
    let end = name.and_then(|name| name.rsplit_once('.')).map_or("", |(_, end)| end);
    let named = ImageFormat::from_extension(end.as_bytes());
    let made = named.filter(|format| {
        *format != ImageFormat::Jpeg || ImageFormat::sniff(image) == Some(ImageFormat::Jpeg)
    });
    made.and_then(Reader::of_format).unwrap_or(&Reader::TGA)
}

/// Pixels of the transparent colour were given alpha 0 for the model.
fn opaque_again(pixels: &mut Rgba, key: Option<[u8; 3]>) {
    let Some(key) = key else { return };
    for pixel in pixels.pixels_mut().chunks_exact_mut(4) {
        if let [red, green, blue, alpha] = pixel
            && [*red, *green, *blue] == key
        {
            *alpha = u8::MAX;
        }
    }
}
