//! The bytes of one file, told by those of another one: stretches of it, and blocks of what it does not have.

mod pieces;
mod tell;

use super::bad;
use crate::{Bytes, Result};
use base64::{Engine, prelude::BASE64_STANDARD};
pub(super) use pieces::made;
use serde::{Deserialize, Serialize};
pub(super) use tell::{Blocks, Parts, Telling};

/// Bytes that follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Run {
    /// A stretch of the other file: where it starts, and how long it is.
    Copy([u64; 2]),
    /// The number of a block.
    Block(u32),
}

/// The bytes of a block.
pub(super) fn block(blocks: &[String], number: u32) -> Result<Bytes> {
    let text = blocks.get(number as usize);
    let text = text.ok_or_else(|| bad(format!("block {number}, which is not there")))?;
    let bytes = BASE64_STANDARD.decode(text);
    Ok(bytes.map_err(|error| bad(format!("block {number} with an error: {error}")))?.into())
}

/// What blocks take as they are stored.
pub(super) fn stored(blocks: &[String]) -> u64 {
    blocks.iter().map(String::len).fold(0, usize::saturating_add) as u64
}
