//! A source that is put together of parts of another one and of bytes in memory: a file as it is after an edit.

use crate::{
    error::Result,
    source::{Source, part},
};
use bytes::Bytes;
use std::{ops::Range, sync::Arc};

/// A part of [`Pieces`].
#[derive(Clone, Debug)]
pub enum Piece {
    /// These bytes of the base.
    Kept(Range<u64>),
    /// Others.
    New(Bytes),
}

impl Piece {
    fn len(&self) -> u64 {
        match self {
            Piece::Kept(range) => range.end.saturating_sub(range.start),
            Piece::New(bytes) => bytes.len() as u64,
        }
    }
}

/// Parts of a source and bytes in memory, one behind the other.
pub struct Pieces {
    base: Arc<dyn Source>,
    /// Where each piece starts.
    pieces: Vec<(u64, Piece)>,
    len: u64,
}

impl std::fmt::Debug for Pieces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pieces").field("pieces", &self.pieces).finish_non_exhaustive()
    }
}

impl Pieces {
    /// Parts of `base` and new bytes, in this order. What lies behind each other in the base is one piece.
    pub fn new(base: Arc<dyn Source>, all: impl IntoIterator<Item = Piece>) -> Pieces {
        let mut pieces: Vec<(u64, Piece)> = Vec::new();
        let mut len = 0_u64;
        for piece in all {
            let more = piece.len();
            match (pieces.last_mut(), &piece) {
                _ if more == 0 => continue,
                (Some((_, Piece::Kept(before))), Piece::Kept(range))
                    if before.end == range.start =>
                {
                    before.end = range.end;
                }
                _ => pieces.push((len, piece)),
            }
            len = len.saturating_add(more);
        }
        Pieces { base, pieces, len }
    }

    /// The piece that holds a byte, and where it starts.
    fn at(&self, offset: u64) -> Option<(u64, &Piece)> {
        let nth = self.pieces.partition_point(|(start, _)| *start <= offset).checked_sub(1)?;
        let (start, piece) = self.pieces.get(nth)?;
        (offset < start.saturating_add(piece.len())).then_some((*start, piece))
    }
}

impl Source for Pieces {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let (mut at, mut rest) = (offset, buffer);
        while !rest.is_empty() {
            let Some((start, piece)) = self.at(at) else {
                // Behind the end; nothing is there, and this says so.
                return Bytes::new().read_at(at, rest);
            };
            let within = at.saturating_sub(start);
            let left = usize::try_from(piece.len().saturating_sub(within)).unwrap_or(usize::MAX);
            let left = left.min(rest.len());
            let (now, later) = rest.split_at_mut_checked(left).unwrap_or_default();
            match piece {
                Piece::Kept(range) => self.base.read_at(range.start.saturating_add(within), now)?,
                Piece::New(bytes) => bytes.read_at(within, now)?,
            }
            at = at.saturating_add(now.len() as u64);
            rest = later;
        }
        Ok(())
    }

    fn lend(&self, range: Range<u64>) -> Option<Bytes> {
        let (start, piece) = self.at(range.start)?;
        let within = range.start.checked_sub(start)?..range.end.checked_sub(start)?;
        if within.end > piece.len() {
            return None;
        }
        match piece {
            Piece::Kept(of) => {
                let start = of.start;
                self.base.lend(start.checked_add(within.start)?..start.checked_add(within.end)?)
            }
            Piece::New(bytes) => part(bytes, within),
        }
    }

    fn prefetch(&self, ranges: &[Range<u64>]) {
        let kept = |range: &Range<u64>| {
            let (start, piece) = self.at(range.start)?;
            let Piece::Kept(of) = piece else { return None };
            let first = of.start.checked_add(range.start.checked_sub(start)?)?;
            let len = range.end.checked_sub(range.start)?;
            Some(first..first.saturating_add(len).min(of.end))
        };
        let ranges: Vec<_> = ranges.iter().filter_map(kept).collect();
        self.base.prefetch(&ranges);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Budget, Limits};

    #[test]
    fn pieces_read_and_lend_as_one() {
        let base: Arc<dyn Source> = Arc::new(Bytes::from_static(b"0123456789"));
        let new = |text: &'static [u8]| Piece::New(Bytes::from_static(text));
        let pieces = [
            new(b"ab"),
            Piece::Kept(2..4),
            Piece::Kept(4..5),
            Piece::Kept(6..6),
            new(b"c"),
            Piece::Kept(0..2),
        ];
        let pieces = Pieces::new(base, pieces);
        let all = b"ab234c01";
        assert_eq!((pieces.len(), pieces.pieces.len()), (8, 4));
        for start in 0..8 {
            for end in start..=8 {
                let wanted = &all[start..end];
                let range = start as u64..end as u64;
                let mut budget = Budget::new(Limits::for_len(8));
                let source: &dyn Source = &pieces;
                assert_eq!(source.read(range.clone(), &mut budget).unwrap(), wanted);
                if let Some(lent) = pieces.lend(range) {
                    assert_eq!(lent, wanted);
                }
            }
        }
        assert_eq!(pieces.lend(2..5).unwrap(), b"234".as_slice());
        assert!(pieces.lend(1..3).is_none());
        assert_eq!(pieces.read_at(7, &mut [0; 2]).unwrap_err().code().id, "SP001");
    }
}
