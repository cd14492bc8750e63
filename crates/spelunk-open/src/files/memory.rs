//! Files in memory: for pages, and for tests.

use super::{Create, FileName, Files, Listed, Listing, NewFile, Nowhere, Reading, Seen, Turn};
use snpak::edit::append::{InPlace, Medium};
use spelunk_core::{
    Bytes, Error, Finding, Result, Source, codes, folder::Links, replace::Existing,
    safe_path::is_harmless,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Cursor, Seek, SeekFrom, Write},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Files in memory, by names with slashes between folders. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: Arc<Mutex<BTreeMap<FileName, Bytes>>>,
}

impl Memory {
    /// No files.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<FileName, Bytes>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a file, in place of the one of this name.
    pub fn put(&self, name: impl Into<FileName>, bytes: impl Into<Bytes>) {
        self.files().insert(name.into(), bytes.into());
    }

    /// The bytes of a file.
    pub fn get(&self, name: impl Into<FileName>) -> Option<Bytes> {
        self.files().get(&name.into()).cloned()
    }

    /// Removes a file; gives its bytes.
    pub fn remove(&self, name: impl Into<FileName>) -> Option<Bytes> {
        self.files().remove(&name.into())
    }

    /// The names of all files.
    pub fn names(&self) -> Vec<FileName> {
        self.files().keys().cloned().collect()
    }

    fn begin(&self, name: &FileName, existing: Existing) -> Box<dyn NewFile> {
        let bytes = Cursor::new(Vec::new());
        Box::new(New { files: self.clone(), name: name.clone(), existing, bytes })
    }
}

impl Files for Memory {
    fn open(&self, name: &FileName, _: Reading) -> Result<Arc<dyn Source>> {
        let found = self.files().get(name).cloned();
        Ok(Arc::new(found.ok_or_else(|| Error::io(missing()))?))
    }

    fn len(&self, name: &FileName) -> Option<u64> {
        self.files().get(name).map(|bytes| bytes.len() as u64)
    }

    fn seen(&self, name: &FileName) -> Option<Seen> {
        self.files().get(name).cloned().map(Seen::Content)
    }

    fn is_folder(&self, name: &FileName) -> bool {
        below(&self.files(), name).any(|(_, within)| within != Path::new(""))
    }

    fn folders(&self, name: &FileName) -> Vec<FileName> {
        let files = self.files();
        let folders = below(&files, name).filter_map(|(_, within)| {
            let mut steps = within.components();
            let folder = steps.next()?;
            steps.next().map(|_| name.join(folder))
        });
        folders.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn around(&self, name: &FileName) -> [FileName; 2] {
        let beside = name.as_path().parent().unwrap_or(Path::new(""));
        [beside.into(), beside.parent().unwrap_or(Path::new("")).into()]
    }

    fn list(&self, name: &FileName, depth: usize, _: Links) -> Listing<'_> {
        let files = self.files();
        let listed = below(&files, name).filter_map(|(file, within)| {
            let is_below = (1..=depth).contains(&within.components().count());
            is_below.then(|| Listed::File(file.clone(), within.into()))
        });
        Box::new(listed.collect::<Vec<_>>().into_iter())
    }

    fn place(&self, name: &FileName) -> Option<FileName> {
        self.files().contains_key(name).then(|| name.clone())
    }

    fn create(&self, name: &FileName, how: Create) -> Result<Box<dyn NewFile>> {
        if name.is_stream() {
            let error = Error::new(&codes::BAD_TARGET).expected("the name of a file");
            return Err(error.found("a standard stream"));
        }
        if how.existing == Existing::Refuse && self.files().contains_key(name) {
            return Err(exists(name));
        }
        Ok(match how.is_dry_run {
            true => Box::new(Nowhere::default()),
            false => self.begin(name, how.existing),
        })
    }

    fn remove(&self, name: &FileName) -> Result<()> {
        self.files().remove(name).map(drop).ok_or_else(|| Error::io(missing()))
    }

    fn turn(&self, name: &FileName, _: bool) -> Result<Option<Box<dyn Turn>>> {
        let there = self.files().get(name).cloned();
        let turn = |old| Box::new(Waiting { files: self.clone(), name: name.clone(), old });
        Ok(there.map(|old| turn(old) as Box<dyn Turn>))
    }

    fn grow(&self, name: &FileName, _: bool) -> Result<Box<dyn InPlace>> {
        let old = self.files().get(name).cloned().ok_or_else(|| Error::io(missing()))?;
        Ok(Box::new(Waiting { files: self.clone(), name: name.clone(), old }))
    }

    fn locate(&self, folder: &FileName, path: &str) -> io::Result<FileName> {
        if !path.split('/').all(is_harmless) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let name = FileName::from(folder.as_path().join(path));
        if self.files().contains_key(&name) { Ok(name) } else { Err(missing()) }
    }

    fn lies_in(&self, name: &FileName, folder: &FileName) -> bool {
        name.as_path().starts_with(folder.as_path()) && self.files().contains_key(name)
    }
}

/// The files that lie below a folder, with their names within it, and the file of its name. They lie side by side among others whose
/// names begin alike.
fn below<'f>(
    files: &'f BTreeMap<FileName, Bytes>,
    folder: &'f FileName,
) -> impl Iterator<Item = (&'f FileName, &'f Path)> {
    // Without slashes at its end.
    let folder = folder.as_path().components().as_path();
    let start = folder.as_os_str().as_encoded_bytes();
    let alike = move |file: &FileName| file.as_os_str().as_encoded_bytes().starts_with(start);
    let from = files.range(FileName::from(folder)..).map(|(file, _)| file);
    from.take_while(move |file| alike(file))
        .filter_map(move |file| Some((file, file.as_path().strip_prefix(folder).ok()?)))
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no such file")
}

fn exists(name: &FileName) -> Error {
    Error::new(&codes::EXISTS).found(name.to_string())
}

/// A file that is to be replaced, or to grow, and what it was.
#[derive(Debug)]
struct Waiting {
    files: Memory,
    name: FileName,
    old: Bytes,
}

impl Turn for Waiting {
    fn begin(self: Box<Self>, existing: Existing) -> Result<Box<dyn NewFile>> {
        match self.files.get(self.name.as_os_str()) == Some(self.old) {
            true => Ok(self.files.begin(&self.name, existing)),
            false => Err(Error::new(&codes::CHANGED).found(self.name.to_string())),
        }
    }
}

impl InPlace for Waiting {
    fn source(&self) -> Result<Arc<dyn Source>> {
        Ok(Arc::new(self.old.clone()))
    }

    fn begin(self: Box<Self>) -> Result<Box<dyn Medium>> {
        let Waiting { files, name, old } = *self;
        match files.get(name.as_os_str()).as_ref() == Some(&old) {
            true => Ok(Box::new(Grown { files, name, bytes: old.to_vec() })),
            false => Err(Error::new(&codes::CHANGED).found(name.to_string())),
        }
    }
}

/// A file that grows.
struct Grown {
    files: Memory,
    name: FileName,
    bytes: Vec<u8>,
}

impl Medium for Grown {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut new = Cursor::new(std::mem::take(&mut self.bytes));
        new.set_position(offset);
        let put = new.write_all(bytes);
        self.bytes = new.into_inner();
        put
    }

    fn sync(&mut self) -> io::Result<()> {
        self.files.files().insert(self.name.clone(), self.bytes.clone().into());
        Ok(())
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.bytes.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        self.sync()
    }
}

/// A file that is being written.
struct New {
    files: Memory,
    name: FileName,
    existing: Existing,
    bytes: Cursor<Vec<u8>>,
}

impl Write for New {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for New {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

impl NewFile for New {
    fn commit(self: Box<Self>) -> Result<Vec<Finding>> {
        let New { files, name, existing, bytes } = *self;
        let mut files = files.files();
        match (existing, files.get(&name).cloned()) {
            (Existing::Refuse, Some(_)) => return Err(exists(&name)),
            (Existing::Backup(suffix), Some(old)) => {
                let mut backup = name.as_os_str().to_owned();
                backup.push(suffix);
                let backup = FileName::from(backup);
                if files.contains_key(&backup) {
                    return Err(exists(&backup));
                }
                files.insert(backup, old);
            }
            _ => {}
        }
        files.insert(name, bytes.into_inner().into());
        Ok(Vec::new())
    }
}
