//! The tables of an index that is being written.

use super::asset::StoredChunk;
use crate::{
    codes,
    index::{
        BulkEntry, Dependency, DependencyOwner, FLAG_HAS_BULK, HEADER_SIZE, Index, IndexEntry,
        IndexHeader, MAGIC, MAX_BULK, MAX_DEPENDENCIES, MAX_ENTRIES, MAX_OWNERS,
    },
};
use bytes::Bytes;
use spelunk_core::{
    Budget, Described, Error, Result, Span,
    scalar::{Chars, Hash128, U16, U32, U64, fit},
};
use std::ops::Range;
use twox_hash::XxHash3_128;
use zerocopy::IntoBytes;

/// Rows of a table: those that were made, and runs of those of an index as they lie there.
struct TableRows<T> {
    parts: Vec<RowRun<T>>,
    len: usize,
}

enum RowRun<T> {
    Made(Vec<T>),
    Stored(Bytes),
}

impl<T> Default for TableRows<T> {
    fn default() -> TableRows<T> {
        TableRows { parts: Vec::new(), len: 0 }
    }
}

impl<T: Described + Send + 'static> TableRows<T> {
    /// Adds rows that are charged.
    fn extend(
        &mut self,
        more: impl ExactSizeIterator<Item = T>,
        budget: &mut Budget,
    ) -> Result<()> {
        budget.steps(more.len() as u64)?;
        self.len = self.len.saturating_add(more.len());
        if !matches!(self.parts.last(), Some(RowRun::Made(_))) {
            self.parts.push(RowRun::Made(Vec::new()));
        }
        let Some(RowRun::Made(rows)) = self.parts.last_mut() else { return Ok(()) };
        let (len, room) = (rows.len(), rows.capacity());
        let wanted = len.saturating_add(more.len());
        if wanted > room {
            // Both are there while rows move.
            let size = |rows: usize| (rows as u64).saturating_mul(size_of::<T>() as u64);
            let grown = wanted.max(room.saturating_mul(2));
            budget.memory(size(grown))?;
            rows.reserve_exact(grown.saturating_sub(len));
            budget.release(size(room));
        }
        rows.extend(more);
        Ok(())
    }

    /// Adds rows as they are stored.
    fn extend_stored(&mut self, bytes: Bytes) {
        if !bytes.is_empty() {
            let count = bytes.len().checked_div(size_of::<T>()).unwrap_or_default();
            self.len = self.len.saturating_add(count);
            self.parts.push(RowRun::Stored(bytes));
        }
    }

    /// Whether these are the rows of a table.
    fn are(&self, table: &[T]) -> bool {
        let mut rest = table.as_bytes();
        self.parts.iter().all(|part| {
            let bytes = part.as_bytes();
            let (same, behind) = rest.split_at_checked(bytes.len()).unwrap_or_default();
            rest = behind;
            // Rows that are stored come back from where they were.
            same.len() == bytes.len() && (same.as_ptr() == bytes.as_ptr() || same == bytes)
        }) && rest.is_empty()
    }

    fn into_blocks(self) -> impl Iterator<Item = Bytes> {
        self.parts.into_iter().map(|part| match part {
            RowRun::Made(made) => rows(made),
            RowRun::Stored(bytes) => bytes,
        })
    }
}

impl<T: Described> RowRun<T> {
    fn as_bytes(&self) -> &[u8] {
        match self {
            RowRun::Made(rows) => rows.as_bytes(),
            RowRun::Stored(bytes) => bytes,
        }
    }
}

/// Rows of the four tables, in their order.
#[derive(Default)]
pub(crate) struct IndexTables {
    entries: TableRows<IndexEntry>,
    bulk: TableRows<BulkEntry>,
    owners: TableRows<DependencyOwner>,
    needs: TableRows<Dependency>,
}

/// A block whose hashes are still to be made.
pub(crate) struct IndexBlock {
    header: IndexHeader,
    tables: Vec<Bytes>,
}

impl IndexBlock {
    /// The header with the hash of the tables, and the hash of the whole.
    pub(crate) fn hashed(&self) -> (Bytes, Hash128) {
        let hash = |head: &[u8]| {
            let mut hasher = XxHash3_128::with_seed(0);
            hasher.write(head);
            self.tables.iter().for_each(|table| hasher.write(table));
            Hash128::new(hasher.finish_128())
        };
        let header = IndexHeader { hash: hash(&[]), ..self.header };
        (Bytes::copy_from_slice(header.as_bytes()), hash(header.as_bytes()))
    }

    /// The bytes of the tables, in their order.
    pub(crate) fn tables(&self) -> &[Bytes] {
        &self.tables
    }

    /// Size with the header in bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.header.block_size.get()
    }
}

impl IndexTables {
    /// Number of bulk entries.
    pub(crate) const fn bulk_len(&self) -> usize {
        self.bulk.len
    }

    /// Adds rows of an index as they are stored, with their bulk entries and dependencies. Their bulk entries have to
    /// follow each other, and the first of them has to go where it was.
    ///
    /// # Errors
    /// [`codes::INDEX_COUNT`]; limits.
    pub(crate) fn add_stored(
        &mut self,
        index: &Index,
        rows: Range<usize>,
        budget: &mut Budget,
    ) -> Result<()> {
        let position = self.entries.len;
        count(position.saturating_add(rows.len()), "entry_count", MAX_ENTRIES)?;
        self.entries.extend_stored(index.stored_rows(0, rows.clone()));
        self.bulk.extend_stored(index.stored_rows(1, index.bulk_of(rows.clone())));
        let owners = index.owners();
        let place =
            |row: usize| owners.partition_point(|owner| (owner.asset_index.get() as usize) < row);
        let owners = owners.get(place(rows.start)..place(rows.end)).unwrap_or_default();
        for owner in owners {
            let row = owner.asset_index.get() as usize;
            let asset = position.saturating_add(row.saturating_sub(rows.start));
            let needs = index.dependencies().get(index.dependency_range(row)).unwrap_or_default();
            self.put_needs(asset, owner.reserved, needs.iter().copied(), budget)?;
        }
        Ok(())
    }

    /// Adds an entry with its bulk entries. What it says of them follows from them; where there are none it claims none.
    ///
    /// # Errors
    /// [`codes::INDEX_COUNT`]; limits.
    pub(crate) fn add_entry(
        &mut self,
        mut entry: IndexEntry,
        bulk: impl ExactSizeIterator<Item = BulkEntry>,
        budget: &mut Budget,
    ) -> Result<()> {
        count(self.entries.len.saturating_add(1), "entry_count", MAX_ENTRIES)?;
        if bulk.len() > 0 {
            let end = self.bulk.len.saturating_add(bulk.len());
            count(end, "bulk_entry_count", MAX_BULK)?;
            entry.bulk_first_index = U32::new(count(self.bulk.len, "bulk_first_index", MAX_BULK)?);
            entry.bulk_count = U32::new(count(bulk.len(), "bulk_count", MAX_BULK)?);
            entry.flags |= FLAG_HAS_BULK;
            self.bulk.extend(bulk, budget)?;
        } else if entry.bulk_count.get() != 0 {
            // A count without the flag would be a range of another table than the one that it was in.
            (entry.bulk_first_index, entry.bulk_count) = (U32::new(0), U32::new(0));
        }
        self.entries.extend([entry].into_iter(), budget)
    }

    /// Adds the dependencies of the asset that was added last.
    ///
    /// # Errors
    /// [`codes::INDEX_COUNT`]; limits.
    pub(crate) fn add_needs(
        &mut self,
        reserved: U32,
        rows: impl ExactSizeIterator<Item = Dependency>,
        budget: &mut Budget,
    ) -> Result<()> {
        self.put_needs(self.entries.len.saturating_sub(1), reserved, rows, budget)
    }

    fn put_needs(
        &mut self,
        asset: usize,
        reserved: U32,
        rows: impl ExactSizeIterator<Item = Dependency>,
        budget: &mut Budget,
    ) -> Result<()> {
        let number = |value, most| count(value, "dependency_count", most).map(U32::new);
        let owner = DependencyOwner {
            asset_index: number(asset, MAX_ENTRIES)?,
            first_dependency: number(self.needs.len, MAX_DEPENDENCIES)?,
            count: number(rows.len(), MAX_DEPENDENCIES)?,
            reserved,
        };
        self.needs.extend(rows, budget)?;
        self.owners.extend([owner].into_iter(), budget)
    }

    /// Whether an index has these rows.
    pub(crate) fn are_those_of(&self, index: &Index) -> bool {
        self.entries.are(index.entries())
            && self.bulk.are(index.bulk())
            && self.owners.are(index.owners())
            && self.needs.are(index.dependencies())
    }

    /// The block that they make.
    ///
    /// # Errors
    /// [`codes::INDEX_COUNT`].
    pub(crate) fn block(self, previous: Option<Span>, reserved: [u8; 24]) -> Result<IndexBlock> {
        let previous = previous.unwrap_or(Span::file(0, 0));
        let counts = [
            count(self.entries.len, "entry_count", MAX_ENTRIES)?,
            count(self.bulk.len, "bulk_entry_count", MAX_BULK)?,
            count(self.owners.len, "owner_count", MAX_OWNERS)?,
            count(self.needs.len, "dependency_count", MAX_DEPENDENCIES)?,
        ];
        let [entries, bulk, owners, needs] = counts.map(U32::new);
        let tables = self.entries.into_blocks().chain(self.bulk.into_blocks());
        let tables = tables.chain(self.owners.into_blocks()).chain(self.needs.into_blocks());
        let tables: Vec<Bytes> = tables.collect();
        let sizes = tables.iter().map(|table| table.len() as u64);
        let header = IndexHeader {
            magic: Chars(MAGIC),
            version: U32::new(crate::header::VERSION),
            block_size: U64::new(sizes.fold(HEADER_SIZE, u64::saturating_add)),
            entry_count: entries,
            bulk_entry_count: bulk,
            hash: Hash128::new(0),
            previous_index_offset: U64::new(previous.start),
            previous_index_size: U64::new(previous.len),
            owner_count: owners,
            dependency_count: needs,
            reserved,
        };
        Ok(IndexBlock { header, tables })
    }

    /// The block in the parts that it is stored as, its size, and its hash.
    ///
    /// # Errors
    /// [`codes::INDEX_COUNT`].
    pub(crate) fn blocks(
        self,
        previous: Option<Span>,
        reserved: [u8; 24],
    ) -> Result<(Vec<Bytes>, u64, Hash128)> {
        let mut block = self.block(previous, reserved)?;
        let ((header, hash), size) = (block.hashed(), block.size());
        block.tables.insert(0, header);
        Ok((block.tables, size, hash))
    }
}

impl StoredChunk {
    /// Puts what is known of a chunk into an entry.
    pub(crate) fn put_entry(&self, entry: &mut IndexEntry) {
        let [_, reserved] = entry.level_bytes();
        entry.payload_chunk_offset = U64::new(self.offset);
        entry.payload_chunk_size_compressed = U64::new(self.size);
        entry.payload_chunk_size_uncompressed = U64::new(self.plain);
        entry.compression = self.codec.compression.0;
        entry.level = U16::from_bytes([self.codec.level, reserved]);
        entry.payload_hash = self.hash;
    }

    /// Puts what is known of a chunk into a bulk entry.
    pub(crate) fn put_bulk(&self, entry: &mut BulkEntry) {
        entry.chunk_offset = U64::new(self.offset);
        entry.size_compressed = U64::new(self.size);
        entry.size_uncompressed = U64::new(self.plain);
        entry.compression = self.codec.compression.0;
        entry.level = self.codec.level;
        entry.hash = self.hash;
    }
}

/// A count that the format has room for.
fn count(value: usize, name: &'static str, most: u32) -> Result<u32> {
    let value = fit::<u32>(value as u64, name)?;
    if value <= most {
        return Ok(value);
    }
    let error = Error::new(&codes::INDEX_COUNT).field(name);
    Err(error.expected(format!("at most {most}")).found(value))
}

/// The bytes of rows, without a copy.
fn rows<T: Described + Send + 'static>(rows: Vec<T>) -> Bytes {
    struct OwnedRows<T>(Vec<T>);
    impl<T: Described> AsRef<[u8]> for OwnedRows<T> {
        fn as_ref(&self) -> &[u8] {
            self.0.as_bytes()
        }
    }
    Bytes::from_owner(OwnedRows(rows))
}
