//! The model of an archive.

use super::{
    checksum::checksum,
    entry::PakEntry,
    header::PakHeader,
    index::SpecIndex,
    names::{self, NameTable},
    order::Lookups,
};
use crate::codes;
use spelunk_core::{
    Bytes, Error, Field, Group, Record, Result, Source, Span, Task, Ty, Walk, Walked,
    field::Described, pieces::Pieces, source::part,
};
use std::{ops::Range, sync::Arc};
use zerocopy::{FromBytes, FromZeros, IntoBytes};

/// Archives are filled up to a multiple of this.
pub(super) const BLOCK: u64 = 4096;

static ENTRIES: Record = Record::group(
    "entries",
    "docs/formats/pak.md#2-entries",
    "The entries, sorted by the hash of their paths.",
);
static FILES: Record = Record::group(
    "data",
    "docs/formats/pak.md#4-data-and-padding",
    "The data of the files in the order in which it lies.",
);
pub(super) static DATA: Field =
    Field::new("data", Ty::Bytes, "The content of a file.").unit("bytes");
pub(super) static GAP: Field =
    Field::new("gap", Ty::Bytes, "Bytes that belong to no file.").unit("bytes");
pub(super) static PADDING: Field =
    Field::new("padding", Ty::Bytes, "Zeros up to a multiple of 4096.").unit("bytes");

/// Kind of a part of the data region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// Content of the entry at this position. Where entries overlap, what the ones before leave over.
    Entry(u32),
    /// Bytes between two files.
    Gap,
    /// Bytes behind the last file.
    Padding,
}

/// A part of the data region. All of them together are the region, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Kind of the region.
    pub kind: RegionKind,
    /// First byte in the file.
    pub start: u64,
    /// The offset behind its last byte.
    pub end: u64,
}

/// An entry with bytes in the file: its data offset, then its position, in one number that is soon
/// sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Extent(u64);

impl Extent {
    const fn new(offset: u32, position: u32) -> Extent {
        Extent((offset as u64) << 32 | position as u64)
    }

    const fn position(self) -> u32 {
        self.0 as u32
    }
}

/// An archive. Opening reads header, entries and names; data stays where it is. In the dialect `spec` these tables are empty, and
/// there is an index instead: only [`Archive::open_any`] and [`Archive::read_any`] give such an archive.
#[derive(Clone)]
pub struct Archive {
    source: Arc<dyn Source>,
    size: u64,
    header: PakHeader,
    entries: Bytes,
    names: Bytes,
    /// Length of the name table up to its last NUL.
    readable_names: usize,
    lookups: Arc<Lookups>,
    /// In the dialect `spec`.
    index: Option<Arc<SpecIndex>>,
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive").field("header", &self.header).finish_non_exhaustive()
    }
}

impl Archive {
    /// Opens an archive.
    ///
    /// # Errors
    /// Those of [`Archive::read`]. Entries whose name or data cannot be reached, and another file size than the stated
    /// one, are findings.
    pub fn open(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Archive> {
        let archive = Archive::read(source, task)?;
        task.budget.touch(archive.names.len() as u64)?;
        archive.check(task)?;
        Ok(archive)
    }

    /// Reads header, entries and names without looking at them: [`Archive::check`] does that, and asking for a damaged entry is
    /// an error.
    ///
    /// # Errors
    /// Those of [`PakHeader::read`]; [`codes::PAK_TABLES`] when entries and names do not fit into the file; limits.
    pub fn read(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Archive> {
        let header = PakHeader::read(&*source)?;
        let size = source.len();
        let data_start = u64::from(header.data_start.get());
        let names_start = names_start(header.entry_count.get());
        if names_start > size {
            return Err(Error::new(&codes::PAK_TABLES)
                .at(Span::file(76, 4))
                .field("entry_count")
                .expected(format!("at most {} entries", size / PakEntry::LEN))
                .found(header.entry_count.get()));
        }
        if data_start < names_start || data_start > size {
            return Err(Error::new(&codes::PAK_TABLES)
                .at(Span::file(84, 4))
                .field("data_start")
                .expected(format!("{names_start} to {size}"))
                .found(data_start));
        }
        let tables = source.read(PakHeader::LEN..data_start, &mut task.budget)?;
        let split = names_start.saturating_sub(PakHeader::LEN);
        let entries = part(&tables, 0..split).unwrap_or_default();
        let names = part(&tables, split..tables.len() as u64).unwrap_or_default();
        let readable_names = names::readable(&names);
        let lookups = Arc::default();
        let index = None;
        Ok(Archive { source, size, header, entries, names, readable_names, lookups, index })
    }

    /// An archive of the dialect `spec`.
    pub(super) fn of_spec(source: Arc<dyn Source>, index: SpecIndex) -> Archive {
        Archive {
            size: source.len(),
            source,
            header: PakHeader::new_zeroed(),
            entries: Bytes::new(),
            names: Bytes::new(),
            readable_names: 0,
            lookups: Arc::default(),
            index: Some(Arc::new(index)),
        }
    }

    /// Header and index in the dialect `spec`.
    pub(super) fn index(&self) -> Option<&SpecIndex> {
        self.index.as_deref()
    }

    /// Bytes of memory that an edited archive takes: its tables, what the edit made, and what look-ups found out.
    pub(super) fn held(&self) -> u64 {
        let tables = match self.index() {
            Some(index) => index.at().start..self.size,
            None => PakHeader::LEN..self.header.data_start.get().into(),
        };
        let lent = self.source.lend(tables.clone()).is_some();
        let tables = match self.index() {
            Some(index) => index.held(lent),
            None if lent => 0,
            None => tables.end.saturating_sub(tables.start),
        };
        let made = self.source.as_pieces().map_or(0, Pieces::held);
        tables.saturating_add(made).saturating_add(self.lookups.held())
    }

    /// The header.
    pub const fn header(&self) -> &PakHeader {
        &self.header
    }

    /// The entries in their order.
    pub fn entries(&self) -> &[PakEntry] {
        <[PakEntry]>::ref_from_bytes(&self.entries).unwrap_or_default()
    }

    /// The entry at this position.
    pub fn entry(&self, position: u32) -> Option<&PakEntry> {
        self.entries().get(usize::try_from(position).ok()?)
    }

    /// The name table.
    pub fn names(&self) -> NameTable<'_> {
        NameTable::new(&self.names, self.readable_names)
    }

    /// Size of the file in bytes.
    pub const fn size(&self) -> u64 {
        self.size
    }

    pub(super) fn source(&self) -> &dyn Source {
        &*self.source
    }

    pub(super) fn shared_source(&self) -> Arc<dyn Source> {
        self.source.clone()
    }

    pub(super) fn lookups(&self) -> &Lookups {
        &self.lookups
    }

    /// Returns the start of the name table.
    pub fn names_at(&self) -> u64 {
        names_start(self.header.entry_count.get())
    }

    /// Returns the place of the entry at a position.
    pub fn entry_at(&self, position: u32) -> Span {
        Span::file(names_start(position), PakEntry::LEN)
    }

    /// Returns the place that an entry states for its data.
    pub fn data_start_of(&self, entry: &PakEntry) -> Span {
        let start = u64::from(self.header.data_start.get());
        Span::file(start.saturating_add(entry.data_offset.get().into()), entry.size.get().into())
    }

    /// Returns the range of an entry's data; `None` where that is outside the file.
    pub fn data_at(&self, entry: &PakEntry) -> Option<Range<u64>> {
        let at = self.data_start_of(entry);
        (at.end() <= self.size()).then(|| at.start..at.end())
    }

    /// Returns the range of an entry's data.
    ///
    /// # Errors
    /// [`codes::PAK_EXTENT`] where that is outside the file.
    pub fn data_of(&self, entry: &PakEntry) -> Result<Range<u64>> {
        self.data_at(entry).ok_or_else(|| {
            Error::new(&codes::PAK_EXTENT)
                .at(self.data_start_of(entry))
                .expected(format!("an end at most at {:#x}", self.size()))
        })
    }

    /// Whether the data of two entries shares bytes.
    pub(super) fn overlaps(&self, task: &mut Task<'_>) -> Result<bool> {
        self.in_order(task, |extents, _| {
            let mut at = 0;
            extents.iter().filter_map(|extent| self.extent(*extent)).any(|(_, range)| {
                let before = std::mem::replace(&mut at, range.end);
                range.start < before
            })
        })
    }

    /// The checksum that header, entries and names should have.
    pub fn checksum(&self) -> u32 {
        checksum(&self.header, &self.entries, &self.names)
    }

    /// Bytes behind the last file.
    pub fn padding(&self) -> u64 {
        let data_start = u64::from(self.header.data_start.get());
        let ends = self.entries().iter().filter_map(|entry| self.data_at(entry));
        let end = ends.map(|range| range.end).fold(data_start, u64::max);
        self.size().saturating_sub(end)
    }

    /// Hands every entry with bytes in the file to `see`, in the order of the data.
    pub(super) fn in_order<T>(
        &self,
        task: &mut Task<'_>,
        see: impl FnOnce(&[Extent], &mut Task<'_>) -> T,
    ) -> Result<T> {
        let count = self.len() as u64;
        task.budget.steps(count)?;
        let mut extents = task.budget.vec::<Extent>(count)?;
        if let Some(index) = self.index() {
            extents.extend((0_u32..).zip(index.entries()).filter_map(|(n, entry)| {
                let there = entry.size() > 0 && index.data_at(&entry).is_some();
                there.then(|| Extent::new(entry.numbers.offset.get(), n))
            }));
            let end = |extent: &Extent| self.range(extent.position()).map(|range| range.end);
            extents.sort_unstable_by_key(|extent| (extent.0 >> 32, end(extent), *extent));
        } else {
            extents.extend((0_u32..).zip(self.entries()).filter_map(|(n, entry)| {
                let there = entry.size.get() > 0 && self.data_at(entry).is_some();
                there.then(|| Extent::new(entry.data_offset.get(), n))
            }));
            extents.sort_unstable();
        }
        let seen = see(&extents, task);
        drop(extents);
        task.budget.release(count.saturating_mul(size_of::<Extent>() as u64));
        Ok(seen)
    }

    /// The entry of an extent and where its data lies.
    pub(super) fn extent(&self, extent: Extent) -> Option<(u32, Range<u64>)> {
        let n = extent.position();
        Some((n, self.range(n)?))
    }

    /// The data region, cut up.
    pub(super) fn cut(&self, extents: &[Extent]) -> impl Iterator<Item = Region> {
        let extents = extents.iter().filter_map(|extent| self.extent(*extent));
        let mut extents = extents.peekable();
        let Range { start: mut at, end: size } = self.data_region();
        // In the dialect `spec` the data ends where the index starts.
        let rest = if self.index.is_some() { RegionKind::Gap } else { RegionKind::Padding };
        std::iter::from_fn(move || {
            while extents.next_if(|(_, range)| range.end <= at).is_some() {}
            let (kind, end) = match extents.peek() {
                Some((_, range)) if range.start > at => (RegionKind::Gap, range.start),
                Some((n, range)) => (RegionKind::Entry(*n), range.end),
                None if at < size => (rest, size),
                None => return None,
            };
            let region = Region { kind, start: at, end };
            at = end;
            Some(region)
        })
    }

    /// Hands the parts of the data region to `each`, in order and without a hole: files, gaps, padding.
    ///
    /// # Errors
    /// What `each` returns; limits.
    pub fn regions(
        &self,
        task: &mut Task<'_>,
        mut each: impl FnMut(Region, &mut Task<'_>) -> Walked,
    ) -> Walked {
        self.in_order(task, |extents, task| {
            self.cut(extents).try_for_each(|region| each(region, task))
        })?
    }

    pub(super) fn entry_bytes(&self) -> &[u8] {
        &self.entries
    }

    pub(super) fn name_bytes(&self) -> &[u8] {
        &self.names
    }

    /// Walks header, entries, names and data in the order of the file.
    ///
    /// # Errors
    /// Reading errors, and what the walker returns.
    pub fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        if let Some(index) = self.index() {
            return self.layout_spec(index, task, walk);
        }
        walk.record("header", &self.header, Span::file(0, 0))?;
        let entries_at = Span::file(PakHeader::LEN, self.entries.len() as u64);
        walk.group(&Group::list("entries", &ENTRIES, Some(entries_at)), |walk| {
            for (n, entry) in (0..).zip(self.entries()) {
                let at = self.entry_at(n);
                walk.group(&Group::item(n as usize, PakEntry::RECORD, Some(at)), |walk| {
                    PakEntry::RECORD.walk(entry.as_bytes(), at, walk)
                })?;
            }
            Ok(())
        })?;
        let names_at = Span::file(entries_at.end(), self.names.len() as u64);
        self.names().walk(self.entries(), names_at, &mut task.budget, walk)?;
        self.walk_data(&FILES, task, walk)
    }
}

/// Returns the start of the name table of an archive with this many entries; also that of the entry at this position.
pub(super) fn names_start(entries: u32) -> u64 {
    PakHeader::LEN.saturating_add(u64::from(entries).saturating_mul(PakEntry::LEN))
}

pub(super) fn not_found() -> Error {
    Error::new(&spelunk_core::codes::NOT_FOUND)
}

/// Returns how often as many items can be halved, which is how often a sorted path is compared.
pub(super) fn halvings(count: u64) -> u64 {
    u64::from(count.checked_ilog2().unwrap_or_default()).saturating_add(1)
}
