//! Bitmaps inside chunks (`docs/formats/virtools.md#13-bitmaps`).
//!
//! A chunk holds a picture in one of three layouts. Which one is decided by the identifier before it, never by
//! the bytes themselves:
//!
//! * [`RawBitmap`]: one plane of bytes for each of blue, green, red and alpha;
//! * [`ReaderBitmap`]: a whole image file, and the GUID of the bitmap reader that understands it;
//! * [`TaggedBitmap`]: the old layout, a whole image file behind a tag of five characters.
//!
//! Each of them is a view of the bytes of a chunk that is written back exactly as it was read, padding and
//! unknown words included. A picture is decoded to [`Rgba`] only when asked for, and made from one only to
//! replace it. Image files need the feature `images`; planes do not.
//!
//! ```
//! use spelunk_core::{Budget, Limits, Span};
//! use virtools::chunk::bitmap::{AlphaPlane, PlaneCoding, RawBitmap, Rgba};
//!
//! let picture = Rgba::new(2, 1, vec![255, 0, 0, 255, 0, 0, 255, 128])?;
//! let bitmap = RawBitmap::from_rgba(&picture, PlaneCoding::Plain, AlphaPlane::Always)?;
//! let mut dwords = Vec::new();
//! bitmap.write(&mut dwords);
//!
//! let mut budget = Budget::new(Limits::for_len(dwords.len() as u64));
//! let at = Span::file(0, dwords.len() as u64);
//! let (read, consumed) = RawBitmap::read(&dwords, at, &mut budget)?;
//! assert_eq!(consumed, dwords.len());
//! assert_eq!(read.decode(&mut budget)?, Some(picture));
//! # Ok::<(), spelunk_core::Error>(())
//! ```

mod buffer;
mod dct;
pub mod image;
mod raw;
mod reader;
mod rgba;
mod tagged;

pub use buffer::Buffer;
pub use dct::DctHead;
pub use raw::{AlphaPlane, Compression, PlaneCoding, RawBitmap, RawHead, RawImage};
pub use reader::{READERS, Reader, ReaderAlpha, ReaderBitmap, ReaderHead, ReaderImage};
pub use rgba::Rgba;
pub use tagged::{TaggedBitmap, tag_of};
