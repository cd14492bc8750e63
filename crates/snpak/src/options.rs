//! How packs are opened: what is checked, and what counts as too much.

pub use crate::limits::FormatLimits;

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
