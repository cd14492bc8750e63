//! Building chunks (`docs/formats/virtools.md#123-builder`).
//!
//! Every call writes one value behind what was written before, as the calls of the engine do, and keeps the
//! chain of identifiers and the lists.
//!
//! ```
//! use spelunk_core::zerocopy::little_endian::U32;
//! use virtools::chunk::{buffer::Header, build::Builder};
//!
//! let mut builder = Builder::new(Header::object(31));
//! builder.identifier(0x40)?.int(-1)?.identifier(0x1000)?.string(Some(b"a"))?;
//! let data = [0x40, 3, u32::MAX, 0x1000, 0, 2, u32::from(b'a')].map(U32::new);
//! assert_eq!(builder.finish().data, data);
//! # Ok::<(), spelunk_core::Error>(())
//! ```

mod references;

use super::{
    buffer::{ChunkBuf, Header},
    edit::room,
    read::Padded,
    section::HEADER_LEN,
};
use crate::codes;
use spelunk_core::{
    Error, Result,
    scalar::{Guid, fit},
};
use zerocopy::little_endian::U32;

/// A chunk under construction.
///
/// A chunk without identifiers is the content of a section, for [`ChunkBuf::set_section`] and its like. A call
/// that fails has written nothing.
#[derive(Clone, Debug)]
pub struct Builder {
    chunk: ChunkBuf,
    /// The index of the last identifier.
    last: Option<usize>,
}

impl Builder {
    /// A chunk without content yet.
    pub const fn new(header: Header) -> Builder {
        Builder { chunk: ChunkBuf::new(header), last: None }
    }

    /// The chunk.
    pub fn finish(self) -> ChunkBuf {
        self.chunk
    }

    /// Starts a section: an identifier, to which the one before is linked.
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] where something was written before the first identifier, which the link to the
    /// next one would overwrite; [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn identifier(&mut self, identifier: u32) -> Result<&mut Self> {
        let index = self.chunk.data.len();
        self.room(HEADER_LEN)?;
        self.link(index)?;
        self.last = Some(index);
        self.push(&[identifier, 0])
    }

    /// A byte, zero-extended to a dword.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn byte(&mut self, value: u8) -> Result<&mut Self> {
        self.dword(value.into())
    }

    /// A byte, sign-extended to a dword as engines write it.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn signed_byte(&mut self, value: i8) -> Result<&mut Self> {
        self.int(value.into())
    }

    /// A 16-bit number, zero-extended to a dword.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn word(&mut self, value: u16) -> Result<&mut Self> {
        self.dword(value.into())
    }

    /// A signed dword.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn int(&mut self, value: i32) -> Result<&mut Self> {
        self.dword(value.cast_unsigned())
    }

    /// A dword.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn dword(&mut self, value: u32) -> Result<&mut Self> {
        self.push(&[value])
    }

    /// A dword that holds two 16-bit numbers, the low one first.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn dword_as_words(&mut self, low: u16, high: u16) -> Result<&mut Self> {
        self.dword(u32::from(high) << 16 | u32::from(low))
    }

    /// Dwords as they are.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn dwords(&mut self, values: &[U32]) -> Result<&mut Self> {
        self.room(values.len())?;
        self.chunk.data.extend_from_slice(values);
        Ok(self)
    }

    /// A single-precision number.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn float(&mut self, value: f32) -> Result<&mut Self> {
        self.dword(value.to_bits())
    }

    /// A GUID: two dwords.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn guid(&mut self, guid: Guid) -> Result<&mut Self> {
        self.dwords(&[guid.d1, guid.d2])
    }

    /// A point or direction of the plane: x, y.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn vector2(&mut self, value: [f32; 2]) -> Result<&mut Self> {
        self.floats(value)
    }

    /// A point or direction of space: x, y, z.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn vector(&mut self, value: [f32; 3]) -> Result<&mut Self> {
        self.floats(value)
    }

    /// A quaternion: x, y, z, w.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn quaternion(&mut self, value: [f32; 4]) -> Result<&mut Self> {
        self.floats(value)
    }

    /// A colour as four numbers: red, green, blue, alpha.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn colour(&mut self, value: [f32; 4]) -> Result<&mut Self> {
        self.floats(value)
    }

    /// A matrix: four rows of four numbers, the last row the translation.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn matrix(&mut self, value: [f32; 16]) -> Result<&mut Self> {
        self.floats(value)
    }

    /// A string: its length in bytes with the NUL, then bytes and NUL, filled up with zeros to whole dwords.
    /// `None` is the null string, a length of 0 alone; the empty string has a length of 1.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn string(&mut self, text: Option<&[u8]>) -> Result<&mut Self> {
        let Some(text) = text else { return self.null_buffer() };
        let len = fit(text.len().saturating_add(1) as u64, "string")?;
        self.room(dwords_of(text.len().saturating_add(1)).saturating_add(1))?;
        self.dword(len)?.bytes(&[text, &[0]].concat(), &[])
    }

    /// A string of 16-bit units as the written specification has it: their count with the NUL, then the units,
    /// filled up with a zero. No real file holds one. `None` is a count of 0 alone.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn wide_string(&mut self, text: Option<&[u16]>) -> Result<&mut Self> {
        let Some(text) = text else { return self.null_buffer() };
        let bytes: Vec<u8> = text.iter().chain(&[0]).flat_map(|unit| unit.to_le_bytes()).collect();
        let count = fit(text.len().saturating_add(1) as u64, "wide_string")?;
        self.room(dwords_of(bytes.len()).saturating_add(1))?;
        self.dword(count)?.bytes(&bytes, &[])
    }

    /// A buffer: its length in bytes, then the bytes, filled up with zeros to whole dwords.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn buffer(&mut self, bytes: &[u8]) -> Result<&mut Self> {
        self.sized(bytes, &[])
    }

    /// The null buffer: a length of 0 alone.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn null_buffer(&mut self) -> Result<&mut Self> {
        self.dword(0)
    }

    /// A string or buffer as it was read: the NUL of a string is one of its bytes, and it is filled up with the
    /// bytes that were there. Real files have left-over memory there.
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] where the padding does not fill up the last dword;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn padded(&mut self, buffer: Padded<'_>) -> Result<&mut Self> {
        Builder::check_padding(buffer)?;
        self.sized(buffer.bytes, buffer.padding)
    }

    /// Bytes without their length, filled up with zeros to whole dwords.
    ///
    /// # Errors
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn buffer_no_size(&mut self, bytes: &[u8]) -> Result<&mut Self> {
        self.bytes(bytes, &[])
    }

    /// As [`Builder::buffer_no_size`], filled up as [`Builder::padded`].
    ///
    /// # Errors
    /// As [`Builder::padded`].
    pub fn padded_no_size(&mut self, buffer: Padded<'_>) -> Result<&mut Self> {
        Builder::check_padding(buffer)?;
        self.bytes(buffer.bytes, buffer.padding)
    }

    /// An array: its length in bytes, the count of its elements, then the bytes, filled up with zeros to whole
    /// dwords. An empty one is two zeros.
    ///
    /// # Errors
    /// [`codes::CHUNK_CONTENT`] where the bytes are not `count` elements of one size;
    /// [`TOO_LARGE`](spelunk_core::codes::TOO_LARGE).
    pub fn array(&mut self, bytes: &[u8], count: u32) -> Result<&mut Self> {
        let whole =
            bytes.len().checked_rem(count as usize).map_or(bytes.is_empty(), |odd| odd == 0);
        if !whole || (bytes.is_empty() && count != 0) {
            return Err(Error::new(&codes::CHUNK_CONTENT)
                .field("array")
                .expected(format!("{count} elements of one size"))
                .found(format!("{} bytes", bytes.len())));
        }
        let len = fit(bytes.len() as u64, "array")?;
        self.room(dwords_of(bytes.len()).saturating_add(2))?;
        self.push(&[len, count])?.bytes(bytes, &[])
    }

    /// Dwords so far.
    pub(crate) fn len(&self) -> usize {
        self.chunk.data.len()
    }

    /// Puts another dword in the place of one that was written before.
    pub(crate) fn set(&mut self, index: usize, value: u32) {
        if let Some(slot) = self.chunk.data.get_mut(index) {
            *slot = U32::new(value);
        }
    }

    fn floats<const N: usize>(&mut self, values: [f32; N]) -> Result<&mut Self> {
        self.push(&values.map(f32::to_bits))
    }

    fn push(&mut self, words: &[u32]) -> Result<&mut Self> {
        self.room(words.len())?;
        self.chunk.data.extend(words.iter().copied().map(U32::new));
        Ok(self)
    }

    fn sized(&mut self, bytes: &[u8], padding: &[u8]) -> Result<&mut Self> {
        let len = fit(bytes.len() as u64, "buffer")?;
        self.room(dwords_of(bytes.len()).saturating_add(1))?;
        self.dword(len)?.bytes(bytes, padding)
    }

    fn bytes(&mut self, bytes: &[u8], padding: &[u8]) -> Result<&mut Self> {
        self.room(dwords_of(bytes.len()))?;
        let (whole, odd) = bytes.as_chunks::<4>();
        self.chunk.data.extend(whole.iter().copied().map(U32::from_bytes));
        if !odd.is_empty() {
            let mut last = [0; 4];
            last.iter_mut().zip(odd.iter().chain(padding)).for_each(|(to, from)| *to = *from);
            self.chunk.data.push(U32::from_bytes(last));
        }
        Ok(self)
    }

    fn check_padding(buffer: Padded<'_>) -> Result<()> {
        let room = buffer.bytes.len().wrapping_neg() & 3;
        if buffer.padding.len() == room {
            return Ok(());
        }
        Err(Error::new(&codes::CHUNK_CONTENT)
            .field("padding")
            .expected(format!("{room} bytes"))
            .found(format!("{} bytes", buffer.padding.len())))
    }

    fn room(&self, more: usize) -> Result<()> {
        room(self.chunk.data.len(), more)
    }

    /// Links the last identifier to one at `next`.
    fn link(&mut self, next: usize) -> Result<()> {
        match self.last {
            Some(last) => {
                if let Some(slot) = self.chunk.data.get_mut(last.saturating_add(1)) {
                    *slot = U32::new(fit(next as u64, "next")?);
                }
                Ok(())
            }
            None if self.chunk.data.is_empty() => Ok(()),
            None => Err(Error::new(&codes::CHUNK_CONTENT)
                .field("identifier")
                .expected("identifiers from the first dword on")
                .found(format!("{} dwords without one", self.chunk.data.len()))),
        }
    }
}

/// Dwords that hold `len` bytes.
const fn dwords_of(len: usize) -> usize {
    len.div_ceil(4)
}
