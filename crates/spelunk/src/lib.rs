//! Opens the containers that games ship their assets in, lists what is in them, and writes them back.
//!
//! This library stands over the format crates: it finds out what a file is, opens it, and does once for
//! all formats what does not depend on one.
//!
//! | module | what is there |
//! |---|---|
//! | [`mod@file`] | the front |
//! | [`verbs`] | what every door calls: requests in, rows out |
//! | [`open`](mod@open) | detection, containers with their limits, files and their JSON form |
//! | [`entries`] | entries by path, glob, content and reference |
//! | [`mod@explain`] | every byte with its meaning |
//! | [`check`] | findings, their codes, and proofs |
//! | [`compare`] | differences, patches, merges |
//! | [`edit`] | batches of changes, parts of files, several as one |
//! | [`containers`] | into folders and out of them, packs that grow, several that a game mounts |
//! | [`document`] | a file as JSON, out and in |
//! | [`tables`] | GameData as tables, SQL over files, translations |
//! | [`models`] | models, pictures and scripts in the forms of other programs |
//! | [`core`](mod@core) | what no format is named in: walks, values, sources, budgets |
//! | [`docs`] | the pages that are made from the code |
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

pub mod check;
pub mod containers;
pub mod docs;
pub mod edit;
pub mod entries;
pub mod explain;
pub mod file;
pub mod verbs;

pub use spelunk_compare as compare;
pub use spelunk_core as core;
pub use spelunk_models as models;
pub use spelunk_open as open;
pub use spelunk_open::document;
pub use spelunk_tables as tables;

pub use file::File;
pub use snpak::TypeNames;
pub use spelunk_core::{
    Budget, Bytes, Cancel, Change, Changed, Class, Code, Collect, Container, Convert, Details,
    Each, Edit, Entry, Error, Field, Finding, Format, Halt, Limits, Node, Of, Outline, Profile,
    Record, Reference, Refused, Result, ResultExt, Revision, Seg, Severity, Shape, Source, Space,
    Span, Step, Target, Task, Ty, Val, View, Walk, Walked, WriteOptions,
};
pub use spelunk_open::{Buffers, Opened, Options};
