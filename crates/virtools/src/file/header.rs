//! The two header parts: 64 bytes that say which engine wrote the file and where its sections lie.

use crate::codes;
use spelunk_core::{Error, Result, Span, Task, cursor::Cursor, place::Space, record};
use std::ops::Range;

/// The signature: `Nemo Fi` and a NUL.
pub const SIGNATURE: [u8; 8] = *b"Nemo Fi\0";

/// The part of the signature that every engine compares.
pub const NEMO: [u8; 4] = *b"Nemo";

/// FileWriteMode bits that make readers inflate the Data section: CHUNKCOMPRESSED_OLD and
/// WHOLECOMPRESSED.
const PACKED: u32 = 1 | 8;

record! {
    /// Part0, the first header part, which every file has.
    pub struct Part0: "part0", "docs/formats/virtools.md#1-part0", 32 {
        /// `Nemo Fi` and a NUL.
        signature: Text<8>,
        /// Adler-32 that starts at 0, over what the recipe of the product covers.
        crc: Word,
        /// Date of the engine; the hexadecimal digits read as day, month, year.
        ck_version: Word,
        /// Layout of everything that follows; 8 in real files.
        file_version: U32,
        /// 0; anything else marks a file of prehistoric layout.
        file_version2: U32,
        /// How the file was written; a bit set.
        write_mode: Word {
            values: &[(0, "uncompressed")],
            bits: &[
                (1, "chunk compressed (old)"),
                (2, "external textures (old)"),
                (4, "for viewer"),
                (8, "whole compressed"),
            ],
        },
        /// Bytes that Header1 takes in the file.
        hdr1_pack_size: U32 { unit: "bytes" },
    }
}

record! {
    /// Part1, the second header part, present from FileVersion 5 on.
    pub struct Part1: "part1", "docs/formats/virtools.md#2-part1", 32 {
        /// Bytes that the Data section takes in the file.
        data_pack_size: U32 { unit: "bytes" },
        /// Plain size of the Data section.
        data_unpack_size: U32 { unit: "bytes" },
        /// Manager records in the Data section.
        manager_count: U32,
        /// Entries of the object table, and object records in the Data section.
        object_count: U32,
        /// MaxIDSaved: the largest id of the object table.
        max_id: U32,
        /// Edition of the product; 0 in real files.
        product_version: U32 { values: EDITIONS },
        /// Version of the product, one byte for each part, the highest first.
        product_build: Word,
        /// Plain size of Header1.
        hdr1_unpack_size: U32 { unit: "bytes" },
    }
}

/// The editions that ProductVersion numbers.
const EDITIONS: &[(i64, &str)] = &[
    (0, "Dev"),
    (1, "Creation"),
    (2, "Dev evaluation"),
    (3, "Creation evaluation"),
    (4, "Dev NFR"),
    (5, "Creation NFR"),
    (6, "Dev education"),
    (7, "Creation education"),
    (8, "Dev TB"),
    (9, "Creation TB"),
    (10, "Dev NCV"),
    (11, "Dev SE"),
];

/// Both header parts of a file of FileVersion 8 or 9, as stored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Head {
    /// Bytes 0 to 31.
    pub part0: Part0,
    /// Bytes 32 to 63.
    pub part1: Part1,
}

impl Head {
    /// Bytes that the two parts take: where Header1 starts.
    pub const LEN: u64 = 64;

    /// Reads the headers from the first bytes of a file. 64 bytes are enough.
    ///
    /// # Errors
    /// [`codes::SIGNATURE`] where not even the first four bytes match, [`codes::TOO_SHORT`],
    /// [`codes::GENERATION`] for FileVersion 0 to 7 and for a FileVersion2, [`codes::OBSOLETE`] from
    /// FileVersion 10 on.
    pub fn read(bytes: &[u8]) -> Result<Head> {
        if !bytes.starts_with(&NEMO) {
            return Err(Error::new(&codes::SIGNATURE)
                .at(Span::file(0, bytes.len().min(8) as u64))
                .expected("\"Nemo Fi\\x00\""));
        }
        let too_short = |_| {
            Error::new(&codes::TOO_SHORT)
                .at(Span::file(bytes.len() as u64, 0))
                .expected(format!("{} bytes", Head::LEN))
                .found(format!("{} bytes", bytes.len()))
        };
        let mut cursor = Cursor::new(bytes, Space::FILE, 0);
        let part0: Part0 = *cursor.record().map_err(too_short)?;
        readable(&part0)?;
        let part1 = *cursor.record().map_err(too_short)?;
        Ok(Head { part0, part1 })
    }

    /// Reports what is odd about the headers themselves.
    ///
    /// # Errors
    /// What the sink makes of a finding.
    pub fn check(&self, task: &mut Task<'_>) -> Result<()> {
        if self.part0.signature.0 != SIGNATURE {
            task.warn(
                Error::new(&codes::SIGNATURE)
                    .at(Span::file(0, 8))
                    .expected("\"Nemo Fi\\x00\"")
                    .found(format!("\"{}\"", self.part0.signature.0.escape_ascii())),
            )?;
        }
        if self.part0.file_version.get() == 9 {
            task.note(Error::new(&codes::SYNTHETIC).at(Span::file(16, 4)).found(9_u32))?;
        }
        Ok(())
    }

    /// The product's version, highest part first: `[2, 1, 0, 14]`.
    pub fn product(&self) -> [u8; 4] {
        self.part1.product_build.get().to_be_bytes()
    }

    /// Whether Header1 is packed: exactly if its two sizes differ.
    pub fn header1_packed(&self) -> bool {
        self.part0.hdr1_pack_size != self.part1.hdr1_unpack_size
    }

    /// Whether the write mode says that the Data section is packed, and there is one.
    pub fn data_packed(&self) -> bool {
        self.part0.write_mode.get() & PACKED != 0 && self.part1.data_pack_size.get() != 0
    }

    /// Where the stored bytes of Header1 should lie in the file.
    pub fn header1_range(&self) -> Range<u64> {
        Head::LEN..Head::LEN.saturating_add(self.part0.hdr1_pack_size.get().into())
    }

    /// Where the stored bytes of the Data section should lie in the file.
    pub fn data_range(&self) -> Range<u64> {
        let start = self.header1_range().end;
        start..start.saturating_add(self.part1.data_pack_size.get().into())
    }
}

/// Whether there is a reader for the layout that Part0 announces.
fn readable(part0: &Part0) -> Result<()> {
    let version = part0.file_version.get();
    let version2 = part0.file_version2.get();
    if version2 != 0 {
        return Err(Error::new(&codes::GENERATION)
            .at(Span::file(20, 4))
            .field("file_version2")
            .expected(0_u32)
            .found(format!("FileVersion2 {version2}, which counts as FileVersion 0")));
    }
    let (code, expected) = match version {
        8 | 9 => return Ok(()),
        0..=7 => (&codes::GENERATION, "8 or 9"),
        _ => (&codes::OBSOLETE, "9 at the most"),
    };
    Err(Error::new(code)
        .at(Span::file(16, 4))
        .field("file_version")
        .expected(expected)
        .found(format!("FileVersion {version}")))
}
