//! Places of files in a set.

/// A file of a set: in which layer, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LayerPosition {
    /// The archive, by its position in [`Set::archives`](super::Set::archives); behind them the loose files.
    pub layer: u32,
    /// The position of its entry, or of the loose file.
    pub position: u32,
}
