//! Layers into a map of the first game.

use super::{grid::Grid, source::read_first};
use spelunk_core::{Result, Source};
use spelunk_open::{Opened, codes, model};
use std::sync::Arc;

/// Puts a layer into a map of the first game. What comes of it is a file that is not opened yet: its other chunks are as they were.
///
/// # Errors
/// [`NO_MAP`](codes::NO_MAP) for other files; [`GRID_SIZE`](codes::GRID_SIZE); [`NO_LAYER`](codes::NO_LAYER); reading errors; limits.
pub fn put(into: &mut Opened, grid: &Grid) -> Result<Arc<dyn Source>> {
    into.run(|container, task| {
        let mut map = read_first(container, task)?;
        grid.put(&mut map)?;
        map.to_draft_of(model::map(container, &codes::NO_MAP)?.file(), task)?.source(task)
    })
}
