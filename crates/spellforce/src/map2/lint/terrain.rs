//! What parts of the terrain say of each other: `docs/formats/map2.md#4-terrain`.

use super::{codes, out::Out};
use crate::map2::{
    derived::{floats, is_closed, pyramid},
    terrain::TERRAIN,
};
use spelunk_core::{
    Error, Field, Group, Result, Seg, Span, Val, Walk, Walked,
    walk::{Halt, Shape, Step},
};

/// The parts of the terrain that rules are about.
#[derive(Default)]
struct Parts {
    size: [Option<u64>; 2],
    /// Whether each texture is impassable.
    impassable: Vec<bool>,
    blocked: Vec<u8>,
    textures: Vec<u8>,
    marks: Vec<u8>,
    heights: Vec<f32>,
    pyramid: Vec<f32>,
    /// Width of the height field.
    width: usize,
    /// Where the pyramid and the blocked cells are.
    places: [Option<Span>; 2],
    /// The open groups.
    open: Vec<&'static str>,
}

impl Walk for Parts {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        match group.name {
            Seg::Field(name) => self.open.push(name),
            _ => self.open.push(""),
        }
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        match (self.open.first().copied(), field.name, value) {
            (None, "width", Val::U(width)) => self.size = [Some(width), None],
            (None, "height", Val::U(height)) => self.size = [self.size[0], Some(height)],
            (Some("textures"), "impassable", Val::U(is)) => self.impassable.push(is != 0),
            (Some("blocked"), "blocked", Val::Bytes(row)) => {
                let [_, place] = &mut self.places;
                *place = place.or(at);
                self.blocked.extend_from_slice(&row);
            }
            (Some("texture"), "texture", Val::Bytes(row)) => self.textures.extend_from_slice(&row),
            (Some("marks"), "marks", Val::Bytes(row)) => self.marks.extend_from_slice(&row),
            (Some("ground"), "width", Val::U(width)) => self.width = width as usize,
            (Some("ground"), "heights", Val::Bytes(row)) => self.heights.extend(floats(&row)),
            (Some("ground"), "pyramid", Val::Bytes(all)) => {
                let [place, _] = &mut self.places;
                *place = at;
                self.pyramid.extend(floats(&all));
            }
            _ => {}
        }
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.open.pop();
        Ok(())
    }
}

impl Parts {
    /// Cells that are blocked and should not be, or the other way round; `None` where the grids have different sizes.
    fn wrongly_blocked(&self) -> Option<usize> {
        if self.textures.len() != self.marks.len()
            || self.blocked.len().checked_mul(8)? != self.marks.len()
        {
            return None;
        }
        let cells = self.textures.iter().zip(&self.marks).enumerate();
        let differs = |(nth, (texture, mark)): (usize, (&u8, &u8))| {
            let byte = self.blocked.get(nth / 8).copied().unwrap_or_default();
            is_closed(&self.impassable, *texture, *mark) != (byte >> (nth % 8) & 1 != 0)
        };
        Some(cells.filter(|cell| differs(*cell)).count())
    }

    /// Values of the pyramid that are not those of the heights; `None` where it has another size.
    fn wrong_maxima(&self) -> Option<usize> {
        let known = pyramid(&self.heights, self.width)?;
        // The last value of one that is not square is not known.
        let unknown = self.pyramid.len().checked_sub(known.len()).filter(|more| *more <= 1)?;
        let stored = self.pyramid.len().saturating_sub(unknown);
        let both = known.iter().zip(self.pyramid.iter().take(stored));
        Some(both.filter(|(known, stored)| known != stored).count())
    }
}

/// Applies the rules about the terrain, and gives width and height of the map in cells.
pub(super) fn lint(out: &mut Out<'_, '_>) -> Result<Option<[u64; 2]>> {
    if !out.wants(&[&codes::OUTSIDE, &codes::PYRAMID, &codes::BLOCKED]) {
        return Ok(None);
    }
    let mut parts = Parts::default();
    // The grids once more, and a level of the pyramid.
    out.walk(&TERRAIN, 2, &mut parts)?;
    out.task.budget.steps(parts.heights.len() as u64)?;
    let [pyramid, blocked] = parts.places;
    for (code, at, wrong, of) in [
        (&codes::PYRAMID, pyramid, parts.wrong_maxima(), "values"),
        (&codes::BLOCKED, blocked, parts.wrongly_blocked(), "cells"),
    ] {
        if let (Some(at), Some(wrong)) = (at, wrong.filter(|wrong| *wrong > 0)) {
            let error = Error::new(code).at(at).found(format!("{wrong} {of} that differ"));
            out.report(error, &TERRAIN, None)?;
        }
    }
    let [width, height] = parts.size;
    Ok(width.zip(height).map(|(width, height)| [width, height]))
}
