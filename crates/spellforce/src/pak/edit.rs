//! Editing archives: content, paths, files that come and go.

use super::{
    archive::Archive,
    container::{Item, Members},
    draft::Draft,
    path::MemberPath,
};
use spelunk_core::{Bytes, Collect, Edit, Error, Node, Result, Task, Val, codes, text::CodePages};
use std::{any::Any, sync::Arc};

/// What files are added to.
const FILES: Node = Node(u64::MAX);

fn no_such_operation() -> Error {
    Error::new(&codes::NO_SUCH_OPERATION)
}

impl Members {
    /// Opens what a draft makes of the archive in its place.
    ///
    /// # Errors
    /// What `change` says; those of [`Draft::source`]; limits.
    fn become_draft(
        &mut self,
        change: impl FnOnce(&mut Draft) -> Result<()>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let mut draft = Draft::of(self.archive(), task)?;
        change(&mut draft)?;
        let source = draft.source(task)?;
        // What is to be told of the old entries was told when they were opened.
        let mut sink = Collect::default();
        let mut quiet = Task::new(task.budget.clone(), &mut sink);
        let archive = Archive::open(source, &mut quiet)?;
        task.budget = quiet.budget;
        *self = Members::new(archive);
        Ok(())
    }

    /// The entries that a node stands for: itself, or all below a folder.
    fn entries_of(&self, node: Node, task: &mut Task<'_>) -> Result<Vec<u32>> {
        match Item::of(node) {
            Item::Entry(n) => Ok(vec![n]),
            Item::Folder(folder) => self.entries_in(folder, task),
        }
    }
}

impl Edit for Members {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    /// An entry has no field that could be set by itself.
    fn set(
        &mut self,
        _node: Node,
        _path: &str,
        _value: Val<'_>,
        _pages: &CodePages,
        _task: &mut Task<'_>,
    ) -> Result<()> {
        Err(no_such_operation())
    }

    fn table(&self, kind: &str) -> Option<Node> {
        (kind == "file").then_some(FILES)
    }

    fn set_bytes(&mut self, node: Node, bytes: Bytes, task: &mut Task<'_>) -> Result<()> {
        match Item::of(node) {
            Item::Entry(n) => self.become_draft(|draft| draft.set(n, Arc::new(bytes)), task),
            Item::Folder(..) => Err(no_such_operation()),
        }
    }

    /// The new name is a whole path.
    fn rename(&mut self, node: Node, name: &[u8], task: &mut Task<'_>) -> Result<()> {
        let Item::Entry(n) = Item::of(node) else { return Err(no_such_operation()) };
        let path = MemberPath::from_bytes(name)?;
        self.become_draft(|draft| draft.rename(n, path), task)
    }

    fn insert(&mut self, table: Node, key: &[Val<'_>], task: &mut Task<'_>) -> Result<Node> {
        let ([Val::Bytes(name)], FILES) = (key, table) else {
            return Err(Error::new(&codes::NOT_FOUND));
        };
        let path = MemberPath::from_bytes(name)?;
        let added = path.clone();
        self.become_draft(
            |draft| {
                draft.add(added, Arc::new(Bytes::new()));
                Ok(())
            },
            task,
        )?;
        let found = self.archive().lookup(&path, task)?;
        found.map(|n| Item::Entry(n).node()).ok_or_else(|| Error::new(&codes::NOT_FOUND))
    }

    fn remove(&mut self, nodes: &[Node], _lossy: bool, task: &mut Task<'_>) -> Result<()> {
        let mut entries = Vec::new();
        for node in nodes {
            entries.extend(self.entries_of(*node, task)?);
        }
        entries.sort_unstable();
        entries.dedup();
        self.become_draft(|draft| entries.iter().try_for_each(|n| draft.remove(*n)), task)
    }
}
