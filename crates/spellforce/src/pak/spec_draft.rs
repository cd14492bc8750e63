//! The next state of an archive of the dialect `spec`, and new ones: data back to back, then the index
//! (`docs/formats/spec.md#4-archives`).
//!
//! Files that stay keep their stored bytes; others are packed as they were. What follows the index stays, gaps go.

use super::{
    archive::{Archive, not_found},
    form::PathNumbers,
    index::{MAGIC_SPEC, SpecHeader, SpecIndex},
};
use crate::{cff::USUAL_LEVEL, codes};
use spelunk_core::{
    Bytes, Error, Result, Source, Task,
    pieces::{Piece, Pieces},
    scalar::{Chars, U32},
    text::CodePages,
    zlib,
};
use std::{collections::HashSet, io, sync::Arc};
use zerocopy::IntoBytes;

/// A file that is to be in a new archive.
#[derive(Clone, Debug)]
pub struct NewFile {
    /// The path, as it is to be stored.
    pub path: Vec<u8>,
    /// The plain content.
    pub data: Bytes,
    /// The level at which it is packed; `None` where it is stored as it is.
    pub level: Option<u8>,
}

/// A file on its way into an archive.
#[derive(Clone, Debug)]
struct SpecMember {
    path: Bytes,
    compression: u8,
    data: Piece,
}

/// The next state of an archive.
#[derive(Debug)]
pub(super) struct SpecDraft<'a> {
    base: &'a Archive,
    index: &'a SpecIndex,
    /// The files in the order of the index; `None` where one was taken out.
    members: Vec<Option<SpecMember>>,
}

impl<'a> SpecDraft<'a> {
    /// An archive as it is.
    ///
    /// # Errors
    /// [`codes::PAK_EXTENT`] where the data of an entry is not there and cannot be moved so; limits.
    pub(super) fn of(
        base: &'a Archive,
        index: &'a SpecIndex,
        task: &mut Task<'_>,
    ) -> Result<SpecDraft<'a>> {
        let mut members = task.budget.vec(index.len() as u64)?;
        task.budget.touch(index.bytes.len() as u64)?;
        for entry in index.entries() {
            let at = index
                .data_at(&entry)
                .ok_or_else(|| Error::new(&codes::PAK_EXTENT).at(entry.data_at()))?;
            members.push(Some(SpecMember {
                path: index.bytes.slice_ref(entry.path),
                compression: entry.numbers.compression,
                data: Piece::Kept(at.start..at.end()),
            }));
        }
        Ok(SpecDraft { base, index, members })
    }

    fn member(&mut self, n: u32) -> Result<&mut SpecMember> {
        self.members.get_mut(n as usize).and_then(Option::as_mut).ok_or_else(not_found)
    }

    /// Gives a file other content.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); limits.
    pub(super) fn set(&mut self, n: u32, plain: &Bytes, task: &mut Task<'_>) -> Result<()> {
        let base = self.base;
        let member = self.member(n)?;
        member.data = Piece::New(match member.compression {
            1 => {
                // What cannot be inflated has no level.
                let level = base.level(n, task).ok().flatten().unwrap_or(USUAL_LEVEL);
                task.budget.memory(plain.len() as u64)?;
                zlib::deflate(plain, level).into()
            }
            _ => plain.clone(),
        });
        Ok(())
    }

    /// Gives a file another path.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); [`codes::PAK_BAD_PATH`].
    pub(super) fn rename(&mut self, n: u32, path: &[u8]) -> Result<()> {
        check(path)?;
        self.member(n)?.path = Bytes::copy_from_slice(path);
        Ok(())
    }

    /// Takes a file out.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub(super) fn remove(&mut self, n: u32) -> Result<()> {
        self.member(n)?;
        if let Some(member) = self.members.get_mut(n as usize) {
            *member = None;
        }
        Ok(())
    }

    /// Adds a file behind the others, stored as it is.
    ///
    /// # Errors
    /// [`codes::PAK_BAD_PATH`].
    pub(super) fn add(&mut self, path: &[u8], plain: Bytes) -> Result<()> {
        check(path)?;
        let path = Bytes::copy_from_slice(path);
        self.members.push(Some(SpecMember { path, compression: 0, data: Piece::New(plain) }));
        Ok(())
    }

    /// The bytes of the archive. Files that stay are stretches of the old one.
    ///
    /// # Errors
    /// As [`build`]; limits.
    pub(super) fn source(&self, task: &mut Task<'_>) -> Result<Arc<dyn Source>> {
        let members = self.members.iter().flatten();
        let (header, index) = lay_out(self.index.header.version.get(), members.clone(), task)?;
        let count = (members.clone().count() as u64).saturating_add(3);
        let mut pieces = task.budget.vec::<Piece>(count)?;
        pieces.push(Piece::New(Bytes::copy_from_slice(header.as_bytes())));
        pieces.extend(members.map(|member| member.data.clone()));
        pieces.push(Piece::New(index.into()));
        let trailing = self.index.trailing();
        pieces.push(Piece::Kept(trailing.start..trailing.end()));
        Ok(Arc::new(Pieces::new(self.base.shared_source(), pieces)))
    }
}

/// Refuses a path that no index can have.
fn check(path: &[u8]) -> Result<()> {
    if path.is_empty() || path.contains(&0) {
        let path = CodePages::cp1252().show(path).into_owned();
        return Err(Error::new(&codes::PAK_BAD_PATH).found(path));
    }
    Ok(())
}

/// Header and index of an archive of these files, whose data lies back to back in their order.
fn lay_out<'m>(
    version: u32,
    members: impl Iterator<Item = &'m SpecMember>,
    task: &mut Task<'_>,
) -> Result<(SpecHeader, Vec<u8>)> {
    let mut paths = HashSet::new();
    let (mut index, mut at, mut count) = (Vec::new(), SpecHeader::LEN, 0_u64);
    for SpecMember { path, compression, data } in members {
        let room = (path.len() as u64).saturating_mul(2).saturating_add(128);
        task.budget.memory(room)?;
        task.budget.touch(room)?;
        if !paths.insert(path) {
            let path = CodePages::cp1252().show(path).into_owned();
            return Err(Error::new(&codes::PAK_PATH_TAKEN).found(path));
        }
        let size = match data {
            Piece::Kept(range) => range.end.saturating_sub(range.start),
            Piece::New(data) => data.len() as u64,
        };
        let numbers = PathNumbers {
            offset: fits("offset", at)?,
            size: fits("size", size)?,
            compression: *compression,
        };
        index.extend_from_slice(path);
        index.push(0);
        index.extend_from_slice(numbers.as_bytes());
        at = at.saturating_add(size);
        count = count.saturating_add(1);
    }
    let header = SpecHeader {
        magic: Chars(*MAGIC_SPEC),
        version: U32::new(version),
        entry_count: fits("entry_count", count)?,
        index_offset: fits("index_offset", at)?,
    };
    Ok((header, index))
}

/// Writes a new archive of the dialect `spec`: the data of the files back to back in this order, then the index.
///
/// # Errors
/// [`codes::PAK_BAD_PATH`] for a path that is empty or has a NUL; [`codes::PAK_PATH_TAKEN`] for one that two files have;
/// [`codes::PAK_TOO_LARGE`] for what numbers of 32 bits cannot express; writing errors; limits.
pub fn build_spec(
    version: u32,
    files: &[NewFile],
    out: &mut dyn io::Write,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut members = task.budget.vec::<SpecMember>(files.len() as u64)?;
    for file in files {
        check(&file.path)?;
        let data = match file.level {
            None => file.data.clone(),
            Some(level) => {
                task.budget.memory(file.data.len() as u64)?;
                task.budget.touch(file.data.len() as u64)?;
                zlib::deflate(&file.data, level).into()
            }
        };
        members.push(SpecMember {
            path: Bytes::copy_from_slice(&file.path),
            compression: u8::from(file.level.is_some()),
            data: Piece::New(data),
        });
    }
    let (header, index) = lay_out(version, members.iter(), task)?;
    out.write_all(header.as_bytes())?;
    for member in &members {
        if let Piece::New(data) = &member.data {
            out.write_all(data)?;
        }
    }
    Ok(out.write_all(&index)?)
}

fn fits(field: &'static str, value: u64) -> Result<U32> {
    let fits = u32::try_from(value).map(U32::new);
    fits.map_err(|_| Error::new(&codes::PAK_TOO_LARGE).field(field).found(value))
}
