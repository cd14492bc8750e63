//! The terrain as values: what is on each cell, and how high the ground is. `docs/formats/map2.md#4-terrain`.

use super::derived::floats;
use spelunk_core::{
    Field, Group, Seg, Span, Val, Walk, Walked,
    walk::{Halt, Shape, Step},
};

/// Length of a cell, in units of positions and heights.
pub const CELL: f32 = 1.4;

/// The terrain of a map: values of cells, row by row from the southern one on, each from west to east. What a file leaves out,
/// or has for another number of cells, is empty.
#[derive(Clone, Default, Debug)]
pub struct Ground {
    /// Width in cells.
    pub width: u32,
    /// Height in cells.
    pub height: u32,
    /// Whether nobody walks on cells with this texture, for each texture.
    pub impassable: Vec<bool>,
    /// The number of the texture of each cell.
    pub textures: Vec<u8>,
    /// A bit for each cell, the lowest one first: nobody walks there.
    pub blocked: Vec<u8>,
    /// Marks of each cell: bit 0 water, 1 deep water, 2 closed by hand, 3 dam.
    pub marks: Vec<u8>,
    /// Height of the ground at the south-western corner of each cell.
    pub heights: Vec<f32>,
    /// Height of the ground for flyers there.
    pub flight: Vec<f32>,
    /// A bit for each cell, the lowest one first: grass may stand there.
    pub grass: Vec<u8>,
    /// The number of the lake that covers each cell; 0 for none.
    pub lakes: Vec<u16>,
}

impl Ground {
    /// Number of cells.
    pub fn cells(&self) -> usize {
        (self.width as usize).saturating_mul(self.height as usize)
    }

    /// Whether textures and heights of all cells are there.
    pub fn is_whole(&self) -> bool {
        let cells = self.cells();
        cells > 0 && self.heights.len() == cells && self.textures.len() == cells
    }

    /// The bit of a cell in [`Ground::blocked`] or [`Ground::grass`].
    pub fn bit(bits: &[u8], cell: usize) -> bool {
        bits.get(cell / 8).is_some_and(|byte| byte >> (cell % 8) & 1 != 0)
    }

    /// Whether nobody walks on cells that have the texture of this one.
    pub fn is_impassable(&self, cell: usize) -> bool {
        let texture = self.textures.get(cell).copied().unwrap_or_default();
        self.impassable.get(usize::from(texture)).copied().unwrap_or_default()
    }

    /// The height of the corner in this column and row. Rows and columns go round.
    pub(super) fn corner(&self, column: usize, row: usize) -> Option<f32> {
        let (width, height) = (self.width as usize, self.height as usize);
        let (column, row) = (column.checked_rem(width)?, row.checked_rem(height)?);
        self.heights.get(row.checked_mul(width)?.checked_add(column)?).copied()
    }

    /// The cell that a place lies in; `None` outside of the map.
    pub fn cell_of(&self, x: f32, z: f32) -> Option<usize> {
        let side = |at: f32, count: u32| {
            let at = (at / CELL).floor();
            (at >= 0.0 && at < count as f32).then_some(at as usize)
        };
        let (column, row) = (side(x, self.width)?, side(z, self.height)?);
        row.checked_mul(self.width as usize)?.checked_add(column)
    }

    /// The height of the ground at a place, on the two triangles that its cell is cut into; `None` outside of the map.
    pub fn surface(&self, x: f32, z: f32) -> Option<f32> {
        let cell = self.cell_of(x, z)?;
        let width = self.width as usize;
        let (column, row) = (cell.checked_rem(width)?, cell.checked_div(width)?);
        let (u, v) = (x / CELL - column as f32, z / CELL - row as f32);
        let [right, upper] = [column.saturating_add(1), row.saturating_add(1)];
        let a = self.corner(column, row)?;
        let b = self.corner(right, row)?;
        let c = self.corner(column, upper)?;
        let d = self.corner(right, upper)?;
        Some(match (is_cut_upwards(column, row), u > v, u + v < 1.0) {
            (true, true, _) => a + u * (b - a) + v * (d - b),
            (true, false, _) => a + v * (c - a) + u * (d - c),
            (false, _, true) => a + u * (b - a) + v * (c - a),
            (false, _, false) => d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d),
        })
    }

    /// Memory of the values, in bytes.
    pub(super) fn held(&self) -> u64 {
        let bytes = [&self.textures, &self.blocked, &self.marks, &self.grass];
        let bytes = bytes.into_iter().map(Vec::len).fold(0, usize::saturating_add);
        let floats = self.heights.len().saturating_add(self.flight.len()).saturating_mul(4);
        let all = bytes.saturating_add(floats).saturating_add(self.lakes.len().saturating_mul(2));
        all as u64
    }

    /// Empties what has values for another number of cells.
    pub(super) fn settle(&mut self) {
        let cells = self.cells();
        let bytes = cells.div_ceil(8);
        for (bits, count) in [
            (&mut self.blocked, bytes),
            (&mut self.grass, bytes),
            (&mut self.textures, cells),
            (&mut self.marks, cells),
        ] {
            if bits.len() != count {
                bits.clear();
            }
        }
        for heights in [&mut self.heights, &mut self.flight] {
            if heights.len() != cells {
                heights.clear();
            }
        }
        if self.lakes.len() != cells {
            self.lakes.clear();
        }
    }
}

/// Whether a cell is cut from its south-western corner to its north-eastern one.
pub const fn is_cut_upwards(column: usize, row: usize) -> bool {
    (column ^ row) & 1 == 0
}

/// Walker that takes the terrain.
#[derive(Default)]
pub(super) struct GroundReader {
    pub(super) ground: Ground,
    /// Width and height, once they were seen.
    pub(super) size: [Option<u64>; 2],
    pub(super) pyramid: Vec<f32>,
    /// Where the pyramid and the blocked cells are.
    pub(super) places: [Option<Span>; 2],
    /// The open groups.
    open: Vec<&'static str>,
}

impl Walk for GroundReader {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        match group.name {
            Seg::Field(name) => self.open.push(name),
            _ => self.open.push(""),
        }
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let GroundReader { ground, size: [width, height], places: [pyramid, blocked], .. } = self;
        match (self.open.first().copied(), field.name, value) {
            (None, "width", Val::U(value)) => {
                (*width, ground.width) = (Some(value), u32::try_from(value).unwrap_or_default());
            }
            (None, "height", Val::U(value)) => {
                (*height, ground.height) = (Some(value), u32::try_from(value).unwrap_or_default());
            }
            (Some("textures"), "impassable", Val::U(is)) => ground.impassable.push(is != 0),
            (Some("blocked"), "blocked", Val::Bytes(row)) => {
                *blocked = blocked.or(at);
                ground.blocked.extend_from_slice(&row);
            }
            (Some("texture"), "texture", Val::Bytes(row)) => {
                ground.textures.extend_from_slice(&row);
            }
            (Some("marks"), "marks", Val::Bytes(row)) => ground.marks.extend_from_slice(&row),
            (Some("ground"), "heights", Val::Bytes(row)) => ground.heights.extend(floats(&row)),
            (Some("ground"), "pyramid", Val::Bytes(all)) => {
                *pyramid = at;
                self.pyramid.extend(floats(&all));
            }
            (Some("flight"), "heights", Val::Bytes(row)) => ground.flight.extend(floats(&row)),
            (Some("grass"), "grass", Val::Bytes(row)) => ground.grass.extend_from_slice(&row),
            (Some("lake_map"), "lakes", Val::Bytes(row)) => {
                let (numbers, _) = row.as_chunks::<2>();
                ground.lakes.extend(numbers.iter().map(|number| u16::from_le_bytes(*number)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surface_goes_through_the_corners_and_along_the_cut() {
        let heights = vec![0.0, 1.4, 0.0, 2.8, 4.2, 0.0, 0.0, 0.0, 0.0];
        let ground = Ground { width: 3, height: 3, heights, ..Ground::default() };
        let at = |column: f32, row: f32| ground.surface(column * CELL, row * CELL).unwrap();
        let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-4, "{a} {b}");
        close(at(0.0, 0.0), 0.0);
        close(at(1.0, 1.0), 4.2);
        // Cut from corner 0, 0 to corner 1, 1.
        close(at(0.5, 0.5), 2.1);
        close(at(0.5, 0.25), 0.25 * 1.4 + 0.25 * 4.2);
        // Cut from corner 2, 0 to corner 1, 1.
        close(at(1.5, 0.5), 2.1);
        assert_eq!(ground.surface(-0.1, 0.0), None);
        assert_eq!(ground.surface(0.0, 4.3), None);
        assert_eq!(ground.cell_of(1.5, 3.0), Some(7));
    }
}
