//! Saved games of SpellForce 1: chunk 0 of a free game, and whole chunk files inside chunks
//! (`docs/formats/save.md`).
//!
//! Everything here was read in third-party tools, and it is checked on synthetic files alone: no real save was available. Much
//! of what a save holds is not known, so saves are read and never changed.

mod avatar;
mod detect;
mod found;
mod free_game;
mod items;
mod nested;
mod text;

pub use avatar::{Avatar, Skill};
pub(crate) use detect::is_save;
pub use free_game::{FreeGame, Lengths};
pub use items::Item;
pub use nested::{DEPTH, Nest, NestedChunk, NestedFile, Within};
