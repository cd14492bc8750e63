//! Content in the forms of other programs: models and pictures out ([`mod@export`]) and in ([`mod@import`]), maps as pictures
//! ([`maps`]), and scripts as graphs ([`scripts`]).

#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

pub mod export;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(feature = "gltf")]
pub mod import;
pub mod maps;
pub mod scripts;
