//! The variable manager's copy of the write mode (`docs/formats/virtools.md#127-variable-manager`).
//!
//! Products from 3.0 on keep variables of the authoring tool in files, and one of them can be the write mode of
//! the file, which then counts more than that of the header when the file is saved again. No real file at hand
//! holds it, so its name is not known for sure: the group is that of the other file options.

use super::{Chunk, buffer::ChunkBuf, read::Reader};
use spelunk_core::{
    Span,
    scalar::{Guid, U32},
};

/// The variable manager.
pub const MANAGER: Guid = Guid { d1: U32::new(0x98CC_3CC9), d2: U32::new(0) };
/// Identifier of the manager's section.
const VARIABLES: u32 = 0x98CC_3CC9;
/// The group of variables that say how files are saved.
const FILE_OPTIONS: &[u8] = b"file options/";

/// Place at which the variable manager keeps a write mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredMode {
    /// Index of its dword in the data of the chunk.
    pub index: usize,
    /// The mode.
    pub mode: u32,
}

/// The write mode among the variables of the manager, which is `mode` in the header, too; `None` where there is
/// none, as in all real files.
pub fn write_mode(chunk: &Chunk<'_>, mode: u32) -> Option<StoredMode> {
    let mut reader = Reader::find(*chunk, VARIABLES)?;
    let count = reader.dword("count").ok()?;
    for _ in 0..count {
        let name = reader.string("name").ok()?;
        let index = reader.position();
        let value = reader.dword("value").ok()?;
        if is_write_mode(name.text()) && value == mode {
            return Some(StoredMode { index, mode });
        }
    }
    None
}

/// Puts another write mode in the place of the one that the manager keeps beside the header's, which was `old`;
/// returns whether it keeps one.
pub fn set_write_mode(chunk: &mut ChunkBuf, old: u32, mode: u32) -> bool {
    let Some(stored) = write_mode(&chunk.view(Span::file(0, 0)), old) else { return false };
    chunk.data.get_mut(stored.index).is_some_and(|word| {
        word.set(mode);
        true
    })
}

/// Whether a variable is the write mode, by its name: a file option that speaks of packing or of the mode.
fn is_write_mode(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let Some(option) = name.strip_prefix(FILE_OPTIONS) else { return false };
    let holds = |word: &[u8]| option.windows(word.len()).any(|part| part == word);
    holds(b"compress") || holds(b"write mode") || holds(b"writemode")
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::zerocopy::IntoBytes;
    use spelunk_fixtures::chunk::Chunk as Sample;

    fn manager(names: &[(&[u8], u32)]) -> Sample {
        let start = Sample::manager(VARIABLES).identifier(VARIABLES).word(names.len() as u32);
        let all = names
            .iter()
            .fold(start, |chunk, (name, value)| chunk.string_with_garbage(name).word(*value));
        all.words(&[0; 3])
    }

    #[test]
    fn the_mode_is_found_among_the_variables_and_nothing_else_changes() {
        let others: [(&[u8], u32); 2] =
            [(b"BehaviorManager/MaxIteration", 80000), (b"File Options/Textures,Sprites", 1)];
        let bytes = manager(&others).build().bytes;
        let at = Span::file(0, bytes.len() as u64);
        assert_eq!(write_mode(&Chunk::read(&bytes, at).unwrap(), 1), None);
        let with = |mode| {
            let all = [others[0], (&b"File Options/Compression"[..], mode), others[1]];
            manager(&all).build().bytes
        };
        let bytes = with(8);
        let chunk = Chunk::read(&bytes, at).unwrap();
        assert_eq!(write_mode(&chunk, 8).unwrap().mode, 8);
        assert_eq!(write_mode(&chunk, 0), None, "it tells something else");
        let mut budget = spelunk_core::Budget::new(spelunk_core::Limits::for_len(0));
        let mut changed = ChunkBuf::copy(&chunk, &mut budget).unwrap();
        assert!(set_write_mode(&mut changed, 8, 4));
        assert_eq!(changed.to_bytes().unwrap().as_bytes(), with(4));
    }

    #[test]
    fn a_chunk_that_is_cut_short_has_none() {
        let bytes = manager(&[(b"File Options/Compression", 8)]).build().bytes;
        for len in (8..bytes.len() - 16).step_by(4) {
            let mut cut = bytes[..len].to_vec();
            cut[4..8].copy_from_slice(&((len as u32 - 8) / 4).to_le_bytes());
            let chunk = Chunk::read(&cut, Span::file(0, len as u64)).unwrap();
            assert_eq!(write_mode(&chunk, 8), None);
        }
    }
}
