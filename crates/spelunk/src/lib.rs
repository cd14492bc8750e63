//! Opens the containers that games ship their assets in, tells what is in them, and writes them back.
//!
//! This library stands over the format crates: it finds out what a file is, opens it, and does once for
//! all formats what does not depend on one ([`json`], [`explain`], [`extract`], [`pack`],
//! [`upgrade`], [`mod@batch`], [`roundtrip`], [`export`], [`mod@lint`], [`join`], [`mod@subset`], [`refs`], [`overlay`], [`blocks`],
//! [`registry`], [`sarif`], [`suppress`], [`tables`], [`maps`], [`mod@query`]).
//!
//! [`File`] is the front: it opens a file of any format, lists and reads its entries, changes and saves it, and has limits, findings
//! and threads inside.
//!
//! ```
//! use spelunk::File;
//!
//! let bytes = spelunk_fixtures::samples().remove(0).fixture.bytes;
//! let mut file = File::from_bytes(bytes)?;
//! assert_eq!(file.format(), "virtools");
//! for entry in file.entries()? {
//!     println!("{} {} {}", entry.path(), entry.kind(), entry.name());
//! }
//! let wood = file.entry("CKMaterial/Wood")?;
//! println!("{}", wood.value("material.diffuse")?);
//! file.edit().set("CKMaterial/Wood", "material.diffuse", "#ff0000").apply()?;
//! # Ok::<(), spelunk::Error>(())
//! ```
//!
//! Below it is [`Opened`], a container with what is left of its budget, on which the modules stand.

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

pub mod archives;
pub mod batch;
pub mod blocks;
pub mod changes;
pub mod coverage;
pub mod diff;
pub mod docs;
pub mod document;
mod everything;
pub mod explain;
pub mod export;
pub mod extract;
pub mod file;
pub mod find;
#[cfg(feature = "gltf")]
mod gltf;
pub mod history;
#[cfg(feature = "gltf")]
pub mod import;
pub mod join;
pub mod languages;
pub mod lint;
pub mod lookup;
pub mod maps;
pub mod merge;
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
pub mod sarif;
pub mod scripts;
pub mod search;
pub mod select;
pub mod sets;
pub mod signatures;
pub mod subset;
pub mod suppress;
pub mod tables;
pub mod translations;
pub mod upgrade;
pub mod verbs;

pub use file::File;
pub use snpak::TypeNames;
pub use spelunk_core::{
    Budget, Bytes, Cancel, Change, Changed, Class, Code, Collect, Container, Convert, Details,
    Each, Edit, Entry, Error, Field, Finding, Format, Halt, Limits, Node, Of, Outline, Profile,
    Record, Reference, Refused, Result, ResultExt, Revision, Seg, Severity, Shape, Source, Space,
    Span, Step, Target, Task, Ty, Val, View, Walk, Walked, WriteOptions, finding, folder, parallel,
    replace, source, text, unfinished, value, walk,
};
use spelunk_open::shown;
pub use spelunk_open::{Buffers, Opened, Options, codes, detect, files, json, safe_path};
