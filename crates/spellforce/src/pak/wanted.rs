//! Paths that are looked for together: however many there are, the entries are gone through as often as for one.

use super::{
    folders::Folder,
    form::shown,
    members::{Members, PakNode},
};
use spelunk_core::{Node, Result, Task, text::CodePages};
use std::collections::HashMap;

/// Paths that entries are looked for by.
pub(super) struct MemberLookup<'p> {
    paths: &'p [&'p str],
    found: Vec<Vec<Node>>,
    /// Memory that is taken to compare them.
    charged: u64,
}

impl<'p> MemberLookup<'p> {
    /// Nothing is found yet.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn of(paths: &'p [&'p str], task: &mut Task<'_>) -> Result<MemberLookup<'p>> {
        let mut found = task.budget.vec(paths.len() as u64)?;
        found.resize_with(paths.len(), Vec::new);
        let charged = (paths.len() as u64).saturating_mul(size_of::<Vec<Node>>() as u64);
        Ok(MemberLookup { paths, found, charged })
    }

    /// Looks for all of them: by position, by path, by path without regard to case, and as folders.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn find(
        mut self,
        members: &Members,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Vec<Node>>> {
        for (path, found) in self.paths.iter().zip(&mut self.found) {
            let position = path.strip_prefix('#').and_then(|position| position.parse().ok());
            let position = position.filter(|n| (*n as usize) < members.archive().len());
            found.extend(position.map(|n| PakNode::Entry(n).node()));
        }
        self.files(members, pages, task, str::to_owned)?;
        self.files(members, pages, task, str::to_lowercase)?;
        self.folders(members, pages, task)?;
        task.budget.release(self.charged);
        Ok(self.found)
    }

    /// Paths that nothing is found of, as `key` makes them, with their positions.
    fn open(&mut self, key: impl Fn(&str) -> String, task: &mut Task<'_>) -> Result<PathPositions> {
        let mut open = PathPositions::new();
        for (nth, path) in self.paths.iter().enumerate() {
            let is_open = self.found.get(nth).is_some_and(Vec::is_empty);
            if is_open && !path.starts_with('#') {
                task.budget.touch(path.len() as u64)?;
                let size = (path.len() as u64).saturating_mul(2).saturating_add(96);
                task.budget.memory(size)?;
                self.charged = self.charged.saturating_add(size);
                open.entry(key(path)).or_default().push(nth);
            }
        }
        Ok(open)
    }

    /// Adds the entries whose paths are the same by `key`.
    fn files(
        &mut self,
        members: &Members,
        pages: &CodePages,
        task: &mut Task<'_>,
        key: fn(&str) -> String,
    ) -> Result<()> {
        let open = self.open(key, task)?;
        if open.is_empty() {
            return Ok(());
        }
        for n in members.positions() {
            task.budget.touch(members.path_len(n))?;
            for nth in open.get(&key(&members.path(n, pages))).into_iter().flatten() {
                let size = size_of::<Node>() as u64;
                task.budget.memory(size)?;
                self.charged = self.charged.saturating_add(size);
                if let Some(found) = self.found.get_mut(*nth) {
                    found.push(PakNode::Entry(n).node());
                }
            }
        }
        Ok(())
    }

    /// Adds folders: of each the first place whose path starts with its steps.
    fn folders(&mut self, members: &Members, pages: &CodePages, task: &mut Task<'_>) -> Result<()> {
        let mut open = self.open(|path| format!("{}/", path.to_lowercase()), task)?;
        if open.is_empty() {
            return Ok(());
        }
        let mut depths: Vec<usize> =
            open.keys().map(|path| path.split('/').count().saturating_sub(1)).collect();
        depths.sort_unstable();
        depths.dedup();
        for (place, n) in members.sorted(&mut task.budget)?.iter().enumerate() {
            task.budget.touch(members.path_len(*n))?;
            let path: Vec<u8> = members.path_bytes(*n).into_iter().flatten().collect();
            let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'\\');
            for (step, (end, _)) in ends.enumerate() {
                if depths.binary_search(&step.saturating_add(1)).is_err() {
                    continue;
                }
                let prefix = path.get(..=end).unwrap_or_default();
                task.budget.touch(prefix.len() as u64)?;
                let folder = shown(prefix, pages).to_lowercase();
                for nth in open.remove(&folder).unwrap_or_default() {
                    if let Some(found) = self.found.get_mut(nth) {
                        found.push(Folder::new(place, prefix.len()).node());
                    }
                }
            }
            if open.is_empty() {
                break;
            }
        }
        Ok(())
    }
}

/// Positions of paths by what is compared of them.
type PathPositions = HashMap<String, Vec<usize>>;
