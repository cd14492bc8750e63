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
pub(crate) mod row;
pub mod text;
pub(crate) mod tree;

use crate::{
    Bytes, Error, Opened, Options, Result, Seg, Val, WriteOptions, codes,
    pack::{self, Origin},
    text::CodePages,
};
use row::{References, Stored};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use virtools::{File, file::data::Owner};

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
        let owners = owners(file, task)?;
        let (mut managers, mut objects) = (Vec::new(), Vec::new());
        for owner in &owners {
            let before = task.budget.left().memory;
            let mut told = row::tell(file, *owner, &Stored(&pages), task)?;
            task.budget.release(before.saturating_sub(task.budget.left().memory));
            match owner {
                Owner::Manager(_) => managers.push(Value::Object(told)),
                Owner::Object(index) => {
                    let mut row = Map::from_iter([("index".to_owned(), Value::from(*index))]);
                    row.append(&mut told);
                    objects.push(Value::Object(row));
                }
            }
        }
        let nodes: Vec<_> = owners.iter().map(|owner| File::node(*owner)).collect();
        Ok::<_, Error>((nodes, managers, objects))
    });
    let (nodes, managers, objects) = with?;
    let mut content = |node| opened.run_silent(|container, task| container.bytes(node, task));
    let skeleton = pack::skeleton(origin, &nodes, false, level, &mut content)?
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

/// All managers and objects of a file.
///
/// # Errors
/// When Data is damaged or cannot be read.
pub(crate) fn owners(file: &File, task: &mut crate::Task<'_>) -> Result<Vec<Owner>> {
    let records = file.records(&mut task.budget)?;
    if let Some(fault) = &records.fault {
        return Err(fault.error());
    }
    let managers = u32::try_from(records.managers.len()).unwrap_or(u32::MAX);
    let objects = u32::try_from(records.objects.len()).unwrap_or(u32::MAX);
    Ok((0..managers).map(Owner::Manager).chain((0..objects).map(Owner::Object)).collect())
}

pub(crate) fn virtools(container: &dyn crate::Container) -> Result<&File> {
    let file = container.as_any().downcast_ref::<File>();
    file.ok_or_else(|| Error::new(&codes::NO_DOCUMENT).found(container.format()))
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
    let skeleton = document["skeleton"].as_str().and_then(row::hex);
    let skeleton = Bytes::from(skeleton.ok_or_else(|| bad("a `skeleton` in hexadecimal"))?);
    let rows = |key: &'static str| document[key].as_array().map(Vec::as_slice);
    let objects = rows("objects").ok_or_else(|| bad("`objects`"))?;
    let managers = rows("managers").ok_or_else(|| bad("`managers`"))?;
    // What is read takes no more than its text did.
    let options = pack::roomy(options, (size(document) as u64).saturating_mul(2));
    let pages = options.pages.clone().unwrap_or_else(CodePages::cp1252);
    assemble(skeleton, level, [managers, objects], &Stored(&pages), &options)
}

/// The file of a skeleton and its rows: managers, and objects.
pub(crate) fn assemble(
    skeleton: Bytes,
    level: Option<u8>,
    [managers, objects]: [&[Value]; 2],
    references: &dyn References,
    options: &Options,
) -> Result<Imported> {
    let bad = |what: &'static str| Error::new(&codes::BAD_DOCUMENT).expected(what);
    let mut file = File::open(&skeleton, &mut silent(options, &mut crate::Collect::default()))?;
    let mut findings = crate::Collect::default();
    let mut task = silent(options, &mut findings);
    let mut kept = BTreeSet::new();
    for (nth, row) in managers.iter().enumerate() {
        let owner = Owner::Manager(u32::try_from(nth).unwrap_or(u32::MAX));
        row::put(&mut file, owner, row, references, &mut task)
            .map_err(|error| error.within(Seg::Index(nth as u64)).field("managers"))?;
    }
    let count = u32::try_from(file.table().objects.len()).unwrap_or(u32::MAX);
    for (nth, row) in objects.iter().enumerate() {
        let within = |error: Error| error.within(Seg::Index(nth as u64)).field("objects");
        let name = row::name(row, references.pages()).ok_or_else(|| within(bad("a `name`")))?;
        let index = match row["index"].as_u64().map(u32::try_from) {
            Some(Ok(index)) if index < count => {
                kept.insert(index);
                index
            }
            Some(_) => return Err(within(bad("an `index` that the skeleton has, or none"))),
            None => {
                let class = row["class"].as_str().and_then(virtools::class::id);
                let class = class.ok_or_else(|| within(bad("the name of a `class`")))?;
                file.add_object_as(class, &name, Bytes::new(), &mut task.budget).map_err(within)?
            }
        };
        row::put(&mut file, Owner::Object(index), row, references, &mut task).map_err(within)?;
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
    let opened = Opened::of(Box::new(file), options);
    Ok(Imported { opened, options: WriteOptions { convert, ..WriteOptions::default() } })
}

pub(crate) fn silent<'s>(options: &Options, sink: &'s mut crate::Collect) -> crate::Task<'s> {
    crate::Task::new(crate::Budget::new(options.limits(0)), sink)
}

/// About how much text a document is.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + size(value)).sum(),
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
