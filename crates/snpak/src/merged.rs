//! All indexes of the chain as one: a block of an index and one of a string table, made in memory and read as those
//! of files are. Places in them are in the space `merged`.

use crate::{
    build::{pool::Pool, tables::IndexTables},
    chain::{Append, History, Revision},
    index::{Dependency, Index, IndexEntry},
    lookup::AssetIdIndex,
    pack::PackFile,
    shown::Shown,
    strings::{NO_STRING, StringTable},
};
use bytes::Bytes;
use spelunk_core::{Budget, Result, Source, Space, Span, Task, scalar::U32};
use std::collections::HashSet;

/// The space of what is made here.
const SPACE: Space = Space::section("merged");

/// Merges the indexes of a pack, or adds to the active one what delta appends hide. What is wrong with older ones is a
/// warning.
///
/// # Errors
/// What the sink makes of the warnings; limits; reading errors.
pub(crate) fn show(file: &PackFile, hidden_only: bool, task: &mut Task<'_>) -> Result<Shown> {
    let (index, strings, named) = task.transient(|task| -> Result<_> {
        let history = file.history(task)?;
        let deltas = deltas(file, &history);
        let History { revisions, problems } = history;
        for problem in problems {
            task.warn(problem)?;
        }
        let named = revisions.iter().all(|revision| revision.strings.is_some());
        let mut merge = Merge::default();
        let mut seen = AssetIdSet::default();
        for (row, entry) in file.index.entries().iter().enumerate() {
            merge.add(row, entry, &file.index, Some(&file.strings), &mut task.budget)?;
        }
        seen.rows(&file.index, task, &mut |_, _, _| Ok(()))?;
        for (Revision { index, strings }, is_hidden) in revisions.iter().zip(deltas) {
            seen.rows(index, task, &mut |row, entry, task| {
                if hidden_only && !is_hidden {
                    return Ok(());
                }
                merge.add(row, entry, index, strings.as_ref(), &mut task.budget)
            })?;
        }
        let (index, strings) = merge.blocks()?;
        Ok((index, strings, named))
    })?;
    // One after the other in their space.
    let (index_len, strings_len) = (index.len() as u64, strings.len() as u64);
    task.budget.memory(index_len.saturating_add(strings_len).saturating_mul(2))?;
    let blocks = Bytes::from([index, strings].concat());
    task.budget.release(index_len.saturating_add(strings_len));
    let blocks: &dyn Source = &blocks;
    let (limits, strings_at) = (&file.options.limits, Span::new(SPACE, index_len, strings_len));
    let strings = StringTable::read_within(blocks, strings_at, limits, task)?;
    let (index_at, count) = (Span::new(SPACE, 0, index_len), Some(strings.count()));
    let index = Index::read_within(blocks, index_at, count, limits, task)?;
    Ok(Shown { which: spelunk_core::Revision::Merged, index, strings, named })
}

/// Asset ids that were met on the way from newer indexes to older ones.
#[derive(Default)]
pub(crate) struct AssetIdSet(HashSet<[u8; 16]>);

impl AssetIdSet {
    /// Hands the rows of an index that count and whose ids were not met before to `each`. Ids stay charged.
    ///
    /// # Errors
    /// Limits; what `each` returns.
    pub(crate) fn rows(
        &mut self,
        index: &Index,
        task: &mut Task<'_>,
        each: &mut dyn FnMut(usize, &IndexEntry, &mut Task<'_>) -> Result<()>,
    ) -> Result<()> {
        /// Bytes that an id takes in a set at the most: sets grow by doubling and keep an eighth free.
        const ROOM: u64 = 48;
        let ids = AssetIdIndex::new(index, &mut task.budget)?;
        for (row, entry) in
            index.entries().iter().enumerate().filter(|(row, _)| !ids.is_shadowed(*row))
        {
            if self.0.contains(&entry.asset_id.0) {
                continue;
            }
            task.budget.memory(ROOM)?;
            self.0.insert(entry.asset_id.0);
            each(row, entry, task)?;
        }
        ids.release(&mut task.budget);
        Ok(())
    }
}

/// For the active index and each older one, whether it was appended without what was there before.
pub(crate) fn deltas(file: &PackFile, history: &History) -> Vec<bool> {
    let is_delta = |index, strings| Append::of(index, strings) == Some(Append::Delta);
    let older = history.revisions.iter();
    let mut all = vec![is_delta(&file.index, Some(&file.strings))];
    all.extend(older.map(|older| is_delta(&older.index, older.strings.as_ref())));
    all
}

/// The rows of the merged index, and its strings.
#[derive(Default)]
struct Merge {
    tables: IndexTables,
    pool: Pool,
}

impl Merge {
    /// Adds a row of an index whose ids count in `strings`. Ranges may be shared, so all that they name is charged
    /// for each row.
    fn add(
        &mut self,
        row: usize,
        entry: &IndexEntry,
        index: &Index,
        strings: Option<&StringTable>,
        budget: &mut Budget,
    ) -> Result<()> {
        let string = |id: U32, pool: &mut Pool, budget: &mut Budget| {
            let text = strings.and_then(|strings| strings.get(id.get()));
            text.map_or(Ok(U32::new(NO_STRING)), |text| pool.intern(text, budget).map(U32::new))
        };
        let mut entry = *entry;
        entry.name_string_id = string(entry.name_string_id, &mut self.pool, budget)?;
        entry.variant_string_id = string(entry.variant_string_id, &mut self.pool, budget)?;
        let range = index.bulk_range(&entry);
        if range.is_none() {
            // A range that the table lacks must not become one that it has.
            entry.bulk_first_index = U32::new(u32::MAX);
        }
        let bulk = index.bulk().get(range.unwrap_or_default()).unwrap_or_default();
        self.tables.add_entry(entry, bulk.iter().copied(), budget)?;
        let Some(owner) = index.owner(row) else { return Ok(()) };
        let stored = index.dependencies().get(index.dependency_range(row)).unwrap_or_default();
        let mut needs = budget.vec::<Dependency>(stored.len() as u64)?;
        for need in stored {
            let name_string_id = string(need.name_string_id, &mut self.pool, budget)?;
            needs.push(Dependency { name_string_id, ..*need });
        }
        self.tables.add_needs(owner.reserved, needs.into_iter(), budget)
    }

    /// The blocks of the index and of the string table.
    fn blocks(self) -> Result<(Vec<u8>, Vec<u8>)> {
        let (index, _, _) = self.tables.blocks(None, [0; 24])?;
        Ok((index.concat(), self.pool.blocks()?.concat()))
    }
}
