//! Layers of a map with one value for each cell.

use spellforce::map::{Cell, DECORATION_SIDE, Map};
use spelunk_core::{Error, Result, Seg, scalar::I16};
use spelunk_open::codes;
use std::collections::BTreeSet;

/// A layer with one value for each cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GridLayer {
    /// Heights of the ground: 0 to 65535.
    Heights,
    /// Ids of tiles: 0 to 255.
    Tiles,
    /// Groups of decoration: 0 to 255, 0 for none.
    Decoration,
    /// Cells that block movement: 0 or 1.
    Movement,
    /// Cells that block vision: 0 or 1.
    Vision,
}

impl GridLayer {
    /// All of them.
    pub const ALL: [GridLayer; 5] = [
        GridLayer::Heights,
        GridLayer::Tiles,
        GridLayer::Decoration,
        GridLayer::Movement,
        GridLayer::Vision,
    ];

    /// Returns the name of the layer.
    pub const fn name(self) -> &'static str {
        match self {
            GridLayer::Heights => "heights",
            GridLayer::Tiles => "tiles",
            GridLayer::Decoration => "decoration",
            GridLayer::Movement => "movement",
            GridLayer::Vision => "vision",
        }
    }

    /// The layer of this name.
    pub fn named(name: &str) -> Option<GridLayer> {
        GridLayer::ALL.into_iter().find(|layer| layer.name() == name)
    }

    /// The greatest value of a cell.
    pub const fn most(self) -> u16 {
        match self {
            GridLayer::Heights => u16::MAX,
            GridLayer::Tiles | GridLayer::Decoration => 255,
            GridLayer::Movement | GridLayer::Vision => 1,
        }
    }
}

/// The values of all cells, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The layer that the values are of.
    pub layer: GridLayer,
    /// Width and height.
    pub side: u16,
    /// The values, at y × side + x.
    pub values: Vec<u16>,
}

impl Grid {
    /// A layer of a map. Cells outside of it, which flags may name, are not in it.
    pub fn of(map: &Map, layer: GridLayer) -> Grid {
        let side = map.size;
        let values = match layer {
            GridLayer::Heights => map.heights.clone(),
            GridLayer::Tiles => map.tiles.iter().map(|tile| u16::from(*tile)).collect(),
            GridLayer::Decoration => {
                let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
                cells.map(|(x, y)| u16::from(map.decoration_at(x, y))).collect()
            }
            GridLayer::Movement => flagged(map, &map.movement_flags),
            GridLayer::Vision => flagged(map, &map.vision_flags),
        };
        Grid { layer, side, values }
    }

    /// Puts the values into a map.
    ///
    /// # Errors
    /// [`GRID_SIZE`](codes::GRID_SIZE) where the map has another size.
    pub fn put(&self, map: &mut Map) -> Result<()> {
        let cells = usize::from(map.size).pow(2);
        if self.side != map.size || self.values.len() != cells {
            return Err(size_error(map.size, self.side, self.values.len()));
        }
        let bytes = || self.values.iter().map(|value| u8::try_from(*value).unwrap_or(u8::MAX));
        match self.layer {
            GridLayer::Heights => map.heights.clone_from(&self.values),
            GridLayer::Tiles => map.tiles = bytes().collect::<Vec<_>>().into(),
            GridLayer::Decoration => {
                let side = usize::from(self.side);
                let mut all = map.decoration.to_vec();
                all.resize(DECORATION_SIDE.pow(2), 0);
                for (cell, value) in bytes().enumerate() {
                    let (x, y) = (cell % side, cell / side);
                    if let Some(place) = all.get_mut(x * DECORATION_SIDE + y) {
                        *place = value;
                    }
                }
                map.decoration = all.into();
            }
            GridLayer::Movement => {
                map.movement_flags = self.flags(&map.movement_flags);
            }
            GridLayer::Vision => map.vision_flags = self.flags(&map.vision_flags),
        }
        Ok(())
    }

    /// The list of flagged cells: old ones that stay flagged keep their places, new ones follow row by row. Those that the
    /// grid has no place for stay.
    fn flags(&self, old: &[Cell]) -> Vec<Cell> {
        let is_flagged = |x: i16, y: i16| match (u16::try_from(x), u16::try_from(y)) {
            (Ok(x), Ok(y)) if x < self.side && y < self.side => {
                let at = usize::from(y) * usize::from(self.side) + usize::from(x);
                self.values.get(at).is_some_and(|value| *value != 0)
            }
            _ => true,
        };
        let stays = |cell: &&Cell| is_flagged(cell.x.get(), cell.y.get());
        let mut cells: Vec<Cell> = old.iter().filter(stays).copied().collect();
        let there: BTreeSet<(i16, i16)> =
            cells.iter().map(|cell| (cell.x.get(), cell.y.get())).collect();
        let side = usize::from(self.side);
        for (cell, value) in self.values.iter().enumerate() {
            let place = (i16::try_from(cell % side), i16::try_from(cell / side));
            if let (true, (Ok(x), Ok(y))) = (*value != 0, place)
                && !there.contains(&(x, y))
            {
                cells.push(Cell { x: I16::new(x), y: I16::new(y) });
            }
        }
        cells
    }

    /// The values as CSV: a line for each row, without names.
    pub fn csv(&self) -> String {
        let mut text = String::with_capacity(self.values.len() * 4);
        for row in self.values.chunks(usize::from(self.side).max(1)) {
            for (nth, value) in row.iter().enumerate() {
                if nth > 0 {
                    text.push(',');
                }
                text.push_str(&value.to_string());
            }
            text.push('\n');
        }
        text
    }

    /// Reads CSV of this form.
    ///
    /// # Errors
    /// [`GRID_VALUE`](codes::GRID_VALUE) with line and column; [`GRID_SIZE`](codes::GRID_SIZE) where lines are not all as
    /// long as there are lines.
    pub fn from_csv(text: &[u8], layer: GridLayer) -> Result<Grid> {
        let text = std::str::from_utf8(text)
            .map_err(|_| Error::new(&codes::GRID_VALUE).expected("numbers as text"))?;
        let mut values = Vec::new();
        let mut rows = 0_u16;
        let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines();
        for line in lines.map(str::trim).filter(|line| !line.is_empty()) {
            rows = rows.saturating_add(1);
            for (column, field) in (1_usize..).zip(line.split([',', ';', '\t'])) {
                let value = field.trim().parse::<u16>().ok().filter(|it| *it <= layer.most());
                let value = value.ok_or_else(|| {
                    Error::new(&codes::GRID_VALUE)
                        .expected(format!("0 to {}", layer.most()))
                        .found(format!("`{}`", field.trim()))
                        .within(Seg::Key(format!("column {column}").into()))
                        .within(Seg::Key(format!("line {rows}").into()))
                })?;
                values.push(value);
            }
        }
        if values.len() != usize::from(rows).pow(2) {
            let error = Error::new(&codes::GRID_SIZE).expected("as many columns as lines");
            return Err(error.found(format!("{rows} lines, {} values", values.len())));
        }
        Ok(Grid { layer, side: rows, values })
    }
}

fn flagged(map: &Map, cells: &[Cell]) -> Vec<u16> {
    let mut values = vec![0; usize::from(map.size).pow(2)];
    for cell in cells {
        let place = map.cell(cell.x.get(), cell.y.get());
        if let Some(place) = place.and_then(|cell| values.get_mut(cell)) {
            *place = 1;
        }
    }
    values
}

pub(super) fn size_error(wanted: u16, side: u16, values: usize) -> Error {
    Error::new(&codes::GRID_SIZE)
        .expected(format!("{wanted} by {wanted} cells"))
        .found(format!("{side} wide, {values} cells"))
}
