//! Packs that change: states in the making, appended to what is there or written as a whole.
//!
//! A [`Draft`] holds the assets of the next state of a pack: those that stay are positions in the index that it began
//! with, all others are described. It is written in one of two ways. **Appended** ([`append`](mod@append)), every byte of
//! the pack stays where it is; new chunks, the strings where there are new ones, and a complete index go behind it, and
//! then the header is written over. **Fresh** ([`fresh`]), the chunks of the current state alone are copied, as they are
//! stored.
//!
//! [`state`] describes assets field by field, so that a draft can be changed as another pack was.

pub mod append;
pub(crate) mod batch;
pub mod draft;
mod fields;
pub mod fresh;
mod overlay;
mod rebuild;
pub mod repair;
pub mod rollback;
mod salvage;
pub mod state;

pub use draft::Draft;
pub use fresh::compact;
pub use rebuild::rebuilds;
pub use repair::repair;
pub use rollback::rollback;
