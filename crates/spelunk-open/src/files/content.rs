//! Files that are read when their bytes are asked for, and not before.

use super::{FileName, Files, Reading};
use crate::hashes::read_all;
use spelunk_core::{
    Bytes, Cancel, Error, Result, Source,
    source::{Mapping, STREAM_LIMIT},
};
use std::{
    collections::BTreeSet,
    hash::Hasher,
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};
use twox_hash::XxHash3_64;

/// Names of files, gathered while they are read. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Changed(Arc<Mutex<BTreeSet<String>>>);

impl Changed {
    /// Adds a name.
    pub fn add(&self, file: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(file.to_owned());
    }

    /// The names, sorted.
    pub fn sorted(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// The XXH3 (64 bits) of some bytes, as manifests have it: `0x` and 16 digits.
pub fn hash(bytes: &[u8]) -> String {
    hex(XxHash3_64::oneshot(bytes))
}

/// The same of all bytes of a source, which are read a part at a time.
///
/// # Errors
/// Reading errors; [`CANCELLED`](spelunk_core::codes::CANCELLED).
pub fn hash_of(source: &dyn Source, cancel: Option<&Cancel>) -> Result<String> {
    let mut hasher = XxHash3_64::new();
    read_all(source, cancel, &mut |part| hasher.write(part))?;
    Ok(hex(hasher.finish()))
}

fn hex(hash: u64) -> String {
    format!("{hash:#018x}")
}

/// A check of a file that was extracted: when it is read and its content is another one, its name goes to `changed`.
#[derive(Debug)]
pub struct Watch {
    /// The name that it is reported by.
    pub file: String,
    /// The hash of what was extracted.
    pub known: String,
    /// Gathers the names of files that are not what was extracted.
    pub changed: Changed,
}

/// A file that is open only while it is read from its start to its end.
pub struct FileContent {
    files: Arc<dyn Files>,
    name: FileName,
    len: u64,
    /// The check of its content against that of the extraction, where that is of interest.
    pub watch: Option<Watch>,
    reading: Mutex<Option<OpenFile>>,
}

struct OpenFile {
    source: Arc<dyn Source>,
    at: u64,
    hasher: XxHash3_64,
}

impl std::fmt::Debug for FileContent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileContent").field("name", &self.name).finish_non_exhaustive()
    }
}

impl FileContent {
    /// A file of any files.
    ///
    /// # Errors
    /// When its size cannot be found out.
    pub fn of(files: &Arc<dyn Files>, name: FileName) -> Result<FileContent> {
        let len = size(&**files, &name)?;
        Ok(FileContent { files: files.clone(), name, len, watch: None, reading: Mutex::default() })
    }
}

impl Source for FileContent {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = match reading.take().filter(|open| open.at == offset) {
            Some(open) => open,
            None => {
                let source = open_unmapped(&*self.files, &self.name)?;
                OpenFile { source, at: offset, hasher: XxHash3_64::new() }
            }
        };
        let read = open.source.read_at(offset, buffer);
        read.map_err(|error| reading_error(&self.name, error))?;
        open.at = open.at.saturating_add(buffer.len() as u64);
        if let Some(watch) = &self.watch {
            open.hasher.write(buffer);
            let found = hex(open.hasher.finish());
            if open.at == self.len && found != watch.known {
                watch.changed.add(&watch.file);
            }
        }
        if open.at < self.len {
            *reading = Some(open);
        }
        Ok(())
    }

    /// An empty file is never read, so here its content is compared with the extracted one.
    fn lend(&self, _: std::ops::Range<u64>) -> Option<Bytes> {
        if let Some(watch) = self.watch.as_ref().filter(|_| self.len == 0)
            && hash(&[]) != watch.known
        {
            watch.changed.add(&watch.file);
        }
        None
    }
}

/// Returns the size of a file in bytes.
///
/// # Errors
/// When it cannot be opened.
pub fn size(files: &dyn Files, name: &FileName) -> Result<u64> {
    match files.len(name) {
        Some(len) => Ok(len),
        None => Ok(open_unmapped(files, name)?.len()),
    }
}

/// Opens a file that is read, and never mapped: it may be gone before the work is done.
///
/// # Errors
/// When it cannot be opened.
pub fn open_unmapped(files: &dyn Files, name: &FileName) -> Result<Arc<dyn Source>> {
    let how = Reading { mapping: Mapping::Never, most: STREAM_LIMIT };
    files.open(name, how).map_err(|error| reading_error(name, error))
}

/// The error with the name of the file, where reading it failed.
pub fn reading_error(name: &FileName, error: Error) -> Error {
    match error.io_error() {
        Some(io) => Error::io(io::Error::new(io.kind(), format!("{name}: {io}"))),
        None => error,
    }
}

/// The error with the path of the file.
pub fn io_error(path: &Path, error: io::Error) -> Error {
    Error::io(io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}
