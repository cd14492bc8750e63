//! The two header parts: 64 bytes that say which engine wrote the file and where its sections lie.

use crate::codes;
use spelunk_core::{BitField, Error, Result, Span, Task, cursor::Cursor, place::Space, record};
use std::ops::Range;

/// The signature: `Nemo Fi` and a NUL.
pub const SIGNATURE: [u8; 8] = *b"Nemo Fi\0";

/// The part of the signature that every engine compares.
pub const NEMO: [u8; 4] = *b"Nemo";

/// FileWriteMode: objects are packed, each on its own below FileVersion 4, in one stream later.
pub const CHUNK_COMPRESSED_OLD: u32 = 1;
/// FileWriteMode: textures lie in files of their own.
pub const EXTERNAL_TEXTURES_OLD: u32 = 2;
/// FileWriteMode: what only the editor shows was left out.
pub const FOR_VIEWER: u32 = 4;
/// FileWriteMode: the sections are packed.
pub const WHOLE_COMPRESSED: u32 = 8;

/// Every bit of FileWriteMode that has a meaning.
pub(super) const MODE_BITS: u32 =
    CHUNK_COMPRESSED_OLD | EXTERNAL_TEXTURES_OLD | FOR_VIEWER | WHOLE_COMPRESSED;

/// FileWriteMode bits that make readers inflate the Data section.
pub(crate) const PACKED: u32 = CHUNK_COMPRESSED_OLD | WHOLE_COMPRESSED;

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
        /// Way in which the file was written; a bit set.
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
        /// Version of the product.
        product_build: Word { parts: PRODUCT_BUILD },
        /// Plain size of Header1.
        hdr1_unpack_size: U32 { unit: "bytes" },
    }
}

/// The version of a product.
const PRODUCT_BUILD: &[BitField] = &[
    BitField::new("major", 24, 8, "Its first number."),
    BitField::new("minor", 16, 8, "Its second number."),
    BitField::new("patch", 8, 8, "Its third number."),
    BitField::new("build", 0, 8, "Its fourth number."),
];

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

/// ProductBuild that counts where ProductVersion is no edition.
const BUILD_WITHOUT_EDITION: u32 = 0x0101_0000;

/// The first value of ProductVersion that is no edition.
const EDITION_END: u32 = 12;

/// The headers of a file, as stored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Head {
    /// Bytes 0 to 31.
    pub part0: Part0,
    /// Bytes 32 to 63, from FileVersion 5 on.
    pub part1: Option<Part1>,
}

impl Head {
    /// Bytes that both parts take. No file needs more of them for its headers.
    pub const LEN: u64 = 64;

    /// Reads the headers from the first bytes of a file. 64 bytes are enough.
    ///
    /// # Errors
    /// [`codes::SIGNATURE`] where not even the first four bytes match, [`codes::TOO_SHORT`],
    /// [`codes::OBSOLETE`] from FileVersion 10 on.
    pub fn read(bytes: &[u8]) -> Result<Head> {
        if !bytes.starts_with(&NEMO) {
            return Err(Error::new(&codes::SIGNATURE)
                .at(Span::file(0, bytes.len().min(8) as u64))
                .expected("\"Nemo Fi\\x00\""));
        }
        let too_short = |expected| {
            Error::new(&codes::TOO_SHORT)
                .at(Span::file(bytes.len() as u64, 0))
                .expected(format!("{expected} bytes"))
                .found(format!("{} bytes", bytes.len()))
        };
        let mut cursor = Cursor::new(bytes, Space::FILE, 0);
        let part0: Part0 = *cursor.record().map_err(|_| too_short(32))?;
        let mut head = Head { part0, part1: None };
        let version = head.version();
        if version > LAST_VERSION {
            return Err(Error::new(&codes::OBSOLETE)
                .at(Span::file(16, 4))
                .field("file_version")
                .expected("9 at the most")
                .found(format!("FileVersion {version}")));
        }
        if version >= 5 {
            head.part1 = Some(*cursor.record().map_err(|_| too_short(64))?);
        }
        Ok(head)
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
        let version = self.version();
        if version < 2 {
            let at = if self.is_prehistoric() { Span::file(20, 4) } else { Span::file(16, 4) };
            task.warn(Error::new(&codes::OLD_FORMAT).at(at).found(version))?;
        }
        if version != 8 {
            task.note(Error::new(&codes::SYNTHETIC).at(Span::file(16, 4)).found(version))?;
        }
        if let Some(part1) = self.part1.filter(|part1| part1.product_version.get() >= EDITION_END) {
            task.note(
                Error::new(&codes::EDITION)
                    .at(Span::file(52, 4))
                    .field("product_version")
                    .expected("0 to 11")
                    .found(part1.product_version.get()),
            )?;
        }
        Ok(())
    }

    /// Whether FileVersion2 marks a file of prehistoric layout.
    pub fn is_prehistoric(&self) -> bool {
        self.part0.file_version2.get() != 0
    }

    /// The FileVersion that decides about the layout: 0 where FileVersion2 is set.
    pub fn version(&self) -> u32 {
        if self.is_prehistoric() { 0 } else { self.part0.file_version.get() }
    }

    /// The FileWriteMode that readers go by: 0 where FileVersion2 is set.
    pub fn write_mode(&self) -> u32 {
        if self.is_prehistoric() { 0 } else { self.part0.write_mode.get() }
    }

    /// End of the headers: 32, and 64 from FileVersion 5 on.
    pub const fn end(&self) -> u64 {
        if self.part1.is_some() { Head::LEN } else { 32 }
    }

    /// ProductVersion as engines take it: 0 where it is no edition, and without Part1.
    pub fn product_version(&self) -> u32 {
        let edition = self.part1.map_or(0, |part1| part1.product_version.get());
        if edition < EDITION_END { edition } else { 0 }
    }

    /// ProductBuild as engines take it: 0 without Part1, 0x01010000 where ProductVersion is no edition.
    pub fn product_build(&self) -> u32 {
        self.part1.map_or(0, |part1| match part1.product_version.get() {
            ..EDITION_END => part1.product_build.get(),
            _ => BUILD_WITHOUT_EDITION,
        })
    }

    /// The product's version, highest part first: `[2, 1, 0, 14]`.
    pub fn product(&self) -> [u8; 4] {
        self.product_build().to_be_bytes()
    }

    /// The number of managers in Part1; 0 without it.
    pub fn manager_count(&self) -> u32 {
        self.part1.map_or(0, |part1| part1.manager_count.get())
    }

    /// The number of objects in Part1; 0 without it.
    pub fn object_count(&self) -> u32 {
        self.part1.map_or(0, |part1| part1.object_count.get())
    }

    /// Plain size of Header1; 0 below FileVersion 8.
    pub fn header1_plain_len(&self) -> u64 {
        self.part1.map_or(0, |part1| part1.hdr1_unpack_size.get().into())
    }

    /// Size of the Data section in the file; 0 without Part1.
    pub fn data_stored_len(&self) -> u64 {
        self.part1.map_or(0, |part1| part1.data_pack_size.get().into())
    }

    /// Plain size of the Data section; 0 without Part1.
    pub fn data_plain_len(&self) -> u64 {
        self.part1.map_or(0, |part1| part1.data_unpack_size.get().into())
    }

    /// Whether Header1 is packed: exactly if its two sizes differ.
    pub fn header1_packed(&self) -> bool {
        u64::from(self.part0.hdr1_pack_size.get()) != self.header1_plain_len()
    }

    /// Whether the write mode says that the Data section is packed, and there is one whose size is known.
    /// Below FileVersion 5 only single records can be packed.
    pub fn data_packed(&self) -> bool {
        self.write_mode() & PACKED != 0 && self.data_stored_len() != 0
    }

    /// Whether the write mode says that records of FileVersion 0 to 3 may be packed each on its own.
    pub fn records_packed(&self) -> bool {
        self.version() < 4 && self.write_mode() & CHUNK_COMPRESSED_OLD != 0
    }

    /// Range of the stored bytes of Header1 in the file, by the headers.
    pub fn header1_range(&self) -> Range<u64> {
        let len = if self.version() < 8 { 0 } else { self.part0.hdr1_pack_size.get().into() };
        self.end()..self.end().saturating_add(len)
    }
}

/// The highest FileVersion that is known.
const LAST_VERSION: u32 = 9;
