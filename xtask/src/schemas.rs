//! The parts of the JSON Schemas of `info` and `ls` that are descriptions of fields: made by walking over samples of every
//! format, so that they say what the code says.

use serde_json::{Value, json};
use spelunk::{
    Bytes, Field, Halt, Of, Opened, Options, Result, Seg, Shape, Span, Step, Ty, Val, Walk, Walked,
    maps,
    walk::{self, Group},
};
use std::{fs, io, path::Path, sync::Arc};

/// The schemas of the command, from the root of the workspace on.
const FOLDER: &str = "crates/spelunk-cli/schemas";

/// Tells the fields of a file.
type Telling = fn(&str, &mut Opened, &mut Schema) -> Result<()>;

/// Path and text of the schemas that hold made parts, as they should be.
///
/// # Errors
/// Where one of them cannot be read.
pub fn pages(root: &Path) -> io::Result<Vec<(String, String)>> {
    let made = |verb: &str, walked: Telling| -> io::Result<(String, String)> {
        let path = format!("{FOLDER}/{verb}.json");
        let text = fs::read_to_string(root.join(&path))?;
        let mut page: Value = serde_json::from_str(&text)?;
        for (format, properties) in formats(walked) {
            page["$defs"][format]["properties"] = properties;
        }
        Ok((path, format!("{page:#}\n")))
    };
    Ok(vec![
        made("info", |name, opened, schema| {
            let world = gamedata()?;
            opened.run(|container, task| {
                walk::finish(container.info(task, schema))?;
                maps::describe(container, name, &world, task, schema)
            })
        })?,
        made("ls", |_, opened, schema| {
            for key in ["file", "path", "size", "label"] {
                schema.property(key, json!({ "$ref": format!("#/$defs/{key}") }));
            }
            let pages = opened.code_pages();
            opened.run(|container, task| {
                walk::finish(container.children(Of::Listing, &pages, task, &mut |entry, task| {
                    Ok(walk::finish(entry.details.walk(task, schema))?)
                }))
            })
        })?,
    ])
}

/// The properties of each format, in the order in which they are told.
fn formats(walked: Telling) -> Vec<(&'static str, Value)> {
    let mut formats: Vec<(&'static str, Schema)> = Vec::new();
    for sample in spelunk_fixtures::samples() {
        let mut opened = open(sample.fixture.bytes).expect("samples are sound");
        let format = opened.container().format();
        let place = formats.iter().position(|(known, _)| *known == format).unwrap_or_else(|| {
            formats.push((format, Schema::default()));
            formats.len() - 1
        });
        walked(sample.name, &mut opened, &mut formats[place].1).expect("samples are sound");
    }
    formats
        .into_iter()
        .map(|(format, mut schema)| (format, schema.root["properties"].take()))
        .collect()
}

fn open(bytes: Vec<u8>) -> Result<Opened> {
    Opened::open(Arc::new(Bytes::from(bytes)), &Options::default())
}

/// What the ids of maps are looked up in.
fn gamedata() -> Result<maps::World> {
    let samples = spelunk_fixtures::samples();
    let sample = samples.into_iter().find(|sample| sample.format == "spellforce-cff");
    maps::World::new(open(sample.expect("there is one").fixture.bytes)?)
}

/// What was seen of the objects of one kind: their properties.
#[derive(Default)]
struct Schema {
    root: Value,
    /// The keys that lead to the schema of the innermost group, and its shape.
    open: Vec<(Vec<String>, Shape)>,
}

impl Schema {
    fn property(&mut self, name: &str, schema: Value) {
        self.seen(&["properties".to_owned(), name.to_owned()], schema);
    }

    /// Notes what stands at these keys, where nothing does yet.
    fn seen(&mut self, keys: &[String], schema: Value) {
        let slot = keys.iter().fold(&mut self.root, |slot, key| &mut slot[key]);
        if slot.is_null() {
            *slot = schema;
        }
    }

    /// The keys that lead to what is called `name` in the innermost group.
    fn keys(&self, name: &Seg<'_>) -> Vec<String> {
        let (mut keys, shape) = self.open.last().cloned().unwrap_or((Vec::new(), Shape::Record));
        match (shape, name) {
            (Shape::Value, _) => {}
            (Shape::List, _) | (_, Seg::Index(_)) => keys.push("items".to_owned()),
            (_, Seg::Key(_)) => keys.push("additionalProperties".to_owned()),
            (_, Seg::Field(name)) => keys.extend(["properties".to_owned(), (*name).to_owned()]),
        }
        keys
    }
}

impl Walk for Schema {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        let keys = self.keys(&group.name);
        let ty = match group.shape {
            Shape::Record => Some("object"),
            Shape::List => Some("array"),
            Shape::Value => None,
        };
        if let Some(ty) = ty {
            self.seen(&keys, json!({ "type": ty, "description": group.record.doc }));
        }
        self.open.push((keys, group.shape));
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, _at: Option<Span>, _value: Val<'_>) -> Walked {
        let keys = self.keys(&Seg::Field(field.name));
        let is_in_record = self.open.last().is_none_or(|(_, shape)| *shape == Shape::Record);
        self.seen(&keys, described(field));
        if field.ty == Ty::Text && is_in_record {
            let mut keys = keys;
            if let Some(name) = keys.last_mut() {
                name.push_str("_bytes");
            }
            let about = "The stored bytes, where they are not exactly what is shown.";
            let pattern = "^([0-9a-f]{2})*$";
            self.seen(&keys, json!({ "type": "string", "pattern": pattern, "description": about }));
        }
        Ok(())
    }

    fn leave(&mut self, _shape: Shape) -> Walked {
        self.open.pop();
        Ok(())
    }
}

/// What JSON has for a field (`spelunk::json::scalar`). Everything may be missing.
fn described(field: &Field) -> Value {
    let mut schema = match field.ty {
        Ty::Bool => json!({ "type": ["boolean", "null"] }),
        Ty::F32 => json!({ "type": ["number", "object", "null"] }),
        Ty::Word => json!({ "type": ["string", "null"], "pattern": "^0x[0-9a-f]{8}$" }),
        Ty::Word64 => json!({ "type": ["string", "null"], "pattern": "^0x[0-9a-f]{16}$" }),
        Ty::Guid => json!({ "type": ["string", "null"], "pattern": "^[0-9a-f]{8}-[0-9a-f]{8}$" }),
        Ty::Uuid => json!({ "type": ["string", "null"], "format": "uuid" }),
        Ty::Hash128 => json!({ "type": ["string", "null"], "pattern": "^[0-9a-f]{32}$" }),
        Ty::Bytes => json!({ "type": ["string", "null"], "pattern": "^([0-9a-f]{2})*$" }),
        Ty::Text | Ty::Str => json!({ "type": ["string", "null"] }),
        Ty::Array(..) | Ty::Rest(_) => json!({ "type": "array" }),
        _ => json!({ "type": ["integer", "null"] }),
    };
    if let Some(range) = field.ty.range() {
        schema["minimum"] = (*range.start()).into();
        schema["maximum"] = (*range.end()).into();
    }
    let unit = if field.unit.is_empty() { String::new() } else { format!(" In {}.", field.unit) };
    schema["description"] = format!("{}{unit}", field.doc).into();
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_parts_of_schemas_and_of_the_readme_are_current() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let readme = crate::readme::page(&root).unwrap();
        for (path, text) in pages(&root).unwrap().into_iter().chain([readme]) {
            let written = fs::read_to_string(root.join(&path)).unwrap();
            assert!(written.replace("\r\n", "\n") == text, "{path} is old: run `cargo xtask docs`");
        }
    }
}
