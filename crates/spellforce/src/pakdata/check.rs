//! A cache, compared with the archives that it lists.
//!
//! The editor never looks whether its cache is still right, so a cache goes stale when archives change or move.

use super::{ArchiveForm, Cache, Cached, CachedFile};
use crate::{codes, pak::Archive};
use spelunk_core::{Error, Result, Seg, Span, Task, text::CodePages};
use std::fmt;

/// An archive that is there.
#[derive(Clone, Copy, Debug)]
pub struct Present<'a> {
    /// File name of the archive.
    pub name: &'a str,
    /// Whole path of the archive.
    pub path: &'a str,
    /// The archive.
    pub archive: &'a Archive,
}

/// Reports what of a cache is not true of these archives: archives that are gone, new or of another dialect and numbers and
/// entries that differ are errors, other paths are warnings.
///
/// # Errors
/// What the task's sink makes of the findings; limits.
pub fn check(cache: &Cache, archives: &[Present<'_>], task: &mut Task<'_>) -> Result<()> {
    for cached in cache.archives() {
        let key = String::from_utf8_lossy(cached.key).into_owned();
        let same = |present: &&Present<'_>| present.name.eq_ignore_ascii_case(&key);
        let Some(present) = archives.iter().find(same) else {
            let error = Error::new(&codes::PAKDATA_GONE).at(cached.at());
            task.error(error.within(Seg::Key(key.into())))?;
            continue;
        };
        // The dialect `spec` stores no path.
        if !cache.form().is_spec() && !is_same_path(cached.path, present.path) {
            let error =
                Error::new(&codes::PAKDATA_PATH).at(cached.at()).expected(present.path.to_owned());
            let found = String::from_utf8_lossy(cached.path).into_owned();
            task.warn(error.found(found).within(Seg::Key(key.clone().into())))?;
        }
        compare(&cached, &key, present.archive, task)?;
    }
    for present in archives {
        let is_known =
            |cached: Cached<'_>| cached.key.eq_ignore_ascii_case(present.name.as_bytes());
        if !cache.archives().any(is_known) {
            let error = Error::new(&codes::PAKDATA_NEW);
            task.error(error.within(Seg::Key(present.name.to_owned().into())))?;
        }
    }
    Ok(())
}

/// Whether two paths are one, whichever slashes they have and whatever the case of their letters.
fn is_same_path(cached: &[u8], present: &str) -> bool {
    let slash = |byte: u8| if byte == b'\\' { b'/' } else { byte.to_ascii_lowercase() };
    cached.iter().copied().map(slash).eq(present.bytes().map(slash))
}

fn compare(cached: &Cached<'_>, key: &str, archive: &Archive, task: &mut Task<'_>) -> Result<()> {
    let within = |error: Error| error.within(Seg::Key(key.to_owned().into()));
    if cached.form() != archive.form() {
        let error = Error::new(&codes::PAKDATA_DIALECT).at(cached.at());
        let [expected, found] = [cached.form(), archive.form()].map(ArchiveForm::name);
        return task.error(within(error.expected(expected).found(found)));
    }
    let numbers = cached.numbers();
    let count = u32::try_from(archive.len()).unwrap_or(u32::MAX);
    let header = archive.header();
    let real = [
        ("data_start", numbers.data_start.get(), header.data_start.get()),
        ("file_size", numbers.file_size.get(), header.file_size.get()),
    ];
    // In the dialect `spec` no other number is stored.
    let real = real.iter().filter(|_| !archive.form().is_spec()).copied();
    for (field, known, found) in
        [("entry_count", numbers.entry_count.get(), count)].into_iter().chain(real)
    {
        if u32::try_from(known) != Ok(found) {
            let error = Error::new(&codes::PAKDATA_NUMBERS).at(cached.at()).expected(found);
            task.error(within(error.found(known).field(field)))?;
        }
    }
    for (n, entry) in (0_u32..).take(archive.len()).zip(cached.entries()) {
        task.budget.touch(entry.at.len)?;
        let (there, known) = (PresentFile::of(archive, n), PresentFile::cached(&entry));
        if there != known {
            let error = Error::new(&codes::PAKDATA_ENTRY).at(entry.at);
            let error = error.expected(there.to_string()).found(known.to_string());
            task.error(within(error.within(Seg::Index(n.into()))))?;
        }
    }
    Ok(())
}

/// What a cache has of a file.
#[derive(PartialEq, Eq)]
struct PresentFile {
    /// Directory and name.
    path: String,
    size: i64,
    offset: i64,
    compression: Option<u8>,
}

impl PresentFile {
    fn of(archive: &Archive, n: u32) -> PresentFile {
        let pages = CodePages::cp1252();
        if let Some(entry) = archive.spec_entry(n) {
            let numbers = entry.numbers;
            return PresentFile {
                path: pages.decode(entry.path).unwrap_or_default().into_owned(),
                size: numbers.size.get().into(),
                offset: numbers.offset.get().into(),
                compression: Some(numbers.compression),
            };
        }
        let (names, entry) = (archive.names(), archive.entry(n));
        let text = |reversed: Option<&[u8]>| {
            let forward: Vec<u8> = reversed.unwrap_or_default().iter().rev().copied().collect();
            pages.decode(&forward).unwrap_or_default().into_owned()
        };
        let [name, directory] = [
            text(entry.and_then(|entry| names.reversed_name(entry))),
            text(entry.and_then(|entry| names.reversed_directory(entry))),
        ];
        PresentFile {
            path: format!("{directory}\\{name}"),
            size: entry.map_or(0, |entry| entry.size.get().into()),
            offset: entry.map_or(0, |entry| entry.data_offset.get().into()),
            compression: None,
        }
    }

    fn cached(file: &CachedFile<'_>) -> PresentFile {
        let CachedFile { size, offset, compression, .. } = *file;
        PresentFile { path: file.path(), size, offset, compression }
    }
}

impl fmt::Display for PresentFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} bytes at {}", self.path, self.size, self.offset)?;
        match self.compression {
            None => Ok(()),
            Some(compression) => write!(f, ", compression {compression}"),
        }
    }
}

impl Cached<'_> {
    pub(super) fn at(&self) -> Span {
        Span::file(self.pak.start, self.pak.entries_start.saturating_sub(self.pak.start))
    }
}
