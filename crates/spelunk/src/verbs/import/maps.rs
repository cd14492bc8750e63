//! Layers and features into maps of the first game, and layers into those of the dialect `spec`.

use super::{content::ImportedFile, request::Request, row::ImportedRow};
use crate::{
    Error, Opened, Result, Source, WriteOptions,
    models::maps::{self, Grid, GridLayer},
    open::codes,
    verbs::{input::Input, run::Run},
};
use std::sync::Arc;

/// The error that there is no layer of this name; it names those that there are.
fn no_layer(found: &str) -> Error {
    let known = GridLayer::FIRST.map(GridLayer::name);
    let error = Error::new(&codes::NO_LAYER).expected(format!("--layer with {}", known.join(", ")));
    if found.is_empty() { error } else { error.found(format!("`{found}`")) }
}

/// Puts a layer into a map. `None` where that cannot be done, which is reported and counted.
pub(super) fn make(
    request: &Request,
    layer: &str,
    run: &mut Run<'_>,
) -> Result<Option<ImportedFile>> {
    let grid = run.read(&request.source).and_then(|bytes| {
        let found = GridLayer::named(layer).filter(|found| GridLayer::FIRST.contains(found));
        let layer = found.ok_or_else(|| no_layer(layer))?;
        match bytes.starts_with(b"\x89PNG") {
            true => maps::read_png(&bytes, layer, run.options.limits(bytes.len() as u64).memory),
            false => Grid::from_csv(&bytes, layer),
        }
    });
    let grid = match grid {
        Ok(grid) => grid,
        Err(error) => {
            run.unopened(&request.source.to_string(), error);
            return Ok(None);
        }
    };
    put(request, run, |map| maps::put(map, &grid))
}

/// Puts what `change` makes of the map of `into` in its place. `None` where that cannot be done, which is reported and counted.
pub(super) fn put(
    request: &Request,
    run: &mut Run<'_>,
    change: impl FnOnce(&mut Opened) -> Result<Arc<dyn Source>>,
) -> Result<Option<ImportedFile>> {
    let Some(into) = &request.into else { return Ok(None) };
    let Some(mut open) = run.open(&Input::named(into))? else { return Ok(None) };
    let map = open.held.get()?;
    let made = change(map);
    let findings = map.take_findings();
    let file = open.name;
    open.held.release();
    run.settle(&file, &findings);
    match made.and_then(|source| Opened::open(source, &run.options)) {
        Ok(opened) => {
            let (options, row) = (WriteOptions::default(), ImportedRow::default());
            Ok(Some(ImportedFile { file, opened, options, findings, row, textures: Vec::new() }))
        }
        Err(error) => {
            run.failed(&file, error);
            Ok(None)
        }
    }
}
