//! Saved games from the outside: how one is recognised (`docs/formats/cff.md#9-saves-outer-view`).
//!
//! Everything here was read in third-party tools. No real save was available.

use crate::cff::{Chunk, ChunkFile, FileHeader, MAGIC};
use spelunk_core::{Class, Result, Space, Task, cursor::Cursor};

/// Bytes of the avatar in chunk 0 of a free game.
const AVATAR: usize = 227;

/// Bytes of an item behind the avatar.
const ITEM: usize = 10;

/// Whether `file` is a save: all chunks are packed and chunk 0 has the layout of a free game, or a chunk
/// holds a whole chunk file. What cannot be inflated is no evidence.
///
/// # Errors
/// Reading errors.
pub(crate) fn is_save(file: &ChunkFile, task: &mut Task<'_>) -> Result<bool> {
    let all_packed = file.chunks().iter().all(Chunk::is_packed);
    for (n, chunk) in (0..).zip(file.chunks()) {
        let evidence = file.with_plain(n, task, |plain| {
            (all_packed && chunk.id() == 0 && is_free_game(plain)) || holds_chunk_file(plain)
        });
        match evidence {
            Ok(true) => return Ok(true),
            Err(error) if error.code().class == Class::Io => return Err(error),
            Ok(false) | Err(_) => {}
        }
    }
    Ok(false)
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

/// Whether a chunk file starts somewhere in `plain`: the magic, and a header behind it.
fn holds_chunk_file(plain: &[u8]) -> bool {
    plain.windows(size_of::<FileHeader>()).any(|window| window.starts_with(&MAGIC.to_le_bytes()))
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

    #[test]
    fn a_chunk_file_inside_needs_a_whole_header() {
        let mut plain = vec![1, 2, 3];
        plain.extend(MAGIC.to_le_bytes());
        plain.extend([0; 15]);
        assert!(!holds_chunk_file(&plain));
        plain.push(0);
        assert!(holds_chunk_file(&plain));
    }
}
