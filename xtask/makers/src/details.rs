//! The parts of the JSON Schemas of `info` and `ls` that are descriptions of fields: made by walking over samples of every
//! format, so that they say what the code says.

use serde_json::{Value, json};
use spelunk::{
    Bytes, Field, Halt, Of, Opened, Options, Result, Seg, Shape, Span, Step, Ty, Val, Walk, Walked,
    core::walk::{self, Group},
    models::maps,
};
use std::{collections::BTreeMap, sync::Arc};

/// Walks over what is described of a file.
type Walking = fn(&str, &mut Opened, &mut Described) -> Result<()>;

/// What is described of a format: the properties that its objects may have, and those that all of them have.
pub struct Details {
    /// The format.
    pub format: &'static str,
    /// JSON Schemas by the names of the properties.
    pub properties: Value,
    /// The names of those that every object has that was seen.
    pub required: Vec<String>,
}

/// The details of `info`, format by format.
pub fn of_files() -> Vec<Details> {
    formats(|name, opened, described| {
        let world = gamedata()?;
        described.object();
        opened.run(|container, task| {
            walk::finish(container.info(task, described))?;
            maps::describe(container, name, &world, task, described)
        })
    })
}

/// The details of entries that `ls` lists, format by format.
pub fn of_entries() -> Vec<Details> {
    formats(|_, opened, described| {
        let pages = opened.code_pages();
        opened.run(|container, task| {
            walk::finish(container.children(Of::Listing, &pages, task, &mut |entry, task| {
                described.object();
                Ok(walk::finish(entry.details.walk(task, described))?)
            }))
        })
    })
}

/// The properties of each format, in the order in which they are walked over.
fn formats(walked: Walking) -> Vec<Details> {
    let mut formats: Vec<(&'static str, Described)> = Vec::new();
    for sample in spelunk_fixtures::samples() {
        let mut opened = open(sample.fixture.bytes).expect("samples are sound");
        let format = opened.container().format();
        let place = formats.iter().position(|(known, _)| *known == format).unwrap_or_else(|| {
            formats.push((format, Described::default()));
            formats.len() - 1
        });
        walked(sample.name, &mut opened, &mut formats[place].1).expect("samples are sound");
    }
    formats
        .into_iter()
        .map(|(format, mut described)| {
            let properties = described.root["properties"].take();
            let names = properties.as_object().into_iter().flatten().map(|(name, _)| name);
            let is_everywhere =
                |name: &&String| described.counts.get(*name) == Some(&described.objects);
            let required = names.filter(is_everywhere).cloned().collect();
            Details { format, properties, required }
        })
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
struct Described {
    root: Value,
    /// How many objects there were, and how many of them had each property.
    objects: u64,
    counts: BTreeMap<String, u64>,
    /// The keys that lead to the schema of the innermost group, and its shape.
    open: Vec<(Vec<String>, Shape)>,
}

impl Described {
    /// Begins another object.
    fn object(&mut self) {
        self.objects += 1;
    }

    /// Counts a property of the object itself.
    fn count(&mut self, name: &Seg<'_>) {
        if let (true, Seg::Field(name)) = (self.open.is_empty(), name) {
            *self.counts.entry((*name).to_owned()).or_default() += 1;
        }
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

impl Walk for Described {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.count(&group.name);
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
        self.count(&Seg::Field(field.name));
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

/// What JSON has for a field (`spelunk::open::json::scalar`). Everything may be missing.
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
