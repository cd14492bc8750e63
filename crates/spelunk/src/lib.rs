//! Opens the containers that games ship their assets in, tells what is in them, and writes them back.
//!
//! This library stands over the format crates: it finds out what a file is, opens it, and does once for
//! all formats what does not depend on one ([`json`], [`explain`], [`extract`], [`pack`],
//! [`upgrade`], [`mod@batch`], [`roundtrip`], [`export`], [`mod@lint`], [`join`], [`mod@subset`], [`refs`], [`overlay`], [`blocks`],
//! [`registry`], [`sarif`], [`suppress`], [`tables`], [`maps`], [`mod@query`]).
//!
//! ```
//! use spelunk::{Opened, Options, Of, walk};
//! use std::sync::Arc;
//!
//! let file = spelunk_fixtures::samples().remove(0);
//! let source = Arc::new(spelunk::Bytes::from(file.fixture.bytes));
//! let mut opened = Opened::open(source, &Options::default())?;
//! assert_eq!(opened.container().format(), "virtools");
//! let mut names = Vec::new();
//! let pages = opened.code_pages();
//! opened.run(|container, task| {
//!     walk::finish(container.children(Of::Listing, &pages, task, &mut |entry, _| {
//!         names.push(format!("{} {}", entry.kind, pages.show(entry.name.unwrap_or_default())));
//!         Ok(())
//!     }))
//! })?;
//! assert!(!names.is_empty());
//! # Ok::<(), spelunk::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

pub mod archives;
pub mod batch;
pub mod blocks;
pub mod changes;
pub mod codes;
pub mod coverage;
pub mod detect;
pub mod diff;
pub mod docs;
pub mod document;
mod everything;
pub mod explain;
pub mod export;
pub mod extract;
pub mod find;
pub mod folder;
#[cfg(feature = "gltf")]
mod gltf;
pub mod history;
#[cfg(feature = "gltf")]
pub mod import;
pub mod join;
pub mod json;
pub mod languages;
pub mod lint;
pub mod lookup;
pub mod maps;
pub mod merge;
mod on_disk;
mod open;
pub mod overlay;
pub mod pack;
pub mod packs;
pub mod parity;
pub mod patch;
pub mod plugins;
#[cfg(feature = "sql")]
pub mod query;
pub mod refs;
pub mod registry;
pub mod removal;
pub mod roundtrip;
pub mod safe_path;
pub mod sarif;
pub mod scripts;
pub mod select;
pub mod sets;
pub mod signatures;
pub mod subset;
pub mod suppress;
pub mod tables;
pub mod translations;
pub mod upgrade;

pub use open::{Buffers, Opened, Options};
pub use snpak::TypeNames;
pub use spelunk_core::{
    Budget, Bytes, Change, Changed, Class, Code, Collect, Container, Convert, Details, Each, Edit,
    Entry, Error, Field, Finding, Format, Halt, Limits, Node, Of, Outline, Record, Reference,
    Refused, Result, ResultExt, Revision, Seg, Severity, Shape, Source, Space, Span, Step, Target,
    Task, Ty, Val, View, Walk, Walked, WriteOptions, finding, parallel, replace, source, text,
    unfinished, value, walk,
};
