//! Reader bitmaps: an image file, and who understands it.

use super::{
    Buffer, Rgba,
    image::{self, Encoding, ImageFormat},
};
use crate::codes;
use spelunk_core::{
    Budget, Error, Result, ResultExt, Span,
    cursor::Cursor,
    record,
    scalar::{Chars, Guid},
};
use std::collections::BTreeSet;
use zerocopy::IntoBytes;

record! {
    /// The fixed part of a reader bitmap; the image file follows as a buffer.
    pub struct ReaderHead: "reader bitmap", "docs/formats/virtools.md#132-reader-bitmaps", 16 {
        /// 0 for no bitmap, and then nothing follows; 1 for an image file that holds everything; 2 where
        /// alpha is stored apart, behind the image file.
        kind: U32,
        /// File name extension of the image file, padded with NULs.
        extension: Text<4>,
        /// The bitmap reader that understands the image file.
        reader: Guid,
    }
}

/// A bitmap reader that is known by its GUID.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reader {
    /// GUID of the reader.
    pub guid: Guid,
    /// The extension that goes with it.
    pub extension: Chars<4>,
    /// The format that it reads.
    pub format: ImageFormat,
    /// Whether the save format records of real textures have GUID and extension together. The others are
    /// named so by one other program only.
    pub verified: bool,
}

/// The known bitmap readers (`docs/formats/virtools.md#132-reader-bitmaps`).
pub static READERS: &[Reader] = &[
    Reader::new((0x614A_243F, 0x437B_3343), *b"bmp\0", ImageFormat::Bmp, true),
    Reader::TGA,
    Reader::new((0x4AE5_1AC4, 0x0458_7D76), *b"jpg\0", ImageFormat::Jpeg, false),
    Reader::new((0x02D4_5C7B, 0x4AAC_16EC), *b"png\0", ImageFormat::Png, false),
];

impl Reader {
    /// The one of TGA files, which hold every picture.
    pub const TGA: Reader =
        Reader::new((0xBCA9_7223, 0x4857_8BCA), *b"tga\0", ImageFormat::Tga, true);

    const fn new(
        guid: (u32, u32),
        extension: [u8; 4],
        format: ImageFormat,
        verified: bool,
    ) -> Reader {
        let guid = Guid {
            d1: zerocopy::little_endian::U32::new(guid.0),
            d2: zerocopy::little_endian::U32::new(guid.1),
        };
        Reader { guid, extension: Chars(extension), format, verified }
    }

    /// Encoding of the image files that are made for the reader. Nothing is lost but by JPEG.
    pub const fn encoding(&self) -> Encoding {
        match self.format {
            ImageFormat::Bmp => Encoding::Bmp,
            ImageFormat::Jpeg => Encoding::Jpeg { quality: 95 },
            ImageFormat::Png => Encoding::Png,
            _ => Encoding::Tga { run_lengths: false },
        }
    }

    /// The reader of files of this format.
    pub fn of_format(format: ImageFormat) -> Option<&'static Reader> {
        READERS.iter().find(|reader| reader.format == format)
    }

    /// The reader of this GUID.
    pub fn of(guid: Guid) -> Option<&'static Reader> {
        READERS.iter().find(|reader| reader.guid == guid)
    }
}

/// A reader bitmap, or none (`docs/formats/virtools.md#132-reader-bitmaps`). No real file is known that holds
/// one: this rests on synthetic fixtures.
#[derive(Clone, PartialEq, Debug)]
pub struct ReaderBitmap<'a> {
    /// The bitmap; `None` is a single dword 0.
    pub image: Option<ReaderImage<'a>>,
}

/// A reader bitmap that has an image file. Its kind follows from how alpha is stored.
#[derive(Clone, PartialEq, Debug)]
pub struct ReaderImage<'a> {
    /// File name extension of the image file, padded with NULs.
    pub extension: Chars<4>,
    /// The bitmap reader that understands the image file.
    pub reader: Guid,
    /// The image file.
    pub file: Buffer<'a>,
    /// Alpha.
    pub alpha: ReaderAlpha<'a>,
}

/// Alpha of a reader bitmap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReaderAlpha<'a> {
    /// Kind 1: as the image file has it.
    InFile,
    /// Kind 2, one distinct value: that value, of which the low byte counts, for all pixels.
    Same(u32),
    /// Kind 2, any other number of distinct values.
    Plane {
        /// The number of distinct values, as stored.
        distinct: u32,
        /// A byte for each pixel, top row first as far as code shows.
        plane: Buffer<'a>,
    },
}

impl<'a> ReaderBitmap<'a> {
    /// Reads the bitmap that `bytes` start with, which lie at `at`, and returns how many of them it takes. The
    /// image file is a view of `bytes`; it is not looked at.
    ///
    /// # Errors
    /// [`codes::BITMAP_KIND`] for a kind above 2, behind which nothing can be found;
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED) when `bytes` end too early; a limit.
    pub fn read(
        bytes: &'a [u8],
        at: Span,
        budget: &mut Budget,
    ) -> Result<(ReaderBitmap<'a>, usize)> {
        budget.steps(1).at(at)?;
        let mut cursor = Cursor::new(bytes, at.space, at.start);
        let kind_at = cursor.span(4);
        let kind = cursor.clone().u32("kind")?;
        if kind == 0 {
            cursor.u32("kind")?;
            return Ok((ReaderBitmap { image: None }, cursor.position()));
        }
        if kind > 2 {
            return Err(Error::new(&codes::BITMAP_KIND)
                .at(kind_at)
                .field("kind")
                .expected("0, 1 or 2")
                .found(kind));
        }
        let head: &ReaderHead = cursor.record()?;
        let file = Buffer::read(&mut cursor, "file")?;
        let alpha = if kind == 1 {
            ReaderAlpha::InFile
        } else {
            match cursor.u32("alpha_count")? {
                1 => ReaderAlpha::Same(cursor.u32("alpha_value")?),
                distinct => {
                    ReaderAlpha::Plane { distinct, plane: Buffer::read(&mut cursor, "alpha")? }
                }
            }
        };
        let image = ReaderImage { extension: head.extension, reader: head.reader, file, alpha };
        Ok((ReaderBitmap { image: Some(image) }, cursor.position()))
    }

    /// Appends the bitmap as it is stored.
    pub fn write(&self, out: &mut Vec<u8>) {
        let Some(image) = &self.image else {
            out.extend([0; 4]);
            return;
        };
        out.extend_from_slice(image.head().as_bytes());
        image.file.write(out);
        match &image.alpha {
            ReaderAlpha::InFile => {}
            ReaderAlpha::Same(value) => {
                out.extend(1_u32.to_le_bytes());
                out.extend(value.to_le_bytes());
            }
            ReaderAlpha::Plane { distinct, plane } => {
                out.extend(distinct.to_le_bytes());
                plane.write(out);
            }
        }
    }

    /// The picture; `None` where there is none.
    ///
    /// # Errors
    /// As [`ReaderImage::decode`].
    pub fn decode(&self, budget: &mut Budget) -> Result<Option<Rgba>> {
        self.image.as_ref().map(|image| image.decode(budget)).transpose()
    }
}

impl ReaderBitmap<'static> {
    /// Stores a picture as an image file. Where the coding cannot hold alpha, alpha is stored apart.
    ///
    /// # Errors
    /// [`codes::ENCODE`] when `reader` reads another format; as [`image::encode`];
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) for 2 GiB and more.
    pub fn from_rgba(
        picture: &Rgba,
        reader: &Reader,
        encoding: Encoding,
    ) -> Result<ReaderBitmap<'static>> {
        if encoding.format() != reader.format {
            return Err(Error::new(&codes::ENCODE)
                .expected(format!("the format {} of the bitmap reader", reader.format.name()))
                .found(encoding.format().name()));
        }
        let (file, alpha) = if encoding.holds_alpha() {
            (image::encode(picture, encoding)?, ReaderAlpha::InFile)
        } else {
            let mut opaque = picture.clone();
            opaque.set_alpha(std::iter::repeat(u8::MAX));
            (image::encode(&opaque, encoding)?, ReaderAlpha::apart(picture)?)
        };
        let image = ReaderImage {
            extension: reader.extension,
            reader: reader.guid,
            file: Buffer::new(file).field("file")?,
            alpha,
        };
        Ok(ReaderBitmap { image: Some(image) })
    }
}

impl ReaderAlpha<'static> {
    /// Alpha of a picture, for a file that does not hold it.
    fn apart(picture: &Rgba) -> Result<ReaderAlpha<'static>> {
        let values: BTreeSet<u8> = picture.alpha().collect();
        match (values.len(), values.first()) {
            (1, Some(value)) => Ok(ReaderAlpha::Same((*value).into())),
            (distinct, _) => {
                let plane = Buffer::new(picture.alpha().collect::<Vec<u8>>()).field("alpha")?;
                // There are 256 values at the most.
                Ok(ReaderAlpha::Plane { distinct: distinct as u32, plane })
            }
        }
    }
}

impl ReaderImage<'_> {
    /// The fixed part as it is stored.
    pub fn head(&self) -> ReaderHead {
        let kind = if self.alpha == ReaderAlpha::InFile { 1 } else { 2 };
        ReaderHead { kind: kind.into(), extension: self.extension, reader: self.reader }
    }

    /// The format of the image file: what its first bytes say; where they say nothing, as in TGA files, what
    /// the extension or else the reader says.
    pub fn format(&self) -> Option<ImageFormat> {
        let extension = spelunk_core::text::until_nul(&self.extension.0);
        ImageFormat::sniff(self.file.bytes())
            .or_else(|| ImageFormat::from_extension(extension))
            .or_else(|| Reader::of(self.reader).map(|reader| reader.format))
    }

    /// The picture.
    ///
    /// # Errors
    /// [`codes::IMAGE_FORMAT`] when nothing shows the format; as [`image::decode`]; [`codes::PLANE`] when the
    /// alpha plane holds another number of pixels. The caller knows the place.
    pub fn decode(&self, budget: &mut Budget) -> Result<Rgba> {
        let format = self.format().ok_or_else(|| {
            Error::new(&codes::IMAGE_FORMAT)
                .field("extension")
                .found(self.extension.0.escape_ascii().to_string())
        })?;
        let mut picture = image::decode(self.file.bytes(), format, budget).field("file")?;
        match &self.alpha {
            ReaderAlpha::InFile => {}
            ReaderAlpha::Same(value) => picture.set_alpha(std::iter::repeat(*value as u8)),
            ReaderAlpha::Plane { plane, .. } => {
                let count = picture.pixels().len() / 4;
                if plane.bytes().len() != count {
                    budget.release(picture.pixels().len() as u64);
                    return Err(Error::new(&codes::PLANE)
                        .field("alpha")
                        .expected(format!("{count} bytes for {picture:?}"))
                        .found(format!("{} bytes", plane.bytes().len())));
                }
                picture.set_alpha(plane.bytes().iter().copied());
            }
        }
        Ok(picture)
    }
}
