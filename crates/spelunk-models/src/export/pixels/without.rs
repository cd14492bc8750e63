//! Without the feature `images` nothing is decoded.

use snpak::{
    Pack,
    texture::{Mip, Texture},
};
use spelunk_core::{Error, Result, Task};

pub(super) fn png(_: &Pack, texture: &Texture, _: &Mip, _: &mut Task<'_>) -> Result<Vec<u8>> {
    Err(Error::new(&virtools::codes::NO_IMAGES).found(texture.format.name()))
}
