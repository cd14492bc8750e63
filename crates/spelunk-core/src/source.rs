//! Sources of bytes: memory, a mapped file, range reads of a file or of anything else.
//!
//! Reading is synchronous. A source that has its bytes in memory lends them without a copy; others are
//! read range by range. Formats locate first (what to read) and decode afterwards, so that a caller
//! with remote storage can [`prefetch`](Source::prefetch) the ranges together.

use crate::{
    codes,
    error::{Error, Result},
    limits::Budget,
    place::Span,
};
use bytes::Bytes;
use std::{ops::Range, sync::Arc};

/// A sequence of bytes that does not change while it is open.
pub trait Source: Send + Sync {
    /// Length in bytes.
    fn len(&self) -> u64;

    /// Whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`codes::TRUNCATED`] when fewer are there, [`codes::IO`] when reading fails.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()>;

    /// A handle to the bytes of `range` without a copy, where the source has them in memory.
    fn lend(&self, range: Range<u64>) -> Option<Bytes> {
        let _ = range;
        None
    }

    /// The source as one that is put together of others, where it is: what is put together of that one is not piled on it.
    fn as_pieces(&self) -> Option<&Pieces> {
        None
    }

    /// Whether each byte that is read has to come from far away, so that formats read no more than they are asked for.
    fn is_remote(&self) -> bool {
        false
    }

    /// Announces the ranges that are about to be read, so that a remote source can fetch them together.
    fn prefetch(&self, ranges: &[Range<u64>]) {
        let _ = ranges;
    }
}

/// A part of [`Pieces`].
#[derive(Clone, Debug)]
pub enum Piece {
    /// Bytes of the base in a range.
    Kept(Range<u64>),
    /// Others.
    New(Bytes),
}

/// Parts of a source and bytes in memory, one behind the other.
pub struct Pieces {
    pub(crate) base: Arc<dyn Source>,
    /// Pieces with the offset at which each starts.
    pub(crate) pieces: Vec<(u64, Piece)>,
    pub(crate) len: u64,
}

impl dyn Source + '_ {
    /// The bytes of `range`, lent or read. Only what is read is taken from the budget.
    ///
    /// # Errors
    /// [`codes::TRUNCATED`] when the range passes the end, [`codes::MEMORY`], [`codes::IO`].
    pub fn read(&self, range: Range<u64>, budget: &mut Budget) -> Result<Bytes> {
        let len = range.end.saturating_sub(range.start);
        if range.start > range.end || range.end > self.len() {
            return Err(truncated(&range, self.len()));
        }
        if let Some(bytes) = self.lend(range.clone()) {
            return Ok(bytes);
        }
        let mut buffer = budget.vec::<u8>(len)?;
        buffer.resize(buffer.capacity().min(usize::try_from(len).unwrap_or(usize::MAX)), 0);
        self.read_at(range.start, &mut buffer)?;
        Ok(buffer.into())
    }
}

/// The error of a source of `len` bytes that ends before `range` does.
#[cold]
pub fn truncated(range: &Range<u64>, len: u64) -> Error {
    Error::new(&codes::TRUNCATED)
        .at(Span::file(range.start.min(len), len.saturating_sub(range.start)))
        .expected(format!("bytes up to {:#x}", range.end))
        .found(format!("the end of the file at {len:#x}"))
}

/// The part of `bytes` that `range` names, as a handle of its own.
pub fn part(bytes: &Bytes, range: Range<u64>) -> Option<Bytes> {
    let start = usize::try_from(range.start).ok()?;
    let end = usize::try_from(range.end).ok()?;
    (start <= end && end <= bytes.len()).then(|| bytes.slice(start..end))
}

impl Source for Bytes {
    fn len(&self) -> u64 {
        self.as_ref().len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let range = offset..offset.saturating_add(buffer.len() as u64);
        let bytes =
            part(self, range.clone()).ok_or_else(|| truncated(&range, Source::len(self)))?;
        buffer.copy_from_slice(&bytes);
        Ok(())
    }

    fn lend(&self, range: Range<u64>) -> Option<Bytes> {
        part(self, range)
    }
}

/// Files of at least this many bytes are mapped, smaller ones are read.
pub const MAP_FROM: u64 = 16 << 20;

/// Whether a large file may be mapped.
///
/// A mapped file that another process cuts short while it is open ends this process with a bus
/// error on most systems. Where that can happen, choose [`Mapping::Never`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mapping {
    /// From [`MAP_FROM`] bytes on.
    #[default]
    Large,
    /// Never: large files are read range by range.
    Never,
}

#[cfg(feature = "fs")]
pub use file::{FileSource, STREAM_LIMIT, open, opened, read_stream};

#[cfg(feature = "fs")]
mod file {
    use super::*;
    use std::{
        fs::File,
        io::{self, Read},
        path::Path,
    };

    /// Opens a file as a source.
    ///
    /// # Errors
    /// [`codes::IO`] when it cannot be opened or read.
    pub fn open(path: &Path, mapping: Mapping) -> Result<Arc<dyn Source>> {
        opened(File::open(path)?, mapping)
    }

    /// A file that is open already as a source.
    ///
    /// # Errors
    /// [`codes::IO`] when it cannot be read.
    pub fn opened(mut file: File, mapping: Mapping) -> Result<Arc<dyn Source>> {
        let meta = file.metadata()?;
        if meta.is_dir() {
            return Err(Error::io(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        match mapping {
            Mapping::Large if meta.len() >= MAP_FROM => Ok(Arc::new(crate::map::map(&file, 0)?)),
            Mapping::Never if meta.len() >= MAP_FROM => Ok(Arc::new(FileSource::new(file)?)),
            _ if meta.is_file() => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(Arc::new(Bytes::from(bytes)))
            }
            _ => Ok(Arc::new(read_stream(&mut file, STREAM_LIMIT)?)),
        }
    }

    /// Most bytes that are read from a pipe or a device, whose size is not known: 1 GiB.
    pub const STREAM_LIMIT: u64 = 1 << 30;

    /// Reads a pipe to its end, up to `limit` bytes.
    ///
    /// # Errors
    /// [`codes::MEMORY`] when more comes, [`codes::IO`].
    pub fn read_stream(stream: &mut dyn Read, limit: u64) -> Result<Bytes> {
        let mut bytes = Vec::new();
        stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(Error::new(&codes::MEMORY)
                .expected(format!("at most {limit} bytes of a stream"))
                .found("more"));
        }
        Ok(bytes.into())
    }

    /// A file that is read range by range and never as a whole.
    #[derive(Debug)]
    pub struct FileSource {
        file: File,
        len: u64,
        /// The bytes that are mapped, and where they start.
        mapped: Option<(u64, Bytes)>,
    }

    impl FileSource {
        /// Reads from this open file.
        ///
        /// # Errors
        /// [`codes::IO`] when its length is not known.
        pub fn new(file: File) -> Result<FileSource> {
            let len = file.metadata()?.len();
            Ok(FileSource { file, len, mapped: None })
        }

        /// As [`FileSource::new`], where the bytes from `start` on may be mapped. Those before it may be written over while the
        /// file is open: they are read whenever they are asked for.
        ///
        /// # Errors
        /// [`codes::IO`] when its length is not known, or when it cannot be mapped.
        pub fn mapped_from(file: File, start: u64, mapping: Mapping) -> Result<FileSource> {
            let source = FileSource::new(file)?;
            if mapping == Mapping::Never || source.len < MAP_FROM.max(start.saturating_add(1)) {
                return Ok(source);
            }
            let mapped = crate::map::map(&source.file, start)?;
            Ok(FileSource { mapped: Some((start, mapped)), ..source })
        }

        #[cfg(unix)]
        fn read_some(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
        }

        #[cfg(windows)]
        fn read_some(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)
        }

        #[cfg(not(any(unix, windows)))]
        fn read_some(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            use std::io::{Seek, SeekFrom};
            let mut file = self.file.try_clone()?;
            file.seek(SeekFrom::Start(offset))?;
            file.read(buffer)
        }
    }

    impl Source for FileSource {
        fn len(&self) -> u64 {
            self.len
        }

        fn lend(&self, range: Range<u64>) -> Option<Bytes> {
            let (start, mapped) = self.mapped.as_ref()?;
            part(mapped, range.start.checked_sub(*start)?..range.end.checked_sub(*start)?)
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
            let range = offset..offset.saturating_add(buffer.len() as u64);
            let mut at = offset;
            let mut rest = buffer;
            while !rest.is_empty() {
                match self.read_some(at, rest) {
                    Ok(0) => return Err(truncated(&range, self.len)),
                    Ok(count) => {
                        at = at.saturating_add(count as u64);
                        rest = rest.get_mut(count..).unwrap_or_default();
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(Error::io(error)),
                }
            }
            Ok(())
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::limits::Limits;
        use std::io::Write;

        #[test]
        fn range_reads_and_memory_give_the_same_bytes_and_errors() {
            let content: Vec<u8> = (0..200).collect();
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&content).unwrap();
            let ranged = FileSource::new(file).unwrap();
            let memory = Bytes::from(content);
            let mut budget = Budget::new(Limits::for_len(0));
            for range in [0..0, 0..200, 199..200, 17..64] {
                let a = (&ranged as &dyn Source).read(range.clone(), &mut budget).unwrap();
                let b = (&memory as &dyn Source).read(range, &mut budget).unwrap();
                assert_eq!(a, b);
            }
            for range in [0..201, 201..201, 200..u64::MAX] {
                let a = (&ranged as &dyn Source).read(range.clone(), &mut budget).unwrap_err();
                let b = (&memory as &dyn Source).read(range, &mut budget).unwrap_err();
                assert_eq!(a.to_string(), b.to_string());
            }
        }

        #[test]
        fn a_stream_without_end_is_refused() {
            assert_eq!(read_stream(&mut &b"abc"[..], 3).unwrap(), &b"abc"[..]);
            let error = read_stream(&mut io::repeat(0), 1000).unwrap_err();
            assert_eq!(error.code().id, "SP010");
        }

        #[test]
        fn a_folder_is_an_input_error() {
            let dir = tempfile::tempdir().unwrap();
            let error = open(dir.path(), Mapping::Large).err().expect("a folder is no file");
            assert_eq!(error.code().id, "SP020");
        }

        #[test]
        fn large_files_are_mapped_and_read_alike() {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("large.bin");
            let content: Vec<u8> = (0..MAP_FROM + 5).map(|n| (n % 251) as u8).collect();
            std::fs::write(&path, &content).unwrap();
            let mapped = open(&path, Mapping::Large).unwrap();
            let ranged = open(&path, Mapping::Never).unwrap();
            assert_eq!(mapped.lend(0..MAP_FROM + 5).unwrap(), content);
            assert!(ranged.lend(0..1).is_none());
            let mut tail = [0; 5];
            ranged.read_at(MAP_FROM, &mut tail).unwrap();
            assert_eq!(tail, content[MAP_FROM as usize..]);
        }

        #[test]
        fn what_is_written_over_is_not_mapped() {
            let mut file = tempfile::tempfile().unwrap();
            let content: Vec<u8> = (0..MAP_FROM + 5).map(|n| (n % 251) as u8).collect();
            file.write_all(&content).unwrap();
            let from =
                |mapping| FileSource::mapped_from(file.try_clone().unwrap(), 180, mapping).unwrap();
            let (mapped, ranged) = (from(Mapping::Large), from(Mapping::Never));
            assert!(ranged.lend(180..200).is_none() && mapped.lend(179..200).is_none());
            assert!(mapped.lend(180..MAP_FROM + 6).is_none());
            let behind = mapped.lend(180..MAP_FROM + 5).unwrap();
            assert_eq!(behind, content[180..]);
            #[cfg(unix)]
            std::os::unix::fs::FileExt::write_all_at(&file, &[7; 180], 0).unwrap();
            #[cfg(unix)]
            for source in [&mapped, &ranged] {
                let mut start = [0; 181];
                source.read_at(0, &mut start).unwrap();
                assert_eq!(start[..180], [7; 180]);
                assert_eq!(start[180], content[180]);
            }
            assert_eq!(behind, content[180..]);
            let small = tempfile::tempfile().unwrap();
            assert!(FileSource::mapped_from(small, 180, Mapping::Large).unwrap().is_empty());
        }
    }
}
