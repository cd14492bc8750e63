//! Counts of changes, by the types of entries.

use super::{Change, ComparedEntry, Diff, FieldChange};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Counts of the changed entries of a type, and of their changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Stat {
    /// Entries that only the new container has.
    pub added: u64,
    /// Entries that only the old container has.
    pub removed: u64,
    /// Entries with other content.
    pub changed: u64,
    /// Entries with another name.
    pub renamed: u64,
    /// Fields and items of lists that differ in entries that both have.
    pub fields: u64,
    /// Bytes of all of them in the old container, plain.
    pub old_size: u64,
    /// Bytes of all of them in the new container, plain.
    pub new_size: u64,
}

impl Stat {
    /// Takes up what became of an entry.
    fn take(&mut self, change: &Change) {
        let (old, new, fields) = sides(change);
        match change {
            Change::Added(_) => self.added += 1,
            Change::Removed(_) => self.removed += 1,
            Change::Renamed { .. } => self.renamed += 1,
            Change::Changed { .. } => self.changed += 1,
        }
        self.fields = fields.iter().map(weight).fold(self.fields, u64::saturating_add);
        self.old_size = self.old_size.saturating_add(old.map_or(0, |item| item.size));
        self.new_size = self.new_size.saturating_add(new.map_or(0, |item| item.size));
    }
}

/// Number of fields that a change is of.
fn weight(change: &FieldChange) -> u64 {
    match change {
        FieldChange::Value { .. } | FieldChange::Content { .. } => 1,
        FieldChange::List { changed, added, removed, .. } => {
            changed.saturating_add(*added).saturating_add(*removed)
        }
        FieldChange::Group { count, .. } => *count,
    }
}

/// Counts of the changes of each type of entries, by its name, and of all together. Fields of the file as a whole count for the
/// sum alone.
pub fn stats(diff: &Diff) -> (BTreeMap<&str, Stat>, Stat) {
    let mut types: BTreeMap<&str, Stat> = BTreeMap::new();
    let fields = diff.summary.iter().map(weight).fold(0, u64::saturating_add);
    let mut sum = Stat { fields, ..Stat::default() };
    for change in &diff.changes {
        let (old, new, _) = sides(change);
        if let Some(item) = new.or(old) {
            types.entry(&item.kind).or_default().take(change);
        }
        sum.take(change);
    }
    (types, sum)
}

/// The entry in the old container and in the new one, and what differs.
fn sides(change: &Change) -> (Option<&ComparedEntry>, Option<&ComparedEntry>, &[FieldChange]) {
    match change {
        Change::Added(new) => (None, Some(new), &[]),
        Change::Removed(old) => (Some(old), None, &[]),
        Change::Renamed { old, new, fields } | Change::Changed { old, new, fields } => {
            (Some(old), Some(new), fields)
        }
    }
}
