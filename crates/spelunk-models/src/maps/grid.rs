//! Layers of a map with one value for each cell.

use spellforce::map::{Cell, DECORATION_SIDE, Map};
use spelunk_core::{Error, Result, Seg, scalar::I16};
use spelunk_open::codes;
use std::collections::BTreeSet;

/// A layer with one value for each cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GridLayer {
    /// Heights of the ground: 0 to 65535, or numbers of single precision.
    Heights,
    /// Heights of the ground for flyers.
    Flight,
    /// Ids of tiles, or numbers of textures: 0 to 255.
    Tiles,
    /// Groups of decoration: 0 to 255, 0 for none.
    Decoration,
    /// Cells that block movement: 0 or 1.
    Movement,
    /// Cells that block vision: 0 or 1.
    Vision,
    /// Marks of cells, as bits: 1 water, 2 deep water, 4 closed by hand, 8 dam.
    Marks,
    /// Cells on which grass may stand: 0 or 1.
    Grass,
    /// Numbers of lakes, 0 for none.
    Lakes,
}

impl GridLayer {
    /// All of them.
    pub const ALL: [GridLayer; 9] = [
        GridLayer::Heights,
        GridLayer::Flight,
        GridLayer::Tiles,
        GridLayer::Decoration,
        GridLayer::Movement,
        GridLayer::Vision,
        GridLayer::Marks,
        GridLayer::Grass,
        GridLayer::Lakes,
    ];

    /// Layers of maps of the first game.
    pub const FIRST: [GridLayer; 5] = [
        GridLayer::Heights,
        GridLayer::Tiles,
        GridLayer::Decoration,
        GridLayer::Movement,
        GridLayer::Vision,
    ];

    /// Layers of maps of the second game.
    pub const SECOND: [GridLayer; 7] = [
        GridLayer::Heights,
        GridLayer::Flight,
        GridLayer::Tiles,
        GridLayer::Movement,
        GridLayer::Marks,
        GridLayer::Grass,
        GridLayer::Lakes,
    ];

    /// Those of maps of the dialect `spec`.
    pub const SPECIFIED: [GridLayer; 1] = [GridLayer::Heights];

    /// Returns the name of the layer.
    pub const fn name(self) -> &'static str {
        match self {
            GridLayer::Heights => "heights",
            GridLayer::Flight => "flight",
            GridLayer::Tiles => "tiles",
            GridLayer::Decoration => "decoration",
            GridLayer::Movement => "movement",
            GridLayer::Vision => "vision",
            GridLayer::Marks => "marks",
            GridLayer::Grass => "grass",
            GridLayer::Lakes => "lakes",
        }
    }

    /// The layer of this name.
    pub fn named(name: &str) -> Option<GridLayer> {
        GridLayer::ALL.into_iter().find(|layer| layer.name() == name)
    }

    /// The greatest value of a cell.
    pub const fn most(self) -> u16 {
        match self {
            GridLayer::Heights | GridLayer::Flight => u16::MAX,
            GridLayer::Tiles | GridLayer::Decoration | GridLayer::Marks | GridLayer::Lakes => 255,
            GridLayer::Movement | GridLayer::Vision | GridLayer::Grass => 1,
        }
    }

    /// Whether the values are heights.
    pub const fn has_heights(self) -> bool {
        matches!(self, GridLayer::Heights | GridLayer::Flight)
    }
}

/// Steps of a layer for each unit of height, where heights are of single precision.
const STEPS: f32 = 128.0;
/// The height that is 0 in a layer then.
const LOWEST: f32 = -128.0;

/// The values of all cells, row by row as pictures have them.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    /// The layer that the values are of.
    pub layer: GridLayer,
    /// Width in cells.
    pub width: u32,
    /// Height in cells.
    pub height: u32,
    /// The values, at y × width + x.
    pub values: Vec<u16>,
    /// Heights of single precision, of which the values are 128 steps for each unit from -128 on; else nothing.
    pub heights: Vec<f32>,
}

impl Grid {
    /// A layer of whole numbers.
    pub const fn new(layer: GridLayer, width: u32, height: u32, values: Vec<u16>) -> Grid {
        Grid { layer, width, height, values, heights: Vec::new() }
    }

    /// A layer of heights of single precision.
    pub fn of_heights(layer: GridLayer, width: u32, height: u32, heights: Vec<f32>) -> Grid {
        let step = |height: &f32| ((height - LOWEST) * STEPS).round() as u16;
        Grid { layer, width, height, values: heights.iter().map(step).collect(), heights }
    }

    /// Puts the values into a map.
    ///
    /// # Errors
    /// [`GRID_SIZE`](codes::GRID_SIZE) where the map has another size; [`NO_LAYER`](codes::NO_LAYER) for layers that maps of the
    /// first game do not have.
    pub fn put(&self, map: &mut Map) -> Result<()> {
        let cells = usize::from(map.size).pow(2);
        let side = u32::from(map.size);
        if (self.width, self.height) != (side, side) || self.values.len() != cells {
            return Err(size_error(side, self.width, self.values.len()));
        }
        let bytes = || self.values.iter().map(|value| u8::try_from(*value).unwrap_or(u8::MAX));
        match self.layer {
            GridLayer::Heights => map.heights.clone_from(&self.values),
            GridLayer::Tiles => map.tiles = bytes().collect::<Vec<_>>().into(),
            GridLayer::Decoration => {
                let side = self.width as usize;
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
            GridLayer::Flight | GridLayer::Marks | GridLayer::Grass | GridLayer::Lakes => {
                return Err(Error::new(&codes::NO_LAYER).found(self.layer.name()));
            }
        }
        Ok(())
    }

    /// The list of flagged cells: old ones that stay flagged keep their places, new ones follow row by row. Those that the
    /// grid has no place for stay.
    fn flags(&self, old: &[Cell]) -> Vec<Cell> {
        let side = self.width as usize;
        let is_flagged = |x: i16, y: i16| match (usize::try_from(x), usize::try_from(y)) {
            (Ok(x), Ok(y)) if x < side && y < side => {
                self.values.get(y * side + x).is_some_and(|value| *value != 0)
            }
            _ => true,
        };
        let stays = |cell: &&Cell| is_flagged(cell.x.get(), cell.y.get());
        let mut cells: Vec<Cell> = old.iter().filter(stays).copied().collect();
        let there: BTreeSet<(i16, i16)> =
            cells.iter().map(|cell| (cell.x.get(), cell.y.get())).collect();
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

    /// The values as CSV: a line for each row, without names. Heights of single precision are exact.
    pub fn csv(&self) -> String {
        let width = self.width as usize;
        match self.heights.is_empty() {
            true => lines(&self.values, width),
            false => lines(&self.heights, width),
        }
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
        Ok(Grid::new(layer, rows.into(), rows.into(), values))
    }
}

/// Numbers as lines of so many.
fn lines<T: ToString>(values: &[T], width: usize) -> String {
    let mut text = String::with_capacity(values.len() * 4);
    for row in values.chunks(width.max(1)) {
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

pub(super) fn size_error(wanted: u32, width: u32, values: usize) -> Error {
    Error::new(&codes::GRID_SIZE)
        .expected(format!("{wanted} by {wanted} cells"))
        .found(format!("{width} wide, {values} cells"))
}
