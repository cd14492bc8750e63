//! Look-up by asset id and by name, built when it is first asked for.
//!
//! Sorted positions: small enough for millions of assets, and the order of nothing depends on a hash map.

use crate::{
    hash,
    index::{Index, IndexEntry},
    strings::StringTable,
};
use spelunk_core::{Budget, Result};

/// Positions of entries by asset id.
#[derive(Debug)]
pub(crate) struct Ids {
    /// All positions, by asset id, then by position.
    sorted: Vec<u32>,
    /// Those that a later entry hides, ascending.
    shadowed: Vec<u32>,
}

impl Ids {
    /// Sorts the entries. The table stays charged.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn new(index: &Index, budget: &mut Budget) -> Result<Ids> {
        let count = index.entries().len() as u64;
        budget.steps(count)?;
        let mut sorted = budget.vec::<u32>(count)?;
        let mut keyed = budget.vec::<(u128, u32)>(count)?;
        let ids = index.entries().iter().map(|entry| u128::from_be_bytes(entry.asset_id.0));
        keyed.extend(ids.zip(0..));
        keyed.sort_unstable();
        sorted.extend(keyed.iter().map(|(_, row)| *row));
        drop(keyed);
        budget.release(count.saturating_mul(size_of::<(u128, u32)>() as u64));
        let hidden = || {
            sorted.windows(2).filter_map(|pair| match pair {
                [a, b] if id(index, *a) == id(index, *b) => Some(*a),
                _ => None,
            })
        };
        let mut shadowed = budget.vec::<u32>(hidden().count() as u64)?;
        shadowed.extend(hidden());
        shadowed.sort_unstable();
        Ok(Ids { sorted, shadowed })
    }

    /// Gives the memory of the table back to the budget that it was taken from.
    pub(crate) fn release(self, budget: &mut Budget) {
        let count = self.sorted.len().saturating_add(self.shadowed.len()) as u64;
        budget.release(count.saturating_mul(size_of::<u32>() as u64));
    }

    /// How many entries a later one hides, and the first of them.
    pub(crate) fn shadowed(&self) -> (usize, Option<usize>) {
        (self.shadowed.len(), self.shadowed.first().map(|row| *row as usize))
    }

    /// The last entry with this id.
    pub(crate) fn last(&self, index: &Index, wanted: &[u8; 16]) -> Option<usize> {
        let behind = self.sorted.partition_point(|row| id(index, *row) <= Some(wanted));
        let last = self.sorted.get(behind.checked_sub(1)?)?;
        (id(index, *last) == Some(wanted)).then_some(*last as usize)
    }

    /// Whether a later entry has the same id.
    pub(crate) fn is_shadowed(&self, row: usize) -> bool {
        u32::try_from(row).is_ok_and(|row| self.shadowed.binary_search(&row).is_ok())
    }
}

fn id(index: &Index, row: u32) -> Option<&[u8; 16]> {
    index.entries().get(row as usize).map(|entry| &entry.asset_id.0)
}

/// Positions of entries by the hash of their stored name, then by position. The hash is taken from the
/// name itself: the one in the entry may be wrong.
#[derive(Debug)]
pub(crate) struct Names(Vec<(u64, u32)>);

impl Names {
    /// Hashes and sorts the names. The table stays charged.
    ///
    /// # Errors
    /// Limits: entries may share long names, so that a small file can have far more names than bytes.
    pub(crate) fn new(index: &Index, strings: &StringTable, budget: &mut Budget) -> Result<Names> {
        let mut sorted = budget.vec::<(u64, u32)>(index.entries().len() as u64)?;
        for (row, entry) in (0..).zip(index.entries()) {
            let name = name(entry, strings);
            budget.touch(name.map_or(0, <[u8]>::len) as u64)?;
            sorted.extend(name.map(|name| (hash::hash64(name), row)));
        }
        sorted.sort_unstable();
        Ok(Names(sorted))
    }

    /// All entries with this name, in stored order. The vector stays charged.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn all(
        &self,
        index: &Index,
        strings: &StringTable,
        wanted: &[u8],
        budget: &mut Budget,
    ) -> Result<Vec<usize>> {
        budget.touch(wanted.len() as u64)?;
        let hash = hash::hash64(wanted);
        let first = self.0.partition_point(|(known, _)| *known < hash);
        let behind = self.0.partition_point(|(known, _)| *known <= hash);
        let same = self.0.get(first..behind).unwrap_or_default();
        let mut found = budget.vec(same.len() as u64)?;
        for (_, row) in same {
            budget.touch(wanted.len() as u64)?;
            let row = *row as usize;
            let entry = index.entries().get(row);
            if entry.and_then(|entry| name(entry, strings)) == Some(wanted) {
                found.push(row);
            }
        }
        Ok(found)
    }
}

fn name<'s>(entry: &IndexEntry, strings: &'s StringTable) -> Option<&'s [u8]> {
    strings.get(entry.name_string_id.get())
}
