//! Options for opening packs: the checks, and the limits.

pub use crate::limits::FormatLimits;

/// Options for opening a pack. The default checks everything by the limits of the newest generation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenOptions {
    /// Hashes and headers that are compared.
    pub checks: Checks,
    /// Limits above which a pack is refused.
    pub limits: FormatLimits,
    /// Whether a header is read that is longer than the known one: what follows the known fields is kept as bytes, with a
    /// warning. A [`Task`](spelunk_core::Task) that is lenient asks for it too.
    pub longer_headers: bool,
}

/// Comparisons that are made when a pack is opened and payloads are read. [`verify`](crate::verify()) makes all of them in any
/// case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checks {
    /// The hashes of the tables on opening; with each payload its chunk with its row, and the payload with its hash.
    #[default]
    All,
    /// The hashes of the tables on opening. Of payloads only what they cannot be read without: that there is a chunk
    /// inside the pack, and that it unpacks to the size that it states. For packs that were verified before.
    IndexOnly,
}
