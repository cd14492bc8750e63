//! The part that textures and sprites share: pictures in slots
//! (`docs/formats/classes/textures.md#pictures-in-slots`).

use crate::{
    chunk::bitmap::{self as stored, RawHead, ReaderHead, Rgba},
    codec::{Buffer, Codec, Coded, Text, field, group},
    codes,
};
use spelunk_core::{Budget, Error, Result, ResultExt, Ty, record};
use zerocopy::FromZeros;

const PAGE: &str = "docs/formats/classes/textures.md#pictures-in-slots";

/// Identifiers of the sections. Textures and sprites have their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identifiers {
    /// Of the name of a movie.
    pub movie: u32,
    /// Of pictures as image files.
    pub reader: u32,
    /// Of pictures as planes.
    pub raw: u32,
    /// Of pictures as image files behind a tag.
    pub old: u32,
    /// Of file names.
    pub file_names: u32,
}

/// The identifiers of textures.
pub const TEXTURE: Identifiers = Identifiers {
    movie: 0x1000,
    reader: 0x10_0000,
    raw: 0x2_0000,
    old: 0x4000,
    file_names: 0x1_0000,
};

/// The identifiers of sprites.
pub const SPRITE: Identifiers = Identifiers {
    movie: 0x20_0000,
    reader: 0x1000_0000,
    raw: 0x80_0000,
    old: 0x4_0000,
    file_names: 0x40_0000,
};

/// Names of the ways in which pictures are saved.
pub const SAVE_OPTIONS: &[(i64, &str)] = &[
    (RAW_DATA as i64, "raw data"),
    (1, "external file"),
    (IMAGE_FORMAT as i64, "image format"),
    (GLOBAL_SETTING as i64, "global setting"),
    (ORIGINAL_FILE as i64, "original file"),
];

/// Of [`SAVE_OPTIONS`]: as planes.
pub const RAW_DATA: u32 = 0;
/// Of [`SAVE_OPTIONS`]: as an image file in the chunk.
pub const IMAGE_FORMAT: u32 = 2;
/// Of [`SAVE_OPTIONS`]: as the program that saves the file is set to do it.
pub const GLOBAL_SETTING: u32 = 3;
/// Of [`SAVE_OPTIONS`]: as an included file.
pub const ORIGINAL_FILE: u32 = 4;

/// Pictures in slots. Engines take them from `reader`, else from `raw`, else from `old`; slots that are still empty
/// are loaded from the file that is named.
#[derive(Clone, Debug, Default)]
pub struct Bitmap {
    /// Name of a movie that is played in place of pictures.
    pub movie: Option<Text>,
    /// Pictures as image files.
    pub reader: Option<ReaderImages>,
    /// Pictures as planes, one for each slot; `None` for a slot without one.
    pub raw: Option<Vec<Option<Box<RawImage>>>>,
    /// Pictures as image files behind a tag, one for each slot.
    pub old: Option<Vec<OldImage>>,
    /// File names without directories, one for each slot; the null string for a slot without one.
    pub file_names: Option<Vec<Text>>,
}

/// A picture as one plane of bytes for each colour.
#[derive(Clone, Debug, PartialEq)]
pub struct RawImage {
    /// Size, masks, and how planes are stored.
    pub head: RawHead,
    /// Blue of each pixel, bottom row first, or coded. No colours are stored with a compression that is not known.
    pub blue: Buffer,
    /// Green.
    pub green: Buffer,
    /// Red.
    pub red: Buffer,
    /// Alpha; no bytes for an opaque picture.
    pub alpha: Buffer,
}

/// Pictures as image files, one for each slot.
#[derive(Clone, Debug, Default)]
pub struct ReaderImages {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bits for each pixel.
    pub bits_per_pixel: u32,
    /// The pictures; `None` for a slot without one.
    pub images: Vec<Option<Box<ReaderImage>>>,
}

/// A picture as an image file.
#[derive(Clone, Debug)]
pub struct ReaderImage {
    /// Place of alpha, and the reader of the file.
    pub head: ReaderHead,
    /// The image file.
    pub file: Buffer,
    /// Alpha, where it is stored apart: kind 2.
    pub alpha: Option<ReaderAlpha>,
}

/// Alpha that is stored apart from an image file.
#[derive(Clone, Debug, Default)]
pub struct ReaderAlpha {
    /// Number of distinct values.
    pub distinct: u32,
    /// Value of all pixels in the low byte, where there is one distinct value.
    pub value: Option<u32>,
    /// Else a byte for each pixel.
    pub plane: Option<Buffer>,
}

/// A picture as an image file behind a tag of five characters.
#[derive(Clone, Debug, Default)]
pub struct OldImage {
    /// The size of the content once more. Kept where it is not that.
    pub size: u32,
    /// Tag and image file, or a TGA file without a tag; no bytes for a slot without a picture.
    pub content: Buffer,
}

record! {
    /// Settings with which an image file was or is to be made: the start of all records of reader properties.
    pub struct PropertiesHead: "properties",
        "docs/formats/classes/textures.md#reader-properties", 72 {
        /// Size of the record.
        size: U32 { unit: "bytes" },
        /// The bitmap reader.
        reader: Guid,
        /// File name extension, padded with NULs.
        extension: Text<4>,
        /// Size of the description of the image, 52.
        description_size: U32 { unit: "bytes" },
        /// Flags of the description.
        flags: Word,
        /// Pixels in a row of the original image, whether or not it is stored.
        width: I32 { unit: "pixels" },
        /// Rows of the original image.
        height: I32 { unit: "pixels" },
        /// Bytes from one row to the next.
        pitch: I32 { unit: "bytes" },
        /// Bits for each pixel.
        bits_per_pixel: I32 { unit: "bits" },
        /// The bits of red in a pixel.
        red_mask: Word,
        /// The bits of green.
        green_mask: Word,
        /// The bits of blue.
        blue_mask: Word,
        /// The bits of alpha.
        alpha_mask: Word,
        /// Bytes of a colour of the palette.
        bytes_per_color: U16 { unit: "bytes" },
        /// Colours of the palette.
        color_count: U16,
        /// An address that was valid when the file was saved.
        palette: Word,
        /// An address that was valid when the file was saved.
        image: Word,
        /// An address that was valid when the file was saved.
        data: Word,
    }
}

/// The properties of a bitmap reader. Addresses and left-over memory are among them, so they are kept as they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Properties {
    /// Start of all such records; `None` for a record too short for that.
    pub head: Option<Box<PropertiesHead>>,
    /// Bytes behind the head: in longer records the extension again and left-over memory, at last the options of the reader.
    pub options: Buffer,
}

impl Properties {
    /// The extension, up to its first NUL. Records of 144 and more bytes have it at byte 72, too, and some of them
    /// only there.
    pub fn extension(&self) -> &[u8] {
        let head = self.head.as_ref().map_or(&[] as &[u8], |head| &head.extension.0);
        let first = spelunk_core::text::until_nul(head);
        if first.is_empty() && self.options.items.len() >= 72 {
            let again = self.options.items.get(..4).unwrap_or_default();
            return spelunk_core::text::until_nul(again);
        }
        first
    }
}

impl Default for RawImage {
    fn default() -> RawImage {
        let none = Buffer::default;
        RawImage {
            head: RawHead::new_zeroed(),
            blue: none(),
            green: none(),
            red: none(),
            alpha: none(),
        }
    }
}

impl Default for ReaderImage {
    fn default() -> ReaderImage {
        ReaderImage { head: ReaderHead::new_zeroed(), file: Buffer::default(), alpha: None }
    }
}

/// The bytes as the decoder of bitmaps takes them.
fn view<'a>(buffer: &'a Buffer, name: &'static str) -> Result<stored::Buffer<'a>> {
    let bytes: &[u8] = &buffer.items;
    stored::Buffer::new(bytes).field(name)
}

impl RawImage {
    /// The planes of a picture, uncompressed and with alpha, as all that real files hold; `None` for a picture without
    /// pixels.
    ///
    /// # Errors
    /// [`codes::PLANE`] and limits of sizes, as [`stored::RawBitmap::from_rgba`].
    pub fn of(picture: &Rgba) -> Result<Option<RawImage>> {
        let (coding, alpha) = (stored::PlaneCoding::Plain, stored::AlphaPlane::Always);
        let made = stored::RawBitmap::from_rgba(picture, coding, alpha)?;
        let own = |plane: stored::Buffer<'_>| Buffer::from(plane.bytes().to_vec());
        Ok(made.image.map(|stored::RawImage { head, blue, green, red, alpha }| RawImage {
            head,
            blue: own(blue),
            green: own(green),
            red: own(red),
            alpha: own(alpha),
        }))
    }

    /// The picture, top row first.
    ///
    /// # Errors
    /// As [`stored::RawImage::decode`].
    pub fn rgba(&self, budget: &mut Budget) -> Result<Rgba> {
        let image = stored::RawImage {
            head: self.head,
            blue: view(&self.blue, "blue")?,
            green: view(&self.green, "green")?,
            red: view(&self.red, "red")?,
            alpha: view(&self.alpha, "alpha")?,
        };
        image.decode(budget)
    }
}

impl ReaderImage {
    /// The picture, top row first.
    ///
    /// # Errors
    /// As [`stored::ReaderImage::decode`].
    pub fn rgba(&self, budget: &mut Budget) -> Result<Rgba> {
        let alpha = match &self.alpha {
            None => stored::ReaderAlpha::InFile,
            Some(ReaderAlpha { value: Some(value), .. }) => stored::ReaderAlpha::Same(*value),
            Some(ReaderAlpha { distinct, plane, .. }) => {
                let none = Buffer::default();
                let plane = plane.as_ref().unwrap_or(&none);
                let plane = stored::Buffer::new(plane.items.to_vec()).field("alpha")?;
                stored::ReaderAlpha::Plane { distinct: *distinct, plane }
            }
        };
        let image = stored::ReaderImage {
            extension: self.head.extension,
            reader: self.head.reader,
            file: view(&self.file, "file")?,
            alpha,
        };
        image.decode(budget)
    }
}

impl ReaderImages {
    /// A picture in one slot, as an image file that `reader` reads: `file` where that is one with all of the picture in it,
    /// else one that is made; alpha is stored apart where its format holds none.
    ///
    /// # Errors
    /// As [`stored::ReaderBitmap::from_rgba`].
    pub fn of(
        picture: &Rgba,
        file: Option<&[u8]>,
        reader: &stored::Reader,
    ) -> Result<ReaderImages> {
        let (width, height) = (picture.width(), picture.height());
        let made = match file {
            Some(file) => Some(stored::ReaderImage {
                extension: reader.extension,
                reader: reader.guid,
                file: stored::Buffer::new(file).field("file")?,
                alpha: stored::ReaderAlpha::InFile,
            }),
            None => stored::ReaderBitmap::from_rgba(picture, reader, reader.encoding())?.image,
        };
        let own = |bytes: &[u8]| Buffer::from(bytes.to_vec());
        let image = made.map(|made| {
            let apart = match &made.alpha {
                stored::ReaderAlpha::InFile => None,
                stored::ReaderAlpha::Same(value) => {
                    Some(ReaderAlpha { distinct: 1, value: Some(*value), plane: None })
                }
                stored::ReaderAlpha::Plane { distinct, plane } => {
                    let plane = Some(own(plane.bytes()));
                    Some(ReaderAlpha { distinct: *distinct, value: None, plane })
                }
            };
            Box::new(ReaderImage { head: made.head(), file: own(made.file.bytes()), alpha: apart })
        });
        Ok(ReaderImages { width, height, bits_per_pixel: 32, images: vec![image] })
    }
}

impl OldImage {
    /// The picture, top row first; `None` where there is none.
    ///
    /// # Errors
    /// As [`stored::TaggedBitmap::decode`].
    pub fn rgba(&self, budget: &mut Budget) -> Result<Option<Rgba>> {
        let content = view(&self.content, "content")?;
        stored::TaggedBitmap { size: self.size, content }.decode(budget)
    }
}

impl Bitmap {
    /// Number of slots that hold something or are named.
    pub fn slots(&self) -> usize {
        let reader = self.reader.as_ref().map(|reader| reader.images.len());
        let raw = self.raw.as_ref().map(Vec::len);
        let old = self.old.as_ref().map(Vec::len);
        let names = self.file_names.as_ref().map(Vec::len);
        [reader, raw, old, names].into_iter().flatten().max().unwrap_or_default()
    }

    /// Number of slots that engines have after loading: as many as file names, also where pictures are more or fewer.
    pub fn loaded_slots(&self) -> usize {
        self.file_names.as_ref().map_or_else(|| self.slots(), Vec::len)
    }

    /// Whether the picture of a slot is stored in the chunk, where engines take it from.
    pub fn has_picture(&self, slot: usize) -> bool {
        if let Some(reader) = &self.reader {
            matches!(reader.images.get(slot), Some(Some(_)))
        } else if let Some(raw) = &self.raw {
            matches!(raw.get(slot), Some(Some(_)))
        } else {
            let image = self.old.as_ref().and_then(|old| old.get(slot));
            image.is_some_and(|image| !image.content.items.is_empty())
        }
    }

    /// The picture of a slot that is stored in the chunk, top row first, from where engines take it; `None` where
    /// none is stored.
    ///
    /// # Errors
    /// Where it cannot be decoded.
    pub fn rgba(&self, slot: usize, budget: &mut Budget) -> Result<Option<Rgba>> {
        if let Some(reader) = &self.reader {
            let image = reader.images.get(slot).and_then(Option::as_ref);
            image.map(|image| image.rgba(budget)).transpose()
        } else if let Some(raw) = &self.raw {
            let image = raw.get(slot).and_then(Option::as_ref);
            image.map(|image| image.rgba(budget)).transpose()
        } else {
            let image = self.old.as_ref().and_then(|old| old.get(slot));
            image.map_or(Ok(None), |image| image.rgba(budget))
        }
    }

    /// Runs a codec over the sections, which have these identifiers.
    ///
    /// # Errors
    /// What the codec gives.
    pub fn layout<C: Codec>(&mut self, c: &mut C, identifiers: &Identifiers) -> Coded<C> {
        c.section(
            identifiers.movie,
            group!("movie", "A movie in place of pictures."),
            &mut self.movie,
            |c, name| c.text(field!("file_name", Ty::Text, "The file that holds it."), name),
        )?;
        c.section(
            identifiers.reader,
            group!("reader_images", "Pictures as image files."),
            &mut self.reader,
            reader_images,
        )?;
        c.section(
            identifiers.raw,
            group!("raw_images", "Pictures as planes."),
            &mut self.raw,
            |c, images| {
                c.counted(
                    field!("slot_count", Ty::U32, "How many slots follow."),
                    group!("images", "The picture of each slot."),
                    images,
                    raw_image,
                )
            },
        )?;
        c.section(
            identifiers.old,
            group!("old_images", "Pictures as image files behind a tag."),
            &mut self.old,
            |c, images| {
                c.counted(
                    field!("slot_count", Ty::U32, "How many slots follow."),
                    group!("images", "The picture of each slot."),
                    images,
                    |c, image| {
                        let size = field!("size", Ty::U32, "Size of the content.", unit("bytes"));
                        c.item(size, &mut image.size)?;
                        c.buffer(
                            field!("content", Ty::Bytes, "Tag and image file, or a TGA file."),
                            &mut image.content,
                        )
                    },
                )
            },
        )?;
        c.section(
            identifiers.file_names,
            group!("file_names", "Files that hold the pictures."),
            &mut self.file_names,
            |c, names| {
                c.counted(
                    field!("slot_count", Ty::U32, "How many slots follow."),
                    group!("slots", "The file of each slot."),
                    names,
                    |c, name| c.text(field!("file_name", Ty::Text, "Without its directory."), name),
                )
            },
        )
    }
}

/// The single dword of a slot without a picture.
fn empty<C: Codec>(c: &mut C) -> Coded<C> {
    c.item(field!("none", Ty::U32, "0: a slot without a picture."), &mut 0_u32)
}

pub(super) fn raw_image<C: Codec>(c: &mut C, value: &mut Option<Box<RawImage>>) -> Coded<C> {
    let known = value.as_ref().map_or(0, |image| image.head.bits_per_pixel.get());
    if c.peek("bits_per_pixel", Some(known)) == Some(0) {
        return empty(c);
    }
    let RawImage { head, blue, green, red, alpha } = value.get_or_insert_default().as_mut();
    c.record(head)?;
    let known = head.coding().name().is_some();
    if c.when(known, "compression 0 or 1") {
        c.buffer(field!("blue", Ty::Bytes, "Blue of each pixel, bottom row first."), blue)?;
        c.buffer(field!("green", Ty::Bytes, "Green of each pixel."), green)?;
        c.buffer(field!("red", Ty::Bytes, "Red of each pixel."), red)?;
    }
    c.buffer(field!("alpha", Ty::Bytes, "Alpha of each pixel; none where it is opaque."), alpha)
}

fn reader_images<C: Codec>(c: &mut C, value: &mut ReaderImages) -> Coded<C> {
    let ReaderImages { width, height, bits_per_pixel, images } = value;
    let count = c.count(field!("slot_count", Ty::U32, "How many slots follow."), images.len())?;
    c.item(field!("width", Ty::U32, "Pixels in a row.", unit("pixels")), width)?;
    c.item(field!("height", Ty::U32, "Rows.", unit("pixels")), height)?;
    let field = field!("bits_per_pixel", Ty::U32, "Bits for each pixel.", unit("bits"));
    c.item(field, bits_per_pixel)?;
    c.list(group!("images", "The picture of each slot."), count, images, reader_image)
}

fn reader_image<C: Codec>(c: &mut C, value: &mut Option<Box<ReaderImage>>) -> Coded<C> {
    let known = value.as_ref().map_or(0, |image| image.head.kind.get());
    let kind = c.peek("kind", Some(known));
    if kind == Some(0) {
        return empty(c);
    }
    if let Some(kind) = kind.filter(|kind| *kind > 2) {
        // Nothing behind it can be found.
        let error = Error::new(&codes::BITMAP_KIND).field("kind").expected("0, 1 or 2");
        return Err(error.found(kind).into());
    }
    let ReaderImage { head, file, alpha } = value.get_or_insert_default().as_mut();
    c.record(head)?;
    c.buffer(field!("file", Ty::Bytes, "A complete image file."), file)?;
    let apart = head.kind.get() == 2;
    if !c.when(apart, "kind 2") {
        return Ok(());
    }
    let ReaderAlpha { distinct, value, plane } = alpha.get_or_insert_default();
    c.item(field!("distinct_alpha", Ty::U32, "How many values alpha has."), distinct)?;
    let same = *distinct == 1;
    if c.when(same, "one value") {
        let field = field!("alpha", Ty::U32, "Alpha of all pixels, in the low byte.");
        return c.item(field, value.get_or_insert_default());
    }
    let field = field!("alpha_plane", Ty::Bytes, "Alpha of each pixel.");
    c.buffer(field, plane.get_or_insert_default())
}

/// A size, and the properties of a bitmap reader.
pub(super) fn properties<C: Codec>(c: &mut C, value: &mut Properties) -> Coded<C> {
    const HEAD: usize = size_of::<PropertiesHead>();
    let Properties { head, options } = value;
    let known = options.items.len().saturating_add(head.as_ref().map_or(0, |_| HEAD));
    let field = field!("length", Ty::U32, "How many bytes follow.", unit("bytes"));
    let len = c.count(field, known)?;
    let has_head = head.is_some() || len >= HEAD && options.items.is_empty();
    let mut left = len;
    if c.when(has_head, "72 bytes or more") {
        let head = head.get_or_insert_with(|| Box::new(PropertiesHead::new_zeroed()));
        c.record(head.as_mut())?;
        left = left.saturating_sub(HEAD);
    }
    c.padded(field!("options", Ty::Bytes, "At last the options of the reader."), left, options)
}
