//! `pakdata.dat`: a third-party editor's cache of the directories of all archives.
//!
//! See `docs/formats/pak.md#7-pakdatadat`. It has no magic, so it is recognised by its first
//! records, and no checksum.

mod build;
mod check;
pub(crate) mod container;
pub mod lint;
mod write;

pub use build::{Listed, build};
pub use check::{Present, check};
pub use container::{PakData, Paks};

use crate::codes;
use spelunk_core::{
    Bytes, Error, Result, ResultExt, Seg, Source, Space, Span, Task, cursor::Cursor, record,
};
use std::ops::Range;

record! {
    /// The number of archives, at the start of the file.
    pub struct CacheHeader: "header", "docs/formats/pak.md#7-pakdatadat", 4 {
        /// Number of archives.
        pak_count: I32,
    }
}

record! {
    /// What follows key and path of an archive.
    pub struct PakNumbers: "pak", "docs/formats/pak.md#7-pakdatadat", 12 {
        /// Number of entries.
        entry_count: I32,
        /// Where the data starts in the archive.
        data_start: I32 { unit: "bytes" },
        /// Size of the archive.
        file_size: I32 { unit: "bytes" },
    }
}

record! {
    /// What follows the entries of an archive.
    pub struct PakRepeats: "repeats", "docs/formats/pak.md#7-pakdatadat", 8 {
        /// Where the name table of the archive starts: 92 and 16 times the number of entries.
        name_table_offset: U32 { unit: "bytes" },
        /// The data start once more.
        data_start_again: U32 { unit: "bytes" },
    }
}

record! {
    /// What an entry starts with; name and directory follow.
    pub struct CacheEntry: "entry", "docs/formats/pak.md#7-pakdatadat", 8 {
        /// Size of the file.
        size: I32 { unit: "bytes" },
        /// Where its data starts, from the data start of the archive.
        data_offset: I32 { unit: "bytes" },
    }
}

/// The smallest entry: two numbers and two empty strings.
const SMALLEST_ENTRY: u64 = 10;

/// A string: its length in bytes in groups of seven bits, lowest first, the top bit of a byte meaning
/// that more follow; then UTF-8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// The bytes of the length. They are kept, as a length can be written in several ways.
    pub length: &'a [u8],
    /// The text.
    pub text: &'a [u8],
    /// Where the length starts in the file.
    pub start: u64,
}

impl<'a> Text<'a> {
    #[inline]
    fn read(cursor: &mut Cursor<'a>, name: &'static str) -> Result<Text<'a>> {
        let mut ahead = cursor.clone();
        let start = cursor.offset();
        let mut len = 0_u64;
        for shift in [0, 7, 14, 21, 28] {
            let byte = ahead.u8(name)?;
            len |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let groups = ahead.position().saturating_sub(cursor.position());
                let length = cursor.bytes(groups, name)?;
                let len = usize::try_from(len).unwrap_or(usize::MAX);
                return Ok(Text { length, text: cursor.bytes(len, name)?, start });
            }
        }
        Err(Error::new(&codes::PAKDATA_STRING).at(cursor.span(5)).field(name))
    }

    fn length_at(&self) -> Span {
        Span::file(self.start, self.length.len() as u64)
    }

    fn text_at(&self) -> Span {
        Span::file(self.length_at().end(), self.text.len() as u64)
    }
}

/// An entry of an archive, as the cache has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryView<'a> {
    pub start: u64,
    pub numbers: &'a CacheEntry,
    pub name: Text<'a>,
    pub directory: Text<'a>,
}

impl<'a> EntryView<'a> {
    #[inline]
    fn read(cursor: &mut Cursor<'a>) -> Result<EntryView<'a>> {
        Ok(EntryView {
            start: cursor.offset(),
            numbers: cursor.record()?,
            name: Text::read(cursor, "name")?,
            directory: Text::read(cursor, "directory")?,
        })
    }

    pub fn at(&self) -> Span {
        Span::file(self.start, self.directory.text_at().end().saturating_sub(self.start))
    }

    /// Size of the file; 0 for a negative one.
    pub fn size(&self) -> u64 {
        u64::try_from(self.numbers.size.get()).unwrap_or_default()
    }
}

/// An archive, as the cache has it: places in the file, no strings.
#[derive(Clone, Debug)]
pub(crate) struct CachedPak {
    /// Where its record starts in the file.
    pub start: u64,
    /// Where its first entry starts.
    pub entries_start: u64,
    pub numbers: PakNumbers,
    /// Its entries among all entries of the cache.
    pub entries: Range<usize>,
    /// Where the words behind its entries start.
    pub repeats_start: u64,
    pub repeats: PakRepeats,
}

impl CachedPak {
    pub fn end(&self) -> u64 {
        self.repeats_start.saturating_add(size_of::<PakRepeats>() as u64)
    }
}

/// An archive of the cache.
#[derive(Clone, Copy, Debug)]
pub struct Cached<'a> {
    cache: &'a Cache,
    pak: &'a CachedPak,
    /// Its file name, UTF-8.
    pub key: &'a [u8],
    /// Where it was when the cache was made, UTF-8.
    pub path: &'a [u8],
}

impl<'a> Cached<'a> {
    /// Its number of entries, its data start and its size.
    pub const fn numbers(&self) -> &'a PakNumbers {
        &self.pak.numbers
    }

    /// Its entries, in the order of the archive.
    pub fn entries(&self) -> impl Iterator<Item = CachedFile<'a>> + use<'a> {
        let cache = self.cache;
        self.pak.entries.clone().filter_map(|n| cache.entry(n)).map(|view| CachedFile {
            size: view.numbers.size.get(),
            offset: view.numbers.data_offset.get(),
            name: view.name.text,
            directory: view.directory.text,
            at: view.at(),
        })
    }
}

/// A file of an archive of the cache.
#[derive(Clone, Copy, Debug)]
pub struct CachedFile<'a> {
    /// Bytes of the file.
    pub size: i32,
    /// Where its data starts, from the data start of the archive.
    pub offset: i32,
    /// Its name, UTF-8.
    pub name: &'a [u8],
    /// Its directory with backslashes, UTF-8.
    pub directory: &'a [u8],
    /// Where its record lies in the cache.
    pub at: Span,
}

/// The cache.
#[derive(Debug)]
pub struct Cache {
    bytes: Bytes,
    header: CacheHeader,
    paks: Vec<CachedPak>,
    /// Where every entry of every archive starts.
    entries: Vec<u32>,
    trailing: Span,
}

impl Cache {
    /// Opens a cache.
    ///
    /// # Errors
    /// What is wrong with the first archive when it cannot be read to its end; limits. Damage behind the
    /// first archive, and bytes behind the last, are findings.
    pub fn open(source: &dyn Source, task: &mut Task<'_>) -> Result<Cache> {
        let bytes = source.read(0..source.len(), &mut task.budget)?;
        let mut cursor = Cursor::new(&bytes, Space::FILE, 0);
        let header = *cursor.record::<CacheHeader>()?;
        let count = header.pak_count.get();
        let declared = u32::try_from(count)
            .map_err(|_| Error::new(&codes::PAKDATA_NEGATIVE).found(count))
            .field("pak_count")
            .at(Span::file(0, 4))?;
        u32::try_from(bytes.len())
            .map_err(|_| Error::new(&spelunk_core::codes::TOO_LARGE).found(bytes.len()))?;
        let mut paks = Vec::new();
        let mut entries = Vec::new();
        let mut end = cursor.offset();
        for n in 0..declared {
            let known = entries.len();
            match read_pak(&mut cursor, &mut entries, task).item("paks", n as usize) {
                Ok(pak) => {
                    task.budget.memory(size_of::<CachedPak>() as u64)?;
                    end = pak.end();
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
        let trailing = Span::file(end, (bytes.len() as u64).saturating_sub(end));
        let cache = Cache { bytes, header, paks, entries, trailing };
        cache.check(declared as usize, task)?;
        Ok(cache)
    }

    fn check(&self, declared: usize, task: &mut Task<'_>) -> Result<()> {
        for (n, pak) in self.paks.iter().enumerate() {
            let at = Span::file(pak.repeats_start, 8);
            let start = pak.numbers.data_start.get();
            let names = (pak.entries.len() as u64).saturating_mul(16).saturating_add(92);
            let stated = u64::from(pak.repeats.name_table_offset.get());
            let repeats = [
                ("name_table_offset", names, stated),
                (
                    "data_start_again",
                    u64::from(start.cast_unsigned()),
                    u64::from(pak.repeats.data_start_again.get()),
                ),
            ];
            for (field, expected, found) in repeats {
                if expected != found {
                    let error = Error::new(&codes::PAKDATA_REPEATS).at(at).field(field);
                    let error = error.expected(expected).found(found);
                    task.error(error.within(Seg::Index(n as u64)).field("paks"))?;
                }
            }
        }
        if self.trailing.len > 0 && self.paks.len() == declared {
            let error = Error::new(&codes::PAKDATA_TRAILING).at(self.trailing);
            task.warn(error.found(format!("{} bytes", self.trailing.len)))?;
        }
        Ok(())
    }

    /// The archives, in the order of the file.
    pub fn archives(&self) -> impl Iterator<Item = Cached<'_>> {
        self.paks.iter().filter_map(|pak| {
            let (key, path) = self.strings(pak).ok()?;
            Some(Cached { cache: self, pak, key: key.text, path: path.text })
        })
    }

    pub(crate) fn paks(&self) -> &[CachedPak] {
        &self.paks
    }

    /// Bytes behind the last archive.
    pub const fn trailing(&self) -> Span {
        self.trailing
    }

    /// Number of entries of all archives.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Position of the archive that holds the entry at this position.
    pub(crate) fn pak_of(&self, entry: usize) -> usize {
        self.paks.partition_point(|pak| pak.entries.end <= entry)
    }

    fn cursor(&self, start: u64) -> Cursor<'_> {
        let from = usize::try_from(start).unwrap_or(usize::MAX);
        Cursor::new(self.bytes.get(from..).unwrap_or_default(), Space::FILE, start)
    }

    /// The entry at this position; read once before, so it is whole.
    pub(crate) fn entry(&self, position: usize) -> Option<EntryView<'_>> {
        let start = self.entries.get(position)?;
        EntryView::read(&mut self.cursor(u64::from(*start))).ok()
    }

    /// Where the entries of an archive lie, numbers and texts.
    pub(crate) fn extents(&self, pak: &CachedPak) -> impl Iterator<Item = Range<u64>> {
        let starts = self.entries.get(pak.entries.clone()).unwrap_or_default().iter();
        let ends = starts.clone().skip(1).map(|start| u64::from(*start));
        starts
            .map(|start| u64::from(*start))
            .zip(ends.chain([pak.repeats_start]))
            .map(|(start, end)| start..end)
    }

    /// Key and path of an archive.
    pub(crate) fn strings(&self, pak: &CachedPak) -> Result<(Text<'_>, Text<'_>)> {
        let mut cursor = self.cursor(pak.start);
        Ok((Text::read(&mut cursor, "key")?, Text::read(&mut cursor, "path")?))
    }

    /// The bytes of a place in the file.
    pub(crate) fn slice(&self, at: Span) -> &[u8] {
        let range = usize::try_from(at.start).unwrap_or(usize::MAX)
            ..usize::try_from(at.end()).unwrap_or(usize::MAX);
        self.bytes.get(range).unwrap_or_default()
    }
}

/// Reads one archive and notes where its entries start.
fn read_pak(
    cursor: &mut Cursor<'_>,
    entries: &mut Vec<u32>,
    task: &mut Task<'_>,
) -> Result<CachedPak> {
    let start = cursor.offset();
    Text::read(cursor, "key")?;
    Text::read(cursor, "path")?;
    let at = cursor.span(size_of::<PakNumbers>() as u64);
    let numbers = *cursor.record::<PakNumbers>()?;
    for number in [numbers.entry_count, numbers.data_start, numbers.file_size] {
        if number.get() < 0 {
            return Err(Error::new(&codes::PAKDATA_NEGATIVE).at(at).found(number.get()));
        }
    }
    let count = u64::from(numbers.entry_count.get().unsigned_abs());
    cursor.expect_items(count, SMALLEST_ENTRY, "entries")?;
    let entries_start = cursor.offset();
    let first = entries.len();
    // Twice, as the list may grow to double its length.
    task.budget.memory(count.saturating_mul(8))?;
    task.budget.steps(count)?;
    for n in 0..numbers.entry_count.get().unsigned_abs() as usize {
        let entry = match EntryView::read(cursor) {
            Ok(entry) => entry,
            Err(error) => return Err(error).item("entries", n),
        };
        for number in [entry.numbers.size, entry.numbers.data_offset] {
            if number.get() < 0 {
                let error = Error::new(&codes::PAKDATA_NEGATIVE).at(entry.at());
                let error = error.found(number.get()).within(Seg::Index(n as u64));
                task.error(error.field("entries"))?;
            }
        }
        entries.push(u32::try_from(entry.start).unwrap_or(u32::MAX));
    }
    let repeats_start = cursor.offset();
    let repeats = *cursor.record::<PakRepeats>()?;
    let entries = first..entries.len();
    Ok(CachedPak { start, entries_start, numbers, entries, repeats_start, repeats })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Result<(usize, Vec<u8>)> {
        let mut cursor = Cursor::new(bytes, Space::FILE, 0);
        Text::read(&mut cursor, "s").map(|text| (text.length.len(), text.text.to_vec()))
    }

    #[test]
    fn lengths_come_in_groups_of_seven_bits() {
        assert_eq!(text(b"\x02ab").unwrap(), (1, b"ab".to_vec()));
        assert_eq!(text(b"\x82\0ab").unwrap(), (2, b"ab".to_vec()), "a longer way to write 2");
        let mut long = vec![0xac, 0x02];
        long.extend([b'x'; 300]);
        assert_eq!(text(&long).unwrap().1.len(), 300);
        assert_eq!(text(&[0x80; 6]).unwrap_err().code().id, "PD001");
        assert_eq!(text(&[0xff, 0xff, 0xff, 0xff, 0x7f]).unwrap_err().code().id, "SP001");
        assert_eq!(text(&[0x80]).unwrap_err().code().id, "SP001");
    }
}
