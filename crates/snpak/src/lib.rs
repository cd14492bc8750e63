//! Reads, verifies and writes SnPAK asset packs (`.snpak`) without losing a byte.
//!
//! ```
//! use spelunk_core::{Budget, Bytes, Collect, Limits, Task};
//! use snpak::Pack;
//! use std::sync::Arc;
//!
//! # fn main() -> spelunk_core::Result<()> {
//! let file = Bytes::from(spelunk_fixtures::samples::pack().build().bytes);
//! let mut sink = Collect::default();
//! let mut task = Task::new(Budget::new(Limits::for_len(file.len() as u64)), &mut sink);
//! let pack = Pack::read_from(Arc::new(file), &mut task)?;
//!
//! let row = pack.by_name(b"levels/forest", &mut task.budget)?[0];
//! assert_eq!(pack.dependencies(row).len(), 4);
//! assert!(pack.payload(row, &mut task)?.starts_with(b"oak oak"));
//! snpak::verify(&pack, &mut task)?;
//! assert!(!sink.has_errors());
//! # Ok(())
//! # }
//! ```
//!
//! The modules follow the format, in the order of its bytes: [`header`], [`strings`], [`chunk`],
//! [`index`]; then what spans them: [`hash`], [`compression`], [`chain`]. On these stand the opened
//! [`Pack`], its [`Layout`] in byte order, [`verify()`], [`write()`], [`lint`] and the shapes that every format of
//! the toolkit has ([`SnPak`]).
//!
//! An opened pack is a view of its file: entries and strings are read where they lie, and a pack of a
//! million assets opens without a million allocations. Hashes are checked on opening and on reading,
//! unless [`OpenOptions`] say otherwise. The format itself is described in `docs/formats/snpak.md`.
//!
//! # Generations
//!
//! Every append leaves the index before it in the file. [`Pack::generation`] shows the assets of one of them, or of all of them
//! merged; layout and writing go on to cover the whole file.
//!
//! # Payloads
//!
//! [`Pack::payload`] reads, decodes and checks one. For everything else [`Pack::locate`] returns where it lies without reading
//! it: to fetch many together and [decode](Pack::decode) them then, to [fill a buffer](Pack::payload_into) that is used again, to
//! read [a range](Pack::read_range) of a stored one, or to see a large one [block by block](Pack::stream).
//!
//! # Textures and types
//!
//! [`types`] has names for kinds and payload types, [`texture`] reads textures and their mips. `examples/` has what a
//! game does with packs: loading by id, streaming mips, loading in the background.
//!
//! # Writing
//!
//! A [`Draft`](edit::Draft) holds the assets of a pack that is to be: none, or those of an opened one, to be changed. It is
//! [written](edit::Draft::write) as a pack of its own, or [appended](edit::append) to the file that it came from.
//!
//! ```
//! use snpak::{Codec, Pack, build::{Asset, Options, Payload, name_id}, edit::Draft};
//! use spelunk_core::{Budget, Bytes, Collect, Limits, Task};
//! use std::{io::Cursor, sync::Arc};
//!
//! # fn main() -> spelunk_core::Result<()> {
//! let mut sink = Collect::default();
//! let mut task = Task::new(Budget::new(Limits::unlimited()), &mut sink);
//! let mut draft = Draft::default();
//! let name = "levels/forest";
//! let payload = Payload::new(&b"oak oak birch oak"[..], Codec::default());
//! draft.add(Asset::new(name_id(name.as_bytes(), None), name, payload))?;
//! let mut out = Cursor::new(Vec::new());
//! draft.write(&mut out, Options::default(), &mut task)?;
//!
//! let pack = Pack::read_from(Arc::new(Bytes::from(out.into_inner())), &mut task)?;
//! assert_eq!(pack.payload(0, &mut task)?, &b"oak oak birch oak"[..]);
//! # Ok(())
//! # }
//! ```
//!
//! # Several packs
//!
//! A [`Set`](set::Set) mounts packs with prefixes and priorities as games do, and finds which one provides an asset, what needs
//! what, and what contradicts. A [`Fingerprint`] shows by the header alone whether a pack has changed.
//!
//! # Paths
//!
//! | path | what it names |
//! |---|---|
//! | `NAME`, `NAME@VARIANT` | the assets with this name and variant; not those that a later one hides |
//! | `#ROW` | the asset at this position of the index that is shown |
//! | an asset id | the last asset with this id, where no asset has such a name |
//! | `ASSET#SEMANTIC/SUB` | the bulk chunks of the asset with this semantic and sub-index |
//! | `ASSET#SEMANTIC/SUB@N` | the one of them at position `N` among **all** bulk chunks of the asset |
//!
//! Of several assets with one id the last counts and hides the others, which are listed as `#ROW`. Names
//! need not be unique among assets of different ids; a path names all of them then.
//!
//! Semantic and sub-index need not be unique within an asset. Listings put `@N` behind those that are
//! repeated and leave it out behind all others; every bulk chunk is found with it and without it.

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

mod asset_id;
pub mod build;
pub mod chain;
pub mod chunk;
pub mod codes;
pub mod compression;
mod container;
pub mod differing;
pub mod edit;
mod extension;
mod fingerprint;
pub mod generations;
pub mod hash;
pub mod header;
pub mod index;
pub mod layout;
mod limits;
pub mod lint;
mod listing;
mod load;
pub mod located;
mod lookup;
mod merged;
pub mod options;
pub mod pack;
mod paths;
pub mod payload;
pub mod profile;
pub mod set;
mod shown;
pub mod stream;
pub mod strings;
pub mod summary;
pub mod texture;
pub mod types;
mod verify;
mod write;

pub use asset_id::AssetId;
pub use build::Builder;
pub use compression::{Codec, Compression};
pub use container::SnPak;
pub use fingerprint::Fingerprint;
pub use layout::Layout;
pub use located::Located;
pub use options::{Checks, FormatLimits, OpenOptions};
pub use pack::Pack;
pub use paths::push_name;
pub use spelunk_core::{
    Budget, Bytes, Collect, Error, Finding, Limits, Node, Result, Source, Strict, Task,
    WriteOptions,
};
pub use types::TypeNames;
pub use verify::verify;
pub use write::write;
