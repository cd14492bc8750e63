//! Detection of saves among chunk files: `docs/formats/cff.md#5-telling-gamedata-maps-saves-and-other-games-apart`.

use super::{
    FreeGame,
    found::{SHORTEST as SHORTEST_CHUNK_FILE, holds_chunk_file},
};
use crate::cff::{Chunk, ChunkFile, FileHeader};
use spelunk_core::{Result, Task};

/// Plain bytes that are looked at to decide whether a file is a save.
const LOOKED_AT: u64 = 4 << 20;

/// Whether `file` is a save: all chunks are packed, and either chunk 0 has the layout of a free game, or a
/// chunk holds a whole chunk file. At most [`LOOKED_AT`] bytes are inflated; chunks that are longer than what
/// is left of them, and what cannot be inflated, are no evidence.
///
/// # Errors
/// Reading errors, limits.
pub(crate) fn is_save(file: &ChunkFile, task: &mut Task<'_>) -> Result<bool> {
    task.budget.steps(file.chunks().len() as u64)?;
    if !file.chunks().iter().all(Chunk::is_packed) {
        return Ok(false);
    }
    let mut left = LOOKED_AT;
    let may_hold = !belongs_to_another_game(file.header());
    let first = file.with_id(0).first().copied();
    if let Some(first) = first {
        let shortest = if may_hold { SHORTEST_CHUNK_FILE } else { FreeGame::SHORTEST as u64 };
        let is =
            |plain: &[u8]| FreeGame::read(plain).is_some() || (may_hold && holds_chunk_file(plain));
        if shows(file, first, shortest, &mut left, task, is)? {
            return Ok(true);
        }
    }
    for (n, _) in (0..).zip(file.chunks()).filter(|(n, _)| may_hold && Some(*n) != first) {
        if shows(file, n, SHORTEST_CHUNK_FILE, &mut left, task, holds_chunk_file)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a chunk of at least `shortest` bytes is what `is` asks for. Nothing is inflated where the chunk has
/// another size than that, or one beyond what is `left`.
fn shows(
    file: &ChunkFile,
    position: u32,
    shortest: u64,
    left: &mut u64,
    task: &mut Task<'_>,
    is: impl FnOnce(&[u8]) -> bool,
) -> Result<bool> {
    let len = file.chunk(position).map(Chunk::plain_len).filter(|len| *len >= shortest);
    let Some((len, rest)) = len.and_then(|len| Some((len, left.checked_sub(len)?))) else {
        return Ok(false);
    };
    *left = rest;
    task.budget.touch(len)?;
    match file.with_plain(position, task, is) {
        Err(error) if error.ends_work() => Err(error),
        shown => Ok(shown.unwrap_or(false)),
    }
}

/// Whether these are the header words of the files of SpellForce 2 and BattleForge that are no maps. They pack
/// every chunk too, and searching them would inflate what nobody asked for.
fn belongs_to_another_game(header: &FileHeader) -> bool {
    (header.format_version.get(), header.file_type.get(), header.file_version.get()) == (3, 0, 0)
}
