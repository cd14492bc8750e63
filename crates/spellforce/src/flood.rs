//! Water that is poured into a cell.

use spelunk_core::{Budget, Result};

/// Returns the cells that water poured into `start` reaches, in the order in which it gets there: those that `is_below` lets
/// it into and that are joined with the first one by their sides. Cells are positions in rows of `width`; there are so many.
///
/// # Errors
/// Limits. The cells stay charged.
pub(crate) fn pour(
    start: usize,
    (width, count): (usize, usize),
    is_below: impl Fn(usize) -> bool,
    budget: &mut Budget,
) -> Result<Vec<u32>> {
    let mut seen = budget.vec::<bool>(count as u64)?;
    seen.resize(count, false);
    let mut cells: Vec<u32> = Vec::new();
    let mut charged = 0_usize;
    let mut enter = |cell: usize, cells: &mut Vec<u32>, budget: &mut Budget| -> Result<()> {
        let Some(place) = seen.get_mut(cell).filter(|seen| !**seen) else { return Ok(()) };
        *place = true;
        if !is_below(cell) {
            return Ok(());
        }
        if cells.len() == charged {
            // As a vector grows.
            let more = charged.max(1024);
            budget.memory((more as u64).saturating_mul(4))?;
            charged = charged.saturating_add(more);
            cells.reserve_exact(more);
        }
        cells.extend(u32::try_from(cell));
        Ok(())
    };
    enter(start, &mut cells, budget)?;
    let mut next = 0;
    while let Some(cell) = cells.get(next).map(|cell| *cell as usize) {
        next = next.saturating_add(1);
        budget.steps(1)?;
        let x = cell.checked_rem(width).unwrap_or_default();
        let around = [
            (x > 0).then(|| cell.saturating_sub(1)),
            (x.saturating_add(1) < width).then(|| cell.saturating_add(1)),
            cell.checked_sub(width),
            cell.checked_add(width),
        ];
        around.into_iter().flatten().try_for_each(|cell| enter(cell, &mut cells, budget))?;
    }
    budget.release(count as u64);
    Ok(cells)
}
