//! A source that is put together of parts of another one and of bytes in memory: a file as it is after an edit.

pub use crate::source::{Piece, Pieces};
use crate::{
    error::Result,
    source::{Source, part},
};
use bytes::Bytes;
use std::{ops::Range, sync::Arc};

impl Piece {
    fn len(&self) -> u64 {
        match self {
            Piece::Kept(range) => range.end.saturating_sub(range.start),
            Piece::New(bytes) => bytes.len() as u64,
        }
    }
}

impl std::fmt::Debug for Pieces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pieces").field("pieces", &self.pieces).finish_non_exhaustive()
    }
}

impl Pieces {
    /// Parts of `base` and new bytes, in this order. What lies behind each other in the base is one piece. Where the base is
    /// put together of pieces itself, these are taken over, so that edit upon edit is no pile of sources.
    pub fn new(base: Arc<dyn Source>, all: impl IntoIterator<Item = Piece>) -> Pieces {
        let root = base.as_pieces().map(|inner| inner.base.clone());
        let mut pieces =
            Pieces { base: root.unwrap_or_else(|| base.clone()), pieces: Vec::new(), len: 0 };
        for piece in all {
            match (base.as_pieces(), piece) {
                (Some(inner), Piece::Kept(range)) => {
                    inner.within(range).for_each(|piece| pieces.push(piece));
                }
                (_, piece) => pieces.push(piece),
            }
        }
        pieces
    }

    fn push(&mut self, piece: Piece) {
        let more = piece.len();
        if more == 0 {
            return;
        }
        match (self.pieces.last_mut(), &piece) {
            (Some((_, Piece::Kept(before))), Piece::Kept(range)) if before.end == range.start => {
                before.end = range.end;
            }
            _ => self.pieces.push((self.len, piece)),
        }
        self.len = self.len.saturating_add(more);
    }

    /// Bytes of memory that it holds beside its base.
    pub fn held(&self) -> u64 {
        let pieces = (self.pieces.len() as u64).saturating_mul(size_of::<(u64, Piece)>() as u64);
        let new = self.pieces.iter().filter(|(_, piece)| matches!(piece, Piece::New(_)));
        new.map(|(_, piece)| piece.len()).fold(pieces, u64::saturating_add)
    }

    /// The pieces of a stretch.
    fn within(&self, range: Range<u64>) -> impl Iterator<Item = Piece> + '_ {
        let first = self.pieces.partition_point(|(start, _)| *start <= range.start);
        let pieces = self.pieces.iter().skip(first.saturating_sub(1));
        let end = range.end;
        pieces.take_while(move |(start, _)| *start < end).map(move |(start, piece)| {
            let from = range.start.saturating_sub(*start);
            let to = range.end.saturating_sub(*start).min(piece.len());
            match piece {
                Piece::Kept(of) => {
                    Piece::Kept(of.start.saturating_add(from)..of.start.saturating_add(to))
                }
                Piece::New(bytes) => Piece::New(part(bytes, from..to).unwrap_or_default()),
            }
        })
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

    fn as_pieces(&self) -> Option<&Pieces> {
        Some(self)
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
        // Pieces of pieces are pieces of the base.
        let again = [Piece::Kept(1..6), new(b"xy"), Piece::Kept(6..8), Piece::Kept(0..8)];
        let again = Pieces::new(Arc::new(pieces), again);
        let mut read = [0; 17];
        again.read_at(0, &mut read).unwrap();
        assert_eq!(&read, b"b234cxy01ab234c01".as_slice().first_chunk::<17>().unwrap());
        assert_eq!((again.len(), again.base.len()), (17, 10));
        let pieces = again;
        let pieces = Pieces::new(Arc::new(pieces), [Piece::Kept(9..17)]);
        assert_eq!(pieces.lend(2..5).unwrap(), b"234".as_slice());
        assert!(pieces.lend(1..3).is_none());
        assert_eq!(pieces.read_at(7, &mut [0; 2]).unwrap_err().code().id, "SP001");
    }
}
