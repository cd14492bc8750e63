//! Batches of changes to one file.
//!
//! However many changes a batch has, it is one account of memory, one look at the entries for all paths, and one rewrite; and
//! it is made as a whole or not at all. All paths mean the file as it was opened: what a change renames is still known to the
//! others by its old name, and what a change adds is an entry for the next batch. Changes of one entry are made in their
//! order.
//!
//! ```
//! use spelunk::{Opened, Options, edit::batch::Batch};
//! use std::sync::Arc;
//!
//! let level = spelunk::Bytes::from(spelunk_fixtures::samples::level().build().bytes);
//! let mut opened = Opened::open(Arc::new(level), &Options::default())?;
//! Batch::new()
//!     .set("CKMaterial/Wood", "material.diffuse", 0xffff_0000_u32)
//!     .rename("CKMaterial/Wood", "Oak")
//!     .remove(["CK3dObject/Cube"])
//!     .apply(&mut opened)?;
//! # Ok::<(), spelunk::Error>(())
//! ```

use crate::{
    Bytes, Changed, Edit, Error, Node, Opened, Result, Seg, Task, Val,
    edit::removal::{self, Referrers},
    entries::{lookup, near::near, near_fields::with_near_fields},
    open::codes,
};
use spelunk_core::{Change, Refused, text::CodePages};
use std::cell::Cell;

/// Changes to one file, to be made together.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    changes: Vec<Wish>,
}

/// A change, by paths.
#[derive(Clone, Debug)]
enum Wish {
    Set { entry: String, field: String, value: Val<'static>, with_children: bool },
    Replace { entry: String, bytes: Bytes, raw: bool },
    Rename { entry: String, name: String },
    Add { kind: String, name: String, content: EntryContent },
    Remove { entries: Vec<String>, lossy: bool },
}

/// Content of an entry that is added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryContent {
    /// The content that new entries of its kind have.
    New,
    /// Bytes that have to be valid content of an entry of its kind.
    Bytes(Bytes),
    /// Bytes that are taken as they are.
    Raw(Bytes),
    /// The bytes of the entry with this path.
    Like(String),
}

/// Outcome of a batch.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Places of entities that were set, with what stands below them.
    pub places: Vec<PlaceSet>,
    /// The fields of other entries that referred to what was removed.
    pub referrers: Referrers,
    /// The entries that were added, in the order of their changes.
    pub added: Vec<Node>,
}

/// An entity that is at another place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlaceSet {
    /// Path of the entity.
    pub entry: String,
    /// Entries below it that moved along.
    pub moved: u64,
    /// Entries below it that stay where they are.
    pub left_behind: u64,
}

impl Batch {
    /// No changes.
    pub fn new() -> Batch {
        Batch::default()
    }

    /// Number of changes.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Adds the changes of another batch behind those of this one.
    #[must_use]
    pub fn and(mut self, other: Batch) -> Batch {
        self.changes.extend(other.changes);
        self
    }

    fn with(mut self, wish: Wish) -> Batch {
        self.changes.push(wish);
        self
    }

    /// Sets the field at a path, as `spelunk show` prints it, of an entry.
    #[must_use]
    pub fn set(
        self,
        entry: impl Into<String>,
        field: impl Into<String>,
        value: impl Into<Val<'static>>,
    ) -> Batch {
        let (entry, field, value) = (entry.into(), field.into(), value.into());
        self.with(Wish::Set { entry, field, value, with_children: false })
    }

    /// Sets the position or an axis of an entity, and moves along what stands below it.
    #[must_use]
    pub fn set_with_children(
        self,
        entry: impl Into<String>,
        field: impl Into<String>,
        value: impl Into<Val<'static>>,
    ) -> Batch {
        let (entry, field, value) = (entry.into(), field.into(), value.into());
        self.with(Wish::Set { entry, field, value, with_children: true })
    }

    /// Puts other content in the place of an entry's plain bytes; `raw` takes it whatever it is.
    #[must_use]
    pub fn replace(self, entry: impl Into<String>, bytes: Bytes, raw: bool) -> Batch {
        self.with(Wish::Replace { entry: entry.into(), bytes, raw })
    }

    /// Gives an entry another name.
    #[must_use]
    pub fn rename(self, entry: impl Into<String>, name: impl Into<String>) -> Batch {
        self.with(Wish::Rename { entry: entry.into(), name: name.into() })
    }

    /// Adds an entry of a kind: a class, `included`, `asset`, `bulk`, `file`, or a table.
    #[must_use]
    pub fn add(
        self,
        kind: impl Into<String>,
        name: impl Into<String>,
        content: EntryContent,
    ) -> Batch {
        self.with(Wish::Add { kind: kind.into(), name: name.into(), content })
    }

    /// Removes entries, and the references to them.
    #[must_use]
    pub fn remove(self, entries: impl IntoIterator<Item = impl Into<String>>) -> Batch {
        let entries = entries.into_iter().map(Into::into).collect();
        self.with(Wish::Remove { entries, lossy: false })
    }

    /// Removes entries, and the references to them as far as they can be followed. The others stay, and are reported as findings.
    #[must_use]
    pub fn remove_lossy(self, entries: impl IntoIterator<Item = impl Into<String>>) -> Batch {
        let entries = entries.into_iter().map(Into::into).collect();
        self.with(Wish::Remove { entries, lossy: true })
    }

    /// Makes all changes to an opened file.
    ///
    /// # Errors
    /// Those of [`lookup::find_each`]; [`NO_EDITING`](codes::NO_EDITING); what is wrong with a change, within the path of its
    /// entry; limits. Nothing is changed then.
    pub fn apply(&self, opened: &mut Opened) -> Result<Outcome> {
        // What is looked up for the changes goes when they are made.
        opened.transient(|opened| self.make(opened))
    }

    fn make(&self, opened: &mut Opened) -> Result<Outcome> {
        let paths: Vec<&str> = self.changes.iter().flat_map(Wish::paths).collect();
        let nodes = lookup::find_each(opened, &paths)?;
        let referrers = self.referrers(&nodes, opened)?;
        let like = self.like(&nodes, opened)?;
        let pages = opened.code_pages();
        let format = opened.container().format();
        let names: Result<Vec<Vec<u8>>> =
            self.changes.iter().map(|wish| wish.stored_name(&pages)).collect();
        let plan = BatchPlan {
            batch: self,
            nodes: &nodes,
            names: &names?,
            like: &like,
            pages: &pages,
            refused: Cell::new(None),
        };
        let done = opened.edit_whole(|edit, task| {
            // The plan goes when it is made.
            let cost = (self.len() as u64).saturating_mul(size_of::<Change<'_>>() as u64);
            task.budget.memory(cost)?;
            let mark = task.budget.mark();
            let done = plan.make(edit, task);
            if done.is_err() {
                // Nothing was changed.
                task.budget.release(task.budget.loose_since(mark));
            }
            task.budget.release(cost);
            done
        });
        let refused = plan.refused.get();
        let done = done.unwrap_or_else(|| Err(Error::new(&codes::NO_EDITING).found(format)));
        let (changed, left) = done.map_err(|error| self.advised(error, refused, &nodes, opened))?;
        let mut outcome = Outcome { referrers, ..Outcome::default() };
        for ((wish, changed), left_behind) in self.changes.iter().zip(&changed).zip(left) {
            if changed.moved > 0 || left_behind > 0 {
                let (entry, moved) = (wish.entry().to_owned(), changed.moved);
                outcome.places.push(PlaceSet { entry, moved, left_behind });
            }
            outcome.added.extend(changed.added);
        }
        Ok(outcome)
    }

    /// The error of a change with what is near the field or the kind that it names, where there is no such thing.
    fn advised(
        &self,
        error: Error,
        refused: Option<usize>,
        nodes: &[Node],
        opened: &mut Opened,
    ) -> Error {
        let Some(nth) = refused else { return error };
        let no_field = opened.container().profile().no_field;
        let before = self.changes.iter().take(nth).map(|wish| wish.paths().count());
        let node = nodes.get(before.fold(0, usize::saturating_add)).copied();
        match (self.changes.get(nth), node) {
            (Some(Wish::Set { field, .. }), Some(node)) if Some(error.code()) == no_field => opened
                .run_silent(|container, task| {
                    with_near_fields(error, container, node, field, task)
                }),
            (Some(Wish::Add { kind, .. }), _) if error.code() == &codes::core::NOT_FOUND => {
                let pages = opened.code_pages();
                let near = opened.run_silent(|container, task| near(container, kind, &pages, task));
                error.found(near.found(kind))
            }
            _ => error,
        }
    }

    /// Finds the fields that refer to entries that are to go, before they do.
    fn referrers(&self, nodes: &[Node], opened: &mut Opened) -> Result<Referrers> {
        let mut gone = Vec::new();
        let mut nodes = nodes.iter();
        for wish in &self.changes {
            let own = nodes.by_ref().take(wish.paths().count());
            match wish {
                Wish::Remove { .. } => gone.extend(own),
                _ => own.for_each(drop),
            }
        }
        if gone.is_empty() {
            return Ok(Referrers::default());
        }
        opened.run_silent(|container, task| removal::referrers(container, &gone, task))
    }

    /// The bytes of entries that others are to be like, by the numbers of the changes.
    fn like(&self, nodes: &[Node], opened: &mut Opened) -> Result<Vec<Option<Bytes>>> {
        let mut nodes = nodes.iter();
        let mut of = |wish: &Wish| {
            let own = nodes.by_ref().take(wish.paths().count()).last();
            let node = own.filter(|_| matches!(wish, Wish::Add { .. }));
            node.map(|node| opened.run(|container, task| container.bytes(*node, task))).transpose()
        };
        self.changes.iter().map(&mut of).collect()
    }
}

impl Wish {
    /// Paths of the entries that it is about.
    fn paths(&self) -> impl Iterator<Item = &str> {
        let paths = match self {
            Wish::Set { entry, .. }
            | Wish::Replace { entry, .. }
            | Wish::Rename { entry, .. }
            | Wish::Add { content: EntryContent::Like(entry), .. } => std::slice::from_ref(entry),
            Wish::Remove { entries, .. } => entries,
            Wish::Add { .. } => &[],
        };
        paths.iter().map(String::as_str)
    }

    /// The entry that an error is about.
    fn entry(&self) -> &str {
        match self {
            Wish::Set { entry, .. } | Wish::Replace { entry, .. } | Wish::Rename { entry, .. } => {
                entry
            }
            Wish::Add { .. } | Wish::Remove { .. } => "",
        }
    }

    /// A new name as the file stores it; empty for changes without one.
    fn stored_name(&self, pages: &CodePages) -> Result<Vec<u8>> {
        let (Wish::Rename { name, .. } | Wish::Add { name, .. }) = self else {
            return Ok(Vec::new());
        };
        pages.encode(name).ok_or_else(|| {
            let lacks = |c: &char| pages.encode(c.encode_utf8(&mut [0; 4])).is_none();
            let found = match name.chars().find(lacks) {
                Some(lacking) => format!("`{lacking}` in `{name}`"),
                None => format!("`{name}`"),
            };
            Error::new(&codes::core::NOT_ENCODED).found(found)
        })
    }
}

/// A batch with everything that its changes need.
struct BatchPlan<'b> {
    batch: &'b Batch,
    nodes: &'b [Node],
    names: &'b [Vec<u8>],
    like: &'b [Option<Bytes>],
    pages: &'b CodePages,
    /// The change that could not be made.
    refused: Cell<Option<usize>>,
}

impl BatchPlan<'_> {
    /// Makes the changes; gives what came of each, and what stays behind.
    fn make(&self, edit: &mut dyn Edit, task: &mut Task<'_>) -> Result<(Vec<Changed>, Vec<u64>)> {
        let mark = task.budget.mark();
        let keys: Vec<[Val<'_>; 1]> =
            self.names.iter().map(|name| [Val::Bytes(name.as_slice().into())]).collect();
        let mut changes = Vec::with_capacity(self.batch.len());
        let mut left = vec![0; self.batch.len()];
        let (mut placed, mut fields) = (Vec::new(), Vec::new());
        let mut nodes = self.nodes;
        for (nth, wish) in self.batch.changes.iter().enumerate() {
            let (own, rest) = nodes.split_at_checked(wish.paths().count()).unwrap_or_default();
            nodes = rest;
            let change = self.change(nth, own, &keys, edit, task);
            let change = change.map_err(|error| self.located(nth, error))?;
            if let Change::Set { node, path, with_children: false, .. } = &change {
                placed.push(nth);
                fields.push((*node, *path));
            }
            changes.push(change);
        }
        for (nth, count) in placed.into_iter().zip(edit.left_behind(&fields, task)?) {
            if let Some(left) = left.get_mut(nth) {
                *left = count;
            }
        }
        let looked_up = task.budget.loose_since(mark);
        let changed = edit.apply(&changes, self.pages, task);
        task.budget.release(looked_up);
        let changed = changed.map_err(|Refused { change, error }| match change {
            Some(nth) => self.located(nth, error),
            None => error,
        })?;
        Ok((changed, left))
    }

    fn change<'c>(
        &'c self,
        nth: usize,
        own: &'c [Node],
        keys: &'c [[Val<'c>; 1]],
        edit: &mut dyn Edit,
        task: &mut Task<'_>,
    ) -> Result<Change<'c>> {
        let missing = || Error::new(&codes::core::NOT_FOUND);
        let node = || own.first().copied().ok_or_else(missing);
        Ok(match self.batch.changes.get(nth).ok_or_else(missing)? {
            Wish::Set { field, value, with_children, .. } => Change::Set {
                node: node()?,
                path: field,
                value: value.clone(),
                with_children: *with_children,
            },
            Wish::Replace { bytes, raw, .. } => {
                let (node, bytes) = (node()?, bytes.clone());
                if !raw {
                    edit.check_bytes(node, &bytes, task)?;
                }
                Change::SetBytes { node, bytes }
            }
            Wish::Rename { .. } => {
                let name = self.names.get(nth).ok_or_else(missing)?;
                Change::Rename { node: node()?, name }
            }
            Wish::Add { kind, content, .. } => {
                let table = edit.table(kind).ok_or_else(|| {
                    missing()
                        .expected("the name of a class, or `included`")
                        .found(format!("`{kind}`"))
                })?;
                let bytes = match content {
                    EntryContent::New => None,
                    EntryContent::Bytes(bytes) | EntryContent::Raw(bytes) => Some(bytes.clone()),
                    EntryContent::Like(_) => self.like.get(nth).cloned().flatten(),
                };
                if let (Some(bytes), EntryContent::Bytes(_) | EntryContent::Like(_)) =
                    (&bytes, content)
                {
                    edit.check_bytes(table, bytes, task)?;
                }
                Change::Insert { table, key: keys.get(nth).ok_or_else(missing)?, bytes }
            }
            Wish::Remove { lossy, .. } => Change::Remove { nodes: own, lossy: *lossy },
        })
    }

    /// An error within the entry that the change is of.
    fn located(&self, nth: usize, error: Error) -> Error {
        self.refused.set(Some(nth));
        match self.batch.changes.get(nth).map(Wish::entry) {
            Some(entry) if !entry.is_empty() => error.within(Seg::Key(entry.to_owned().into())),
            _ => error,
        }
    }
}
