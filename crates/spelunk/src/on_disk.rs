//! Files that are read when their bytes are asked for, and not before.

use crate::{
    Bytes, Result, Source,
    pack::{build::Changed, hash, named},
};
use std::{
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom},
    path::PathBuf,
    sync::{Mutex, PoisonError},
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
#[derive(Debug)]
pub(crate) struct OnDisk {
    path: PathBuf,
    len: u64,
    pub(crate) watch: Option<Watch>,
    reading: Mutex<Option<Reading>>,
}

struct Reading {
    file: File,
    at: u64,
    hasher: XxHash3_64,
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").field("at", &self.at).finish_non_exhaustive()
    }
}

impl OnDisk {
    pub(crate) fn new(path: PathBuf) -> Result<OnDisk> {
        let len = fs::metadata(&path).map_err(|error| named(&path, error))?.len();
        Ok(OnDisk { path, len, watch: None, reading: Mutex::default() })
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = match reading.take().filter(|open| open.at == offset) {
            Some(open) => open,
            None => {
                let mut file = File::open(&self.path)?;
                file.seek(SeekFrom::Start(offset))?;
                Reading { file, at: offset, hasher: XxHash3_64::new() }
            }
        };
        open.file.read_exact(buffer)?;
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
}

impl Source for OnDisk {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.read(offset, buffer).map_err(|error| named(&self.path, error))
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
