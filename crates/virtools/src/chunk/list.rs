//! The three lists beside the data of a chunk (`docs/formats/virtools.md#113-lists`).
//!
//! A list is a sequence of dwords. One that is not negative is the index of a single item in the data. A
//! negative one, -1 as programs write it, says that the next dword is the index of a sequence: of the
//! dword that counts its items.

use zerocopy::little_endian::U32;

/// Kind of a list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ListKind {
    /// IDS: raw ids of objects.
    Ids,
    /// CHN: sub-chunks.
    Chunks,
    /// MAN: numbers of managers.
    Managers,
}

impl ListKind {
    /// The lists in the order in which they are stored.
    pub const ALL: [ListKind; 3] = [ListKind::Ids, ListKind::Chunks, ListKind::Managers];

    /// Name of the list in paths: `ids`, `chunks`, `managers`.
    pub const fn name(self) -> &'static str {
        match self {
            ListKind::Ids => "ids",
            ListKind::Chunks => "chunks",
            ListKind::Managers => "managers",
        }
    }
}

/// A list as stored.
#[derive(Clone, Copy, Debug, Default)]
pub struct List<'a>(Option<&'a [U32]>);

/// Target of an entry of a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ListTarget {
    /// An item, by its index in the data.
    Single(u32),
    /// A sequence, by the index of its count in the data.
    Sequence(u32),
    /// A sentinel that ends the list, so that the index of the sequence is missing.
    Cut,
}

impl<'a> List<'a> {
    /// A list that the chunk does not have.
    pub const NONE: List<'static> = List(None);

    /// A list with a length of its own, which may be 0.
    pub(super) const fn stored(words: &'a [U32]) -> List<'a> {
        List(Some(words))
    }

    /// A list whose length is a word of the header; 0 says that there is none.
    pub(super) const fn counted(words: &'a [U32]) -> List<'a> {
        if words.is_empty() { List::NONE } else { List(Some(words)) }
    }

    /// The dwords as stored.
    pub const fn words(&self) -> &'a [U32] {
        match self.0 {
            Some(words) => words,
            None => &[],
        }
    }

    /// Whether the chunk has this list. Programs leave empty ones out, but may also store their length of 0.
    pub const fn is_stored(&self) -> bool {
        self.0.is_some()
    }

    /// The entries, in the order in which they are stored.
    #[inline]
    pub fn entries(&self) -> Entries<'a> {
        Entries { words: self.words().iter() }
    }
}

impl ListTarget {
    /// Dwords of the list that the entry takes.
    pub const fn width(self) -> usize {
        match self {
            ListTarget::Single(_) | ListTarget::Cut => 1,
            ListTarget::Sequence(_) => 2,
        }
    }
}

/// The entries of a list.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    words: std::slice::Iter<'a, U32>,
}

impl Entries<'_> {
    /// Number of dwords that were not taken yet.
    pub fn left(&self) -> usize {
        self.words.len()
    }
}

impl Iterator for Entries<'_> {
    type Item = ListTarget;

    #[inline]
    fn next(&mut self) -> Option<ListTarget> {
        let first = self.words.next()?.get();
        if first.cast_signed() >= 0 {
            return Some(ListTarget::Single(first));
        }
        Some(self.words.next().map_or(ListTarget::Cut, |index| ListTarget::Sequence(index.get())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_dwords_announce_sequences() {
        let words = [3, u32::MAX, 7, 0x8000_0000, 0, 9, u32::MAX].map(U32::new);
        let list = List::stored(&words);
        let mut entries = list.entries();
        let mut widths = Vec::new();
        while let Some(entry) = entries.next() {
            widths.push((entry, entry.width(), entries.left()));
        }
        let expected = [
            (ListTarget::Single(3), 1, 6),
            (ListTarget::Sequence(7), 2, 4),
            (ListTarget::Sequence(0), 2, 2),
            (ListTarget::Single(9), 1, 1),
            (ListTarget::Cut, 1, 0),
        ];
        assert_eq!(widths, expected);
        assert_eq!(List::NONE.entries().next(), None);
    }
}
