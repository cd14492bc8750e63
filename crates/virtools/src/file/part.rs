//! Parts of plain bytes, and what plain bytes are laid out into.

use spelunk_core::{Bytes, Field, Span, Walk, Walked, cursor::Cursor, source};

/// A part of the plain bytes of a section. Models of thousands of names and chunks hold these beside one
/// handle to the bytes, since a handle for each would cost more than reading them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlainSpan {
    /// Offset in the plain bytes.
    pub at: u32,
    /// Number of bytes.
    pub len: u32,
}

impl PlainSpan {
    /// All that a cursor over the plain bytes has left. Sizes of sections are 4-byte numbers.
    pub(super) fn from_here(cursor: &Cursor<'_>) -> PlainSpan {
        let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        PlainSpan { at: number(cursor.position()), len: number(cursor.remaining()) }
    }

    /// The bytes; empty where `plain` does not reach.
    pub fn of(self, plain: &[u8]) -> &[u8] {
        let start = self.at as usize;
        plain.get(start..start.saturating_add(self.len as usize)).unwrap_or_default()
    }

    /// The bytes as a handle of their own.
    pub(crate) fn bytes(self, plain: &Bytes) -> Bytes {
        source::part(plain, self.at.into()..self.end()).unwrap_or_default()
    }

    /// Whether there are no bytes.
    pub const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The first offset behind the part.
    pub(crate) fn end(self) -> u64 {
        u64::from(self.at).saturating_add(self.len.into())
    }
}

/// Receiver of plain bytes that are laid out piece by piece.
pub trait PieceSink {
    /// Takes the next piece.
    fn put(&mut self, piece: &[u8]);
}

impl PieceSink for Vec<u8> {
    fn put(&mut self, piece: &[u8]) {
        self.extend_from_slice(piece);
    }
}

/// Counts the bytes that are laid out.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Count(pub u64);

impl PieceSink for Count {
    fn put(&mut self, piece: &[u8]) {
        self.0 = self.0.saturating_add(piece.len() as u64);
    }
}

/// Content of a section.
pub trait SectionContent {
    /// Lays the plain bytes of the section out.
    fn lay_out(&self, out: &mut impl PieceSink);
}

/// Compares what is laid out with old plain bytes, so that unchanged ones need not be copied to be recognised.
#[derive(Debug)]
pub(super) struct Compare<'o> {
    rest: &'o [u8],
    same: bool,
    len: u64,
}

impl<'o> Compare<'o> {
    pub(super) const fn with(old: &'o [u8]) -> Compare<'o> {
        Compare { rest: old, same: true, len: 0 }
    }

    /// Whether all of the old bytes came, and nothing else.
    pub(super) const fn same(&self) -> bool {
        self.same && self.rest.is_empty()
    }

    /// Number of bytes that came.
    pub(super) const fn len(&self) -> u64 {
        self.len
    }
}

impl PieceSink for Compare<'_> {
    #[inline]
    fn put(&mut self, piece: &[u8]) {
        self.len = self.len.saturating_add(piece.len() as u64);
        match self.rest.split_at_checked(piece.len()) {
            // A piece that was kept lies where it always did and is not looked at.
            Some((old, rest)) if std::ptr::eq(old, piece) || old == piece => self.rest = rest,
            _ => self.same = false,
        }
    }
}

/// Walks a field that takes all of `bytes`, which start where `at` does.
pub(crate) fn leaf(field: &'static Field, at: Span, bytes: &[u8], walk: &mut dyn Walk) -> Walked {
    walk.field(field, Some(Span { len: bytes.len() as u64, ..at }), field.ty.decode(bytes))
}

/// A length that was a 4-byte number when it was read.
pub(super) fn count(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(old: &[u8], pieces: &[&[u8]]) -> bool {
        let mut compare = Compare::with(old);
        pieces.iter().for_each(|piece| compare.put(piece));
        compare.same()
    }

    #[test]
    fn only_the_same_bytes_are_the_same() {
        let old = b"chunk by chunk";
        assert!(same(old, &[b"chunk", b"", b" by ", &old[9..]]));
        assert!(same(b"", &[]));
        for pieces in [
            &[&old[..5]][..],
            &[&old[..], b"."],
            &[b"chunk", &old[9..]],
            &[b"chink by chunk"],
            &[b"another chunk, too long", old],
        ] {
            assert!(!same(old, pieces), "{pieces:?}");
        }
    }

    #[test]
    fn a_part_past_the_end_is_empty() {
        let plain = Bytes::from_static(b"plain");
        assert_eq!(PlainSpan { at: 1, len: 3 }.of(&plain), b"lai");
        assert_eq!(PlainSpan { at: 1, len: 3 }.bytes(&plain), b"lai"[..]);
        for odd in [PlainSpan { at: 3, len: 3 }, PlainSpan { at: u32::MAX, len: u32::MAX }] {
            assert!(odd.of(&plain).is_empty() && odd.bytes(&plain).is_empty());
        }
    }
}
