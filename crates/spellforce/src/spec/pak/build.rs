//! Building an archive of the specification.

use super::{HEADER_LEN, MAGIC, PakHeader};
use crate::{codes, pak::PathNumbers};
use spelunk_core::{
    Bytes, Error, Result, Task,
    scalar::{Chars, U32},
    text::CodePages,
    zlib,
};
use std::{collections::HashSet, io};
use zerocopy::IntoBytes;

/// A file that is to be in an archive.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// Its path as it is to be stored.
    pub path: Vec<u8>,
    /// Its content.
    pub data: Bytes,
    /// The level at which it is packed; `None` where it is stored as it is.
    pub level: Option<u8>,
}

/// Writes an archive of these files: their data back to back in this order, then the index.
///
/// # Errors
/// [`codes::PAK_BAD_PATH`] for a path that is empty or has a NUL; [`codes::PAK_PATH_TAKEN`] for one that two files have;
/// [`codes::PAK_TOO_LARGE`] for what numbers of 32 bits cannot tell; writing errors; limits.
pub fn build(
    version: u32,
    files: &[NewFile],
    out: &mut dyn io::Write,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut paths = HashSet::new();
    let (mut stored, mut index) = (Vec::new(), Vec::new());
    let mut at = HEADER_LEN;
    for file in files {
        let path = || CodePages::cp1252().show(&file.path).into_owned();
        let room = (file.path.len() as u64).saturating_mul(2).saturating_add(128);
        task.budget.memory(room)?;
        task.budget.touch(room.saturating_add(file.data.len() as u64))?;
        if file.path.is_empty() || file.path.contains(&0) {
            return Err(Error::new(&codes::PAK_BAD_PATH).found(path()));
        }
        if !paths.insert(&file.path) {
            return Err(Error::new(&codes::PAK_PATH_TAKEN).found(path()));
        }
        let data = match file.level {
            None => file.data.clone(),
            Some(level) => {
                task.budget.memory(file.data.len() as u64)?;
                zlib::deflate(&file.data, level).into()
            }
        };
        let numbers = PathNumbers {
            offset: fits("offset", at)?,
            size: fits("size", data.len() as u64)?,
            compression: u8::from(file.level.is_some()),
        };
        at = at.saturating_add(data.len() as u64);
        index.extend_from_slice(&file.path);
        index.push(0);
        index.extend_from_slice(numbers.as_bytes());
        stored.push(data);
    }
    let header = PakHeader {
        magic: Chars(*MAGIC),
        version: U32::new(version),
        entry_count: fits("entry_count", files.len() as u64)?,
        index_offset: fits("index_offset", at)?,
    };
    out.write_all(header.as_bytes())?;
    stored.iter().try_for_each(|data| out.write_all(data))?;
    Ok(out.write_all(&index)?)
}

fn fits(field: &'static str, value: u64) -> Result<U32> {
    let fits = u32::try_from(value).map(U32::new);
    fits.map_err(|_| Error::new(&codes::PAK_TOO_LARGE).field(field).found(value))
}
