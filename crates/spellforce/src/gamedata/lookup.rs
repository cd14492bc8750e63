//! Rows by their keys.
//!
//! The game searches by bisection, and the rows of nearly all files are in order. Whether those of a category are is found
//! out when the first key is looked for; where they are not, the order of their keys is made then and kept.

use super::table::{AnyRow, Table};
use spelunk_core::{Budget, Result, Ty};

/// Order by which the rows of a category are found.
#[derive(Clone, Debug)]
pub(super) enum IdOrder {
    /// Rows are stored in the order of their ids.
    Sorted,
    /// The rows in the order of their ids, those with one id in the order of the file.
    Made(Vec<u32>),
}

impl IdOrder {
    /// Looks at every id once.
    ///
    /// # Errors
    /// Limits. What is made stays charged.
    pub(super) fn of(table: &Table<'_>, budget: &mut Budget) -> Result<IdOrder> {
        budget.steps(table.len() as u64)?;
        if is_sorted(table) {
            return Ok(IdOrder::Sorted);
        }
        budget.steps((table.len() as u64).saturating_mul(16))?;
        let mut order = budget.vec::<u32>(table.len() as u64)?;
        order.extend((0_u32..).take(table.len()));
        order.sort_by_key(|row| table.row(*row as usize).map(|row| row.id()));
        Ok(IdOrder::Made(order))
    }

    /// Returns the number of rows in the order that was made.
    pub(super) fn len(&self) -> usize {
        match self {
            IdOrder::Sorted => 0,
            IdOrder::Made(order) => order.len(),
        }
    }

    fn row(&self, nth: usize) -> usize {
        match self {
            IdOrder::Sorted => nth,
            IdOrder::Made(order) => order.get(nth).map_or(usize::MAX, |row| *row as usize),
        }
    }

    /// The rows whose keys begin with these values, in the order of the file. All rows without any.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn find(
        &self,
        table: &Table<'_>,
        key: &[u32],
        budget: &mut Budget,
    ) -> Result<Vec<usize>> {
        let Some(id) = key.first() else { return Ok((0..table.len()).collect()) };
        let id_of = |nth: usize| table.row(self.row(nth)).map(|row| row.id());
        let first = partition(table.len(), |nth| id_of(nth).is_some_and(|other| other < *id));
        let mut found = Vec::new();
        for nth in first..table.len() {
            let Some(row) = table.row(self.row(nth)).filter(|row| row.id() == *id) else { break };
            budget.steps(1)?;
            if row.compare(key).is_eq() {
                found.push(self.row(nth));
            }
        }
        Ok(found)
    }
}

/// The rows of a table in the order of their ids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ordered<'f> {
    pub(super) table: Table<'f>,
    pub(super) order: &'f IdOrder,
}

impl<'f> Ordered<'f> {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the position in the table of the row at a place of the order.
    pub(super) fn position(&self, nth: usize) -> usize {
        self.order.row(nth)
    }

    /// The bytes of this row and all behind it, with the size of each; `None` where rows are not of one size, or not stored in
    /// this order.
    pub(super) fn stored_from(&self, nth: usize) -> Option<(&'f [u8], usize)> {
        let size = self.table.category().row_size()?;
        let start = matches!(self.order, IdOrder::Sorted).then(|| nth.checked_mul(size))?;
        let whole = self.table.plain().get(..self.len().checked_mul(size)?)?;
        Some((whole.get(start?..)?, size))
    }

    /// The row at this place of the order.
    pub(super) fn row(&self, nth: usize) -> Option<AnyRow<'f>> {
        self.table.row(self.position(nth))
    }
}

/// Whether ids ascend, where several rows may have one.
fn is_sorted(table: &Table<'_>) -> bool {
    // Nearly all ids are two bytes at the start of rows of one size: the texts are read for nothing but these.
    let id = table.category().fields().first().map(|slot| slot.field.ty);
    match (table.category().row_size(), id) {
        (Some(size), Some(Ty::U16)) => {
            let rows = table.plain().chunks_exact(size);
            rows.is_sorted_by_key(|row| row.first_chunk().map(|id| u16::from_le_bytes(*id)))
        }
        _ => table.rows().is_sorted_by_key(|row| row.id()),
    }
}

/// Returns the number of positions, from the first on, that have a property; none behind them has it.
fn partition(len: usize, has: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low.midpoint(high);
        if has(middle) {
            low = middle.saturating_add(1);
        } else {
            high = middle;
        }
    }
    low
}
