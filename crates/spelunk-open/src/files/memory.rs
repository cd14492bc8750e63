//! Files without a disk: in memory, or read from wherever they are, range by range. For pages, and for tests.

use super::{
    Create, FileName, FileStamp, Files, FolderItem, Listing, NewFile, Nowhere, Reading, Turn,
    held::{HeldContent, out_of_memory},
};
use snpak::edit::append::{InPlace, Medium};
use spelunk_core::{
    Bytes, Error, Finding, Result, Source, codes, folder::Links, replace::Existing,
    safe_path::is_harmless, source::Mapping,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Cursor, Seek, SeekFrom, Write},
    ops::Bound,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Files in memory, by names with slashes between folders, and files that are read where they are. Clones share them. What is
/// written is in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: Arc<Mutex<BTreeMap<FileName, HeldContent>>>,
}

impl Memory {
    /// No files.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<FileName, HeldContent>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a file, in place of the one of this name.
    pub fn put(&self, name: impl Into<FileName>, bytes: impl Into<Bytes>) {
        self.files().insert(name.into(), HeldContent::Bytes(bytes.into()));
    }

    /// Adds a file that is read where it is, in place of the one of this name.
    pub fn put_source(&self, name: impl Into<FileName>, source: Arc<dyn Source>) {
        self.files().insert(name.into(), HeldContent::Source(source));
    }

    /// The bytes of a file that is in memory; `None` for others.
    pub fn get(&self, name: impl Into<FileName>) -> Option<Bytes> {
        match self.files().get(&name.into()) {
            Some(HeldContent::Bytes(bytes)) => Some(bytes.clone()),
            _ => None,
        }
    }

    /// Removes a file; gives its bytes, if it was in memory.
    pub fn remove(&self, name: impl Into<FileName>) -> Option<Bytes> {
        match self.files().remove(&name.into()) {
            Some(HeldContent::Bytes(bytes)) => Some(bytes),
            _ => None,
        }
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
        let found = self.files().get(name).map(HeldContent::source);
        found.ok_or_else(|| Error::io(missing()))
    }

    fn len(&self, name: &FileName) -> Option<u64> {
        self.files().get(name).map(HeldContent::len)
    }

    fn seen(&self, name: &FileName) -> Option<FileStamp> {
        self.files().get(name).cloned().map(FileStamp::Content)
    }

    fn is_folder(&self, name: &FileName) -> bool {
        let start = beginning(name);
        let files = self.files();
        below(&files, name, Bound::Included(&start)).any(|(_, within)| within != Path::new(""))
    }

    fn folders(&self, name: &FileName) -> Vec<FileName> {
        let files = self.files();
        let mut folders = BTreeSet::new();
        let mut from = beginning(name);
        // What lies in a folder that was met is passed over.
        while let Some((file, within)) = below(&files, name, Bound::Included(&from)).find(is_deep) {
            let folder = within.components().next().map_or(name.clone(), |step| name.join(step));
            // With slashes of another kind it lies behind that.
            from = followed(&folder, "0").max(followed(file, "\0"));
            folders.insert(folder);
        }
        folders.into_iter().collect()
    }

    fn around(&self, name: &FileName) -> [FileName; 2] {
        let beside = name.as_path().parent().unwrap_or(Path::new(""));
        [beside.into(), beside.parent().unwrap_or(Path::new("")).into()]
    }

    fn list(&self, name: &FileName, depth: usize, _: Links) -> Listing<'_> {
        let name = name.clone();
        let mut last = None;
        let mut batch = Vec::new().into_iter();
        // So many at a time, and others may use the files meanwhile.
        Box::new(std::iter::from_fn(move || {
            loop {
                if let Some(listed) = batch.next() {
                    return Some(listed);
                }
                let files = self.files();
                let start = beginning(&name);
                let from = last.as_ref().map_or(Bound::Included(&start), Bound::Excluded);
                let seen: Vec<_> = below(&files, &name, from).take(BATCH).collect();
                let next = seen.last().map(|(file, _)| (*file).clone());
                let listed = seen.into_iter().filter_map(|(file, within)| {
                    let is_below = (1..=depth).contains(&within.components().count());
                    is_below.then(|| FolderItem::File(file.clone(), within.into()))
                });
                batch = listed.collect::<Vec<_>>().into_iter();
                last = Some(next?);
            }
        }))
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

/// Number of names that are looked at, at a time.
const BATCH: usize = 1024;

/// Returns the first name that may lie below a folder: the folder itself, without slashes at its end.
fn beginning(folder: &FileName) -> FileName {
    folder.as_path().components().as_path().into()
}

/// A name with a letter more: `0` comes right behind the slash, and nothing lies before a zero byte.
fn followed(name: &FileName, by: &str) -> FileName {
    let mut name = name.as_os_str().to_owned();
    name.push(by);
    name.into()
}

/// Whether a file lies in a folder of the folder that it is below.
fn is_deep((_, within): &(&FileName, &Path)) -> bool {
    within.components().count() > 1
}

/// The files that lie below a folder, with their names within it, and the file of its name. They lie among others whose names
/// begin alike.
fn below<'f>(
    files: &'f BTreeMap<FileName, HeldContent>,
    folder: &'f FileName,
    from: Bound<&FileName>,
) -> impl Iterator<Item = (&'f FileName, &'f Path)> + use<'f> {
    let folder = folder.as_path().components().as_path();
    let start = folder.as_os_str().as_encoded_bytes();
    let from = files.range::<FileName, _>((from, Bound::Unbounded)).map(|(file, _)| file);
    from.take_while(move |file| file.as_os_str().as_encoded_bytes().starts_with(start))
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
    old: HeldContent,
}

impl Waiting {
    fn is_as_before(&self) -> bool {
        self.files.files().get(&self.name) == Some(&self.old)
    }
}

impl Turn for Waiting {
    fn begin(self: Box<Self>, existing: Existing) -> Result<Box<dyn NewFile>> {
        match self.is_as_before() {
            true => Ok(self.files.begin(&self.name, existing)),
            false => Err(Error::new(&codes::CHANGED).found(self.name.to_string())),
        }
    }
}

impl InPlace for Waiting {
    fn source(&self, _: Mapping) -> Result<Arc<dyn Source>> {
        Ok(self.old.source())
    }

    fn begin(self: Box<Self>) -> Result<Box<dyn Medium>> {
        if !self.is_as_before() {
            return Err(Error::new(&codes::CHANGED).found(self.name.to_string()));
        }
        let Waiting { files, name, old } = *self;
        Ok(Box::new(Grown { files, name, bytes: old.to_vec()? }))
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
        self.files.put(self.name.clone(), self.bytes.clone());
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
        let (content, end) =
            (self.bytes.get_ref(), self.bytes.position().saturating_add(bytes.len() as u64));
        let more = end.saturating_sub(content.len() as u64);
        let more = usize::try_from(more).map_err(|_| out_of_memory())?;
        self.bytes.get_mut().try_reserve(more).map_err(|_| out_of_memory())?;
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
    fn written(&mut self) -> Result<Arc<dyn Source>> {
        Ok(Arc::new(Bytes::copy_from_slice(self.bytes.get_ref())))
    }

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
        files.insert(name, HeldContent::Bytes(bytes.into_inner().into()));
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are somewhere else.
    struct Elsewhere(Vec<u8>);

    impl Source for Elsewhere {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
            Bytes::from(self.0.clone()).read_at(offset, buffer)
        }
    }

    #[test]
    fn files_elsewhere_are_read_grow_and_are_replaced() {
        let files = Memory::new();
        files.put_source("a", Arc::new(Elsewhere(b"old".to_vec())));
        let name = FileName::from("a");
        assert_eq!((Files::len(&files, &name), files.get("a")), (Some(3), None));
        let read = || {
            let source = files.open(&name, Reading::default()).unwrap();
            let mut bytes = vec![0; source.len() as usize];
            source.read_at(0, &mut bytes).unwrap();
            bytes
        };
        assert_eq!(read(), b"old");
        let stamp = files.seen(&name);
        assert_eq!(files.seen(&name), stamp);
        let late = files.turn(&name, false).unwrap().unwrap();
        let mut medium = files.grow(&name, false).unwrap().begin().unwrap();
        medium.put(3, b" and new").unwrap();
        medium.sync().unwrap();
        assert_eq!(read(), b"old and new");
        assert_ne!(files.seen(&name), stamp);
        // Somebody else wrote since that turn was taken.
        assert_eq!(late.begin(Existing::Replace).err().unwrap().code().id, codes::CHANGED.id);
    }

    #[test]
    fn folders_have_their_files_and_no_others() {
        let files = Memory::new();
        for name in ["a", "a-b/x", "a.x", "a/b", "a/c/d", "a/c/e/f", "a0", "ab/c", "a/z"] {
            files.put(name, Vec::new());
        }
        // More than are looked at, at a time.
        (0..3 * BATCH).for_each(|n| files.put(format!("m/{n:05}/x"), Vec::new()));
        let list = |folder: &str, depth| {
            let listed =
                files.list(&folder.into(), depth, Links::Passed).map(|listed| match listed {
                    FolderItem::File(_, within) => within.to_string(),
                    other => panic!("{other:?}"),
                });
            listed.collect::<Vec<_>>()
        };
        assert_eq!(list("", 1), ["a", "a.x", "a0"]);
        for folder in ["a", "a/"] {
            assert_eq!(list(folder, 1), ["b", "z"]);
            assert_eq!(list(folder, usize::MAX), ["b", "c/d", "c/e/f", "z"]);
        }
        assert_eq!(list("m", 2).len(), 3 * BATCH);
        let folders = |folder: &str| {
            let all = files.folders(&folder.into());
            all.iter().map(FileName::to_string).collect::<Vec<_>>()
        };
        assert_eq!(folders(""), ["a", "a-b", "ab", "m"]);
        assert_eq!(folders("a/c"), ["a/c/e"]);
        assert_eq!(folders("m").len(), 3 * BATCH);
        let is_folder = |name: &str| files.is_folder(&name.into());
        assert!(is_folder("") && is_folder("a") && is_folder("a/c") && is_folder("a-b"));
        assert!(!is_folder("a.x") && !is_folder("a/b") && !is_folder("b"));
    }
}
