//! The files that the page may touch: those of the folder that was opened, and temporary ones.

use spelunk::{
    Error, Opened, Options, Result,
    core::{Source, folder::Links},
    open::{
        codes,
        detect::Formats,
        files::{FolderItem, Listing},
    },
    verbs::{Create, Disk, FileName, FileStamp, Files, InPlace, NewFile, Reading, Turn},
};
use std::{
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// Files of the disk within some folders. Names lead nowhere else, neither by steps upwards nor over links.
#[derive(Clone, Debug)]
pub struct Confined {
    /// Folders in which files are read, free of links.
    readable: Arc<[PathBuf]>,
    /// Folders in which files are written, free of links.
    writable: Arc<[PathBuf]>,
}

impl Confined {
    /// The files of these folders, which are there.
    ///
    /// # Errors
    /// When a folder is not there.
    pub fn new(readable: &[&Path], writable: &[&Path]) -> Result<Confined> {
        let found = |folders: &[&Path]| -> io::Result<Arc<[PathBuf]>> {
            folders.iter().map(|folder| folder.canonicalize()).collect()
        };
        Ok(Confined { readable: found(readable)?, writable: found(writable)? })
    }

    /// Where a name leads, whether or not something is there; `None` where that cannot be found out.
    fn target(name: &FileName) -> Option<PathBuf> {
        let path = std::path::absolute(name.as_path()).ok()?;
        if let Ok(found) = path.canonicalize() {
            return Some(found);
        }
        // A link to nothing leads where it says, not where it lies.
        if path.is_symlink() {
            return None;
        }
        let (folder, found) = path
            .ancestors()
            .skip(1)
            .find_map(|folder| Some((folder, folder.canonicalize().ok()?)))?;
        let rest = path.strip_prefix(folder).ok()?;
        let is_plain = rest.components().all(|step| matches!(step, Component::Normal(_)));
        is_plain.then(|| found.join(rest))
    }

    fn is_within(name: &FileName, folders: &[PathBuf]) -> bool {
        !name.is_stream()
            && Confined::target(name)
                .is_some_and(|path| folders.iter().any(|it| path.starts_with(it)))
    }

    fn reads(&self, name: &FileName) -> bool {
        Confined::is_within(name, &self.readable)
    }

    fn read(&self, name: &FileName) -> Result<()> {
        match self.reads(name) {
            true => Ok(()),
            false => Err(outside(name, &self.readable)),
        }
    }

    fn write(&self, name: &FileName) -> Result<()> {
        match Confined::is_within(name, &self.writable) {
            true => Ok(()),
            false => Err(outside(name, &self.writable)),
        }
    }
}

fn outside(name: &FileName, folders: &[PathBuf]) -> Error {
    let folders: Vec<String> = folders.iter().map(|it| it.display().to_string()).collect();
    Error::new(&codes::core::BAD_TARGET)
        .expected(format!("a file in {}", folders.join(" or in ")))
        .found(name.to_string())
}

impl Files for Confined {
    fn open(&self, name: &FileName, how: Reading) -> Result<Arc<dyn Source>> {
        self.read(name)?;
        Disk.open(name, how)
    }

    fn len(&self, name: &FileName) -> Option<u64> {
        self.reads(name).then(|| Disk.len(name))?
    }

    fn now(&self) -> Option<SystemTime> {
        Disk.now()
    }

    fn modified(&self, name: &FileName) -> Option<SystemTime> {
        self.reads(name).then(|| Disk.modified(name))?
    }

    fn seen(&self, name: &FileName) -> Option<FileStamp> {
        self.reads(name).then(|| Disk.seen(name))?
    }

    fn disk_path(&self, name: &FileName) -> Option<PathBuf> {
        self.reads(name).then(|| Disk.disk_path(name))?
    }

    fn is_folder(&self, name: &FileName) -> bool {
        self.reads(name) && Disk.is_folder(name)
    }

    fn open_folder(&self, name: &FileName, options: &Options) -> Result<Option<Opened>> {
        self.read(name)?;
        Disk.open_folder(name, options)
    }

    fn is_container(&self, name: &FileName, formats: &Formats) -> bool {
        self.reads(name) && Disk.is_container(name, formats)
    }

    fn parts(&self, name: &FileName) -> Vec<FileName> {
        if self.reads(name) { Disk.parts(name) } else { Vec::new() }
    }

    fn whole(&self, name: &FileName) -> Result<FileName> {
        Disk.whole(name)
    }

    fn folders(&self, name: &FileName) -> Vec<FileName> {
        match self.reads(name) {
            true => Disk.folders(name).into_iter().filter(|it| self.reads(it)).collect(),
            false => Vec::new(),
        }
    }

    fn around(&self, name: &FileName) -> [FileName; 2] {
        Disk.around(name)
    }

    fn list(&self, name: &FileName, depth: usize, links: Links) -> Listing<'_> {
        if let Err(error) = self.read(name) {
            let error = io::Error::new(io::ErrorKind::PermissionDenied, error.to_string());
            return Box::new(std::iter::once(FolderItem::Unreadable(name.clone(), error)));
        }
        Disk.list(name, depth, links)
    }

    fn place(&self, name: &FileName) -> Option<FileName> {
        self.reads(name).then(|| Disk.place(name))?
    }

    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>> {
        self.write(name)?;
        Disk.create(name, how)
    }

    fn remove(&self, name: &FileName) -> Result<()> {
        self.write(name)?;
        Disk.remove(name)
    }

    fn turn(&self, name: &FileName, force: bool) -> Result<Option<Box<dyn Turn>>> {
        self.write(name)?;
        Disk.turn(name, force)
    }

    fn grow(&self, name: &FileName, force: bool) -> Result<Box<dyn InPlace>> {
        self.write(name)?;
        Disk.grow(name, force)
    }

    fn locate(&self, folder: &FileName, path: &str) -> io::Result<FileName> {
        let found = Disk.locate(folder, path)?;
        match self.reads(&found) {
            true => Ok(found),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn lies_in(&self, name: &FileName, folder: &FileName) -> bool {
        self.reads(name) && Disk.lies_in(name, folder)
    }
}
