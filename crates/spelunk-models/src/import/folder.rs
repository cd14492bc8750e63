//! The folder of files that a source names.

use spelunk_core::{Error, Result, Seg, Source};
use spelunk_open::{
    codes,
    files::{Disk, FileName, Files, Reading},
};
use std::{fmt, io, path::PathBuf, sync::Arc};

/// The folder in which the files lie that a source names: its buffers, materials and images.
#[derive(Clone)]
pub struct SourceFolder {
    files: Arc<dyn Files>,
    name: FileName,
}

impl SourceFolder {
    /// A folder of these files.
    pub fn new(files: Arc<dyn Files>, name: FileName) -> SourceFolder {
        SourceFolder { files, name }
    }
}

impl From<PathBuf> for SourceFolder {
    /// A folder on the disk.
    fn from(path: PathBuf) -> SourceFolder {
        SourceFolder::new(Arc::new(Disk), path.into())
    }
}

impl fmt::Debug for SourceFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)
    }
}

/// Opens a file that a source names: beside it or in a folder there, and nowhere else.
///
/// # Errors
/// [`BAD_MODEL`](codes::BAD_MODEL) for other names; those of opening the file.
pub(super) fn beside(folder: Option<&SourceFolder>, name: &str) -> Result<Arc<dyn Source>> {
    let elsewhere = || {
        Error::new(&codes::BAD_MODEL)
            .expected("a file beside the document, or in a folder there")
            .found(format!("`{name}`"))
    };
    let SourceFolder { files, name: folder } = folder.ok_or_else(elsewhere)?;
    let within = |error: Error| error.within(Seg::Key(name.to_owned().into()));
    let found = files.locate(folder, name.strip_prefix("./").unwrap_or(name));
    let file = found.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => elsewhere(),
        _ => within(Error::io(error)),
    })?;
    files.open(&file, Reading::default()).map_err(within)
}
