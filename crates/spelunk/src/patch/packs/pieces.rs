//! A file that consists of stretches of another one, and of blocks.

use super::{PackPatch, Run};
use crate::{Bytes, Error, Result, Source, codes, patch::bad};
use std::{collections::HashMap, hash::Hasher, ops::Range, sync::Arc};
use twox_hash::XxHash3_64;

/// How many bytes are hashed at a time.
const WINDOW: u64 = 1 << 20;

/// Files are larger than what they are made of only where chunks are in them many times.
const MOST: u64 = 16;

/// The file.
pub(super) struct Pieces {
    base: Arc<dyn Source>,
    /// Where each piece starts.
    pieces: Vec<(u64, Piece)>,
    len: u64,
}

enum Piece {
    /// What starts there in the base.
    Base(u64),
    Block(Bytes),
}

impl Pieces {
    /// The new file of a patch.
    ///
    /// # Errors
    /// [`BAD_PATCH`](codes::BAD_PATCH) where the runs do not give it.
    pub(super) fn of(patch: &PackPatch, base: Arc<dyn Source>) -> Result<Pieces> {
        let mut blocks: HashMap<u32, Bytes> = HashMap::new();
        let stored = patch.blocks.iter().map(String::len).fold(0, usize::saturating_add) as u64;
        let most = base.len().saturating_add(stored).saturating_mul(MOST);
        let (mut pieces, mut len) = (Vec::new(), 0_u64);
        for run in &patch.to_new {
            let (piece, size) = match run {
                Run::Copy([start, size]) => {
                    if start.checked_add(*size).is_none_or(|end| end > base.len()) {
                        return Err(bad(format!("{size} bytes from {start:#x}"))
                            .expected(format!("a stretch of {} bytes", base.len())));
                    }
                    (Piece::Base(*start), *size)
                }
                Run::Block(number) => {
                    let block = match blocks.get(number) {
                        Some(block) => block.clone(),
                        None => {
                            let block = patch.block(*number)?;
                            blocks.insert(*number, block.clone());
                            block
                        }
                    };
                    let size = block.len() as u64;
                    (Piece::Block(block), size)
                }
            };
            if size > 0 {
                pieces.push((len, piece));
            }
            len = len.saturating_add(size);
        }
        if len != patch.new.size || len > most {
            return Err(bad(format!("{len} bytes")).expected(format!("{} bytes", patch.new.size)));
        }
        let made = Pieces { base, pieces, len };
        let found = format!("{:#018x}", made.hash()?);
        if found != patch.new.xxh3 {
            return Err(
                bad(format!("XXH3 {found}")).expected(patch.new.xxh3.escape_debug().to_string())
            );
        }
        Ok(made)
    }

    fn hash(&self) -> Result<u64> {
        let mut hash = XxHash3_64::new();
        let mut buffer = Vec::new();
        let mut at = 0;
        while at < self.len {
            let len = self.len.saturating_sub(at).min(WINDOW);
            match self.lend(at..at.saturating_add(len)) {
                Some(bytes) => hash.write(&bytes),
                None => {
                    buffer.resize(usize::try_from(len).unwrap_or_default(), 0);
                    self.read_at(at, &mut buffer)?;
                    hash.write(&buffer);
                }
            }
            at = at.saturating_add(len);
        }
        Ok(hash.finish())
    }

    /// The piece that holds a byte, where it starts, and where it ends.
    fn piece_at(&self, offset: u64) -> Option<(&Piece, u64, u64)> {
        let behind = self.pieces.partition_point(|(start, _)| *start <= offset);
        let (start, piece) = self.pieces.get(behind.checked_sub(1)?)?;
        let end = self.pieces.get(behind).map_or(self.len, |(start, _)| *start);
        (offset < end).then_some((piece, *start, end))
    }
}

impl Source for Pieces {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let (mut at, mut rest) = (offset, buffer);
        while !rest.is_empty() {
            let missing = || Error::new(&codes::core::TRUNCATED).found(self.len);
            let (piece, start, end) = self.piece_at(at).ok_or_else(missing)?;
            let len = usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX).min(rest.len());
            let (now, later) = rest.split_at_mut_checked(len).unwrap_or_default();
            let within = at.saturating_sub(start);
            match piece {
                Piece::Base(from) => self.base.read_at(from.saturating_add(within), now)?,
                Piece::Block(bytes) => bytes.read_at(within, now)?,
            }
            at = at.saturating_add(now.len() as u64);
            rest = later;
        }
        Ok(())
    }

    fn lend(&self, range: Range<u64>) -> Option<Bytes> {
        let (piece, start, end) = self.piece_at(range.start)?;
        let (first, behind) = (range.start.checked_sub(start)?, range.end.checked_sub(start)?);
        if range.end > end {
            return None;
        }
        match piece {
            Piece::Base(from) => {
                self.base.lend(from.saturating_add(first)..from.saturating_add(behind))
            }
            Piece::Block(bytes) => bytes.lend(first..behind),
        }
    }
}
