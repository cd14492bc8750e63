//! Look-up by asset id and by name, built when it is first asked for.
//!
//! Rows with hashes of one range are chained, as many ranges as there are rows: eight bytes for each of them, whatever
//! the names and ids are, and the order of nothing depends on the hashes.

use crate::{
    hash,
    index::{Index, IndexEntry},
    strings::StringTable,
};
use spelunk_core::{Budget, Result};
use std::sync::OnceLock;

/// The position that means "no row".
const NONE: u32 = u32::MAX;

/// Number of rows whose places in the tables are read before the first of them is asked for. Of very many rows the tables are
/// larger than what a processor keeps at hand, and places that are read without waiting for each other take the time of a few.
const TOGETHER: usize = 64;

/// Rows by the ranges that their hashes lie in.
#[derive(Clone, Debug)]
struct Chains {
    /// The first row of each range.
    heads: Vec<u32>,
    /// The row behind each row.
    next: Vec<u32>,
}

impl Chains {
    /// Empty chains for this many rows. They stay charged.
    fn new(rows: usize, budget: &mut Budget) -> Result<Chains> {
        let mut heads = budget.vec::<u32>(rows as u64)?;
        heads.resize(rows, NONE);
        let mut next = budget.vec::<u32>(rows as u64)?;
        next.resize(rows, NONE);
        Ok(Chains { heads, next })
    }

    /// The range of a hash.
    fn range(&self, hash: u64) -> usize {
        let place = u128::from(hash).wrapping_mul(self.heads.len() as u128) >> 64;
        place as usize
    }

    fn head(&self, hash: u64) -> u32 {
        self.heads.get(self.range(hash)).copied().unwrap_or(NONE)
    }

    fn next(&self, row: u32) -> u32 {
        self.next.get(row as usize).copied().unwrap_or(NONE)
    }

    /// Reads what the look-up of these hashes is going to read first: the head of each range, what stands behind it, and its tag.
    fn reach(&self, hashes: &[u64], tags: &[u32]) {
        let mut heads = [NONE; TOGETHER];
        for (head, hash) in heads.iter_mut().zip(hashes) {
            *head = self.head(*hash);
        }
        let read = |head: &u32| self.next(*head) ^ tags.get(*head as usize).unwrap_or(&NONE);
        std::hint::black_box(heads.iter().map(read).fold(0, |all, one| all ^ one));
    }

    /// The rows of the range of a hash.
    fn rows(&self, hash: u64) -> impl Iterator<Item = u32> + '_ {
        let some = |row: u32| (row != NONE).then_some(row);
        std::iter::successors(some(self.head(hash)), move |row| some(self.next(*row)))
    }

    /// Puts a row before the others of its range.
    fn push(&mut self, hash: u64, row: u32) {
        let range = self.range(hash);
        if let (Some(head), Some(next)) =
            (self.heads.get_mut(range), self.next.get_mut(row as usize))
        {
            *next = *head;
            *head = row;
        }
    }

    /// Puts a row in the place of the one behind `before`, or of the first one.
    fn replace(&mut self, hash: u64, before: Option<u32>, old: u32, row: u32) {
        let range = self.range(hash);
        let behind = self.next(old);
        if let Some(next) = self.next.get_mut(row as usize) {
            *next = behind;
        }
        let place = match before {
            Some(before) => self.next.get_mut(before as usize),
            None => self.heads.get_mut(range),
        };
        if let Some(place) = place {
            *place = row;
        }
    }

    /// Bytes that are charged.
    fn size(&self) -> u64 {
        let rows = self.heads.len().saturating_add(self.next.len()) as u64;
        rows.saturating_mul(size_of::<u32>() as u64)
    }
}

/// Positions of entries by asset id.
#[derive(Clone, Debug)]
pub(crate) struct AssetIdIndex {
    /// Of each id the last row.
    last: Chains,
    /// Rows that a later one hides, ascending.
    shadowed: Vec<u32>,
}

impl AssetIdIndex {
    /// Chains the entries. The table stays charged.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn new(index: &Index, budget: &mut Budget) -> Result<AssetIdIndex> {
        let entries = index.entries();
        let mut last = Chains::new(entries.len(), budget)?;
        // A part of each hash: most rows of a range are kept apart by it, without a look at their entries, which are far from
        // each other.
        let mut tags = budget.vec::<u32>(entries.len() as u64)?;
        let mut shadowed: Vec<u32> = Vec::new();
        let mut hashes = [0; TOGETHER];
        for (start, entries) in (0_u32..).step_by(TOGETHER).zip(entries.chunks(TOGETHER)) {
            for (slot, entry) in hashes.iter_mut().zip(entries) {
                *slot = hash::hash64(&entry.asset_id.0);
            }
            last.reach(&hashes, &tags);
            for ((row, entry), hash) in (start..).zip(entries).zip(hashes) {
                let wanted = &entry.asset_id.0;
                let tag = hash as u32;
                tags.push(tag);
                let same = |known: u32| {
                    tags.get(known as usize) == Some(&tag) && id(index, known) == Some(wanted)
                };
                let (mut before, mut known, mut steps) = (None, last.head(hash), 1_u64);
                while known != NONE && !same(known) {
                    (before, known) = (Some(known), last.next(known));
                    steps = steps.saturating_add(1);
                }
                budget.steps(steps)?;
                if known == NONE {
                    last.push(hash, row);
                } else {
                    if shadowed.len() == shadowed.capacity() {
                        let more = shadowed.len().max(64);
                        budget.memory((more as u64).saturating_mul(size_of::<u32>() as u64))?;
                        shadowed.reserve_exact(more);
                    }
                    shadowed.push(known);
                    last.replace(hash, before, known, row);
                }
            }
        }
        shadowed.sort_unstable();
        budget.release((tags.capacity() as u64).saturating_mul(size_of::<u32>() as u64));
        Ok(AssetIdIndex { last, shadowed })
    }

    /// Bytes that are charged.
    pub(crate) fn held(&self) -> u64 {
        let shadowed = (self.shadowed.capacity() as u64).saturating_mul(size_of::<u32>() as u64);
        self.last.size().saturating_add(shadowed)
    }

    /// Gives the memory of the table back to the budget that it was taken from.
    pub(crate) fn release(self, budget: &mut Budget) {
        budget.release(self.held());
    }

    /// Returns the number of entries that a later one hides, and the first of them.
    pub(crate) fn shadowed(&self) -> (usize, Option<usize>) {
        (self.shadowed.len(), self.shadowed.first().map(|row| *row as usize))
    }

    /// The entries that a later one hides, ascending.
    pub(crate) fn all_shadowed(&self) -> &[u32] {
        &self.shadowed
    }

    /// The last entry with this id.
    pub(crate) fn last(&self, index: &Index, wanted: &[u8; 16]) -> Option<usize> {
        let mut rows = self.last.rows(hash::hash64(wanted));
        rows.find(|row| id(index, *row) == Some(wanted)).map(|row| row as usize)
    }

    /// Whether a later entry has the same id.
    pub(crate) fn is_shadowed(&self, row: usize) -> bool {
        !self.shadowed.is_empty()
            && u32::try_from(row).is_ok_and(|row| self.shadowed.binary_search(&row).is_ok())
    }
}

fn id(index: &Index, row: u32) -> Option<&[u8; 16]> {
    index.entries().get(row as usize).map(|entry| &entry.asset_id.0)
}

/// Positions of entries by the name hashes that they state.
#[derive(Clone, Debug)]
pub(crate) struct NameHashIndex {
    rows: Chains,
    /// Entries that do not state the hash of their name: the true hash and the row, in this order.
    odd: OnceLock<Vec<(u64, u32)>>,
}

/// Entries among which a name is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// Entries that state the hash of the name; the others where there are none.
    Stated,
    /// All of them. The names of all entries are hashed for that once.
    All,
}

impl NameHashIndex {
    /// Chains the entries. The table stays charged.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn new(index: &Index, budget: &mut Budget) -> Result<NameHashIndex> {
        let entries = index.entries();
        let mut rows = Chains::new(entries.len(), budget)?;
        budget.steps(entries.len() as u64)?;
        // From the last to the first, since each row goes before the others.
        for (row, entry) in entries.iter().enumerate().rev() {
            if let Ok(row) = u32::try_from(row) {
                rows.push(entry.name_hash64.get(), row);
            }
        }
        Ok(NameHashIndex { rows, odd: OnceLock::new() })
    }

    /// Bytes that are charged.
    pub(crate) fn held(&self) -> u64 {
        let odd = self.odd.get().map_or(0, Vec::len) as u64;
        let odd = odd.saturating_mul(size_of::<(u64, u32)>() as u64);
        self.rows.size().saturating_add(odd)
    }

    /// Entries with this name, in stored order. The vector stays charged.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn find(
        &self,
        index: &Index,
        strings: &StringTable,
        wanted: &[u8],
        which: Which,
        budget: &mut Budget,
    ) -> Result<Vec<usize>> {
        budget.touch(wanted.len() as u64)?;
        let hash = hash::hash64(wanted);
        let mut found = Vec::new();
        let add = |row: u32, found: &mut Vec<usize>, budget: &mut Budget| -> Result<()> {
            budget.touch(wanted.len() as u64)?;
            let entry = index.entries().get(row as usize);
            if entry.and_then(|entry| name(entry, strings)) == Some(wanted) {
                budget.memory(size_of::<usize>() as u64)?;
                found.push(row as usize);
            }
            Ok(())
        };
        for row in self.rows.rows(hash) {
            budget.steps(1)?;
            let entry = index.entries().get(row as usize);
            if entry.is_some_and(|entry| entry.name_hash64.get() == hash) {
                add(row, &mut found, budget)?;
            }
        }
        if which == Which::Stated && !found.is_empty() {
            return Ok(found);
        }
        let odd = self.odd(index, strings, budget)?;
        let start = odd.partition_point(|(other, _)| *other < hash);
        let alike = odd.get(start..).unwrap_or_default().iter();
        for (_, row) in alike.take_while(|(other, _)| *other == hash) {
            add(*row, &mut found, budget)?;
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The entries that do not state the hash of their name, found when they are first asked for.
    pub(crate) fn odd(
        &self,
        index: &Index,
        strings: &StringTable,
        budget: &mut Budget,
    ) -> Result<&[(u64, u32)]> {
        if let Some(odd) = self.odd.get() {
            return Ok(odd);
        }
        let mark = budget.mark();
        let mut odd = Vec::new();
        for (row, entry) in (0_u32..).zip(index.entries()) {
            let Some(name) = name(entry, strings) else { continue };
            // Entries may share long names, so that a small file can have far more names than bytes.
            budget.touch(name.len() as u64)?;
            let hash = hash::hash64(name);
            if hash != entry.name_hash64.get() {
                budget.memory(size_of::<(u64, u32)>() as u64)?;
                odd.push((hash, row));
            }
        }
        budget.steps(odd.len() as u64)?;
        odd.sort_unstable();
        Ok(budget.keep(mark, &self.odd, odd).as_slice())
    }
}

fn name<'s>(entry: &IndexEntry, strings: &'s StringTable) -> Option<&'s [u8]> {
    strings.get(entry.name_string_id.get())
}
