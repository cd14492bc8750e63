//! The cells that lakes cover: `docs/formats/map2.md#4-terrain`, "Water".

use super::{derived::DAM, ground::Ground, read::Lake};
use crate::flood;
use spelunk_core::{Budget, Result};

/// Bit of the version of a lake: it is filled by the older rule.
const OLDER_RULE: u8 = 0x80;
/// The first version of lakes that are filled by the newer rule.
const NEWER_RULE: u8 = 4;

impl Ground {
    /// The cells of a lake, by their positions, in the order in which water that is poured into the cell of its place gets
    /// there: those whose lowest corner, or by the older rule whose south-western corner, is not above the level. None where
    /// the place is above the level, or outside of the map.
    ///
    /// # Errors
    /// Limits. The cells stay charged.
    pub fn lake_cells(&self, lake: &Lake, budget: &mut Budget) -> Result<Vec<u32>> {
        let [x, _, z] = lake.thing.position;
        let Some(start) = self.cell_of(x, z) else { return Ok(Vec::new()) };
        let width = self.width as usize;
        let is_older = lake.version & OLDER_RULE != 0 || lake.version < NEWER_RULE;
        let is_below = |cell: usize| {
            let dam = self.marks.get(cell).is_some_and(|marks| marks & DAM != 0);
            let (column, row) = match (cell.checked_rem(width), cell.checked_div(width)) {
                (Some(column), Some(row)) if !dam => (column, row),
                _ => return false,
            };
            let [right, upper] = [column.saturating_add(1), row.saturating_add(1)];
            let corners = [(column, row), (right, row), (column, upper), (right, upper)];
            let counted = if is_older { 1 } else { corners.len() };
            let mut heights = corners.into_iter().take(counted);
            heights.any(|(column, row)| {
                self.corner(column, row).is_some_and(|height| height <= lake.level)
            })
        };
        flood::pour(start, (width, self.heights.len()), is_below, budget)
    }
}
