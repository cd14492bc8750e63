//! DDS files: a header, then the mips from the largest to the smallest.
//!
//! Formats that the header of DirectX 9 has a name for have that header alone, which every reader knows; all others have the
//! one of DirectX 10 behind it.

use super::texture::{append, no_place};
use snpak::{
    Pack,
    texture::{Mip, PixelFormat, Texture},
};
use spelunk_core::{Result, Task};

/// Name of a format in the headers of DDS.
enum FormatName {
    /// Four characters.
    FourCc([u8; 4]),
    /// Flags, bits of a pixel, and which of them are red, green, blue and alpha.
    Masks(u32, u32, [u32; 4]),
    /// A number of DXGI_FORMAT.
    Dxgi(u32),
}

const FOUR_CC: u32 = 0x4;
const RGB: u32 = 0x40;
const RGBA: u32 = 0x41;
const LUMINANCE: u32 = 0x2_0000;

/// Returns the name of the format of a texture; `None` where DDS has none. Without a word about sRGB, colours are not.
fn format_name(texture: &Texture) -> Option<FormatName> {
    let srgb = texture.srgb == Some(true);
    Some(match texture.format {
        PixelFormat::R8 => FormatName::Masks(LUMINANCE, 8, [0xFF, 0, 0, 0]),
        PixelFormat::Rgb8 => FormatName::Masks(RGB, 24, [0xFF, 0xFF00, 0xFF_0000, 0]),
        PixelFormat::Rgba8 => FormatName::Masks(RGBA, 32, [0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]),
        PixelFormat::Rg8 => FormatName::Dxgi(49),
        PixelFormat::Bc1 if srgb => FormatName::Dxgi(72),
        PixelFormat::Bc1 => FormatName::FourCc(*b"DXT1"),
        PixelFormat::Bc3 if srgb => FormatName::Dxgi(78),
        PixelFormat::Bc3 => FormatName::FourCc(*b"DXT5"),
        PixelFormat::Bc4 => FormatName::Dxgi(80),
        PixelFormat::Bc5 => FormatName::Dxgi(83),
        PixelFormat::Bc6h => FormatName::Dxgi(95),
        PixelFormat::Bc7 => FormatName::Dxgi(if srgb { 99 } else { 98 }),
        PixelFormat::Astc(..) | PixelFormat::AstcHdr(..) => return None,
    })
}

/// A texture with these mips as a file.
pub(super) fn file(
    pack: &Pack,
    texture: &Texture,
    mips: &[Mip],
    task: &mut Task<'_>,
) -> Result<Vec<u8>> {
    let name = format_name(texture).ok_or_else(|| no_place(pack, texture, "DDS"))?;
    let len = mips.iter().fold(148_u64, |len, mip| len.saturating_add(mip.len));
    let mut out = task.budget.vec::<u8>(len)?;
    if let Some(largest) = mips.first() {
        header(texture.format, &name, largest, mips.len() as u32, &mut out);
    }
    for mip in mips {
        append(pack, texture, mip, &mut out, task)?;
    }
    Ok(out)
}

fn header(format: PixelFormat, name: &FormatName, largest: &Mip, mips: u32, out: &mut Vec<u8>) {
    // Capabilities, height, width, format, number of mips; then what the next number but three is.
    let size_of = if format.is_compressed() { 0x8_0000 } else { 0x8 };
    let pitch = if format.is_compressed() { largest.len } else { format.len(largest.width, 1) };
    let (flags, four_cc, bits, masks) = match name {
        FormatName::FourCc(letters) => (FOUR_CC, *letters, 0, [0; 4]),
        FormatName::Masks(flags, bits, masks) => (*flags, [0; 4], *bits, *masks),
        FormatName::Dxgi(_) => (FOUR_CC, *b"DX10", 0, [0; 4]),
    };
    let mut word = |value: u32| out.extend_from_slice(&value.to_le_bytes());
    word(u32::from_le_bytes(*b"DDS "));
    word(124);
    word(0x2_1007 | size_of);
    word(largest.height);
    word(largest.width);
    word(u32::try_from(pitch).unwrap_or(0));
    word(0);
    word(mips);
    (0..11).for_each(|_| word(0));
    word(32);
    word(flags);
    word(u32::from_le_bytes(four_cc));
    word(bits);
    masks.into_iter().for_each(&mut word);
    // A texture, and with more than one mip a complex one.
    word(if mips > 1 { 0x40_1008 } else { 0x1000 });
    (0..4).for_each(|_| word(0));
    if let FormatName::Dxgi(number) = name {
        // Format, two dimensions, no flags, one picture, alpha as it is.
        [*number, 3, 0, 1, 0].into_iter().for_each(word);
    }
}
