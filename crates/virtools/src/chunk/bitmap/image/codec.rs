//! The decoders and encoders, on the `image` crate but for what it lacks.

use super::{
    super::{Rgba, rgba::byte_count},
    format::{A_PICTURE, Encoding, ImageFormat, refused},
    jpeg, pcx, tga, tiff,
};
use crate::codes;
use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, ImageResult, Limits,
    codecs::{
        bmp::{BmpDecoder, BmpEncoder},
        gif::{GifDecoder, GifEncoder},
        jpeg::{JpegDecoder, JpegEncoder},
        png::{PngDecoder, PngEncoder},
        tga::TgaDecoder,
        tiff::{TiffDecoder, TiffEncoder},
    },
};
use spelunk_core::{Budget, Error, Result, codes as core_codes};
use std::{collections::BTreeSet, io::Cursor};

pub(super) fn decode(bytes: &[u8], format: ImageFormat, budget: &mut Budget) -> Result<Rgba> {
    let file = Cursor::new(bytes);
    match format {
        ImageFormat::Tga => picture(TgaDecoder::new(file), format, budget),
        ImageFormat::Bmp => picture(BmpDecoder::new(file), format, budget),
        ImageFormat::Dib => picture(BmpDecoder::new_without_file_header(file), format, budget),
        ImageFormat::Jpeg => picture(open_jpeg(bytes, budget)?, format, budget),
        ImageFormat::Png => {
            let limits = limits(budget.left().memory);
            picture(PngDecoder::with_limits(file, limits), format, budget)
        }
        ImageFormat::Tiff => {
            tiff::check(bytes)?;
            picture(TiffDecoder::new(file), format, budget)
        }
        ImageFormat::Gif => picture(GifDecoder::new(file), format, budget),
        ImageFormat::Pcx => pcx::decode(bytes, budget),
    }
}

/// Opens a JPEG file, of which the decoder makes a copy, and charges what it works with.
fn open_jpeg<'a>(
    bytes: &'a [u8],
    budget: &mut Budget,
) -> Result<ImageResult<JpegDecoder<Cursor<&'a [u8]>>>> {
    budget.memory(jpeg::working_memory(bytes)?.saturating_add(bytes.len() as u64))?;
    Ok(JpegDecoder::new(Cursor::new(bytes)))
}

fn picture(
    decoder: ImageResult<impl ImageDecoder>,
    format: ImageFormat,
    budget: &mut Budget,
) -> Result<Rgba> {
    let unreadable = |error| unreadable(format, &error);
    let mut decoder = decoder.map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    charge(&decoder, budget)?;
    let left = budget.left().memory;
    let given = match format {
        // It counts the picture against its limit.
        ImageFormat::Tiff => left.saturating_add(decoder.total_bytes()),
        // It counts a frame that is not the whole picture, but not the indices of its pixels.
        ImageFormat::Gif => left.saturating_sub(left / 5),
        _ => left,
    };
    decoder.set_limits(limits(given)).map_err(unreadable)?;
    let image = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    Rgba::new(width, height, image.into_rgba8().into_raw())
}

/// Charges what decoding takes, before any of it is allocated: the picture, the pixels in the form in which
/// the file has them, and what the decoder works with.
fn charge(decoder: &impl ImageDecoder, budget: &mut Budget) -> Result<()> {
    let (width, height) = decoder.dimensions();
    let picture = byte_count(width, height);
    // All decoders hold the pixels at most twice in their own form.
    let own = decoder.total_bytes().saturating_mul(2);
    budget.touch(picture)?;
    budget.memory(picture.saturating_add(own))
}

fn limits(memory: u64) -> Limits {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(memory);
    limits
}

fn unreadable(format: ImageFormat, error: &ImageError) -> Error {
    let code = match error {
        ImageError::Limits(_) => &core_codes::MEMORY,
        ImageError::Unsupported(_) => &codes::IMAGE_FORMAT,
        _ => &codes::IMAGE_DAMAGED,
    };
    Error::new(code).expected(format!("a {} file", format.name())).found(error.to_string())
}

pub(super) fn encode(picture: &Rgba, encoding: Encoding) -> Result<Vec<u8>> {
    let (width, height) = (picture.width(), picture.height());
    let mut out = Vec::new();
    let stored = match encoding {
        Encoding::Tga { run_lengths } => return tga::encode(picture, run_lengths),
        Encoding::Pcx => return pcx::encode(picture),
        Encoding::Bmp => write(BmpEncoder::new(&mut out), picture),
        Encoding::Jpeg { quality } => {
            write(JpegEncoder::new_with_quality(&mut out, quality), picture)
        }
        Encoding::Png => write(PngEncoder::new(&mut out), picture),
        Encoding::Tiff => {
            let mut file = Cursor::new(&mut out);
            write(TiffEncoder::new(&mut file), picture)
        }
        Encoding::Gif => {
            // With more colours the encoder would choose 256 that are near.
            let colours: BTreeSet<&[u8]> = picture.pixels().chunks_exact(4).collect();
            if colours.len() > 256 {
                let found = format!("{} colours", colours.len());
                return Err(refused(ImageFormat::Gif, "at most 256 colours", found));
            }
            let pixels = picture.pixels();
            GifEncoder::new(&mut out).encode(pixels, width, height, ExtendedColorType::Rgba8)
        }
    };
    stored.map_err(|error| refused(encoding.format(), A_PICTURE, error))?;
    Ok(out)
}

/// Writes red, green and blue, and alpha where there is some.
fn write(encoder: impl ImageEncoder, picture: &Rgba) -> ImageResult<()> {
    let (width, height) = (picture.width(), picture.height());
    if picture.is_opaque() {
        encoder.write_image(&picture.rgb(), width, height, ExtendedColorType::Rgb8)
    } else {
        encoder.write_image(picture.pixels(), width, height, ExtendedColorType::Rgba8)
    }
}
