//! Packs with the files that they were opened from.

use super::Changes;
use crate::{Fingerprint, OpenOptions, fingerprint::check_tables, pack::Pack};
use spelunk_core::{
    Class, Collect, Error, Result, Severity, Task,
    source::{self, Mapping},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Change of a file since it was read last.
#[derive(Debug)]
pub enum Reload {
    /// The same state.
    Unchanged,
    /// A file that was opened again, with what is different, by ids.
    Changed(Changes),
    /// Somebody is writing to it: the header is not whole, or the index that it leads to is not there yet. The pack that
    /// was there before stays; try again.
    BeingWritten(Error),
}

/// A pack, and the file that it was opened from.
#[derive(Debug)]
pub struct Watched {
    path: PathBuf,
    mapping: Mapping,
    options: OpenOptions,
    pack: Arc<Pack>,
    fingerprint: Fingerprint,
}

impl Watched {
    /// Opens the pack at `path`.
    ///
    /// # Errors
    /// Those of [`Pack::open_with`]; that a table does not have its hash.
    pub fn open(
        path: impl Into<PathBuf>,
        mapping: Mapping,
        options: OpenOptions,
        task: &mut Task<'_>,
    ) -> Result<Watched> {
        let path = path.into();
        let pack = open(&path, mapping, &options, task)?;
        let fingerprint = Fingerprint::of(&pack);
        Ok(Watched { path, mapping, options, pack: Arc::new(pack), fingerprint })
    }

    /// The pack as it was read last. Handles to older states stay readable.
    pub const fn pack(&self) -> &Arc<Pack> {
        &self.pack
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks whether the file is in another state, by its header, and opens it then. `task` is drawn on for the pack that
    /// is opened and the tables that are compared; a program that looks again and again gives a new one each time.
    ///
    /// # Errors
    /// That the file is gone or cannot be read; that it is no pack that can be opened, although it is not being written;
    /// limits. The pack that was there before stays.
    pub fn reload(&mut self, task: &mut Task<'_>) -> Result<Reload> {
        match Fingerprint::of_path(&self.path) {
            Ok(now) if now.is_same_state(&self.fingerprint) => return Ok(Reload::Unchanged),
            Ok(_) => {}
            Err(error) => return being_written(error),
        }
        let new = match open(&self.path, self.mapping, &self.options, task) {
            Ok(new) => new,
            Err(error) => return being_written(error),
        };
        let fingerprint = Fingerprint::of(&new);
        // A header that is written right now can be half the old and half the new one, and still lead to tables.
        match Fingerprint::of_path(&self.path) {
            Ok(now) if now.is_same_state(&fingerprint) => {}
            Ok(_) => return Ok(Reload::BeingWritten(Error::new(&crate::codes::CHANGED))),
            Err(error) => return being_written(error),
        }
        let changes = Changes::between(&self.pack, &new, &mut task.budget)?;
        (self.pack, self.fingerprint) = (Arc::new(new), fingerprint);
        Ok(Reload::Changed(changes))
    }
}

/// Makes [`Reload::BeingWritten`] of an error about malformed content, which may be whole in a moment; what cannot be read, or
/// passes a limit, stays an error.
fn being_written(error: Error) -> Result<Reload> {
    match error.code().class {
        Class::Malformed | Class::Unsupported => Ok(Reload::BeingWritten(error)),
        _ => Err(error),
    }
}

/// Opens a pack whose tables have their hashes. Findings of opening are reported only where it opens.
fn open(path: &Path, mapping: Mapping, options: &OpenOptions, task: &mut Task<'_>) -> Result<Pack> {
    let source = source::open(path, mapping)?;
    let mut found = Collect::default();
    let mut own = Task::new(task.budget.clone(), &mut found);
    let pack = Pack::open_with(source, options, &mut own)
        .and_then(|pack| check_tables(&pack, &mut own).map(|()| pack));
    let mut budget = own.budget;
    if pack.is_err() {
        // What was looked at counts, and of what was held nothing is left.
        budget.release(task.budget.left().memory.saturating_sub(budget.left().memory));
    }
    task.budget = budget;
    let pack = pack?;
    // An append that goes on has put bytes behind the end. They are the next state, and no damage of this one.
    let trailing = crate::codes::TRAILING.id;
    for finding in found.findings {
        let is_next = finding.error.code().id == trailing && finding.severity != Severity::Error;
        if !is_next {
            task.report(finding.severity, finding.error)?;
        }
    }
    Ok(pack)
}
