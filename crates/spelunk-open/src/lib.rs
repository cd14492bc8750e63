//! Opening of files for everything above the formats: detection by content, opened containers with their limits, the files that
//! are read and written, and the JSON form of their contents.
//!
//! ```
//! use spelunk_open::{Opened, Options};
//! use std::sync::Arc;
//!
//! let bytes = spelunk_fixtures::samples().remove(0).fixture.bytes;
//! let opened = Opened::open(Arc::new(spelunk_core::Bytes::from(bytes)), &Options::default())?;
//! assert_eq!(opened.container().format(), "virtools");
//! # Ok::<(), spelunk_core::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

pub mod archives;
pub mod changes;
pub mod codes;
pub mod detect;
pub mod document;
pub mod entries;
pub mod files;
pub mod hashes;
pub mod json;
pub mod languages;
pub mod model;
mod mounting;
mod open;
pub mod roundtrip;
pub mod safe_path;
pub mod shown;
pub mod signatures;
pub mod skeleton;

pub use model::Model;
pub use open::{Buffers, Opened, Options, same_bytes, written};
