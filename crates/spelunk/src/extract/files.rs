//! Writing files below the target, and nowhere else.

use super::Plan;
use crate::{Error, Result, safe_path::prepare};
use spelunk_core::codes;
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
        fs::create_dir_all(plan.target)?;
        let path = prepare(plan.target, output)?;
        self.0.insert(folder.to_owned());
        Ok(path)
    }

    /// Writes a file below the target. Links are not followed; what exists is replaced only where that is asked
    /// for, and only by the whole new file.
    pub(super) fn write(&mut self, plan: &Plan<'_>, output: &str, bytes: &[u8]) -> Result<()> {
        let path = self.place(plan, output)?;
        if plan.force && path.symlink_metadata().is_ok() {
            let folder = path.parent().unwrap_or(plan.target);
            let mut file = tempfile::Builder::new().prefix(".spelunk-").tempfile_in(folder)?;
            file.write_all(bytes)?;
            file.persist(&path).map_err(|error| Error::io(error.error))?;
            return Ok(());
        }
        let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(exists(&path));
            }
            Err(error) => return Err(Error::io(error)),
        };
        if let Err(error) = file.write_all(bytes) {
            drop(file);
            // Half a file is worse than none.
            let _ = fs::remove_file(&path);
            return Err(Error::io(error));
        }
        Ok(())
    }
}
