//! The entries of an archive as members of it: by position, and by path in folders.

use super::{
    archive::{Archive, halvings, not_found},
    details::{COMPRESSION, DIRECTORY, NAME, OFFSET, SPEC_OFFSET, STORED_PATH},
    folders::{Folder, Sorted},
    form::{ArchiveForm, shown},
    index::PathEntry,
    path_order::sort_by_path,
};
use crate::bytes::tolerate;
use spelunk_core::{
    Budget, Entry, Node, Result, Task, Val, Walk, Walked, container::Each, text::CodePages,
};
use std::{borrow::Cow, cmp::Ordering, ops::Range, sync::OnceLock};

/// Meaning of a node: the entry at this position, or a folder of [`Members::by_path`].
pub(super) enum PakNode {
    Entry(u32),
    Folder(Folder),
}

impl PakNode {
    pub(super) fn of(node: Node) -> PakNode {
        Folder::of(node).map_or(PakNode::Entry(node.0 as u32), PakNode::Folder)
    }

    pub(super) fn node(self) -> Node {
        match self {
            PakNode::Entry(n) => Node(n.into()),
            PakNode::Folder(folder) => folder.node(),
        }
    }
}

/// The entries of an archive by their paths.
pub(super) struct ByPath<'m> {
    members: &'m Members,
    positions: &'m [u32],
}

impl Sorted for ByPath<'_> {
    fn path(&self, place: usize) -> Option<Cow<'_, [u8]>> {
        let path = self.members.path_bytes(*self.positions.get(place)?)?;
        Some(Cow::Owned(path.collect()))
    }

    fn below(&self, first: usize, prefix: &[u8], budget: &mut Budget) -> Result<Range<usize>> {
        let rest = self.positions.get(first..).unwrap_or_default();
        budget.touch((prefix.len() as u64).saturating_mul(halvings(rest.len() as u64)))?;
        let len = rest.partition_point(|n| {
            let start = self.members.path_bytes(*n).into_iter().flatten().take(prefix.len());
            start.cmp(prefix.iter().copied()) != Ordering::Greater
        });
        Ok(first..first.saturating_add(len))
    }

    fn size(&self, place: usize) -> u64 {
        self.positions.get(place).map_or(0, |n| self.members.archive.stored_size(*n))
    }

    fn give(&self, place: usize, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let n = *self.positions.get(place).ok_or_else(not_found)?;
        self.members.give_entry(n, pages, task, each)
    }
}

/// An opened archive.
#[derive(Clone)]
pub struct Members {
    pub(super) archive: Archive,
    /// Positions of the entries with a readable path, by path; once folders were asked for.
    pub(super) sorted: OnceLock<Vec<u32>>,
}

impl std::fmt::Debug for Members {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Members").field("archive", &self.archive).finish_non_exhaustive()
    }
}

impl Members {
    pub(super) const fn new(archive: Archive) -> Members {
        Members { archive, sorted: OnceLock::new() }
    }

    /// Bytes of memory that an edited archive takes, with what was made of it.
    pub(super) fn held(&self) -> u64 {
        let sorted = self.sorted.get().map_or(0, Vec::len);
        let sorted = sorted.saturating_mul(size_of::<u32>()) as u64;
        self.archive.held().saturating_add(sorted)
    }

    /// The archive.
    pub const fn archive(&self) -> &Archive {
        &self.archive
    }

    /// The node of the entry at this position.
    pub fn node(position: u32) -> Node {
        PakNode::Entry(position).node()
    }

    /// The position of the entry that a node stands for; `None` for folders.
    pub fn position(node: Node) -> Option<u32> {
        match PakNode::of(node) {
            PakNode::Entry(n) => Some(n),
            PakNode::Folder(..) => None,
        }
    }

    /// The positions of the entries in a folder.
    pub(super) fn entries_in(&self, folder: Folder, task: &mut Task<'_>) -> Result<Vec<u32>> {
        let list = self.by_path(&mut task.budget)?;
        let places = folder.places(&list, &mut task.budget)?;
        let mut entries = task.budget.vec(places.len() as u64)?;
        entries.extend_from_slice(list.positions.get(places).unwrap_or_default());
        Ok(entries)
    }

    pub(super) fn by_path(&self, budget: &mut Budget) -> Result<ByPath<'_>> {
        Ok(ByPath { members: self, positions: self.sorted(budget)? })
    }

    /// The stored bytes of an entry's path, first byte first.
    pub(super) fn path_bytes(&self, n: u32) -> Option<impl Iterator<Item = u8> + '_> {
        self.archive.path_bytes(n)
    }

    /// The shown path of an entry; its position where names cannot be read.
    pub(super) fn path(&self, n: u32, pages: &CodePages) -> String {
        match self.path_bytes(n) {
            Some(bytes) => shown(&bytes.collect::<Vec<_>>(), pages),
            None => format!("#{n}"),
        }
    }

    /// Length of an entry's path; 0 where names cannot be read.
    pub(super) fn path_len(&self, n: u32) -> u64 {
        self.archive.path_len(n)
    }

    pub(super) fn positions(&self) -> impl Iterator<Item = u32> {
        0..self.archive.len() as u32
    }

    /// Positions of the entries with a readable path, by path, sorted now if they were not before.
    pub(super) fn sorted(&self, budget: &mut Budget) -> Result<&[u32]> {
        if let Some(sorted) = self.sorted.get() {
            return Ok(sorted);
        }
        let lengths = self.positions().map(|n| self.path_len(n)).fold(0, u64::saturating_add);
        let count = self.archive.len() as u64;
        budget.touch(lengths.saturating_mul(halvings(count)))?;
        let mark = budget.mark();
        let mut sorted = budget.vec(count)?;
        sorted.extend(self.positions().filter(|n| self.path_bytes(*n).is_some()));
        sort_by_path(&mut sorted, &|n| self.path_bytes(n).into_iter().flatten(), budget)?;
        Ok(budget.keep(mark, &self.sorted, sorted).as_slice())
    }

    pub(super) fn give_entry(
        &self,
        n: u32,
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let spec = self.archive.spec_entry(n);
        let entry = self.archive.entry(n);
        if spec.is_none() && entry.is_none() {
            return Err(not_found().into());
        }
        task.budget.touch(self.path_len(n))?;
        let size = match self.archive.plain_size(n, task) {
            Ok(size) => size,
            Err(error) => tolerate(error, task).map(|()| self.archive.stored_size(n))?,
        };
        let name = match spec {
            Some(entry) => Some(ArchiveForm::Spec.last_step(entry.path).0.to_vec()),
            None => entry.and_then(|entry| self.archive.names().reversed_name(entry)).map(forward),
        };
        let details = |task: &mut Task<'_>, walk: &mut dyn Walk| match (spec, entry) {
            (Some(entry), _) => {
                walk.field(&STORED_PATH, None, Val::Text(entry.path.into()))?;
                walk.field(&SPEC_OFFSET, None, entry.numbers.offset.get().into())?;
                walk.field(&COMPRESSION, None, u32::from(entry.numbers.compression).into())
            }
            (None, Some(entry)) => {
                let text = |text: Option<Vec<u8>>| text.map_or(Val::None, |t| Val::Text(t.into()));
                walk.field(&NAME, None, text(name.clone()))?;
                walk.field(&OFFSET, None, self.archive.data_start_of(entry).start.into())?;
                let directory = self.archive.names().reversed_directory(entry);
                task.budget.touch(directory.map_or(0, |text| text.len() as u64))?;
                walk.field(&DIRECTORY, None, text(directory.map(forward)))
            }
            (None, None) => Ok(()),
        };
        each(
            &Entry {
                node: PakNode::Entry(n).node(),
                path: &self.path(n, pages),
                kind: "file",
                name: name.as_deref(),
                size,
                label: None,
                stored_size: spec.filter(PathEntry::is_packed).map(|entry| entry.size()),
                details: &details,
            },
            task,
        )
    }
}

/// A text that is stored last byte first.
pub(super) fn forward(text: &[u8]) -> Vec<u8> {
    text.iter().rev().copied().collect()
}
