//! Stand-ins for the decoders where the feature `images` is off.

use super::{
    super::Rgba,
    format::{Encoding, ImageFormat},
};
use crate::codes;
use spelunk_core::{Budget, Error, Result};

fn refused<T>(format: ImageFormat) -> Result<T> {
    Err(Error::new(&codes::NO_IMAGES).found(format.name()))
}

pub(super) fn decode(_: &[u8], format: ImageFormat, _: &mut Budget) -> Result<Rgba> {
    refused(format)
}

pub(super) fn encode(_: &Rgba, encoding: Encoding) -> Result<Vec<u8>> {
    refused(encoding.format())
}
