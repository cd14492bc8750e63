//! What parts of the terrain say of each other: `docs/formats/map2.md#4-terrain`.

use super::{codes, out::Out};
use crate::map2::{
    derived::{is_closed, pyramid},
    ground::{Ground, GroundReader},
    terrain::TERRAIN,
};
use spelunk_core::{Error, Result};

/// Cells that are blocked and should not be, or the other way round; `None` where the grids have different sizes.
fn wrongly_blocked(ground: &Ground) -> Option<usize> {
    let Ground { textures, marks, blocked, impassable, .. } = ground;
    if textures.len() != marks.len() || blocked.len().checked_mul(8)? != marks.len() {
        return None;
    }
    let cells = textures.iter().zip(marks).enumerate();
    let differs = |(cell, (texture, mark)): &(usize, (&u8, &u8))| {
        is_closed(impassable, **texture, **mark) != Ground::bit(blocked, *cell)
    };
    Some(cells.filter(differs).count())
}

/// Values of the pyramid that are not those of the heights; `None` where it has another size.
fn wrong_maxima(ground: &Ground, stored: &[f32]) -> Option<usize> {
    let known = pyramid(&ground.heights, ground.width as usize)?;
    // The last value of one that is not square is not known.
    stored.len().checked_sub(known.len()).filter(|more| *more <= 1)?;
    Some(known.iter().zip(stored).filter(|(known, stored)| known != stored).count())
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
