//! The ground in light.

use super::canvas::Picture;
use crate::maps::colors::{self, Color};
use spellforce::map::Map;
use spelunk_core::{Result, Task};

/// Direction to the light: the upper left, rather high.
const LIGHT: [f32; 3] = [-0.5, -0.5, std::f32::consts::FRAC_1_SQRT_2];
/// Slope at which the mean slope of a map is drawn. Heights and cells have no known common unit.
const MEAN_SLOPE: f32 = 0.35;

/// The ground in light: coloured by height, with lakes, or grey.
pub fn lit(map: &Map, scale: u32, colored: bool, task: &mut Task<'_>) -> Result<Picture> {
    let side = u32::from(map.size);
    let ground = Ground::of(map);
    let mut picture = Picture::new(side * scale, side * scale, [0; 3], task)?;
    task.budget.touch(picture.pixels.len() as u64 * 16)?;
    let width = picture.width as usize;
    for (y, row) in picture.pixels.chunks_mut(width.max(1)).enumerate() {
        for (x, pixel) in row.iter_mut().enumerate() {
            let [x, y] = [x, y].map(|at| (at as f32 + 0.5) / scale as f32 - 0.5);
            let (height, light) = ground.look(x, y);
            let color = if colored { colors::ground(height) } else { [190; 3] };
            *pixel = colors::shaded(color, 0.45 + 0.75 * light);
        }
    }
    if colored {
        lakes(map, scale, &mut picture, task)?;
    }
    Ok(picture)
}

struct Ground<'m> {
    map: &'m Map,
    low: f32,
    span: f32,
    /// Height of a step of height, in cells.
    step: f32,
}

impl<'m> Ground<'m> {
    fn of(map: &'m Map) -> Ground<'m> {
        let low = map.heights.iter().copied().min().unwrap_or_default();
        let high = map.heights.iter().copied().max().unwrap_or_default();
        let rows = map.heights.chunks(usize::from(map.size).max(1));
        let slopes = rows.flat_map(|row| row.iter().zip(row.iter().skip(1)));
        let (sum, count) = slopes.fold((0_u64, 0_u64), |(sum, count), (a, b)| {
            (sum + u64::from(a.abs_diff(*b)), count + 1)
        });
        let mean = sum as f32 / count.max(1) as f32;
        let step = if mean > 0.0 { MEAN_SLOPE / mean } else { 0.0 };
        Ground { map, low: low.into(), span: f32::from(high - low).max(1.0), step }
    }

    fn height(&self, x: i64, y: i64) -> f32 {
        let most = i64::from(self.map.size) - 1;
        let [x, y] = [x, y].map(|at| at.clamp(0, most.max(0)) as usize);
        let at = y * usize::from(self.map.size) + x;
        self.map.heights.get(at).copied().unwrap_or_default().into()
    }

    /// The height at a place between cells, of 0 to 1, and how much light there is.
    fn look(&self, x: f32, y: f32) -> (f32, f32) {
        let [left, top] = [x, y].map(|at| at.floor() as i64);
        let (u, v) = (x - left as f32, y - top as f32);
        let between = |dx: i64, dy: i64| {
            let [a, b] = [0, 1].map(|row| {
                let [a, b] = [0, 1].map(|column| self.height(left + dx + column, top + dy + row));
                a + (b - a) * u
            });
            a + (b - a) * v
        };
        let height = (between(0, 0) - self.low) / self.span;
        let slope_x = (between(1, 0) - between(-1, 0)) * self.step / 2.0;
        let slope_y = (between(0, 1) - between(0, -1)) * self.step / 2.0;
        let [lx, ly, lz] = LIGHT;
        let length = (slope_x * slope_x + slope_y * slope_y + 1.0).sqrt();
        let light = (-slope_x * lx - slope_y * ly + lz) / length;
        (height, light.max(0.0))
    }
}

/// Lakes over the ground, deeper places in a stronger colour.
fn lakes(map: &Map, scale: u32, picture: &mut Picture, task: &mut Task<'_>) -> Result<()> {
    for lake in &map.lakes {
        let Some(surface) = map.surface(lake) else { continue };
        let cells = map.lake_cells(lake, &mut task.budget)?;
        let deepest = cells.iter().map(|cell| surface - ground_of(map, *cell)).max();
        let color: Color = colors::lake(lake.kind);
        for cell in &cells {
            let depth = (surface - ground_of(map, *cell)) as f32;
            let part = 0.55 + 0.4 * depth / deepest.unwrap_or(1).max(1) as f32;
            let side = u32::from(map.size);
            let (x, y) = (cell % side * scale, cell / side * scale);
            for (dx, dy) in (0..scale).flat_map(|dy| (0..scale).map(move |dx| (dx, dy))) {
                if let Some(pixel) = picture.at((x + dx).into(), (y + dy).into()) {
                    *pixel = colors::mix(*pixel, color, part);
                }
            }
        }
        task.budget.release((cells.len() as u64).saturating_mul(4));
    }
    Ok(())
}

fn ground_of(map: &Map, cell: u32) -> i32 {
    map.heights.get(cell as usize).copied().unwrap_or_default().into()
}
