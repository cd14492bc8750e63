//! A checked little-endian cursor over the bytes of one space.
//!
//! Every read says which field it is for; what is missing is an error with its place and that name.
//! Counts are checked against the bytes that are there before anything is allocated for them.

use crate::{
    codes,
    error::{Error, Result},
    field::Described,
    place::{Space, Span},
};

/// Reads forward through a slice that lies at a known place.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    space: Space,
    base: u64,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first of `bytes`, which lie at `base` of `space`.
    pub const fn new(bytes: &'a [u8], space: Space, base: u64) -> Cursor<'a> {
        Cursor { bytes, at: 0, space, base }
    }

    /// Position in the slice, in bytes.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Position in the space, in bytes.
    pub const fn offset(&self) -> u64 {
        self.base.saturating_add(self.at as u64)
    }

    /// Bytes that are left.
    pub const fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// `len` bytes from here, as a place.
    pub const fn span(&self, len: u64) -> Span {
        Span::new(self.space, self.offset(), len)
    }

    /// Takes `len` bytes for the field `name`.
    ///
    /// # Errors
    /// [`codes::TRUNCATED`] when fewer are left; the cursor stays where it is.
    pub fn bytes(&mut self, len: usize, name: &'static str) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest.get(..len) {
            Some(taken) => {
                self.at = self.at.saturating_add(len);
                Ok(taken)
            }
            None => Err(self.truncated(len as u64, name)),
        }
    }

    /// Takes all that is left.
    pub fn rest(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = self.bytes.len();
        rest
    }

    /// Takes a record as a view of the bytes.
    ///
    /// # Errors
    /// [`codes::TRUNCATED`] when too few bytes are left.
    pub fn record<T: Described>(&mut self) -> Result<&'a T> {
        let bytes = self.bytes(size_of::<T>(), T::RECORD.name)?;
        // The size is exact and the type is unaligned, so the view cannot fail.
        T::ref_from_bytes(bytes).map_err(|_| self.truncated(size_of::<T>() as u64, T::RECORD.name))
    }

    /// Agrees that `count` items of at least `size` bytes each can follow, before room is made.
    ///
    /// # Errors
    /// [`codes::TRUNCATED`] when they cannot.
    pub fn expect_items(&self, count: u64, size: u64, name: &'static str) -> Result<()> {
        if count.saturating_mul(size) <= self.remaining() as u64 {
            return Ok(());
        }
        Err(Error::new(&codes::TRUNCATED)
            .at(self.span(0))
            .field(name)
            .expected(format!("{count} items of at least {size} bytes"))
            .found(format!("{} bytes left", self.remaining())))
    }

    #[cold]
    fn truncated(&self, len: u64, name: &'static str) -> Error {
        Error::new(&codes::TRUNCATED)
            .at(self.span(len.min(self.remaining() as u64)))
            .field(name)
            .expected(format!("{len} bytes"))
            .found(format!("{} bytes left", self.remaining()))
    }
}

macro_rules! numbers {
    ($($name:ident $doc:literal;)*) => {
        impl Cursor<'_> {
            $(
                #[doc = concat!("Takes ", $doc, ", little-endian, for the field `name`.")]
                ///
                /// # Errors
                /// [`codes::TRUNCATED`] when too few bytes are left.
                pub fn $name(&mut self, name: &'static str) -> Result<$name> {
                    let bytes = self.bytes(size_of::<$name>(), name)?;
                    Ok($name::from_le_bytes(bytes.try_into().unwrap_or_default()))
                }
            )*
        }
    };
}

numbers! {
    u8 "an unsigned byte";
    u16 "an unsigned 2-byte number";
    i16 "a signed 2-byte number";
    u32 "an unsigned 4-byte number";
    i32 "a signed 4-byte number";
    u64 "an unsigned 8-byte number";
    f32 "a single-precision number";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_little_endian_and_located() {
        let mut cursor = Cursor::new(&[1, 2, 0, 0xff, 0xff, 9], Space::section("data"), 0x40);
        assert_eq!(cursor.u8("a").unwrap(), 1);
        assert_eq!(cursor.u16("b").unwrap(), 2);
        assert_eq!(cursor.i16("c").unwrap(), -1);
        let error = cursor.u32("d").unwrap_err();
        assert_eq!(error.place().unwrap(), Span::new(Space::section("data"), 0x45, 1));
        assert_eq!(cursor.remaining(), 1, "a failed read takes nothing");
        assert_eq!(cursor.rest(), [9]);
    }

    #[test]
    fn counts_are_checked_before_room_is_made() {
        let cursor = Cursor::new(&[0; 32], Space::FILE, 0);
        cursor.expect_items(2, 16, "objects").unwrap();
        assert!(cursor.expect_items(3, 16, "objects").is_err());
        assert!(cursor.expect_items(u64::MAX, u64::MAX, "objects").is_err());
    }
}
