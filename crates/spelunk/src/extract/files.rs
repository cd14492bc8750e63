//! Writing files below the target, and nowhere else.

use super::Plan;
use crate::{Error, Result, Task, safe_path::prepare};
use spelunk_core::{
    Finding, codes,
    replace::{Existing, Replacement},
    unfinished::{Undo, Unfinished},
};
use std::{
    collections::HashSet,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Takes the files of an extraction, from any thread.
pub trait Sink: Sync {
    /// Refuses an output that is there already.
    ///
    /// # Errors
    /// [`EXISTS`](codes::EXISTS).
    fn refuse_existing(
        &self,
        plan: &Plan<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()>;

    /// Writes a file below the target. Links are not followed unless the plan says so; what exists is replaced only where it
    /// does, and only by the whole new file. Gives what of the old one was not kept.
    ///
    /// # Errors
    /// [`EXISTS`](codes::EXISTS); those of writing.
    fn write(
        &self,
        plan: &Plan<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>>;
}

/// Writes a file whose content is there; what is told of that goes to the task.
pub(super) fn write(
    to: &dyn Sink,
    plan: &Plan<'_>,
    output: &str,
    bytes: &[u8],
    task: &mut Task<'_>,
) -> Result<()> {
    fill(to, plan, output, &mut |out| out.write_all(bytes), task)
}

/// As [`write`], of what `fill` writes.
pub(super) fn fill(
    to: &dyn Sink,
    plan: &Plan<'_>,
    output: &str,
    fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    task: &mut Task<'_>,
) -> Result<()> {
    let lost = to.write(plan, output, fill)?;
    lost.into_iter().try_for_each(|Finding { severity, error }| task.report(severity, error))
}

fn exists(path: &Path) -> Error {
    Error::new(&codes::EXISTS).found(path.display().to_string())
}

/// Files on the disk.
#[derive(Debug, Default)]
pub struct OnDisk {
    /// Folders below the target that are known to be there.
    folders: Mutex<HashSet<String>>,
}

impl OnDisk {
    /// The full path of an output, whose folder is there then.
    fn place(&self, plan: &Plan<'_>, output: &str) -> Result<PathBuf> {
        let (folder, _) = output.rsplit_once('/').unwrap_or_default();
        let folders = || self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if folders().contains(folder) {
            return Ok(plan.target.join(output));
        }
        fs::create_dir_all(plan.target).map_err(|error| Error::io_of(plan.target, error))?;
        let path = match plan.follow_links {
            true => plan.target.join(output),
            false => prepare(plan.target, output)?,
        };
        if let Some(folder) = path.parent().filter(|_| plan.follow_links) {
            fs::create_dir_all(folder).map_err(|error| Error::io_of(folder, error))?;
        }
        folders().insert(folder.to_owned());
        Ok(path)
    }
}

impl Sink for OnDisk {
    fn refuse_existing(
        &self,
        plan: &Plan<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()> {
        // A new folder, or an empty one, has none of them.
        if fs::read_dir(plan.target).map_or(true, |mut entries| entries.next().is_none()) {
            return Ok(());
        }
        for output in outputs {
            let path = plan.target.join(output);
            if path.symlink_metadata().is_ok() {
                return Err(exists(&path));
            }
        }
        Ok(())
    }

    fn write(
        &self,
        plan: &Plan<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>> {
        let path = self.place(plan, output)?;
        if plan.force && path.symlink_metadata().is_ok() {
            let mut new = match plan.follow_links {
                true => Replacement::follow(&path, Existing::Replace)?,
                false => Replacement::begin(&path, Existing::Replace)?,
            };
            fill(&mut new).map_err(|error| Error::io_of(&path, error))?;
            return new.commit_soon();
        }
        let made = Unfinished::begin(|| {
            let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
            let undo = path.clone();
            let undo: Undo = Box::new(move || drop(fs::remove_file(undo)));
            Ok((file, undo))
        });
        let (mut file, unfinished) = made.map_err(|error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(&path),
            _ => Error::io_of(&path, error),
        })?;
        let written = fill(&mut file);
        drop(file);
        unfinished.finish(|| {
            written.map_err(|error| {
                // Half a file is worse than none.
                let _ = fs::remove_file(&path);
                Error::io_of(&path, error)
            })
        })?;
        Ok(Vec::new())
    }
}
