//! An opened pack: the header, the active string table, the active index and the chain behind it.

use crate::{
    chain::{self, ChainLink, History},
    chunk::Chunk,
    codes,
    edit::draft::Editing,
    extension::is_extended,
    header::{HEADER_SIZE, Header},
    index::{BulkEntry, Dependency, Index, IndexEntry, RowError, claimed_bulk},
    lookup::{AssetIdIndex, NameHashIndex, Which},
    options::OpenOptions,
    payload::{self, Claim},
    shown::Shown,
    strings::StringTable,
    types::{self, TypeNames},
};
use bytes::Bytes;
use spelunk_core::{Budget, Error, Result, Source, Span, Task};
use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

/// An opened pack, or another generation of one ([`Pack::generation`]). Its tables are views of the file;
/// nothing is made for each asset.
pub struct Pack {
    pub(crate) file: Arc<PackFile>,
    /// State that is shown instead of the active index.
    pub(crate) shown: Option<Shown>,
    ids: OnceLock<AssetIdIndex>,
    names: OnceLock<NameHashIndex>,
    regular: OnceLock<bool>,
    /// Changes since the pack was opened.
    pub(crate) editing: Option<Box<Editing>>,
    /// Names of types beside those that are known.
    types: Option<Arc<TypeNames>>,
}

/// The file as it is, which all its generations share.
pub(crate) struct PackFile {
    pub(crate) source: Arc<dyn Source>,
    pub(crate) header: Header,
    /// The active string table.
    pub(crate) strings: StringTable,
    /// The active index.
    pub(crate) index: Index,
    pub(crate) links: Vec<ChainLink>,
    pub(crate) options: OpenOptions,
}

impl PackFile {
    /// See [`Pack::history`].
    pub(crate) fn history(&self, task: &mut Task<'_>) -> Result<History> {
        let blocks_from = self.header.extension().end();
        let PackFile { source, links, strings, .. } = self;
        chain::history(&**source, blocks_from, links, strings, &self.options.limits, task)
    }
}

impl std::fmt::Debug for Pack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pack")
            .field("assets", &self.index().entries().len())
            .field("links", &self.file.links)
            .finish_non_exhaustive()
    }
}

impl Pack {
    /// Opens what a source holds, with the budget and the findings of a task: reads header, string table and index and checks their hashes, and walks the chain.
    /// Wrong hashes are findings, and so is everything that is wrong with the chain.
    ///
    /// # Errors
    /// What keeps the tables from being read, with the code of the part that is damaged; what the sink
    /// makes of findings; limits; reading errors.
    pub fn read_from(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Pack> {
        let options = OpenOptions { longer_headers: task.is_lenient, ..OpenOptions::default() };
        Pack::open_with(source, &options, task)
    }

    /// [`Pack::read_from`] with fewer checks or other limits than the usual ones.
    ///
    /// # Errors
    /// Those of [`Pack::read_from`].
    pub fn open_with(
        source: Arc<dyn Source>,
        options: &OpenOptions,
        task: &mut Task<'_>,
    ) -> Result<Pack> {
        let limits = &options.limits;
        let len = source.len();
        let head = source.read(0..len.min(HEADER_SIZE.into()), &mut task.budget)?;
        let header = Header::read(&head, len)?;
        if header.extension().len > 0 {
            let error = header.size_error(&codes::HEADER_LONG);
            if !is_extended(&header, &*source, &mut task.budget)? {
                return Err(error.expected(HEADER_SIZE));
            }
            if !(options.longer_headers || task.is_lenient) {
                let way = format!("{HEADER_SIZE}; --lenient keeps what follows as bytes");
                return Err(error.expected(way));
            }
            task.warn(error.expected(HEADER_SIZE))?;
        }
        let size = header.file_size.get();
        let strings_at = table_at(
            "string_table_offset",
            Span::file(44, 16),
            header.string_table_offset.get(),
            header.string_table_size.get(),
            size,
        )?;
        let index_at = table_at(
            "index_offset",
            Span::file(28, 16),
            header.index_offset.get(),
            header.index_size.get(),
            size,
        )?;
        source.prefetch(&[strings_at.start..strings_at.end(), index_at.start..index_at.end()]);
        let strings = StringTable::read_within(&*source, strings_at, limits, task)?;
        if let Err(error) = strings.check_hash(task) {
            chain::damage(error, task)?;
        }
        let index = Index::read_within(&*source, index_at, Some(strings.count()), limits, task)?;
        for check in [index.check_block_hash(header.index_hash, task), index.check_hash(task)] {
            if let Err(error) = check {
                chain::damage(error, task)?;
            }
        }
        if len > size {
            task.warn(
                Error::new(&codes::TRAILING)
                    .at(Span::file(size, len.saturating_sub(size)))
                    .expected(format!("{size} bytes"))
                    .found(format!("{} bytes more", len.saturating_sub(size))),
            )?;
        }
        let links = chain::walk(&*source, &header, &index, limits, task)?;
        Ok(Pack::of(
            Arc::new(PackFile {
                source,
                header,
                strings,
                index,
                links,
                // Whoever opens the next state of it is not to refuse it.
                options: OpenOptions { longer_headers: header.extension().len > 0, ..*options },
            }),
            None,
        ))
    }

    /// A pack that shows this generation of the file.
    pub(crate) fn of(file: Arc<PackFile>, shown: Option<Shown>) -> Pack {
        Pack {
            file,
            shown,
            ids: OnceLock::new(),
            names: OnceLock::new(),
            regular: OnceLock::new(),
            editing: None,
            types: None,
        }
    }

    /// A pack of tables that were found by other ways than the header, with nothing before them.
    pub(crate) fn of_tables(
        source: Arc<dyn Source>,
        header: Header,
        strings: StringTable,
        index: Index,
    ) -> Pack {
        let links = vec![ChainLink::new(index.at(), index.header())];
        Pack::of(
            Arc::new(PackFile {
                source,
                header,
                strings,
                index,
                links,
                options: OpenOptions::default(),
            }),
            None,
        )
    }

    /// The pack once more, without what is made when it is first asked for.
    pub(crate) fn share(&self) -> Pack {
        self.showing(self.shown.clone())
    }

    /// The same file with another generation, and with the same names of types.
    pub(crate) fn showing(&self, shown: Option<Shown>) -> Pack {
        Pack { types: self.types.clone(), ..Pack::of(self.file.clone(), shown) }
    }

    /// The pack once more, as it was before it was edited, with what was found out of it.
    pub(crate) fn with_lookups(&self) -> Pack {
        let (ids, names, regular) = (self.ids.clone(), self.names.clone(), self.regular.clone());
        Pack { ids, names, regular, ..self.share() }
    }

    /// The pack once more, as it was before it was edited, with these names of types beside those that are known.
    /// They are shown, counted and matched in the place of ids.
    pub fn with_types(&self, types: Arc<TypeNames>) -> Pack {
        Pack { types: Some(types), ..self.share() }
    }

    /// The name of an asset kind or a payload type, where it has one.
    pub fn type_name(&self, id: &[u8; 16]) -> Option<&str> {
        match &self.types {
            Some(types) => types.get(id),
            None => types::known(id),
        }
    }

    /// The id of an asset kind or a payload type that is called by its id, by a name, or by `NAMESPACE:NAME`; see
    /// [`TypeNames::id`].
    ///
    /// # Errors
    /// [`codes::NO_TYPE`].
    pub fn type_id(&self, text: &str) -> Result<[u8; 16]> {
        match &self.types {
            Some(types) => types.id(text),
            None => TypeNames::default().id(text),
        }
    }

    /// Returns the source of the bytes, to be kept.
    pub(crate) fn shared_source(&self) -> Arc<dyn Source> {
        self.file.source.clone()
    }

    /// Size of the file in bytes.
    pub fn len(&self) -> u64 {
        self.file.source.len()
    }

    /// Whether there are no assets.
    pub fn is_empty(&self) -> bool {
        self.index().entries().is_empty()
    }

    /// Returns the source of the bytes.
    pub fn source(&self) -> &dyn Source {
        &*self.file.source
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.file.header
    }

    /// The bytes between the known fields of the header and its end; empty in every known pack.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn header_extension(&self, budget: &mut Budget) -> Result<Bytes> {
        let at = self.header().extension();
        self.source().read(at.start..at.end(), budget)
    }

    /// The string table of what is shown; the active one where no other generation was asked for.
    pub fn strings(&self) -> &StringTable {
        self.shown.as_ref().map_or(&self.file.strings, |shown| &shown.strings)
    }

    /// The index that is shown; the active one where no other generation was asked for.
    pub fn index(&self) -> &Index {
        self.shown.as_ref().map_or(&self.file.index, |shown| &shown.index)
    }

    /// The index and the string table that the header names, whatever is shown.
    pub fn active(&self) -> (&Index, &StringTable) {
        (&self.file.index, &self.file.strings)
    }

    /// Returns the options that the pack was opened with.
    pub fn options(&self) -> &OpenOptions {
        &self.file.options
    }

    /// The header of the chunk at `offset`.
    ///
    /// # Errors
    /// Those of [`Chunk::read`].
    pub fn chunk(&self, offset: u64, task: &mut Task<'_>) -> Result<Chunk> {
        let limits = &self.file.options.limits;
        Chunk::read_within(self.source(), offset, self.header().file_size.get(), limits, task)
    }

    /// The chain of indexes; the active one comes first.
    pub fn links(&self) -> &[ChainLink] {
        &self.file.links
    }

    /// The older indexes with the string tables that were found for them, newest first.
    ///
    /// # Errors
    /// Limits; reading errors.
    pub fn history(&self, task: &mut Task<'_>) -> Result<History> {
        self.file.history(task)
    }

    /// The entry of the asset at this position.
    pub fn entry(&self, row: usize) -> Option<&IndexEntry> {
        self.index().entries().get(row)
    }

    /// The stored name of an entry.
    pub fn name(&self, entry: &IndexEntry) -> Option<&[u8]> {
        self.strings().get(entry.name_string_id.get())
    }

    /// The stored variant of an entry.
    pub fn variant(&self, entry: &IndexEntry) -> Option<&[u8]> {
        self.strings().get(entry.variant_string_id.get())
    }

    /// Positions of an entry's bulk entries; none where its range passes the end of the table.
    pub fn bulk_rows(&self, entry: &IndexEntry) -> Range<usize> {
        self.index().bulk_range(entry).unwrap_or_default()
    }

    /// The bulk entries of an entry.
    pub fn bulk(&self, entry: &IndexEntry) -> &[BulkEntry] {
        self.index().bulk().get(self.bulk_rows(entry)).unwrap_or_default()
    }

    /// The dependencies of the asset at this position.
    pub fn dependencies(&self, row: usize) -> &[Dependency] {
        self.index().dependencies().get(self.index().dependency_range(row)).unwrap_or_default()
    }

    /// Position of the last entry with this asset id, which is the one that counts. The first look-up
    /// makes a table of eight bytes for each asset, which stays charged.
    ///
    /// # Errors
    /// Limits.
    pub fn by_id(&self, id: &[u8; 16], budget: &mut Budget) -> Result<Option<usize>> {
        Ok(self.ids(budget)?.last(self.index(), id))
    }

    /// Positions of the entries with this stored name, in stored order. They are found by the hashes that they state, as
    /// the reference finds them; those with a wrong one are found where no other entry has the name. The first look-up
    /// makes a table of eight bytes for each asset, which stays charged.
    ///
    /// # Errors
    /// Limits.
    pub fn by_name(&self, name: &[u8], budget: &mut Budget) -> Result<Vec<usize>> {
        let names = self.names(Which::Stated, budget)?;
        names.find(self.index(), self.strings(), name, Which::Stated, budget)
    }

    /// Positions of all entries with this stored name, whatever hashes they state, in stored order.
    pub(crate) fn all_by_name(&self, name: &[u8], budget: &mut Budget) -> Result<Vec<usize>> {
        let names = self.names(Which::All, budget)?;
        names.find(self.index(), self.strings(), name, Which::All, budget)
    }

    /// Positions of all entries with this stored name and this variant, or none, in stored order, found as
    /// [`Pack::by_name`] does.
    ///
    /// # Errors
    /// Limits.
    pub fn by_name_and_variant(
        &self,
        name: &[u8],
        variant: Option<&[u8]>,
        budget: &mut Budget,
    ) -> Result<Vec<usize>> {
        let mut rows = self.by_name(name, budget)?;
        for _ in &rows {
            budget.touch(variant.map_or(0, <[u8]>::len) as u64)?;
        }
        rows.retain(|row| self.entry(*row).is_some_and(|entry| self.variant(entry) == variant));
        Ok(rows)
    }

    /// Positions of all entries of this kind, in stored order.
    pub fn by_kind(&self, kind: [u8; 16]) -> impl Iterator<Item = usize> + '_ {
        let entries = self.index().entries().iter().enumerate();
        entries.filter(move |(_, entry)| entry.asset_kind.0 == kind).map(|(row, _)| row)
    }

    /// Positions, among the bulk chunks of the asset at `row`, of those with this semantic and sub-index. They need
    /// not be unique; programs take the first.
    pub fn bulk_by(
        &self,
        row: usize,
        semantic: u32,
        sub_index: u32,
    ) -> impl Iterator<Item = usize> + '_ {
        let bulk = self.entry(row).map(|entry| self.bulk(entry)).unwrap_or_default();
        let same = move |bulk: &BulkEntry| {
            bulk.semantic.get() == semantic && bulk.sub_index.get() == sub_index
        };
        bulk.iter().enumerate().filter(move |(_, bulk)| same(bulk)).map(|(nth, _)| nth)
    }

    /// The plain payload of the asset at this position, checked against its hashes.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) for a position without an asset; every way in which
    /// the chunk differs from its entry, and its payload from its hash; limits; reading errors.
    pub fn payload(&self, row: usize, task: &mut Task<'_>) -> Result<Bytes> {
        let entry = self.entry(row).ok_or_else(not_found)?;
        self.read_claim(&Claim::of_entry(entry, row), task)
    }

    /// The plain payload of the bulk chunk at position `nth` among those of the asset at `row`.
    ///
    /// # Errors
    /// Those of [`Pack::payload`].
    pub fn bulk_payload(&self, row: usize, nth: usize, task: &mut Task<'_>) -> Result<Bytes> {
        let entry = self.entry(row).ok_or_else(not_found)?;
        let bulk = self.bulk(entry).get(nth).ok_or_else(not_found)?;
        let bulk_row = self.bulk_rows(entry).start.saturating_add(nth);
        self.read_claim(&Claim::of_bulk(bulk, Some(entry), bulk_row), task)
    }

    pub(crate) fn read_claim(&self, claim: &Claim, task: &mut Task<'_>) -> Result<Bytes> {
        self.announce(claim);
        let chunk = self.compared(claim, self.chunk(claim.offset, task))?;
        let checks = self.options().checks;
        payload::read(self.source(), &chunk, checks, task).map_err(|error| claim.locate(error))
    }

    /// Whether a later entry has the asset id of the one at this position. Makes the table of
    /// [`Pack::by_id`].
    ///
    /// # Errors
    /// Limits.
    pub fn is_shadowed(&self, row: usize, budget: &mut Budget) -> Result<bool> {
        Ok(self.ids(budget)?.is_shadowed(row))
    }

    /// See [`Index::is_regular`].
    pub(crate) fn is_regular(&self) -> bool {
        *self.regular.get_or_init(|| self.index().is_regular(self.strings().count()))
    }

    /// The table of ids, made when it is first asked for.
    pub(crate) fn ids(&self, budget: &mut Budget) -> Result<&AssetIdIndex> {
        if let Some(ids) = self.ids.get() {
            return Ok(ids);
        }
        let mark = budget.mark();
        let ids = AssetIdIndex::new(self.index(), budget)?;
        Ok(budget.keep(mark, &self.ids, ids))
    }

    /// Bytes of memory that the tables of ids and names take, as far as they were asked for.
    pub(crate) fn lookups_held(&self) -> u64 {
        let (ids, names) = (self.ids.get(), self.names.get());
        ids.map_or(0, AssetIdIndex::held).saturating_add(names.map_or(0, NameHashIndex::held))
    }

    /// The table of names, made when it is first asked for, with what is needed to find these of them.
    pub(crate) fn names(&self, which: Which, budget: &mut Budget) -> Result<&NameHashIndex> {
        let names = match self.names.get() {
            Some(names) => names,
            None => {
                let mark = budget.mark();
                let names = NameHashIndex::new(self.index(), budget)?;
                budget.keep(mark, &self.names, names)
            }
        };
        if which == Which::All {
            names.odd(self.index(), self.strings(), budget)?;
        }
        Ok(names)
    }
}

/// The error for a position or a node that the pack does not have.
pub(crate) fn not_found() -> Error {
    Error::new(&spelunk_core::codes::NOT_FOUND)
}

/// Returns the error for the range of bulk entries of the entry at `row`, if it passes the end of the table.
pub(crate) fn bulk_range_error(index: &Index, entry: &IndexEntry, row: usize) -> Option<Error> {
    let known = index.bulk().len();
    let count = entry.bulk_count.get();
    if count == 0 || claimed_bulk(entry).is_some_and(|range| range.end <= known) {
        return None;
    }
    let error = Error::new(&codes::BULK_RANGE)
        .at(index.place(0, row).part(104, 8))
        .field("bulk_first_index")
        .item("entries", row)
        .expected(format!("a range of the {known} bulk entries"))
        .found(format!("{count} from {}", entry.bulk_first_index.get()));
    Some(error)
}

fn table_at(name: &'static str, at: Span, start: u64, len: u64, size: u64) -> Result<Span> {
    if start.checked_add(len).is_none_or(|end| end > size) {
        return Err(Error::new(&codes::TABLE_RANGE)
            .at(at)
            .field(name)
            .expected(format!("a block inside the {size} bytes of the pack"))
            .found(format!("{len} bytes from {start:#x}")));
    }
    Ok(Span::file(start, len))
}

/// Packs are read from several threads at once.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<Pack>();
};
