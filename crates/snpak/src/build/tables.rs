//! The tables of an index that is being written.

use super::asset::Kept;
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
use twox_hash::XxHash3_128;
use zerocopy::IntoBytes;

/// Rows of the four tables, in their order.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) entries: Vec<IndexEntry>,
    pub(crate) bulk: Vec<BulkEntry>,
    pub(crate) owners: Vec<DependencyOwner>,
    pub(crate) needs: Vec<Dependency>,
}

impl Tables {
    /// Adds an entry with its bulk entries. What it says of them follows from them, where there are any.
    ///
    /// # Errors
    /// [`codes::INDEX_COUNT`]; limits.
    pub(crate) fn add_entry(
        &mut self,
        mut entry: IndexEntry,
        bulk: impl ExactSizeIterator<Item = BulkEntry>,
        budget: &mut Budget,
    ) -> Result<()> {
        count(self.entries.len().saturating_add(1), "entry_count", MAX_ENTRIES)?;
        if bulk.len() > 0 {
            let end = self.bulk.len().saturating_add(bulk.len());
            count(end, "bulk_entry_count", MAX_BULK)?;
            entry.bulk_first_index =
                U32::new(count(self.bulk.len(), "bulk_first_index", MAX_BULK)?);
            entry.bulk_count = U32::new(count(bulk.len(), "bulk_count", MAX_BULK)?);
            entry.flags |= FLAG_HAS_BULK;
            extend(&mut self.bulk, bulk, budget)?;
        }
        extend(&mut self.entries, [entry].into_iter(), budget)
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
        let asset = self.entries.len().saturating_sub(1);
        let number = |value, most| count(value, "dependency_count", most).map(U32::new);
        let owner = DependencyOwner {
            asset_index: number(asset, MAX_ENTRIES)?,
            first_dependency: number(self.needs.len(), MAX_DEPENDENCIES)?,
            count: number(rows.len(), MAX_DEPENDENCIES)?,
            reserved,
        };
        extend(&mut self.needs, rows, budget)?;
        extend(&mut self.owners, [owner].into_iter(), budget)
    }

    /// Whether an index has these rows.
    pub(crate) fn are_those_of(&self, index: &Index) -> bool {
        self.entries.as_bytes() == index.entries().as_bytes()
            && self.bulk.as_bytes() == index.bulk().as_bytes()
            && self.owners.as_bytes() == index.owners().as_bytes()
            && self.needs.as_bytes() == index.dependencies().as_bytes()
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
        let previous = previous.unwrap_or(Span::file(0, 0));
        let counts = [
            count(self.entries.len(), "entry_count", MAX_ENTRIES)?,
            count(self.bulk.len(), "bulk_entry_count", MAX_BULK)?,
            count(self.owners.len(), "owner_count", MAX_OWNERS)?,
            count(self.needs.len(), "dependency_count", MAX_DEPENDENCIES)?,
        ];
        let [entries, bulk, owners, needs] = counts.map(U32::new);
        let mut blocks =
            vec![rows(self.entries), rows(self.bulk), rows(self.owners), rows(self.needs)];
        let size =
            blocks.iter().map(|block| block.len() as u64).fold(HEADER_SIZE, u64::saturating_add);
        let hash = |blocks: &[Bytes]| {
            let mut hasher = XxHash3_128::with_seed(0);
            blocks.iter().for_each(|block| hasher.write(block));
            Hash128::new(hasher.finish_128())
        };
        let header = IndexHeader {
            magic: Chars(MAGIC),
            version: U32::new(crate::header::VERSION),
            block_size: U64::new(size),
            entry_count: entries,
            bulk_entry_count: bulk,
            hash: hash(&blocks),
            previous_index_offset: U64::new(previous.start),
            previous_index_size: U64::new(previous.len),
            owner_count: owners,
            dependency_count: needs,
            reserved,
        };
        blocks.insert(0, Bytes::copy_from_slice(header.as_bytes()));
        let hash = hash(&blocks);
        Ok((blocks, size, hash))
    }
}

impl Kept {
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

/// Adds rows that are charged.
fn extend<T>(
    rows: &mut Vec<T>,
    more: impl ExactSizeIterator<Item = T>,
    budget: &mut Budget,
) -> Result<()> {
    budget.steps(more.len() as u64)?;
    budget.memory((more.len() as u64).saturating_mul(size_of::<T>() as u64))?;
    rows.extend(more);
    Ok(())
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
    struct Rows<T>(Vec<T>);
    impl<T: Described> AsRef<[u8]> for Rows<T> {
        fn as_ref(&self) -> &[u8] {
            self.0.as_bytes()
        }
    }
    Bytes::from_owner(Rows(rows))
}
