//! Without the feature `images` nothing is decoded.

use snpak::{
    Pack,
    texture::{Mip, Texture},
};
use spelunk_core::{Error, Result, Task};
use virtools::chunk::bitmap::Rgba;

pub(crate) fn rgba(_: &Pack, texture: &Texture, _: &Mip, _: &mut Task<'_>) -> Result<Rgba> {
    Err(Error::new(&virtools::codes::NO_IMAGES).found(texture.format.name()))
}
