//! Maps of SpellForce 1 from the outside: what each chunk holds (`docs/formats/cff.md#8-maps-outer-view`).
//!
//! Everything here was read in a third-party editor. No real map was available.

use crate::cff::ChunkFile;
use spelunk_core::{Result, Task};

/// The id of the chunk with the size of the map and its tiles.
pub const TILES: i16 = 2;

/// The id of the chunks that hold a row of heights each.
pub const HEIGHTS: i16 = 6;

/// Names of the chunks, by id.
static NAMES: &[(i16, &str)] = &[
    (TILES, "size and tiles"),
    (3, "tile definitions"),
    (4, "texture ids"),
    (HEIGHTS, "heights"),
    (11, "buildings"),
    (12, "units"),
    (29, "objects"),
    (30, "interactive objects"),
    (31, "decoration per cell"),
    (32, "decoration groups"),
    (35, "portals"),
    (40, "lakes"),
    (42, "cells that block movement"),
    (44, "weather"),
    (46, "unit groups"),
    (53, "teams and minimap"),
    (55, "player spawns"),
    (56, "cells that block vision"),
    (59, "cooperative spawn parameters"),
    (60, "cells that block movement or vision"),
    (8000, "unused"),
];

/// The name of the map chunk with this id.
pub fn chunk_name(id: i16) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == id).map(|(_, name)| *name)
}

/// Width and height of the map in cells, as chunk 2 states it; `None` where there is no chunk 2 or it is
/// too short.
///
/// # Errors
/// When the chunk cannot be read or inflated.
pub fn size(file: &ChunkFile, task: &mut Task<'_>) -> Result<Option<i16>> {
    let Some(chunk) = file.with_id(TILES).first() else { return Ok(None) };
    file.with_plain(*chunk, task, |plain| plain.first_chunk().copied().map(i16::from_le_bytes))
}
