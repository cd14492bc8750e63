//! Parts on their way: written, and not yet of the catalogue.

use crate::{
    folder::{CatalogFolder, waiting},
    manifest::{MANIFEST, Manifest, PartFile},
    schema::{TABLES, Table},
};
use spelunk::{
    Error, Options, Result, Source,
    core::{
        replace::Existing,
        unfinished::{Undo, Unfinished},
    },
    open::{codes, hashes::read_all},
    verbs::NewFile,
};
use std::{
    collections::{BTreeSet, hash_map::RandomState},
    convert::Infallible,
    fs,
    hash::{BuildHasher, Hasher},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use twox_hash::XxHash3_128;

/// New parts in the folder of a catalogue, which no manifest names yet. When they are dropped before they are [kept](NewParts::keep),
/// they go.
pub(crate) struct NewParts<'f> {
    pub(crate) folder: &'f CatalogFolder<'f>,
    /// A number that nobody else has, who writes parts.
    id: String,
    /// On a disk: what is left when the process has to end.
    unfinished: Option<(Leavings, Unfinished)>,
    /// The parts that were written, or are just going to be.
    written: Vec<String>,
}

impl<'f> NewParts<'f> {
    /// Begins without any. `is_first` where the run began the catalogue, which goes then, too.
    pub(crate) fn begin(folder: &'f CatalogFolder<'f>, is_first: bool) -> NewParts<'f> {
        let random = RandomState::new().build_hasher().finish();
        let manifest = folder.files.disk_path(&folder.name(MANIFEST));
        let unfinished = manifest.map(|manifest| {
            let leavings = Leavings { manifest, is_first, parts: Arc::default() };
            let undone = leavings.clone();
            let undo: Undo = Box::new(move || undone.remove());
            let Ok(begun) = Unfinished::begin(|| Ok::<_, Infallible>((leavings, undo)));
            begun
        });
        NewParts { folder, id: format!("{random:016x}"), unfinished, written: Vec::new() }
    }

    /// The path of a new part.
    pub(crate) fn path(&self, table: &Table, part: usize) -> String {
        format!("{}/part-{part:05}-{}.parquet", table.name, self.id)
    }

    /// Opens a part of the catalogue as it was when the run began.
    ///
    /// # Errors
    /// [`CATALOGUE_BUSY`](codes::CATALOGUE_BUSY) when another run has replaced it; input.
    pub(crate) fn open_old(&self, part: &PartFile) -> Result<Arc<dyn Source>> {
        self.folder.open(part).map_err(|error| match self.folder.manifest() {
            Ok(Some(now)) if !now.parts().any(|it| it == part) => {
                Error::new(&codes::CATALOGUE_BUSY).found(self.folder.dir.to_string())
            }
            _ => error,
        })
    }

    /// Whether a part of the old catalogue still has its bytes.
    pub(crate) fn is_sound(&self, part: &PartFile, options: &Options) -> bool {
        let mut hash = XxHash3_128::new();
        let read = self.folder.open(part).and_then(|source| {
            read_all(&*source, options.cancel.as_ref(), &mut |bytes| hash.write(bytes))
        });
        read.is_ok() && format!("{:032x}", hash.finish_128()) == part.xxh3
    }

    /// Begins the file of a new part.
    ///
    /// # Errors
    /// Output.
    pub(crate) fn create(&self, path: &str) -> Result<Box<dyn NewFile>> {
        match self.is_on_disk() {
            true => self.folder.create(&waiting(path), Existing::Replace),
            false => self.folder.create(path, Existing::Replace),
        }
    }

    /// Takes note of a part that is there, or about to be: afterwards would be too late for a process that is ended in between.
    pub(crate) fn add(&mut self, path: &str) {
        if let Some((leavings, _)) = &self.unfinished {
            let paths = [self.disk_path(&waiting(path)), self.disk_path(path)];
            leavings.parts().extend(paths.into_iter().flatten().map(|it| (path.to_owned(), it)));
        }
        self.written.push(path.to_owned());
    }

    /// Leaves the parts to the manifest that names them, or is going to.
    pub(crate) fn keep(&mut self) {
        self.written.clear();
        self.unfinished = None;
    }

    pub(crate) fn is_on_disk(&self) -> bool {
        self.unfinished.is_some()
    }

    fn disk_path(&self, path: &str) -> Option<PathBuf> {
        self.folder.files.disk_path(&self.folder.name(path))
    }

    /// On a disk, gives the parts the names that readers take for tables.
    pub(crate) fn reveal(&self) -> Result<()> {
        if !self.is_on_disk() {
            return Ok(());
        }
        for path in &self.written {
            if let (Some(from), Some(to)) = (self.disk_path(&waiting(path)), self.disk_path(path)) {
                fs::rename(&from, to).map_err(|error| Error::io_of(&from, error))?;
            }
        }
        #[cfg(unix)]
        for folder in TABLES.iter().filter_map(|table| self.disk_path(table.name)) {
            let synced = fs::File::open(&folder).and_then(|folder| folder.sync_all());
            synced.map_err(|error| Error::io_of(&folder, error))?;
        }
        Ok(())
    }
}

impl Drop for NewParts<'_> {
    fn drop(&mut self) {
        if let Some((leavings, _)) = self.unfinished.take() {
            return leavings.remove();
        }
        for path in &self.written {
            drop(self.folder.files.remove(&self.folder.name(path)));
        }
    }
}

/// What a run leaves on a disk that does not come to its end.
#[derive(Clone)]
struct Leavings {
    manifest: PathBuf,
    /// Whether the run began the catalogue.
    is_first: bool,
    /// Paths of parts, as a manifest names them and on the disk.
    parts: Arc<Mutex<Vec<(String, PathBuf)>>>,
}

impl Leavings {
    fn parts(&self) -> MutexGuard<'_, Vec<(String, PathBuf)>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes what is not of the catalogue.
    fn remove(&self) {
        let manifest = fs::read(&self.manifest).ok().and_then(|text| Manifest::parse(&text));
        let named: BTreeSet<&str> =
            manifest.iter().flat_map(Manifest::parts).map(|part| &*part.path).collect();
        for (_, path) in self.parts().iter().filter(|(part, _)| !named.contains(&**part)) {
            drop(fs::remove_file(path));
        }
        if self.is_first && named.is_empty() {
            drop(fs::remove_file(&self.manifest));
        }
    }
}
