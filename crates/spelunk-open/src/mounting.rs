//! Options for opening a folder of archives.

use spellforce::set::Preference;

/// Options for opening a folder of archives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mounting {
    /// The file that counts among several of one path.
    pub preference: Preference,
    /// Leave out what lies beside the archives.
    pub no_loose: bool,
}
