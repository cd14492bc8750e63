//! Layout of blocks: chunks, strings and index of a pack or of what is appended to one.

use super::{
    asset::{Asset, Bulk, Need, StoredChunk},
    pool::Pool,
    tables::{IndexBlock, IndexTables},
};
use crate::{
    codes, hash,
    index::{BulkEntry, Dependency, HEADER_SIZE as INDEX_HEADER, IndexEntry},
    pack::{Pack, bulk_range_error},
    strings::NO_STRING,
};
use bytes::Bytes;
use spelunk_core::{
    Budget, Error, Result, Span, Task,
    scalar::{Hash128, U16, U32, U64, Word64},
};
use std::{collections::VecDeque, num::NonZeroUsize, ops::Range, thread};

/// Readers that are to open what is written (`docs/formats/snpak.md`, section 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Target {
    /// Readers of the current generation. Without dependencies all older ones open it too.
    #[default]
    V5,
    /// Readers from the second generation on: dependencies are left out.
    V4,
    /// All readers: dependencies are left out, ids 3 and 4 are stored as 1 and 2, which have the same decoders, and level bytes
    /// as 0. Appended to a pack, what is there stays as it is stored. Bulk payloads whose sub-index is not their position are
    /// reported: the first readers do not load them.
    Compat,
}

/// Options for writing packs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Readers that are to open the pack.
    pub target: Target,
    /// Number of threads that pack payloads; by default as many as [`Task::threads`] says. The bytes are the same for any number.
    pub threads: Option<NonZeroUsize>,
    /// Bytes that a chunk that is written has at the most, stored or plain: `kMaxBlockSize`, which was 1,000,000,000 at first; by
    /// default [`MAX_SIZE`](crate::chunk::MAX_SIZE), and never more. Chunks that stay where they are do not count.
    pub block_limit: Option<u64>,
}

impl Options {
    /// Returns the bytes that a chunk has at the most.
    pub(crate) fn most(&self) -> u64 {
        self.block_limit.map_or(crate::chunk::MAX_SIZE, |most| most.min(crate::chunk::MAX_SIZE))
    }
}

/// Parts of a pack that one written from it lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dropped {
    /// Older indexes.
    pub generations: u64,
    /// Strings that nothing uses.
    pub strings: u64,
    /// Bulk entries that no asset has.
    pub bulk: u64,
    /// Whether the header named a type table.
    pub type_table: bool,
    /// Dependencies that the wanted readers cannot hold.
    pub dependencies: u64,
}

/// An asset of a state that is being written.
#[derive(Debug)]
pub(crate) enum Row {
    /// The one at this position of the base, as it is.
    Kept(u32),
    /// Another one.
    Asset(Box<Asset>),
}

/// A medium on which blocks are put, one behind the other.
pub(crate) trait BlockMedium {
    fn put(&mut self, bytes: Bytes) -> Result<()>;

    /// Leaves room for so many bytes, which [`BlockMedium::fill`] puts later; `false` where all have to come in order.
    fn leave(&mut self, len: u64) -> Result<bool> {
        let _ = len;
        Ok(false)
    }

    /// Puts the bytes for which room was left at this offset.
    fn fill(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        let (_, _) = (at, bytes);
        Ok(())
    }

    /// Whether the bytes stay in memory.
    fn keeps(&self) -> bool {
        false
    }
}

/// Places and hash of what was laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laid {
    /// The string table; `None` where the old one goes on to be used.
    pub(crate) strings: Option<Span>,
    pub(crate) index: Span,
    pub(crate) index_hash: Hash128,
    pub(crate) strings_left: u64,
    pub(crate) dependencies_left: u64,
}

/// The work of laying out one state.
pub(crate) struct Lay<'l, 't, 's> {
    /// The pack whose rows and chunks are kept.
    pub(crate) base: Option<&'l Pack>,
    /// Whether its bytes stay where they are; chunks are copied otherwise.
    pub(crate) stays: bool,
    /// Whether the string table of the base is the one that its header names.
    pub(crate) strings: bool,
    pub(crate) previous: Option<Span>,
    pub(crate) reserved: [u8; 24],
    pub(crate) options: Options,
    pub(crate) out: &'l mut dyn BlockMedium,
    pub(crate) at: u64,
    pub(crate) task: &'t mut Task<'s>,
}

impl Lay<'_, '_, '_> {
    /// Puts everything where it belongs; `None` where the base stays and is all that there is, and nothing was put then.
    /// New payloads are taken out of the rows.
    ///
    /// # Errors
    /// What a pack cannot hold; what is damaged of what is kept; limits; reading and writing errors.
    pub(crate) fn lay(mut self, rows: &mut [Row]) -> Result<Option<Laid>> {
        let start = self.at;
        for row in rows.iter() {
            if let Row::Asset(asset) = row {
                asset.check()?;
            }
        }
        let mut strings_of = Strings { base: self.base, stays: self.stays, pool: None };
        let mut ids = self.strings(rows, &mut strings_of)?;
        // An empty index behind a table of its own would be what a delta append of nothing leaves.
        let other = self.stays && !self.strings && !rows.is_empty();
        let mut pool = match strings_of.pool {
            None if self.stays && !other => None,
            None => Some(strings_of.make(&mut self.task.budget)?),
            pool => pool,
        };
        let used = pool.as_ref().map_or(0, |pool| pool.len() as u64);
        let known = self.base.map_or(0, |base| u64::from(base.strings().count()));
        let mut strings = None;
        if let Some(pool) = pool.take_if(|_| !self.stays) {
            strings = Some(self.put_all(pool.blocks()?)?);
        }
        let mut placed = self.chunks(rows)?;
        if let Some(pool) = pool.filter(|pool| pool.has_grown() || other) {
            strings = Some(self.put_all(pool.blocks()?)?);
        }
        let (tables, dependencies_left) = self.tables(rows, &mut ids, &mut placed)?;
        if self.at == start && self.is_active(&tables) {
            return Ok(None);
        }
        let (index, index_hash) = self.put_index(&tables.block(self.previous, self.reserved)?)?;
        let strings_left = if self.stays { 0 } else { known.saturating_sub(used) };
        Ok(Some(Laid { strings, index, index_hash, strings_left, dependencies_left }))
    }

    /// Whether these are the tables of the base, which stays.
    fn is_active(&self, tables: &IndexTables) -> bool {
        let base = self.base.filter(|base| self.stays && base.view().is_none());
        base.is_some_and(|base| tables.are_those_of(base.index()))
    }

    /// Puts the index. Where its header may come last, the tables are hashed on another thread while they are written.
    fn put_index(&mut self, block: &IndexBlock) -> Result<(Span, Hash128)> {
        let start = self.at;
        let at = Span::file(start, block.size());
        if self.task.thread_count() == 1 || !self.out.leave(INDEX_HEADER)? {
            let (header, hash) = block.hashed();
            self.put_all(std::iter::once(header).chain(block.tables().iter().cloned()))?;
            return Ok((at, hash));
        }
        let (header, hash) = thread::scope(|scope| {
            let hashing = scope.spawn(|| block.hashed());
            let put = block.tables().iter().try_for_each(|table| self.out.put(table.clone()));
            let hashed = hashing.join().unwrap_or_else(|_| block.hashed());
            put.map(|()| hashed)
        })?;
        self.out.fill(start, &header)?;
        self.at = at.end();
        Ok((at, hash))
    }

    pub(super) fn put_all(&mut self, blocks: impl IntoIterator<Item = Bytes>) -> Result<Span> {
        let start = self.at;
        for block in blocks {
            self.at = self.at.saturating_add(block.len() as u64);
            self.out.put(block)?;
        }
        Ok(Span::file(start, self.at.saturating_sub(start)))
    }

    /// The ids of all strings in the order in which the tables ask for them. Those of rows that stay are not asked for.
    fn strings(&mut self, rows: &[Row], pool: &mut Strings<'_>) -> Result<VecDeque<u32>> {
        let mut ids = Vec::new();
        let with_needs = self.has_needs();
        let known = self.base.map_or(0, |base| base.strings().count());
        let known = if self.stays { 0 } else { known };
        let budget = &mut self.task.budget;
        let mut moved = budget.vec::<u32>(known.into())?;
        moved.resize(known as usize, NO_STRING);
        for row in rows {
            budget.steps(1)?;
            match (row, self.base) {
                (Row::Asset(asset), _) => {
                    let old = asset.extra.row.and_then(|row| self.base?.entry(row as usize));
                    let [name, variant] = [
                        old.map(|entry| entry.name_string_id.get()),
                        old.map(|entry| entry.variant_string_id.get()),
                    ];
                    budget.room(&mut ids, asset.dependencies.len().saturating_add(2))?;
                    ids.push(pool.id(&asset.name, name, budget)?);
                    if let Some(own) = asset.stored_variant() {
                        ids.push(pool.id(own, variant, budget)?);
                    }
                    let needs = asset.dependencies.iter().filter(|_| with_needs);
                    for name in needs.filter_map(|need| need.name.as_deref()) {
                        ids.push(pool.id(name, None, budget)?);
                    }
                }
                (Row::Kept(row), Some(base)) if !self.stays => {
                    let row = *row as usize;
                    let entry = kept_entry(base, row)?;
                    let names = [entry.name_string_id.get(), entry.variant_string_id.get()];
                    let needs = base.dependencies(row).iter().filter(|_| with_needs);
                    for old in names.into_iter().chain(needs.map(|need| need.name_string_id.get()))
                    {
                        budget.steps(1)?;
                        let id = match moved.get(old as usize).copied() {
                            Some(id) if id != NO_STRING => id,
                            _ => match base.strings().get(old) {
                                Some(string) => pool.id(string, None, budget)?,
                                None => NO_STRING,
                            },
                        };
                        if let Some(moved) = moved.get_mut(old as usize) {
                            *moved = id;
                        }
                        budget.room(&mut ids, 1)?;
                        ids.push(id);
                    }
                }
                (Row::Kept(_), _) => {}
            }
        }
        Ok(ids.into())
    }

    fn has_needs(&self) -> bool {
        self.options.target == Target::V5
    }

    /// The tables, and how many dependencies they lack.
    fn tables(
        &mut self,
        rows: &[Row],
        ids: &mut VecDeque<u32>,
        placed: &mut VecDeque<StoredChunk>,
    ) -> Result<(IndexTables, u64)> {
        let mut tables = IndexTables::default();
        let mut left = 0_u64;
        let mut odd = 0_u64;
        let mut rest = rows;
        while !rest.is_empty() {
            let (run, behind) = rest.split_at_checked(run(rest)).unwrap_or_default();
            rest = behind;
            if let Some((base, run)) = self.base.zip(self.stored(run, &tables)) {
                tables.add_stored(base.index(), run, &mut self.task.budget)?;
                continue;
            }
            for row in run {
                self.task.budget.steps(1)?;
                let without = match (row, self.base) {
                    (Row::Asset(asset), _) => {
                        let count = asset.bulk.len();
                        let subs = asset.bulk.iter().map(|bulk| bulk.sub_index);
                        odd = odd.saturating_add(u64::from(!subs.eq(in_order(count))));
                        self.asset_rows(asset, ids, placed, &mut tables)?
                    }
                    (Row::Kept(row), Some(base)) => {
                        let row = *row as usize;
                        let bulk = base.entry(row).map(|entry| base.bulk(entry));
                        let bulk = bulk.unwrap_or_default();
                        let subs = bulk.iter().map(|bulk| bulk.sub_index.get());
                        odd = odd.saturating_add(u64::from(!subs.eq(in_order(bulk.len()))));
                        self.kept_rows(base, row, ids, placed, &mut tables)?
                    }
                    (Row::Kept(_), None) => 0,
                };
                left = left.saturating_add(without);
            }
        }
        if left > 0 {
            let found = format!("{left} dependencies");
            self.task.warn(Error::new(&codes::NEEDS_LEFT_OUT).found(found))?;
        }
        if odd > 0 && self.options.target == Target::Compat {
            let found = format!("bulk payloads of {odd} assets");
            self.task.warn(Error::new(&codes::SUB_INDEX_FOR_SEED).found(found))?;
        }
        Ok((tables, left))
    }

    /// The rows of the base that a run is, where they can go into the tables as they are stored.
    fn stored(&self, run: &[Row], tables: &IndexTables) -> Option<Range<usize>> {
        let base = self.base.filter(|_| self.stays && self.has_needs())?;
        let Some(Row::Kept(first)) = run.first() else { return None };
        let rows = *first as usize..(*first as usize).saturating_add(run.len());
        let bulk = base.is_regular().then(|| base.index().bulk_of(rows.clone()))?;
        (bulk.is_empty() || bulk.start == tables.bulk_len()).then_some(rows)
    }

    fn asset_rows(
        &mut self,
        asset: &Asset,
        ids: &mut VecDeque<u32>,
        placed: &mut VecDeque<StoredChunk>,
        tables: &mut IndexTables,
    ) -> Result<u64> {
        let mut id = || ids.pop_front().unwrap_or(NO_STRING);
        let variant = asset.stored_variant();
        let compat = self.options.target == Target::Compat && !self.stays;
        let level = if compat { 0 } else { asset.extra.level };
        let mut entry = IndexEntry {
            asset_id: asset.id,
            asset_kind: asset.kind,
            cooked_payload_type: asset.payload_type,
            cooked_schema_version: U32::new(asset.schema_version),
            name_string_id: U32::new(id()),
            name_hash64: Word64::new(hash::hash64(&asset.name)),
            variant_string_id: U32::new(variant.map_or(NO_STRING, |_| id())),
            variant_hash64: Word64::new(variant.map_or(0, hash::hash64)),
            payload_chunk_offset: U64::new(0),
            payload_chunk_size_compressed: U64::new(0),
            payload_chunk_size_uncompressed: U64::new(0),
            compression: 0,
            flags: asset.extra.flags,
            level: U16::from_bytes([0, level]),
            bulk_first_index: U32::new(0),
            bulk_count: U32::new(0),
            payload_hash: Hash128::new(0),
        };
        if let Some(main) = placed.pop_front() {
            main.put_entry(&mut entry);
        }
        let bulk = asset.bulk.iter().map(|bulk| {
            let mut row = bulk.row();
            if let Some(chunk) = placed.pop_front() {
                chunk.put_bulk(&mut row);
            }
            row
        });
        tables.add_entry(entry, bulk, &mut self.task.budget)?;
        let needs = &asset.dependencies;
        if !self.has_needs() {
            return Ok(needs.len() as u64);
        }
        if !needs.is_empty() {
            let rows =
                needs.iter().map(|need| need.row(need.name.as_ref().map_or(NO_STRING, |_| id())));
            tables.add_needs(asset.extra.owner, rows, &mut self.task.budget)?;
        }
        Ok(0)
    }

    fn kept_rows(
        &mut self,
        base: &Pack,
        row: usize,
        ids: &mut VecDeque<u32>,
        placed: &mut VecDeque<StoredChunk>,
        tables: &mut IndexTables,
    ) -> Result<u64> {
        let mut entry = *kept_entry(base, row)?;
        let moves = !self.stays;
        let known = base.strings().count();
        // An id that leads to no string is not to lead to one that is new.
        let mut id = |old: u32| match moves {
            true => ids.pop_front().unwrap_or(NO_STRING),
            false if old < known => old,
            false => NO_STRING,
        };
        entry.name_string_id = U32::new(id(entry.name_string_id.get()));
        entry.variant_string_id = U32::new(id(entry.variant_string_id.get()));
        let mut next = || if moves { placed.pop_front() } else { None };
        if let Some(main) = next() {
            main.put_entry(&mut entry);
        }
        let bulk = base.bulk(kept_entry(base, row)?).iter().map(|bulk| {
            let mut bulk = *bulk;
            if let Some(chunk) = next() {
                chunk.put_bulk(&mut bulk);
            }
            bulk
        });
        if self.options.target == Target::Compat && !self.stays {
            entry.level = U16::new(u16::from(entry.level_bytes()[0]));
        }
        tables.add_entry(entry, bulk, &mut self.task.budget)?;
        let needs = base.dependencies(row);
        if !self.has_needs() {
            return Ok(needs.len() as u64);
        }
        if let Some(owner) = base.index().owner(row) {
            let rows = needs.iter().map(|need| {
                let name_string_id = U32::new(id(need.name_string_id.get()));
                Dependency { name_string_id, ..*need }
            });
            tables.add_needs(owner.reserved, rows, &mut self.task.budget)?;
        }
        Ok(0)
    }
}

/// Returns the number of rows, from the first on, that are one asset, or some that follow each other in the base.
fn run(rows: &[Row]) -> usize {
    let Some(Row::Kept(first)) = rows.first() else { return 1 };
    let follows = |(row, next): &(u32, &Row)| matches!(next, Row::Kept(kept) if kept == row);
    (*first..).zip(rows).take_while(follows).count()
}

/// The sub-indexes that bulk payloads have by their positions.
fn in_order(count: usize) -> impl Iterator<Item = u32> {
    (0_u32..).take(count)
}

/// Source of the ids of strings.
struct Strings<'b> {
    base: Option<&'b Pack>,
    stays: bool,
    /// Made when a string is looked for that the base does not have where it was.
    pool: Option<Pool>,
}

impl Strings<'_> {
    /// The id of a string, which may be the `old` one of the base that stays.
    fn id(&mut self, string: &[u8], old: Option<u32>, budget: &mut Budget) -> Result<u32> {
        let base = self.base.filter(|_| self.stays);
        if let Some((base, old)) = base.zip(old)
            && base.strings().get(old) == Some(string)
        {
            budget.touch(string.len() as u64)?;
            return Ok(old);
        }
        let pool = match self.pool.take() {
            Some(pool) => pool,
            None => self.make(budget)?,
        };
        self.pool.insert(pool).intern(string, budget)
    }

    fn make(&self, budget: &mut Budget) -> Result<Pool> {
        match self.base {
            Some(base) if self.stays => Pool::continuing(base.strings(), budget),
            Some(base) => Ok(Pool::like(base.strings())),
            None => Ok(Pool::default()),
        }
    }
}

/// The entry of a row that is kept.
///
/// # Errors
/// [`codes::BULK_RANGE`] where its bulk entries are not in the table.
fn kept_entry(base: &Pack, row: usize) -> Result<&IndexEntry> {
    let entry = base.entry(row).ok_or_else(crate::pack::not_found)?;
    match base.index().bulk_range(entry) {
        Some(_) => Ok(entry),
        None => {
            Err(bulk_range_error(base.index(), entry, row).unwrap_or_else(crate::pack::not_found))
        }
    }
}

impl Bulk {
    /// Returns the row of the bulk payload, without the fields that follow from its chunk.
    fn row(&self) -> BulkEntry {
        BulkEntry {
            semantic: U32::new(self.semantic),
            sub_index: U32::new(self.sub_index),
            chunk_offset: U64::new(0),
            size_compressed: U64::new(0),
            size_uncompressed: U64::new(0),
            compression: 0,
            level: 0,
            reserved0: self.reserved,
            hash: Hash128::new(0),
        }
    }
}

impl Need {
    fn row(&self, name: u32) -> Dependency {
        Dependency {
            asset_id: self.asset_id,
            name_string_id: U32::new(name),
            kind: self.kind,
            reserved: self.reserved,
        }
    }
}
