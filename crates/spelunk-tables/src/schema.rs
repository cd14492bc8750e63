//! The JSON Schema of tables as JSON, out of the descriptions of the fields.

use super::{
    ROW, VERSION,
    column::{CategoryColumn, ColumnKind, columns},
    json::{FORMAT, TABLES},
};
use serde_json::{Map, Value, json};
use spellforce::gamedata::{CATEGORIES, Category, Schema};
use spelunk_core::Field;

/// The schema, as text: `docs/schemas/gamedata-tables.json`.
pub fn page() -> String {
    let property = |category: &&Category| {
        // Rows of the dialect `spec` have other fields, or the same.
        let spec = Schema::Spec.category(category.id).filter(|it| it.record != category.record);
        let property = match spec {
            Some(spec) => json!({ "oneOf": [table(category), table(spec)] }),
            None => table(category),
        };
        (category.table.to_owned(), property)
    };
    let tables: Map<String, Value> = CATEGORIES.iter().map(property).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "SpellForce GameData as JSON tables",
        "description": "What `spelunk export GameData.cff --to json` writes, and `spelunk import` reads.",
        "type": "object",
        "required": [VERSION, "format", "file", TABLES],
        "properties": {
            VERSION: { "const": 1 },
            "format": { "const": FORMAT },
            "file": {
                "description": "What is no row: header words, code pages, and the chunks in their order.",
                "type": "object",
                "required": ["header", "pages", "languages", "chunks"],
            },
            TABLES: {
                "type": "object",
                "properties": tables,
                "additionalProperties": false,
            },
            "strings": {
                "description": "All bytes of fields, where the text alone does not give them.",
                "type": "array",
            },
        },
    });
    format!("{schema:#}\n")
}

/// The rows of a category.
fn table(category: &Category) -> Value {
    let columns = columns(category);
    let mut properties = Map::new();
    let place = "Place of the row in its category. New rows have none.";
    properties.insert(ROW.to_owned(), json!({ "type": "integer", "description": place }));
    for column in &columns {
        properties.insert(column.name.to_owned(), property(category, column));
    }
    let required: Vec<_> = columns.iter().map(|column| column.name).collect();
    json!({
        "description": format!("{}: {}", category.id, category.name),
        "type": "array",
        "items": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
    })
}

fn property(category: &Category, column: &CategoryColumn) -> Value {
    let slot = category.fields().get(column.field).filter(|_| column.kind != ColumnKind::Json);
    let mut property = match (column.kind, slot.and_then(|slot| slot.field.ty.range())) {
        (ColumnKind::Json, _) => {
            let number = json!({ "type": "integer", "minimum": i16::MIN, "maximum": i16::MAX });
            let corner = json!({ "type": "array", "items": number, "minItems": 2, "maxItems": 2 });
            json!({
                "description": "The corners of the polygon, x before y.",
                "type": "array",
                "items": corner,
                "maxItems": u8::MAX,
            })
        }
        // Bytes of a code page are counted, and no characters.
        (ColumnKind::Text, _) => json!({ "type": "string" }),
        (ColumnKind::Hex, _) => json!({ "type": "string", "pattern": "^([0-9a-f]{2})*$" }),
        (_, range) => {
            let range = range.unwrap_or(0..=0);
            json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() })
        }
    };
    if let (Some(slot), Some(property)) = (slot, property.as_object_mut()) {
        let Field { doc, unit, values, .. } = slot.field;
        let mut text = doc.to_owned();
        if !unit.is_empty() {
            text.push_str(&format!(" Unit: {unit}."));
        }
        let names = values.iter().map(|(value, name)| format!("{value} {name}"));
        let names = names.collect::<Vec<_>>().join(", ");
        if !names.is_empty() {
            text.push_str(&format!(" Known values: {names}."));
        }
        property.insert("description".to_owned(), text.into());
    }
    property
}
