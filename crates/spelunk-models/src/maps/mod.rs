//! Maps of SpellForce as pictures, meshes and data, and layers of them in again (`docs/maps.md`).
//!
//! What is one value for each cell is a [`Grid`]: it goes out as a picture whose pixels are those values or as CSV, and comes
//! in again exactly. What is drawn for people ([`picture`]) is not read back. Row 0 of a picture is row 0 of the map, as it is
//! stored; which way is north is not known.

mod collection;
#[cfg(any(feature = "gltf", feature = "images"))]
pub(crate) mod colors;
mod entities;
mod features;
mod grid;
#[cfg(feature = "images")]
mod image;
#[cfg(feature = "images")]
pub mod picture;
mod put;
mod put_features;
mod source;
mod world;

pub use collection::is_features;
pub use entities::{Entity, KINDS, entities};
pub use features::features;
pub use grid::{Grid, GridLayer};
#[cfg(feature = "images")]
pub use image::{read_png, write_png};
pub use put::put;
pub use put_features::put_features;
pub use source::{is_for, read};
pub use world::{World, describe};
