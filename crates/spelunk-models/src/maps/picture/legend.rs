//! Everything with a place over the ground, and what the marks mean.

use super::{
    canvas::Picture,
    draw::{self, LETTER, MarkShape},
};
use crate::maps::{Color, Land, Water};
use spelunk_core::{Result, Task};
use std::collections::BTreeMap;

const LINE: i64 = 28;
const MARGIN: i64 = 16;
/// Letters that the longest line of the legend has.
const LONGEST: i64 = 20;
const PAPER: Color = [28, 28, 32];
const INK: Color = [235, 235, 235];

/// The shape of the marks of a kind.
fn shape(kind: &str) -> MarkShape {
    match kind {
        "buildings" => MarkShape::Square,
        "interactive" | "portals" | "start_points" => MarkShape::Diamond,
        _ => MarkShape::Disc,
    }
}

/// A line of the legend: a mark, and what it means.
struct LegendEntry {
    text: String,
    color: Color,
    shape: MarkShape,
}

/// The ground with all entities on it, and a legend at its right.
pub fn with_entities(
    land: &dyn Land,
    waters: &[Water],
    ground: Picture,
    scale: u32,
    task: &mut Task<'_>,
) -> Result<Picture> {
    let frame = land.frame();
    let mut lines = Vec::new();
    let all = land.entities(&mut task.budget)?;
    for kind in land.kinds() {
        let count = all.iter().filter(|entity| entity.kind == kind.name).count();
        if count > 0 {
            let (text, shape) = (format!("{} {count}", kind.name), shape(kind.name));
            lines.push(LegendEntry { text, color: kind.color, shape });
        }
    }
    let mut lakes: BTreeMap<u8, (&Water, usize)> = BTreeMap::new();
    for water in waters {
        lakes.entry(water.kind).or_insert((water, 0)).1 += 1;
    }
    for (water, count) in lakes.into_values() {
        let text = format!("{} {count}", water.name);
        lines.push(LegendEntry { text, color: water.color, shape: MarkShape::Square });
    }
    let width = MARGIN * 4 + LETTER * LONGEST;
    let height = MARGIN * 2 + LINE * (1 + lines.len() as i64);
    let (map_width, map_height) = (i64::from(ground.width), i64::from(ground.height));
    let size = [map_width + width, map_height.max(height)];
    let [width, height] = size.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let mut picture = Picture::new(width, height, PAPER, task)?;
    let rows = picture.pixels.chunks_mut(width as usize);
    for (row, old) in rows.zip(ground.pixels.chunks(ground.width.max(1) as usize)) {
        row.iter_mut().zip(old).for_each(|(pixel, old)| *pixel = *old);
    }
    let radius = (i64::from(scale) / 2).clamp(2, 5);
    for kind in land.kinds() {
        for entity in all.iter().filter(|entity| entity.kind == kind.name) {
            task.budget.steps(1)?;
            let [u, v] = entity.place.spot(&frame);
            let [x, y] = [u, frame.turned_place(v)].map(|at| (at * scale as f32).floor() as i64);
            if (0..map_width).contains(&x) && (0..map_height).contains(&y) {
                draw::mark(&mut picture, (x, y), radius, shape(kind.name), kind.color);
            }
        }
    }
    let left = map_width + MARGIN;
    let size = format!("{} x {} cells", frame.width, frame.height);
    draw::text(&mut picture, (left, MARGIN), &size, INK);
    for (nth, line) in (1..).zip(&lines) {
        let y = MARGIN + nth * LINE;
        draw::mark(&mut picture, (left + 7, y + 7), 6, line.shape, line.color);
        draw::text(&mut picture, (left + MARGIN * 2, y), &line.text, INK);
    }
    Ok(picture)
}
