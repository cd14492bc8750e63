//! Squares, discs and letters.

use super::canvas::Picture;
use crate::maps::{Color, Frame};

/// Gives each cell the colour that `color` makes of its position among the cells and of each pixel that was there.
pub fn cells(
    picture: &mut Picture,
    frame: &Frame,
    scale: u32,
    color: impl Fn(usize, Color) -> Color,
) {
    let width = picture.width.max(1) as usize;
    for (y, row) in (0..).zip(picture.pixels.chunks_mut(width)) {
        let start = frame.turned(y / scale) as usize * frame.width as usize;
        for (x, pixel) in row.iter_mut().enumerate() {
            *pixel = color(start + x / scale as usize, *pixel);
        }
    }
}

/// Shapes of marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkShape {
    /// A disc.
    Disc,
    /// A square.
    Square,
    /// A square on its corner.
    Diamond,
}

/// Draws a mark with a dark rim around a pixel.
pub fn mark(
    picture: &mut Picture,
    (x, y): (i64, i64),
    radius: i64,
    shape: MarkShape,
    color: Color,
) {
    let reach = radius + 1;
    for dy in -reach..=reach {
        for dx in -reach..=reach {
            let inside = |radius: i64| match shape {
                MarkShape::Disc => dx * dx + dy * dy <= radius * radius,
                MarkShape::Square => dx.abs() <= radius && dy.abs() <= radius,
                MarkShape::Diamond => dx.abs() + dy.abs() <= radius,
            };
            let color = match (inside(radius), inside(reach)) {
                (true, _) => color,
                (false, true) => [16; 3],
                (false, false) => continue,
            };
            if let Some(pixel) = picture.at(x + dx, y + dy) {
                *pixel = color;
            }
        }
    }
}

/// Width and height of a letter in pixels, at twice its size.
pub const LETTER: i64 = 16;

/// Writes text; letters that the font lacks are boxes.
pub fn text(picture: &mut Picture, (x, y): (i64, i64), text: &str, color: Color) {
    for (nth, c) in (0..).zip(text.chars()) {
        let glyph = font8x8::legacy::BASIC_LEGACY.get(c as usize).copied().unwrap_or([0xff; 8]);
        for (row, bits) in (0..).zip(glyph) {
            for column in (0..8).filter(|column| bits & 1 << column != 0) {
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let at = (x + nth * LETTER + column * 2 + dx, y + row * 2 + dy);
                    if let Some(pixel) = picture.at(at.0, at.1) {
                        *pixel = color;
                    }
                }
            }
        }
    }
}
