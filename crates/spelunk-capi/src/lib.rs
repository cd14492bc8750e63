//! The door for C, and for what calls C: sessions with every verb by its name, and views of meshes, pictures and packs that need no
//! copy.
//!
//! `include/spelunk.h` is made of this code, documentation included, and is what programs are written against; a test keeps both alike.
//! Handles are numbers that look like pointers: none of them is ever followed, so one that was freed, or is of another kind, is an error
//! and no more.

#![deny(clippy::indexing_slicing)]

mod boundary;
mod failure;
mod functions;
mod handles;
mod rows;
mod session;
mod views;

pub use failure::{SplErrorInfo, SplStatus};
pub use functions::*;
pub use handles::{SplFile, SplPack, SplRows, SplSession, SplView};
pub use rows::{SplItem, SplKind};
pub use views::{SplAsset, SplImage, SplMesh};
