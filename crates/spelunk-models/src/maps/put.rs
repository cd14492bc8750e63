//! Layers into a map.

use super::{
    grid::{Grid, GridLayer},
    source::read_from,
};
use spellforce::spec;
use spelunk_core::{Error, Result, Source};
use spelunk_open::{Model, Opened, codes, model};
use std::sync::Arc;

/// Puts a layer into a map. What comes of it is a file that is not opened yet: its other chunks are as they were.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files, and for layers that the dialect `spec` does not have; [`GRID_SIZE`](codes::GRID_SIZE); reading errors; limits.
pub fn put(into: &mut Opened, grid: &Grid) -> Result<Arc<dyn Source>> {
    into.run(|container, task| {
        let mut map = read_from(container, task)?;
        grid.put(&mut map)?;
        if let Some(chunks) = Model::of(container).spec_map() {
            if grid.layer != GridLayer::Heights {
                let error = Error::new(&codes::NO_MAP).expected(GridLayer::Heights.name());
                return Err(error.found(grid.layer.name()));
            }
            return spec::with_heights(chunks.file(), &map.heights, task)?.source(task);
        }
        map.to_draft_of(model::map(container, &codes::NO_MAP)?.file(), task)?.source(task)
    })
}
