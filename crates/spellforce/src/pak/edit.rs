//! Editing archives: content, paths, files that come and go.

use super::{
    archive::Archive,
    archive_draft::ArchiveDraft,
    form::ArchiveForm,
    members::{Members, PakNode},
    path::MemberPath,
};
use spelunk_core::{
    Change, Changed, Collect, Edit, Error, Node, Refused, Result, Task, Val, codes,
    edit::{OfChange, gone},
    text::CodePages,
};
use std::{collections::BTreeSet, sync::Arc};

/// The node that files are added to.
const FILES: Node = Node(u64::MAX);

fn no_such_operation() -> Error {
    Error::new(&codes::NO_SUCH_OPERATION)
}

impl Members {
    /// The entries that a node stands for: itself, or all below a folder.
    fn entries_of(&self, node: Node, task: &mut Task<'_>) -> Result<Vec<u32>> {
        match PakNode::of(node) {
            PakNode::Entry(n) => Ok(vec![n]),
            PakNode::Folder(folder) => self.entries_in(folder, task),
        }
    }

    /// Opens what the changes make of the archive; and the paths of what they add.
    fn made(
        &self,
        changes: &[Change<'_>],
        task: &mut Task<'_>,
    ) -> std::result::Result<(Archive, Vec<Option<Added>>), Refused> {
        let archive = self.archive();
        let draft = ArchiveDraft::of(archive, task)?;
        let mut batch = MemberBatch { members: self, draft, removed: BTreeSet::new(), added: 0 };
        let mut added = task.budget.vec(changes.len() as u64)?;
        for (nth, change) in changes.iter().enumerate() {
            added.push(batch.take(change, task).of_change(nth)?);
        }
        for n in &batch.removed {
            batch.draft.remove(*n)?;
        }
        let source = batch.draft.source(task)?;
        // Findings about the old entries were reported when those were opened.
        let mut sink = Collect::default();
        let mut quiet = Task::new(task.budget.clone(), &mut sink);
        let archive = Archive::open_any(source, &mut quiet)?;
        task.budget = quiet.budget;
        Ok((archive, added))
    }
}

/// A file that a batch adds: its path, or in the dialect `spec` its number among those that are added.
enum Added {
    Path(MemberPath),
    Nth(usize),
}

/// A batch on its way. What goes, goes at its end.
struct MemberBatch<'m> {
    members: &'m Members,
    draft: ArchiveDraft,
    removed: BTreeSet<u32>,
    /// Number of files that are added by now.
    added: usize,
}

impl MemberBatch<'_> {
    /// The entry that a node is, where it does not go.
    fn known(&self, node: Node) -> Result<u32> {
        match PakNode::of(node) {
            PakNode::Entry(n) if self.removed.contains(&n) => Err(gone()),
            PakNode::Entry(n) => Ok(n),
            PakNode::Folder(..) => Err(no_such_operation()),
        }
    }

    /// Takes a change; gives what it adds. A new name is a whole path.
    fn take(&mut self, change: &Change<'_>, task: &mut Task<'_>) -> Result<Option<Added>> {
        task.budget.steps(1)?;
        match change {
            // An entry has no field that could be set by itself.
            Change::Set { .. } => return Err(no_such_operation()),
            Change::SetBytes { node, bytes } => {
                let n = self.known(*node)?;
                self.draft.set(n, Arc::new(bytes.clone()), task)?;
            }
            Change::Rename { node, name } => {
                let n = self.known(*node)?;
                self.draft.rename(n, name)?;
            }
            Change::Insert { table: FILES, key: [Val::Bytes(name)], bytes } => {
                let bytes = bytes.clone().unwrap_or_default();
                task.budget.memory((name.len() as u64).saturating_add(256))?;
                let nth = self.added;
                self.added = nth.saturating_add(1);
                self.draft.add(name, Arc::new(bytes), false, task)?;
                return Ok(Some(match self.draft.form() {
                    ArchiveForm::Real => Added::Path(MemberPath::from_bytes(name)?),
                    ArchiveForm::Spec => Added::Nth(nth),
                }));
            }
            Change::Insert { .. } => return Err(Error::new(&codes::NOT_FOUND)),
            Change::Remove { nodes, .. } => {
                for node in *nodes {
                    let entries = self.members.entries_of(*node, task)?;
                    task.budget.memory((entries.len() as u64).saturating_mul(32))?;
                    self.removed.extend(entries);
                }
            }
        }
        Ok(None)
    }
}

impl Edit for Members {
    fn apply(
        &mut self,
        changes: &[Change<'_>],
        _pages: &CodePages,
        task: &mut Task<'_>,
    ) -> std::result::Result<Vec<Changed>, Refused> {
        let (before, held) = (task.budget.left().memory, self.held());
        let made = self.made(changes, task).map(|(archive, added)| (Members::new(archive), added));
        let now = match &made {
            Ok((members, _)) => members.held(),
            // What was read for it stays.
            Err(_) => self.held(),
        };
        let settled = task.budget.settle(before, held, now);
        let (members, added) = made?;
        settled?;
        let count = added.iter().flatten().count();
        let node = |added: Option<Added>| -> Result<Changed> {
            let found = match added {
                None => return Ok(Changed::default()),
                Some(Added::Path(path)) => members.archive().lookup(&path, task)?,
                Some(Added::Nth(nth)) => {
                    let n = members.archive().len().checked_sub(count.saturating_sub(nth));
                    n.and_then(|n| u32::try_from(n).ok())
                }
            };
            let node = found.map(|n| PakNode::Entry(n).node());
            let added = Some(node.ok_or_else(|| Error::new(&codes::NOT_FOUND))?);
            Ok(Changed { added, moved: 0 })
        };
        let changed = added.into_iter().map(node).collect::<Result<_>>()?;
        *self = members;
        Ok(changed)
    }

    fn table(&self, kind: &str) -> Option<Node> {
        (kind == "file").then_some(FILES)
    }
}
