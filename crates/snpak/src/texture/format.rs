//! Formats of pixels, and what they take.

/// A format of pixels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PixelFormat {
    /// A single channel of 8 bits.
    R8,
    /// Two channels of 8 bits.
    Rg8,
    /// Three channels of 8 bits.
    Rgb8,
    /// Four channels of 8 bits.
    Rgba8,
    /// BC1 (DXT1): colour and one bit of alpha.
    Bc1,
    /// BC3 (DXT5): colour and alpha.
    Bc3,
    /// BC4: one channel.
    Bc4,
    /// BC5: two channels.
    Bc5,
    /// BC6H: colour in half floats without sign.
    Bc6h,
    /// BC7: colour and alpha.
    Bc7,
    /// ASTC of the LDR profile; width and height of its blocks.
    Astc(u8, u8),
    /// ASTC of the HDR profile; width and height of its blocks.
    AstcHdr(u8, u8),
}

use PixelFormat::*;

/// Formats of textures by their stored numbers.
pub const PLAIN: &[(i64, &str)] = &[(1, "RGBA8"), (2, "RGB8"), (3, "R8"), (4, "RG8")];

/// Formats of compressed textures by their stored numbers.
pub const COMPRESSED: &[(i64, &str)] = &[
    (1, "BC1"),
    (2, "BC3"),
    (3, "BC4"),
    (4, "BC5"),
    (5, "BC6H"),
    (6, "BC7"),
    (10, "ASTC 4x4"),
    (11, "ASTC 5x5"),
    (12, "ASTC 6x6"),
    (13, "ASTC 8x8"),
    (14, "ASTC 10x10"),
    (15, "ASTC 12x12"),
    (20, "ASTC HDR 4x4"),
    (21, "ASTC HDR 6x6"),
    (22, "ASTC HDR 8x8"),
];

impl PixelFormat {
    /// All formats.
    pub const ALL: [PixelFormat; 19] = [
        R8,
        Rg8,
        Rgb8,
        Rgba8,
        Bc1,
        Bc3,
        Bc4,
        Bc5,
        Bc6h,
        Bc7,
        Astc(4, 4),
        Astc(5, 5),
        Astc(6, 6),
        Astc(8, 8),
        Astc(10, 10),
        Astc(12, 12),
        AstcHdr(4, 4),
        AstcHdr(6, 6),
        AstcHdr(8, 8),
    ];

    /// The format with this name, whatever the case of its letters; blanks may be left out.
    pub fn named(name: &str) -> Option<PixelFormat> {
        let plain = |name: &str| name.replace([' ', '-', '_'], "").to_ascii_lowercase();
        PixelFormat::ALL.into_iter().find(|format| plain(&format.name()) == plain(name))
    }

    /// The format that textures store as this number.
    pub fn plain(number: u32) -> Option<PixelFormat> {
        PixelFormat::stored(PLAIN, number)
    }

    /// The format that compressed textures store as this number.
    pub fn compressed(number: u32) -> Option<PixelFormat> {
        PixelFormat::stored(COMPRESSED, number)
    }

    fn stored(table: &[(i64, &str)], number: u32) -> Option<PixelFormat> {
        let (_, name) = table.iter().find(|(known, _)| *known == i64::from(number))?;
        PixelFormat::named(name)
    }

    /// Returns the name of the format.
    pub fn name(self) -> String {
        match self {
            R8 => "R8".to_owned(),
            Rg8 => "RG8".to_owned(),
            Rgb8 => "RGB8".to_owned(),
            Rgba8 => "RGBA8".to_owned(),
            Bc1 => "BC1".to_owned(),
            Bc3 => "BC3".to_owned(),
            Bc4 => "BC4".to_owned(),
            Bc5 => "BC5".to_owned(),
            Bc6h => "BC6H".to_owned(),
            Bc7 => "BC7".to_owned(),
            Astc(width, height) => format!("ASTC {width}x{height}"),
            AstcHdr(width, height) => format!("ASTC HDR {width}x{height}"),
        }
    }

    /// Width and height of a block in pixels; 1 and 1 where pixels stand alone.
    pub const fn block(self) -> (u32, u32) {
        match self {
            R8 | Rg8 | Rgb8 | Rgba8 => (1, 1),
            Bc1 | Bc3 | Bc4 | Bc5 | Bc6h | Bc7 => (4, 4),
            Astc(width, height) | AstcHdr(width, height) => (width as u32, height as u32),
        }
    }

    /// Bytes of a block.
    pub const fn block_len(self) -> u32 {
        match self {
            R8 => 1,
            Rg8 => 2,
            Rgb8 => 3,
            Rgba8 => 4,
            Bc1 | Bc4 => 8,
            Bc3 | Bc5 | Bc6h | Bc7 | Astc(..) | AstcHdr(..) => 16,
        }
    }

    /// Whether pixels come in blocks.
    pub const fn is_compressed(self) -> bool {
        !matches!(self, R8 | Rg8 | Rgb8 | Rgba8)
    }

    /// Bytes of a picture of this size. Blocks at the right and at the bottom are stored whole.
    pub const fn len(self, width: u32, height: u32) -> u64 {
        let (block_width, block_height) = self.block();
        let columns = width.div_ceil(block_width) as u64;
        let rows = height.div_ceil(block_height) as u64;
        columns.saturating_mul(rows).saturating_mul(self.block_len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stored_number_has_a_format_and_every_format_one() {
        let plain = PLAIN.iter().map(|(number, _)| PixelFormat::plain(*number as u32));
        let compressed =
            COMPRESSED.iter().map(|(number, _)| PixelFormat::compressed(*number as u32));
        let found: Vec<_> = plain.chain(compressed).map(Option::unwrap).collect();
        assert!(PixelFormat::ALL.iter().all(|format| found.contains(format)));
        assert_eq!(found.len(), PixelFormat::ALL.len());
        assert_eq!(PixelFormat::plain(0).or(PixelFormat::compressed(16)), None);
    }

    #[test]
    fn blocks_at_the_edges_are_whole() {
        for (format, width, height, len) in [
            (Rgba8, 3, 5, 60),
            (Rgb8, 7, 1, 21),
            (Bc1, 1, 1, 8),
            (Bc7, 5, 4, 32),
            (Astc(5, 5), 11, 5, 48),
            (Astc(12, 12), 12, 13, 32),
            (Bc7, u32::MAX, u32::MAX, 1 << 62 << 2 >> 2),
        ] {
            if width == u32::MAX {
                assert_eq!(format.len(width, height), u64::MAX, "no overflow");
            } else {
                assert_eq!(format.len(width, height), len, "{format:?} {width}x{height}");
            }
        }
    }
}
