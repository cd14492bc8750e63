//! Facts that several rules need, put together once.

use super::tally::Tally;
use crate::{
    index::BulkEntry,
    pack::Pack,
    paths::Id,
    payload::{self, Claim, RowRef},
};
use spelunk_core::{Result, Task};

/// The position that means "no asset" in a list of owners.
const NO_OWNER: u32 = u32::MAX;

/// The chunks of the active index.
#[derive(Debug)]
pub(super) struct Facts {
    /// The asset of each bulk entry; the first one, where several name it.
    owners: Vec<u32>,
    /// Rows that name chunks, one for each, in the order of their places. Bulk entries without an asset are left out.
    pub(super) rows: Vec<RowRef>,
    /// Bulk chunks of assets whose sub-index is not their position.
    pub(super) out_of_order: Tally<Id>,
    /// Bulk chunks of assets, as often as assets name them.
    pub(super) bulk: u64,
}

impl Facts {
    /// Goes through the assets and their bulk entries. Entries may share ranges, so each use is charged.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn of(pack: &Pack, task: &mut Task<'_>) -> Result<Facts> {
        let index = pack.index();
        let count = index.bulk().len();
        let mut owners = task.budget.vec::<u32>(count as u64)?;
        owners.resize(count, NO_OWNER);
        let (mut out_of_order, mut bulk) = (Tally::default(), 0_u64);
        for (row, entry) in (0_u32..).zip(index.entries()) {
            let range = pack.bulk_rows(entry);
            task.budget.steps((range.len() as u64).saturating_add(1))?;
            bulk = bulk.saturating_add(range.len() as u64);
            for owner in owners.get_mut(range).unwrap_or_default() {
                *owner = row.min(*owner);
            }
            let moved =
                |(nth, bulk): &(usize, &BulkEntry)| u64::from(bulk.sub_index.get()) != *nth as u64;
            for (nth, _) in pack.bulk(entry).iter().enumerate().filter(moved) {
                out_of_order.add(Id::bulk(row as usize, nth), 0);
            }
        }
        let mut rows = payload::rows(&[index], task)?;
        let entries = index.entries().len();
        let has_owner = |row: &RowRef| match (row.row as usize).checked_sub(entries) {
            None => true,
            Some(bulk) => owners.get(bulk).is_some_and(|owner| *owner != NO_OWNER),
        };
        rows.retain(has_owner);
        rows.dedup_by_key(|row| row.offset);
        Ok(Facts { owners, rows, out_of_order, bulk })
    }

    /// Returns what a row says of its chunk, and the asset or bulk chunk that it belongs to.
    pub(super) fn claim(&self, pack: &Pack, row: &RowRef) -> Option<(Id, Claim)> {
        let claim = payload::claim(pack.index(), row.row, |_| None)?;
        let row = row.row as usize;
        let Some(bulk) = row.checked_sub(pack.index().entries().len()) else {
            return Some((Id::asset(row), claim));
        };
        let owner = *self.owners.get(bulk)? as usize;
        let first = pack.bulk_rows(pack.entry(owner)?).start;
        Some((Id::bulk(owner, bulk.checked_sub(first)?), claim))
    }

    /// Whether a chunk of the current assets starts in this stretch.
    pub(super) fn starts_in(&self, start: u64, end: u64) -> bool {
        let first = self.rows.partition_point(|row| row.offset < start);
        self.rows.get(first).is_some_and(|row| row.offset < end)
    }
}
