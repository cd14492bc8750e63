//! The header of a chunk file (`docs/formats/cff.md#1-file-header`).

use crate::codes;
use spelunk_core::{Error, Result, Source, Space, Span, cursor::Cursor, record};

/// The magic, bytes `12 DD 72 DD`.
pub const MAGIC: u32 = 0xdd72_dd12;

/// The magic that a third-party note gives the first release of 2003; no such file was seen.
pub const MAGIC_2003: u32 = 0xdd72_c502;

/// The magic as the written specification prints it, bytes `12 5E 5E DD`.
pub const MAGIC_SPEC: u32 = 0xdd5e_5e12;

record! {
    /// The header of a chunk file. None of its five words is different for GameData, maps and saves; all are kept.
    pub struct FileHeader: "header", "docs/formats/cff.md#1-file-header", 20 {
        /// `12 DD 72 DD`.
        magic: Word,
        /// Version of the container: 2 in GameData (chunks are raw), 3 in maps (chunks are packed).
        format_version: U32,
        /// 2 or 0 in GameData, 1 in maps.
        file_type: U32,
        /// 1 in GameData, 11 in the one known SpellForce 1 map, a counter of saves in SpellForce 2 maps.
        file_version: U32,
        /// 0 in all real files; nothing checks it.
        checksum: Word,
    }
}

impl FileHeader {
    /// Length in bytes.
    pub const LEN: u64 = size_of::<FileHeader>() as u64;

    /// Reads the header at the start of `source`, which has the magic of real files or that of the specification.
    ///
    /// # Errors
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED), [`codes::CFF_MAGIC`], [`codes::CFF_MAGIC_2003`].
    pub fn read(source: &dyn Source) -> Result<FileHeader> {
        let mut buffer = [0; size_of::<FileHeader>()];
        let len = source.len().min(FileHeader::LEN);
        let there = buffer.get_mut(..usize::try_from(len).unwrap_or_default()).unwrap_or_default();
        source.read_at(0, there)?;
        let header = *Cursor::new(there, Space::FILE, 0).record::<FileHeader>()?;
        let code = match header.magic.get() {
            MAGIC | MAGIC_SPEC => return Ok(header),
            MAGIC_2003 => &codes::CFF_MAGIC_2003,
            _ => &codes::CFF_MAGIC,
        };
        Err(Error::new(code)
            .at(Span::file(0, 4))
            .field("magic")
            .expected(format!("{MAGIC:#010x}"))
            .found(format!("{:#010x}", header.magic.get())))
    }
}
