//! States of a pack in the place of the active index.

use crate::{index::Index, strings::StringTable};
use spelunk_core::Revision;

/// State that a pack shows in the place of the active index.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// Name of the state.
    pub(crate) which: Revision,
    /// Index of the state.
    pub(crate) index: Index,
    /// String table of the state; an empty one where it is lost.
    pub(crate) strings: StringTable,
    /// Whether the names of its assets are known.
    pub(crate) named: bool,
}
