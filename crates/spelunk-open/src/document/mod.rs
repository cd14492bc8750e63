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
//! Values are those of `show`, in full: a document is made to be edited. Objects that are taken out are removed, those without an
//! `index` are added, another `name` renames. Bytes that do not follow from values, such as those that fill strings up to whole
//! dwords, stand in `exact`: the stored bytes, which are taken as long as the value is unchanged. Everything that is not an
//! object or a manager stands in the skeleton, which is the file with all chunks taken out.

pub mod folder;
pub mod row;
pub mod text;
pub mod tree;

use crate::{
    Opened, Options, codes, model,
    skeleton::{self, Origin, PackedLevel},
};
use row::{References, StoredReferences};
use serde_json::{Map, Value};
use spelunk_core::{Bytes, Error, Result, Seg, Task, WriteOptions, text::CodePages, value::to_hex};
use std::{borrow::Cow, collections::BTreeSet, io::Write};
use virtools::{File, file::data::Owner, profile::PROFILE};

/// The key at the top of a document with the version of this form.
const VERSION: &str = "spelunk_document";
const OBJECTS: &str = "objects";
const MANAGERS: &str = "managers";
const SKELETON: &str = "skeleton";

/// The file as a document. All of it is in memory then, which is the caller's; [`write()`] takes no more than one row of it.
///
/// # Errors
/// [`NO_DOCUMENT`](codes::NO_DOCUMENT) for other formats; reading errors; limits.
pub fn export(origin: &Origin<'_>) -> Result<Value> {
    let (mut document, mut objects, mut managers) = (Map::new(), Vec::new(), Vec::new());
    parts(origin, &mut |part, _| {
        match part {
            // Objects and managers keep their places.
            DocumentPart::Skeleton(bytes) => {
                document.insert(OBJECTS.to_owned(), std::mem::take(&mut objects).into());
                document.insert(MANAGERS.to_owned(), std::mem::take(&mut managers).into());
                document.insert(SKELETON.to_owned(), to_hex(bytes).into());
            }
            DocumentPart::Object(row) => objects.push(row.into_owned()),
            DocumentPart::Manager(row) => managers.push(row.into_owned()),
            DocumentPart::Field(key, value) => drop(document.insert(key.to_owned(), value.clone())),
        }
        Ok(())
    })?;
    Ok(Value::Object(document))
}

/// Writes the text of the document that a file is, part by part.
///
/// # Errors
/// Those of [`export`], and of `out`.
pub fn write(origin: &Origin<'_>, out: &mut dyn Write) -> Result<()> {
    let mut writer = DocumentWriter::new(&[OBJECTS, MANAGERS], out);
    parts(origin, &mut |part, _| writer.part(&part))?;
    writer.end()
}

/// A part of a document, in the order of the text.
enum DocumentPart<'p> {
    /// A field at the top.
    Field(&'p str, &'p Value),
    /// A row of an object.
    Object(Cow<'p, Value>),
    /// A row of a manager.
    Manager(Cow<'p, Value>),
    /// The skeleton, behind all rows.
    Skeleton(&'p [u8]),
}

/// Hands out a document part by part. The memory of a row is given back then.
fn parts(
    origin: &Origin<'_>,
    each: &mut dyn FnMut(DocumentPart<'_>, &mut Task<'_>) -> Result<()>,
) -> Result<()> {
    let mut opened = Opened::open(origin.source.clone(), origin.options)?;
    let pages = opened.code_pages();
    let packed = opened.run(PackedLevel::of)?;
    let owners = opened
        .run(|container, task| owners(model::virtools(container, &codes::NO_DOCUMENT)?, task))?;
    let nodes: Vec<_> = owners.iter().map(|owner| File::node(*owner)).collect();
    // It is proven beside what is open.
    let beside = skeleton::beside(origin.options, opened.budget().left().memory);
    let beside = Origin { options: &beside, ..*origin };
    let mut content = |node| opened.run_silent(|container, task| container.bytes(node, task));
    let skeleton = skeleton::skeleton(&beside, &nodes, false, &packed, &mut content)?
        .ok_or_else(|| Error::new(&codes::NO_DOCUMENT))?;
    let level = packed.level.filter(|_| skeleton.emptied.contains(&true));
    opened.run(|container, task| {
        let file = model::virtools(container, &codes::NO_DOCUMENT)?;
        task.budget.memory(skeleton.bytes.len() as u64)?;
        let head = [(VERSION, 1.into()), ("format", PROFILE.name.into()), ("level", level.into())];
        head.iter().try_for_each(|(key, value)| each(DocumentPart::Field(key, value), task))?;
        let is_object = |owner: &&Owner| matches!(owner, Owner::Object(_));
        let managers = owners.iter().filter(|owner| !is_object(owner));
        for owner in owners.iter().filter(is_object).chain(managers) {
            let (mut fields, held) = row::of(file, *owner, &StoredReferences(&pages), task)?;
            let part = match owner {
                Owner::Manager(_) => DocumentPart::Manager(Cow::Owned(Value::Object(fields))),
                Owner::Object(index) => {
                    let mut row = Map::from_iter([("index".to_owned(), Value::from(*index))]);
                    row.append(&mut fields);
                    DocumentPart::Object(Cow::Owned(Value::Object(row)))
                }
            };
            each(part, task)?;
            task.budget.release(held);
        }
        each(DocumentPart::Skeleton(&skeleton.bytes), task)
    })
}

/// Writes the text of a document as its parts come.
struct DocumentWriter<'o> {
    out: &'o mut dyn Write,
    /// Number of fields at the top.
    fields: u64,
    /// The list that is open, and how many rows it has.
    open: Option<(&'static str, u64)>,
    /// The lists that are still to come.
    lists: &'static [&'static str],
}

impl<'o> DocumentWriter<'o> {
    /// A writer of documents with these lists, which are there even where they are empty.
    fn new(lists: &'static [&'static str], out: &'o mut dyn Write) -> DocumentWriter<'o> {
        DocumentWriter { out, fields: 0, open: None, lists }
    }

    fn part(&mut self, part: &DocumentPart<'_>) -> Result<()> {
        match part {
            DocumentPart::Field(key, value) => {
                self.key(key)?;
                text::write(value, 1, self.out)?;
            }
            DocumentPart::Object(row) => self.row(OBJECTS, row)?,
            DocumentPart::Manager(row) => self.row(MANAGERS, row)?,
            DocumentPart::Skeleton(bytes) => {
                self.list(MANAGERS)?;
                self.key(SKELETON)?;
                self.out.write_all(b"\"")?;
                for bytes in bytes.chunks(1 << 12) {
                    self.out.write_all(to_hex(bytes).as_bytes())?;
                }
                self.out.write_all(b"\"")?;
            }
        }
        Ok(())
    }

    fn row(&mut self, list: &'static str, row: &Value) -> Result<()> {
        self.list(list)?;
        if let Some((_, rows)) = &mut self.open {
            self.out.write_all(if *rows == 0 { b"" } else { b"," })?;
            *rows += 1;
        }
        text::line(2, self.out)?;
        Ok(text::write(row, 2, self.out)?)
    }

    /// Opens the lists up to this one.
    fn list(&mut self, list: &'static str) -> Result<()> {
        while self.open.is_none_or(|(open, _)| open != list)
            && let [next, rest @ ..] = self.lists
        {
            self.key(next)?;
            self.out.write_all(b"[")?;
            (self.open, self.lists) = (Some((*next, 0)), rest);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        if let Some((_, rows)) = self.open.take() {
            if rows > 0 {
                text::line(1, self.out)?;
            }
            self.out.write_all(b"]")?;
        }
        Ok(())
    }

    /// Begins a field at the top.
    fn key(&mut self, key: &str) -> Result<()> {
        self.close()?;
        self.out.write_all(if self.fields == 0 { b"{" } else { b"," })?;
        self.fields += 1;
        text::line(1, self.out)?;
        Ok(write!(self.out, "{}: ", Value::from(key))?)
    }

    fn end(mut self) -> Result<()> {
        self.close()?;
        text::line(0, self.out)?;
        Ok(self.out.write_all(b"}\n")?)
    }
}

/// All managers and objects of a file.
///
/// # Errors
/// When Data is damaged or cannot be read.
pub fn owners(file: &File, task: &mut spelunk_core::Task<'_>) -> Result<Vec<Owner>> {
    let records = file.records(&mut task.budget)?;
    if let Some(fault) = &records.fault {
        return Err(fault.error());
    }
    let managers = u32::try_from(records.managers.len()).unwrap_or(u32::MAX);
    let objects = u32::try_from(records.objects.len()).unwrap_or(u32::MAX);
    Ok((0..managers).map(Owner::Manager).chain((0..objects).map(Owner::Object)).collect())
}

/// A file that was made of a document and can be written.
#[derive(Debug)]
pub struct Imported {
    /// The container.
    pub opened: Opened,
    /// Options for writing it.
    pub options: WriteOptions,
}

/// Builds the file that a document describes.
///
/// # Errors
/// [`BAD_DOCUMENT`](codes::BAD_DOCUMENT) where it is none; what the file says of values that it cannot hold.
pub fn import(document: &Value, options: &Options) -> Result<Imported> {
    let bad = |what: &'static str| Error::new(&codes::BAD_DOCUMENT).expected(what);
    if document[VERSION] != 1 || document["format"] != PROFILE.name {
        return Err(bad("`spelunk_document` 1 of the format `virtools`"));
    }
    let level = document["level"].as_u64().and_then(|level| u8::try_from(level).ok());
    let skeleton = document["skeleton"].as_str().and_then(spelunk_core::value::hex);
    let skeleton = Bytes::from(skeleton.ok_or_else(|| bad("a `skeleton` in hexadecimal"))?);
    let rows = |key: &'static str| document[key].as_array().map(Vec::as_slice);
    let objects = rows("objects").ok_or_else(|| bad("`objects`"))?;
    let managers = rows("managers").ok_or_else(|| bad("`managers`"))?;
    // What is read takes no more than its text did.
    let options = skeleton::roomy(options, (size(document) as u64).saturating_mul(2));
    let pages = options.pages.clone().unwrap_or_else(CodePages::cp1252);
    assemble(skeleton, level, [managers, objects], &StoredReferences(&pages), &options)
}

/// The file of a skeleton and its rows: managers, and objects.
pub fn assemble(
    skeleton: Bytes,
    level: Option<u8>,
    [managers, objects]: [&[Value]; 2],
    references: &dyn References,
    options: &Options,
) -> Result<Imported> {
    let bad = |what: &'static str| Error::new(&codes::BAD_DOCUMENT).expected(what);
    let mut file =
        File::read_from(&skeleton, &mut silent(options, &mut spelunk_core::Collect::default()))?;
    let mut findings = spelunk_core::Collect::default();
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
    let convert = spelunk_core::Convert { level, ..spelunk_core::Convert::default() };
    let opened = Opened::of(Box::new(file), options);
    Ok(Imported { opened, options: WriteOptions { convert, ..WriteOptions::default() } })
}

/// Returns a task with all that the limits of `options` allow, whose findings go to `sink`.
pub fn silent<'s>(
    options: &Options,
    sink: &'s mut spelunk_core::Collect,
) -> spelunk_core::Task<'s> {
    spelunk_core::Task::new(options.budget(0), sink)
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
