//! Pixels that pictures are drawn on.

use crate::maps::{Color, image::failed};
use spelunk_core::{Result, Task};
use std::io::Write;

/// Pixels, row by row from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Pixels, row by row: red, green, blue.
    pub pixels: Vec<Color>,
}

impl Picture {
    pub(super) fn new(
        width: u32,
        height: u32,
        color: Color,
        task: &mut Task<'_>,
    ) -> Result<Picture> {
        let count = u64::from(width).saturating_mul(height.into());
        let mut pixels = task.budget.vec(count)?;
        pixels.resize(usize::try_from(count).unwrap_or_default(), color);
        Ok(Picture { width, height, pixels })
    }

    /// The pixel at a place; `None` outside.
    pub(super) fn at(&mut self, x: i64, y: i64) -> Option<&mut Color> {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        let at = u64::from(y).checked_mul(self.width.into())?.checked_add(x.into())?;
        let is_there = x < self.width && y < self.height;
        self.pixels.get_mut(usize::try_from(at).ok().filter(|_| is_there)?)
    }

    /// Writes it as PNG.
    ///
    /// # Errors
    /// Writing errors.
    pub fn write_png(&self, out: &mut dyn Write) -> Result<()> {
        let mut encoder = png::Encoder::new(out, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(self.pixels.as_flattened()).map_err(failed)?;
        writer.finish().map_err(failed)
    }
}
