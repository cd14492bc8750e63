//! Chunk files as patches see them: their chunks by paths, and the tables among them.

use spellforce::{
    cff::{ChunkFile, Chunks},
    gamedata::{GameData, Table},
};
use spelunk_core::{Budget, Container, Result};
use spelunk_open::{Model, codes, model};
use std::collections::HashMap;

/// The chunk file that a container is.
///
/// # Errors
/// [`NO_PATCH`](codes::NO_PATCH) for another one.
pub(super) fn chunks(container: &dyn Container) -> Result<&Chunks> {
    match Model::of(container) {
        Model::Chunks(chunks) => Ok(chunks),
        _ => Err(model::other(container, &codes::NO_PATCH)),
    }
}

/// The paths of all chunks: by their position where several share one.
pub(super) fn paths(file: &ChunkFile) -> Vec<String> {
    let mut paths: Vec<String> = file.chunks().iter().map(|chunk| file.path(chunk)).collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for path in &paths {
        let count = counts.entry(path.clone()).or_default();
        *count = count.saturating_add(1);
    }
    for (nth, path) in paths.iter_mut().enumerate() {
        if counts.get(path).is_some_and(|count| *count > 1) {
            *path = format!("#{nth}");
        }
    }
    paths
}

/// The table that a chunk is, if it is one without anything behind its rows.
pub(super) fn table<'f>(
    gamedata: GameData<'f>,
    chunk: u32,
    budget: &mut Budget,
) -> Result<Option<Table<'f>>> {
    if !gamedata.categories().any(|(position, _)| position == chunk) {
        return Ok(None);
    }
    let table = gamedata.table(chunk, budget)?;
    Ok(Some(table).filter(|table| table.remainder().is_empty()))
}
