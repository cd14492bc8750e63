//! Layers into a map of the first game, or of the dialect `spec`.

use super::{
    grid::{Grid, GridLayer},
    source::read_first,
};
use spellforce::spec;
use spelunk_core::{Error, Result, Source};
use spelunk_open::{Model, Opened, codes, model};
use std::sync::Arc;

/// Puts a layer into a map of the first game, or of the dialect `spec`. What comes of it is a file that is not opened yet: its other chunks are as they were.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files; [`GRID_SIZE`](codes::GRID_SIZE); [`NO_LAYER`](codes::NO_LAYER); reading errors; limits.
pub fn put(into: &mut Opened, grid: &Grid) -> Result<Arc<dyn Source>> {
    into.run(|container, task| {
        let mut map = read_first(container, task)?;
        grid.put(&mut map)?;
        if let Some(chunks) = Model::of(container).spec_map() {
            if !GridLayer::SPECIFIED.contains(&grid.layer) {
                let known = GridLayer::SPECIFIED.map(GridLayer::name).join(", ");
                return Err(Error::new(&codes::NO_LAYER).expected(known).found(grid.layer.name()));
            }
            return spec::with_heights(chunks.file(), &map.heights, task)?.source(task);
        }
        map.to_draft_of(model::map(container, &codes::NO_MAP)?.file(), task)?.source(task)
    })
}
