//! The index: its header and four tables back to back (entries, bulk entries, dependency owners,
//! dependencies).

pub use crate::limits::{MAX_BULK, MAX_DEPENDENCIES, MAX_ENTRIES, MAX_OWNERS};
use crate::{codes, hash, limits::FormatLimits};
use bytes::Bytes;
use spelunk_core::{
    Described, Error, Result, Seg, Source, Span, Task, cursor::Cursor, record, scalar::Hash128,
};
use std::ops::Range;
use zerocopy::FromBytes;

/// The first four bytes of an index.
pub const MAGIC: [u8; 4] = *b"INDX";
/// Size of the index header in bytes.
pub const HEADER_SIZE: u64 = size_of::<IndexHeader>() as u64;
/// Entry flag: the asset has bulk entries.
pub const FLAG_HAS_BULK: u8 = 1;
/// The highest kind of a dependency.
pub const MAX_DEPENDENCY_KIND: u8 = 2;

record! {
    /// The header of an index.
    pub struct IndexHeader: "index_header", "docs/formats/snpak.md#41-index-header", 88 {
        /// Always `INDX`.
        magic: Text<4>,
        /// 1.
        version: U32,
        /// Size of the whole block: this header and the four tables.
        block_size: U64 { unit: "bytes" },
        /// Number of asset entries, those that a later one hides included.
        entry_count: U32,
        /// Number of bulk entries.
        bulk_entry_count: U32,
        /// XXH3-128 of the four tables.
        hash: Hash128,
        /// Start of the next older index; 0 in the oldest.
        previous_index_offset: U64 { unit: "bytes" },
        /// Size of the next older index; 0 in the oldest.
        previous_index_size: U64 { unit: "bytes" },
        /// Number of assets that have dependencies; 0 in the older generations.
        owner_count: U32,
        /// Number of dependencies; 0 in the older generations.
        dependency_count: U32,
        /// Zeros.
        reserved: Raw<24>,
    }
}

record! {
    /// An asset of an index.
    pub struct IndexEntry: "index_entry", "docs/formats/snpak.md#42-index-entry", 128 {
        /// The asset's key. Several entries may have it; the last one counts.
        asset_id: Uuid,
        /// Id of the loader that the asset is for.
        asset_kind: Uuid,
        /// Type of the main payload.
        cooked_payload_type: Uuid,
        /// Version of the payload's own format.
        cooked_schema_version: U32,
        /// Name, as a string id.
        name_string_id: U32,
        /// XXH3-64 of the name.
        name_hash64: Word64,
        /// Variant, as a string id; 0xFFFFFFFF where there is none.
        variant_string_id: U32,
        /// XXH3-64 of the variant; 0 without one.
        variant_hash64: Word64,
        /// Start of the main chunk.
        payload_chunk_offset: U64 { unit: "bytes" },
        /// Stored size of the main chunk, with its 80-byte header.
        payload_chunk_size_compressed: U64 { unit: "bytes" },
        /// Plain size of the payload.
        payload_chunk_size_uncompressed: U64 { unit: "bytes" },
        /// Compression of the payload.
        compression: U8 { values: crate::compression::VALUES },
        /// 0x01: the asset has bulk entries.
        flags: U8 { bits: &[(FLAG_HAS_BULK as u32, "has-bulk")] },
        /// The level at which the payload was packed.
        level: U16 { values: crate::compression::LEVELS, parts: crate::compression::LEVEL },
        /// The asset's first bulk entry.
        bulk_first_index: U32,
        /// Number of its bulk entries.
        bulk_count: U32,
        /// XXH3-128 of the plain payload.
        payload_hash: Hash128,
    }
}

record! {
    /// A bulk chunk of an index.
    pub struct BulkEntry: "bulk_entry", "docs/formats/snpak.md#43-bulk-entry", 56 {
        /// Purpose of the chunk; 0x10000 and above are custom.
        semantic: U32 { values: &[(0, "unknown"), (1, "level"), (2, "auxiliary")] },
        /// Level or number within the semantic; level 0 is the finest.
        sub_index: U32,
        /// Start of the chunk.
        chunk_offset: U64 { unit: "bytes" },
        /// Stored size of the chunk, with its 80-byte header.
        size_compressed: U64 { unit: "bytes" },
        /// Plain size of its payload.
        size_uncompressed: U64 { unit: "bytes" },
        /// Compression of the payload.
        compression: U8 { values: crate::compression::VALUES },
        /// The level at which the payload was packed.
        level: U8 { values: crate::compression::LEVELS },
        /// Zeros.
        reserved0: Raw<6>,
        /// XXH3-128 of the plain payload.
        hash: Hash128,
    }
}

record! {
    /// The dependencies of one asset, as a range of the dependency table.
    pub struct DependencyOwner: "dependency_owner", "docs/formats/snpak.md#44-dependencies", 16 {
        /// Position of the asset's index entry.
        asset_index: U32,
        /// Position of its first dependency.
        first_dependency: U32,
        /// Number of its dependencies.
        count: U32,
        /// Zero.
        reserved: U32,
    }
}

record! {
    /// An asset that another one needs.
    pub struct Dependency: "dependency", "docs/formats/snpak.md#44-dependencies", 24 {
        /// The asset that is needed; it may be in another pack.
        asset_id: Uuid,
        /// Name of the asset as a string id, or 0xFFFFFFFF.
        name_string_id: U32,
        /// Strength of the need.
        kind: U8 { values: &[(0, "required"), (1, "optional"), (2, "auxiliary")] },
        /// Zeros.
        reserved: Raw<3>,
    }
}

impl IndexEntry {
    /// The level byte, and the reserved one behind it.
    pub const fn level_bytes(&self) -> [u8; 2] {
        self.level.get().to_le_bytes()
    }
}

impl Dependency {
    /// Returns the strength of the need, as a word.
    pub const fn kind_name(&self) -> Option<&'static str> {
        match self.kind {
            0 => Some("required"),
            1 => Some("optional"),
            2 => Some("auxiliary"),
            _ => None,
        }
    }
}

impl IndexHeader {
    /// Reads the header of the index that lies at `at` and checks that its counts add up to the size.
    ///
    /// # Errors
    /// [`codes::INDEX_MAGIC`], [`codes::INDEX_VERSION`], [`codes::INDEX_SIZE`], [`codes::INDEX_COUNT`].
    pub fn read(bytes: &[u8], at: Span) -> Result<IndexHeader> {
        IndexHeader::read_within(bytes, at, &FormatLimits::CURRENT)
    }

    /// [`IndexHeader::read`] with other limits than the usual ones.
    ///
    /// # Errors
    /// Those of [`IndexHeader::read`].
    pub fn read_within(bytes: &[u8], at: Span, limits: &FormatLimits) -> Result<IndexHeader> {
        let header: IndexHeader = *Cursor::new(bytes, at.space, at.start).record()?;
        if header.magic.0 != MAGIC {
            return Err(Error::new(&codes::INDEX_MAGIC)
                .at(at.part(0, 4))
                .field("magic")
                .expected("\"INDX\"")
                .found(format!("\"{}\"", header.magic.0.escape_ascii())));
        }
        if header.version.get() != crate::header::VERSION {
            return Err(Error::new(&codes::INDEX_VERSION)
                .at(at.part(4, 4))
                .field("version")
                .expected(crate::header::VERSION)
                .found(header.version.get()));
        }
        for (place, name, count, most) in [
            (16, "entry_count", header.entry_count, limits.entry_count),
            (20, "bulk_entry_count", header.bulk_entry_count, limits.bulk_entry_count),
            (56, "owner_count", header.owner_count, limits.owner_count),
            (60, "dependency_count", header.dependency_count, limits.dependency_count),
        ] {
            if count.get() > most {
                return Err(Error::new(&codes::INDEX_COUNT)
                    .at(at.part(place, 4))
                    .field(name)
                    .expected(format!("at most {most}"))
                    .found(count.get()));
            }
        }
        let [.., (_, end)] = header.tables();
        for found in [header.block_size.get(), end] {
            if found != at.len {
                return Err(size_error(at, at.len, found));
            }
        }
        Ok(header)
    }

    /// Start and end of the four tables, counted from the start of the index.
    pub const fn tables(&self) -> [(u64, u64); 4] {
        // The counts are 32-bit numbers, so nothing here can pass 64 bits.
        let entries = HEADER_SIZE.saturating_add(size::<IndexEntry>(self.entry_count.get()));
        let bulk = entries.saturating_add(size::<BulkEntry>(self.bulk_entry_count.get()));
        let owners = bulk.saturating_add(size::<DependencyOwner>(self.owner_count.get()));
        let dependencies = owners.saturating_add(size::<Dependency>(self.dependency_count.get()));
        [(HEADER_SIZE, entries), (entries, bulk), (bulk, owners), (owners, dependencies)]
    }

    /// The older index that this one names, if it names one.
    pub fn previous(&self) -> Option<Span> {
        let at = Span::file(self.previous_index_offset.get(), self.previous_index_size.get());
        (at.start != 0 || at.len != 0).then_some(at)
    }
}

const fn size<T>(count: u32) -> u64 {
    (count as u64).saturating_mul(size_of::<T>() as u64)
}

#[cold]
pub(crate) fn size_error(at: Span, expected: u64, found: u64) -> Error {
    Error::new(&codes::INDEX_SIZE)
        .at(at.part(8, 8.min(at.len)))
        .field("block_size")
        .expected(format!("{expected} bytes"))
        .found(format!("{found} bytes"))
}

/// An index as it lies in the file. Entries are views of its bytes.
#[derive(Clone, Debug)]
pub struct Index {
    at: Span,
    header: IndexHeader,
    bytes: Bytes,
    /// Positions of the owners in the order of their assets; empty where they are stored so.
    owner_order: Vec<u32>,
}

impl Index {
    /// Reads the index that lies at `at` and checks all but its hashes; names of dependencies are
    /// checked against a table of `strings` strings.
    ///
    /// # Errors
    /// Those of [`IndexHeader::read`], [`codes::OWNER`], [`codes::DEPENDENCY`]; reading errors.
    pub fn read(
        source: &dyn Source,
        at: Span,
        strings: Option<u32>,
        task: &mut Task<'_>,
    ) -> Result<Index> {
        Index::read_within(source, at, strings, &FormatLimits::CURRENT, task)
    }

    /// [`Index::read`] with other limits than the usual ones.
    ///
    /// # Errors
    /// Those of [`Index::read`].
    pub fn read_within(
        source: &dyn Source,
        at: Span,
        strings: Option<u32>,
        limits: &FormatLimits,
        task: &mut Task<'_>,
    ) -> Result<Index> {
        if at.len < HEADER_SIZE {
            return Err(size_error(at, HEADER_SIZE, at.len));
        }
        let bytes = source.read(at.start..at.end(), &mut task.budget)?;
        let header = IndexHeader::read_within(&bytes, at, limits)?;
        let mut index = Index { at, header, bytes, owner_order: Vec::new() };
        index.check_owners(task)?;
        index.check_dependencies(strings, task)?;
        Ok(index)
    }

    fn check_owners(&mut self, task: &mut Task<'_>) -> Result<()> {
        let owners = self.owners();
        task.budget.steps(owners.len() as u64)?;
        for (position, owner) in owners.iter().enumerate() {
            let error =
                || Error::new(&codes::OWNER).at(self.place(2, position)).item("owners", position);
            let end =
                u64::from(owner.first_dependency.get()).saturating_add(owner.count.get().into());
            let known = self.dependencies().len();
            if end > known as u64 {
                return Err(error()
                    .expected(format!("a range of the {known} dependencies"))
                    .found(format!(
                        "{} from {}",
                        owner.count.get(),
                        owner.first_dependency.get()
                    )));
            }
            if owner.asset_index.get() >= self.header.entry_count.get() {
                return Err(error()
                    .expected(format!("one of the {} assets", self.header.entry_count.get()))
                    .found(owner.asset_index.get()));
            }
        }
        let asset = |position: u32| {
            let owner = usize::try_from(position).ok().and_then(|position| owners.get(position));
            owner.map(|owner| owner.asset_index.get())
        };
        if owners.is_sorted_by(|a, b| a.asset_index.get() < b.asset_index.get()) {
            return Ok(());
        }
        let mut order = task.budget.vec::<u32>(owners.len() as u64)?;
        order.extend(0..self.header.owner_count.get());
        order.sort_unstable_by_key(|position| (asset(*position), *position));
        let repeat = order.windows(2).find_map(|pair| match pair {
            [a, b] if asset(*a) == asset(*b) => Some(*b as usize),
            _ => None,
        });
        if let Some(position) = repeat {
            return Err(Error::new(&codes::OWNER)
                .at(self.place(2, position))
                .item("owners", position)
                .expected("one owner for each asset")
                .found("a second one"));
        }
        self.owner_order = order;
        Ok(())
    }

    fn check_dependencies(&self, strings: Option<u32>, task: &mut Task<'_>) -> Result<()> {
        let dependencies = self.dependencies();
        task.budget.steps(dependencies.len() as u64)?;
        for (position, dependency) in dependencies.iter().enumerate() {
            let error = || {
                Error::new(&codes::DEPENDENCY)
                    .at(self.place(3, position))
                    .item("dependencies", position)
            };
            let name = dependency.name_string_id.get();
            if strings.is_some_and(|count| name >= count && name != crate::strings::NO_STRING) {
                return Err(error().expected("a string id of the table, or none").found(name));
            }
            if dependency.kind > MAX_DEPENDENCY_KIND {
                return Err(error().expected("kind 0, 1 or 2").found(u32::from(dependency.kind)));
            }
        }
        Ok(())
    }

    /// Compares the stored hash of the tables.
    ///
    /// # Errors
    /// [`codes::ENTRIES_HASH`]; [`STEPS`](spelunk_core::codes::STEPS).
    pub fn check_hash(&self, task: &mut Task<'_>) -> Result<()> {
        let tables = self.bytes.get(HEADER_SIZE as usize..).unwrap_or_default();
        task.budget.touch(tables.len() as u64)?;
        let found = hash::hash128(tables);
        if found == self.header.hash {
            return Ok(());
        }
        Err(Error::new(&codes::ENTRIES_HASH)
            .at(self.at.part(24, 16))
            .field("hash")
            .expected(hash::text(found))
            .found(hash::text(self.header.hash)))
    }

    /// Compares the hash of the whole block with the one that the header of the pack stores.
    ///
    /// # Errors
    /// [`codes::INDEX_HASH`]; [`STEPS`](spelunk_core::codes::STEPS).
    pub fn check_block_hash(&self, stored: Hash128, task: &mut Task<'_>) -> Result<()> {
        task.budget.touch(self.at.len)?;
        let found = hash::hash128(&self.bytes);
        if found == stored {
            return Ok(());
        }
        Err(Error::new(&codes::INDEX_HASH)
            .at(Span::file(76, 16))
            .field("index_hash")
            .expected(hash::text(found))
            .found(hash::text(stored)))
    }

    /// Returns the place of the index.
    pub const fn at(&self) -> Span {
        self.at
    }

    /// Returns the header of the index.
    pub const fn header(&self) -> &IndexHeader {
        &self.header
    }

    /// The whole block as stored.
    pub const fn block(&self) -> &Bytes {
        &self.bytes
    }

    /// The asset entries, in stored order.
    pub fn entries(&self) -> &[IndexEntry] {
        self.table(0)
    }

    /// The bulk entries, in stored order.
    pub fn bulk(&self) -> &[BulkEntry] {
        self.table(1)
    }

    /// The dependency owners, in stored order.
    pub fn owners(&self) -> &[DependencyOwner] {
        self.table(2)
    }

    /// The dependencies, in stored order.
    pub fn dependencies(&self) -> &[Dependency] {
        self.table(3)
    }

    fn table<T: Described>(&self, number: usize) -> &[T] {
        let range = self.header.tables().get(number).copied().unwrap_or_default();
        let (start, end) = (usize::try_from(range.0), usize::try_from(range.1));
        let (Ok(start), Ok(end)) = (start, end) else { return &[] };
        let bytes = self.bytes.get(start..end).unwrap_or_default();
        <[T]>::ref_from_bytes(bytes).unwrap_or_default()
    }

    /// Returns the place of a table (0 entries, 1 bulk entries, 2 owners, 3 dependencies).
    pub fn table_at(&self, number: usize) -> Span {
        let (start, end) = self.header.tables().get(number).copied().unwrap_or_default();
        self.at.part(start, end.saturating_sub(start))
    }

    /// Returns the place of a row of a table.
    pub fn place(&self, number: usize, position: usize) -> Span {
        let records =
            [IndexEntry::RECORD, BulkEntry::RECORD, DependencyOwner::RECORD, Dependency::RECORD];
        let size = records.get(number).map_or(0, |record| u64::from(record.size));
        self.table_at(number).part((position as u64).saturating_mul(size), size)
    }

    /// Returns the place of rows of a table; `None` for no rows. Owners may have the same ones.
    pub(crate) fn places(&self, number: usize, rows: Range<usize>) -> Option<Span> {
        let first = self.place(number, rows.start);
        let len = first.len.saturating_mul(rows.len() as u64);
        (len > 0).then_some(Span { len, ..first })
    }

    /// The range of [`Index::bulk`] that belongs to an entry; `None` where it passes the table's end. It
    /// counts only with [`FLAG_HAS_BULK`].
    pub fn bulk_range(&self, entry: &IndexEntry) -> Option<Range<usize>> {
        if entry.flags & FLAG_HAS_BULK == 0 {
            return Some(0..0);
        }
        claimed_bulk(entry).filter(|range| range.end <= self.bulk().len())
    }

    /// Rows of a table (0 entries, 1 bulk entries) as they are stored.
    pub(crate) fn stored_rows(&self, number: usize, rows: Range<usize>) -> Bytes {
        let [first, end] = [rows.start, rows.end].map(|row| {
            let place = self.place(number, row).start.saturating_sub(self.at.start);
            usize::try_from(place).unwrap_or(usize::MAX).min(self.bytes.len())
        });
        self.bytes.slice(first.min(end)..end)
    }

    /// The bulk entries of some entries, where bulk entries follow each other in the order of the entries.
    pub(crate) fn bulk_of(&self, entries: Range<usize>) -> Range<usize> {
        if self.bulk().is_empty() {
            return 0..0;
        }
        let entries = self.entries().get(entries).unwrap_or_default();
        let some = |entry: &&IndexEntry| entry.bulk_count.get() != 0;
        let claimed = |entry: Option<&IndexEntry>| entry.and_then(claimed_bulk).unwrap_or_default();
        let (first, last) = (entries.iter().find(some), entries.iter().rfind(some));
        claimed(first).start..claimed(last).end
    }

    /// Whether the index is as writers make it: entries have their bulk entries one after the other and flags that say
    /// so, owners come in order, and names are among `strings` strings.
    pub(crate) fn is_regular(&self, strings: u32) -> bool {
        let mut bulk = 0_usize;
        let known = |id: u32| id < strings || id == crate::strings::NO_STRING;
        let regular = self.entries().iter().all(|entry| {
            let count = entry.bulk_count.get() as usize;
            let first = entry.bulk_first_index.get() as usize;
            let flag = entry.flags & FLAG_HAS_BULK != 0;
            let follows = if count == 0 { !flag } else { flag && first == bulk };
            bulk = bulk.saturating_add(count);
            follows && known(entry.name_string_id.get()) && known(entry.variant_string_id.get())
        });
        regular && bulk == self.bulk().len() && self.owner_order.is_empty()
    }

    /// The owner of the dependencies of the entry at this position, where it has any.
    pub fn owner(&self, entry: usize) -> Option<&DependencyOwner> {
        let owners = self.owners();
        let asset = |owner: &DependencyOwner| owner.asset_index.get() as usize;
        let found = if self.owner_order.is_empty() {
            owners.binary_search_by_key(&entry, asset).ok()
        } else {
            let asset_at = |position: &u32| owners.get(*position as usize).map(asset);
            let nth = self.owner_order.binary_search_by_key(&Some(entry), asset_at).ok();
            nth.and_then(|nth| self.owner_order.get(nth)).map(|position| *position as usize)
        };
        found.and_then(|position| owners.get(position))
    }

    /// The range of [`Index::dependencies`] that belongs to the entry at this position.
    pub fn dependency_range(&self, entry: usize) -> Range<usize> {
        let Some(owner) = self.owner(entry) else { return 0..0 };
        let start = owner.first_dependency.get() as usize;
        start..start.saturating_add(owner.count.get() as usize)
    }
}

/// The range that an entry's numbers name, whether the table has it or not. The reference adds them in
/// 32 bits; here the sum cannot wrap.
pub(crate) fn claimed_bulk(entry: &IndexEntry) -> Option<Range<usize>> {
    let first = usize::try_from(entry.bulk_first_index.get()).ok()?;
    let count = usize::try_from(entry.bulk_count.get()).ok()?;
    first.checked_add(count).map(|end| first..end)
}

/// The step of a path that names a row of a table.
pub(crate) trait RowError {
    /// Adds `name[position]` as the next outer steps.
    fn item(self, name: &'static str, position: usize) -> Self;
}

impl RowError for Error {
    fn item(self, name: &'static str, position: usize) -> Error {
        self.within(Seg::Index(position as u64)).field(name)
    }
}
