//! Places: a *space* and an offset in it.
//!
//! Packed sections have no offsets of their own in the file, so errors, findings, `explain` and
//! coverage all speak of `(space, offset)`. Space `file` is the file as stored; every inflated
//! section is a space of its own, named by the format (`header1`, `data`, `chunk12`). A section that is
//! stored without packing keeps its file offsets and has no space of its own.

use std::fmt;

/// A byte space: the file, or one inflated section of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space {
    kind: &'static str,
    index: Option<u32>,
}

impl Space {
    /// The file as stored.
    pub const FILE: Space = Space { kind: "file", index: None };

    /// The one inflated section of this name.
    pub const fn section(kind: &'static str) -> Space {
        Space { kind, index: None }
    }

    /// The inflated section number `index` (0-based, in file order) of this name.
    pub const fn nth(kind: &'static str, index: u32) -> Space {
        Space { kind, index: Some(index) }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        self.index.map_or(Ok(()), |index| write!(f, "{index}"))
    }
}

/// A range of bytes in one space. Offsets and lengths are in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The space that `start` counts in.
    pub space: Space,
    /// First byte.
    pub start: u64,
    /// Number of bytes; 0 marks a place between two bytes.
    pub len: u64,
}

impl Span {
    /// `len` bytes from `start` of `space`.
    pub const fn new(space: Space, start: u64, len: u64) -> Span {
        Span { space, start, len }
    }

    /// `len` bytes from `start` of the file.
    pub const fn file(start: u64, len: u64) -> Span {
        Span { space: Space::FILE, start, len }
    }

    /// The first offset behind the span; saturates at the end of the number range.
    pub const fn end(&self) -> u64 {
        self.start.saturating_add(self.len)
    }

    /// Whether the byte at `offset` of `space` lies in the span.
    pub fn contains(&self, space: Space, offset: u64) -> bool {
        self.space == space && self.start <= offset && offset < self.end()
    }

    /// `len` bytes from `offset` bytes into this span (not cut at its end).
    pub const fn part(&self, offset: u64, len: u64) -> Span {
        Span { space: self.space, start: self.start.saturating_add(offset), len }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:#x}", self.space, self.start)
    }
}
