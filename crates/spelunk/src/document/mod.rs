//! Virtools files as JSON, and back, without losing a byte.
//!
//! ```json
//! {
//!   "spelunk_document": 1,
//!   "format": "virtools",
//!   "level": 6,
//!   "objects": [
//!     {"index": 0, "class": "CKMesh", "name": "Wall", "value": {"flags": {"flags": "0x00000003"}}, "exact": {}}
//!   ],
//!   "managers": [{"guid": "466a0fac-00000000", "value": {}}],
//!   "skeleton": "hexadecimal"
//! }
//! ```
//!
//! Values are what `show` tells, in full: a document is made to be edited. Objects that are taken out are removed, those
//! without an `index` are added, another `name` renames. What values do not tell, such as what fills strings up to whole
//! dwords, stands in `exact`: the stored bytes, which are taken as long as the value is unchanged. Everything that is
//! not an object or a manager stands in the skeleton, which is the file with all chunks taken out.

pub mod folder;
pub mod text;
mod tree;

use crate::{
    Bytes, Error, Opened, Options, Result, Seg, Span, Val, WriteOptions, codes,
    pack::{self, Origin},
    text::{CodePages, until_nul},
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use virtools::{
    File,
    chunk::{Chunk, buffer::Header},
    codec::{Saved, fill::Resolve, walk::Detail},
    file::data::Owner,
};

/// What stands at the top of a document: the version of this form.
const VERSION: &str = "spelunk_document";

/// The file as a document.
///
/// # Errors
/// [`NO_DOCUMENT`](codes::NO_DOCUMENT) for other formats; reading errors; limits.
pub fn export(origin: &Origin<'_>) -> Result<Value> {
    let mut opened = Opened::open(origin.source.clone(), origin.options)?;
    let pages = opened.code_pages();
    let level = opened.run(|container, task| container.level(task))?;
    let with = opened.run(|container, task| {
        let file = virtools(container)?;
        let records = file.records(&mut task.budget)?;
        if let Some(fault) = &records.fault {
            return Err(fault.error());
        }
        let managers = u32::try_from(records.managers.len()).unwrap_or(u32::MAX);
        let objects = u32::try_from(records.objects.len()).unwrap_or(u32::MAX);
        let owners: Vec<Owner> =
            (0..managers).map(Owner::Manager).chain((0..objects).map(Owner::Object)).collect();
        let (mut managers, mut objects) = (Vec::new(), Vec::new());
        for owner in &owners {
            let before = task.budget.left().memory;
            let row = row(file, *owner, &pages, task)?;
            task.budget.release(before.saturating_sub(task.budget.left().memory));
            match owner {
                Owner::Manager(_) => managers.push(row),
                Owner::Object(_) => objects.push(row),
            }
        }
        let nodes: Vec<_> = owners.iter().map(|owner| File::node(*owner)).collect();
        Ok((nodes, managers, objects))
    });
    let (nodes, managers, objects) = with?;
    let mut content = |node| opened.run_silent(|container, task| container.bytes(node, task));
    let skeleton = pack::skeleton(origin, &nodes, level, &mut content)?
        .ok_or_else(|| Error::new(&codes::NO_DOCUMENT))?;
    let emptied = skeleton.emptied.contains(&true);
    Ok(json!({
        VERSION: 1,
        "format": "virtools",
        "level": level.filter(|_| emptied),
        "objects": objects,
        "managers": managers,
        "skeleton": Val::Bytes(skeleton.bytes.as_ref().into()).to_string(),
    }))
}

fn virtools(container: &dyn crate::Container) -> Result<&File> {
    let file = container.as_any().downcast_ref::<File>();
    file.ok_or_else(|| Error::new(&codes::NO_DOCUMENT).found(container.format()))
}

/// What the document tells of an object or a manager.
fn row(file: &File, owner: Owner, pages: &CodePages, task: &mut crate::Task<'_>) -> Result<Value> {
    let mut row = Map::new();
    match owner {
        Owner::Object(index) => {
            let object = file.table().objects.get(index as usize);
            let object = object.ok_or_else(|| Error::new(&codes::core::NOT_FOUND))?;
            let name = file.table().name(object);
            row.insert("index".into(), index.into());
            row.insert("class".into(), virtools::class::name(object.class_id, u32::MAX).into());
            let shown = pages.show(until_nul(name)).into_owned();
            if shown.as_bytes() != name {
                row.insert("name_bytes".into(), Val::Bytes(name.into()).to_string().into());
            }
            row.insert("name".into(), shown.into());
        }
        Owner::Manager(index) => {
            let records = file.records(&mut task.budget)?;
            let guid = records.managers.get(index as usize).map(|manager| manager.guid);
            let guid = guid.ok_or_else(|| Error::new(&codes::core::NOT_FOUND))?;
            let guid = Val::Guid(guid.d1.get(), guid.d2.get());
            row.insert("guid".into(), guid.to_string().into());
        }
    }
    let stored = file.records(&mut task.budget)?.chunk(owner, &mut task.budget)?;
    if stored.is_empty() {
        return Ok(Value::Object(row));
    }
    let bytes = || Value::from(Val::Bytes(stored.into()).to_string());
    match told(file, owner, stored, pages, task) {
        Some((value, canonical)) => {
            row.insert("value".into(), value);
            if canonical != stored {
                let exact = json!({ "bytes": bytes(), "unless_changed": pack::hash(&canonical) });
                row.insert("exact".into(), exact);
            }
        }
        None => drop(row.insert("bytes".into(), bytes())),
    }
    Ok(Value::Object(row))
}

/// The value, and the chunk that is made of it; `None` where none can be.
fn told(
    file: &File,
    owner: Owner,
    stored: &[u8],
    pages: &CodePages,
    task: &mut crate::Task<'_>,
) -> Option<(Value, Vec<u8>)> {
    let budget = &mut task.budget;
    let mut faults = Vec::new();
    let mut saved = file.value(owner, &mut faults, budget).ok()??;
    let chunk = view(file, owner, stored)?;
    let (map, walked) =
        crate::json::object(pages, |walk| saved.walk(chunk, Detail::Complete, &(), budget, walk));
    walked.ok()?;
    let value = Value::Object(map);
    let mut made = file.empty_value(owner, budget).ok()?;
    made.fill(tree::of(&value, pages), &Stored(pages)).ok()?;
    Some((value, made.write().ok()?.to_bytes().ok()?))
}

/// A chunk as a view; the place does not matter.
fn view<'a>(file: &File, owner: Owner, stored: &'a [u8]) -> Option<Chunk<'a>> {
    let at = Span::file(0, stored.len() as u64);
    match owner {
        Owner::Object(index) if file.head().version() < 4 => {
            let class_id = file.table().objects.get(index as usize)?.class_id;
            Some(Chunk::bare(class_id, stored, at))
        }
        _ => Chunk::read(stored, at).ok(),
    }
}

/// References and numbers are told as they are stored.
struct Stored<'p>(&'p CodePages);

impl Resolve for Stored<'_> {
    fn object(&self, _: &str, _: bool) -> Option<u32> {
        None
    }

    fn manager_int(&self, _: [u32; 2], _: &str) -> Option<u32> {
        None
    }

    fn text(&self, text: &str) -> Option<Vec<u8>> {
        self.0.encode(text)
    }
}

/// A file that was made of a document and can be written.
#[derive(Debug)]
pub struct Imported {
    /// The container.
    pub opened: Opened,
    /// How it is to be written.
    pub options: WriteOptions,
}

/// The file that a document tells.
///
/// # Errors
/// [`BAD_DOCUMENT`](codes::BAD_DOCUMENT) where it is none; what the file says of values that it cannot hold.
pub fn import(document: &Value, options: &Options) -> Result<Imported> {
    let bad = |what: &'static str| Error::new(&codes::BAD_DOCUMENT).expected(what);
    if document[VERSION] != 1 || document["format"] != "virtools" {
        return Err(bad("`spelunk_document` 1 of the format `virtools`"));
    }
    let level = document["level"].as_u64().and_then(|level| u8::try_from(level).ok());
    let skeleton = document["skeleton"].as_str().and_then(hex);
    let skeleton = Bytes::from(skeleton.ok_or_else(|| bad("a `skeleton` in hexadecimal"))?);
    let rows = |key: &'static str| document[key].as_array().map(Vec::as_slice);
    let objects = rows("objects").ok_or_else(|| bad("`objects`"))?;
    let managers = rows("managers").ok_or_else(|| bad("`managers`"))?;
    // What is read takes no more than its text did.
    let options = pack::roomy(options, (document_size(document) as u64).saturating_mul(2));
    let mut file = File::open(&skeleton, &mut silent(&options, &mut crate::Collect::default()))?;
    let pages = options.pages.clone().unwrap_or_else(CodePages::cp1252);
    let mut findings = crate::Collect::default();
    let mut task = silent(&options, &mut findings);
    let mut kept = BTreeSet::new();
    for (nth, row) in managers.iter().enumerate() {
        let owner = Owner::Manager(u32::try_from(nth).unwrap_or(u32::MAX));
        put(&mut file, owner, row, &pages, &mut task)
            .map_err(|error| error.within(Seg::Index(nth as u64)).field("managers"))?;
    }
    let count = u32::try_from(file.table().objects.len()).unwrap_or(u32::MAX);
    for (nth, row) in objects.iter().enumerate() {
        let within = |error: Error| error.within(Seg::Index(nth as u64)).field("objects");
        let name = name(row, &pages).ok_or_else(|| within(bad("a `name`")))?;
        let index = match row["index"].as_u64().map(u32::try_from) {
            Some(Ok(index)) if index < count => {
                kept.insert(index);
                index
            }
            Some(_) => return Err(within(bad("an `index` that the skeleton has, or none"))),
            None => {
                let class = row["class"].as_str().and_then(virtools::class::id);
                let class = class.ok_or_else(|| within(bad("the name of a `class`")))?;
                file.add_object(class, &name, Bytes::new(), &mut task.budget).map_err(within)?
            }
        };
        put(&mut file, Owner::Object(index), row, &pages, &mut task).map_err(within)?;
        // Old chunks hold the name, so it is known only now.
        let stored = file.table().objects.get(index as usize);
        if stored.is_some_and(|stored| file.table().name(stored) != name) {
            file.rename(index, &name, &mut task.budget).map_err(within)?;
        }
    }
    let removed: BTreeSet<u32> = (0..count).filter(|index| !kept.contains(index)).collect();
    if !removed.is_empty() {
        file.remove_objects(&removed, false, &mut task)?;
    }
    let convert = crate::Convert { level, ..crate::Convert::default() };
    let opened = Opened::of(Box::new(file), &options);
    Ok(Imported { opened, options: WriteOptions { convert, ..WriteOptions::default() } })
}

fn silent<'s>(options: &Options, sink: &'s mut crate::Collect) -> crate::Task<'s> {
    crate::Task::new(crate::Budget::new(options.limits(0)), sink)
}

/// Puts what a row tells in its place.
fn put(
    file: &mut File,
    owner: Owner,
    row: &Value,
    pages: &CodePages,
    task: &mut crate::Task<'_>,
) -> Result<()> {
    let bad = |what: &'static str| Error::new(&codes::BAD_DOCUMENT).expected(what);
    let chunk = match (row.get("value"), row.get("bytes")) {
        (None, None) => return Ok(()),
        (None, Some(bytes)) => {
            bytes.as_str().and_then(hex).ok_or_else(|| bad("`bytes` in hexadecimal"))?
        }
        (Some(value), _) => {
            let mut made = empty(file, owner, row, task)?;
            made.fill(tree::of(value, pages), &Stored(pages))?;
            let made = made.write()?.to_bytes()?;
            match row.get("exact") {
                Some(exact) if exact["unless_changed"] == pack::hash(&made) => {
                    let exact = exact["bytes"].as_str().and_then(hex);
                    exact.ok_or_else(|| bad("`exact.bytes` in hexadecimal"))?
                }
                _ => made,
            }
        }
    };
    // What the skeleton holds as it was stays packed as it was.
    if file.records(&mut task.budget)?.chunk(owner, &mut task.budget)? == chunk {
        return Ok(());
    }
    file.set_chunk(owner, chunk.into(), &mut task.budget)
}

/// An empty value for a row. Below FileVersion 7 the class of an object lies with its chunk, which the skeleton lacks.
fn empty(
    file: &File,
    owner: Owner,
    row: &Value,
    task: &mut crate::Task<'_>,
) -> Result<Saved<virtools::class::Value>> {
    let class = row["class"].as_str().and_then(virtools::class::id);
    let header = match (owner, file.head().version(), class) {
        (Owner::Object(_), 0..=3, Some(class)) => Header::bare(class),
        (Owner::Object(_), 4..=6, Some(class)) => Header::object(class),
        _ => return file.empty_value(owner, &mut task.budget),
    };
    Ok(Saved::new(header, virtools::class::Value::of_class(class.unwrap_or_default())))
}

/// The stored name of a row: its bytes, unless the text was changed.
fn name(row: &Value, pages: &CodePages) -> Option<Vec<u8>> {
    let name = row["name"].as_str()?;
    let bytes = row.get("name_bytes").and_then(Value::as_str).and_then(hex);
    bytes.filter(|bytes| pages.show(until_nul(bytes)) == name).or_else(|| pages.encode(name))
}

fn hex(text: &str) -> Option<Vec<u8>> {
    static BYTES: crate::Field = crate::Field::new("bytes", crate::Ty::Bytes, "");
    BYTES.encode(&Val::Str(text.into()))
}

/// About how much text a document is.
fn document_size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(document_size).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + document_size(value)).sum(),
        _ => 8,
    }
}

/// Reads a document from its text.
///
/// # Errors
/// [`BAD_DOCUMENT`](codes::BAD_DOCUMENT).
pub fn parse(text: &[u8]) -> Result<Value> {
    serde_json::from_slice(text)
        .map_err(|error| Error::new(&codes::BAD_DOCUMENT).expected("JSON").found(error.to_string()))
}
