//! The largest counts and sizes that are read.

/// Strings that a table has at the most.
pub const MAX_STRINGS: u32 = 10_000_000;
/// Bytes that a chunk, stored or plain, has at the most.
pub const MAX_CHUNK_SIZE: u64 = 8 << 30;
/// Entries that an index has at the most.
pub const MAX_ENTRIES: u32 = 10_000_000;
/// Bulk entries that an index has at the most.
pub const MAX_BULK: u32 = 100_000_000;
/// Dependency owners that an index has at the most.
pub const MAX_OWNERS: u32 = 10_000_000;
/// Dependencies that an index has at the most.
pub const MAX_DEPENDENCIES: u32 = 100_000_000;

/// The largest counts and sizes that are read, field by field those that the format's specification names. Memory is
/// limited apart from them, by the [`Budget`](spelunk_core::Budget). See `docs/formats/snpak.md`, section 9.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormatLimits {
    /// `kMaxStringCount`: strings of a table.
    pub string_count: u32,
    /// `kMaxBlockSize`: bytes of a chunk, stored or plain. Tables are bounded by the file.
    pub block_size: u64,
    /// `kMaxEntryCount`: entries of an index.
    pub entry_count: u32,
    /// `kMaxBulkEntryCount`: bulk entries of an index.
    pub bulk_entry_count: u32,
    /// Assets of an index that have dependencies; the specification has no name for it.
    pub owner_count: u32,
    /// Dependencies of an index; the specification has no name for it.
    pub dependency_count: u32,
}

impl FormatLimits {
    /// The limits of the newest generation.
    pub const CURRENT: FormatLimits = FormatLimits {
        string_count: MAX_STRINGS,
        block_size: MAX_CHUNK_SIZE,
        entry_count: MAX_ENTRIES,
        bulk_entry_count: MAX_BULK,
        owner_count: MAX_OWNERS,
        dependency_count: MAX_DEPENDENCIES,
    };

    /// The limits of the first generation, which the specification states. It loads smaller chunks.
    pub const SEED: FormatLimits =
        FormatLimits { block_size: 1_000_000_000, ..FormatLimits::CURRENT };
}

impl Default for FormatLimits {
    fn default() -> FormatLimits {
        FormatLimits::CURRENT
    }
}
