//! The files of the system, and its standard streams.

use super::{
    Create, FileContent, FileName, FileSink, FileStamp, Files, FolderItem, Listing, NewFile,
    Nowhere, Reading, Spool, Turn, sink::DiskFolder,
};
use crate::{Opened, Options, archives, detect::Formats, safe_path};
use snpak::edit::append::{InPlace, LockedFile};
use spelunk_core::{
    Error, Finding, Result, Source,
    folder::{self, Below, Links},
    replace::{Existing, FileIdentity, Lock, Replacement},
    source,
};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

/// The files of the system. Names are paths, and `-` is standard input or standard output.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn open(&self, name: &FileName, how: Reading) -> Result<Arc<dyn Source>> {
        match name.is_stream() {
            true => Ok(Arc::new(source::read_stream(&mut io::stdin().lock(), how.most)?)),
            false => source::open(name.as_path(), how.mapping),
        }
    }

    fn len(&self, name: &FileName) -> Option<u64> {
        fs::metadata(name.as_path()).ok().map(|found| found.len())
    }

    fn now(&self) -> Option<SystemTime> {
        Some(SystemTime::now())
    }

    fn modified(&self, name: &FileName) -> Option<SystemTime> {
        fs::metadata(name.as_path()).ok()?.modified().ok()
    }

    fn seen(&self, name: &FileName) -> Option<FileStamp> {
        FileIdentity::of(name.as_path()).ok().map(FileStamp::OnDisk)
    }

    fn disk_path(&self, name: &FileName) -> Option<PathBuf> {
        (!name.is_stream()).then(|| name.as_path().to_owned())
    }

    fn is_folder(&self, name: &FileName) -> bool {
        name.as_path().is_dir()
    }

    fn open_folder(&self, name: &FileName, options: &Options) -> Result<Option<Opened>> {
        archives::open(name.as_path(), options)
    }

    fn is_container(&self, name: &FileName, formats: &Formats) -> bool {
        archives::is_game(name.as_path(), formats)
    }

    fn parts(&self, name: &FileName) -> Vec<FileName> {
        match name.as_path().is_dir() {
            true => archives::find(name.as_path()).into_iter().map(FileName::from).collect(),
            false => Vec::new(),
        }
    }

    fn whole(&self, name: &FileName) -> Result<FileName> {
        Ok(std::path::absolute(name.as_path())?.into())
    }

    fn folders(&self, name: &FileName) -> Vec<FileName> {
        let entries = fs::read_dir(name.as_path()).into_iter().flatten();
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut folders: Vec<FileName> =
            paths.filter(|path| path.is_dir()).map(FileName::from).collect();
        folders.sort();
        folders
    }

    fn around(&self, name: &FileName) -> [FileName; 2] {
        let beside = name.as_path().parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = beside.unwrap_or(Path::new("."));
        [beside.into(), beside.join("..").into()]
    }

    fn list(&self, name: &FileName, depth: usize, links: Links) -> Listing<'_> {
        // No name means the folder that one is in.
        let root = if name.as_os_str().is_empty() { Path::new(".") } else { name.as_path() };
        let root = root.to_owned();
        let listing = folder::list(&root, depth, links);
        let listed = move |below| match below {
            Below::File(path) => {
                let within = path.strip_prefix(&root).unwrap_or(&path).into();
                FolderItem::File(path.into(), within)
            }
            Below::Link(path) => FolderItem::Link(path.into()),
            Below::Unreadable(path, error) => FolderItem::Unreadable(path.into(), error),
        };
        Box::new(listing.map(listed))
    }

    fn place(&self, name: &FileName) -> Option<FileName> {
        fs::canonicalize(name.as_path()).ok().map(FileName::from)
    }

    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>> {
        if name.is_stream() {
            return Ok(Box::new(Spool::new(print)?));
        }
        if let Some(root) = &how.below {
            make_folders(root.as_path(), name.as_path(), &how)?;
        }
        let begun = match how.follow_links {
            true => Replacement::follow(name.as_path(), how.existing),
            false => Replacement::begin(name.as_path(), how.existing),
        };
        match begun {
            // The folder is missing that would be made.
            Err(error) if how.is_dry_run && how.below.is_some() && is_missing(&error) => {
                Ok(Box::new(Nowhere::default()))
            }
            Ok(_) if how.is_dry_run => Ok(Box::new(Nowhere::default())),
            begun => Ok(Box::new(begun?)),
        }
    }

    fn remove(&self, name: &FileName) -> Result<()> {
        Ok(fs::remove_file(name.as_path())?)
    }

    fn sink(&self) -> Box<dyn FileSink + '_> {
        Box::new(DiskFolder::default())
    }

    fn turn(&self, name: &FileName, force: bool) -> Result<Option<Box<dyn Turn>>> {
        if !name.as_path().is_file() {
            return Ok(None);
        }
        let lock = Lock::take(name.as_path())?;
        if !force {
            lock.refuse_read_only()?;
        }
        Ok(Some(Box::new(lock)))
    }

    fn grow(&self, name: &FileName, force: bool) -> Result<Box<dyn InPlace>> {
        Ok(Box::new(LockedFile::open(name.as_path(), force)?))
    }

    fn locate(&self, folder: &FileName, path: &str) -> io::Result<FileName> {
        safe_path::locate(folder.as_path(), path).map(FileName::from)
    }

    fn lies_in(&self, name: &FileName, folder: &FileName) -> bool {
        let [name, folder] = [name, folder].map(|name| fs::canonicalize(name.as_path()));
        matches!((name, folder), (Ok(name), Ok(folder)) if name.starts_with(&folder))
    }
}

impl FileContent {
    /// The file at a path of the disk.
    ///
    /// # Errors
    /// When its size cannot be found out.
    pub fn new(path: PathBuf) -> Result<FileContent> {
        FileContent::of(&(Arc::new(Disk) as Arc<dyn Files>), path.into())
    }
}

/// Makes the folders on the way from `root` to a file. A link among them leads elsewhere.
fn make_folders(root: &Path, file: &Path, how: &Create) -> Result<()> {
    let mut folders = file.ancestors().skip(1).take_while(|folder| *folder != root);
    if let Some(link) = folders.find(|folder| !how.follow_links && folder.is_symlink()) {
        let text = format!("{} is a link, not a folder", link.display());
        return Err(Error::io(io::Error::new(io::ErrorKind::NotADirectory, text)));
    }
    if let Some(folder) = file.parent().filter(|folder| !how.is_dry_run && !folder.exists()) {
        fs::create_dir_all(folder)?;
    }
    Ok(())
}

/// Whether an error is that something is not there.
fn is_missing(error: &Error) -> bool {
    error.io_error().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}

impl Turn for Lock {
    fn begin(self: Box<Self>, existing: Existing) -> Result<Box<dyn NewFile>> {
        Ok(Box::new(Replacement::edit(*self, existing)?))
    }
}

impl NewFile for Replacement {
    fn written(&mut self) -> Result<Arc<dyn Source>> {
        Replacement::written(self)
    }

    fn commit(self: Box<Self>) -> Result<Vec<Finding>> {
        Replacement::commit(*self)
    }
}

/// Copies a complete file to standard output.
fn print(mut file: File) -> Result<Vec<Finding>> {
    let mut out = io::stdout().lock();
    io::copy(&mut file, &mut out).and_then(|_| out.flush()).map_err(|error| {
        Error::io(io::Error::new(error.kind(), format!("standard output: {error}")))
    })?;
    Ok(Vec::new())
}
