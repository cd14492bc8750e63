//! What parts of the terrain say of each other: `docs/formats/map2.md#4-terrain`.

use super::{codes, out::Out};
use crate::map2::{
    ground::{Ground, GroundReader},
    terrain::TERRAIN,
};
use spelunk_core::{Error, Result};

/// Cells that are blocked and should not be, or the other way round; `None` where the grids have different sizes.
fn wrongly_blocked(ground: &Ground) -> Option<usize> {
    let Ground { textures, marks, blocked, .. } = ground;
    if textures.len() != marks.len() || blocked.len().checked_mul(8)? != marks.len() {
        return None;
    }
    let differs = |(cell, mark): &(usize, &u8)| {
        (ground.is_impassable(*cell) || **mark & 6 != 0) != Ground::bit(blocked, *cell)
    };
    Some(marks.iter().enumerate().filter(differs).count())
}

/// Values of the pyramid that are not those of the heights; `None` where it has another size.
fn wrong_maxima(ground: &Ground, pyramid: &[f32]) -> Option<usize> {
    let mut width = ground.width as usize;
    let mut level = around(&ground.heights, width)?;
    let (mut rest, mut wrong) = (pyramid, 0_usize);
    loop {
        let (stored, behind) = rest.split_at_checked(level.len())?;
        wrong = wrong.saturating_add(level.iter().zip(stored).filter(|(a, b)| a != b).count());
        rest = behind;
        let height = level.len().checked_div(width)?;
        // Only of squares it is known how they go on to one value.
        match (width, height) {
            _ if rest.is_empty() => return Some(wrong),
            (0 | 1, _) | (_, 0 | 1) => return (rest.len() == 1).then_some(wrong),
            _ => {}
        }
        level = halved(&level, width);
        width /= 2;
    }
}

/// The greatest of the four heights about each cell, where rows and columns go round.
fn around(heights: &[f32], width: usize) -> Option<Vec<f32>> {
    let rows: Vec<&[f32]> = heights.chunks_exact(Some(width).filter(|width| *width > 0)?).collect();
    let next = rows.iter().cycle().skip(1);
    let pair = |row: &[f32]| -> Vec<f32> {
        row.iter().zip(row.iter().cycle().skip(1)).map(|(a, b)| a.max(*b)).collect()
    };
    let cells = rows.iter().zip(next).flat_map(|(row, next)| {
        let both = pair(row).into_iter().zip(pair(next));
        both.map(|(a, b)| a.max(b)).collect::<Vec<f32>>()
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

/// Applies the rules about the terrain, and gives width and height of the map in cells.
pub(super) fn lint(out: &mut Out<'_, '_>) -> Result<Option<[u64; 2]>> {
    if !out.wants(&[&codes::OUTSIDE, &codes::PYRAMID, &codes::BLOCKED]) {
        return Ok(None);
    }
    let mut parts = GroundReader::default();
    // The grids once more, and a level of the pyramid.
    out.walk(&TERRAIN, 2, &mut parts)?;
    let ground = &parts.ground;
    out.task.budget.steps(ground.heights.len() as u64)?;
    let [pyramid, blocked] = parts.places;
    for (code, at, wrong, of) in [
        (&codes::PYRAMID, pyramid, wrong_maxima(ground, &parts.pyramid), "values"),
        (&codes::BLOCKED, blocked, wrongly_blocked(ground), "cells"),
    ] {
        if let (Some(at), Some(wrong)) = (at, wrong.filter(|wrong| *wrong > 0)) {
            let error = Error::new(code).at(at).found(format!("{wrong} {of} that differ"));
            out.report(error, &TERRAIN, None)?;
        }
    }
    let [width, height] = parts.size;
    Ok(width.zip(height).map(|(width, height)| [width, height]))
}
