//! A file that consists of stretches of another one, and of blocks.

use super::{block, runs::Run, stored};
use crate::patch::form::{Print, bad};
use spelunk_core::{
    Bytes, Result, Source,
    pieces::{Piece, Pieces},
};
use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hasher,
    sync::Arc,
};
use twox_hash::XxHash3_64;

/// Number of bytes that are hashed at a time.
const WINDOW: u64 = 1 << 20;

/// Files are larger than what they are made of only where parts are in them many times.
const MOST: u64 = 16;

/// The file that these runs make of another one.
///
/// # Errors
/// [`BAD_PATCH`](spelunk_open::codes::BAD_PATCH) where that is not the one that is wanted; reading errors.
pub(in crate::patch) fn made(
    runs: &[Run],
    blocks: &[String],
    wanted: &Print,
    base: Arc<dyn Source>,
) -> Result<Pieces> {
    let mut known: HashMap<u32, Bytes> = HashMap::new();
    let most = base.len().saturating_add(stored(blocks)).saturating_mul(MOST);
    let (mut pieces, mut len) = (Vec::new(), 0_u64);
    for run in runs {
        let (piece, size) = match run {
            Run::Copy([start, size]) => {
                let end = start.checked_add(*size).filter(|end| *end <= base.len());
                let end = end.ok_or_else(|| {
                    bad(format!("{size} bytes from {start:#x}"))
                        .expected(format!("a stretch of {} bytes", base.len()))
                })?;
                (Piece::Kept(*start..end), *size)
            }
            Run::Block(number) => {
                let bytes = match known.entry(*number) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(place) => place.insert(block(blocks, *number)?),
                };
                (Piece::New(bytes.clone()), bytes.len() as u64)
            }
        };
        pieces.push(piece);
        len = len.saturating_add(size);
    }
    if len != wanted.size || len > most {
        return Err(bad(format!("{len} bytes")).expected(format!("{} bytes", wanted.size)));
    }
    let made = Pieces::new(base, pieces);
    let found = format!("{:#018x}", hash(&made)?);
    if found != wanted.xxh3 {
        return Err(bad(format!("XXH3 {found}")).expected(wanted.xxh3.escape_debug().to_string()));
    }
    Ok(made)
}

fn hash(source: &dyn Source) -> Result<u64> {
    let mut hash = XxHash3_64::new();
    let mut buffer = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let len = source.len().saturating_sub(at).min(WINDOW);
        match source.lend(at..at.saturating_add(len)) {
            Some(bytes) => hash.write(&bytes),
            None => {
                buffer.resize(usize::try_from(len).unwrap_or_default(), 0);
                source.read_at(at, &mut buffer)?;
                hash.write(&buffer);
            }
        }
        at = at.saturating_add(len);
    }
    Ok(hash.finish())
}
