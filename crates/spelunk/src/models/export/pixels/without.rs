//! Without the feature `images` nothing is decoded.

use crate::{Error, Result, Task};
use snpak::{
    Pack,
    texture::{Mip, Texture},
};

pub(super) fn png(_: &Pack, texture: &Texture, _: &Mip, _: &mut Task<'_>) -> Result<Vec<u8>> {
    Err(Error::new(&virtools::codes::NO_IMAGES).found(texture.format.name()))
}
