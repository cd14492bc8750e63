//! The cells of a map: which decoration is on one, and which of them a lake covers.

use super::{Map, decoration::SIDE, lakes::Lake};
use crate::flood;
use spelunk_core::{Budget, Result};

impl Map {
    /// The group of decoration of a cell; 0 is none.
    pub fn decoration_at(&self, x: u16, y: u16) -> u8 {
        let at = usize::from(x).saturating_mul(SIDE).saturating_add(usize::from(y));
        match usize::from(y) < SIDE {
            true => self.decoration.get(at).copied().unwrap_or_default(),
            false => 0,
        }
    }

    /// The height of the surface of a lake; `None` where its cell is outside of the map.
    pub fn surface(&self, lake: &Lake) -> Option<i32> {
        let ground = self.heights.get(self.cell(lake.x.get(), lake.y.get())?)?;
        Some(i32::from(*ground).saturating_add(lake.depth.get().into()))
    }

    /// The position of a cell among the tiles and the heights; `None` outside of the map.
    pub fn cell(&self, x: i16, y: i16) -> Option<usize> {
        let (x, y) = (u16::try_from(x).ok()?, u16::try_from(y).ok()?);
        let is_there = x < self.size && y < self.size;
        is_there.then(|| usize::from(y).saturating_mul(self.size.into()).saturating_add(x.into()))
    }

    /// The cells of a lake, by their positions among the heights, in the order in which water that is poured into its cell
    /// gets there: those that are below the surface and connected with the cell by their sides. None where the cell is not
    /// below the surface, or outside of the map.
    ///
    /// # Errors
    /// Limits. The cells stay charged.
    pub fn lake_cells(&self, lake: &Lake, budget: &mut Budget) -> Result<Vec<u32>> {
        let side = usize::from(self.size);
        let (Some(surface), Some(start)) =
            (self.surface(lake), self.cell(lake.x.get(), lake.y.get()))
        else {
            return Ok(Vec::new());
        };
        let is_below =
            |cell: usize| self.heights.get(cell).is_some_and(|height| i32::from(*height) < surface);
        flood::pour(start, (side, self.heights.len()), is_below, budget)
    }
}
