//! Tagged bitmaps: the old layout, an image file behind five characters.

use super::{
    Buffer, Rgba,
    image::{self, Encoding, ImageFormat},
};
use crate::codes;
use spelunk_core::{Budget, Error, Result, ResultExt, Span, cursor::Cursor};

/// The tags, and the formats that they stand for.
const TAGS: &[([u8; 5], ImageFormat)] = &[
    (*b"CKTGA", ImageFormat::Tga),
    (*b"CKJPG", ImageFormat::Jpeg),
    (*b"CKDIB", ImageFormat::Dib),
    (*b"CKBMP", ImageFormat::Bmp),
    (*b"CKTIF", ImageFormat::Tiff),
    (*b"CKGIF", ImageFormat::Gif),
    (*b"CKPCX", ImageFormat::Pcx),
];

/// The tag of a format, in capitals; `None` for PNG, which has none.
pub fn tag_of(format: ImageFormat) -> Option<[u8; 5]> {
    TAGS.iter().find(|(_, tagged)| *tagged == format).map(|(tag, _)| *tag)
}

/// A bitmap of the old layout (`docs/formats/virtools.md#133-tagged-bitmaps`). No real file is known that holds
/// one: this rests on synthetic fixtures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaggedBitmap<'a> {
    /// The first of the two sizes. Writers make it the size of `content`; it is kept where it is not.
    pub size: u32,
    /// Tag and image file, or a TGA file without a tag; no bytes for no bitmap.
    pub content: Buffer<'a>,
}

impl<'a> TaggedBitmap<'a> {
    /// Reads the bitmap that `bytes` start with, which lie at `at`, and returns how many of them it takes. The
    /// content is a view of `bytes`; it is not looked at.
    ///
    /// # Errors
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED) when `bytes` end too early; a limit.
    pub fn read(
        bytes: &'a [u8],
        at: Span,
        budget: &mut Budget,
    ) -> Result<(TaggedBitmap<'a>, usize)> {
        budget.steps(1).at(at)?;
        let mut cursor = Cursor::new(bytes, at.space, at.start);
        let size = cursor.u32("size")?;
        let content = Buffer::read(&mut cursor, "content")?;
        Ok((TaggedBitmap { size, content }, cursor.position()))
    }

    /// Appends the bitmap as it is stored.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.size.to_le_bytes());
        self.content.write(out);
    }

    /// The image file without its tag, and its format; `None` where there is no bitmap.
    pub fn file(&self) -> Option<(ImageFormat, &[u8])> {
        let content = self.content.bytes();
        if content.is_empty() {
            return None;
        }
        let tagged = content.split_first_chunk::<5>().and_then(|(tag, file)| {
            let (_, format) = TAGS.iter().find(|(known, _)| known.eq_ignore_ascii_case(tag))?;
            Some((*format, file))
        });
        match tagged.unwrap_or((ImageFormat::Tga, content)) {
            // Nobody could look at a CKDIB. The name says a BMP without its file header; one with it is
            // recognised, too.
            (ImageFormat::Dib, file) if file.starts_with(b"BM") => Some((ImageFormat::Bmp, file)),
            known => Some(known),
        }
    }

    /// The picture; `None` where there is none.
    ///
    /// # Errors
    /// As [`image::decode`]. The caller knows the place.
    pub fn decode(&self, budget: &mut Budget) -> Result<Option<Rgba>> {
        let decode = |(format, file)| image::decode(file, format, budget).field("content");
        self.file().map(decode).transpose()
    }
}

impl TaggedBitmap<'static> {
    /// Stores a picture as an image file behind its tag.
    ///
    /// # Errors
    /// [`codes::ENCODE`] for a format without a tag; as [`image::encode`];
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) for 2 GiB and more.
    pub fn from_rgba(picture: &Rgba, encoding: Encoding) -> Result<TaggedBitmap<'static>> {
        let format = encoding.format();
        let tag = tag_of(format).ok_or_else(|| {
            Error::new(&codes::ENCODE).expected("a format that has a tag").found(format.name())
        })?;
        let content = [tag.as_slice(), &image::encode(picture, encoding)?].concat();
        let content = Buffer::new(content).field("content")?;
        // A buffer is smaller than 2 GiB.
        Ok(TaggedBitmap { size: content.bytes().len() as u32, content })
    }
}
