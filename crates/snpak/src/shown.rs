//! States of a pack in the place of the active index.

use crate::{index::Index, strings::StringTable};
use spelunk_core::Revision;

/// What a pack shows in the place of the active index.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// Which state it is.
    pub(crate) which: Revision,
    /// Its index.
    pub(crate) index: Index,
    /// Its string table; an empty one where it is lost.
    pub(crate) strings: StringTable,
    /// Whether the names of its assets are known.
    pub(crate) named: bool,
}
