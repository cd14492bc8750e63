//! References in chunks of versions below 4 (`docs/formats/virtools.md#122-references`).
//!
//! Such chunks have no list that says where ids are. Fixed dwords before the ids mark them instead. No real
//! file of that age is known; all of this is tested on fixtures only.

use super::Chunk;
use std::ops::Range;
use zerocopy::little_endian::U32;

/// Chunk versions from this one on have lists.
pub const FIRST_WITH_LISTS: u8 = 4;

/// The dwords before an id.
pub const OBJECT: [U32; 3] = [U32::new(0xE32B_C4C9), U32::new(0x1342_12E3), U32::new(0xFCBA_E9DC)];

/// The dwords before the count of an array of ids.
pub const ARRAY: [U32; 5] = [
    U32::new(0xE192_BD47),
    U32::new(0x1324_6628),
    U32::new(0x13EA_B3CE),
    U32::new(0x7891_AEFC),
    U32::new(0x1398_4562),
];

impl<'a> Chunk<'a> {
    /// Whether fixed dwords rather than the IDS list mark the ids of this chunk.
    pub const fn is_marked(&self) -> bool {
        self.chunk_version() < FIRST_WITH_LISTS
    }

    /// The indexes of the ids that follow the fixed dwords of chunk versions below 4, those in sub-chunks
    /// included. An array whose count
    /// is too large is passed over.
    pub fn marked_ids(&self) -> MarkedIds<'a> {
        MarkedIds { data: self.data, next: 0 }
    }
}

/// The places of ids that fixed dwords mark.
#[derive(Clone, Debug)]
pub struct MarkedIds<'a> {
    data: &'a [U32],
    next: usize,
}

impl Iterator for MarkedIds<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        loop {
            let words = self.data.get(self.next..).filter(|words| !words.is_empty())?;
            let found = match (words.strip_prefix(&OBJECT), words.strip_prefix(&ARRAY)) {
                (Some([_, ..]), _) => Some((OBJECT.len(), 1)),
                (_, Some([count, ids @ ..])) if count.get() as usize <= ids.len() => {
                    Some((ARRAY.len().saturating_add(1), count.get() as usize))
                }
                _ => None,
            };
            let (before, count) = found.unwrap_or((1, 0));
            let start = self.next.saturating_add(before);
            self.next = start.saturating_add(count);
            if found.is_some() {
                return Some(start..self.next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::buffer::{ChunkBuf, Header};
    use spelunk_core::Span;

    #[test]
    fn only_whole_patterns_with_their_ids_are_found() {
        let words = |values: &[u32]| values.iter().copied().map(U32::new).collect::<Vec<_>>();
        let mut chunk = ChunkBuf::new(Header::bare(1));
        let parts = [
            words(&[1, 0]),
            OBJECT.to_vec(),
            words(&[7]),
            ARRAY.to_vec(),
            words(&[2, 8, 9]),
            ARRAY.to_vec(),
            words(&[0]),
            OBJECT[..2].to_vec(),
            ARRAY.to_vec(),
            // So many ids do not follow; one among what does is found all the same.
            words(&[60]),
            OBJECT.to_vec(),
            words(&[10]),
            OBJECT[1..].to_vec(),
            OBJECT.to_vec(),
        ];
        chunk.data = parts.concat();
        let view = chunk.view(Span::file(0, 0));
        let found: Vec<_> = view.marked_ids().collect();
        assert_eq!(found, [5..6, 12..14, 20..20, 31..32]);
        assert!(view.is_marked());
    }
}
