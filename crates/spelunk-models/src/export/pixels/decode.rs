//! Pixels of every format as RGBA of 8 bits, and as PNG files.

use super::texture::shown;
use snpak::{
    Pack,
    texture::{Mip, PixelFormat, Texture},
};
use spelunk_core::{Error, Result, Task};
use spelunk_open::codes;
use virtools::chunk::bitmap::Rgba;

/// The colour in the place of blocks that cannot be decoded, which the specification of ASTC asks for.
const ERROR: [u8; 4] = [255, 0, 255, 255];

/// The pixels of a mip.
pub(crate) fn rgba(pack: &Pack, texture: &Texture, mip: &Mip, task: &mut Task<'_>) -> Result<Rgba> {
    let stored = texture.load(pack, mip.level, task)?;
    let pixels = u64::from(mip.width).saturating_mul(mip.height.into());
    task.budget.touch(pixels.saturating_mul(4))?;
    let mut rgba = task.budget.vec::<u8>(pixels.saturating_mul(4))?;
    rgba.resize(usize::try_from(pixels.saturating_mul(4)).unwrap_or(0), 0);
    let failed = decode(texture.format, &stored, (mip.width, mip.height), &mut rgba);
    drop(stored);
    if failed > 0 {
        let found = format!("`{}`: {failed} blocks", shown(pack, texture));
        task.warn(Error::new(&codes::BLOCKS).expected(texture.format.name()).found(found))?;
    }
    if texture.format == PixelFormat::Bc6h {
        let error = Error::new(&codes::CLAMPED).expected("colours from 0 to 1");
        task.note(error.found(format!("`{}`: {}", shown(pack, texture), texture.format.name())))?;
    }
    Rgba::new(mip.width, mip.height, rgba)
}

/// Decodes a picture, and returns the number of blocks that cannot be decoded.
fn decode(format: PixelFormat, stored: &[u8], size: (u32, u32), rgba: &mut [u8]) -> u64 {
    let pixels = stored.chunks_exact(format.block_len() as usize);
    let out = rgba.as_chunks_mut::<4>().0.iter_mut();
    match format {
        PixelFormat::R8 => out.zip(stored).for_each(|(out, r)| *out = [*r, *r, *r, 255]),
        PixelFormat::Rg8 => out.zip(pixels).for_each(|(out, from)| {
            if let [r, g] = from {
                *out = [*r, *g, 0, 255];
            }
        }),
        PixelFormat::Rgb8 => out.zip(pixels).for_each(|(out, from)| {
            if let [r, g, b] = from {
                *out = [*r, *g, *b, 255];
            }
        }),
        PixelFormat::Rgba8 => rgba.copy_from_slice(stored),
        _ => return blocks(format, stored, size, rgba),
    }
    0
}

/// Decodes a picture block by block, and returns the number of blocks that cannot be decoded.
fn blocks(format: PixelFormat, stored: &[u8], size: (u32, u32), rgba: &mut [u8]) -> u64 {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let (block_width, block_height) = format.block();
    let (block_width, block_height) = (block_width as usize, block_height as usize);
    let mut failed = 0;
    let mut tile = [[0_u8; 4]; 144];
    let columns = width.div_ceil(block_width);
    for (nth, stored) in stored.chunks_exact(format.block_len() as usize).enumerate() {
        failed += u64::from(!block(format, stored, &mut tile));
        let (left, top) = (nth % columns * block_width, nth / columns * block_height);
        let inside = block_width.min(width.saturating_sub(left));
        for (row, from) in tile.chunks(block_width).take(block_height).enumerate() {
            if top + row >= height {
                break;
            }
            let start = ((top + row) * width + left) * 4;
            let (Some(to), Some(from)) =
                (rgba.get_mut(start..start + inside * 4), from.get(..inside))
            else {
                continue;
            };
            to.copy_from_slice(from.as_flattened());
        }
    }
    failed
}

/// Decodes a block, row by row; false where it cannot be, and then all of it has one colour.
fn block(format: PixelFormat, stored: &[u8], tile: &mut [[u8; 4]; 144]) -> bool {
    /// Bytes of a row of four pixels.
    const ROW: usize = 16;
    let flat = tile.as_flattened_mut();
    match format {
        PixelFormat::Bc1 => bcdec_rs::bc1(stored, flat, ROW),
        PixelFormat::Bc3 => bcdec_rs::bc3(stored, flat, ROW),
        PixelFormat::Bc7 => bcdec_rs::bc7(stored, flat, ROW),
        PixelFormat::Bc4 => {
            let mut red = [0_u8; 16];
            bcdec_rs::bc4(stored, &mut red, 4, false);
            tile.iter_mut().zip(red).for_each(|(out, r)| *out = [r, r, r, 255]);
        }
        PixelFormat::Bc5 => {
            let mut both = [0_u8; 32];
            bcdec_rs::bc5(stored, &mut both, 8, false);
            let pairs = both.as_chunks::<2>().0;
            tile.iter_mut().zip(pairs).for_each(|(out, [r, g])| *out = [*r, *g, 0, 255]);
        }
        PixelFormat::Bc6h => {
            let mut light = [0_f32; 48];
            bcdec_rs::bc6h_float(stored, &mut light, 12, false);
            let triples = light.as_chunks::<3>().0;
            for (out, rgb) in tile.iter_mut().zip(triples) {
                let [r, g, b] = rgb.map(from_light);
                *out = [r, g, b, 255];
            }
        }
        PixelFormat::Astc(width, height) | PixelFormat::AstcHdr(width, height) => {
            let Ok(stored) = stored.try_into() else { return false };
            let footprint = astc_decode::Footprint::new(width.into(), height.into());
            let put = |x: u32, y: u32, color| {
                let place = y * u32::from(width) + x;
                if let Some(out) = tile.get_mut(place as usize) {
                    *out = color;
                }
            };
            if !astc_decode::astc_decode_block(stored, footprint, put) {
                *tile = [ERROR; 144];
                return false;
            }
        }
        PixelFormat::R8 | PixelFormat::Rg8 | PixelFormat::Rgb8 | PixelFormat::Rgba8 => {}
    }
    true
}

/// An amount of light as an sRGB value of 8 bits. What is brighter than white is white.
fn from_light(light: f32) -> u8 {
    let light = if light.is_nan() { 0.0 } else { light.clamp(0.0, 1.0) };
    let value =
        if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}
