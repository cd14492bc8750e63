//! Changes of entries: what every format that can be edited implements.
//!
//! Changes come in batches. A batch is one account of memory and one rewrite, however many changes it has, and it is made
//! as a whole or not at all. Its entries are those of the container as it is before the batch: what a change removes or
//! renames is known to the others of the batch by the id that it has there, and what a change adds has no id before the
//! batch is made.

use crate::{
    codes,
    entry::Node,
    error::{Error, Result},
    field::Val,
    finding::Task,
    text::CodePages,
};
use bytes::Bytes;
use std::any::Any;

/// A change of an entry. Those of one entry are made in the order of the batch.
#[derive(Clone, PartialEq, Debug)]
pub enum Change<'c> {
    /// Sets the field at a path (see [`dotted`](crate::error::dotted)) of an entry. Text is encoded in the first of the
    /// code pages of the batch that has its characters.
    Set {
        /// The entry.
        node: Node,
        /// Path of the field.
        path: &'c str,
        /// New value of the field.
        value: Val<'c>,
        /// Moves along what stands below the entry in space. Other fields than those of places are only set.
        with_children: bool,
    },
    /// Puts other content in the place of an entry's plain bytes.
    SetBytes {
        /// The entry.
        node: Node,
        /// The content.
        bytes: Bytes,
    },
    /// Gives an entry another name, as stored bytes.
    Rename {
        /// The entry.
        node: Node,
        /// The name.
        name: &'c [u8],
    },
    /// Adds an entry to a table.
    Insert {
        /// The table ([`Edit::table`]).
        table: Node,
        /// The key of the entry, which is what a new entry of the table is.
        key: &'c [Val<'c>],
        /// Plain bytes; without them the entry is as new entries of the table are.
        bytes: Option<Bytes>,
    },
    /// Removes entries. What refers to them loses these references; where that cannot be found out, it is an error, or a
    /// finding where it is to be `lossy`.
    Remove {
        /// The entries.
        nodes: &'c [Node],
        /// Whether it goes on where references cannot be followed.
        lossy: bool,
    },
}

/// Result of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Changed {
    /// The entry that was added, as it is known after the batch.
    pub added: Option<Node>,
    /// Entries below that were moved along.
    pub moved: u64,
}

/// Why a batch was refused. Nothing is changed then.
#[derive(Debug)]
pub struct Refused {
    /// Position of the change that cannot be made, where it is one alone.
    pub change: Option<usize>,
    /// Fault of the change.
    pub error: Error,
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused { change: None, error }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Error {
        refused.error
    }
}

/// Names the change that a result is of.
pub trait OfChange<T> {
    /// Adds the position of the change to an error.
    ///
    /// # Errors
    /// The error that there is.
    fn of_change(self, nth: usize) -> std::result::Result<T, Refused>;
}

impl<T> OfChange<T> for Result<T> {
    fn of_change(self, nth: usize) -> std::result::Result<T, Refused> {
        self.map_err(|error| Refused { change: Some(nth), error })
    }
}

/// Refuses a change of what an earlier one of the batch takes away or makes anew.
pub fn gone() -> Error {
    Error::new(&codes::CHANGED_BEFORE)
}

/// Changes a container. Nothing is written before [`Container::write`](crate::Container::write).
pub trait Edit: Any {
    /// Makes all changes of a batch, and returns what came of each. What the state before the batch held is given back to
    /// the budget, so that it is charged with one state, however many batches there were.
    ///
    /// # Errors
    /// What is wrong with one of them; nothing is changed then.
    fn apply(
        &mut self,
        changes: &[Change<'_>],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> std::result::Result<Vec<Changed>, Refused>;

    /// The table that entries of this kind are added to; `None` where the format has no such kind.
    fn table(&self, kind: &str) -> Option<Node> {
        let _ = kind;
        None
    }

    /// Checks that bytes are what an entry of this kind holds, before a change takes them as they are; or an entry to come,
    /// where `node` is a table.
    ///
    /// # Errors
    /// What they are instead, where the format knows; limits.
    fn check_bytes(&mut self, node: Node, bytes: &Bytes, task: &mut Task<'_>) -> Result<()> {
        let _ = (node, bytes, task);
        Ok(())
    }

    /// Counts for each of these fields of entries how many entries below stay where they are when it is set without them,
    /// although people would expect them to move along.
    ///
    /// # Errors
    /// Limits; reading errors.
    fn left_behind(&mut self, fields: &[(Node, &str)], task: &mut Task<'_>) -> Result<Vec<u64>> {
        let _ = task;
        Ok(vec![0; fields.len()])
    }

    /// Sets the field at `path` of an entry.
    ///
    /// # Errors
    /// When there is no such field or the value does not fit; nothing is changed then.
    fn set(
        &mut self,
        node: Node,
        path: &str,
        value: Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let change = Change::Set { node, path, value, with_children: false };
        Ok(self.apply(&[change], pages, task).map(drop)?)
    }

    /// Puts other content in the place of an entry's plain bytes.
    ///
    /// # Errors
    /// When the entry has none of its own or they do not fit; nothing is changed then.
    fn set_bytes(&mut self, node: Node, bytes: Bytes, task: &mut Task<'_>) -> Result<()> {
        let change = Change::SetBytes { node, bytes };
        Ok(self.apply(&[change], &CodePages::utf8(), task).map(drop)?)
    }

    /// Gives an entry another name, as stored bytes.
    ///
    /// # Errors
    /// When it has none, or the format cannot hold this one; nothing is changed then.
    fn rename(&mut self, node: Node, name: &[u8], task: &mut Task<'_>) -> Result<()> {
        let change = Change::Rename { node, name };
        Ok(self.apply(&[change], &CodePages::utf8(), task).map(drop)?)
    }

    /// Adds an entry with this key to a table.
    ///
    /// # Errors
    /// When the table has no room or no such key; nothing is changed then.
    fn insert(&mut self, table: Node, key: &[Val<'_>], task: &mut Task<'_>) -> Result<Node> {
        let change = Change::Insert { table, key, bytes: None };
        added(&self.apply(&[change], &CodePages::utf8(), task)?)
    }

    /// Adds an entry with this key and these plain bytes to a table.
    ///
    /// # Errors
    /// Those of [`Edit::insert`] and [`Edit::set_bytes`]; nothing is changed then.
    fn insert_as(
        &mut self,
        table: Node,
        key: &[Val<'_>],
        bytes: Bytes,
        task: &mut Task<'_>,
    ) -> Result<Node> {
        let change = Change::Insert { table, key, bytes: Some(bytes) };
        added(&self.apply(&[change], &CodePages::utf8(), task)?)
    }

    /// Removes entries.
    ///
    /// # Errors
    /// When one must stay; nothing is changed then.
    fn remove(&mut self, nodes: &[Node], lossy: bool, task: &mut Task<'_>) -> Result<()> {
        let change = Change::Remove { nodes, lossy };
        Ok(self.apply(&[change], &CodePages::utf8(), task).map(drop)?)
    }
}

impl dyn Edit {
    /// The model of the format, for what only one format can change; `None` where the container is another one.
    pub fn model_mut<M: Edit>(&mut self) -> Option<&mut M> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// The entry that a batch of one change added.
fn added(changed: &[Changed]) -> Result<Node> {
    let added = changed.first().and_then(|changed| changed.added);
    added.ok_or_else(|| Error::new(&codes::NOT_FOUND))
}

fn _object_safe(_: &dyn Edit) {}
