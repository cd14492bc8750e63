//! Entries of an archive (`docs/formats/pak.md#2-entries`).

use spelunk_core::record;

record! {
    /// An entry of an archive.
    pub struct PakEntry: "entry", "docs/formats/pak.md#2-entries", 16 {
        /// Size of the file.
        size: U32 { unit: "bytes" },
        /// Where its data starts, from the data start. All 32 bits count.
        data_offset: U32 { unit: "bytes" },
        /// Where its name starts, from the start of the name table. The low 24 bits count.
        name_offset: U32 { unit: "bytes" },
        /// Where its directory starts, from the start of the name table. The low 24 bits count.
        directory_offset: U32 { unit: "bytes" },
    }
}

/// The bits of name and directory offsets that count.
pub(super) const MASK: u32 = 0x00ff_ffff;

impl PakEntry {
    /// Length in bytes.
    pub const LEN: u64 = size_of::<PakEntry>() as u64;

    /// Where the name starts in the name table.
    pub fn name_at(&self) -> usize {
        (self.name_offset.get() & MASK) as usize
    }

    /// Where the directory starts in the name table.
    pub fn directory_at(&self) -> usize {
        (self.directory_offset.get() & MASK) as usize
    }

    /// The top bytes of name and directory offset, which nothing looks at.
    pub(super) fn top_bytes(&self) -> [u8; 2] {
        [self.name_offset, self.directory_offset].map(|offset| (offset.get() >> 24) as u8)
    }
}
