//! Image files inside bitmaps: which formats they have, decoding and encoding
//! (`docs/formats/virtools.md#134-image-files`).
//!
//! The work is done by the `image` and `pcx` crates behind the feature `images`. Without it formats are still
//! known and bytes are still kept; what needs a decoder answers [`codes::NO_IMAGES`](crate::codes::NO_IMAGES).

#[cfg(feature = "images")]
mod codec;
#[cfg(not(feature = "images"))]
#[path = "without.rs"]
mod codec;
mod format;
#[cfg(feature = "images")]
mod jpeg;
#[cfg(feature = "images")]
mod pcx;
#[cfg(feature = "images")]
mod tga;
#[cfg(feature = "images")]
mod tiff;

use super::Rgba;
use format::refused;
pub use format::{Encoding, ImageFormat};
use spelunk_core::{Budget, Result};

/// Decodes an image file.
///
/// The size of the picture is read first and charged to the budget, so that a small file cannot ask for much
/// memory. What is left charged is the picture. JPEG files that end too early give what there is.
///
/// # Errors
/// [`codes::IMAGE_DAMAGED`](crate::codes::IMAGE_DAMAGED) or [`codes::IMAGE_FORMAT`](crate::codes::IMAGE_FORMAT) for bytes that
/// are no such file or of a kind that is not read; [`codes::NO_IMAGES`](crate::codes::NO_IMAGES) without the feature `images`; a
/// limit. The caller knows the place.
pub fn decode(file: &[u8], format: ImageFormat, budget: &mut Budget) -> Result<Rgba> {
    let before = budget.left().memory;
    let decoded = codec::decode(file, format, budget);
    let kept = decoded.as_ref().map_or(0, |picture| picture.pixels().len());
    release_all_but(kept, before, budget);
    decoded
}

/// Makes an image file of a picture.
///
/// # Errors
/// [`codes::ENCODE`](crate::codes::ENCODE) for a picture that the format cannot hold as it is: with alpha, with too many colours,
/// empty, or too large; [`codes::NO_IMAGES`](crate::codes::NO_IMAGES) without the feature `images`.
pub fn encode(picture: &Rgba, encoding: Encoding) -> Result<Vec<u8>> {
    let format = encoding.format();
    if picture.pixels().is_empty() {
        return Err(refused(format, "a picture of one pixel or more", "none"));
    }
    if !encoding.holds_alpha() && !picture.is_opaque() {
        return Err(refused(format, "an opaque picture", "alpha below 255"));
    }
    codec::encode(picture, encoding)
}

/// Gives back what was taken from the memory since `before` was left, but for what is still held.
fn release_all_but(kept: usize, before: u64, budget: &mut Budget) {
    let taken = before.saturating_sub(budget.left().memory);
    budget.release(taken.saturating_sub(kept as u64));
}
