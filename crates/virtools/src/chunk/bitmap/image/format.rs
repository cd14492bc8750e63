//! The formats of image files, and what is said of a picture that one of them cannot hold.

use crate::codes;
use spelunk_core::Error;
use std::fmt::Display;

/// The format of an image file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ImageFormat {
    /// Truevision TGA: palette, colour or grey, run lengths or not. It has no magic bytes.
    Tga,
    /// Windows bitmap with its file header: palette, 16, 24 or 32 bits, run lengths or not.
    Bmp,
    /// Windows bitmap without its file header of 14 bytes.
    Dib,
    /// JPEG, colour or grey.
    Jpeg,
    /// PNG.
    Png,
    /// TIFF, its first picture.
    Tiff,
    /// GIF, its first frame.
    Gif,
    /// PC Paintbrush: palette or 24 bits.
    Pcx,
}

impl ImageFormat {
    /// The format by the first bytes of a file; `None` for TGA and DIB, which have no signature, and for
    /// what is not known. No sound TGA file starts with the magic bytes of another format.
    pub fn sniff(file: &[u8]) -> Option<ImageFormat> {
        match file {
            [b'B', b'M', ..] => Some(ImageFormat::Bmp),
            [0xFF, 0xD8, 0xFF, ..] => Some(ImageFormat::Jpeg),
            [0x89, b'P', b'N', b'G', ..] => Some(ImageFormat::Png),
            [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => Some(ImageFormat::Tiff),
            [b'G', b'I', b'F', b'8', ..] => Some(ImageFormat::Gif),
            [0x0A, 0 | 2..=5, 1, ..] => Some(ImageFormat::Pcx),
            _ => None,
        }
    }

    /// The format that a file name extension stands for, in letters of any case.
    pub fn from_extension(extension: &[u8]) -> Option<ImageFormat> {
        match extension.to_ascii_lowercase().as_slice() {
            b"tga" => Some(ImageFormat::Tga),
            b"bmp" => Some(ImageFormat::Bmp),
            b"dib" => Some(ImageFormat::Dib),
            b"jpg" | b"jpeg" => Some(ImageFormat::Jpeg),
            b"png" => Some(ImageFormat::Png),
            b"tif" | b"tiff" => Some(ImageFormat::Tiff),
            b"gif" => Some(ImageFormat::Gif),
            b"pcx" => Some(ImageFormat::Pcx),
            _ => None,
        }
    }

    /// Name of the format as people use it.
    pub const fn name(self) -> &'static str {
        match self {
            ImageFormat::Tga => "TGA",
            ImageFormat::Bmp => "BMP",
            ImageFormat::Dib => "DIB",
            ImageFormat::Jpeg => "JPEG",
            ImageFormat::Png => "PNG",
            ImageFormat::Tiff => "TIFF",
            ImageFormat::Gif => "GIF",
            ImageFormat::Pcx => "PCX",
        }
    }
}

/// Form of the image file that is made of a picture. All but JPEG decode to the same pixels again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// TGA of 24 bits, or of 32 where the picture is not opaque; bottom row first, as old readers expect it.
    Tga {
        /// Whether equal pixels are stored as runs.
        run_lengths: bool,
    },
    /// BMP of 24 bits, for opaque pictures.
    Bmp,
    /// JPEG of three colours, for opaque pictures.
    Jpeg {
        /// 1 (small) to 100 (faithful).
        quality: u8,
    },
    /// PNG of 24 bits, or of 32 where the picture is not opaque.
    Png,
    /// TIFF of 24 bits, or of 32 where the picture is not opaque.
    Tiff,
    /// GIF of one frame, for opaque pictures of up to 256 colours.
    Gif,
    /// PCX of 24 bits, for opaque pictures.
    Pcx,
}

impl Encoding {
    /// The format of the files that it makes.
    pub const fn format(self) -> ImageFormat {
        match self {
            Encoding::Tga { .. } => ImageFormat::Tga,
            Encoding::Bmp => ImageFormat::Bmp,
            Encoding::Jpeg { .. } => ImageFormat::Jpeg,
            Encoding::Png => ImageFormat::Png,
            Encoding::Tiff => ImageFormat::Tiff,
            Encoding::Gif => ImageFormat::Gif,
            Encoding::Pcx => ImageFormat::Pcx,
        }
    }

    /// Whether alpha can be in the file.
    pub const fn holds_alpha(self) -> bool {
        matches!(self, Encoding::Tga { .. } | Encoding::Png | Encoding::Tiff)
    }
}

/// Expectation that an error names where an encoder refuses.
#[cfg(feature = "images")]
pub(super) const A_PICTURE: &str = "a picture of a size that is possible";

/// A picture that a format cannot hold.
pub(super) fn refused(format: ImageFormat, expected: &str, found: impl Display) -> Error {
    Error::new(&codes::ENCODE)
        .expected(format!("{expected} for {}", format.name()))
        .found(found.to_string())
}
