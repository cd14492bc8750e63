//! Decoded pictures.

use crate::codes;
use spelunk_core::{Budget, Error, Result};

/// A picture of 8 bits for each of red, green, blue and alpha, in this order, top row first, rows without
/// padding. Alpha 255 is opaque, and colours are not multiplied by it.
#[derive(Clone, PartialEq, Eq)]
pub struct Rgba {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Rgba {
    /// A picture of these pixels.
    ///
    /// # Errors
    /// [`codes::PICTURE_SIZE`] when `pixels` are not `width * height * 4` bytes.
    pub fn new(width: u32, height: u32, pixels: Vec<u8>) -> Result<Rgba> {
        let expected = byte_count(width, height);
        if pixels.len() as u64 == expected {
            return Ok(Rgba { width, height, pixels });
        }
        Err(Error::new(&codes::PICTURE_SIZE)
            .expected(format!("{expected} bytes for {width} x {height} pixels"))
            .found(format!("{} bytes", pixels.len())))
    }

    /// A white picture to be painted over, once the budget agrees.
    pub(super) fn blank(width: u32, height: u32, budget: &mut Budget) -> Result<Rgba> {
        let len = byte_count(width, height);
        budget.touch(len)?;
        let mut pixels = budget.vec(len)?;
        // There is room for them, so the number fits.
        pixels.resize(len as usize, u8::MAX);
        Rgba::new(width, height, pixels)
    }

    /// Pixels in a row.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Red, green, blue and alpha of every pixel.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The same, to be changed.
    pub fn pixels_mut(&mut self) -> &mut [u8] {
        &mut self.pixels
    }

    /// Red, green and blue of every pixel.
    #[cfg(feature = "images")]
    pub(super) fn rgb(&self) -> Vec<u8> {
        let (pixels, _) = self.pixels.as_chunks::<4>();
        pixels.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect()
    }

    /// The pixels alone.
    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// The rows, top row first, each of `width * 4` bytes; none where the picture is empty.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        // An empty picture has no pixels, and then any length of a row will do.
        self.pixels.chunks_exact((self.width as usize).saturating_mul(4).max(1))
    }

    /// Sets one channel from a plane of a byte for each pixel, bottom row first; what the plane does not reach
    /// stays as it is.
    pub(super) fn paint(&mut self, channel: usize, plane: &[u8]) {
        let width = (self.width as usize).max(1);
        let rows = self.pixels.chunks_exact_mut(width.saturating_mul(4));
        for (row, stored) in rows.zip(plane.chunks_exact(width).rev()) {
            for (pixel, value) in row.iter_mut().skip(channel).step_by(4).zip(stored) {
                *pixel = *value;
            }
        }
    }

    /// Alpha of every pixel, top row first.
    pub fn alpha(&self) -> impl Iterator<Item = u8> + '_ {
        self.pixels.iter().skip(3).step_by(4).copied()
    }

    /// Replaces alpha pixel by pixel, top row first; pixels that `alpha` does not reach keep theirs.
    pub fn set_alpha(&mut self, alpha: impl IntoIterator<Item = u8>) {
        for (stored, new) in self.pixels.iter_mut().skip(3).step_by(4).zip(alpha) {
            *stored = new;
        }
    }

    /// Whether alpha is 255 everywhere.
    pub fn is_opaque(&self) -> bool {
        self.alpha().all(|alpha| alpha == u8::MAX)
    }
}

impl std::fmt::Debug for Rgba {
    /// The size alone: thousands of pixels say nothing to anybody.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rgba({} x {})", self.width, self.height)
    }
}

/// Bytes of a picture of this size; saturates where no memory could hold it.
pub(super) const fn byte_count(width: u32, height: u32) -> u64 {
    (width as u64).saturating_mul(height as u64).saturating_mul(4)
}
