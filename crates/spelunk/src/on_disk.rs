//! Files that are read when their bytes are asked for, and not before.

use crate::{
    Bytes, Result, Source,
    pack::{build::Changed, hash, opened, size, told},
    verbs::{Disk, FileName, Files},
};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};
use twox_hash::XxHash3_64;

/// What is told when a file has been read that is not what was extracted.
#[derive(Debug)]
pub(crate) struct Watch {
    pub(crate) file: String,
    /// The hash of what was extracted.
    pub(crate) known: String,
    pub(crate) changed: Changed,
}

/// A file that is open only while it is read from its start to its end.
pub(crate) struct OnDisk {
    files: Arc<dyn Files>,
    name: FileName,
    len: u64,
    pub(crate) watch: Option<Watch>,
    reading: Mutex<Option<Reading>>,
}

struct Reading {
    source: Arc<dyn Source>,
    at: u64,
    hasher: XxHash3_64,
}

impl std::fmt::Debug for OnDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OnDisk").field("name", &self.name).finish_non_exhaustive()
    }
}

impl OnDisk {
    pub(crate) fn new(path: PathBuf) -> Result<OnDisk> {
        OnDisk::of(&(Arc::new(Disk) as Arc<dyn Files>), path.into())
    }

    /// The same of any files.
    pub(crate) fn of(files: &Arc<dyn Files>, name: FileName) -> Result<OnDisk> {
        let len = size(&**files, &name)?;
        Ok(OnDisk { files: files.clone(), name, len, watch: None, reading: Mutex::default() })
    }
}

impl Source for OnDisk {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = match reading.take().filter(|open| open.at == offset) {
            Some(open) => open,
            None => {
                let source = opened(&*self.files, &self.name)?;
                Reading { source, at: offset, hasher: XxHash3_64::new() }
            }
        };
        let read = open.source.read_at(offset, buffer);
        read.map_err(|error| told(&self.name, error))?;
        open.at = open.at.saturating_add(buffer.len() as u64);
        if let Some(watch) = &self.watch {
            use std::hash::Hasher;
            open.hasher.write(buffer);
            let found = format!("{:#018x}", open.hasher.finish());
            if open.at == self.len && found != watch.known {
                watch.changed.add(&watch.file);
            }
        }
        if open.at < self.len {
            *reading = Some(open);
        }
        Ok(())
    }

    /// Nothing is there to be read, but whether that is what was extracted is to be told.
    fn lend(&self, _: std::ops::Range<u64>) -> Option<Bytes> {
        if let Some(watch) = self.watch.as_ref().filter(|_| self.len == 0)
            && hash(&[]) != watch.known
        {
            watch.changed.add(&watch.file);
        }
        None
    }
}
