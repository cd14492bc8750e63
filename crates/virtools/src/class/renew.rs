//! Values of classes below the current data version, brought to the current layout
//! (`docs/formats/virtools-classes.md#old-data-versions`).
//!
//! Each class that saves something else now says in its own module what becomes of it, field group by field group; what
//! cannot be said keeps the whole chunk in its old layout. No real file of an old data version was at hand.

/// The data version of what current engines save.
pub const CURRENT: u8 = 10;

/// Facts about a chunk that is brought to the current layout, besides its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Old {
    /// Data version of the chunk.
    pub(crate) version: u8,
    /// Version of the product that saved the file; 0 where it is not known.
    pub(crate) build: u32,
    /// Whether what the current layout has no place for may be left out.
    pub(crate) lossy: bool,
}

/// Success, or why a value stays in its old layout: what it holds that cannot be brought along.
pub(crate) type Renewed = Result<(), &'static str>;

/// Conversion of a value that a class saved below the current data version to the current layout.
pub(crate) trait Renew {
    /// Moves what old fields hold to the current ones, as engines do when they load and save.
    fn renew(&mut self, old: &Old) -> Renewed;
}

impl<T: Renew> Renew for Box<T> {
    fn renew(&mut self, old: &Old) -> Renewed {
        self.as_mut().renew(old)
    }
}

/// A colour of four numbers, red, green, blue and alpha from 0 to 1, as a dword: alpha in the high byte, blue in the low one.
pub(crate) fn argb([red, green, blue, alpha]: [f32; 4]) -> u32 {
    // Engines cut the fraction off.
    let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0) as u8;
    u32::from_be_bytes([alpha, red, green, blue].map(byte))
}
