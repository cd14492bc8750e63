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
        match key {
            [] => Ok((0..table.len()).collect()),
            key => Ok(self.with_key(table, key, budget)?.collect()),
        }
    }

    /// As [`IdOrder::find`], without a list of them, for keys with an id.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn with_key<'t>(
        &'t self,
        table: &'t Table<'_>,
        key: &'t [u32],
        budget: &mut Budget,
    ) -> Result<impl Iterator<Item = usize> + Clone + use<'t>> {
        self.from(self.first(table, key), table, key, budget)
    }

    /// The place in the order of the first row with the id of a key.
    fn first(&self, table: &Table<'_>, key: &[u32]) -> usize {
        let is_before = |id: &u32, nth| self.id(table, nth).is_some_and(|other| other < *id);
        key.first().map_or(0, |id| partition(table.len(), |nth| is_before(id, nth)))
    }

    /// The rows whose keys begin with these values, which those of a row do, in the order of the file.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn around<'t>(
        &'t self,
        table: &'t Table<'_>,
        row: usize,
        key: &'t [u32],
        budget: &mut Budget,
    ) -> Result<impl Iterator<Item = usize> + Clone + use<'t>> {
        let first = match (self, key.first()) {
            (IdOrder::Sorted, Some(id)) => {
                let before = (0..row).rev().take_while(|nth| self.id(table, *nth) == Some(*id));
                row.saturating_sub(before.count())
            }
            _ => self.first(table, key),
        };
        self.from(first, table, key, budget)
    }

    /// The rows with a key, the first of which with its id stands at this place of the order.
    fn from<'t>(
        &'t self,
        first: usize,
        table: &'t Table<'_>,
        key: &'t [u32],
        budget: &mut Budget,
    ) -> Result<impl Iterator<Item = usize> + Clone + use<'t>> {
        let is_same = |nth: &usize| key.first().is_none_or(|id| self.id(table, *nth) == Some(*id));
        let count = (first..table.len()).take_while(is_same).count();
        budget.steps(count as u64)?;
        let rows = first..first.saturating_add(count);
        let is_alike = |row: &usize| table.row(*row).is_some_and(|row| row.compare(key).is_eq());
        Ok(rows.map(|nth| self.row(nth)).filter(is_alike))
    }

    /// The id of the row at this place of the order.
    fn id(&self, table: &Table<'_>, nth: usize) -> Option<u32> {
        table.row(self.row(nth)).map(|row| row.id())
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
