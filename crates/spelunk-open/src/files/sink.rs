//! Output of the files of an extraction: below its folder, and nowhere else.

use crate::safe_path::prepare;
use spelunk_core::{
    Error, Finding, Result, codes,
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

/// The folder that receives the files of an extraction.
#[derive(Clone, Copy, Debug)]
pub struct ExtractionFolder<'a> {
    /// Path of the folder. Nothing is written outside of it.
    pub folder: &'a Path,
    /// Whether files that exist are replaced.
    pub force: bool,
    /// Whether links below it are followed. They may lead out of it.
    pub follow_links: bool,
}

/// Takes the files of an extraction, from any thread.
pub trait FileSink: Sync {
    /// Refuses an output that is there already.
    ///
    /// # Errors
    /// [`EXISTS`](codes::EXISTS).
    fn refuse_existing(
        &self,
        to: &ExtractionFolder<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()>;

    /// Writes a file below the target. Links are not followed unless the folder says so; what exists is replaced only where it
    /// does, and only by the whole new file. Gives what of the old one was not kept.
    ///
    /// # Errors
    /// [`EXISTS`](codes::EXISTS); those of writing.
    fn write(
        &self,
        to: &ExtractionFolder<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>>;
}

fn exists(path: &Path) -> Error {
    Error::new(&codes::EXISTS).found(path.display().to_string())
}

/// Files on the disk.
#[derive(Debug, Default)]
pub(super) struct DiskFolder {
    /// Folders below the target that are known to be there.
    folders: Mutex<HashSet<String>>,
}

impl DiskFolder {
    /// The full path of an output, whose folder is there then.
    fn place(&self, to: &ExtractionFolder<'_>, output: &str) -> Result<PathBuf> {
        let (folder, _) = output.rsplit_once('/').unwrap_or_default();
        let folders = || self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if folders().contains(folder) {
            return Ok(to.folder.join(output));
        }
        fs::create_dir_all(to.folder).map_err(|error| Error::io_of(to.folder, error))?;
        let path = match to.follow_links {
            true => to.folder.join(output),
            false => prepare(to.folder, output)?,
        };
        if let Some(folder) = path.parent().filter(|_| to.follow_links) {
            fs::create_dir_all(folder).map_err(|error| Error::io_of(folder, error))?;
        }
        folders().insert(folder.to_owned());
        Ok(path)
    }
}

impl FileSink for DiskFolder {
    fn refuse_existing(
        &self,
        to: &ExtractionFolder<'_>,
        outputs: &mut dyn Iterator<Item = &str>,
    ) -> Result<()> {
        // A new folder, or an empty one, has none of them.
        if fs::read_dir(to.folder).map_or(true, |mut entries| entries.next().is_none()) {
            return Ok(());
        }
        for output in outputs {
            let path = to.folder.join(output);
            if path.symlink_metadata().is_ok() {
                return Err(exists(&path));
            }
        }
        Ok(())
    }

    fn write(
        &self,
        to: &ExtractionFolder<'_>,
        output: &str,
        fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Vec<Finding>> {
        let path = self.place(to, output)?;
        if to.force && path.symlink_metadata().is_ok() {
            let mut new = match to.follow_links {
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
