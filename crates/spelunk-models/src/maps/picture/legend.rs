//! Everything with a place over the ground, and what the marks mean.

use super::{
    canvas::Picture,
    draw::{self, LETTER, MarkShape},
};
use crate::maps::{
    Entity, KINDS,
    colors::{self, Color},
};
use spellforce::map::{Lake, Map};
use spelunk_core::{Described, Result, Task, Val};
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
        "interactive" | "portals" => MarkShape::Diamond,
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
    map: &Map,
    all: &[Entity<'_>],
    ground: Picture,
    scale: u32,
    task: &mut Task<'_>,
) -> Result<Picture> {
    let mut lines = Vec::new();
    for (kind, color) in KINDS {
        let count = all.iter().filter(|entity| entity.kind == kind).count();
        if count > 0 {
            lines.push(LegendEntry { text: format!("{kind} {count}"), color, shape: shape(kind) });
        }
    }
    let mut lakes: BTreeMap<u8, usize> = BTreeMap::new();
    map.lakes.iter().for_each(|lake| *lakes.entry(lake.kind).or_default() += 1);
    for (kind, count) in lakes {
        let name = Lake::RECORD.field("kind").meaning(&Val::U(kind.into()));
        let name = name.map_or_else(|| format!("lake {kind}"), |name| name.into_owned());
        let (color, shape) = (colors::lake(kind), MarkShape::Square);
        lines.push(LegendEntry { text: format!("{name} {count}"), color, shape });
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
    // Objects are many: what there is little of is drawn over them.
    let order =
        ["decorations", "objects", "units", "buildings", "interactive", "portals", "spawns"];
    for kind in order {
        let color = KINDS.iter().find(|(known, _)| *known == kind).map_or(INK, |(_, color)| *color);
        for entity in all.iter().filter(|entity| entity.kind == kind) {
            task.budget.steps(1)?;
            let scale = i64::from(scale);
            let [x, y] = [entity.x, entity.y].map(|at| i64::from(at) * scale + scale / 2);
            if (0..map_width).contains(&x) && (0..map_height).contains(&y) {
                draw::mark(&mut picture, (x, y), radius, shape(kind), color);
            }
        }
    }
    let left = map_width + MARGIN;
    draw::text(&mut picture, (left, MARGIN), &format!("{0} x {0} cells", map.size), INK);
    for (nth, line) in (1..).zip(&lines) {
        let y = MARGIN + nth * LINE;
        draw::mark(&mut picture, (left + 7, y + 7), 6, line.shape, line.color);
        draw::text(&mut picture, (left + MARGIN * 2, y), &line.text, INK);
    }
    Ok(picture)
}
