//! Parts that every container format shares, without any format itself.
//!
//! `spelunk-core` holds the small shapes that the format crates (`virtools`, `snpak`, `spellforce`)
//! are built from and that the tools over them see:
//!
//! * [`source`]: where bytes come from (memory, a mapped file, range reads), as [`Bytes`] handles
//!   without lifetimes;
//! * [`place`]: a location is a *space* (the file, or an inflated section of it) and an offset;
//! * [`error`] and [`finding`]: located errors with stable codes, and the sink that decides whether
//!   damage ends the reading or is collected;
//! * [`limits`]: the budget that is drawn down before anything is allocated or repeated;
//! * [`cursor`]: checked little-endian reading; a writer needs no more than `Vec<u8>`, the records and
//!   [`scalar::fit`];
//! * [`field`] and [`record!`]: fields described once, as data;
//! * [`value`]: values to and from text and JSON, by the descriptions of their fields;
//! * [`nearest`]: the names nearest to one that does not exist, for errors;
//! * [`walk`]: the one way in which printers, JSON, `explain` and coverage see values;
//! * [`zlib`] and [`section`]: the codec that finds the level a stream was packed with, and sections
//!   that are written back with their old stored bytes unless their content changed;
//! * [`container`] and [`edit`]: the object-safe traits that every format implements;
//! * [`profile`] and [`signature`]: what tools have to know of a format, as data;
//! * [`entries`]: the one way in which tools go over the entries of a container;
//! * [`graph`]: what is reached from somewhere, and circles;
//! * [`lint`]: what a rule about sound content is;
//! * [`folder`]: the files below a folder;
//! * [`replace`]: atomic replacement of files, by one writer at a time;
//! * [`unfinished`]: what is undone when the process has to end;
//! * [`safe_path`]: files that names in files lead to, below a folder and nowhere else;
//! * [`text`]: code pages; bytes stay the truth.
//!
//! ```
//! use spelunk_core::{cursor::Cursor, place::Space, record};
//!
//! record! {
//!     /// The first words of an imaginary file.
//!     pub struct Head: "head", "docs/formats/README.md", 8 {
//!         /// Always `HEAD`.
//!         magic: Text<4>,
//!         /// Rows that follow.
//!         rows: U32,
//!     }
//! }
//!
//! let mut cursor = Cursor::new(b"HEAD\x02\0\0\0", Space::FILE, 0);
//! let head: &Head = cursor.record()?;
//! assert_eq!(head.rows.get(), 2);
//! // What is missing is reported with its place and its name.
//! let error = cursor.u32("next").unwrap_err();
//! assert_eq!(error.to_string(), "file:0x8: next: the bytes end before the field does: \
//!     expected 4 bytes, found 0 bytes left [SP001]");
//! # Ok::<(), spelunk_core::Error>(())
//! ```

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod code;
pub mod codes;
pub mod container;
mod coverage;
pub mod cursor;
mod defaults;
pub mod edit;
pub mod entries;
mod entry;
pub mod error;
pub mod field;
pub mod finding;
#[cfg(feature = "fs")]
pub mod folder;
pub mod graph;
pub mod limits;
pub mod lint;
mod locate;
#[cfg(feature = "fs")]
mod map;
pub mod nearest;
pub mod parallel;
pub mod pieces;
pub mod place;
pub mod profile;
#[macro_use]
mod record;
#[cfg(feature = "fs")]
pub mod replace;
pub mod safe_path;
pub mod scalar;
pub mod section;
pub mod signature;
pub mod source;
pub mod text;
pub mod unfinished;
mod val;
pub mod value;
pub mod walk;
pub mod zlib;

pub use bytes::Bytes;
pub use code::{Class, Code};
pub use container::{
    Container, Convert, Details, Each, EachRef, Entry, Format, Node, Of, Outline, Probe, Reference,
    Revision, View, WhenGone, WriteOptions,
};
pub use edit::{Change, Changed, Edit, Refused};
pub use error::{Error, Result, ResultExt, Seg};
pub use field::{Described, Field, Record, Refers, Target, Ty, Val};
pub use finding::{Collect, Collector, Finding, Severity, Sink, Strict, Task};
pub use limits::{Budget, Cancel, Limits, Mark};
pub use place::{Space, Span};
pub use profile::Profile;
pub use section::{Packing, Section};
pub use source::Source;
pub use value::BitField;
pub use walk::{Group, Halt, Shape, Step, Walk, Walked};

#[doc(hidden)]
pub use zerocopy;
