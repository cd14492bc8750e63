//! The map in a file.

use spellforce::map::Map;
use spelunk_core::{Container, Error, Result, Task};
use spelunk_open::{Model, Opened, codes, model};

/// Whether a file is a map of SpellForce.
pub fn is_for(opened: &Opened) -> bool {
    Model::of(opened.container()).map().is_some()
}

/// The map that a file holds.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files; reading errors; limits. Chunks that are damaged are findings, and empty.
pub fn read(opened: &mut Opened) -> Result<Map> {
    opened.run(read_from)
}

pub(super) fn read_from(container: &dyn Container, task: &mut Task<'_>) -> Result<Map> {
    let map = Map::read(model::map(container, &codes::NO_MAP)?.file(), task)?;
    let cells = usize::from(map.size).pow(2);
    if map.size == 0 || map.heights.len() != cells || map.tiles.len() != cells {
        let error = Error::new(&codes::NO_MAP).expected("tiles and heights of all cells");
        return Err(error.found(format!(
            "{} tiles and {} heights of {cells} cells",
            map.tiles.len(),
            map.heights.len()
        )));
    }
    Ok(map)
}
