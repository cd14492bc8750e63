//! KTX 2.0 files: a header, where each mip lies, a description of the format (a Khronos data format descriptor), who
//! wrote it, then the mips from the smallest to the largest.

use super::texture::append;
use snpak::{
    Pack,
    texture::{Mip, PixelFormat, Texture},
};
use spelunk_core::{Result, Task};

const MAGIC: [u8; 12] = *b"\xABKTX 20\xBB\r\n\x1A\n";
/// Header and index, before where each mip lies.
const HEADER: u64 = 80;
/// A key, a NUL, a text, a NUL.
const WRITER: &[u8] = b"KTXwriter\0spelunk\0";

/// A part of a block that holds one channel, or all of them together.
struct Sample {
    /// First bit, and number of bits.
    bits: (u16, u16),
    /// Number of the channel, with bits for the form of its numbers.
    channel: u8,
    lower: u32,
    upper: u32,
}

/// Description of a format in the descriptor.
struct Format {
    /// A number of VkFormat.
    vk: u32,
    /// The model of its colours.
    model: u8,
    srgb: bool,
    samples: Vec<Sample>,
}

const RED: u8 = 0;
const GREEN: u8 = 1;
const BLUE: u8 = 2;
const ALPHA: u8 = 15;
/// The channel has no gamma, though the others have.
const LINEAR: u8 = 0x10;
const SIGNED: u8 = 0x40;
const FLOAT: u8 = 0x80;

/// The format of a texture. Without a word about sRGB, colours are not.
fn format(texture: &Texture) -> Format {
    let wanted = texture.srgb == Some(true);
    let step = u32::from(wanted);
    let byte = |nth: u16, channel| Sample { bits: (nth * 8, 8), channel, lower: 0, upper: 255 };
    let part =
        |start, len, channel| Sample { bits: (start, len), channel, lower: 0, upper: u32::MAX };
    let float = |channel, lower: f32| Sample {
        bits: (0, 128),
        channel: channel | FLOAT,
        lower: lower.to_bits(),
        upper: 1_f32.to_bits(),
    };
    let alpha = if wanted { ALPHA | LINEAR } else { ALPHA };
    let of = |vk, model, srgb, samples| Format { vk, model, srgb, samples };
    match texture.format {
        PixelFormat::R8 => of(9, 1, false, vec![byte(0, RED)]),
        PixelFormat::Rg8 => of(16, 1, false, vec![byte(0, RED), byte(1, GREEN)]),
        PixelFormat::Rgb8 => of(23, 1, false, vec![byte(0, RED), byte(1, GREEN), byte(2, BLUE)]),
        PixelFormat::Rgba8 => {
            of(37, 1, false, vec![byte(0, RED), byte(1, GREEN), byte(2, BLUE), byte(3, ALPHA)])
        }
        // The channel says whether there is alpha.
        PixelFormat::Bc1 if texture.channels == Some(3) => {
            of(131 + step, 128, wanted, vec![part(0, 64, 0)])
        }
        PixelFormat::Bc1 => of(133 + step, 128, wanted, vec![part(0, 64, 1)]),
        PixelFormat::Bc3 => of(137 + step, 130, wanted, vec![part(0, 64, alpha), part(64, 64, 0)]),
        PixelFormat::Bc4 => of(139, 131, false, vec![part(0, 64, 0)]),
        PixelFormat::Bc5 => of(141, 132, false, vec![part(0, 64, RED), part(64, 64, GREEN)]),
        PixelFormat::Bc6h => of(143, 133, false, vec![float(0, 0.0)]),
        PixelFormat::Bc7 => of(145 + step, 134, wanted, vec![part(0, 128, 0)]),
        PixelFormat::Astc(width, height) => {
            let vk = 157 + 2 * astc(width, height) + step;
            of(vk, 162, wanted, vec![part(0, 128, 0)])
        }
        PixelFormat::AstcHdr(width, height) => {
            let vk = 1_000_066_000 + astc(width, height);
            of(vk, 162, false, vec![float(SIGNED, -1.0)])
        }
    }
}

/// The position of a size of blocks in the lists of Vulkan.
fn astc(width: u8, height: u8) -> u32 {
    const SIZES: [(u8, u8); 14] = [
        (4, 4),
        (5, 4),
        (5, 5),
        (6, 5),
        (6, 6),
        (8, 5),
        (8, 6),
        (8, 8),
        (10, 5),
        (10, 6),
        (10, 8),
        (10, 10),
        (12, 10),
        (12, 12),
    ];
    SIZES.iter().zip(0..).find(|(size, _)| **size == (width, height)).map_or(0, |(_, nth)| nth)
}

/// A texture with these mips as a file.
pub(super) fn file(
    pack: &Pack,
    texture: &Texture,
    mips: &[Mip],
    task: &mut Task<'_>,
) -> Result<Vec<u8>> {
    let format = format(texture);
    let descriptor = descriptor(texture.format, &format);
    let descriptor_at = HEADER + 24 * mips.len() as u64;
    let writer_at = descriptor_at + descriptor.len() as u64;
    let writer_len = (4 + WRITER.len() as u64).next_multiple_of(4);
    // Every mip starts at a multiple of a block and of four bytes.
    let block = u64::from(texture.format.block_len());
    let align = match block {
        1 | 2 => 4,
        3 => 12,
        block => block,
    };
    let mut places = vec![0; mips.len()];
    let mut end = writer_at + writer_len;
    for (place, mip) in places.iter_mut().zip(mips).rev() {
        // Sizes are what the pack claims: beyond all numbers no memory is left for them.
        *place = end.checked_next_multiple_of(align).unwrap_or(u64::MAX);
        end = place.saturating_add(mip.len);
    }
    let mut out = task.budget.vec::<u8>(end)?;
    out.extend_from_slice(&MAGIC);
    let largest = mips.first().map_or((0, 0), |mip| (mip.width, mip.height));
    // Format, size of a value, width, height, no depth, no array, one face, mips, not packed any further.
    for word in [format.vk, 1, largest.0, largest.1, 0, 0, 1, mips.len() as u32, 0] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    for word in [descriptor_at, descriptor.len() as u64, writer_at, 4 + WRITER.len() as u64] {
        // They follow the header, so that 32 bits are enough.
        out.extend_from_slice(&(word as u32).to_le_bytes());
    }
    out.extend_from_slice(&[0; 16]);
    for (place, mip) in places.iter().zip(mips) {
        for word in [*place, mip.len, mip.len] {
            out.extend_from_slice(&word.to_le_bytes());
        }
    }
    out.extend_from_slice(&descriptor);
    out.extend_from_slice(&(WRITER.len() as u32).to_le_bytes());
    out.extend_from_slice(WRITER);
    for (place, mip) in places.iter().zip(mips).rev() {
        out.resize(usize::try_from(*place).unwrap_or(out.len()), 0);
        append(pack, texture, mip, &mut out, task)?;
    }
    Ok(out)
}

/// The descriptor of a format: its size, then one basic block.
fn descriptor(pixels: PixelFormat, format: &Format) -> Vec<u8> {
    let size = 24 + 16 * format.samples.len();
    let mut out = Vec::with_capacity(4 + size);
    out.extend_from_slice(&(4 + size as u32).to_le_bytes());
    // Khronos, basic.
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&2_u16.to_le_bytes());
    out.extend_from_slice(&(size as u16).to_le_bytes());
    // Primaries are those of BT.709; light is linear or sRGB; alpha is not multiplied in.
    out.extend_from_slice(&[format.model, 1, if format.srgb { 2 } else { 1 }, 0]);
    let (width, height) = pixels.block();
    out.extend_from_slice(&[width as u8 - 1, height as u8 - 1, 0, 0]);
    out.extend_from_slice(&[pixels.block_len() as u8, 0, 0, 0, 0, 0, 0, 0]);
    for Sample { bits: (start, len), channel, lower, upper } in &format.samples {
        out.extend_from_slice(&start.to_le_bytes());
        out.extend_from_slice(&[(len - 1) as u8, *channel, 0, 0, 0, 0]);
        out.extend_from_slice(&lower.to_le_bytes());
        out.extend_from_slice(&upper.to_le_bytes());
    }
    out
}
