//! The model of a cache.

use super::{
    form::{self, CachedPakHeader, EntryView, SpecHeader},
    records::{CacheHeader, PakNumbers, PakRepeats},
};
use crate::{codes, pak::ArchiveForm};
use spelunk_core::{
    Bytes, Error, Result, ResultExt, Seg, Source, Space, Span, Task, Val, Walk, Walked,
    container::PROBE_LEN, cursor::Cursor, text::CodePages,
};
use std::ops::Range;

/// An archive, as the cache has it: places in the file, no strings.
#[derive(Clone, Debug)]
pub(crate) struct CachedPak {
    /// Start of the record in the file.
    pub start: u64,
    /// Start of the first entry.
    pub entries_start: u64,
    pub numbers: PakNumbers,
    /// Entries of the archive among all entries of the cache.
    pub entries: Range<usize>,
    /// The end of its entries.
    pub entries_end: u64,
    /// The words behind its entries, which the dialect `spec` lacks.
    pub repeats: Option<PakRepeats>,
}

impl CachedPak {
    pub fn end(&self) -> u64 {
        let repeats = self.repeats.map_or(0, |repeats| size_of_val(&repeats) as u64);
        self.entries_end.saturating_add(repeats)
    }
}

/// An archive of the cache.
#[derive(Clone, Copy, Debug)]
pub struct Cached<'a> {
    cache: &'a Cache,
    pub(super) pak: &'a CachedPak,
    /// File name of the archive, UTF-8.
    pub key: &'a [u8],
    /// Path of the archive when the cache was made, UTF-8; nothing in the dialect `spec`.
    pub path: &'a [u8],
}

impl<'a> Cached<'a> {
    /// Returns the number of entries, the data start and the size of the archive; the latter two are 0 in the dialect `spec`,
    /// which lacks them.
    pub const fn numbers(&self) -> &'a PakNumbers {
        &self.pak.numbers
    }

    /// The form of the cache.
    pub(super) const fn form(&self) -> ArchiveForm {
        self.cache.form
    }

    /// Returns the entries, in the order of the archive.
    pub fn entries(&self) -> impl Iterator<Item = CachedFile<'a>> + use<'a> {
        let cache = self.cache;
        self.pak.entries.clone().filter_map(|n| cache.entry(n)).map(|view| {
            let ([size, offset], (name, directory)) = (view.place(), view.parts());
            let compression = view.compression();
            let path = view.name.text;
            CachedFile { size, offset, compression, path, name, directory, at: view.at() }
        })
    }
}

/// A file of an archive of the cache.
#[derive(Clone, Copy, Debug)]
pub struct CachedFile<'a> {
    /// Bytes of the file, as they are stored.
    pub size: i64,
    /// Start of the data, from the data start of the archive, or from the start of the archive in the dialect `spec`.
    pub offset: i64,
    /// Way the bytes are stored, which the dialect `spec` alone has: 0 as they are, 1 as a zlib stream.
    pub compression: Option<u8>,
    /// The first text of the record: the whole path in the dialect `spec`, else the name.
    path: &'a [u8],
    /// Name of the file, UTF-8; in the dialect `spec` in the code page 1252.
    pub name: &'a [u8],
    /// Directory of the file with backslashes, as the name is; in the dialect `spec` with the slashes that it is stored with.
    pub directory: &'a [u8],
    /// Place of the record in the cache.
    pub at: Span,
}

impl CachedFile<'_> {
    /// Path of the file, with the slashes that it is stored with.
    pub fn path(&self) -> String {
        if self.compression.is_some() {
            return CodePages::cp1252().decode(self.path).unwrap_or_default().into_owned();
        }
        let text = |text| String::from_utf8_lossy(text);
        format!("{}\\{}", text(self.directory), text(self.name))
    }
}

/// The cache.
#[derive(Debug)]
pub struct Cache {
    pub(super) form: ArchiveForm,
    bytes: Bytes,
    paks: Vec<CachedPak>,
    /// Starts of all entries of all archives.
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
        let head = bytes.get(..PROBE_LEN as usize).unwrap_or(&bytes);
        let form = form::of_bytes(head, source.len()).unwrap_or_default();
        let mut cursor = Cursor::new(&bytes, Space::FILE, 0);
        let declared = match form {
            ArchiveForm::Spec => cursor.record::<SpecHeader>()?.pak_count.get(),
            ArchiveForm::Real => {
                let count = cursor.record::<CacheHeader>()?.pak_count.get();
                u32::try_from(count)
                    .map_err(|_| Error::new(&codes::PAKDATA_NEGATIVE).found(count))
                    .field("pak_count")
                    .at(Span::file(0, 4))?
            }
        };
        u32::try_from(bytes.len())
            .map_err(|_| Error::new(&spelunk_core::codes::TOO_LARGE).found(bytes.len()))?;
        task.budget.touch(bytes.len() as u64)?;
        let mut paks = Vec::new();
        let mut entries = Vec::new();
        let mut end = cursor.offset();
        for n in 0..declared {
            let known = entries.len();
            match read_pak(&mut cursor, form, &mut entries, task).item("paks", n as usize) {
                Ok(pak) => {
                    // Twice, as the list may grow to double its length.
                    task.budget.memory(const { 2 * size_of::<CachedPak>() as u64 })?;
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
        let cache = Cache { form, bytes, paks, entries, trailing };
        cache.check(declared as usize, task)?;
        Ok(cache)
    }

    fn check(&self, declared: usize, task: &mut Task<'_>) -> Result<()> {
        for (n, pak) in self.paks.iter().enumerate() {
            let Some(known) = &pak.repeats else { continue };
            let at = Span::file(pak.entries_end, size_of_val(known) as u64);
            let start = pak.numbers.data_start.get();
            let names = (pak.entries.len() as u64).saturating_mul(16).saturating_add(92);
            let stated = u64::from(known.name_table_offset.get());
            let repeats = [
                ("name_table_offset", names, stated),
                (
                    "data_start_again",
                    u64::from(start.cast_unsigned()),
                    u64::from(known.data_start_again.get()),
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

    /// The form.
    pub const fn form(&self) -> ArchiveForm {
        self.form
    }

    /// The version in the header, which the dialect `spec` alone has.
    pub fn version(&self) -> Option<u32> {
        let version = self.bytes.first_chunk().filter(|_| self.form.is_spec());
        version.map(|version| u32::from_le_bytes(*version))
    }

    /// The archives, in the order of the file.
    pub fn archives(&self) -> impl Iterator<Item = Cached<'_>> {
        self.paks.iter().filter_map(|pak| {
            let CachedPakHeader { key, path, .. } = self.head(pak).ok()?;
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
        EntryView::read(&mut self.cursor(u64::from(*start)), self.form).ok()
    }

    /// Returns the ranges of the entries of an archive, numbers and texts.
    pub(crate) fn extents(&self, pak: &CachedPak) -> impl Iterator<Item = Range<u64>> {
        let starts = self.entries.get(pak.entries.clone()).unwrap_or_default().iter();
        let ends = starts.clone().skip(1).map(|start| u64::from(*start));
        starts
            .map(|start| u64::from(*start))
            .zip(ends.chain([pak.entries_end]))
            .map(|(start, end)| start..end)
    }

    /// The head of an archive.
    pub(super) fn head(&self, pak: &CachedPak) -> Result<CachedPakHeader<'_>> {
        CachedPakHeader::read(&mut self.cursor(pak.start), self.form)
    }

    /// Walks the head of an archive.
    pub(crate) fn walk_head(&self, pak: &CachedPak, walk: &mut dyn Walk) -> Walked {
        self.head(pak)?.walk(self.form, walk)
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
    form: ArchiveForm,
    entries: &mut Vec<u32>,
    task: &mut Task<'_>,
) -> Result<CachedPak> {
    let start = cursor.offset();
    let CachedPakHeader { numbers, numbers_at, .. } = CachedPakHeader::read(cursor, form)?;
    for number in [numbers.entry_count, numbers.data_start, numbers.file_size] {
        if number.get() < 0 {
            return Err(Error::new(&codes::PAKDATA_NEGATIVE).at(numbers_at).found(number.get()));
        }
    }
    let count = u64::from(numbers.entry_count.get().unsigned_abs());
    cursor.expect_items(count, form::outline(form).shortest, "entries")?;
    let entries_start = cursor.offset();
    let first = entries.len();
    // Twice, as the list may grow to double its length.
    task.budget.memory(count.saturating_mul(8))?;
    task.budget.steps(count)?;
    for n in 0..numbers.entry_count.get().unsigned_abs() as usize {
        let entry = match EntryView::read(cursor, form) {
            Ok(entry) => entry,
            Err(error) => return Err(error).item("entries", n),
        };
        for number in entry.place() {
            if number < 0 {
                let error = Error::new(&codes::PAKDATA_NEGATIVE).at(entry.at());
                let error = error.found(Val::I(number)).within(Seg::Index(n as u64));
                task.error(error.field("entries"))?;
            }
        }
        entries.push(u32::try_from(entry.start).unwrap_or(u32::MAX));
    }
    let entries_end = cursor.offset();
    let repeats = match form {
        ArchiveForm::Real => Some(*cursor.record::<PakRepeats>()?),
        ArchiveForm::Spec => None,
    };
    let entries = first..entries.len();
    Ok(CachedPak { start, entries_start, numbers, entries, entries_end, repeats })
}
