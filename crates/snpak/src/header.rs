//! The header: 180 bytes at the start of every pack.

use crate::codes;
use spelunk_core::{Code, Error, Result, Span, cursor::Cursor, place::Space, record};

/// The first eight bytes of every pack.
pub const MAGIC: [u8; 8] = *b"SNPAK\0\0\0";
/// The one version of header and blocks; it never changed.
pub const VERSION: u32 = 1;
/// Size of the header in bytes.
pub const HEADER_SIZE: u32 = 180;
/// Endian marker of a little-endian pack.
pub const ENDIAN_MARKER: u32 = 0x0102_0304;
/// Header flag: the pack has been appended to.
pub const FLAG_TRAILING_INDEX: u32 = 1;
/// Header flag: the pack has a type table. It was never used.
pub const FLAG_TYPE_TABLE: u32 = 2;

/// Names of the flags.
const FLAGS: &[(u32, &str)] =
    &[(FLAG_TRAILING_INDEX, "has-trailing-index"), (FLAG_TYPE_TABLE, "has-type-table")];

record! {
    /// The header of a pack: where the active string table and the active index are.
    pub struct Header: "header", "docs/formats/snpak.md#1-header", 180 {
        /// Always `SNPAK` and three NULs.
        magic: Text<8>,
        /// 1 in every generation.
        version: U32,
        /// Size of this header: always 180. What follows the known fields in a longer one is an extension.
        header_size: U32 { unit: "bytes" },
        /// 0x01020304 when read as it was written.
        endian_marker: Word,
        /// Size of the pack. The file may be longer, not shorter.
        file_size: U64 { unit: "bytes" },
        /// Start of the active index.
        index_offset: U64 { unit: "bytes" },
        /// Whole size of the active index.
        index_size: U64 { unit: "bytes" },
        /// Start of the active string table.
        string_table_offset: U64 { unit: "bytes" },
        /// Whole size of the active string table.
        string_table_size: U64 { unit: "bytes" },
        /// Reserved for a table that was never made; 0.
        type_table_offset: U64 { unit: "bytes" },
        /// Reserved for a table that was never made; 0.
        type_table_size: U64 { unit: "bytes" },
        /// XXH3-128 of the whole active index block, its own hash filled in.
        index_hash: Hash128,
        /// 0x1: the pack has been appended to. 0x2: it has a type table, which was never used.
        flags: Word { bits: FLAGS },
        /// Zero.
        reserved0: U32,
        /// Start of the index before the last append; 0 where there is none.
        previous_index_offset: U64 { unit: "bytes" },
        /// Size of the index before the last append; 0 where there is none.
        previous_index_size: U64 { unit: "bytes" },
        /// Zeros.
        reserved: Raw<64>,
    }
}

impl Header {
    /// Reads the header from the first bytes of a file of `len` bytes and checks what decides whether
    /// the rest can be read. A header with an [extension](Header::extension) is read too.
    ///
    /// # Errors
    /// [`codes::MAGIC`], [`codes::BIG_ENDIAN`], [`codes::ENDIAN`], [`codes::VERSION`],
    /// [`codes::HEADER_LONG`], [`codes::HEADER_SHORT`], [`codes::FILE_SIZE`], or
    /// [`TRUNCATED`](spelunk_core::codes::TRUNCATED) for a file without room for it.
    pub fn read(bytes: &[u8], len: u64) -> Result<Header> {
        let magic = bytes.get(..MAGIC.len()).unwrap_or(bytes);
        if !MAGIC.starts_with(magic) || magic.is_empty() {
            return Err(Error::new(&codes::MAGIC)
                .at(Span::file(0, magic.len() as u64))
                .field("magic")
                .expected(format!("\"{}\"", MAGIC.escape_ascii()))
                .found(format!("\"{}\"", magic.escape_ascii())));
        }
        let header: &Header = Cursor::new(bytes, Space::FILE, 0).record()?;
        header.check(len)?;
        Ok(*header)
    }

    /// Returns the place of what follows the known fields; empty in every known pack.
    pub fn extension(&self) -> Span {
        let known = u64::from(HEADER_SIZE);
        Span::file(known, u64::from(self.header_size.get()).saturating_sub(known))
    }

    /// Whether a longer header ends before the tables that it leads to, as an extension would.
    fn has_room(&self) -> bool {
        let tables = self.index_offset.get().min(self.string_table_offset.get());
        self.extension().end() <= tables.min(self.file_size.get())
    }

    fn check(&self, len: u64) -> Result<()> {
        // The marker first: in a pack of the other byte order every number is wrong.
        let marker = self.endian_marker.get();
        if marker != ENDIAN_MARKER {
            let swapped = marker.swap_bytes() == ENDIAN_MARKER;
            let code = if swapped { &codes::BIG_ENDIAN } else { &codes::ENDIAN };
            return Err(Error::new(code)
                .at(Span::file(16, 4))
                .field("endian_marker")
                .expected(format!("{ENDIAN_MARKER:#010x}"))
                .found(format!("{marker:#010x}")));
        }
        if self.version.get() != VERSION {
            return Err(Error::new(&codes::VERSION)
                .at(Span::file(8, 4))
                .field("version")
                .expected(VERSION)
                .found(self.version.get()));
        }
        let size = self.header_size.get();
        if size < HEADER_SIZE || size > HEADER_SIZE && !self.has_room() {
            let code = if size > HEADER_SIZE { &codes::HEADER_LONG } else { &codes::HEADER_SHORT };
            return Err(self.size_error(code).expected(HEADER_SIZE));
        }
        if self.file_size.get() > len {
            return Err(Error::new(&codes::FILE_SIZE)
                .at(Span::file(20, 8))
                .field("file_size")
                .expected(format!("at most {len} bytes"))
                .found(format!("{} bytes", self.file_size.get())));
        }
        Ok(())
    }

    /// The error of a header of another size than the known one.
    pub(crate) fn size_error(&self, code: &'static Code) -> Error {
        let error = Error::new(code).at(Span::file(12, 4)).field("header_size");
        error.found(self.header_size.get())
    }
}
