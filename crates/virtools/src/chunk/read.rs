//! Reading the content of a chunk (`docs/formats/virtools.md#121-primitives`).
//!
//! ```
//! use spelunk_core::Span;
//! use virtools::chunk::{buffer::Header, build::Builder, read::Reader};
//!
//! let mut builder = Builder::new(Header::object(31));
//! builder.identifier(0x1000)?.string(Some(b"a.wav"))?.object(Some(7))?;
//! let chunk = builder.finish();
//! let mut reader = Reader::section(chunk.view(Span::file(0, 0)), 0x1000)?;
//! assert_eq!(reader.string("file_name")?.text(), b"a.wav");
//! # Ok::<(), spelunk_core::Error>(())
//! ```

use super::{Chunk, edit::missing, item::SubChunks, old};
use crate::codes;
use spelunk_core::{Error, Result, Seg, Span, scalar::Guid, text::until_nul};
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

/// A string or buffer as stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Padded<'a> {
    /// The bytes that its length counts, the NUL of a string among them.
    pub bytes: &'a [u8],
    /// The bytes that fill it up to whole dwords, 0 to 3; left-over memory in real files.
    pub padding: &'a [u8],
}

impl<'a> Padded<'a> {
    /// Whether it is the null string or buffer, which has a length of 0. The empty string has a length of 1.
    pub const fn is_null(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The text: the bytes before the first NUL.
    pub fn text(&self) -> &'a [u8] {
        until_nul(self.bytes)
    }
}

/// A reference to an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjRef {
    /// Reference to nothing, or to an object that was not saved.
    Null,
    /// A position in the object table of the file, in file mode; below 0x80000000.
    Index(u32),
    /// The id that the object had when it was saved; never 0.
    Id(u32),
}

/// The references of a sequence or array.
#[derive(Clone, Debug)]
pub struct Objects<'a> {
    values: std::slice::Iter<'a, U32>,
    file_mode: bool,
}

impl Iterator for Objects<'_> {
    type Item = ObjRef;

    #[inline]
    fn next(&mut self) -> Option<ObjRef> {
        self.values.next().map(|value| ObjRef::of(value.get(), self.file_mode))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.values.size_hint()
    }
}

impl ExactSizeIterator for Objects<'_> {}

impl ObjRef {
    pub(crate) const fn of(value: u32, file_mode: bool) -> ObjRef {
        match (file_mode, value) {
            (true, ..0x8000_0000) => ObjRef::Index(value),
            (true, _) | (false, 0) => ObjRef::Null,
            (false, id) => ObjRef::Id(id),
        }
    }

    /// Number that [`Builder::object`](super::build::Builder::object) writes again; the mode of the chunk decides which of the
    /// two it is.
    pub const fn value(self) -> Option<u32> {
        match self {
            ObjRef::Null => None,
            ObjRef::Index(value) | ObjRef::Id(value) => Some(value),
        }
    }
}

/// Reads forward through a chunk, or through one section of it.
///
/// Every read names the field it is for. A read that would pass the end is [`codes::SECTION_END`] and takes
/// nothing.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    chunk: Chunk<'a>,
    identifier: Option<u32>,
    at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    /// All the data of a chunk, identifiers included.
    pub const fn new(chunk: Chunk<'a>) -> Reader<'a> {
        Reader { chunk, identifier: None, at: 0, end: chunk.data.len() }
    }

    /// Returns a reader of the dwords behind the first identifier of this number, up to the next identifier; `None` where the
    /// chunk has none.
    ///
    /// Engines look from the last identifier that was found on and start over at the end of the chain. Where no
    /// identifier occurs twice, as in all real files, that finds the same.
    pub fn find(chunk: Chunk<'a>, identifier: u32) -> Option<Reader<'a>> {
        let section = chunk.sections().find(|section| section.identifier == identifier)?;
        let range = section.payload();
        Some(Reader { chunk, identifier: Some(identifier), at: range.start, end: range.end })
    }

    /// As [`Reader::find`], for a section that has to be there.
    ///
    /// # Errors
    /// [`codes::NO_IDENTIFIER`].
    pub fn section(chunk: Chunk<'a>, identifier: u32) -> Result<Reader<'a>> {
        Reader::find(chunk, identifier).ok_or_else(|| missing(identifier).at(chunk.at))
    }

    /// The chunk.
    pub const fn chunk(&self) -> &Chunk<'a> {
        &self.chunk
    }

    /// The index in the data of the next dword.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Dwords that are left; before the first read that is the size of the section.
    pub const fn remaining(&self) -> usize {
        self.end.saturating_sub(self.at)
    }

    /// Place of the next `count` dwords.
    pub fn span(&self, count: usize) -> Span {
        self.chunk.data_at(self.at, count)
    }

    /// The next `count` dwords.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    #[inline]
    pub fn dwords(&mut self, count: usize, name: &'static str) -> Result<&'a [U32]> {
        let end = self.at.saturating_add(count);
        let words = self.chunk.data.get(self.at..end).filter(|_| end <= self.end);
        let words = words.ok_or_else(|| self.too_short(count, name))?;
        self.at = end;
        Ok(words)
    }

    /// A dword.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    #[inline]
    pub fn dword(&mut self, name: &'static str) -> Result<u32> {
        Ok(self.some::<1>(name)?[0].get())
    }

    /// A signed dword.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn int(&mut self, name: &'static str) -> Result<i32> {
        Ok(self.dword(name)?.cast_signed())
    }

    /// A byte: the lowest of a dword. The others are copies of its sign, or 0.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn byte(&mut self, name: &'static str) -> Result<u8> {
        let [byte, ..] = self.dword(name)?.to_le_bytes();
        Ok(byte)
    }

    /// A 16-bit number: the low half of a dword.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn word(&mut self, name: &'static str) -> Result<u16> {
        Ok(self.dword_as_words(name)?.0)
    }

    /// Two 16-bit numbers: the low and the high half of a dword.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn dword_as_words(&mut self, name: &'static str) -> Result<(u16, u16)> {
        let [a, b, c, d] = self.dword(name)?.to_le_bytes();
        Ok((u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])))
    }

    /// A single-precision number.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn float(&mut self, name: &'static str) -> Result<f32> {
        Ok(f32::from_bits(self.dword(name)?))
    }

    /// A GUID: two dwords.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn guid(&mut self, name: &'static str) -> Result<Guid> {
        let [d1, d2] = *self.some::<2>(name)?;
        Ok(Guid { d1, d2 })
    }

    /// A point or direction of the plane: x, y.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn vector2(&mut self, name: &'static str) -> Result<[f32; 2]> {
        self.floats(name)
    }

    /// A point or direction of space: x, y, z.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn vector(&mut self, name: &'static str) -> Result<[f32; 3]> {
        self.floats(name)
    }

    /// A quaternion: x, y, z, w.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn quaternion(&mut self, name: &'static str) -> Result<[f32; 4]> {
        self.floats(name)
    }

    /// A colour as four numbers: red, green, blue, alpha.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn colour(&mut self, name: &'static str) -> Result<[f32; 4]> {
        self.floats(name)
    }

    /// A matrix: four rows of four numbers, the last row the translation.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn matrix(&mut self, name: &'static str) -> Result<[f32; 16]> {
        self.floats(name)
    }

    /// A string: its length in bytes with the NUL, then the bytes in whole dwords.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn string(&mut self, name: &'static str) -> Result<Padded<'a>> {
        self.buffer(name)
    }

    /// A string of 16-bit units as the written specification has it: their count, then the units in whole
    /// dwords. No real file holds one.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn wide_string(&mut self, name: &'static str) -> Result<Padded<'a>> {
        self.all(|reader| {
            let count = reader.dword(name)? as usize;
            reader.buffer_no_size(count.saturating_mul(2), name)
        })
    }

    /// A buffer: its length in bytes, then the bytes in whole dwords.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn buffer(&mut self, name: &'static str) -> Result<Padded<'a>> {
        self.all(|reader| {
            let len = reader.dword(name)? as usize;
            reader.buffer_no_size(len, name)
        })
    }

    /// `len` bytes in whole dwords.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn buffer_no_size(&mut self, len: usize, name: &'static str) -> Result<Padded<'a>> {
        let bytes = self.dwords(len.div_ceil(4), name)?.as_bytes();
        let (bytes, padding) = bytes.split_at_checked(len).unwrap_or((bytes, &[]));
        Ok(Padded { bytes, padding })
    }

    /// An array: its length in bytes, the count of its elements, then the bytes in whole dwords. The count comes
    /// with the bytes; that it divides them is not checked.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn array(&mut self, name: &'static str) -> Result<(u32, Padded<'a>)> {
        self.all(|reader| {
            let [len, count] = *reader.some::<2>(name)?;
            Ok((count.get(), reader.buffer_no_size(len.get() as usize, name)?))
        })
    }

    /// A reference to an object. Below chunk version 4 fixed dwords stand before an id, which are not compared,
    /// as engines do not.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn object(&mut self, name: &'static str) -> Result<ObjRef> {
        self.all(|reader| {
            let first = reader.dword(name)?;
            if !reader.chunk.is_marked() || first == 0 {
                return Ok(ObjRef::of(first, reader.chunk.file_mode));
            }
            let [_, _, id] = *reader.some::<3>(name)?;
            Ok(ObjRef::of(id.get(), false))
        })
    }

    /// References to objects: a count, then that many. Below chunk version 4 an array that is not empty has
    /// fixed dwords before its count, which are not compared.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn objects(&mut self, name: &'static str) -> Result<Objects<'a>> {
        self.all(|reader| {
            let mut count = reader.dword(name)?;
            if reader.chunk.is_marked() && count != 0 {
                reader.dwords(old::ARRAY.len().saturating_sub(1), name)?;
                count = reader.dword(name)?;
            }
            let values = reader.dwords(count as usize, name)?.iter();
            Ok(Objects { values, file_mode: reader.chunk.file_mode })
        })
    }

    /// A sub-chunk; `None` for a null one.
    ///
    /// # Errors
    /// [`codes::SECTION_END`]; [`codes::SUB_CHUNK`] where its sizes do not fit.
    pub fn sub_chunk(&mut self, name: &'static str) -> Result<Option<Chunk<'a>>> {
        let size = self.clone().dword(name)? as usize;
        self.clone().dwords(size.saturating_add(1), name)?;
        let (chunk, end) = self.chunk.sub_chunk(self.at).map_err(|error| error.field(name))?;
        self.at = end;
        Ok(chunk)
    }

    /// Sub-chunks: a count, then that many, null ones among them.
    ///
    /// # Errors
    /// As [`Reader::sub_chunk`]; none of the sub-chunks that come back is damaged.
    pub fn sub_chunks(&mut self, name: &'static str) -> Result<SubChunks<'a>> {
        let count = self.clone().dword(name)? as usize;
        let short = || self.too_short(count.saturating_add(1), name);
        let chunks = self.chunk.sub_chunks(self.at).ok_or_else(short)?;
        let mut ahead = chunks.clone();
        for chunk in ahead.by_ref() {
            chunk.map_err(|error| error.field(name))?;
        }
        self.dwords(ahead.index().saturating_sub(self.at), name)?;
        Ok(chunks)
    }

    /// The GUID of a manager and one of its numbers.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn manager_int(&mut self, name: &'static str) -> Result<(Guid, u32)> {
        let [d1, d2, value] = *self.some::<3>(name)?;
        Ok((Guid { d1, d2 }, value.get()))
    }

    /// Numbers of a manager: their count, the GUID of the manager, then the numbers.
    ///
    /// # Errors
    /// [`codes::SECTION_END`].
    pub fn manager_ints(&mut self, name: &'static str) -> Result<(Guid, &'a [U32])> {
        self.all(|reader| {
            let count = reader.dword(name)? as usize;
            Ok((reader.guid(name)?, reader.dwords(count, name)?))
        })
    }

    fn floats<const N: usize>(&mut self, name: &'static str) -> Result<[f32; N]> {
        Ok(self.some::<N>(name)?.map(|word| f32::from_bits(word.get())))
    }

    #[inline]
    fn some<const N: usize>(&mut self, name: &'static str) -> Result<&'a [U32; N]> {
        let words = self.dwords(N, name)?.as_bytes();
        // The length is exact and dwords of files are unaligned, so the view cannot fail.
        <[U32; N]>::ref_from_bytes(words).map_err(|_| self.too_short(N, name))
    }

    /// A read of several parts takes all of them or nothing.
    #[inline]
    fn all<T>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Result<T>) -> Result<T> {
        let start = self.at;
        read(self).inspect_err(|_| self.at = start)
    }

    #[cold]
    fn too_short(&self, count: usize, name: &'static str) -> Error {
        let error = Error::new(&codes::SECTION_END)
            .at(self.span(self.remaining()))
            .field(name)
            .expected(format!("{count} dwords"))
            .found(format!("{} dwords left", self.remaining()));
        match self.identifier {
            Some(identifier) => error.within(Seg::Key(format!("{identifier:#x}").into())),
            None => error,
        }
    }
}
