//! A map as JSON in the form of GeoJSON: a collection of features with cells for coordinates.

use super::entities;
use serde_json::{Map as Object, Value, json as object};
use spellforce::map::{Cell, Lake, Map, WEATHER};
use spelunk_core::{Described, Result, Span, Task, Val, text::CodePages};
use spelunk_open::json;
use std::collections::BTreeMap;

/// Everything on a map that has a place, as a collection of features: entities and lakes as points with the fields of their
/// records, flagged cells as one feature of many points for each kind. What is of the whole map stands beside them, under
/// `map`.
///
/// # Errors
/// Limits.
pub fn features(map: &Map, pages: &CodePages, task: &mut Task<'_>) -> Result<Value> {
    let mut features = Vec::new();
    for entity in entities(map) {
        task.budget.memory(1024)?;
        let (mut fields, walked) =
            json::object(pages, |walk| entity.record.walk(entity.bytes, Span::file(0, 0), walk));
        walked?;
        for name in ["x", "y"] {
            fields.shift_remove(name);
        }
        // What a feature is stands under that name.
        let own = fields.shift_remove("kind");
        let mut properties = Object::new();
        properties.insert("kind".to_owned(), entity.kind.into());
        properties.insert("index".to_owned(), entity.index.into());
        let height = map.cell(entity.x, entity.y).and_then(|cell| map.heights.get(cell));
        properties.insert("height".to_owned(), height.copied().into());
        properties.extend(own.map(|kind| ("record_kind".to_owned(), kind)));
        properties.extend(fields);
        features.push(feature("Point", object!([entity.x, entity.y]), properties.into()));
    }
    for (index, lake) in map.lakes.iter().enumerate() {
        let cells = map.lake_cells(lake, &mut task.budget)?;
        task.budget.release((cells.len() as u64).saturating_mul(4));
        let kind = Val::U(lake.kind.into());
        let kind = match Lake::RECORD.field("kind").meaning(&kind) {
            Some(name) => name.into_owned().into(),
            None => kind.to_json(pages),
        };
        let properties = object!({
            "kind": "lakes",
            "index": index,
            "filled_with": kind,
            "depth": lake.depth.get(),
            "surface": map.surface(lake),
            "cells": cells.len(),
        });
        features.push(feature("Point", object!([lake.x.get(), lake.y.get()]), properties));
    }
    for (kind, cells) in
        [("movement_flags", &map.movement_flags), ("vision_flags", &map.vision_flags)]
    {
        if !cells.is_empty() {
            task.budget.memory((cells.len() as u64).saturating_mul(128))?;
            let places = |cell: &Cell| object!([cell.x.get(), cell.y.get()]);
            let places: Vec<_> = cells.iter().map(places).collect();
            let properties = object!({ "kind": kind, "cells": cells.len() });
            features.push(feature("MultiPoint", places.into(), properties));
        }
    }
    let weather: BTreeMap<_, _> = WEATHER.iter().zip(&map.weather).collect();
    Ok(object!({
        "type": "FeatureCollection",
        "map": { "size": map.size, "weather": weather },
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
