//! The cache as the specification has it (`docs/formats/spec.md#5-pakdatadat`): a version, and strings that end with a NUL.

mod container;

pub use container::SpecPaks;

use super::{
    entry::{PathEntry, SHORTEST, text, walk_text},
    pak::{Archive, Member},
};
use crate::{codes, fields::fields};
use spelunk_core::{
    Bytes, Error, Group, Record, Result, ResultExt, Source, Space, Span, Task, Val, Walk, Walked,
    cursor::Cursor,
    field::Described,
    record,
    scalar::{U32, fit},
};
use std::{io, ops::Range};
use zerocopy::IntoBytes;

const PAGE: &str = "docs/formats/spec.md#5-pakdatadat";

record! {
    /// What the cache starts with.
    pub struct CacheHeader: "header", "docs/formats/spec.md#5-pakdatadat", 8 {
        /// Version; no value of it is told.
        version: U32,
        /// Number of archives.
        pak_count: U32,
    }
}

record! {
    /// What follows the name of an archive.
    pub struct PakCount: "pak", "docs/formats/spec.md#5-pakdatadat", 4 {
        /// Number of files.
        entry_count: U32,
    }
}

fields! {
    KEY: "key" Text "File name of the archive, up to the NUL.";
    TRAILING: "trailing" Bytes "Bytes behind the last archive that can be read.";
}

static PAKS: Record = Record::group("paks", PAGE, "The archives.");
static ENTRIES: Record = Record::group("entries", PAGE, "The files of the archive.");

/// More archives than anyone has; a larger count is no cache.
const MOST_PAKS: u32 = 4096;

/// A longer name is no cache.
const LONGEST_NAME: usize = 1024;

/// An archive, as the cache has it: places in the file.
#[derive(Clone, Debug)]
struct CachedPak {
    /// Where its name starts.
    start: u64,
    /// Where its first entry starts.
    entries_start: u64,
    end: u64,
    /// Its entries among all entries of the cache.
    entries: Range<usize>,
}

/// The cache.
#[derive(Debug)]
pub struct Cache {
    bytes: Bytes,
    header: CacheHeader,
    paks: Vec<CachedPak>,
    /// Where every entry of every archive starts.
    entries: Vec<u32>,
}

/// Whether a file that starts with `head` and has `len` bytes looks like such a cache: a small number of archives, the first
/// of which has a name that ends in `.pak` and no more files than fit.
pub(crate) fn looks_like(head: &[u8], len: u64) -> bool {
    let mut cursor = Cursor::new(head, Space::FILE, 0);
    let mut first = || {
        let count = cursor.record::<CacheHeader>()?.pak_count.get();
        let key = text(&mut cursor, "key")?;
        let files = u64::from(cursor.record::<PakCount>()?.entry_count.get());
        let named = key.to_ascii_lowercase().ends_with(b".pak") && key.len() <= LONGEST_NAME;
        let printable = !key.iter().any(u8::is_ascii_control);
        let fits = files.saturating_mul(SHORTEST) <= len;
        Ok::<bool, Error>((1..=MOST_PAKS).contains(&count) && named && printable && fits)
    };
    first().unwrap_or(false)
}

impl Cache {
    /// Opens a cache.
    ///
    /// # Errors
    /// What is wrong with the first archive when it cannot be read to its end; limits. Damage behind the first archive, and
    /// bytes behind the last, are findings.
    pub fn open(source: &dyn Source, task: &mut Task<'_>) -> Result<Cache> {
        let bytes = source.read(0..source.len(), &mut task.budget)?;
        u32::try_from(bytes.len())
            .map_err(|_| Error::new(&spelunk_core::codes::TOO_LARGE).found(bytes.len()))?;
        task.budget.touch(bytes.len() as u64)?;
        let mut cursor = Cursor::new(&bytes, Space::FILE, 0);
        let header = *cursor.record::<CacheHeader>()?;
        let declared = header.pak_count.get();
        let (mut paks, mut entries) = (Vec::new(), Vec::new());
        let mut end = cursor.offset();
        for n in 0..declared {
            let known = entries.len();
            match read_pak(&mut cursor, &mut entries, task).item("paks", n as usize) {
                Ok(pak) => {
                    // Twice, as the list may grow to double its length.
                    task.budget.memory(const { 2 * size_of::<CachedPak>() as u64 })?;
                    end = pak.end;
                    paks.push(pak);
                }
                Err(error) if n == 0 || error.ends_work() => return Err(error),
                Err(error) => {
                    entries.truncate(known);
                    task.error(error)?;
                    let missing = Error::new(&codes::PAKDATA_COUNT).at(Span::file(end, 0));
                    task.error(missing.expected(format!("{declared} archives")).found(n))?;
                    break;
                }
            }
        }
        let cache = Cache { bytes, header, paks, entries };
        let trailing = cache.trailing();
        if trailing.len > 0 && cache.paks.len() as u64 == u64::from(declared) {
            let error = Error::new(&codes::PAKDATA_TRAILING).at(trailing);
            task.warn(error.found(format!("{} bytes", trailing.len)))?;
        }
        Ok(cache)
    }

    /// The header.
    pub const fn header(&self) -> &CacheHeader {
        &self.header
    }

    /// The archives, in the order of the file: their names and files.
    pub fn archives(&self) -> impl Iterator<Item = (&[u8], impl Iterator<Item = Member<'_>>)> {
        self.paks.iter().map(|pak| {
            let members = pak.entries.clone().filter_map(|n| self.entry(n)).map(|entry| Member {
                path: entry.path,
                offset: entry.numbers.offset.get(),
                size: entry.numbers.size.get(),
                compression: entry.numbers.compression,
            });
            (self.key(pak), members)
        })
    }

    /// Number of entries of all archives.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Bytes behind the last archive that can be read.
    pub fn trailing(&self) -> Span {
        let start = self.paks.last().map_or(size_of::<CacheHeader>() as u64, |pak| pak.end);
        Span::file(start, (self.bytes.len() as u64).saturating_sub(start))
    }

    fn slice(&self, at: Span) -> &[u8] {
        let range = usize::try_from(at.start).unwrap_or(usize::MAX)
            ..usize::try_from(at.end()).unwrap_or(usize::MAX);
        self.bytes.get(range).unwrap_or_default()
    }

    fn cursor(&self, start: u64) -> Cursor<'_> {
        let from = usize::try_from(start).unwrap_or(usize::MAX);
        Cursor::new(self.bytes.get(from..).unwrap_or_default(), Space::FILE, start)
    }

    /// The name of an archive; read once before, so it is whole.
    fn key(&self, pak: &CachedPak) -> &[u8] {
        text(&mut self.cursor(pak.start), "key").unwrap_or_default()
    }

    fn entry(&self, position: usize) -> Option<PathEntry<'_>> {
        let start = self.entries.get(position)?;
        PathEntry::read(&mut self.cursor((*start).into())).ok()
    }

    /// Position of the archive that holds the entry at this position.
    fn pak_of(&self, entry: usize) -> usize {
        self.paks.partition_point(|pak| pak.entries.end <= entry)
    }

    fn walk_head(&self, pak: &CachedPak, walk: &mut dyn Walk) -> Walked {
        walk_text(&KEY, self.key(pak), pak.start, walk)?;
        let size = size_of::<PakCount>() as u64;
        let at = Span::file(pak.entries_start.saturating_sub(size), size);
        PakCount::RECORD.walk(self.slice(at), at, walk)
    }

    /// Walks the file in the order of its bytes.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub fn layout(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        walk.record("header", &self.header, Span::file(0, 0))?;
        task.budget.touch(self.bytes.len() as u64)?;
        let trailing = self.trailing();
        let start = size_of::<CacheHeader>() as u64;
        let at = Span::file(start, trailing.start.saturating_sub(start));
        walk.group(&Group::list("paks", &PAKS, Some(at)), |walk| {
            for (n, pak) in self.paks.iter().enumerate() {
                let at = Span::file(pak.start, pak.end.saturating_sub(pak.start));
                walk.group(&Group::item(n, PakCount::RECORD, Some(at)), |walk| {
                    self.walk_head(pak, walk)?;
                    self.walk_entries(pak, walk)
                })?;
            }
            Ok(())
        })?;
        if trailing.len == 0 {
            return Ok(());
        }
        walk.field(&TRAILING, Some(trailing), Val::Bytes(self.slice(trailing).into()))
    }

    fn walk_entries(&self, pak: &CachedPak, walk: &mut dyn Walk) -> Walked {
        let at = Span::file(pak.entries_start, pak.end.saturating_sub(pak.entries_start));
        walk.group(&Group::list("entries", &ENTRIES, Some(at)), |walk| {
            let entries = pak.entries.clone().filter_map(|n| self.entry(n));
            for (nth, entry) in entries.enumerate() {
                let group = Group::item(nth, super::PathNumbers::RECORD, Some(entry.at()));
                walk.group(&group, |walk| entry.walk(walk))?;
            }
            Ok(())
        })
    }

    /// Lays the cache out and writes it.
    ///
    /// # Errors
    /// Writing errors, limits.
    pub fn write(&self, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<()> {
        task.budget.touch(self.bytes.len() as u64)?;
        out.write_all(self.header.as_bytes())?;
        for pak in &self.paks {
            write_text(self.key(pak), out)?;
            let count = U32::new(fit(pak.entries.len() as u64, "entry_count")?);
            out.write_all(PakCount { entry_count: count }.as_bytes())?;
            for entry in pak.entries.clone().filter_map(|n| self.entry(n)) {
                write_text(entry.path, out)?;
                out.write_all(entry.numbers.as_bytes())?;
            }
        }
        Ok(out.write_all(self.slice(self.trailing()))?)
    }
}

/// Writes a cache of these archives, which are told by their names.
///
/// # Errors
/// [`codes::PAK_BAD_PATH`] for a name with a NUL; writing errors; limits.
pub fn build(
    version: u32,
    archives: &[(&str, &Archive)],
    out: &mut dyn io::Write,
    task: &mut Task<'_>,
) -> Result<()> {
    let pak_count = U32::new(fit(archives.len() as u64, "pak_count")?);
    out.write_all(CacheHeader { version: U32::new(version), pak_count }.as_bytes())?;
    for (key, archive) in archives {
        if key.contains('\0') {
            return Err(Error::new(&codes::PAK_BAD_PATH).found((*key).to_owned()));
        }
        write_text(key.as_bytes(), out)?;
        let count = U32::new(fit(archive.len() as u64, "entry_count")?);
        out.write_all(PakCount { entry_count: count }.as_bytes())?;
        for entry in archive.entries() {
            task.budget.touch(entry.at().len)?;
            write_text(entry.path, out)?;
            out.write_all(entry.numbers.as_bytes())?;
        }
    }
    Ok(())
}

fn write_text(text: &[u8], out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(text)?;
    out.write_all(&[0])
}

/// Reads one archive and notes where its entries start.
fn read_pak(
    cursor: &mut Cursor<'_>,
    entries: &mut Vec<u32>,
    task: &mut Task<'_>,
) -> Result<CachedPak> {
    let start = cursor.offset();
    text(cursor, "key")?;
    let count = cursor.record::<PakCount>()?.entry_count.get();
    cursor.expect_items(count.into(), SHORTEST, "entries")?;
    let entries_start = cursor.offset();
    let first = entries.len();
    // Twice, as the list may grow to double its length.
    task.budget.memory(u64::from(count).saturating_mul(8))?;
    task.budget.steps(count.into())?;
    for n in 0..count as usize {
        let entry = PathEntry::read(cursor).item("entries", n)?;
        entries.push(u32::try_from(entry.start).unwrap_or(u32::MAX));
    }
    Ok(CachedPak { start, entries_start, end: cursor.offset(), entries: first..entries.len() })
}
