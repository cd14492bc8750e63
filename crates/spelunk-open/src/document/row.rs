//! Rows of a document: an object or a manager as JSON, and back.

use super::tree;
use crate::{codes, files::content::hash, json};
use serde_json::{Map, Value, json as object};
use spelunk_core::{
    Error, Field, Halt, Result, Shape, Span, Step, Target, Task, Val, Walk, Walked,
    text::{CodePages, until_nul},
    value::{hex, to_hex},
    walk::Group,
};
use std::borrow::Cow;
use virtools::{
    File,
    chunk::{Chunk, buffer::Header, read::ObjRef},
    class,
    codec::{Saved, fill::Resolve, names::TargetResolver, walk::Detail},
    file::data::Owner,
};

/// References to objects in the form of a document.
pub trait References: Resolve {
    /// Returns the key of the object at a position.
    fn key(&self, index: u32) -> Option<String>;

    /// The position of the object with an id, in chunks that refer by ids.
    fn index(&self, id: u32) -> Option<u32>;

    /// The pages that texts are in.
    fn pages(&self) -> &CodePages;
}

/// References as they are stored: as positions, or as ids.
#[derive(Debug)]
pub struct StoredReferences<'p>(pub &'p CodePages);

impl Resolve for StoredReferences<'_> {
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

impl References for StoredReferences<'_> {
    fn key(&self, _: u32) -> Option<String> {
        None
    }

    fn index(&self, _: u32) -> Option<u32> {
        None
    }

    fn pages(&self) -> &CodePages {
        self.0
    }
}

/// Gives references their keys: those by position come as such, those by id with what they mean.
struct Keyed<'r>(&'r dyn References);

/// The key that distinguishes objects from what numbers of managers mean.
const OBJECT: &str = "object";

impl TargetResolver for Keyed<'_> {
    fn object(&self, reference: ObjRef) -> Option<(u64, Target<'_>)> {
        let ObjRef::Id(id) = reference else { return None };
        let target = Target { kind: OBJECT.into(), name: Cow::Borrowed(&[]) };
        Some((self.0.index(id)?.into(), target))
    }

    fn manager_int(&self, _: [u32; 2], _: u32) -> Option<Target<'_>> {
        Some(Target { kind: "number".into(), name: Cow::Borrowed(&[]) })
    }
}

/// A walk with keys in the place of references.
struct WithKeys<'w> {
    walk: &'w mut dyn Walk,
    references: &'w dyn References,
}

impl Walk for WithKeys<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.walk.enter(group)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        let index = match &value {
            Val::Ref(index, None) => Some(*index),
            Val::Ref(index, Some(target)) if target.kind == OBJECT => Some(*index),
            _ => None,
        };
        let index = index.and_then(|index| u32::try_from(index).ok());
        match index.and_then(|index| self.references.key(index)) {
            Some(key) => self.walk.field(field, at, Val::Str(key.into())),
            None => self.walk.field(field, at, value),
        }
    }

    fn leave(&mut self, shape: Shape) -> Walked {
        self.walk.leave(shape)
    }
}

/// Returns the row of an object or a manager, and the memory that it takes, which stays taken.
pub fn of(
    file: &File,
    owner: Owner,
    references: &dyn References,
    task: &mut Task<'_>,
) -> Result<(Map<String, Value>, u64)> {
    let pages = references.pages();
    let mut row = Map::new();
    let mut taken = 0;
    match owner {
        Owner::Object(index) => {
            let stored = file.table().objects.get(index as usize);
            let stored = stored.ok_or_else(|| Error::new(&codes::core::NOT_FOUND))?;
            let name = file.table().name(stored);
            // As it is shown, where a letter may become three bytes, and as digits.
            taken = (name.len() as u64).saturating_mul(if name.is_ascii() { 3 } else { 5 });
            task.budget.memory(taken)?;
            row.insert("class".into(), class::name(stored.class_id, u32::MAX).into());
            let shown = pages.show(until_nul(name)).into_owned();
            if shown.as_bytes() != name {
                row.insert("name_bytes".into(), to_hex(name).into());
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
    task.budget.release(taken);
    taken = json::held_by(&row);
    task.budget.memory(taken)?;
    let stored = file.records(&mut task.budget)?.chunk(owner, &mut task.budget)?;
    if stored.is_empty() {
        return Ok((row, taken));
    }
    let written = task.transient(|task| match value(file, owner, stored, references, task) {
        Err(error) if error.ends_work() => Err(error),
        written => Ok(written.ok().flatten()),
    })?;
    let with_bytes = written.as_ref().is_none_or(|written| written.unless_changed.is_some());
    let text = if with_bytes { stored.len().saturating_mul(2) } else { 0 };
    let held = written.as_ref().map_or(0, |written| written.held).saturating_add(text as u64);
    task.budget.memory(held)?;
    taken = taken.saturating_add(held);
    match written {
        Some(RenderedValue { value, unless_changed, .. }) => {
            row.insert("value".into(), value);
            if let Some(made) = unless_changed {
                let exact = object!({ "bytes": to_hex(stored), "unless_changed": made });
                row.insert("exact".into(), exact);
            }
        }
        None => drop(row.insert("bytes".into(), to_hex(stored).into())),
    }
    Ok((row, taken))
}

/// A value as JSON.
struct RenderedValue {
    value: Value,
    /// The memory that it takes.
    held: u64,
    /// The hash of the chunk that is made of it, where that is not the stored one.
    unless_changed: Option<String>,
}

/// The value, where a chunk can be made of it.
fn value(
    file: &File,
    owner: Owner,
    stored: &[u8],
    references: &dyn References,
    task: &mut Task<'_>,
) -> Result<Option<RenderedValue>> {
    let before = task.budget.left().memory;
    let saved = file.value(owner, &mut Vec::new(), &mut task.budget)?;
    let read = before.saturating_sub(task.budget.left().memory);
    let (Some(mut saved), Some(chunk)) = (saved, view(file, owner, stored)) else {
        return Ok(None);
    };
    let names = Keyed(references);
    let (value, held) = task.keeping(|task, most| {
        let (map, held, walked) = json::object_within(references.pages(), most, |walk| {
            let walk = &mut WithKeys { walk, references };
            saved.walk(chunk, Detail::Complete, &names, &mut task.budget, walk)
        });
        (walked.map(|()| (Value::Object(map), held)), held)
    })?;
    drop(saved);
    task.budget.release(read);
    // The tree of the values, the new value while its lists grow, and the chunk in dwords and in bytes.
    let made = held.saturating_add(read.saturating_mul(3));
    task.budget.memory(made.saturating_add((stored.len() as u64).saturating_mul(3)))?;
    let mut made = file.empty_value(owner, &mut task.budget)?;
    made.fill(tree::of(&value, references.pages()), references)?;
    let canonical = made.write()?.to_bytes()?;
    let unless_changed = (canonical != stored).then(|| hash(&canonical));
    Ok(Some(RenderedValue { value, held, unless_changed }))
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

/// Returns the chunk of a row, and `None` where the row has none.
///
/// # Errors
/// [`BAD_DOCUMENT`](codes::BAD_DOCUMENT) where it is no row; what the file says of values that it cannot hold.
pub fn chunk(
    file: &File,
    owner: Owner,
    row: &Value,
    references: &dyn References,
    task: &mut Task<'_>,
) -> Result<Option<Vec<u8>>> {
    let bad = |what: &'static str| Error::new(&codes::BAD_DOCUMENT).expected(what);
    match (row.get("value"), row.get("bytes")) {
        (None, None) => Ok(None),
        (None, Some(bytes)) => {
            let bytes = bytes.as_str().and_then(hex);
            bytes.map(Some).ok_or_else(|| bad("`bytes` in hexadecimal"))
        }
        (Some(value), _) => {
            let mut made = empty(file, owner, row, task)?;
            made.fill(tree::of(value, references.pages()), references)?;
            let made = made.write()?.to_bytes()?;
            match row.get("exact") {
                Some(exact) if exact["unless_changed"] == hash(&made) => {
                    let exact = exact["bytes"].as_str().and_then(hex);
                    exact.map(Some).ok_or_else(|| bad("`exact.bytes` in hexadecimal"))
                }
                _ => Ok(Some(made)),
            }
        }
    }
}

/// Puts the content of a row in its place.
///
/// # Errors
/// Those of [`chunk`].
pub fn put(
    file: &mut File,
    owner: Owner,
    row: &Value,
    references: &dyn References,
    task: &mut Task<'_>,
) -> Result<()> {
    let Some(chunk) = chunk(file, owner, row, references, task)? else { return Ok(()) };
    // What is there already stays packed as it is.
    if file.records(&mut task.budget)?.chunk(owner, &mut task.budget)? == chunk {
        return Ok(());
    }
    file.set_chunk(owner, chunk.into(), &mut task.budget)
}

/// An empty value for a row. Below FileVersion 7 the class of an object lies with its chunk, which a skeleton lacks.
fn empty(
    file: &File,
    owner: Owner,
    row: &Value,
    task: &mut Task<'_>,
) -> Result<Saved<class::Value>> {
    let class_id = row["class"].as_str().and_then(class::id);
    let header = match (owner, file.head().version(), class_id) {
        (Owner::Object(_), 0..=3, Some(class_id)) => Header::bare(class_id),
        (Owner::Object(_), 4..=6, Some(class_id)) => Header::object(class_id),
        _ => return file.empty_value(owner, &mut task.budget),
    };
    Ok(Saved::new(header, class::Value::of_class(class_id.unwrap_or_default())))
}

/// The stored name of a row: its bytes, unless the text was changed.
pub fn name(row: &Value, pages: &CodePages) -> Option<Vec<u8>> {
    match Val::text_from_json(row["name"].as_str()?, row.get("name_bytes"), pages) {
        Val::Text(bytes) => Some(bytes.into_owned()),
        value => pages.encode(&value.to_string()),
    }
}
