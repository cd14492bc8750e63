//! The editing side of the container.

use crate::{
    entries::Place,
    file::{File, data::Owner},
};
use spelunk_core::{Bytes, Edit, Error, Node, Result, Task, Val, codes};

impl Edit for File {
    /// No entry has fields that can be set apart from its bytes.
    fn set(&mut self, _: Node, _: &str, _: Val<'_>, _: &mut Task<'_>) -> Result<()> {
        Err(impossible())
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

    /// Included files. Names of objects are in their chunks too, in old files and in their classes' own ways.
    fn rename(&mut self, node: Node, name: &[u8], _: &mut Task<'_>) -> Result<()> {
        match place(node)? {
            Place::Included(index) => self.rename_included(index, name),
            _ => Err(impossible()),
        }
    }

    /// An empty included file; the key is its name.
    fn insert(&mut self, table: Node, key: &[Val<'_>], _: &mut Task<'_>) -> Result<Node> {
        let name: &[u8] = match key {
            [Val::Text(name) | Val::Bytes(name)] => name,
            [Val::Str(name)] => name.as_bytes(),
            _ => return Err(impossible()),
        };
        match place(table)? {
            Place::IncludedFiles => {
                Ok(Place::Included(self.add_included(name, Bytes::new())?).node())
            }
            _ => Err(impossible()),
        }
    }

    /// An included file, or all of them.
    fn remove(&mut self, node: Node, _: &mut Task<'_>) -> Result<()> {
        match place(node)? {
            Place::Included(index) => self.remove_included(index),
            Place::IncludedFiles => {
                self.strip_included();
                Ok(())
            }
            _ => Err(impossible()),
        }
    }
}

fn place(node: Node) -> Result<Place> {
    Place::of(node).ok_or_else(|| Error::new(&codes::NOT_FOUND))
}

fn impossible() -> Error {
    Error::new(&codes::NO_SUCH_OPERATION)
}
