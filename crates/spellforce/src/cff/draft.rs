//! The next state of a chunk file: chunks that stay, chunks with other content, new ones.
//!
//! Chunks that stay keep their stored bytes, headers included; others are packed as they were packed before
//! (`docs/formats/cff.md#3-packed-chunks`). What comes of it is a source like any other, which is opened and written as one.

use super::{
    chunk::{Chunk, ChunkFile, not_found},
    form::{ChunkHeader, Form, UnpackedLength},
    header::FileHeader,
    write::USUAL_LEVEL,
};
use crate::codes;
use spelunk_core::{
    Bytes, Error, Result, Source, Span, Task,
    pieces::{Piece, Pieces},
    scalar::{I16, I32, fit},
    zlib,
};
use std::sync::Arc;
use zerocopy::IntoBytes;

/// Content of a new chunk, and the way it is stored.
#[derive(Clone, Debug)]
pub enum Content {
    /// As it is.
    Raw(Bytes),
    /// As it is, with this word for the unpacked length of wide headers, which says nothing there.
    RawWith(Bytes, i32),
    /// Packed at this level.
    Packed(Bytes, u8),
    /// As a stream that is packed already, of so many plain bytes.
    Stream(Bytes, u64),
}

/// A chunk that is to be written.
#[derive(Clone, Debug)]
pub struct NewChunk {
    /// Id of the chunk, which says what it holds.
    pub id: i16,
    /// Number of the chunk among those of one id.
    pub occurrence: i16,
    /// Version of its layout.
    pub data_type: i16,
    /// The packed word; 0 of raw content whatever it is here.
    pub packed: i16,
    /// Content of the chunk.
    pub content: Content,
}

impl NewChunk {
    /// A chunk as the one at this position of a file, with other plain data; packed at the level of that one where it is to be
    /// packed.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND); when the old one cannot be read; limits.
    pub fn like(
        file: &ChunkFile,
        position: u32,
        plain: Bytes,
        is_packed: bool,
        task: &mut Task<'_>,
    ) -> Result<NewChunk> {
        let chunk = file.chunk(position).ok_or_else(not_found)?;
        let content = if is_packed {
            // What cannot be inflated has no level.
            let level = match chunk.is_damaged() {
                true => None,
                false => {
                    let section = file.section(position, &mut task.budget)?;
                    section.level(&mut task.budget).ok().flatten()
                }
            };
            Content::Packed(plain, level.unwrap_or(USUAL_LEVEL))
        } else {
            Content::Raw(plain)
        };
        Ok(NewChunk {
            id: chunk.id(),
            occurrence: chunk.occurrence(),
            data_type: chunk.data_type(),
            packed: chunk.packed(),
            content,
        })
    }
}

#[derive(Clone, Debug)]
enum DraftChunk {
    /// The chunk at this position of the old file.
    Kept(u32),
    /// The chunk at this position with other plain data.
    Changed(u32, Bytes),
    New(Box<NewChunk>),
}

/// The next state of a chunk file.
#[derive(Clone, Debug)]
pub struct Draft<'f> {
    base: Option<&'f ChunkFile>,
    /// The header.
    pub header: FileHeader,
    form: Form,
    parts: Vec<DraftChunk>,
    /// Bytes behind the last chunk; those of the old file where `None`.
    pub tail: Option<Bytes>,
}

impl<'f> Draft<'f> {
    /// A file of this form, with this header and without chunks.
    pub const fn new(header: FileHeader, form: Form) -> Draft<'f> {
        Draft { base: None, header, form, parts: Vec::new(), tail: None }
    }

    /// The file as it is.
    pub fn of(base: &'f ChunkFile) -> Draft<'f> {
        let parts = (0..).zip(base.chunks()).map(|(n, _)| DraftChunk::Kept(n)).collect();
        let (header, form) = (*base.header(), base.form());
        Draft { base: Some(base), header, form, parts, tail: None }
    }

    /// Gives the chunk at this position of the draft other plain data.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub fn set(&mut self, position: usize, plain: Bytes) -> Result<()> {
        let part = self.parts.get_mut(position).ok_or_else(not_found)?;
        match part {
            DraftChunk::Kept(n) | DraftChunk::Changed(n, _) => {
                *part = DraftChunk::Changed(*n, plain)
            }
            DraftChunk::New(new) => {
                new.content = match &new.content {
                    Content::Raw(_) | Content::RawWith(..) => Content::Raw(plain),
                    Content::Packed(_, level) => Content::Packed(plain, *level),
                    Content::Stream(..) => Content::Packed(plain, USUAL_LEVEL),
                }
            }
        }
        Ok(())
    }

    /// Puts a chunk before the one at this position, or behind all.
    pub fn insert(&mut self, position: usize, chunk: NewChunk) {
        self.parts.insert(position.min(self.parts.len()), DraftChunk::New(Box::new(chunk)));
    }

    /// Takes the chunk at this position out.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND).
    pub fn remove(&mut self, position: usize) -> Result<()> {
        if position >= self.parts.len() {
            return Err(not_found());
        }
        self.parts.remove(position);
        Ok(())
    }

    /// The bytes of the file. Content that is the old one stays as it was stored.
    ///
    /// # Errors
    /// When an old chunk cannot be read; [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE) for content that no length field
    /// holds; [`codes::CFF_SPEC_HEADERS`] where the file would be read as one of the dialect `spec` and is none, or the other way
    /// round, or with the other headers of the dialect; limits.
    pub fn source(&self, task: &mut Task<'_>) -> Result<Arc<dyn Source>> {
        let mut pieces = vec![Piece::New(Bytes::copy_from_slice(self.header.as_bytes()))];
        let tail = match (&self.tail, self.base) {
            (Some(tail), _) => Some(Piece::New(tail.clone())),
            (None, Some(base)) => Some(Piece::Kept(base.tail().start..base.tail().end())),
            (None, None) => None,
        };
        let has_tail = match &tail {
            Some(Piece::New(tail)) => !tail.is_empty(),
            Some(Piece::Kept(tail)) => !tail.is_empty(),
            None => false,
        };
        let last = self.parts.len().saturating_sub(usize::from(!has_tail));
        for (nth, part) in self.parts.iter().enumerate() {
            match part {
                // What stands behind a chunk that is cut short would be its data.
                DraftChunk::Kept(n) if nth < last && self.is_cut(*n) => {
                    self.whole(*n, &mut pieces, task)?;
                }
                DraftChunk::Kept(n) => pieces.push(self.kept(*n)?),
                DraftChunk::Changed(n, plain) => self.changed(*n, plain, &mut pieces, task)?,
                DraftChunk::New(new) => self.made(new, &mut pieces)?,
            }
        }
        pieces.extend(tail);
        let base = match self.base {
            Some(base) => base.shared_source(),
            None => Arc::new(Bytes::new()),
        };
        let made = Pieces::new(base, pieces);
        self.refuse_other_form(&made, task)?;
        Ok(Arc::new(made))
    }

    /// Refuses a file that would be read in another form, and so as something else, where the dialect `spec` is one of the two.
    fn refuse_other_form(&self, made: &dyn Source, task: &mut Task<'_>) -> Result<()> {
        let (form, _) = Form::find(made, &self.header, task)?;
        if form == self.form || !(form.is_spec() || self.form.is_spec()) {
            return Ok(());
        }
        let error = Error::new(&codes::CFF_SPEC_HEADERS).at(Span::file(FileHeader::LEN, 0));
        let expected = match self.form.is_spec() {
            true => "a file that is in the same form of the dialect `spec` once it is written",
            false => "a file that is a real one once it is written",
        };
        Err(error.expected(expected).found("one that would be read in another form"))
    }

    fn is_cut(&self, n: u32) -> bool {
        self.base.and_then(|base| base.chunk(n)).is_some_and(Chunk::is_cut)
    }

    /// A chunk that is cut short, with the length that it has.
    fn whole(&self, n: u32, pieces: &mut Vec<Piece>, task: &mut Task<'_>) -> Result<()> {
        let base = self.base.ok_or_else(not_found)?;
        let plain = base.plain(n, &mut task.budget)?.clone();
        self.made(&NewChunk::like(base, n, plain, false, task)?, pieces)
    }

    fn kept(&self, n: u32) -> Result<Piece> {
        let chunk = self.base.and_then(|base| base.chunk(n)).ok_or_else(not_found)?;
        Ok(Piece::Kept(chunk.at().start..chunk.at().end()))
    }

    /// A chunk with other content, packed at the level of the old one.
    fn changed(
        &self,
        n: u32,
        plain: &Bytes,
        pieces: &mut Vec<Piece>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let base = self.base.ok_or_else(not_found)?;
        let chunk = base.chunk(n).ok_or_else(not_found)?;
        let old = base.plain(n, &mut task.budget);
        if old.is_ok_and(|old| old == plain) {
            pieces.push(self.kept(n)?);
            return Ok(());
        }
        let new = NewChunk::like(base, n, plain.clone(), chunk.is_packed(), task)?;
        self.made(&new, pieces)
    }

    /// Header and data of a chunk.
    fn made(&self, new: &NewChunk, pieces: &mut Vec<Piece>) -> Result<()> {
        let (stored, plain_len) = match &new.content {
            Content::Raw(plain) | Content::RawWith(plain, _) => (plain.clone(), None),
            Content::Packed(plain, level) => {
                (zlib::deflate(plain, *level).into(), Some(plain.len() as u64))
            }
            Content::Stream(stored, plain_len) => (stored.clone(), Some(*plain_len)),
        };
        let packed = match plain_len {
            Some(_) if new.packed == 0 => 1,
            Some(_) => new.packed,
            None => 0,
        };
        let header = ChunkHeader {
            id: I16::new(new.id),
            occurrence: I16::new(new.occurrence),
            packed: I16::new(packed),
            data_length: I32::new(fit(stored.len() as u64, "data_length")?),
            data_type: I16::new(new.data_type),
        };
        let len = match self.form {
            Form::Narrow => plain_len,
            Form::Wide => Some(plain_len.unwrap_or(stored.len() as u64)),
            Form::SpecTable | Form::SpecDump => None,
        };
        let unpacked = match (len, &new.content) {
            (Some(_), Content::RawWith(_, word)) => Some(I32::new(*word)),
            (Some(len), _) => Some(I32::new(fit(len, "unpacked_length")?)),
            (None, _) => None,
        };
        let unpacked = unpacked.map(|unpacked_length| UnpackedLength { unpacked_length });
        let head = self.form.encode(&header, unpacked.as_ref())?;
        pieces.extend([Piece::New(head.into()), Piece::New(stored)]);
        Ok(())
    }
}
