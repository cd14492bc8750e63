//! A map as JSON in the form of GeoJSON: a collection of features, in cells or in units of positions.

use super::Land;
use serde_json::{Map as Object, Value, json as object};
use spelunk_core::{Result, Task, text::CodePages};
use spelunk_open::json;

/// Everything on a map that has a place, as a collection of features: entities and lakes as points with the fields of their
/// records, flagged cells as one feature of many points for each kind. What is of the whole map stands beside them, under
/// `map`.
///
/// # Errors
/// Limits.
pub fn features(land: &dyn Land, pages: &CodePages, task: &mut Task<'_>) -> Result<Value> {
    let mut features = Vec::new();
    for entity in land.entities(&mut task.budget)? {
        let most = task.budget.left().memory;
        let (mut fields, held, walked) =
            json::object_within(pages, most, |walk| entity.walk(task, walk));
        walked?;
        task.budget.memory(held.saturating_add(1024))?;
        // What a feature is stands under that name.
        let own = fields.shift_remove("kind");
        let mut properties = Object::new();
        properties.insert("kind".to_owned(), entity.list.into());
        properties.insert("index".to_owned(), entity.index.into());
        properties.extend(entity.tag.map(|tag| ("tag".to_owned(), pages.show(tag).into())));
        properties.insert("height".to_owned(), land.ground_at(&entity.place));
        properties.extend(entity.place.turns().map(|turns| ("rotation".to_owned(), turns)));
        properties.extend(own.map(|kind| ("record_kind".to_owned(), kind)));
        properties.extend(fields);
        features.push(feature("Point", entity.place.coordinates(), properties.into()));
    }
    for water in land.waters(&mut task.budget)? {
        let (coordinates, fields) = land.water(&water, pages, task)?;
        task.budget.release((water.cells.len() as u64).saturating_mul(4));
        let mut properties = Object::new();
        properties.insert("kind".to_owned(), "lakes".into());
        properties.insert("index".to_owned(), water.index.into());
        properties.extend(fields);
        properties.insert("cells".to_owned(), water.cells.len().into());
        features.push(feature("Point", coordinates, properties.into()));
    }
    for list in land.cell_lists(&mut task.budget)? {
        if !list.cells.is_empty() {
            task.budget.memory((list.cells.len() as u64).saturating_mul(128))?;
            let properties = object!({ "kind": list.kind, "cells": list.cells.len() });
            features.push(feature("MultiPoint", object!(list.cells), properties));
        }
    }
    Ok(object!({
        "type": "FeatureCollection",
        "map": land.about(),
        "features": features,
    }))
}

fn feature(shape: &str, coordinates: Value, properties: Value) -> Value {
    object!({
        "type": "Feature",
        "geometry": { "type": shape, "coordinates": coordinates },
        "properties": properties,
    })
}
