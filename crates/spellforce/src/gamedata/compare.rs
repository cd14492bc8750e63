//! Differences between two tables of one category: rows that belong together by their keys, those that are gone, and new ones.
//!
//! Both tables are walked in the order of their ids. Among rows of one id equal ones belong together first, then those with one
//! key, in their order; so rows that repeat a key are matched by what they hold where that is possible.

use super::{AnyRow, GameData, lookup::Ordered};
use spelunk_core::{Budget, Result};
use std::ops::Range;

/// A change of a row. Positions are those in the category.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowChange {
    /// A row of the old table alone.
    Removed(usize),
    /// A row of the new table alone.
    Added(usize),
    /// A row with other values.
    Changed {
        /// Position in the old table.
        old: usize,
        /// Position in the new table.
        new: usize,
    },
}

/// A table with the order of its ids.
struct TableCursor<'f> {
    rows: Ordered<'f>,
    at: usize,
}

impl<'f> TableCursor<'f> {
    fn row(&self, nth: usize) -> Option<AnyRow<'f>> {
        self.rows.row(nth)
    }

    /// The id of the next row.
    fn id(&self) -> Option<u32> {
        self.row(self.at).map(|row| row.id())
    }

    /// The next rows that have this id, which the first one of them is known to have.
    fn group(&mut self, id: u32) -> Range<usize> {
        let start = self.at;
        self.at = start.saturating_add(1);
        while self.id() == Some(id) {
            self.at = self.at.saturating_add(1);
        }
        start..self.at
    }
}

/// Returns the changes from the rows of a chunk of `old` to those of a chunk of `new`: in the order of ids, those with one id in
/// the order of the old table and new ones behind them. Rows that only lie elsewhere did not change.
///
/// # Errors
/// When one of them cannot be read or is no table; limits.
pub fn compare(
    (old, old_chunk): (GameData<'_>, u32),
    (new, new_chunk): (GameData<'_>, u32),
    budget: &mut Budget,
) -> Result<Vec<RowChange>> {
    let mut changes = Vec::new();
    let [a, b] = [(old, old_chunk), (new, new_chunk)]
        .map(|(gamedata, chunk)| gamedata.ordered(chunk, budget));
    let (mut old, mut new) = (TableCursor { rows: a?, at: 0 }, TableCursor { rows: b?, at: 0 });
    budget.steps(old.rows.len().saturating_add(new.rows.len()) as u64)?;
    loop {
        let charged = changes.len();
        let (a, b) = (old.row(old.at), new.row(new.at));
        match (a.map(|row| row.id()), b.map(|row| row.id())) {
            (None, None) => return Ok(changes),
            (Some(id), other) if other.is_none_or(|other| id < other) => {
                changes.extend(old.group(id).map(|nth| RowChange::Removed(old.rows.position(nth))));
            }
            (other, Some(id)) if other.is_none_or(|other| id < other) => {
                changes.extend(new.group(id).map(|nth| RowChange::Added(new.rows.position(nth))));
            }
            (Some(id), _) => {
                // Nearly all rows are the same on both sides.
                if a.zip(b).is_some_and(|(a, b)| a.bytes() == b.bytes()) {
                    let same = same_rows(&old, &new).max(1);
                    old.at = old.at.saturating_add(same);
                    new.at = new.at.saturating_add(same);
                } else {
                    let groups = (old.group(id), new.group(id));
                    groups_of_one_id((&old, groups.0), (&new, groups.1), budget, &mut changes)?;
                }
            }
            (None, Some(_)) => return Ok(changes),
        }
        let more = changes.len().saturating_sub(charged);
        budget.memory((more as u64).saturating_mul(size_of::<RowChange>() as u64))?;
    }
}

/// Returns the number of rows from here on that are the same in both tables, without a gap; 0 where rows are not of one size or
/// not stored in the order of their ids.
fn same_rows(old: &TableCursor<'_>, new: &TableCursor<'_>) -> usize {
    let rows = old.rows.stored_from(old.at).zip(new.rows.stored_from(new.at));
    let Some(((a, size), (b, other))) = rows else { return 0 };
    if size != other { 0 } else { common_prefix(a, b).checked_div(size).unwrap_or_default() }
}

/// Returns the number of bytes before the first that differs. Most are compared block by block, as fast as memory gives them.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let mut at = 0_usize;
    for block in [1 << 13, 1 << 8, 1] {
        let [a, b] = [a, b].map(|all| all.get(at..).unwrap_or_default().chunks_exact(block));
        let same = a.zip(b).take_while(|(a, b)| a == b).count();
        at = at.saturating_add(same.saturating_mul(block));
    }
    at
}

/// Finds the changes of the rows of one id.
fn groups_of_one_id(
    (old, of_old): (&TableCursor<'_>, Range<usize>),
    (new, of_new): (&TableCursor<'_>, Range<usize>),
    budget: &mut Budget,
    changes: &mut Vec<RowChange>,
) -> Result<()> {
    let product = (of_old.len() as u64).saturating_mul(of_new.len() as u64);
    budget.steps(product)?;
    budget.memory((of_old.len().saturating_add(of_new.len()) as u64).saturating_mul(16))?;
    let mut taken = vec![false; of_new.len()];
    let mut partners = vec![None; of_old.len()];
    let same: [fn(&AnyRow<'_>, &AnyRow<'_>) -> bool; 2] =
        [|a, b| a.bytes() == b.bytes(), |a, b| a.key() == b.key()];
    for same in same {
        for (partner, nth) in partners.iter_mut().zip(of_old.clone()) {
            let (None, Some(row)) = (&*partner, old.row(nth)) else { continue };
            let free = taken.iter_mut().zip(of_new.clone()).find(|(taken, other)| {
                !**taken && new.row(*other).is_some_and(|other| same(&row, &other))
            });
            if let Some((taken, other)) = free {
                (*taken, *partner) = (true, Some(other));
            }
        }
    }
    for (partner, nth) in partners.into_iter().zip(of_old) {
        let position = old.rows.position(nth);
        match partner {
            None => changes.push(RowChange::Removed(position)),
            Some(other)
                if old.row(nth).map(|row| row.bytes()) != new.row(other).map(|row| row.bytes()) =>
            {
                changes.push(RowChange::Changed { old: position, new: new.rows.position(other) });
            }
            Some(_) => {}
        }
    }
    let added = taken.into_iter().zip(of_new).filter(|(taken, _)| !taken);
    changes.extend(added.map(|(_, nth)| RowChange::Added(new.rows.position(nth))));
    Ok(())
}
