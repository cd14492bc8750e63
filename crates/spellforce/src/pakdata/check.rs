//! A cache, compared with the archives that it lists.
//!
//! The editor never looks whether its cache is still right, so a cache goes stale when archives change or move.

use super::{Cache, Cached};
use crate::{codes, pak::Archive};
use spelunk_core::{Error, Result, Seg, Span, Task, text::CodePages};

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

/// Reports what of a cache is not true of these archives: archives that are gone or new and numbers and entries that differ
/// are errors, other paths are warnings.
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
        if !is_same_path(cached.path, present.path) {
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
    let header = archive.header();
    let numbers = cached.numbers();
    for (field, known, found) in [
        ("entry_count", numbers.entry_count.get(), header.entry_count.get()),
        ("data_start", numbers.data_start.get(), header.data_start.get()),
        ("file_size", numbers.file_size.get(), header.file_size.get()),
    ] {
        if u32::try_from(known) != Ok(found) {
            let error = Error::new(&codes::PAKDATA_NUMBERS).at(cached.at()).expected(found);
            task.error(error.found(known).field(field).within(Seg::Key(key.to_owned().into())))?;
        }
    }
    let (names, pages) = (archive.names(), CodePages::cp1252());
    let mut entries = archive.entries().iter();
    for (n, entry) in (0_u64..).zip(cached.entries()) {
        task.budget.touch(entry.at.len)?;
        let Some(there) = entries.next() else { break };
        let text = |reversed: Option<&[u8]>| {
            let forward: Vec<u8> = reversed.unwrap_or_default().iter().rev().copied().collect();
            pages.decode(&forward).unwrap_or_default().into_owned()
        };
        let (name, directory) =
            (text(names.reversed_name(there)), text(names.reversed_directory(there)));
        let [size, offset] = [there.size.get(), there.data_offset.get()];
        let same = (entry.name, entry.directory) == (name.as_bytes(), directory.as_bytes())
            && (u32::try_from(entry.size), u32::try_from(entry.offset)) == (Ok(size), Ok(offset));
        if !same {
            let stated = |name: &str, directory: &str, size: i64, offset: i64| {
                format!("{directory}\\{name}, {size} bytes at {offset}")
            };
            let lossy = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            let found =
                stated(&lossy(entry.name), &lossy(entry.directory), entry.size, entry.offset);
            let error = Error::new(&codes::PAKDATA_ENTRY)
                .at(entry.at)
                .expected(stated(&name, &directory, size.into(), offset.into()))
                .found(found);
            task.error(error.within(Seg::Index(n)).within(Seg::Key(key.to_owned().into())))?;
        }
    }
    Ok(())
}

impl Cached<'_> {
    pub(super) fn at(&self) -> Span {
        Span::file(self.pak.start, self.pak.entries_start.saturating_sub(self.pak.start))
    }
}
