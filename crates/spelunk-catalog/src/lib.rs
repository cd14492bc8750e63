//! The contents of many containers as a Parquet data set.
//!
//! [`catalog`] looks into files, on all threads, and writes tables ([`schema`]): files, entries, objects, references, hashes and findings. A
//! second run opens only what has changed. The format of the data set stands in `docs/catalog.md`, which is made from the same
//! description as the Parquet schema.
//!
//! Files are spread over parts by the hash of their names, and a part of each table holds the rows of its files, sorted. So what
//! a catalogue is depends on the files alone, not on how it came about; a part that comes out as it was is not written, and rows of
//! files that did not change are copied from the old part.
//!
//! This crate is apart from `spelunk` for the sake of those who need no Parquet.
//!
//! ```
//! use spelunk_catalog::{Input, Options, catalog};
//!
//! let dir = tempfile::tempdir()?;
//! let samples = dir.path().join("samples");
//! std::fs::create_dir(&samples)?;
//! let paths = spelunk_fixtures::write_samples(&samples)?;
//! let inputs: Vec<Input> = paths.iter().map(|path| Input::new(path)).collect();
//! let out = dir.path().join("catalogue");
//! let first = catalog(&inputs, &out, &Options::default(), &mut |_, _| {})?;
//! let second = catalog(&inputs, &out, &Options::default(), &mut |_, _| {})?;
//! assert_eq!((first.new, second.unchanged, second.written), (paths.len(), paths.len(), 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod folder;
mod list;
mod look;
mod manifest;
mod new_parts;
mod part;
mod parts;
mod plan;
mod rows;
mod run;
pub mod schema;
mod seen;
mod sent;
mod summary;
mod turn;
pub mod verb;

pub use parts::{PartTask, WrittenPart};
pub use run::{Input, Options, catalog, catalog_by, catalog_of, part, parts_of};
pub use summary::{Bad, Summary};
pub use verb::VERB;

/// Pages of the documentation that are made from descriptions in this crate: path and text.
pub fn pages() -> [(String, String); 1] {
    [("docs/catalog.md".to_owned(), schema::page())]
}
