//! Content in the forms of other programs: models and pictures out ([`mod@export`]) and in ([`mod@import`]), maps as pictures
//! ([`maps`]), scripts as graphs ([`scripts`]), and what programs compute with as [`arrays`].

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

pub mod arrays;
pub mod export;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(feature = "gltf")]
pub mod import;
pub mod maps;
pub mod scripts;
