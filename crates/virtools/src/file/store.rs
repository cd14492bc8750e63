//! The ways in which sections are written.

/// Way in which sections are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Store {
    /// As they were opened: unchanged ones with their stored bytes, changed ones packed as those were.
    AsOpened,
    /// As they are.
    Plain,
    /// Packed at this level.
    Zlib(u8),
}

/// The level of nearly every packed section of real files.
pub(super) const USUAL_LEVEL: u8 = 4;
