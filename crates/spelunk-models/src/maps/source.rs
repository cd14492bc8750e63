//! The map in a file.

use spellforce::{map::Map, spec};
use spelunk_core::{Container, Error, Result, Task};
use spelunk_open::{Model, Opened, codes, model};

/// Whether a file is a map of SpellForce.
pub fn is_for(opened: &Opened) -> bool {
    let model = Model::of(opened.container());
    model.map().is_some() || model.spec_map().is_some()
}

/// Whether a file is a map of the dialect `spec`, of which heights and lists of entities are described, and no other layer.
pub fn is_spec(opened: &Opened) -> bool {
    Model::of(opened.container()).spec_map().is_some()
}

/// The map that a file holds.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files, and for maps without heights; reading errors; limits. Chunks that are damaged are
/// findings, and empty.
pub fn read(opened: &mut Opened) -> Result<Map> {
    opened.run(read_from)
}

pub(super) fn read_from(container: &dyn Container, task: &mut Task<'_>) -> Result<Map> {
    if let Some(chunks) = Model::of(container).spec_map() {
        return spec::ground(chunks.file(), task)?.ok_or_else(|| {
            Error::new(&codes::NO_MAP).expected("heights of all cells of a square")
        });
    }
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
