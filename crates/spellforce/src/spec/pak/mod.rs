//! Archives as the specification has them (`docs/formats/spec.md#4-archives`): a header, the data, the index at the end.

mod build;
mod container;

pub use build::{NewFile, build};
pub use container::SpecMembers;

use super::{
    entry::{PathEntry, SHORTEST},
    not_found,
};
use crate::{
    bytes::{in_pieces, tolerate, with_range},
    cff::USUAL_LEVEL,
    codes,
};
use spelunk_core::{
    Bytes, Error, Field, Group, Record, Result, ResultExt, Section, Seg, Source, Space, Span, Task,
    Ty, Val, Walk, Walked, WriteOptions, cursor::Cursor, record, zlib,
};
use std::{io, sync::Arc};
use zerocopy::IntoBytes;

const PAGE: &str = "docs/formats/spec.md#4-archives";

/// What an archive starts with.
pub const MAGIC: &[u8; 4] = b"PAK\0";

record! {
    /// The header of an archive.
    pub struct PakHeader: "header", "docs/formats/spec.md#4-archives", 16 {
        /// `PAK` and a NUL.
        magic: Text<4>,
        /// Version; no value of it is told.
        version: U32,
        /// Number of files.
        entry_count: U32,
        /// Where the index starts in the file.
        index_offset: U32 { unit: "bytes" },
    }
}

static FILES: Record =
    Record::group("data", PAGE, "The data of the files in the order in which it lies.");
static ENTRIES: Record = Record::group("entries", PAGE, "The index: the files in its order.");
static DATA: Field = Field::new("data", Ty::Bytes, "The stored bytes of a file.").unit("bytes");
static GAP: Field = Field::new("gap", Ty::Bytes, "Bytes that belong to no file.").unit("bytes");
static TRAILING: Field = Field::new("trailing", Ty::Bytes, "Bytes behind the index.").unit("bytes");

/// Length of the header in bytes.
const HEADER_LEN: u64 = size_of::<PakHeader>() as u64;

/// A stretch of the data: of the entry at this position, or of none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Region {
    entry: Option<u32>,
    start: u64,
    end: u64,
}

/// An archive. Opening reads header and index; data stays where it is.
pub struct Archive {
    source: Arc<dyn Source>,
    header: PakHeader,
    /// The file from the index offset on.
    index: Bytes,
    /// Where entries start in `index`.
    starts: Vec<u32>,
    /// Where the last readable entry ends in the file.
    end: u64,
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive").field("header", &self.header).finish_non_exhaustive()
    }
}

/// A file of an archive.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Its path as it is stored.
    pub path: &'a [u8],
    /// Where its data starts in the archive.
    pub offset: u32,
    /// Bytes that are stored.
    pub size: u32,
    /// How they are stored: 0 as they are, 1 as a zlib stream.
    pub compression: u8,
}

impl Archive {
    /// Opens an archive.
    ///
    /// # Errors
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED); [`codes::PAK_MAGIC`]; [`codes::SPEC_INDEX`] for an index outside the
    /// file or without a readable entry; limits. An index that ends early, entries whose data is not there and unknown
    /// compressions are findings.
    pub fn open(source: Arc<dyn Source>, task: &mut Task<'_>) -> Result<Archive> {
        let mut buffer = [0; size_of::<PakHeader>()];
        let len = usize::try_from(source.len().min(HEADER_LEN)).unwrap_or_default();
        let there = buffer.get_mut(..len).unwrap_or_default();
        source.read_at(0, there)?;
        let header = *Cursor::new(there, Space::FILE, 0).record::<PakHeader>()?;
        if header.magic.0 != *MAGIC {
            return Err(Error::new(&codes::PAK_MAGIC).at(Span::file(0, 4)).field("magic"));
        }
        let at = u64::from(header.index_offset.get());
        if !(HEADER_LEN..=source.len()).contains(&at) {
            return Err(Error::new(&codes::SPEC_INDEX)
                .at(Span::file(12, 4))
                .field("index_offset")
                .expected(format!("{HEADER_LEN} to {}", source.len()))
                .found(at));
        }
        let index = source.read(at..source.len(), &mut task.budget)?;
        let count = u64::from(header.entry_count.get());
        task.budget.touch(index.len() as u64)?;
        let mut starts = task.budget.vec::<u32>(count.min(index.len() as u64 / SHORTEST))?;
        let mut cursor = Cursor::new(&index, Space::FILE, at);
        let mut stopped = None;
        for n in 0..count {
            task.budget.steps(1)?;
            let start = cursor.position();
            match PathEntry::read(&mut cursor) {
                Ok(_) => starts.push(u32::try_from(start).unwrap_or(u32::MAX)),
                Err(error) => {
                    let error = Error::new(&codes::SPEC_INDEX)
                        .at(error.place().unwrap_or(Span::file(at, 0)))
                        .expected(format!("{count} entries"))
                        .found(n);
                    stopped = Some(error.within(Seg::Index(n)).field("entries"));
                    break;
                }
            }
        }
        let last = starts.last().map_or(at, |start| {
            let from = usize::try_from(*start).unwrap_or(usize::MAX);
            let rest = index.get(from..).unwrap_or_default();
            let mut cursor = Cursor::new(rest, Space::FILE, at.saturating_add((*start).into()));
            PathEntry::read(&mut cursor).map_or(at, |entry| entry.at().end())
        });
        if let Some(error) = stopped {
            if starts.is_empty() {
                return Err(error);
            }
            task.error(error)?;
        }
        let archive = Archive { source, header, index, starts, end: last };
        archive.check(task)?;
        Ok(archive)
    }

    /// Reports entries whose data is not there, unknown compressions, and bytes behind the index.
    fn check(&self, task: &mut Task<'_>) -> Result<()> {
        for (n, entry) in self.entries().enumerate() {
            let within = |error: Error| error.within(Seg::Index(n as u64)).field("entries");
            if self.data_at(&entry).is_none() {
                let error = Error::new(&codes::PAK_EXTENT)
                    .at(entry.at())
                    .field("offset")
                    .expected(format!("{HEADER_LEN} to {}", self.header.index_offset.get()))
                    .found(format!("{} to {}", entry.data_at().start, entry.data_at().end()));
                task.error(within(error))?;
            }
            if entry.numbers.compression > 1 {
                let at = Span::file(entry.at().end().saturating_sub(1), 1);
                let error = Error::new(&codes::SPEC_COMPRESSION).at(at).field("compression");
                let error = error.expected("0 or 1").found(u32::from(entry.numbers.compression));
                task.note(within(error))?;
            }
        }
        let trailing = self.trailing();
        let whole = self.starts.len() as u64 == u64::from(self.header.entry_count.get());
        if trailing.len > 0 && whole {
            let error = Error::new(&codes::SPEC_TRAILING).at(trailing);
            task.warn(error.found(format!("{} bytes", trailing.len)))?;
        }
        Ok(())
    }

    /// The header.
    pub const fn header(&self) -> &PakHeader {
        &self.header
    }

    /// Number of entries that can be read.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether no entry can be read.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The files, in the order of the index.
    pub fn members(&self) -> impl Iterator<Item = Member<'_>> {
        self.entries().map(|entry| Member {
            path: entry.path,
            offset: entry.numbers.offset.get(),
            size: entry.numbers.size.get(),
            compression: entry.numbers.compression,
        })
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = PathEntry<'_>> {
        (0..self.starts.len()).filter_map(|n| self.entry(n))
    }

    /// The entry at this position; read once before, so it is whole.
    fn entry(&self, position: usize) -> Option<PathEntry<'_>> {
        let start = *self.starts.get(position)?;
        let rest = self.index.get(usize::try_from(start).ok()?..)?;
        let at = u64::from(self.header.index_offset.get()).saturating_add(start.into());
        PathEntry::read(&mut Cursor::new(rest, Space::FILE, at)).ok()
    }

    /// Size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.source.len()
    }

    /// Bytes behind the index.
    pub fn trailing(&self) -> Span {
        Span::file(self.end, self.size().saturating_sub(self.end))
    }

    /// Where an entry's data lies; `None` where that is not between header and index.
    fn data_at(&self, entry: &PathEntry<'_>) -> Option<Span> {
        let at = entry.data_at();
        let fits = at.start >= HEADER_LEN && at.end() <= self.header.index_offset.get().into();
        fits.then_some(at)
    }

    /// The data of an entry as a section that is inflated when it is asked for.
    fn section(&self, entry: &PathEntry<'_>, task: &mut Task<'_>) -> Result<Section> {
        let at = self.data_at(entry).ok_or_else(|| {
            Error::new(&codes::PAK_EXTENT)
                .at(entry.data_at())
                .expected(format!("data before {:#x}", self.header.index_offset.get()))
        })?;
        let stored = self.source.read(at.start..at.end(), &mut task.budget)?;
        if !entry.is_packed() {
            return Ok(Section::stored(at, stored));
        }
        let len = zlib::measure(&stored, at, &mut task.budget)?;
        Ok(Section::zlib(at, stored, Space::section("member"), len))
    }

    /// The plain bytes of the file at this position. What is packed in an unknown way is given as it is stored.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); [`codes::PAK_EXTENT`]; a damaged stream; reading errors; limits.
    pub fn bytes(&self, position: usize, task: &mut Task<'_>) -> Result<Bytes> {
        let entry = self.entry(position).ok_or_else(not_found)?;
        let plain =
            self.section(&entry, task).and_then(|section| section.into_plain(&mut task.budget));
        plain.item("entries", position)
    }

    /// Plain size of the file at this position, for which a packed one is inflated and let go.
    fn plain_size(&self, entry: &PathEntry<'_>, task: &mut Task<'_>) -> Result<u64> {
        match self.data_at(entry) {
            Some(at) if entry.is_packed() => {
                with_range(&*self.source, at.start..at.end(), task, |stored, task| {
                    zlib::measure(stored, at, &mut task.budget)
                })?
            }
            _ => Ok(entry.size()),
        }
    }

    /// The data, cut up: what entries with bytes leave over of each other, and the gaps between them.
    fn regions(&self, task: &mut Task<'_>) -> Result<Vec<Region>> {
        let count = self.starts.len() as u64;
        task.budget.touch(self.index.len() as u64)?;
        let mut extents = task.budget.vec::<(u64, u64, u32)>(count)?;
        extents.extend((0_u32..).zip(self.entries()).filter_map(|(n, entry)| {
            let at = self.data_at(&entry).filter(|at| at.len > 0)?;
            Some((at.start, at.end(), n))
        }));
        extents.sort_unstable();
        let mut regions = task.budget.vec(count.saturating_mul(2).saturating_add(1))?;
        let mut at = HEADER_LEN;
        for (start, end, n) in &extents {
            if *start > at {
                regions.push(Region { entry: None, start: at, end: *start });
                at = *start;
            }
            if *end > at {
                regions.push(Region { entry: Some(*n), start: at, end: *end });
                at = *end;
            }
        }
        let index = u64::from(self.header.index_offset.get());
        if at < index {
            regions.push(Region { entry: None, start: at, end: index });
        }
        drop(extents);
        task.budget.release(count.saturating_mul(size_of::<(u64, u64, u32)>() as u64));
        Ok(regions)
    }

    /// Walks the file in the order of its bytes.
    ///
    /// # Errors
    /// Reading errors, limits, and what the walker returns.
    pub fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        walk.record("header", &self.header, Span::file(0, 0))?;
        let index = u64::from(self.header.index_offset.get());
        let at = Span::file(HEADER_LEN, index.saturating_sub(HEADER_LEN));
        let regions = self.regions(task)?;
        walk.group(&Group::list("data", &FILES, Some(at)), |walk| {
            for region in regions {
                let field = if region.entry.is_some() { &DATA } else { &GAP };
                let at = Span::file(region.start, region.end.saturating_sub(region.start));
                with_range(&*self.source, region.start..region.end, task, |bytes, _| {
                    walk.field(field, Some(at), Val::Bytes(bytes.into()))
                })??;
            }
            Ok(())
        })?;
        let at = Span::file(index, self.end.saturating_sub(index));
        walk.group(&Group::list("entries", &ENTRIES, Some(at)), |walk| {
            for (n, entry) in self.entries().enumerate() {
                task.budget.touch(entry.at().len)?;
                walk.group(&Group::item(n, &ENTRY, Some(entry.at())), |walk| entry.walk(walk))?;
            }
            Ok(())
        })?;
        let trailing = self.trailing();
        if trailing.len == 0 {
            return Ok(());
        }
        with_range(&*self.source, trailing.start..trailing.end(), task, |bytes, _| {
            walk.field(&TRAILING, Some(trailing), Val::Bytes(bytes.into()))
        })?
    }

    /// Inflates every packed file and reports what opening did not: damaged streams, bytes behind them, gaps, and files
    /// that share bytes.
    ///
    /// # Errors
    /// What the task's sink makes of a finding; reading errors.
    pub fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        for (n, entry) in self.entries().enumerate() {
            task.budget.touch(entry.at().len)?;
            let Some(at) = self.data_at(&entry).filter(|_| entry.is_packed()) else { continue };
            let mark = task.budget.mark();
            let followed = self.section(&entry, task).and_then(|section| {
                let plain = section.plain(&mut task.budget)?;
                Ok(zlib::is_followed(section.stored_bytes(), plain))
            });
            // Nothing of it is kept.
            task.budget.forget(mark);
            task.budget.release(task.budget.loose_since(mark));
            match followed.item("entries", n) {
                Ok(true) => {
                    let error = Error::new(&spelunk_core::codes::TRAILING_STREAM).at(at);
                    task.warn(error.within(Seg::Index(n as u64)).field("entries"))?;
                }
                Ok(false) => {}
                Err(error) => tolerate(error, task)?,
            }
        }
        for region in self.regions(task)? {
            let at = Span::file(region.start, region.end.saturating_sub(region.start));
            match region.entry.and_then(|n| self.entry(n as usize)) {
                None => task.warn(Error::new(&codes::PAK_GAP).at(at))?,
                Some(entry) if entry.data_at().start < region.start => {
                    task.warn(Error::new(&codes::PAK_OVERLAP).at(entry.at()))?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Lays the archive out and writes it: header, data with its gaps, index, what follows it.
    ///
    /// # Errors
    /// Reading and writing errors, limits.
    pub fn write(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        options.convert.refuse()?;
        out.write_all(self.header.as_bytes())?;
        for region in self.regions(task)? {
            let entry = region.entry.and_then(|n| self.entry(n as usize));
            let packed = entry.filter(|entry| options.recompress && entry.is_packed());
            match packed {
                Some(entry) if entry.data_at().start == region.start => {
                    out.write_all(&self.packed_again(&entry, task)?)?;
                }
                _ => {
                    in_pieces(
                        &*self.source,
                        region.start..region.end,
                        &mut task.budget,
                        |bytes| out.write_all(bytes),
                    )?;
                }
            }
        }
        for entry in self.entries() {
            out.write_all(entry.path)?;
            out.write_all(&[0])?;
            out.write_all(entry.numbers.as_bytes())?;
        }
        let trailing = self.trailing();
        in_pieces(&*self.source, trailing.start..trailing.end(), &mut task.budget, |bytes| {
            out.write_all(bytes)
        })
    }

    /// The data of a packed file, packed once more. Damaged data keeps its bytes, which is reported.
    fn packed_again(&self, entry: &PathEntry<'_>, task: &mut Task<'_>) -> Result<Bytes> {
        let mark = task.budget.mark();
        let packed = self.section(entry, task).and_then(|section| {
            let plain = section.plain(&mut task.budget)?;
            section.pack(plain, USUAL_LEVEL, true, task)
        });
        // The section is gone.
        task.budget.forget(mark);
        match packed {
            Ok(packed) => Ok(packed),
            Err(error) => {
                tolerate(error, task)?;
                let at = entry.data_at();
                self.source.read(at.start..at.end(), &mut task.budget)
            }
        }
    }
}

static ENTRY: Record =
    Record::group("entry", PAGE, "A path that ends with a NUL, and the numbers.");
