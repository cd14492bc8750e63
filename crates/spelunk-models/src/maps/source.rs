//! The map in a file.

use super::{
    GridLayer,
    land::Land,
    specified::{self, Specified},
};
use spellforce::{map::Map, map2};
use spelunk_core::{Container, Error, Result, Task};
use spelunk_open::{Model, Opened, codes, model};

/// Layers with a value for each cell of the map in a file, by the game or the dialect that it is of; `None` where it is no map.
pub fn grids(container: &dyn Container) -> Option<&'static [GridLayer]> {
    let model = Model::of(container);
    match (model.map(), model.map2(), model.spec_map()) {
        (Some(_), ..) => Some(&GridLayer::FIRST),
        (_, Some(_), _) => Some(&GridLayer::SECOND),
        (.., Some(_)) => Some(&GridLayer::SPECIFIED),
        _ => None,
    }
}

/// Whether a map has heights and things with a place, and no other layer that pictures could be drawn of: so it is in the dialect
/// `spec`.
pub fn is_bare(container: &dyn Container) -> bool {
    Model::of(container).spec_map().is_some()
}

/// Whether a file is a map of SpellForce or SpellForce 2.
pub fn is_for(opened: &Opened) -> bool {
    grids(opened.container()).is_some()
}

/// The map that a file holds.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files; reading errors; limits. Chunks that are damaged are findings, and empty.
pub fn read(opened: &mut Opened) -> Result<Box<dyn Land>> {
    opened.run(of)
}

/// The map that a container holds.
///
/// # Errors
/// Those of [`read`].
pub fn of(container: &dyn Container, task: &mut Task<'_>) -> Result<Box<dyn Land>> {
    if let Some(chunks) = Model::of(container).spec_map() {
        return Ok(Box::new(Specified::read(chunks, task)?));
    }
    let Some(chunks) = Model::of(container).map2() else {
        return Ok(Box::new(read_first(container, task)?));
    };
    let map = map2::Map::read(chunks.file(), task)?;
    let ground = &map.ground;
    if !ground.is_whole() {
        let (textures, heights) = (ground.textures.len(), ground.heights.len());
        return Err(lacking(textures, heights, ground.cells()));
    }
    Ok(Box::new(map))
}

/// The map of the first game in a container, or the ground of one of the dialect `spec`.
pub(super) fn read_first(container: &dyn Container, task: &mut Task<'_>) -> Result<Map> {
    if let Some(chunks) = Model::of(container).spec_map() {
        return specified::read_ground(chunks, task);
    }
    let map = Map::read(model::map(container, &codes::NO_MAP)?.file(), task)?;
    let cells = usize::from(map.size).pow(2);
    if map.size == 0 || map.heights.len() != cells || map.tiles.len() != cells {
        return Err(lacking(map.tiles.len(), map.heights.len(), cells));
    }
    Ok(map)
}

fn lacking(tiles: usize, heights: usize, cells: usize) -> Error {
    Error::new(&codes::NO_MAP)
        .expected("tiles and heights of all cells")
        .found(format!("{tiles} tiles and {heights} heights of {cells} cells"))
}
