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
};

/// Refuses an output that is there already.
pub(super) fn refuse_existing<'o>(
    plan: &Plan<'_>,
    mut outputs: impl Iterator<Item = &'o str>,
) -> Result<()> {
    // A new folder, or an empty one, has none of them.
    if fs::read_dir(plan.target).map_or(true, |mut entries| entries.next().is_none()) {
        return Ok(());
    }
    let there = outputs.find_map(|output| {
        let path = plan.target.join(output);
        path.symlink_metadata().is_ok().then_some(path)
    });
    there.map_or(Ok(()), |path| Err(exists(&path)))
}

fn exists(path: &Path) -> Error {
    Error::new(&codes::EXISTS).found(path.display().to_string())
}

/// Folders below the target that are known to be there.
#[derive(Default)]
pub(super) struct Folders(HashSet<String>);

impl Folders {
    /// The full path of an output, whose folder is there then.
    fn place(&mut self, plan: &Plan<'_>, output: &str) -> Result<PathBuf> {
        let (folder, _) = output.rsplit_once('/').unwrap_or_default();
        if self.0.contains(folder) {
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
        self.0.insert(folder.to_owned());
        Ok(path)
    }

    /// Writes a file below the target. Links are not followed unless that is asked for; what exists is replaced only where that is asked
    /// for, and only by the whole new file.
    pub(super) fn write(
        &mut self,
        plan: &Plan<'_>,
        output: &str,
        bytes: &[u8],
        task: &mut Task<'_>,
    ) -> Result<()> {
        self.fill(plan, output, |out| out.write_all(bytes), task)
    }

    /// As [`Folders::write`], of what `fill` writes.
    pub(super) fn fill(
        &mut self,
        plan: &Plan<'_>,
        output: &str,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let path = self.place(plan, output)?;
        if plan.force && path.symlink_metadata().is_ok() {
            let mut new = match plan.follow_links {
                true => Replacement::follow(&path, Existing::Replace)?,
                false => Replacement::begin(&path, Existing::Replace)?,
            };
            fill(&mut new).map_err(|error| Error::io_of(&path, error))?;
            for Finding { severity, error } in new.commit_soon()? {
                task.report(severity, error)?;
            }
            return Ok(());
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
        })
    }
}
