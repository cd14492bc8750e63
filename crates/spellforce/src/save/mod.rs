//! Saved games from the outside: how one is recognised (`docs/formats/cff.md#9-saves-outer-view`).
//!
//! Everything here was read in third-party tools. No real save was available.

use crate::cff::{Chunk, ChunkFile, ChunkHeader, FileHeader, MAGIC, UnpackedLength};
use spelunk_core::{Class, Result, Space, Task, cursor::Cursor, zlib};

/// Bytes of the avatar in chunk 0 of a free game.
const AVATAR: usize = 227;

/// Bytes of an item behind the avatar.
const ITEM: usize = 10;

/// The shortest chunk 0 of a free game: two lengths without text, the time, the avatar.
const SHORTEST_FREE_GAME: u64 = 12 + AVATAR as u64;

/// The shortest chunk file: its header and that of one chunk.
const SHORTEST_CHUNK_FILE: u64 = FileHeader::LEN + size_of::<ChunkHeader>() as u64;

/// Plain bytes that are looked at to tell whether a file is a save. Opening inflates nothing else.
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
        let shortest = if may_hold { SHORTEST_CHUNK_FILE } else { SHORTEST_FREE_GAME };
        let is = |plain: &[u8]| is_free_game(plain) || (may_hold && holds_chunk_file(plain));
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
        Err(error) if matches!(error.code().class, Class::Io | Class::Limit) => Err(error),
        shown => Ok(shown.unwrap_or(false)),
    }
}

/// Whether these are the header words of the files of SpellForce 2 and BattleForge that are no maps. They pack
/// every chunk too, and searching them would inflate what nobody asked for.
fn belongs_to_another_game(header: &FileHeader) -> bool {
    (header.format_version.get(), header.file_type.get(), header.file_version.get()) == (3, 0, 0)
}

/// Whether chunk 0 is that of a free game. Whether its lengths count bytes or UTF-16 units is not known,
/// so both are tried; the items have to end with the chunk.
fn is_free_game(plain: &[u8]) -> bool {
    [1, 2].into_iter().any(|unit| items_end(plain, unit) == Some(plain.len()))
}

/// Where the items of chunk 0 end: i32 length and name, i32 length and path, i32 time, avatar (its last
/// word the number of items), items.
fn items_end(plain: &[u8], unit: usize) -> Option<usize> {
    let mut cursor = Cursor::new(plain, Space::FILE, 0);
    for _ in 0..2 {
        let len = usize::try_from(cursor.i32("length").ok()?).ok()?;
        cursor.bytes(len.checked_mul(unit)?, "text").ok()?;
    }
    cursor.i32("time").ok()?;
    let items = cursor.bytes(AVATAR, "avatar").ok()?.last_chunk().copied()?;
    let items = usize::try_from(i32::from_le_bytes(items)).ok()?;
    cursor.position().checked_add(items.checked_mul(ITEM)?)
}

/// Whether a plausible chunk file starts somewhere in `plain`.
fn holds_chunk_file(plain: &[u8]) -> bool {
    let magic = MAGIC.to_le_bytes();
    let mut starts = (0_usize..).zip(plain.windows(magic.len()));
    starts.any(|(start, window)| {
        window == magic && plain.get(start..).is_some_and(|rest| starts_chunk_file(rest).is_some())
    })
}

/// `Some` where `bytes` start with a plausible chunk file: a container version and a type that some file has,
/// and a first chunk that fits into the bytes.
fn starts_chunk_file(bytes: &[u8]) -> Option<()> {
    let mut cursor = Cursor::new(bytes, Space::FILE, 0);
    let header = cursor.record::<FileHeader>().ok()?;
    let known = matches!((header.format_version.get(), header.file_type.get()), (2 | 3, 0..=2));
    let chunk = cursor.record::<ChunkHeader>().ok()?;
    let stored = usize::try_from(chunk.data_length.get()).ok()?;
    let sizes = match chunk.packed.get() {
        0 => true,
        1 => {
            let unpacked = cursor.record::<UnpackedLength>().ok()?.unpacked_length.get();
            let most = (stored as u64).saturating_mul(zlib::MAX_RATIO);
            u64::try_from(unpacked).is_ok_and(|unpacked| unpacked <= most)
        }
        _ => false,
    };
    (known && sizes && stored <= cursor.remaining()).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free_game(unit: usize, items: i32) -> Vec<u8> {
        let mut plain = Vec::new();
        for text in ["Liannon", "Freegame"] {
            plain.extend((text.len() as i32 * 2 / unit as i32).to_le_bytes());
            plain.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
        }
        plain.extend([0; 4 + AVATAR - 4]);
        plain.extend(items.to_le_bytes());
        plain
    }

    #[test]
    fn both_readings_of_the_lengths_are_tried_and_the_items_must_end_with_the_chunk() {
        for unit in [1, 2] {
            let mut plain = free_game(unit, 2);
            assert!(!is_free_game(&plain));
            plain.extend([0; 20]);
            assert!(is_free_game(&plain));
            plain.push(0);
            assert!(!is_free_game(&plain));
        }
        assert!(!is_free_game(&free_game(1, -1)));
        assert!(!is_free_game(&free_game(1, i32::MAX)));
        assert!(!is_free_game(&[]));
    }

    /// Something, then a chunk file with one chunk of five bytes.
    fn nested(format: u32, kind: u32, packed: i16, length: i32, unpacked: i32) -> Vec<u8> {
        let mut plain = vec![0x12, 0xdd, 0x12];
        for word in [MAGIC, format, kind, 1, 0] {
            plain.extend(word.to_le_bytes());
        }
        for word in [2016, 0, packed] {
            plain.extend(word.to_le_bytes());
        }
        plain.extend(length.to_le_bytes());
        plain.extend(3_i16.to_le_bytes());
        if packed != 0 {
            plain.extend(unpacked.to_le_bytes());
        }
        plain.extend([7; 5]);
        plain
    }

    #[test]
    fn a_chunk_file_inside_needs_known_words_and_a_chunk_that_fits() {
        for (format, kind) in [(2, 2), (2, 0), (3, 1), (3, 2)] {
            assert!(holds_chunk_file(&nested(format, kind, 0, 5, 0)));
            assert!(holds_chunk_file(&nested(format, kind, 1, 5, 1000)));
        }
        assert!(!holds_chunk_file(&nested(4, 1, 0, 5, 0)), "another version");
        assert!(!holds_chunk_file(&nested(3, 9, 0, 5, 0)), "another type");
        assert!(!holds_chunk_file(&nested(3, 1, 0, 6, 0)), "the chunk does not fit");
        assert!(!holds_chunk_file(&nested(3, 1, 0, -1, 0)));
        assert!(!holds_chunk_file(&nested(3, 1, 7, 5, 5)), "another packed word");
        assert!(!holds_chunk_file(&nested(3, 1, 1, 5, 1 << 20)), "no stream holds that much");
        let mut cut = nested(2, 2, 0, 5, 0);
        cut.truncate(3 + 20 + 11);
        assert!(!holds_chunk_file(&cut));
        assert!(!holds_chunk_file(&MAGIC.to_le_bytes()));
        assert!(!holds_chunk_file(&[]));
    }
}
