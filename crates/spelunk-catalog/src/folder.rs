//! The folder of a catalogue: its parts, none of which ever changes, and the manifest that says which of them are the catalogue.
//!
//! A run writes parts under names that no other run takes, and then the manifest, once: only where it is still the one that the run
//! began with. So a catalogue is always all of what one run left. On a disk new parts have names that no reader takes for tables
//! until then, so that who reads all files of a folder meets no part twice.

use crate::{
    manifest::{MANIFEST, Manifest, PartFile},
    schema::TABLES,
};
use spelunk::{
    Budget, Error, Limits, Result, Source,
    core::{
        folder::Links,
        replace::{Existing, is_temporary},
    },
    open::codes,
    verbs::{Create, FileName, Files, FolderItem, NewFile, Reading},
};
use std::{collections::BTreeSet, fs, io, path::Path, sync::Arc};

/// A folder that holds a catalogue, or is going to.
#[derive(Clone)]
pub(crate) struct CatalogFolder<'f> {
    pub(crate) files: &'f dyn Files,
    pub(crate) dir: FileName,
    /// Whether links are written through.
    pub(crate) follow_links: bool,
}

impl CatalogFolder<'_> {
    /// A file below the folder, by a path with `/`.
    pub(crate) fn name(&self, path: &str) -> FileName {
        self.dir.join(path)
    }

    /// The paths of the files below the folder; nothing where there is no such folder.
    fn list(&self, depth: usize) -> impl Iterator<Item = Result<String>> + '_ {
        let folder = match self.dir.as_url() {
            Some(url) => format!("{}/", url.trim_end_matches('/')).into(),
            None => self.dir.clone(),
        };
        let items = self.files.list(&folder, depth, Links::followed(self.follow_links));
        items.filter_map(|item| match item {
            FolderItem::File(_, within) => Some(Ok(with_slashes(within.as_path()))),
            FolderItem::Link(name) => Some(Ok(name.to_string())),
            FolderItem::Unreadable(_, error) if error.kind() == io::ErrorKind::NotFound => None,
            FolderItem::Unreadable(name, error) => Some(Err(Error::io_of(name.as_path(), error))),
        })
    }

    /// Refuses a folder that holds other things than a catalogue.
    ///
    /// # Errors
    /// [`NO_CATALOGUE`](codes::NO_CATALOGUE); input.
    pub(crate) fn check(&self) -> Result<()> {
        if self.files.len(&self.name(MANIFEST)).is_some() {
            return Ok(());
        }
        for path in self.list(usize::MAX) {
            if !is_own(&path?) {
                return Err(Error::new(&codes::NO_CATALOGUE).found(self.dir.to_string()));
            }
        }
        Ok(())
    }

    /// The manifest; `None` where there is none, or another version of it.
    ///
    /// # Errors
    /// Input.
    pub(crate) fn manifest(&self) -> Result<Option<Manifest>> {
        let name = self.name(MANIFEST);
        let Some(len) = self.files.len(&name) else { return Ok(None) };
        let text =
            self.files.read(&name, Reading::default(), &mut Budget::new(Limits::for_len(len)));
        Ok(Manifest::parse(&text?))
    }

    /// Opens a part.
    ///
    /// # Errors
    /// Input.
    pub(crate) fn open(&self, part: &PartFile) -> Result<Arc<dyn Source>> {
        self.files.open(&self.name(&part.path), Reading::default())
    }

    /// Whether all parts are there, as long as they should be.
    pub(crate) fn is_whole(&self, manifest: &Manifest) -> bool {
        manifest.parts().all(|part| self.files.len(&self.name(&part.path)) == Some(part.size))
    }

    pub(crate) fn create(&self, path: &str, existing: Existing) -> Result<Box<dyn NewFile>> {
        let (follow_links, below) = (self.follow_links, Some(self.dir.clone()));
        self.files
            .create(&self.name(path), Create { existing, follow_links, below, is_dry_run: false })
    }

    /// The parts that there are. What is listed while nobody else has the turn is no work of a run that begins later.
    pub(crate) fn present(&self) -> Vec<String> {
        self.list(2).filter_map(|path| path.ok().filter(|path| is_part(path))).collect()
    }

    /// Removes files that another run began and did not end, which no listing has.
    pub(crate) fn remove_begun(&self) {
        let folders =
            TABLES.iter().filter_map(|table| self.files.disk_path(&self.name(table.name)));
        for entry in folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten() {
            if entry.file_name().to_str().is_some_and(is_temporary) {
                drop(fs::remove_file(entry.path()));
            }
        }
    }

    /// Removes the parts that were there when a run began and that a manifest does not name. One that stays is for the next run.
    pub(crate) fn remove_unnamed(&self, present: &[String], manifest: &Manifest) {
        let named: BTreeSet<&str> = manifest.parts().map(|part| &*part.path).collect();
        for path in present.iter().filter(|path| !named.contains(&***path)) {
            drop(self.files.remove(&self.name(path)));
        }
    }

    /// The error of a file that another run has.
    pub(crate) fn busy(&self, error: Error) -> Error {
        let others = [&codes::core::BUSY, &codes::core::EXISTS, &codes::core::CHANGED];
        match others.contains(&error.code()) {
            true => Error::new(&codes::CATALOGUE_BUSY).found(self.dir.to_string()),
            false => error,
        }
    }
}

/// The path of a part that waits for its manifest.
pub(crate) fn waiting(path: &str) -> String {
    let (table, name) = path.split_once('/').unwrap_or(("", path));
    format!("{table}/.{name}.{WAITING}")
}

/// What the names of parts end with that wait for their manifest.
const WAITING: &str = "waiting";

/// A path with `/` between folders.
pub(crate) fn with_slashes(path: &Path) -> String {
    let steps: Vec<_> = path.iter().map(|step| step.to_string_lossy()).collect();
    steps.join("/")
}

/// Whether a path below the folder of a catalogue is one of those that runs write.
pub(crate) fn is_own(path: &str) -> bool {
    path == MANIFEST || is_part(path)
}

/// Whether a path below the folder of a catalogue is that of a part.
fn is_part(path: &str) -> bool {
    let Some((table, name)) = path.split_once('/') else { return false };
    let waiting = name.strip_prefix('.').and_then(|name| name.strip_suffix(WAITING));
    let name = match waiting {
        Some(name) => name.strip_suffix('.').unwrap_or_default(),
        None => name,
    };
    TABLES.iter().any(|known| known.name == table) && is_part_name(name)
}

/// Whether a name is that of a part of this or an earlier version.
fn is_part_name(name: &str) -> bool {
    let Some(name) = name.strip_prefix("part-").and_then(|name| name.strip_suffix(".parquet"))
    else {
        return false;
    };
    let (number, id) = name.split_once('-').unwrap_or((name, ""));
    let is_number = number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_id = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_number && (is_id || !name.contains('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_known_by_their_names() {
        for own in [
            "files/part-00017.parquet",
            "hashes/part-123456-00ff00ff00ff00ff.parquet",
            "hashes/.part-00000-00ff00ff00ff00ff.parquet.waiting",
            MANIFEST,
        ] {
            assert!(is_own(own), "{own}");
        }
        for other in [
            "part-00017.parquet",
            "others/part-00017.parquet",
            "files/part-17.parquet",
            "files/part-00017.csv",
            "files/part-0001x.parquet",
            "files/part-00017-.parquet",
            "files/part-00017-00ff.parquet",
            "files/part-.parquet",
            "files/.part-00017.parquet",
            "files/sub/part-00017.parquet",
        ] {
            assert!(!is_own(other), "{other}");
        }
    }
}
