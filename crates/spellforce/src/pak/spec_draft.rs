//! The next state of an archive of the dialect `spec`, and new ones: data back to back, then the index
//! (`docs/formats/spec.md#4-archives`).
//!
//! Files that stay keep their stored bytes; others are packed as they were. What follows the index stays, gaps go.

use super::{
    archive::{Archive, not_found},
    form::PathNumbers,
    index::{MAGIC_SPEC, SpecHeader, SpecIndex},
};
use crate::{bytes::in_pieces, cff::USUAL_LEVEL, codes};
use spelunk_core::{
    Bytes, Error, Result, Source, Span, Task,
    pieces::{Piece, Pieces},
    scalar::{Chars, U32},
    text::CodePages,
    zlib,
};
use std::{collections::HashSet, io, ops::Range, sync::Arc};
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

/// Content of a file on its way into an archive, as it is stored.
#[derive(Clone)]
enum StoredData {
    /// A stretch of the old archive.
    Kept(Range<u64>),
    /// Other bytes.
    New(Arc<dyn Source>),
}

impl StoredData {
    fn len(&self) -> u64 {
        match self {
            StoredData::Kept(range) => range.end.saturating_sub(range.start),
            StoredData::New(source) => source.len(),
        }
    }
}

/// A file on its way into an archive.
#[derive(Clone)]
struct SpecMember {
    path: Bytes,
    compression: u8,
    data: StoredData,
}

/// The next state of an archive.
#[derive(Clone)]
pub struct SpecDraft {
    /// The archive that is changed; `None` for a new one.
    base: Option<Archive>,
    version: u32,
    /// The files in the order of the index; `None` where one was taken out.
    members: Vec<Option<SpecMember>>,
    is_changed: bool,
}

impl std::fmt::Debug for SpecDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SpecDraft").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl SpecDraft {
    /// A new archive without a file, of this version.
    pub(super) const fn new(version: u32) -> SpecDraft {
        SpecDraft { base: None, version, members: Vec::new(), is_changed: true }
    }

    /// An archive as it is.
    ///
    /// # Errors
    /// [`codes::PAK_EXTENT`] where the data of an entry is not there and cannot be moved so; limits.
    pub(super) fn of(base: &Archive, index: &SpecIndex, task: &mut Task<'_>) -> Result<SpecDraft> {
        let mut members = task.budget.vec(index.len() as u64)?;
        task.budget.touch(index.bytes.len() as u64)?;
        for entry in index.entries() {
            let at = index
                .data_at(&entry)
                .ok_or_else(|| Error::new(&codes::PAK_EXTENT).at(entry.data_at()))?;
            members.push(Some(SpecMember {
                path: index.bytes.slice_ref(entry.path),
                compression: entry.numbers.compression,
                data: StoredData::Kept(at.start..at.end()),
            }));
        }
        let version = index.header.version.get();
        Ok(SpecDraft { base: Some(base.clone()), version, members, is_changed: false })
    }

    /// Number of files.
    pub(super) fn len(&self) -> usize {
        self.members.iter().flatten().count()
    }

    fn member(&mut self, n: u32) -> Result<&mut SpecMember> {
        self.is_changed = true;
        self.members.get_mut(n as usize).and_then(Option::as_mut).ok_or_else(not_found)
    }

    /// Gives a file other content, packed as it was.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); reading errors; limits.
    pub(super) fn set(
        &mut self,
        n: u32,
        plain: Arc<dyn Source>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let level = match self.member(n)?.compression {
            1 => {
                // What cannot be inflated has no level.
                let level = self.base.as_ref().and_then(|base| base.level(n, task).ok().flatten());
                Some(level.unwrap_or(USUAL_LEVEL))
            }
            _ => None,
        };
        self.member(n)?.data = StoredData::New(stored(plain, level, task)?);
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

    /// Adds a file behind the others, packed at this level, or stored as it is.
    ///
    /// # Errors
    /// [`codes::PAK_BAD_PATH`]; reading errors; limits.
    pub(super) fn add(
        &mut self,
        path: &[u8],
        plain: Arc<dyn Source>,
        level: Option<u8>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let data = stored(plain, level, task)?;
        self.add_stored(path, u8::from(level.is_some()), data)
    }

    /// Adds a file behind the others, whose stored bytes these are.
    ///
    /// # Errors
    /// [`codes::PAK_BAD_PATH`].
    pub(super) fn add_stored(
        &mut self,
        path: &[u8],
        compression: u8,
        data: Arc<dyn Source>,
    ) -> Result<()> {
        check(path)?;
        self.is_changed = true;
        let (path, data) = (Bytes::copy_from_slice(path), StoredData::New(data));
        self.members.push(Some(SpecMember { path, compression, data }));
        Ok(())
    }

    /// The old archive, where it stays as it is.
    fn unchanged(&self) -> Option<&Archive> {
        self.base.as_ref().filter(|_| !self.is_changed)
    }

    /// Bytes behind the index.
    fn trailing(&self) -> Range<u64> {
        let trailing = self.base.as_ref().map_or(Span::file(0, 0), Archive::trailing);
        trailing.start..trailing.end()
    }

    /// The bytes of the archive. Files that stay are stretches of the old one.
    ///
    /// # Errors
    /// As [`build_spec`]; reading errors; limits.
    pub(super) fn source(&self, task: &mut Task<'_>) -> Result<Arc<dyn Source>> {
        if let Some(base) = self.unchanged() {
            return Ok(base.shared_source());
        }
        let (header, index) = self.lay_out(task)?;
        let mut pieces = task.budget.vec::<Piece>((self.len() as u64).saturating_add(3))?;
        pieces.push(Piece::New(Bytes::copy_from_slice(header.as_bytes())));
        for member in self.members.iter().flatten() {
            pieces.push(match &member.data {
                StoredData::Kept(range) => Piece::Kept(range.clone()),
                StoredData::New(data) => Piece::New(data.read(0..data.len(), &mut task.budget)?),
            });
        }
        pieces.push(Piece::New(index.into()));
        pieces.push(Piece::Kept(self.trailing()));
        let base = self.base.as_ref();
        let old =
            base.map_or_else(|| Arc::new(Bytes::new()) as Arc<dyn Source>, Archive::shared_source);
        Ok(Arc::new(Pieces::new(old, pieces)))
    }

    /// Writes the archive; gives its size. What is stored as it is is never in memory as a whole.
    ///
    /// # Errors
    /// As [`build_spec`]; reading errors.
    pub(super) fn write(&self, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<u64> {
        if let Some(base) = self.unchanged() {
            base.write(out, task)?;
            return Ok(base.size());
        }
        let (header, index) = self.lay_out(task)?;
        out.write_all(header.as_bytes())?;
        let nothing = Bytes::new();
        let old = self.base.as_ref().map_or(&nothing as &dyn Source, Archive::source);
        let mut copy = |from: &dyn Source, range: Range<u64>, out: &mut dyn io::Write| {
            in_pieces(from, range, &mut task.budget, |bytes| out.write_all(bytes))
        };
        for member in self.members.iter().flatten() {
            match &member.data {
                StoredData::Kept(range) => copy(old, range.clone(), out)?,
                StoredData::New(data) => copy(&**data, 0..data.len(), out)?,
            }
        }
        out.write_all(&index)?;
        let trailing = self.trailing();
        let behind = trailing.end.saturating_sub(trailing.start);
        copy(old, trailing, out)?;
        let size = u64::from(header.index_offset.get()).saturating_add(index.len() as u64);
        Ok(size.saturating_add(behind))
    }

    /// Header and index; the data of the files lies back to back in their order.
    fn lay_out(&self, task: &mut Task<'_>) -> Result<(SpecHeader, Vec<u8>)> {
        let mut paths = HashSet::new();
        let (mut index, mut at, mut count) = (Vec::new(), SpecHeader::LEN, 0_u64);
        for SpecMember { path, compression, data } in self.members.iter().flatten() {
            let room = (path.len() as u64).saturating_mul(2).saturating_add(128);
            task.budget.memory(room)?;
            task.budget.touch(room)?;
            if !paths.insert(path) {
                let path = CodePages::cp1252().show(path).into_owned();
                return Err(Error::new(&codes::PAK_PATH_TAKEN).found(path));
            }
            let numbers = PathNumbers {
                offset: fits("offset", at)?,
                size: fits("size", data.len())?,
                compression: *compression,
            };
            index.extend_from_slice(path);
            index.push(0);
            index.extend_from_slice(numbers.as_bytes());
            at = at.saturating_add(data.len());
            count = count.saturating_add(1);
        }
        let header = SpecHeader {
            magic: Chars(*MAGIC_SPEC),
            version: U32::new(self.version),
            entry_count: fits("entry_count", count)?,
            index_offset: fits("index_offset", at)?,
        };
        Ok((header, index))
    }
}

/// The bytes to store of a content: packed at this level, or as they are.
fn stored(
    plain: Arc<dyn Source>,
    level: Option<u8>,
    task: &mut Task<'_>,
) -> Result<Arc<dyn Source>> {
    let Some(level) = level else { return Ok(plain) };
    let len = plain.len();
    task.budget.touch(len)?;
    let bytes = plain.read(0..len, &mut task.budget)?;
    task.budget.memory(len)?;
    Ok(Arc::new(Bytes::from(zlib::deflate(&bytes, level))))
}

/// Refuses a path that no index can have.
fn check(path: &[u8]) -> Result<()> {
    if path.is_empty() || path.contains(&0) {
        let path = CodePages::cp1252().show(path).into_owned();
        return Err(Error::new(&codes::PAK_BAD_PATH).found(path));
    }
    Ok(())
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
    let mut draft = SpecDraft::new(version);
    for file in files {
        draft.add(&file.path, Arc::new(file.data.clone()), file.level, task)?;
    }
    draft.write(out, task).map(|_| ())
}

fn fits(field: &'static str, value: u64) -> Result<U32> {
    let fits = u32::try_from(value).map(U32::new);
    fits.map_err(|_| Error::new(&codes::PAK_TOO_LARGE).field(field).found(value))
}
