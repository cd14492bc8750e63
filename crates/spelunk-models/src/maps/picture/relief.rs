//! The ground in light.

use super::canvas::Picture;
use crate::maps::{Frame, Land, Water, colors};
use spelunk_core::{Result, Task};

/// Direction to the light: the upper left, rather high.
const LIGHT: [f32; 3] = [-0.5, -0.5, std::f32::consts::FRAC_1_SQRT_2];
/// Slope at which the mean slope of a map is drawn, so that plains and mountains can be seen in all maps.
const MEAN_SLOPE: f32 = 0.35;

/// The ground in light, grey or coloured by height.
pub fn lit(land: &dyn Land, scale: u32, colored: bool, task: &mut Task<'_>) -> Result<Picture> {
    let frame = land.frame();
    let ground = Ground::of(land, task)?;
    let mut picture = Picture::new(frame.width * scale, frame.height * scale, [0; 3], task)?;
    task.budget.touch(picture.pixels.len() as u64 * 16)?;
    let width = picture.width as usize;
    for (y, row) in picture.pixels.chunks_mut(width.max(1)).enumerate() {
        for (x, pixel) in row.iter_mut().enumerate() {
            let [x, y] = [x, y].map(|at| (at as f32 + 0.5) / scale as f32);
            let (height, light) = ground.look(x, y);
            let color = if colored { colors::ground(height) } else { [190; 3] };
            *pixel = colors::shaded(color, 0.45 + 0.75 * light);
        }
    }
    Ok(picture)
}

struct Ground {
    frame: Frame,
    heights: Vec<f32>,
    /// The last column and row.
    last: [i64; 2],
    low: f32,
    span: f32,
    /// Height of a unit of height, in cells.
    step: f32,
}

impl Ground {
    fn of(land: &dyn Land, task: &mut Task<'_>) -> Result<Ground> {
        let frame = land.frame();
        let heights = land.heights(&mut task.budget)?;
        let low = heights.iter().copied().reduce(f32::min).unwrap_or_default();
        let high = heights.iter().copied().reduce(f32::max).unwrap_or_default();
        let rows = heights.chunks((frame.width as usize).max(1));
        let slopes = rows.flat_map(|row| row.iter().zip(row.iter().skip(1)));
        let (sum, count) = slopes.fold((0_f64, 0_u64), |(sum, count), (a, b)| {
            (sum + f64::from((a - b).abs()), count + 1)
        });
        let mean = sum as f32 / count.max(1) as f32;
        let step = if mean > 0.0 { MEAN_SLOPE / mean } else { 0.0 };
        // A plain has one colour, however low it is.
        let span = if high > low { high - low } else { 1.0 };
        let last = [frame.width, frame.height].map(|side| i64::from(side).saturating_sub(1).max(0));
        Ok(Ground { frame, last, low, span, step, heights })
    }

    fn height(&self, x: i64, y: i64) -> f32 {
        let (x, y) = (x.clamp(0, self.last[0]), y.clamp(0, self.last[1]));
        let at = y as usize * self.frame.width as usize + x as usize;
        self.heights.get(at).copied().unwrap_or_default()
    }

    /// The height at a place of the picture in cells, of 0 to 1, and how much light there is.
    fn look(&self, x: f32, y: f32) -> (f32, f32) {
        let shift = self.frame.shift();
        let (x, y) = (x - shift, self.frame.turned_place(y) - shift);
        let [left, top] = [x, y].map(|at| at.floor() as i64);
        let (u, v) = (x - left as f32, y - top as f32);
        let between = |dx: i64, dy: i64| {
            let (left, top) = (left + dx, top + dy);
            let (a, b) = (self.height(left, top), self.height(left + 1, top));
            let (c, d) = (self.height(left, top + 1), self.height(left + 1, top + 1));
            let (upper, lower) = (a + (b - a) * u, c + (d - c) * u);
            upper + (lower - upper) * v
        };
        let height = (between(0, 0) - self.low) / self.span;
        let slope_x = (between(1, 0) - between(-1, 0)) * self.step / 2.0;
        let slope_y = (between(0, 1) - between(0, -1)) * self.step / 2.0 * self.frame.down();
        let [lx, ly, lz] = LIGHT;
        let length = (slope_x * slope_x + slope_y * slope_y + 1.0).sqrt();
        let light = (-slope_x * lx - slope_y * ly + lz) / length;
        (height, light.max(0.0))
    }
}

/// Draws lakes over the ground, deeper places in a stronger colour.
pub fn lakes(
    land: &dyn Land,
    waters: &[Water],
    scale: u32,
    picture: &mut Picture,
    task: &mut Task<'_>,
) -> Result<()> {
    let frame = land.frame();
    let heights = land.heights(&mut task.budget)?;
    for water in waters {
        let depth = |cell: &u32| {
            let ground = heights.get(*cell as usize).copied().unwrap_or_default();
            (water.level - ground).max(0.0)
        };
        let deepest = water.cells.iter().map(depth).fold(f32::MIN_POSITIVE, f32::max);
        for cell in &water.cells {
            let part = 0.55 + 0.4 * depth(cell) / deepest;
            let (x, y) = (cell % frame.width * scale, frame.turned(cell / frame.width) * scale);
            for (dx, dy) in (0..scale).flat_map(|dy| (0..scale).map(move |dx| (dx, dy))) {
                if let Some(pixel) = picture.at((x + dx).into(), (y + dy).into()) {
                    *pixel = colors::mix(*pixel, water.color, part);
                }
            }
        }
    }
    Ok(())
}
