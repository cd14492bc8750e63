//! Maps of SpellForce as pictures, meshes and data, and layers of them in again (`docs/maps.md`).
//!
//! What is one value for each cell is a [`Grid`]: it goes out as a picture whose pixels are those values or as CSV, and comes
//! in again exactly. What is drawn for people ([`picture`]) is not read back. Both games have one form here ([`Land`]): row 0 of
//! a picture is row 0 of the map in the first game, where it is not known which way is north, and its northern row in the second.

mod collection;
pub(crate) mod colors;
mod entities;
mod features;
mod first;
mod frame;
mod grid;
#[cfg(feature = "images")]
mod image;
mod land;
mod layers;
#[cfg(feature = "images")]
pub mod picture;
mod put;
mod put_features;
mod second;
mod source;
mod specified;
mod world;

pub use collection::is_features;
pub use colors::Color;
pub use entities::{Entity, EntityKind, EntityRecord, Place};
pub use features::features;
pub use frame::Frame;
pub use grid::{Grid, GridLayer};
#[cfg(feature = "images")]
pub use image::{read_png, write_png};
pub use land::{CellList, Land, Minimap, Water};
pub use layers::layers;
pub use put::put;
pub use put_features::put_features;
pub use source::{grids, is_bare, is_for, of, read};
pub use world::{World, describe};
