//! Opening of files, and the options for it.

use super::{
    File,
    shared::{Origin, SharedFile},
};
use crate::{
    Bytes, Format, Opened, Options, Result, Revision, Source, containers::archives,
    core::replace::FileIdentity, core::source, core::text::CodePages,
};
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

    /// Passes over extensions of a format that are not known, with a warning, instead of refusing the file.
    #[must_use]
    pub fn lenient(mut self, lenient: bool) -> FileOptions {
        self.options.lenient = lenient;
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

#[cfg(all(feature = "gltf", feature = "images"))]
impl FileOptions {
    /// A new file without objects, for what is [put](super::FileEdit::put) into it: of the one format that models are imported to.
    pub fn blank(&self) -> File {
        File { shared: SharedFile::new(crate::models::import::blank(&self.options), None) }
    }
}

impl From<Options> for FileOptions {
    fn from(options: Options) -> FileOptions {
        FileOptions { options }
    }
}

impl File {
    /// Opens the file at `path`, or the archives of the folder there as one tree.
    ///
    /// What is damaged but can be read is no error but a finding ([`File::take_findings`]).
    ///
    /// # Errors
    /// When it cannot be read; when it is no known format, or so damaged that nothing of it can be read; limits.
    pub fn open(path: impl AsRef<Path>) -> Result<File> {
        File::options().open(path)
    }

    /// Opens a file that is in memory.
    ///
    /// # Errors
    /// Those of [`File::open`].
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<File> {
        File::options().from_bytes(bytes)
    }

    /// Opens what a source holds.
    ///
    /// # Errors
    /// Those of [`File::open`].
    pub fn from_source(source: Arc<dyn Source>) -> Result<File> {
        File::options().from_source(source)
    }

    /// A new file without objects.
    #[cfg(all(feature = "gltf", feature = "images"))]
    pub fn blank() -> File {
        File::options().blank()
    }

    /// Options for opening.
    pub fn options() -> FileOptions {
        FileOptions::default()
    }

    pub(super) fn at_path(path: &Path, options: &Options) -> Result<File> {
        // Before the file is opened: what is written to it meanwhile is then noticed.
        let identity = FileIdentity::of(path).ok();
        let opened = match path.is_dir() {
            true => archives::open(path, options)?,
            false => None,
        };
        let opened = match opened {
            Some(opened) => opened,
            None => Opened::open(source::open(path, options.mapping)?, options)?,
        };
        let path = path.to_owned();
        Ok(File { shared: SharedFile::new(opened, Some(Origin { path, identity })) })
    }

    /// A file of what was opened already, wherever it lies.
    pub(crate) fn of(opened: Opened) -> File {
        File { shared: SharedFile::new(opened, None) }
    }

    fn of_source(source: Arc<dyn Source>, options: &Options) -> Result<File> {
        Ok(File::of(Opened::open(source, options)?))
    }
}
