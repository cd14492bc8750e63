//! A map in the terms that pictures, meshes and data are made of, which maps of both games fill.

use super::{
    colors::Color,
    entities::{Entity, EntityKind, Place},
    frame::Frame,
    grid::{Grid, GridLayer},
};
use serde_json::{Map as Object, Value};
use spelunk_core::{Budget, Result, Task, text::CodePages};
use std::fmt;

/// A lake.
#[derive(Clone, Debug)]
pub struct Water {
    /// Position in its list.
    pub index: usize,
    /// Number of its filling.
    pub kind: u8,
    /// Name of its filling.
    pub name: String,
    /// Colour of its filling.
    pub color: Color,
    /// Height of its surface.
    pub level: f32,
    /// The cells that it covers.
    pub cells: Vec<u32>,
}

/// The picture that a map holds.
#[derive(Clone, Debug)]
pub struct Minimap {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Pixels: red, green and blue, the upper row first.
    pub pixels: Vec<Color>,
}

/// Cells of one kind.
#[derive(Debug)]
pub struct CellList {
    /// Name of the list.
    pub kind: &'static str,
    /// Columns and rows.
    pub cells: Vec<[i16; 2]>,
}

/// A map of either game.
pub trait Land: fmt::Debug {
    /// Size of the map, and how its cells lie.
    fn frame(&self) -> Frame;

    /// The heights of all points, row by row.
    ///
    /// # Errors
    /// Limits. The heights stay charged.
    fn heights(&self, budget: &mut Budget) -> Result<Vec<f32>>;

    /// A layer with one value for each cell; `None` where maps of this game have none of this kind.
    fn grid(&self, layer: GridLayer) -> Option<Grid>;

    /// The number of the tile or texture of each cell, row by row.
    fn numbers(&self) -> &[u8];

    /// The colours of these numbers, all 256.
    fn colors(&self) -> Vec<Color>;

    /// Obstacles of each cell: pictures show bits 0 and 1 in red and blue, and darken bit 2.
    ///
    /// # Errors
    /// Limits. The flags stay charged.
    fn flags(&self, budget: &mut Budget) -> Result<Vec<u8>>;

    /// The lakes.
    ///
    /// # Errors
    /// Limits. The cells stay charged.
    fn waters(&self, budget: &mut Budget) -> Result<Vec<Water>>;

    /// The picture that the map holds.
    ///
    /// # Errors
    /// Limits. The pixels stay charged.
    fn minimap(&self, budget: &mut Budget) -> Result<Option<Minimap>>;

    /// Kinds of entities on maps of this game, in the order in which they are drawn.
    fn kinds(&self) -> &'static [EntityKind];

    /// Everything with a place, list by list.
    ///
    /// # Errors
    /// Limits. The list stays charged.
    fn entities(&self, budget: &mut Budget) -> Result<Vec<Entity<'_>>>;

    /// The height of the ground at a place, as the map has it.
    fn ground_at(&self, place: &Place) -> Value;

    /// Place of a lake, and its fields.
    ///
    /// # Errors
    /// Limits. The fields stay charged.
    fn water(
        &self,
        water: &Water,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<(Value, Object<String, Value>)>;

    /// Cells that the map lists one by one.
    ///
    /// # Errors
    /// Limits. The cells stay charged.
    fn cell_lists(&self, budget: &mut Budget) -> Result<Vec<CellList>>;

    /// Facts of the whole map.
    fn about(&self) -> Object<String, Value>;
}
