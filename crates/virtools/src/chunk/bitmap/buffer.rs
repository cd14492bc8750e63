//! Buffers of chunks.

use spelunk_core::{Error, Result, codes, cursor::Cursor};
use std::borrow::Cow;

/// A size in bytes as a dword, that many bytes, and padding to the next dword
/// (`docs/formats/virtools.md#13-bitmaps`). Engines leave memory garbage in the padding; it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer<'a> {
    bytes: Cow<'a, [u8]>,
    padding: [u8; 3],
}

impl<'a> Buffer<'a> {
    /// A buffer of these bytes, padded with zeros.
    ///
    /// # Errors
    /// [`codes::TOO_LARGE`] for 2 GiB and more: engines read the size as a signed number.
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Buffer<'a>> {
        let bytes = bytes.into();
        match i32::try_from(bytes.len()) {
            Ok(_) => Ok(Buffer { bytes, padding: [0; 3] }),
            Err(_) => {
                Err(Error::new(&codes::TOO_LARGE).expected("less than 2 GiB").found(bytes.len()))
            }
        }
    }

    /// Takes the buffer that starts at the cursor, for the field `name`.
    pub(super) fn read(cursor: &mut Cursor<'a>, name: &'static str) -> Result<Buffer<'a>> {
        let len = cursor.u32(name)? as usize;
        let bytes = cursor.bytes(len, name)?;
        let stored = cursor.bytes(padding_len(len), name)?;
        let mut padding = [0; 3];
        for (kept, byte) in padding.iter_mut().zip(stored) {
            *kept = *byte;
        }
        Ok(Buffer { bytes: Cow::Borrowed(bytes), padding })
    }

    /// Appends size, bytes and padding.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        // Neither `new` nor `read` lets a longer buffer come to be.
        let len = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        out.extend(len.to_le_bytes());
        out.extend_from_slice(&self.bytes);
        out.extend(self.padding.iter().take(padding_len(self.bytes.len())));
    }

    /// The bytes, without the padding.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Bytes between the end of `len` bytes and the next dword.
const fn padding_len(len: usize) -> usize {
    len.wrapping_neg() & 3
}
