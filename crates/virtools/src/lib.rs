//! Virtools files (`.nmo`, `.cmo`, `.vmo`, `.nms`), as the authoring tools, the players and games such
//! as Ballance store their objects.
//!
//! The outer layer of FileVersion 8 (and of 9, which only files made for tests have confirmed): headers,
//! object table, plugin dependencies, records of managers and objects, included files. Chunks, the saved
//! state of objects, are opaque bytes. The layout is described in `docs/formats/virtools.md`; the modules
//! under [`file`](mod@file) follow its sections in the order in which the bytes lie in the file.
//!
//! * [`File`] is the model. Opening and writing it gives the same bytes for every file that opens.
//! * [`Head`] reads the 64 bytes of the headers alone, for those who look through many files.
//! * [`Virtools`] is the format behind [`Format`](spelunk_core::Format) and
//!   [`Container`](spelunk_core::Container).
//! * [`class`] knows the classes of objects.
//!
//! ```
//! use spelunk_core::{Budget, Bytes, Strict, Task, limits::Limits};
//! use virtools::File;
//! # let bytes = spelunk_fixtures::samples::level().build().bytes;
//!
//! let mut sink = Strict;
//! let mut task = Task::new(Budget::new(Limits::for_len(bytes.len() as u64)), &mut sink);
//! let file = File::open(&Bytes::from(bytes), &mut task)?;
//! for (object, record) in file.table().objects.iter().zip(&file.records(&mut task.budget)?.objects) {
//!     let class = virtools::class::name(object.class_id, file.head().part1.product_build.get());
//!     let name = file.table().name(object).escape_ascii();
//!     println!("{class} {name}: {} bytes", record.chunk.len);
//! }
//! # Ok::<(), spelunk_core::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

pub mod class;
pub mod codes;
mod container;
mod entries;
pub mod file;
mod info;

pub use container::{FORMAT, Virtools};
pub use file::{File, header::Head};
