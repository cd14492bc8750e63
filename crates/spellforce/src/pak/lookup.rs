//! Finding files by path.
//!
//! Entries ascend by the hash of their path, so a path is looked for by bisection, which touches some twenty of them. That
//! a path is not found says something only where the order is known to be right: the first such look-up goes through all
//! names, the second one takes note of all hashes, and those after it know. Entries of the dialect `spec` have no order, so their
//! hashes are taken note of at once.

use super::{
    archive::Archive,
    entry::PakEntry,
    hash::{path_hash, reversed_path_hash},
    order::EntryOrder,
    path::{MemberPath, lower},
};
use spelunk_core::{Result, Task};
use std::sync::atomic::Ordering;

impl Archive {
    /// The position of the entry with this path, whatever the case of its letters. Of several one.
    ///
    /// # Errors
    /// Limits.
    pub fn lookup(&self, path: &MemberPath, task: &mut Task<'_>) -> Result<Option<u32>> {
        let hash = path.hash();
        let lookups = self.lookups();
        if let Some(EntryOrder::Own(order)) = lookups.order.get() {
            let start = order.partition_point(|(known, _)| *known < hash);
            let alike = order.get(start..).unwrap_or_default().iter();
            let mut alike = alike.take_while(|(known, _)| *known == hash).map(|(_, n)| *n);
            return Ok(alike.find(|n| self.is_at(*n, path)));
        }
        if self.form().is_spec() {
            self.learn(task)?;
            return self.lookup(path, task);
        }
        let found = self.bisect(hash, path);
        if found.is_some() || lookups.order.get().is_some() {
            return Ok(found);
        }
        let count = self.entries().len() as u64;
        if lookups.missed.swap(true, Ordering::Relaxed) {
            self.learn(task)?;
            return self.lookup(path, task);
        }
        task.budget.steps(count)?;
        if !self.names().may_hold(path.reversed_name()) {
            return Ok(None);
        }
        Ok((0..).zip(self.entries()).map(|(n, _)| n).find(|n| self.is_at(*n, path)))
    }

    /// Looks for a path as if the order were right.
    fn bisect(&self, hash: u16, path: &MemberPath) -> Option<u32> {
        let names = self.names();
        let before = |entry: &PakEntry| names.hash(entry).is_some_and(|known| known < hash);
        let start = self.entries().partition_point(before);
        let alike = (0..).zip(self.entries()).skip(start);
        let mut alike = alike.take_while(|(_, entry)| names.hash(entry) == Some(hash));
        alike.find(|(n, _)| self.is_at(*n, path)).map(|(n, _)| n)
    }

    /// Whether the entry at this position has this path.
    fn is_at(&self, n: u32, path: &MemberPath) -> bool {
        if self.form().is_spec() {
            let there = self.path_bytes(n).into_iter().flatten().rev().map(lower);
            return there.eq(path.reversed().iter().copied());
        }
        let names = self.names();
        let Some(entry) = self.entry(n) else { return false };
        names.has_name(entry, path.reversed_name())
            && names.has_directory(entry, path.reversed_directory())
    }

    /// Finds out in what order the entries are.
    fn learn(&self, task: &mut Task<'_>) -> Result<()> {
        let names = self.names();
        let indexed = self.index().map_or(0, |index| index.bytes.len());
        task.budget.touch(self.name_bytes().len().saturating_add(indexed) as u64)?;
        // In the dialect `spec` entries have no order.
        let mut is_sound = !self.form().is_spec();
        let mut last = 0;
        for entry in self.entries() {
            let both = names.reversed_name(entry).zip(names.reversed_directory(entry));
            let Some((name, directory)) = both else { continue };
            let hash = reversed_path_hash(name, directory);
            let stored = names.hash(entry);
            is_sound &= stored == Some(hash) && last <= hash;
            is_sound &= ![name, directory].concat().iter().any(|byte| lower(*byte) != *byte);
            last = hash;
        }
        if is_sound {
            self.lookups().order.get_or_init(|| EntryOrder::Sound);
            return Ok(());
        }
        let mark = task.budget.mark();
        let mut order = task.budget.vec(self.len() as u64)?;
        for n in (0_u32..).take(self.len()) {
            if let Some(path) = self.path_bytes(n) {
                order.push((path_hash(path.map(lower)), n));
            }
        }
        order.sort_unstable();
        task.budget.keep(mark, &self.lookups().order, EntryOrder::Own(order));
        Ok(())
    }
}
