//! The tables of an archive of the dialect `spec`: a header, and the index at the end (`docs/formats/spec.md#4-archives`).

use super::form::PathNumbers;
use crate::{codes, fields::fields};
use spelunk_core::{
    Bytes, Error, Group, Record, Result, Seg, Source, Space, Span, Task, Val, Walk, Walked,
    cursor::Cursor, field::Described, record,
};
use zerocopy::{FromBytes, IntoBytes};

/// The start of an archive of the dialect `spec`.
pub const MAGIC_SPEC: &[u8; 4] = b"PAK\0";

record! {
    /// The header of an archive of the dialect `spec`.
    pub struct SpecHeader: "header", "docs/formats/spec.md#4-archives", 16 {
        /// `PAK` and a NUL.
        magic: Text<4>,
        /// Version; no value of it is known.
        version: U32,
        /// Number of files.
        entry_count: U32,
        /// Start of the index in the file.
        index_offset: U32 { unit: "bytes" },
    }
}

fields! {
    PATH: "path" Text "Path of the file, up to the NUL.";
    END: "path_end" U8 "The NUL behind the path.";
    TRAILING: "trailing" Bytes "Bytes behind the index." "bytes";
}

const PAGE: &str = "docs/formats/spec.md#4-archives";
static ENTRIES: Record = Record::group("entries", PAGE, "The index: the files in its order.");
static ENTRY: Record =
    Record::group("entry", PAGE, "A path that ends with a NUL, and the numbers.");

/// The shortest entry: a NUL and the numbers.
const SHORTEST: u64 = 1 + size_of::<PathNumbers>() as u64;

/// An entry as the index has it.
#[derive(Clone, Copy, Debug)]
pub struct PathEntry<'a> {
    /// The stored path.
    pub path: &'a [u8],
    /// The numbers behind the path.
    pub numbers: &'a PathNumbers,
    /// Offset of the path in the file.
    start: u64,
}

impl PathEntry<'_> {
    /// The bytes of the entry in the index.
    pub fn at(&self) -> Span {
        Span::file(self.start, (self.path.len() as u64).saturating_add(SHORTEST))
    }

    /// Bytes that are stored.
    pub fn size(&self) -> u64 {
        self.numbers.size.get().into()
    }

    /// The stated place of the data in the archive.
    pub fn data_at(&self) -> Span {
        Span::file(self.numbers.offset.get().into(), self.size())
    }

    /// Whether its data is a zlib stream.
    pub const fn is_packed(&self) -> bool {
        self.numbers.compression == 1
    }

    /// Walks path and numbers.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, walk: &mut dyn Walk) -> Walked {
        let at = Span::file(self.start, self.path.len() as u64);
        walk.field(&PATH, Some(at), Val::Text(self.path.into()))?;
        walk.field(&END, Some(Span::file(at.end(), 1)), Val::U(0))?;
        let at = Span::file(at.end().saturating_add(1), size_of::<PathNumbers>() as u64);
        PathNumbers::RECORD.walk(self.numbers.as_bytes(), at, walk)
    }
}

/// Header and index of an archive of the dialect `spec`.
#[derive(Clone, Debug)]
pub(super) struct SpecIndex {
    pub(super) header: SpecHeader,
    /// The file from the index offset on.
    pub(super) bytes: Bytes,
    /// Starts of the entries in `bytes`, and the end of the last one.
    starts: Vec<u32>,
}

impl SpecHeader {
    /// Length in bytes.
    pub const LEN: u64 = size_of::<SpecHeader>() as u64;
}

impl SpecIndex {
    /// Reads header and index.
    ///
    /// # Errors
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED); [`codes::PAK_MAGIC`]; [`codes::SPEC_INDEX`] for an index outside the
    /// file or without a readable entry; limits. An index that ends early is a finding.
    pub(super) fn read(source: &dyn Source, task: &mut Task<'_>) -> Result<SpecIndex> {
        let mut buffer = [0; size_of::<SpecHeader>()];
        let len = usize::try_from(source.len().min(SpecHeader::LEN)).unwrap_or_default();
        let there = buffer.get_mut(..len).unwrap_or_default();
        source.read_at(0, there)?;
        let header = *Cursor::new(there, Space::FILE, 0).record::<SpecHeader>()?;
        if header.magic.0 != *MAGIC_SPEC {
            return Err(Error::new(&codes::PAK_MAGIC).at(Span::file(0, 4)).field("magic"));
        }
        let at = u64::from(header.index_offset.get());
        if !(SpecHeader::LEN..=source.len()).contains(&at) {
            return Err(Error::new(&codes::SPEC_INDEX)
                .at(Span::file(12, 4))
                .field("index_offset")
                .expected(format!("{} to {}", SpecHeader::LEN, source.len()))
                .found(at));
        }
        let bytes = source.read(at..source.len(), &mut task.budget)?;
        task.budget.touch(bytes.len() as u64)?;
        let count = u64::from(header.entry_count.get());
        let most = count.min(bytes.len() as u64 / SHORTEST);
        let mut starts = task.budget.vec::<u32>(most.saturating_add(1))?;
        starts.push(0);
        let mut cursor = Cursor::new(&bytes, Space::FILE, at);
        for n in 0..count {
            task.budget.steps(1)?;
            match read_entry(&mut cursor) {
                Ok(()) => starts.push(u32::try_from(cursor.position()).unwrap_or(u32::MAX)),
                Err(error) => {
                    let error = Error::new(&codes::SPEC_INDEX)
                        .at(error.place().unwrap_or(Span::file(at, 0)))
                        .expected(format!("{count} entries"))
                        .found(n);
                    let error = error.within(Seg::Index(n)).field("entries");
                    if n == 0 {
                        return Err(error);
                    }
                    task.error(error)?;
                    break;
                }
            }
        }
        Ok(SpecIndex { header, bytes, starts })
    }

    /// Number of entries that can be read.
    pub(super) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Bytes of memory that it takes, where its bytes are lent or not.
    pub(super) fn held(&self, is_lent: bool) -> u64 {
        let bytes = if is_lent { 0 } else { self.bytes.len() };
        let starts = self.starts.len().saturating_mul(size_of::<u32>());
        bytes.saturating_add(starts) as u64
    }

    /// The entry at this position.
    pub(super) fn entry(&self, position: usize) -> Option<PathEntry<'_>> {
        let start = *self.starts.get(position)?;
        let end = *self.starts.get(position.checked_add(1)?)?;
        let bytes = self.bytes.get(start as usize..end as usize)?;
        let (rest, numbers) = bytes.split_at_checked(bytes.len().checked_sub(9)?)?;
        let (_, path) = rest.split_last()?;
        let start = self.at().start.saturating_add(start.into());
        Some(PathEntry { path, numbers: PathNumbers::ref_from_bytes(numbers).ok()?, start })
    }

    /// The entries, in the order of the index.
    pub(super) fn entries(&self) -> impl Iterator<Item = PathEntry<'_>> {
        (0..self.len()).filter_map(|n| self.entry(n))
    }

    /// The readable part of the index in the file.
    pub(super) fn at(&self) -> Span {
        let start = self.header.index_offset.get().into();
        Span::file(start, self.starts.last().copied().unwrap_or_default().into())
    }

    /// Bytes behind the index.
    pub(super) fn trailing(&self) -> Span {
        let end = u64::from(self.header.index_offset.get());
        let end = end.saturating_add(self.bytes.len() as u64);
        Span::file(self.at().end(), end.saturating_sub(self.at().end()))
    }

    pub(super) fn trailing_bytes(&self) -> &[u8] {
        self.bytes.get(self.starts.last().map_or(0, |end| *end as usize)..).unwrap_or_default()
    }

    /// The place of the data of an entry; `None` where that is not between header and index.
    pub(super) fn data_at(&self, entry: &PathEntry<'_>) -> Option<Span> {
        let at = entry.data_at();
        let fits = at.start >= SpecHeader::LEN && at.end() <= self.at().start;
        fits.then_some(at)
    }

    /// Reports entries whose data is not there, unknown compressions, and bytes behind the index.
    ///
    /// # Errors
    /// What the sink makes of a finding.
    pub(super) fn check(&self, task: &mut Task<'_>) -> Result<()> {
        for (n, entry) in self.entries().enumerate() {
            let within = |error: Error| error.within(Seg::Index(n as u64)).field("entries");
            if self.data_at(&entry).is_none() {
                let error = Error::new(&codes::PAK_EXTENT)
                    .at(entry.at())
                    .field("offset")
                    .expected(format!("{} to {}", SpecHeader::LEN, self.at().start))
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
        let is_whole = self.len() as u64 == u64::from(self.header.entry_count.get());
        if trailing.len > 0 && is_whole {
            let error = Error::new(&codes::SPEC_TRAILING).at(trailing);
            task.warn(error.found(format!("{} bytes", trailing.len)))?;
        }
        Ok(())
    }

    /// Walks the index, and what follows it.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub(super) fn walk(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        walk.group(&Group::list("entries", &ENTRIES, Some(self.at())), |walk| {
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
        walk.field(&TRAILING, Some(trailing), Val::Bytes(self.trailing_bytes().into()))
    }
}

/// Passes over an entry.
fn read_entry(cursor: &mut Cursor<'_>) -> Result<()> {
    let mut ahead = cursor.clone();
    let Some(len) = ahead.rest().iter().position(|byte| *byte == 0) else {
        return Err(Error::new(&spelunk_core::codes::TRUNCATED)
            .at(cursor.span(cursor.remaining() as u64))
            .field("path")
            .expected("a NUL behind the text"));
    };
    cursor.bytes(len.saturating_add(1), "path")?;
    cursor.record::<PathNumbers>().map(|_| ())
}
