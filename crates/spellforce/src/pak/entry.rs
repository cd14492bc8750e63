//! Entries of an archive (`docs/formats/pak.md#2-entries`).

use spelunk_core::{BitField, record};

record! {
    /// An entry of an archive.
    pub struct PakEntry: "entry", "docs/formats/pak.md#2-entries", 16 {
        /// Size of the file.
        size: U32 { unit: "bytes" },
        /// Start of the data, from the data start. All 32 bits count.
        data_offset: U32 { unit: "bytes" },
        /// Start of the name, from the start of the name table.
        name_offset: U32 { unit: "bytes", parts: OFFSET },
        /// Start of the directory, from the start of the name table.
        directory_offset: U32 { unit: "bytes", parts: OFFSET },
    }
}

/// The parts of name and directory offsets.
const OFFSET: &[BitField] = &[COUNTS, UNUSED];
const COUNTS: BitField = BitField::new("offset", 0, 24, "What counts.").unit("bytes");
const UNUSED: BitField =
    BitField::new("unused", 24, 8, "Nothing looks at it; 0 in archives of the original tools.");

/// The bits of name and directory offsets that count.
pub(super) const MASK: u32 = COUNTS.mask();

impl PakEntry {
    /// Length in bytes.
    pub const LEN: u64 = size_of::<PakEntry>() as u64;

    /// Returns the start of the name in the name table.
    pub fn name_at(&self) -> usize {
        COUNTS.of(self.name_offset.get()) as usize
    }

    /// Returns the start of the directory in the name table.
    pub fn directory_at(&self) -> usize {
        COUNTS.of(self.directory_offset.get()) as usize
    }

    /// The top bytes of name and directory offset, which nothing looks at.
    pub(super) fn top_bytes(&self) -> [u8; 2] {
        [self.name_offset, self.directory_offset].map(|offset| UNUSED.of(offset.get()) as u8)
    }
}
