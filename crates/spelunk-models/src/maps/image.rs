//! Grids as PNG files: heights in 16 bits of grey, everything else as an image with a palette, whose indices are the values.

use super::{
    colors,
    grid::{Grid, GridLayer, size_error},
};
use png::{BitDepth, ColorType};
use spelunk_core::{Error, Result};
use spelunk_open::codes;
use std::io::{Cursor, Write};

/// Writes a grid as PNG.
///
/// # Errors
/// [`GRID_VALUE`](codes::GRID_VALUE) for a number that the palette does not have; writing errors.
pub fn write_png(grid: &Grid, out: &mut dyn Write) -> Result<()> {
    within(&grid.values, grid.layer, grid.width)?;
    let mut encoder = png::Encoder::new(out, grid.width, grid.height);
    let data: Vec<u8> = match grid.layer {
        GridLayer::Heights | GridLayer::Flight => {
            encoder.set_color(ColorType::Grayscale);
            encoder.set_depth(BitDepth::Sixteen);
            grid.values.iter().flat_map(|value| value.to_be_bytes()).collect()
        }
        layer => {
            encoder.set_color(ColorType::Indexed);
            encoder.set_depth(BitDepth::Eight);
            encoder.set_palette(colors::palette(layer).into_flattened());
            grid.values.iter().map(|value| u8::try_from(*value).unwrap_or(u8::MAX)).collect()
        }
    };
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&data).map_err(failed)?;
    writer.finish().map_err(failed)
}

/// Reads a grid from PNG: what [`write_png`] wrote, also where another program made it 24 bits of colour, as long as its
/// colours are those of the palette.
///
/// # Errors
/// [`GRID_VALUE`](codes::GRID_VALUE) where the picture is of another kind, or has another colour, with its place;
/// [`GRID_SIZE`](codes::GRID_SIZE) where it is no square of up to 32767 pixels; limits.
pub fn read_png(bytes: &[u8], layer: GridLayer, most: u64) -> Result<Grid> {
    let bad = |error: png::DecodingError| match error {
        png::DecodingError::LimitsExceeded => Error::new(&codes::core::MEMORY),
        error => Error::new(&codes::GRID_VALUE).expected("a PNG image").found(error.to_string()),
    };
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut decoder =
        png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: most });
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(bad)?;
    let (width, height) = reader.info().size();
    let side = u16::try_from(width).ok().filter(|side| u32::from(*side) == height && *side > 0);
    let Some(side) = side.filter(|side| *side <= i16::MAX.cast_unsigned()) else {
        let error = Error::new(&codes::GRID_SIZE).expected("a square");
        return Err(error.found(format!("{width} by {height} pixels")));
    };
    let size = reader.output_buffer_size().filter(|size| *size <= most);
    let mut data = vec![0; size.ok_or_else(|| Error::new(&codes::core::MEMORY))?];
    let frame = reader.next_frame(&mut data).map_err(bad)?;
    let values = match (layer, frame.color_type, frame.bit_depth) {
        (layer, ColorType::Grayscale, BitDepth::Sixteen) if layer.has_heights() => {
            data.as_chunks::<2>().0.iter().map(|bytes| u16::from_be_bytes(*bytes)).collect()
        }
        (layer, ..) if layer.has_heights() => return Err(unlike("16 bits of grey", &frame)),
        (_, ColorType::Indexed, depth) => unpacked(&data, depth, side, frame.line_size),
        (_, ColorType::Rgb | ColorType::Rgba, BitDepth::Eight) => {
            let parts = if frame.color_type == ColorType::Rgb { 3 } else { 4 };
            of_colors(&data, parts, layer, side)?
        }
        _ => return Err(unlike("an image with a palette, or 8 bits of colour", &frame)),
    };
    let values: Vec<u16> = values;
    if values.len() != usize::from(side).pow(2) {
        return Err(size_error(side.into(), side.into(), values.len()));
    }
    within(&values, layer, side.into())?;
    Ok(Grid::new(layer, side.into(), side.into(), values))
}

/// Checks that all values are those of the layer.
fn within(values: &[u16], layer: GridLayer, width: u32) -> Result<()> {
    let Some(at) = values.iter().position(|value| *value > layer.most()) else { return Ok(()) };
    let value = values.get(at).copied().unwrap_or_default();
    Err(placed(Error::new(&codes::GRID_VALUE), at, width)
        .expected(format!("0 to {}", layer.most()))
        .found(u64::from(value)))
}

/// The indices of an image with a palette, which may share bytes.
fn unpacked(data: &[u8], depth: BitDepth, side: u16, line: usize) -> Vec<u16> {
    let bits = (depth as usize).min(8);
    let per_byte = 8 / bits;
    let mask = u16::MAX >> (16 - bits);
    let mut values = Vec::with_capacity(usize::from(side).pow(2));
    for row in data.chunks(line.max(1)) {
        values.extend((0..usize::from(side)).filter_map(|x| {
            let shift = 8 - bits * (x % per_byte + 1);
            Some((u16::from(*row.get(x / per_byte)?) >> shift) & mask)
        }));
    }
    values
}

/// The indices of the colours of the palette.
fn of_colors(data: &[u8], parts: usize, layer: GridLayer, side: u16) -> Result<Vec<u16>> {
    let palette = colors::palette(layer);
    let indices: std::collections::HashMap<[u8; 3], u16> = palette.into_iter().zip(0..).collect();
    let mut values = Vec::with_capacity(usize::from(side).pow(2));
    for (at, pixel) in data.chunks_exact(parts).enumerate() {
        let color = pixel.first_chunk().copied().unwrap_or_default();
        let value = indices.get(&color).ok_or_else(|| {
            let [r, g, b] = color;
            placed(Error::new(&codes::GRID_VALUE), at, side.into())
                .expected("a colour of the palette")
                .found(format!("#{r:02x}{g:02x}{b:02x}"))
        })?;
        values.push(*value);
    }
    Ok(values)
}

fn placed(error: Error, at: usize, width: u32) -> Error {
    let width = (width as usize).max(1);
    error.within(spelunk_core::Seg::Key(format!("pixel {},{}", at % width, at / width).into()))
}

#[cold]
fn unlike(expected: &'static str, frame: &png::OutputInfo) -> Error {
    let found = format!("{:?}, {:?}", frame.color_type, frame.bit_depth);
    Error::new(&codes::GRID_VALUE).expected(expected).found(found)
}

pub(super) fn failed(error: png::EncodingError) -> Error {
    match error {
        png::EncodingError::IoError(error) => error.into(),
        error => std::io::Error::other(error).into(),
    }
}
