//! A file that consists of stretches of another one, and of blocks.

use super::{block, runs::Run, stored};
use crate::patch::form::{Print, bad};
use spelunk_core::{
    Bytes, Result, Source,
    pieces::{Piece, Pieces},
};
use spelunk_open::files::content::hash_of;
use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

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
    let found = hash_of(&made, None)?;
    if found != wanted.xxh3 {
        return Err(bad(format!("XXH3 {found}")).expected(wanted.xxh3.escape_debug().to_string()));
    }
    Ok(made)
}
