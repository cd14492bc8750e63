//! All indexes of the chain as one: a block of an index and one of a string table, made in memory and read as those
//! of files are. Places in them are in the space `merged`.

use crate::{
    chain::{History, Revision},
    codes,
    generations::{Seen, Shown},
    hash,
    index::{
        self, BulkEntry, Dependency, DependencyOwner, FLAG_HAS_BULK, Index, IndexEntry, IndexHeader,
    },
    pack::File,
    strings::{self, NO_STRING, StringTable, StringsHeader},
    transient::transient,
};
use bytes::Bytes;
use spelunk_core::{
    Budget, Error, Result, Source, Space, Span, Task,
    scalar::{Chars, Hash128},
};
use std::collections::HashMap;
use zerocopy::{
    Immutable, IntoBytes,
    little_endian::{U32, U64},
};

/// The space of what is made here.
const SPACE: Space = Space::section("merged");

/// Merges the indexes of a pack. What is wrong with older ones is a warning.
///
/// # Errors
/// What the sink makes of the warnings; limits; reading errors.
pub(crate) fn show(file: &File, task: &mut Task<'_>) -> Result<Shown> {
    let (index, strings, named) = transient(task, |task| -> Result<_> {
        let History { revisions, problems } = file.history(task)?;
        for problem in problems {
            task.warn(problem)?;
        }
        let named = revisions.iter().all(|revision| revision.strings.is_some());
        let mut merge = Merge::default();
        let mut seen = Seen::default();
        for (row, entry) in file.index.entries().iter().enumerate() {
            merge.add(row, entry, &file.index, Some(&file.strings), &mut task.budget)?;
        }
        seen.rows(&file.index, task, &mut |_, _, _| Ok(()))?;
        for Revision { index, strings } in &revisions {
            seen.rows(index, task, &mut |row, entry, task| {
                merge.add(row, entry, index, strings.as_ref(), &mut task.budget)
            })?;
        }
        let (index, strings) = merge.blocks(task)?;
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

/// The rows of the merged index, and its strings.
#[derive(Default)]
struct Merge<'s> {
    entries: Vec<IndexEntry>,
    bulk: Vec<BulkEntry>,
    owners: Vec<DependencyOwner>,
    dependencies: Vec<Dependency>,
    pool: Pool<'s>,
}

impl<'s> Merge<'s> {
    /// Adds a row of an index whose ids count in `strings`. Ranges may be shared, so all that they name is charged
    /// for each row.
    fn add(
        &mut self,
        row: usize,
        entry: &IndexEntry,
        index: &Index,
        strings: Option<&'s StringTable>,
        budget: &mut Budget,
    ) -> Result<()> {
        let string = |id: U32, pool: &mut Pool<'s>, budget: &mut Budget| {
            let text = strings.and_then(|strings| strings.get(id.get()));
            text.map_or(Ok(U32::new(NO_STRING)), |text| pool.id(text, budget).map(U32::new))
        };
        let mut entry = *entry;
        entry.name_string_id = string(entry.name_string_id, &mut self.pool, budget)?;
        entry.variant_string_id = string(entry.variant_string_id, &mut self.pool, budget)?;
        let bulk = index.bulk_range(&entry).and_then(|range| index.bulk().get(range));
        match bulk {
            Some(bulk) if entry.flags & FLAG_HAS_BULK != 0 => {
                entry.bulk_first_index = number(self.bulk.len())?;
                extend(&mut self.bulk, bulk.iter().copied(), budget)?;
            }
            Some(_) => (entry.bulk_first_index, entry.bulk_count) = (U32::new(0), U32::new(0)),
            // A range that the table lacks must not become one that it has.
            None => entry.bulk_first_index = U32::new(u32::MAX),
        }
        let needs = index.dependencies().get(index.dependency_range(row)).unwrap_or_default();
        if !needs.is_empty() {
            let owner = DependencyOwner {
                asset_index: number(self.entries.len())?,
                first_dependency: number(self.dependencies.len())?,
                count: number(needs.len())?,
                reserved: U32::new(0),
            };
            extend(&mut self.owners, [owner], budget)?;
        }
        for needs in needs {
            let name_string_id = string(needs.name_string_id, &mut self.pool, budget)?;
            extend(&mut self.dependencies, [Dependency { name_string_id, ..*needs }], budget)?;
        }
        extend(&mut self.entries, [entry], budget)
    }

    /// The blocks of the index and of the string table.
    fn blocks(self, task: &mut Task<'_>) -> Result<(Vec<u8>, Vec<u8>)> {
        let mut header = IndexHeader {
            magic: Chars(index::MAGIC),
            version: U32::new(crate::header::VERSION),
            block_size: U64::new(0),
            entry_count: number(self.entries.len())?,
            bulk_entry_count: number(self.bulk.len())?,
            hash: Hash128::new(0),
            previous_index_offset: U64::new(0),
            previous_index_size: U64::new(0),
            owner_count: number(self.owners.len())?,
            dependency_count: number(self.dependencies.len())?,
            reserved: [0; 24],
        };
        let tables = [
            bytes_of(&self.entries),
            bytes_of(&self.bulk),
            bytes_of(&self.owners),
            bytes_of(&self.dependencies),
        ];
        let len = tables.iter().map(|table| table.len()).fold(0, usize::saturating_add) as u64;
        task.budget.touch(len)?;
        header.block_size = U64::new(index::HEADER_SIZE.saturating_add(len));
        let mut block = task.budget.vec::<u8>(header.block_size.get())?;
        block.extend_from_slice(header.as_bytes());
        tables.iter().for_each(|table| block.extend_from_slice(table));
        header.hash = hash::hash128(block.get(index::HEADER_SIZE as usize..).unwrap_or_default());
        for (place, byte) in block.iter_mut().zip(header.as_bytes()) {
            *place = *byte;
        }
        Ok((block, self.pool.block(task)?))
    }
}

/// The strings, each of them once.
#[derive(Default)]
struct Pool<'s> {
    offsets: Vec<U32>,
    data: Vec<u8>,
    ids: HashMap<&'s [u8], u32>,
}

impl<'s> Pool<'s> {
    /// The id of a string, which is added where it is new.
    fn id(&mut self, text: &'s [u8], budget: &mut Budget) -> Result<u32> {
        /// What a string takes in the map at the most.
        const ROOM: u64 = 64;
        budget.touch(text.len() as u64)?;
        if let Some(id) = self.ids.get(text) {
            return Ok(*id);
        }
        let id = number(self.offsets.len())?;
        budget.memory(ROOM)?;
        extend(&mut self.offsets, [number(self.data.len())?], budget)?;
        budget.memory((text.len() as u64).saturating_add(1))?;
        self.data.extend_from_slice(text);
        self.data.push(0);
        self.ids.insert(text, id.get());
        Ok(id.get())
    }

    fn block(self, task: &mut Task<'_>) -> Result<Vec<u8>> {
        let offsets = bytes_of(&self.offsets);
        let len = offsets.len().saturating_add(self.data.len()) as u64;
        task.budget.touch(len)?;
        let header = StringsHeader {
            magic: Chars(strings::MAGIC),
            version: U32::new(crate::header::VERSION),
            block_size: U64::new(strings::BLOCK_HEADER_SIZE.saturating_add(len)),
            string_count: number(self.offsets.len())?,
            reserved0: U32::new(0),
            hash: hash::hash128(&self.data),
        };
        let mut block = task.budget.vec::<u8>(header.block_size.get())?;
        for part in [header.as_bytes(), offsets, &self.data] {
            block.extend_from_slice(part);
        }
        Ok(block)
    }
}

fn bytes_of<T: IntoBytes + Immutable>(rows: &[T]) -> &[u8] {
    rows.as_bytes()
}

/// Adds rows that are charged.
fn extend<T>(
    rows: &mut Vec<T>,
    more: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    budget: &mut Budget,
) -> Result<()> {
    let more = more.into_iter();
    budget.steps(more.len() as u64)?;
    budget.memory((more.len() as u64).saturating_mul(size_of::<T>() as u64))?;
    rows.extend(more);
    Ok(())
}

/// A count or a position as the format stores it.
fn number(value: usize) -> Result<U32> {
    let number = u32::try_from(value).map_err(|_| {
        Error::new(&codes::INDEX_COUNT).at(Span::new(SPACE, 0, 0)).found(value as u64)
    })?;
    Ok(U32::new(number))
}
