//! The header of an archive (`docs/formats/pak.md#1-header`).

use super::form::ArchiveForm;
use crate::codes;
use spelunk_core::{Error, Result, Source, Space, Span, cursor::Cursor, record, text::until_nul};

/// The magic at offset 4.
pub const MAGIC: &[u8; 24] = b"MASSIVE PAKFILE V 4.0\r\n\0";

/// Start of the magics of all versions.
pub const MAGIC_START: &[u8] = b"MASSIVE PAKFILE V ";

record! {
    /// The header of an archive.
    pub struct PakHeader: "header", "docs/formats/pak.md#1-header", 92 {
        /// 4 in the low byte.
        version: U32,
        /// `MASSIVE PAKFILE V 4.0`, CR, LF, NUL.
        magic: Text<24>,
        /// Memory of the packer. Opaque.
        leftover: Raw<44>,
        /// CRC-32 over header, entries and names, see `docs/formats/pak.md#6-checksum`. Nothing is
        /// known to check it.
        checksum: Word,
        /// Number of entries.
        entry_count: U32,
        /// Of unknown meaning.
        root_index: U32,
        /// Start of the data in the file, and end of the name table.
        data_start: U32 { unit: "bytes" },
        /// Size of the whole file, a multiple of 4096.
        file_size: U32 { unit: "bytes" },
    }
}

impl PakHeader {
    /// Length in bytes.
    pub const LEN: u64 = size_of::<PakHeader>() as u64;

    /// Reads the header at the start of `source`.
    ///
    /// # Errors
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED), [`codes::PAK_MAGIC`], [`codes::PAK_VERSION`],
    /// [`codes::PAK_SPEC`].
    pub fn read(source: &dyn Source) -> Result<PakHeader> {
        let mut buffer = [0; size_of::<PakHeader>()];
        let len = source.len().min(PakHeader::LEN);
        let there = buffer.get_mut(..usize::try_from(len).unwrap_or_default()).unwrap_or_default();
        source.read_at(0, there)?;
        if there.starts_with(super::index::MAGIC_SPEC) {
            let [expected, found] = [ArchiveForm::Real, ArchiveForm::Spec].map(ArchiveForm::name);
            return Err(Error::new(&codes::PAK_SPEC)
                .at(Span::file(0, 4))
                .field("magic")
                .expected(expected)
                .found(found));
        }
        let header = *Cursor::new(there, Space::FILE, 0).record::<PakHeader>()?;
        let magic = &header.magic.0;
        let version = header.version.get();
        if magic.starts_with(MAGIC_START) && (magic != MAGIC || version & 0xff != 4) {
            return Err(Error::new(&codes::PAK_VERSION)
                .at(Span::file(0, 28))
                .field("version")
                .expected("4, MASSIVE PAKFILE V 4.0")
                .found(format!("{version}, {}", until_nul(magic).trim_ascii().escape_ascii())));
        }
        if magic != MAGIC {
            return Err(Error::new(&codes::PAK_MAGIC).at(Span::file(4, 24)).field("magic"));
        }
        Ok(header)
    }
}
