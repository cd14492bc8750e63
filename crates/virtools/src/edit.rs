//! The editing side of the container.

use crate::{
    class::{self, fresh},
    codec::tree::Tree,
    codes::VALUE,
    entries::Place,
    file::{File, below::is_place, data::Owner, fits::Kind},
    names::Resolver,
};
use spelunk_core::{Bytes, Edit, Error, Node, Result, Task, Val, codes, text::CodePages};
use std::{any::Any, collections::BTreeSet};

impl Edit for File {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    /// Fields of what objects and managers saved, and the name of an object.
    fn set(
        &mut self,
        node: Node,
        path: &str,
        value: Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let owner = match place(node)? {
            Place::Object(index) => Owner::Object(index),
            Place::Manager(index) => Owner::Manager(index),
            _ => return Err(impossible()),
        };
        let budget = &mut task.budget;
        if let (Owner::Object(index), "entry.name") = (owner, path) {
            let name = match &value {
                Val::Text(name) | Val::Bytes(name) => Some(name.to_vec()),
                Val::Str(name) => pages.encode(name),
                _ => None,
            };
            let refuse = || Error::new(&VALUE).field("name").field("entry");
            let name = name.ok_or_else(|| {
                refuse().expected("a name in the code page").found(value.into_owned())
            })?;
            return File::rename(self, index, &name, budget);
        }
        // What is read to be changed is not kept.
        let before = budget.left().memory;
        let mut saved = match self.value(owner, &mut Vec::new(), budget)? {
            Some(saved) => saved,
            // One that saved nothing so far, and that no engine would make.
            None => self.fresh_value(owner, budget)?,
        };
        let names = Resolver::of(self, pages, budget)?;
        saved.fill(Tree::at(path, value), &names)?;
        budget.release(before.saturating_sub(budget.left().memory));
        self.set_value(owner, &mut saved, budget)
    }

    /// Entities take those below them along.
    fn set_with_children(
        &mut self,
        node: Node,
        path: &str,
        value: Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<u64> {
        let before = match place(node)? {
            Place::Object(index) if is_place(path) => {
                self.world(index, &mut task.budget)?.map(|before| (index, before))
            }
            _ => None,
        };
        self.set(node, path, value, pages, task)?;
        match before {
            Some((index, before)) => self.move_below(index, &before, &mut task.budget),
            None => Ok(0),
        }
    }

    fn left_behind(&mut self, node: Node, path: &str, task: &mut Task<'_>) -> Result<u64> {
        match place(node)? {
            Place::Object(index) if is_place(path) => {
                Ok(self.entities_below(index, &mut task.budget)?.len() as u64)
            }
            _ => Ok(0),
        }
    }

    /// A class by its name or as `CKCID_` and its id, and `included`.
    fn table(&self, kind: &str) -> Option<Node> {
        if kind == "included" {
            return Some(Place::IncludedFiles.node());
        }
        class::id(kind).map(|id| Place::Class(id).node())
    }

    /// Chunks of objects and managers, and included files.
    fn set_bytes(&mut self, node: Node, bytes: Bytes, task: &mut Task<'_>) -> Result<()> {
        match place(node)? {
            Place::Object(index) => self.set_chunk(Owner::Object(index), bytes, &mut task.budget),
            Place::Manager(index) => self.set_chunk(Owner::Manager(index), bytes, &mut task.budget),
            Place::Included(index) => self.set_included(index, bytes),
            _ => Err(impossible()),
        }
    }

    /// Included files hold any bytes, objects and managers chunks.
    fn check_bytes(&mut self, node: Node, bytes: &Bytes, task: &mut Task<'_>) -> Result<()> {
        match place(node)? {
            Place::Object(index) => self.check_chunk_bytes(Owner::Object(index), bytes, task),
            Place::Manager(index) => self.check_chunk_bytes(Owner::Manager(index), bytes, task),
            Place::Class(id) => self.check_kind(Kind::Object(id), bytes, task),
            _ => Ok(()),
        }
    }

    /// Objects and included files.
    fn rename(&mut self, node: Node, name: &[u8], task: &mut Task<'_>) -> Result<()> {
        match place(node)? {
            Place::Object(index) => File::rename(self, index, name, &mut task.budget),
            Place::Included(index) => self.rename_included(index, name),
            _ => Err(impossible()),
        }
    }

    /// An empty included file, or an object of the class that the table is, saved as a new one is; the key is the name.
    fn insert(&mut self, table: Node, key: &[Val<'_>], task: &mut Task<'_>) -> Result<Node> {
        let name = name(key)?;
        match place(table)? {
            Place::IncludedFiles => {
                Ok(Place::Included(self.add_included(name, Bytes::new())?).node())
            }
            Place::Class(id) => {
                let index = self.add_object(id, name, &mut task.budget)?;
                Ok(Place::Object(index).node())
            }
            _ => Err(impossible()),
        }
    }

    /// An included file with this content, or an object with this chunk.
    fn insert_as(
        &mut self,
        table: Node,
        key: &[Val<'_>],
        bytes: Bytes,
        task: &mut Task<'_>,
    ) -> Result<Node> {
        let name = name(key)?;
        match place(table)? {
            Place::IncludedFiles => Ok(Place::Included(self.add_included(name, bytes)?).node()),
            Place::Class(id) => {
                fresh::check_objects(id)?;
                let index = self.add_object_as(id, name, bytes, &mut task.budget)?;
                Ok(Place::Object(index).node())
            }
            _ => Err(impossible()),
        }
    }

    /// Objects and included files, one by one or all of a kind.
    fn remove(&mut self, nodes: &[Node], lossy: bool, task: &mut Task<'_>) -> Result<()> {
        let mut objects = BTreeSet::new();
        let mut included = BTreeSet::new();
        for node in nodes {
            match place(*node)? {
                Place::Object(index) => drop(objects.insert(index)),
                Place::Class(id) => {
                    let order = self.by_class(&mut task.budget)?;
                    objects.extend(self.of_class(order, id));
                }
                Place::Included(index) => drop(included.insert(index)),
                Place::IncludedFiles => {
                    included.extend((0..).zip(&self.tail().included).map(|(index, _)| index))
                }
                _ => return Err(impossible()),
            }
        }
        // Nothing goes where one of them is not there.
        let last = included.last().map_or(0, |index| *index as usize);
        if !included.is_empty() && last >= self.tail().included.len() {
            return Err(Error::new(&codes::NOT_FOUND));
        }
        if !objects.is_empty() {
            self.remove_objects(&objects, lossy, task)?;
        }
        included.iter().rev().try_for_each(|index| self.remove_included(*index))
    }
}

/// The name that a new entry is called by.
fn name<'k>(key: &'k [Val<'_>]) -> Result<&'k [u8]> {
    match key {
        [Val::Text(name) | Val::Bytes(name)] => Ok(name),
        [Val::Str(name)] => Ok(name.as_bytes()),
        _ => Err(impossible()),
    }
}

fn place(node: Node) -> Result<Place> {
    Place::of(node).ok_or_else(|| Error::new(&codes::NOT_FOUND))
}

fn impossible() -> Error {
    Error::new(&codes::NO_SUCH_OPERATION)
}
