//! What a container holds: its entries and objects, what they refer to, and the hashes of their bytes.

use crate::{
    part,
    rows::{CatalogueCell, Rows},
    schema,
};
use serde_json::Value;
use spelunk::{
    Container, Entry, Field, Node, Of, Result, Span, Task, Val, Walk,
    core::text::{CodePages, until_nul},
    core::walk::{Group, Halt, Shape, Step, Walked, finish},
    open::{hashes::ContentHashes, json},
};
use std::{collections::HashMap, ops::Range};

/// Memory for writing the rows of a file and its findings: a group of rows and the same packed, or this part of a memory that is
/// small.
const WRITER: u64 = 2 * part::GROUP_BYTES;
const WRITER_PART: u64 = 4;

/// A table that gets rows here.
#[derive(Clone, Copy)]
enum Listed {
    Entries,
    Objects,
    References,
    Hashes,
}

/// The row of an entry or an object.
#[derive(Clone, Copy)]
enum RowPlace {
    Entry(usize),
    Object(usize),
}

/// Memory of a place in the table of places, with the room between them.
const PLACE: u64 = 64;

/// Lists the entries and objects of a container, their references and the hashes of their bytes.
pub(crate) struct ContainerLister<'l> {
    container: &'l dyn Container,
    file: &'l str,
    pages: &'l CodePages,
    entries: &'l mut Rows,
    objects: &'l mut Rows,
    references: &'l mut Rows,
    hashes: &'l mut Rows,
    /// Where the row of each entry and object is that refers to others, or is referred to; nothing in formats without references.
    places: Option<HashMap<Node, RowPlace>>,
    /// The details of an entry that have columns.
    details: KnownDetails,
    /// The details of an entry as JSON.
    text: Vec<u8>,
    /// Memory of the rows of each table that the budget agreed to.
    held: [u64; 4],
}

/// The details that have columns of their own.
const KNOWN: [&str; 8] =
    ["class_id", "asset_id", "kind", "id", "variant", "payload_type", "hash", "offset"];

/// Values of an entry that have columns of their own, as they are shown.
#[derive(Default)]
struct KnownDetails {
    texts: String,
    /// The name of each, its place in the texts, and what it is where it is a number from 0 on.
    found: Vec<(&'static str, Range<usize>, Option<u64>)>,
}

impl KnownDetails {
    fn clear(&mut self) {
        self.texts.clear();
        self.found.clear();
    }

    fn add(&mut self, name: &'static str, value: &Val<'_>, pages: &CodePages) {
        let start = self.texts.len();
        let mut number = None;
        match value {
            Val::None => {}
            Val::Text(bytes) => self.texts.push_str(&pages.show(until_nul(bytes))),
            Val::Str(text) => self.texts.push_str(text),
            _ => {
                let value = value.to_json(pages);
                number = value.as_u64();
                self.texts.push_str(&shown(&value));
            }
        }
        self.found.retain(|(known, ..)| *known != name);
        if !matches!(value, Val::None) {
            self.found.push((name, start..self.texts.len(), number));
        }
    }

    fn get(&self, name: &str) -> Option<&(&'static str, Range<usize>, Option<u64>)> {
        self.found.iter().find(|(known, ..)| *known == name)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(self.get(name)?.1.clone())
    }
}

/// Hands a walk on, and takes note of what has a column.
struct DetailRecorder<'w> {
    walk: &'w mut dyn Walk,
    pages: &'w CodePages,
    depth: usize,
    found: &'w mut KnownDetails,
}

impl Walk for DetailRecorder<'_> {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        let step = self.walk.enter(group)?;
        if let Step::Into = step {
            self.depth = self.depth.saturating_add(1);
        }
        Ok(step)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, value: Val<'_>) -> Walked {
        if self.depth == 0 && KNOWN.contains(&field.name) {
            self.found.add(field.name, &value, self.pages);
        }
        self.walk.field(field, at, value)
    }

    fn leave(&mut self, shape: Shape) -> Walked {
        self.depth = self.depth.saturating_sub(1);
        self.walk.leave(shape)
    }
}

/// Identity of an object: the cells that distinguish it from others.
struct ObjectIdentity<'o> {
    kind: CatalogueCell<'o>,
    id: CatalogueCell<'o>,
    name: CatalogueCell<'o>,
    variant: CatalogueCell<'o>,
    payload_type: CatalogueCell<'o>,
}

/// An entry whose hash or contents are read when the listing is over.
struct DeferredEntry {
    node: Node,
    /// Whether the details of the listing contain the hash of its bytes.
    is_hashed: bool,
    /// Whether it is no object itself, and may hold some.
    may_hold: bool,
    /// The number of the category and the like.
    kind: Option<Box<str>>,
}

impl<'l> ContainerLister<'l> {
    /// A lister whose rows go to these tables: entries, objects, references and hashes.
    pub(crate) fn new(
        container: &'l dyn Container,
        file: &'l str,
        pages: &'l CodePages,
        [entries, objects, references, hashes]: [&'l mut Rows; 4],
    ) -> ContainerLister<'l> {
        ContainerLister {
            container,
            file,
            pages,
            entries,
            objects,
            references,
            hashes,
            places: container.has_refs().then(HashMap::new),
            details: KnownDetails::default(),
            text: Vec::new(),
            held: [0; 4],
        }
    }

    /// Lists everything.
    pub(crate) fn all(&mut self, task: &mut Task<'_>) -> Result<()> {
        // Rows wait for the writer, which packs a group of them at a time, and findings are rows too.
        task.budget.memory((task.budget.left().memory / WRITER_PART).min(WRITER))?;
        let mut listed = Vec::new();
        finish(self.container.children(Of::Listing, self.pages, task, &mut |entry, task| {
            listed.push(self.entry(entry, task)?);
            Ok(())
        }))?;
        let [hash_at, path_at] =
            ["hash", "path"].map(|name| schema::ENTRIES.place(name).unwrap_or_default());
        let mut path = Vec::new();
        for (number, entry) in listed.into_iter().enumerate() {
            let DeferredEntry { node, is_hashed, may_hold, kind } = entry;
            path.clear();
            path.extend_from_slice(self.entries.text(number, path_at).unwrap_or_default());
            if let Some((size, hashes)) = ContentHashes::of_entry(self.container, node, task)? {
                if !is_hashed {
                    self.entries.set(number, hash_at, &*hashes.xxh3);
                    self.charge(Listed::Entries, task)?;
                }
                let entry = (number as u64, &*path);
                push_hashes(self.hashes, self.file, Some(entry), size, &hashes);
                self.charge(Listed::Hashes, task)?;
            }
            if may_hold {
                self.below(node, number as u64, kind.as_deref(), &path, task)?;
            }
        }
        self.references(task)
    }

    /// Lists what entries and objects refer to.
    fn references(&mut self, task: &mut Task<'_>) -> Result<()> {
        let Some(places) = self.places.take() else { return Ok(()) };
        let container = self.container;
        let [entry_path, object_path] =
            [schema::ENTRIES, schema::OBJECTS].map(|table| table.place("path").unwrap_or_default());
        container.all_refs(task, &mut |node, reference, task| {
            let ContainerLister { entries, objects, references, .. } = self;
            let path = |node: &Node| match places.get(node)? {
                RowPlace::Entry(row) => entries.text(*row, entry_path),
                RowPlace::Object(row) => objects.text(*row, object_path),
            };
            let name = reference.name.map(|name| self.pages.show(until_nul(name)));
            references.push([
                self.file.into(),
                (references.len as u64).into(),
                path(&node).into(),
                reference.field.name.into(),
                (&*reference.key.to_string()).into(),
                reference.node.as_ref().and_then(path).into(),
                name.as_deref().into(),
                reference.kind.into(),
                (!reference.is_there).into(),
            ]);
            self.charge(Listed::References, task)
        })
    }

    /// Takes note of where the row of an entry or an object is.
    fn place(&mut self, node: Node, place: RowPlace, task: &mut Task<'_>) -> Result<()> {
        let Some(places) = &mut self.places else { return Ok(()) };
        task.budget.memory(PLACE)?;
        // What is both an entry and an object has the same path as both.
        places.entry(node).or_insert(place);
        Ok(())
    }

    /// Takes from the budget what the rows of a table have grown by.
    fn charge(&mut self, table: Listed, task: &mut Task<'_>) -> Result<()> {
        let [entries, objects, references, hashes] = &mut self.held;
        let (known, rows) = match table {
            Listed::Entries => (entries, &self.entries),
            Listed::Objects => (objects, &self.objects),
            Listed::References => (references, &self.references),
            Listed::Hashes => (hashes, &self.hashes),
        };
        let held = rows.held();
        let more = held.saturating_sub(*known);
        *known = held.max(*known);
        if more == 0 { Ok(()) } else { task.budget.memory(more) }
    }

    fn entry(&mut self, entry: &Entry<'_>, task: &mut Task<'_>) -> Result<DeferredEntry> {
        let mut details = std::mem::take(&mut self.details);
        details.clear();
        let appended = task.keeping(|task, most| {
            let before = self.text.capacity();
            self.text.clear();
            self.text.push(b'{');
            let walked = |walk: &mut dyn Walk| {
                let pages = self.pages;
                entry
                    .details
                    .walk(task, &mut DetailRecorder { walk, pages, depth: 0, found: &mut details })
            };
            let appended = json::append(self.pages, &mut self.text, most, &[], walked);
            self.text.push(b'}');
            (appended, self.text.capacity().saturating_sub(before) as u64)
        });
        appended?;
        let number = self.entries.len as u64;
        self.place(entry.node, RowPlace::Entry(self.entries.len), task)?;
        let name = entry.name.map(|name| self.pages.show(until_nul(name)));
        let (class, asset) = (details.text("class_id"), details.text("asset_id"));
        let is_object = class.is_some() || asset.is_some();
        if is_object {
            let identity = ObjectIdentity {
                kind: class.or_else(|| details.text("kind")).into(),
                id: asset.or_else(|| details.text("id")).unwrap_or_default().into(),
                name: name.as_deref().into(),
                variant: details.text("variant").into(),
                payload_type: details.text("payload_type").into(),
            };
            self.object(entry, number, identity, task)?;
        }
        let hash = details.text("hash");
        self.entries.push([
            self.file.into(),
            number.into(),
            entry.path.into(),
            entry.kind.into(),
            name.as_deref().into(),
            entry.label.into(),
            entry.size.into(),
            entry.stored_size.into(),
            details.get("offset").and_then(|(_, _, offset)| *offset).into(),
            hash.into(),
            self.text.as_slice().into(),
        ]);
        self.charge(Listed::Entries, task)?;
        let kind = details.text("id").filter(|_| !is_object);
        let listed = size_of::<DeferredEntry>().saturating_mul(2);
        let listed = listed.saturating_add(kind.map_or(0, str::len));
        task.budget.memory(listed as u64)?;
        let entry = DeferredEntry {
            node: entry.node,
            is_hashed: hash.is_some(),
            may_hold: !is_object,
            kind: kind.map(Into::into),
        };
        self.details = details;
        Ok(entry)
    }

    /// Adds an object, which the entry of this number stores.
    fn object(
        &mut self,
        entry: &Entry<'_>,
        number: u64,
        ObjectIdentity { kind, id, name, variant, payload_type }: ObjectIdentity<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.objects.push([
            self.file.into(),
            (self.objects.len as u64).into(),
            number.into(),
            entry.path.into(),
            entry.kind.into(),
            kind,
            id,
            name,
            variant,
            payload_type,
            entry.size.into(),
        ]);
        self.charge(Listed::Objects, task)
    }

    /// Lists the objects that an entry holds one by one.
    fn below(
        &mut self,
        node: Node,
        number: u64,
        kind: Option<&str>,
        path: &[u8],
        task: &mut Task<'_>,
    ) -> Result<()> {
        finish(self.container.children(Of::Node(node), self.pages, task, &mut |entry, task| {
            let name = entry.name.map(|name| self.pages.show(until_nul(name)));
            self.place(entry.node, RowPlace::Object(self.objects.len), task)?;
            let id = str::from_utf8(path).ok().and_then(|path| entry.path.strip_prefix(path));
            let identity = ObjectIdentity {
                kind: kind.into(),
                id: id.unwrap_or(entry.path).trim_start_matches('/').into(),
                name: entry.label.or(name.as_deref()).into(),
                variant: CatalogueCell::Null,
                payload_type: CatalogueCell::Null,
            };
            Ok(self.object(entry, number, identity, task)?)
        }))
    }
}

/// Adds the row of a file, or of an entry by its number and path.
pub(crate) fn push_hashes(
    rows: &mut Rows,
    file: &str,
    entry: Option<(u64, &[u8])>,
    size: u64,
    hashes: &ContentHashes,
) {
    rows.push([
        file.into(),
        entry.map(|(number, _)| number).into(),
        entry.map(|(_, path)| path).into(),
        size.into(),
        (&*hashes.xxh3).into(),
        (&*hashes.sha256).into(),
    ]);
}

/// A value without the quotes of a text.
pub(crate) fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
