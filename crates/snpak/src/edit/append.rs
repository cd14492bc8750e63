//! Appending in place.
//!
//! The order of writes is what keeps the pack safe: everything new goes behind the end of the file, that is made
//! durable, then the 180 bytes of the header are written over in one go, and that is made durable.
//!
//! So wherever it stops, with the program or with the power, and whichever of the bytes that were not yet durable are
//! lost:
//!
//! * before the header is written the old state opens, with bytes behind its end; from then on the new one does;
//! * a header of which only a part arrived opens as one of the two states or not without an error, since the hash of the
//!   index is in it. [`repair`](fn@crate::edit::repair) makes one of the two states of it, whole. The header lies in the
//!   first sector of the file, which disks write at once, so this takes a disk that does not;
//! * an error before the header is complete cuts the file to what it was, byte for byte, as far as the medium still
//!   works; only where the last call fails, which makes the header durable, is the new state there with an error.

use super::draft::Draft;
use crate::{
    build::{Options, lay::BlockMedium},
    codes,
    header::Header,
    pack::{Pack, not_found},
};
use bytes::Bytes;
use spelunk_core::{Error, Finding, Result, Severity, Source, Span, Task, source::Mapping};
use std::{io, sync::Arc};
use zerocopy::IntoBytes;

/// A file that grows. Files are media; others are for trying what happens when one fails.
pub trait Medium {
    /// Returns the number of bytes.
    ///
    /// # Errors
    /// What the medium says.
    fn size(&mut self) -> io::Result<u64>;

    /// Writes all the bytes at this offset, where others may be.
    ///
    /// # Errors
    /// What the medium says; some of the bytes may have been written then.
    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Makes everything that was written durable.
    ///
    /// # Errors
    /// What the medium says.
    fn sync(&mut self) -> io::Result<()>;

    /// Cuts the file to this many bytes.
    ///
    /// # Errors
    /// What the medium says.
    fn cut(&mut self, size: u64) -> io::Result<()>;
}

impl Medium for std::fs::File {
    fn size(&mut self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    #[cfg(unix)]
    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, offset)
    }

    #[cfg(not(unix))]
    fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        use std::io::{Seek, SeekFrom, Write};
        self.seek(SeekFrom::Start(offset))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }

    fn cut(&mut self, size: u64) -> io::Result<()> {
        self.set_len(size)
    }
}

/// Result of an append.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Appended {
    /// Size of the file before, in bytes.
    pub before: u64,
    /// Size of the file now; the same where nothing was new.
    pub size: u64,
}

impl Draft {
    /// Appends the state to the file that its pack was opened from. An append of nothing new does nothing.
    ///
    /// The index that is appended is complete, as that of the newest writers. Where no string is new the old string table
    /// goes on to be used. After an error before the header is written the file is cut to what it was; where even that
    /// fails, the old state opens all the same. Whoever calls has to see to it that nobody else writes to the file
    /// ([`Growing`] locks it).
    ///
    /// # Errors
    /// [`codes::CHANGED`]; what a pack cannot hold; limits; reading and writing errors.
    pub fn append(
        mut self,
        medium: &mut dyn Medium,
        options: Options,
        task: &mut Task<'_>,
    ) -> Result<Appended> {
        let base = self.base.clone().ok_or_else(not_found)?;
        let (before, found) = (base.len(), medium.size()?);
        if found != before {
            let error = Error::new(&codes::CHANGED).at(Span::file(before.min(found), 0));
            return Err(error.expected(format!("{before} bytes")).found(format!("{found} bytes")));
        }
        self.collapse();
        let mut behind = Behind { medium, at: before, waiting: Vec::new() };
        let put = self.put_behind(before, &mut behind, options, task);
        let put = put.and_then(|header| behind.flush().map(|()| header));
        let size = behind.at;
        let header = match put {
            Ok(Some(header)) => header,
            Ok(None) => return Ok(Appended { before, size: before }),
            Err(error) => {
                // The error that matters is the first one; the old state opens either way.
                let _ = medium.cut(before);
                return Err(error);
            }
        };
        if let Err(error) = medium.sync() {
            let _ = medium.cut(before);
            return Err(error.into());
        }
        if let Err(error) = medium.put(0, header.as_bytes()) {
            restore(medium, base.header(), before);
            return Err(error.into());
        }
        // Whether the header arrived nobody knows when this fails. Both states are there, so either opens.
        medium.sync()?;
        Ok(Appended { before, size })
    }
}

/// Puts the old header back. The new blocks go only where that is certain: a header that leads to them may be there.
fn restore(medium: &mut dyn Medium, header: &Header, size: u64) {
    let restored = medium.put(0, header.as_bytes()).and_then(|()| medium.sync());
    if restored.is_ok() {
        let _ = medium.cut(size);
    }
}

/// Blocks that go behind the end of a file.
struct Behind<'m> {
    medium: &'m mut dyn Medium,
    /// Place of the next block.
    at: u64,
    /// Bytes that are to be written before it, in one go.
    waiting: Vec<u8>,
}

/// Number of bytes that are written at a time.
const WRITTEN: usize = 1 << 18;

impl Behind<'_> {
    fn flush(&mut self) -> Result<()> {
        let start = self.at.saturating_sub(self.waiting.len() as u64);
        if !self.waiting.is_empty() {
            self.medium.put(start, &self.waiting)?;
            self.waiting.clear();
        }
        Ok(())
    }
}

impl BlockMedium for Behind<'_> {
    fn put(&mut self, bytes: Bytes) -> Result<()> {
        if self.waiting.len().saturating_add(bytes.len()) > WRITTEN {
            self.flush()?;
        }
        if bytes.len() > WRITTEN {
            self.medium.put(self.at, &bytes)?;
        } else {
            self.waiting.extend_from_slice(&bytes);
        }
        self.at = self.at.saturating_add(bytes.len() as u64);
        Ok(())
    }

    fn leave(&mut self, len: u64) -> Result<bool> {
        self.flush()?;
        self.at = self.at.saturating_add(len);
        Ok(true)
    }

    fn fill(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        Ok(self.medium.put(at, bytes)?)
    }
}

/// A file that is open to grow in place, while nobody else writes to it.
pub trait InPlace: std::fmt::Debug {
    /// Returns the bytes of the file as they are. Of a file that may be mapped the header is not: it is written over in place.
    ///
    /// # Errors
    /// Reading errors.
    fn source(&self, mapping: Mapping) -> Result<Arc<dyn Source>>;

    /// Begins to write. What is written before its first byte is gone again when the process is asked to end.
    ///
    /// # Errors
    /// [`CHANGED`](spelunk_core::codes::CHANGED) where it is not what it was when it was opened; what the medium says.
    fn begin(self: Box<Self>) -> Result<Box<dyn Medium>>;
}

/// A pack that is open for appending. Others who write to it wait meanwhile.
#[derive(Debug)]
pub struct Growing {
    file: Box<dyn InPlace>,
    pack: Arc<Pack>,
}

impl Growing {
    /// Opens the pack in a file. Reading goes on for everybody.
    ///
    /// A pack whose tables do not have their hashes is refused: what would be built on them is not known to be there.
    ///
    /// # Errors
    /// Those of [`Pack::read_from`]; findings of severity error of its tables.
    pub fn of(file: Box<dyn InPlace>, mapping: Mapping, task: &mut Task<'_>) -> Result<Growing> {
        let mut found: Vec<Finding> = Vec::new();
        let mut inner = Task::new(task.budget.clone(), &mut found);
        inner.is_lenient = task.is_lenient;
        let pack = Pack::read_from(file.source(mapping)?, &mut inner)?;
        // What every append asks for.
        pack.ids(&mut inner.budget)?;
        pack.is_regular();
        task.budget = inner.budget;
        for Finding { severity, error } in found {
            if severity == Severity::Error {
                return Err(error);
            }
            task.report(severity, error)?;
        }
        Ok(Growing { file, pack: Arc::new(pack) })
    }

    /// Waits for the turn to write to the pack at `path`, and opens it.
    ///
    /// # Errors
    /// Those of [`LockedFile::open`] and [`Growing::of`].
    #[cfg(feature = "fs")]
    pub fn open(path: &std::path::Path, task: &mut Task<'_>) -> Result<Growing> {
        Growing::of(Box::new(LockedFile::open(path, false)?), Mapping::default(), task)
    }

    /// The pack as it is.
    pub const fn pack(&self) -> &Arc<Pack> {
        &self.pack
    }

    /// Appends a draft of the pack, and lets others write.
    ///
    /// # Errors
    /// Those of [`InPlace::begin`] and [`Draft::append`].
    pub fn append(self, draft: Draft, options: Options, task: &mut Task<'_>) -> Result<Appended> {
        draft.append(&mut *self.file.begin()?, options, task)
    }
}

#[cfg(feature = "fs")]
pub use locked::LockedFile;

#[cfg(feature = "fs")]
mod locked {
    use super::*;
    use crate::header::HEADER_SIZE;
    use spelunk_core::{
        replace::Lock,
        source::FileSource,
        unfinished::{Undo, Unfinished},
    };
    use std::{fs::File, path::Path};

    /// A file of the system that nobody else writes to.
    #[derive(Debug)]
    pub struct LockedFile {
        file: File,
        lock: Lock,
    }

    impl LockedFile {
        /// Waits for the turn to write to the file at `path`, and opens it. With `force` a read-only file is opened too, and
        /// stays read-only.
        ///
        /// # Errors
        /// Those of [`Lock::take`] and [`Lock::open`].
        pub fn open(path: &Path, force: bool) -> Result<LockedFile> {
            // What is not there is not to be waited for.
            path.metadata().map_err(|error| Error::io_of(path, error))?;
            let lock = Lock::take(path)?;
            Ok(LockedFile { file: lock.open(force)?, lock })
        }
    }

    impl InPlace for LockedFile {
        fn source(&self, mapping: Mapping) -> Result<Arc<dyn Source>> {
            let file = self.file.try_clone()?;
            Ok(Arc::new(FileSource::mapped_from(file, HEADER_SIZE.into(), mapping)?))
        }

        fn begin(self: Box<Self>) -> Result<Box<dyn Medium>> {
            let LockedFile { file, lock } = *self;
            lock.check()?;
            let before = file.metadata()?.len();
            let begun = Unfinished::begin(|| {
                let undo = file.try_clone()?;
                let undo: Undo = Box::new(move || drop(undo.set_len(before)));
                io::Result::Ok(((), undo))
            });
            let ((), unfinished) = begun?;
            Ok(Box::new(Safe { file, unfinished: Some(unfinished), _lock: lock }))
        }
    }

    /// A file that is cut to what it was when the process is asked to end before the header is written.
    struct Safe {
        file: File,
        /// Gone when the header is written.
        unfinished: Option<Unfinished>,
        _lock: Lock,
    }

    impl Safe {
        fn step<T>(&mut self, work: impl FnOnce(&mut File) -> T) -> T {
            match &self.unfinished {
                Some(unfinished) => unfinished.step(|| work(&mut self.file)),
                None => work(&mut self.file),
            }
        }
    }

    impl Medium for Safe {
        fn size(&mut self) -> io::Result<u64> {
            self.file.size()
        }

        fn put(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
            match self.unfinished.take_if(|_| offset == 0) {
                // The header makes it the new state.
                Some(unfinished) => unfinished.finish(|| self.file.put(offset, bytes)),
                None => self.step(|file| file.put(offset, bytes)),
            }
        }

        fn sync(&mut self) -> io::Result<()> {
            self.file.sync()
        }

        fn cut(&mut self, size: u64) -> io::Result<()> {
            self.step(|file| file.cut(size))
        }
    }
}
