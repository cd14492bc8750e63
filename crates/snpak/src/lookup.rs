//! Look-up by asset id and by name, built when it is first asked for.
//!
//! Sorted positions: small enough for millions of assets, and the order of nothing depends on a hash map.

use crate::{
    hash,
    index::{Index, IndexEntry},
    strings::StringTable,
};

/// Positions of entries by asset id.
#[derive(Debug)]
pub(crate) struct Ids {
    /// All positions, by asset id, then by position.
    sorted: Vec<u32>,
    /// Those that a later entry hides, ascending.
    shadowed: Vec<u32>,
}

impl Ids {
    pub(crate) fn new(index: &Index) -> Ids {
        let mut sorted: Vec<u32> = (0..index.header().entry_count.get()).collect();
        // The order is stable, so positions with the same id stay ascending.
        sorted.sort_by_cached_key(|row| id(index, *row).copied().map(u128::from_be_bytes));
        let mut shadowed: Vec<u32> = sorted
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if id(index, *a) == id(index, *b) => Some(*a),
                _ => None,
            })
            .collect();
        shadowed.sort_unstable();
        Ids { sorted, shadowed }
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
    pub(crate) fn new(index: &Index, strings: &StringTable) -> Names {
        let hash_of = |entry| name(entry, strings).map(hash::hash64);
        let rows = (0..).zip(index.entries());
        let mut sorted: Vec<(u64, u32)> =
            rows.filter_map(|(row, entry)| Some((hash_of(entry)?, row))).collect();
        sorted.sort_unstable();
        Names(sorted)
    }

    /// All entries with this name, in stored order.
    pub(crate) fn all(&self, index: &Index, strings: &StringTable, wanted: &[u8]) -> Vec<usize> {
        let hash = hash::hash64(wanted);
        let first = self.0.partition_point(|(known, _)| *known < hash);
        let rest = self.0.get(first..).unwrap_or_default().iter();
        let same = rest.take_while(|(known, _)| *known == hash).map(|(_, row)| *row as usize);
        same.filter(|row| {
            let entry = index.entries().get(*row);
            entry.and_then(|entry| name(entry, strings)) == Some(wanted)
        })
        .collect()
    }
}

fn name<'s>(entry: &IndexEntry, strings: &'s StringTable) -> Option<&'s [u8]> {
    strings.get(entry.name_string_id.get())
}
