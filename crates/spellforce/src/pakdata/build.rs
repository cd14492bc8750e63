//! Writing a cache of archives that are there.

use super::{ArchiveForm, CacheEntry, CacheHeader, PakCount, PakNumbers, PakRepeats, SpecHeader};
use crate::{codes, pak::Archive};
use spelunk_core::{
    Error, Result, Seg, Task,
    scalar::{I32, U32, fit},
    text::CodePages,
};
use std::io;
use zerocopy::IntoBytes;

/// An archive that the cache is to list.
#[derive(Clone, Copy, Debug)]
pub struct CacheArchive<'a> {
    /// File name of the archive, such as `sf0.pak`.
    pub key: &'a str,
    /// Whole path of the archive.
    pub path: &'a str,
    /// The archive.
    pub archive: &'a Archive,
}

/// The form of a cache of these archives: theirs, or the one that is wanted.
///
/// # Errors
/// [`codes::PAK_SPEC`] for archives of several forms, or of another one than is wanted.
pub fn form(archives: &[CacheArchive<'_>], wanted: Option<ArchiveForm>) -> Result<ArchiveForm> {
    let first = archives.first().map(|listed| listed.archive.form());
    let form = wanted.or(first).unwrap_or_default();
    match archives.iter().find(|listed| listed.archive.form() != form) {
        None => Ok(form),
        Some(other) => Err(Error::new(&codes::PAK_SPEC)
            .expected(format!(
                "archives of one dialect, as a cache lists no others: {}",
                form.name()
            ))
            .found(other.archive.form().name())
            .within(Seg::Key(other.key.to_owned().into()))),
    }
}

/// Writes a cache of these archives, in this order. The editor lists them as a folder does, by name: sf0, sf1, sf10, sf2.
///
/// # Errors
/// [`codes::PAK_NAME`] for an entry without a path; [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) for numbers that 31 bits do
/// not hold; writing errors; limits.
pub fn build(
    archives: &[CacheArchive<'_>],
    out: &mut dyn io::Write,
    task: &mut Task<'_>,
) -> Result<()> {
    let pak_count = I32::new(fit(archives.len() as u64, "pak_count")?);
    out.write_all(CacheHeader { pak_count }.as_bytes())?;
    archives.iter().try_for_each(|listed| {
        write(listed, out, task)
            .map_err(|error| error.within(Seg::Key(listed.key.to_owned().into())))
    })
}

fn write(listed: &CacheArchive<'_>, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<()> {
    let CacheArchive { key, path, archive } = *listed;
    text(key, out)?;
    text(path, out)?;
    let count = archive.entries().len() as u64;
    let data_start = archive.header().data_start.get();
    let numbers = PakNumbers {
        entry_count: I32::new(fit(count, "entry_count")?),
        data_start: I32::new(fit(data_start.into(), "data_start")?),
        file_size: I32::new(fit(archive.header().file_size.get().into(), "file_size")?),
    };
    out.write_all(numbers.as_bytes())?;
    task.budget.touch(count.saturating_mul(64))?;
    let (names, pages) = (archive.names(), CodePages::cp1252());
    for (n, entry) in (0..).zip(archive.entries()) {
        let numbers = CacheEntry {
            size: I32::new(fit(entry.size.get().into(), "size")?),
            data_offset: I32::new(fit(entry.data_offset.get().into(), "data_offset")?),
        };
        out.write_all(numbers.as_bytes())?;
        for part in [names.reversed_name(entry), names.reversed_directory(entry)] {
            let part = part.ok_or_else(|| Error::new(&codes::PAK_NAME).at(archive.entry_at(n)))?;
            let forward: Vec<u8> = part.iter().rev().copied().collect();
            text(&pages.decode(&forward).unwrap_or_default(), out)?;
        }
    }
    let repeats = PakRepeats {
        name_table_offset: U32::new(fit(archive.names_at(), "name_table_offset")?),
        data_start_again: U32::new(data_start),
    };
    Ok(out.write_all(repeats.as_bytes())?)
}

/// A string: its length in groups of seven bits, lowest first, and UTF-8.
fn text(text: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let mut len = text.len();
    loop {
        let group = (len & 0x7f) as u8;
        len >>= 7;
        out.write_all(&[if len == 0 { group } else { group | 0x80 }])?;
        if len == 0 {
            return out.write_all(text.as_bytes());
        }
    }
}

/// Writes a cache of these archives of the dialect `spec`, by their file names.
///
/// # Errors
/// [`codes::PAK_BAD_PATH`] for a name with a NUL; writing errors; limits.
pub fn build_spec(
    version: u32,
    archives: &[(&str, &Archive)],
    out: &mut dyn io::Write,
    task: &mut Task<'_>,
) -> Result<()> {
    let pak_count = U32::new(fit(archives.len() as u64, "pak_count")?);
    out.write_all(SpecHeader { version: U32::new(version), pak_count }.as_bytes())?;
    for (key, archive) in archives {
        if key.contains('\0') {
            return Err(Error::new(&codes::PAK_BAD_PATH).found((*key).to_owned()));
        }
        let count = U32::new(fit(archive.len() as u64, "entry_count")?);
        out.write_all(key.as_bytes())?;
        out.write_all(&[0])?;
        out.write_all(PakCount { entry_count: count }.as_bytes())?;
        for entry in archive.spec_entries() {
            task.budget.touch(entry.at().len)?;
            out.write_all(entry.path)?;
            out.write_all(&[0])?;
            out.write_all(entry.numbers.as_bytes())?;
        }
    }
    Ok(())
}
