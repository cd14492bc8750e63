//! How packs are opened: what is checked, and what counts as too much.

use crate::{chunk, index, strings};

/// How a pack is opened. The default checks everything by the limits of the newest generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenOptions {
    /// What is compared.
    pub checks: Checks,
    /// What is refused.
    pub limits: FormatLimits,
}

/// What is compared when a pack is opened and payloads are read. [`verify`](crate::verify()) compares everything in
/// any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checks {
    /// The hashes of the tables on opening; with each payload its chunk with its row, and the payload with its hash.
    #[default]
    All,
    /// The hashes of the tables on opening. Of payloads only what they cannot be read without: that there is a chunk
    /// inside the pack, and that it unpacks to the size that it states. For packs that were verified before.
    IndexOnly,
}

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
        string_count: strings::MAX_STRINGS,
        block_size: chunk::MAX_SIZE,
        entry_count: index::MAX_ENTRIES,
        bulk_entry_count: index::MAX_BULK,
        owner_count: index::MAX_OWNERS,
        dependency_count: index::MAX_DEPENDENCIES,
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
