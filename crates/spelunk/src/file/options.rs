//! Options for opening files.

use super::File;
use crate::{Bytes, Format, Options, Result, Revision, Source, core::text::CodePages};
use std::{num::NonZeroUsize, path::Path, sync::Arc};

/// Options for opening a [`File`].
#[derive(Clone, Debug, Default)]
pub struct FileOptions {
    options: Options,
}

impl FileOptions {
    /// Ends at the first damage instead of collecting it.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> FileOptions {
        self.options.strict = strict;
        self
    }

    /// The memory limit in bytes; by default 64 MiB and eight times the file.
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> FileOptions {
        self.options.max_memory = Some(bytes);
        self
    }

    /// The expansion limit for each packed section, as a factor.
    #[must_use]
    pub fn max_ratio(mut self, ratio: u32) -> FileOptions {
        self.options.max_ratio = Some(ratio);
        self
    }

    /// Code pages for texts, instead of the format's own.
    #[must_use]
    pub fn code_pages(mut self, pages: CodePages) -> FileOptions {
        self.options.pages = Some(pages);
        self
    }

    /// Number of threads that may share the work of one call; by default as many as there are cores.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> FileOptions {
        self.options.threads = Some(threads);
        self
    }

    /// The state to show, of those that the file went through; by default the current one.
    #[must_use]
    pub fn revision(mut self, revision: Revision) -> FileOptions {
        self.options.revision = Some(revision);
        self
    }

    /// Opens files of this format too.
    #[must_use]
    pub fn format(mut self, format: &'static dyn Format) -> FileOptions {
        self.options.formats.register(format);
        self
    }

    /// Opens the file at `path`.
    ///
    /// # Errors
    /// Those of [`File::open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<File> {
        File::at_path(path.as_ref(), &self.options)
    }

    /// Opens a file that is in memory.
    ///
    /// # Errors
    /// Those of [`File::open`].
    pub fn from_bytes(&self, bytes: impl Into<Bytes>) -> Result<File> {
        File::of_source(Arc::new(bytes.into()), &self.options)
    }

    /// Opens what a source holds.
    ///
    /// # Errors
    /// Those of [`File::open`].
    pub fn from_source(&self, source: Arc<dyn Source>) -> Result<File> {
        File::of_source(source, &self.options)
    }
}

impl From<Options> for FileOptions {
    fn from(options: Options) -> FileOptions {
        FileOptions { options }
    }
}
