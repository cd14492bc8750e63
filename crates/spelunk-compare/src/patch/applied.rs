//! A file that a patch was made to, and the changes of its rows.

use super::{edits, form::EntryChange};
use serde_json::Value;
use spelunk_core::{Error, Seg, WriteOptions};
use spelunk_open::{Opened, codes};

/// A file that a patch was made to.
#[derive(Debug)]
pub struct Applied {
    /// The container.
    pub opened: Opened,
    /// Options for writing it.
    pub options: WriteOptions,
    /// Whether the file was the one that the patch was made from.
    pub same_file: bool,
    /// Changes of entries that were made.
    pub made: u64,
    /// Changes that had been made before.
    pub made_before: u64,
    /// Conflicts: changes that were not made, because something else is there. Nothing of an entry that is named here was
    /// changed.
    pub conflicts: Vec<Error>,
}

/// Changes a row; returns how many edits had been made before, and the conflicts.
pub(super) fn changed(change: &EntryChange, row: &mut Value) -> (usize, Vec<Error>) {
    let conflict = |expected: Option<&Value>, found: Option<&Value>| {
        Error::new(&codes::CONFLICT).expected(short(expected)).found(short(found))
    };
    if let Some(new) = &change.new {
        if row == new {
            return (1, Vec::new());
        }
        let fits = change.old.as_ref() == Some(row);
        let conflicts =
            if fits { Vec::new() } else { vec![conflict(change.old.as_ref(), Some(row))] };
        *row = new.clone();
        return (0, conflicts);
    }
    let (mut before, mut before_values) = (0_usize, 0_usize);
    let (mut conflicts, mut stale) = (Vec::new(), false);
    for edit in &change.edits {
        match edits::make(edit, row) {
            Ok(edits::EditOutcome::Now) => {}
            Ok(edits::EditOutcome::Before) => {
                before = before.saturating_add(1);
                before_values = before_values.saturating_add(usize::from(!edit.is_exact()));
            }
            // How the values were stored says nothing where they are other ones.
            Err(_) if edit.is_exact() => stale = true,
            Err(found) => {
                let path = edit.at.trim_start_matches('/').replace('/', ".");
                let error = conflict(edit.old.as_ref(), found.as_ref());
                conflicts.push(error.within(Seg::Key(path.into())));
            }
        }
    }
    if let Some(row) = row.as_object_mut().filter(|_| stale) {
        row.shift_remove("exact");
        // So nothing is left to do where all values are those of the other side.
        let values = change.edits.iter().filter(|edit| !edit.is_exact()).count();
        if values > 0 && before_values >= values {
            before = change.edits.len();
        }
    }
    (before, conflicts)
}

/// A value as errors show it.
pub(crate) fn short(value: Option<&Value>) -> String {
    const SHOWN: usize = 60;
    let text = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
