//! What follows from other parts of a map: water, blocked cells, and the greatest heights of squares.
//!
//! `docs/formats/map2.md#4-terrain` has the rules. They give what is stored but for some cells of few maps, so that an edit
//! changes only what they give otherwise than before it.

use super::{
    layout::{SectionForm, Structure},
    places::LAKES,
    records::{Starts, check_structure},
    terrain::TERRAIN,
};
use crate::flood;
use spelunk_core::{Budget, Result, Span, Task};
use std::ops::Range;

/// Length of a cell.
const CELL: f64 = 1.4;
/// What is deeper than this below the level of a lake is deep water.
const DEEP: f32 = 0.5;
/// Marks of water and of deep water.
const WATER: u8 = 1;
const DEEP_WATER: u8 = 2;
/// Marks of cells on which nobody walks: deep water, and those that are closed by hand.
const CLOSED: u8 = 6;
/// The mark of a dam, which no water passes.
pub(super) const DAM: u8 = 8;

/// The numbers of single precision in bytes.
pub(super) fn floats(bytes: &[u8]) -> impl ExactSizeIterator<Item = f32> + '_ {
    bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes))
}

/// The greatest of the four heights about each cell, where rows and columns go round.
fn around(heights: &[f32], width: usize) -> Option<Vec<f32>> {
    corners(heights, width, f32::max)
}

/// What `of` makes of the four heights about each cell, where rows and columns go round.
fn corners(heights: &[f32], width: usize, of: fn(f32, f32) -> f32) -> Option<Vec<f32>> {
    let rows: Vec<&[f32]> = heights.chunks_exact(Some(width).filter(|width| *width > 0)?).collect();
    let next = rows.iter().cycle().skip(1);
    let pair = |row: &[f32]| -> Vec<f32> {
        row.iter().zip(row.iter().cycle().skip(1)).map(|(a, b)| of(*a, *b)).collect()
    };
    let cells = rows.iter().zip(next).flat_map(|(row, next)| {
        let both = pair(row).into_iter().zip(pair(next));
        both.map(|(a, b)| of(a, b)).collect::<Vec<f32>>()
    });
    Some(cells.collect())
}

/// The greatest values of two by two.
fn halved(level: &[f32], width: usize) -> Vec<f32> {
    let pairs: Vec<&[f32]> = level.chunks_exact(width).collect();
    let (pairs, _) = pairs.as_chunks::<2>();
    let cells = pairs.iter().flat_map(|[row, next]| {
        let both = row.as_chunks::<2>().0.iter().zip(next.as_chunks::<2>().0);
        both.map(|([a, b], [c, d])| a.max(*b).max(c.max(*d)))
    });
    cells.collect()
}

/// The pyramid of heights in rows of this width, as far as it is known: only of squares it is known how it goes on to one value.
pub(super) fn pyramid(heights: &[f32], width: usize) -> Option<Vec<f32>> {
    let mut level = around(heights, width)?;
    let (mut width, mut all) = (width, Vec::new());
    loop {
        all.extend_from_slice(&level);
        let height = level.len().checked_div(width)?;
        if matches!(width, 0 | 1) || matches!(height, 0 | 1) {
            return Some(all);
        }
        level = halved(&level, width);
        width /= 2;
    }
}

/// Whether nobody walks on a cell of this texture, with these marks.
pub(super) fn is_closed(impassable: &[bool], texture: u8, marks: u8) -> bool {
    marks & CLOSED != 0 || impassable.get(usize::from(texture)).copied().unwrap_or_default()
}

/// Places of the parts of the terrain.
#[derive(Default)]
struct Terrain {
    width: usize,
    height: usize,
    impassable: Vec<bool>,
    blocked: Range<usize>,
    textures: Range<usize>,
    marks: Range<usize>,
    heights: Range<usize>,
    pyramid: Range<usize>,
    lake_map: Range<usize>,
    last_lake: Range<usize>,
}

/// A lake.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Lake {
    /// Column and row of the cell that it is filled from.
    cell: [usize; 2],
    level: f32,
    /// Whether the corner (r, c) of a cell counts instead of its lowest one.
    by_one_corner: bool,
    number: u16,
}

/// Water of each cell, and the number of its lake.
struct Water {
    marks: Vec<u8>,
    lakes: Vec<u16>,
}

fn structure(form: &'static SectionForm) -> Option<(u32, &'static Structure)> {
    match form {
        SectionForm::Records(class, structure) => Some((*class, structure)),
        SectionForm::Single(structure) => Some((0, structure)),
        SectionForm::Empty => None,
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

impl Terrain {
    /// `None` where the layout is not known, or its parts are of different sizes.
    fn of(bytes: &[u8], task: &mut Task<'_>) -> Result<Option<Terrain>> {
        let Some((_, structure)) = structure(&TERRAIN.form) else { return Ok(None) };
        let at = Span::file(0, bytes.len() as u64);
        if check_structure(structure, bytes, at, &mut task.budget)?.is_some() {
            return Ok(None);
        }
        let mut all = Terrain::default();
        let mut ground_width = 0;
        for field in structure.fields(bytes, task)? {
            let value = || number(bytes.get(field.at.clone()).unwrap_or_default());
            let group = field.path.split(['.', '[']).next().unwrap_or_default();
            let is_row = field.path.strip_prefix(group).is_some_and(|it| it.starts_with(".rows["));
            let range = match (group, field.field.name) {
                ("width", _) => {
                    all.width = value() as usize;
                    continue;
                }
                ("height", _) => {
                    all.height = value() as usize;
                    continue;
                }
                ("ground", "width") => {
                    ground_width = value() as usize;
                    continue;
                }
                ("textures", "impassable") => {
                    all.impassable.push(value() != 0);
                    continue;
                }
                ("blocked", _) if is_row => &mut all.blocked,
                ("texture", _) if is_row => &mut all.textures,
                ("marks", _) if is_row => &mut all.marks,
                ("ground", _) if is_row => &mut all.heights,
                ("ground", "pyramid") => &mut all.pyramid,
                ("lake_map", _) if is_row => &mut all.lake_map,
                ("last_lake", _) => &mut all.last_lake,
                _ => continue,
            };
            let start = if range.start == range.end { field.at.start } else { range.start };
            *range = start..field.at.end;
        }
        let cells = all.width.saturating_mul(all.height);
        let is_whole = ground_width == all.width
            && cells > 0
            && all.heights.len() == cells.saturating_mul(4)
            && all.marks.len() == cells
            && all.textures.len() == cells
            && all.blocked.len() == cells.div_ceil(8)
            && (all.lake_map.is_empty() || all.lake_map.len() == cells.saturating_mul(2));
        Ok(is_whole.then_some(all))
    }

    fn heights(&self, bytes: &[u8]) -> Vec<f32> {
        floats(bytes.get(self.heights.clone()).unwrap_or_default()).collect()
    }

    /// Fills the lakes.
    fn water(&self, bytes: &[u8], lakes: &[Lake], budget: &mut Budget) -> Result<Water> {
        let cells = self.width.saturating_mul(self.height);
        let heights = self.heights(bytes);
        let lowest = corners(&heights, self.width, f32::min).unwrap_or_default();
        let marks = bytes.get(self.marks.clone()).unwrap_or_default();
        let mut water = Water { marks: vec![0; cells], lakes: vec![0; cells] };
        for lake in lakes {
            let base = if lake.by_one_corner { &heights } else { &lowest };
            let [x, y] = lake.cell;
            if x >= self.width || y >= self.height {
                continue;
            }
            let is_below = |cell: usize| {
                let is_dam = marks.get(cell).is_some_and(|marks| marks & DAM != 0);
                !is_dam && base.get(cell).is_some_and(|ground| *ground <= lake.level)
            };
            let start = y.saturating_mul(self.width).saturating_add(x);
            let covered = flood::pour(start, (self.width, cells), is_below, budget)?;
            for cell in covered.iter().map(|cell| *cell as usize) {
                let ground = base.get(cell).copied().unwrap_or_default();
                let deep = if lake.level - ground > DEEP { DEEP_WATER } else { 0 };
                if let Some(marks) = water.marks.get_mut(cell) {
                    *marks |= WATER | deep;
                }
                if let Some(place) = water.lakes.get_mut(cell) {
                    *place = lake.number;
                }
            }
            budget.release((covered.len() as u64).saturating_mul(4));
        }
        Ok(water)
    }

    /// Whether nobody walks on each cell.
    fn closed(&self, bytes: &[u8]) -> Vec<bool> {
        let part = |range: &Range<usize>| bytes.get(range.clone()).unwrap_or_default();
        let cells = part(&self.textures).iter().zip(part(&self.marks));
        cells.map(|(texture, marks)| is_closed(&self.impassable, *texture, *marks)).collect()
    }
}

/// The lakes of a chunk; `None` where the layout of one is not known.
fn lakes(bytes: &[u8], task: &mut Task<'_>) -> Result<Option<Vec<Lake>>> {
    let Some((class, structure)) = structure(&LAKES.form) else { return Ok(None) };
    let at = Span::file(0, bytes.len() as u64);
    let (starts, wrong) = Starts::find(class, structure, (bytes, at), &mut task.budget)?;
    if wrong.is_some() {
        return Ok(None);
    }
    let mut lakes = task.budget.vec(starts.len() as u64)?;
    for range in (0..starts.len()).filter_map(|nth| starts.range(nth)) {
        let record = bytes.get(range).unwrap_or_default();
        let mut lake = Lake { cell: [0; 2], level: 0.0, by_one_corner: false, number: 0 };
        for field in structure.fields(record, task)? {
            let stored = record.get(field.at.clone()).unwrap_or_default();
            let value = || floats(stored).next().unwrap_or_default();
            let cell = || (f64::from(value()) / CELL) as usize;
            match &*field.path {
                "place.position[0]" => lake.cell = [cell(), lake.cell[1]],
                "place.position[2]" => lake.cell = [lake.cell[0], cell()],
                "version" => lake.by_one_corner = number(stored) & 0x80 != 0 || number(stored) < 4,
                "level" => lake.level = value(),
                "lake" => lake.number = number(stored) as u16,
                _ => {}
            }
        }
        lakes.push(lake);
    }
    Ok(Some(lakes))
}

/// Changes what follows from other parts where these give something else than before: the pyramid of the heights, the marks of water
/// and the lake map, and the cells on which nobody walks. Terrain and lakes whose layout is not known stay.
///
/// # Errors
/// Limits.
pub(crate) fn renew(
    [old, old_lakes]: [&[u8]; 2],
    new_lakes: &[u8],
    terrain: &mut [u8],
    task: &mut Task<'_>,
) -> Result<()> {
    task.transient(|task| {
        // Heights, levels, marks and lakes of both, and the places of all rows.
        task.budget.memory((terrain.len() as u64).saturating_mul(6))?;
        let parts = Terrain::of(old, task)?.zip(Terrain::of(terrain, task)?);
        let Some((before, after)) = parts else { return Ok(()) };
        if (before.width, before.height) != (after.width, after.height) {
            return Ok(());
        }
        let (were, are) = (before.heights(old), after.heights(terrain));
        let is_same =
            |a: &[f32], b: &[f32]| a.iter().map(|a| a.to_bits()).eq(b.iter().map(|b| b.to_bits()));
        let is_ground_same = is_same(&were, &are);
        if !is_ground_same {
            let levels = pyramid(&were, before.width).zip(pyramid(&are, after.width));
            let stored = terrain.get_mut(after.pyramid.clone()).unwrap_or_default();
            let (was, is) = levels.unwrap_or_default();
            for ((was, is), place) in was.iter().zip(&is).zip(stored.as_chunks_mut::<4>().0) {
                if was.to_bits() != is.to_bits() {
                    *place = is.to_le_bytes();
                }
            }
        }
        if let Some((had, has)) = lakes(old_lakes, task)?.zip(lakes(new_lakes, task)?) {
            let was = before.water(old, &had, &mut task.budget)?;
            let is = after.water(terrain, &has, &mut task.budget)?;
            fill(terrain, &after, [&was, &is]);
            let highest = has.iter().map(|lake| lake.number).max().unwrap_or_default();
            let last = terrain.get_mut(after.last_lake.clone()).and_then(|it| it.first_chunk_mut());
            if let Some(last) = last
                && had != has
                && u16::from_le_bytes(*last) < highest
            {
                *last = highest.to_le_bytes();
            }
        }
        let (was, is) = (before.closed(old), after.closed(terrain));
        let blocked = terrain.get_mut(after.blocked.clone()).unwrap_or_default();
        for (nth, is) in is.iter().enumerate().filter(|(nth, is)| was.get(*nth) != Some(is)) {
            let mask = 1_u8.unbounded_shl((nth % 8) as u32);
            if let Some(byte) = blocked.get_mut(nth / 8) {
                *byte = if *is { *byte | mask } else { *byte & !mask };
            }
        }
        Ok(())
    })
}

/// Puts water where it is by now, and takes it from where it was.
fn fill(terrain: &mut [u8], parts: &Terrain, [was, is]: [&Water; 2]) {
    let marks = terrain.get_mut(parts.marks.clone()).unwrap_or_default();
    for ((was, is), marks) in was.marks.iter().zip(&is.marks).zip(marks) {
        if was != is {
            *marks = *marks & !(WATER | DEEP_WATER) | is;
        }
    }
    let lake_map = terrain.get_mut(parts.lake_map.clone()).unwrap_or_default();
    for ((was, is), place) in was.lakes.iter().zip(&is.lakes).zip(lake_map.as_chunks_mut::<2>().0) {
        if was != is {
            *place = is.to_le_bytes();
        }
    }
}
