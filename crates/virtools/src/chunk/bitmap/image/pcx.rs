//! PCX files, on the `pcx` crate.

use super::{
    super::Rgba,
    format::{A_PICTURE, ImageFormat, refused},
};
use crate::codes;
use pcx::{Reader, WriterRgb};
use spelunk_core::{Budget, Error, Result};
use std::io;

pub(super) fn decode(bytes: &[u8], budget: &mut Budget) -> Result<Rgba> {
    let mut reader = Reader::from_mem(bytes).map_err(damaged)?;
    let (width, height) = reader.dimensions();
    let mut picture = Rgba::blank(width.into(), height.into(), budget)?;
    let row_len = usize::from(width);
    let (pixels, _) = picture.pixels_mut().as_chunks_mut::<4>();
    if !reader.is_paletted() {
        let mut row = vec![0; row_len.saturating_mul(3)];
        for painted in pixels.chunks_exact_mut(row_len) {
            reader.next_row_rgb(&mut row).map_err(damaged)?;
            for ([red, green, blue, _], stored) in painted.iter_mut().zip(row.as_chunks().0) {
                [*red, *green, *blue] = *stored;
            }
        }
        return Ok(picture);
    }
    // A palette of 256 colours follows the pixels, so these are kept until it is there.
    let mut indices = budget.vec::<u8>(pixels.len() as u64)?;
    indices.resize(pixels.len(), 0);
    for row in indices.chunks_exact_mut(row_len) {
        reader.next_row_paletted(row).map_err(damaged)?;
    }
    let mut palette = [0; 256 * 3];
    reader.read_palette(&mut palette).map_err(damaged)?;
    let (colours, _) = palette.as_chunks::<3>();
    for ([red, green, blue, _], index) in pixels.iter_mut().zip(indices) {
        [*red, *green, *blue] = colours.get(usize::from(index)).copied().unwrap_or_default();
    }
    Ok(picture)
}

fn damaged(error: io::Error) -> Error {
    Error::new(&codes::IMAGE_DAMAGED).expected("a PCX file").found(error.to_string())
}

/// A PCX file of 24 bits.
pub(super) fn encode(picture: &Rgba) -> Result<Vec<u8>> {
    let side = |pixels| u16::try_from(pixels).map_err(io::Error::other);
    let mut out = Vec::new();
    let mut write = || {
        let size = (side(picture.width())?, side(picture.height())?);
        let mut writer = WriterRgb::new(&mut out, size, (72, 72))?;
        for row in picture.rgb().chunks_exact(usize::from(size.0).saturating_mul(3)) {
            writer.write_row(row)?;
        }
        writer.finish()
    };
    write().map_err(|error: io::Error| refused(ImageFormat::Pcx, A_PICTURE, error))?;
    Ok(out)
}
