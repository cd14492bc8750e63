//! The chain of identifiers that divides the data of a chunk (`docs/formats/virtools.md#112-identifiers`).
//!
//! An identifier is two dwords: its number, and the index in the data of the next one, 0 for the last. What
//! lies between the two belongs to the first. The first identifier has the index 0.

use std::ops::Range;
use zerocopy::little_endian::U32;

/// Dwords of an identifier.
pub const HEADER_LEN: usize = 2;

/// An identifier with what belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Section {
    /// The identifier.
    pub identifier: u32,
    /// Index of the identifier in the data.
    pub index: usize,
    /// The index behind its last dword.
    pub end: usize,
}

/// Returns one of 64 bits, for a set that can rule an identifier out. The factor spreads identifiers so that no two of one chunk
/// of real files fall on the same bit.
#[inline]
pub(crate) const fn bit_of(identifier: u32) -> u64 {
    1 << (identifier.wrapping_mul(0xCC9E_2D51) >> 26)
}

impl Section {
    /// The identifier at an index of the data; `None` where it is cut short or leads nowhere. That of the last one
    /// ends where the data does.
    #[inline]
    pub(crate) fn at(data: &[U32], index: usize) -> Option<Section> {
        let [identifier, next] = data.get(index..)?.first_chunk::<HEADER_LEN>()?;
        let least = index.saturating_add(HEADER_LEN);
        let end = match next.get() as usize {
            0 => data.len(),
            next if next >= least && next <= data.len().saturating_sub(HEADER_LEN) => next,
            _ => return None,
        };
        Some(Section { identifier: identifier.get(), index, end })
    }

    /// The indexes of the dwords behind the identifier.
    #[inline]
    pub fn payload(&self) -> Range<usize> {
        self.index.saturating_add(HEADER_LEN).min(self.end)..self.end
    }
}

/// The identifiers of a chunk, in the order of the data. Ends where the chain does, or where it is broken.
#[derive(Clone, Debug)]
pub struct Sections<'a> {
    data: &'a [U32],
    next: Option<usize>,
    broken: Option<usize>,
}

impl<'a> Sections<'a> {
    #[inline]
    pub(super) const fn of(data: &'a [U32]) -> Sections<'a> {
        let next = if data.is_empty() { None } else { Some(0) };
        Sections { data, next, broken: None }
    }

    /// Walks to the end of the chain. The index of the identifier whose `next` is neither 0 nor the index of
    /// a later identifier, where there is one.
    pub fn broken(mut self) -> Option<usize> {
        self.by_ref().for_each(drop);
        self.broken
    }
}

impl Iterator for Sections<'_> {
    type Item = Section;

    #[inline]
    fn next(&mut self) -> Option<Section> {
        let index = self.next.take()?;
        let section = Section::at(self.data, index);
        match section {
            Some(section) => self.next = Some(section.end).filter(|end| *end < self.data.len()),
            None => self.broken = Some(index),
        }
        section
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(words: &[u32]) -> (Vec<(u32, Range<usize>)>, Option<usize>) {
        let data: Vec<U32> = words.iter().copied().map(U32::new).collect();
        let sections = Sections::of(&data);
        let found = sections.clone().map(|part| (part.identifier, part.payload())).collect();
        (found, sections.broken())
    }

    #[test]
    fn an_identifier_has_what_lies_before_the_next() {
        let (sections, broken) = chain(&[0x10, 3, 7, 0x20, 5, 0x40, 0, 8, 9]);
        assert_eq!(sections, [(0x10, 2..3), (0x20, 5..5), (0x40, 7..9)]);
        assert_eq!(broken, None);
        assert_eq!(chain(&[]), (vec![], None));
        assert_eq!(chain(&[5, 0]), (vec![(5, 2..2)], None));
    }

    #[test]
    fn a_chain_goes_forward_and_stays_in_the_data() {
        // The second `next` leads back, to itself, into itself, to the last dword, behind the data.
        for next in [1, 2, 3, 5, 6, u32::MAX] {
            let (sections, broken) = chain(&[0x10, 2, 0x20, next, 7, 8]);
            assert_eq!((sections, broken), (vec![(0x10, 2..2)], Some(2)), "{next}");
        }
        assert_eq!(chain(&[0x10, 2, 0x20, 4, 7, 8]), (vec![(0x10, 2..2), (0x20, 4..4)], Some(4)));
        assert_eq!(chain(&[5]), (vec![], Some(0)));
    }
}
