//! New files for places that take bytes in their order alone, and take none back.

use super::NewFile;
use spelunk_core::{Finding, Result, Source, source::FileSource};
use std::{
    fmt,
    fs::File,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    sync::Arc,
};

/// Sends a complete file, which is read from its start, to its place.
type Sending = Box<dyn FnOnce(File) -> Result<Vec<Finding>> + Send>;

/// A temporary file that is sent to its place when it is complete: to standard output, or to a server. Until then it is written
/// in any order. Nobody else sees it, and it is gone when the process ends.
pub struct Spool {
    file: BufWriter<File>,
    send: Sending,
}

impl fmt::Debug for Spool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spool").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Spool {
    /// Begins an empty file, with what sends it to its place.
    ///
    /// # Errors
    /// [`IO`](spelunk_core::codes::IO) where there can be no temporary file.
    pub fn new(send: impl FnOnce(File) -> Result<Vec<Finding>> + Send + 'static) -> Result<Spool> {
        let file = BufWriter::with_capacity(1 << 16, tempfile::tempfile()?);
        Ok(Spool { file, send: Box::new(send) })
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl NewFile for Spool {
    fn written(&mut self) -> Result<Arc<dyn Source>> {
        self.file.flush()?;
        Ok(Arc::new(FileSource::new(self.file.get_ref().try_clone()?)?))
    }

    fn commit(self: Box<Self>) -> Result<Vec<Finding>> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        (self.send)(file)
    }
}
