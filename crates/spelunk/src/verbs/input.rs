//! Inputs: the files that a verb is about.

use super::{FileName, FileRef};
use std::io;

/// A file that is meant, and whether it was named or found in a folder.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) file: FileRef,
    /// Found files that are no container are passed over.
    pub(super) is_found: bool,
    /// Path in the folder that it was found in, or its name without folders.
    pub(super) within: FileName,
    /// Why nothing can be read there, where that is known already: a folder that cannot be listed.
    pub(super) unreadable: Option<io::Error>,
}

impl Input {
    /// A file that was named.
    pub(super) fn named(file: &FileRef) -> Input {
        let within = match file {
            FileRef::Name(name) => name.last_part(),
            FileRef::Open(_) => FileName::default(),
        };
        Input { file: file.clone(), is_found: false, within, unreadable: None }
    }

    /// The name of the file; `None` for one that the session keeps open.
    pub(super) const fn name(&self) -> Option<&FileName> {
        match &self.file {
            FileRef::Name(name) => Some(name),
            FileRef::Open(_) => None,
        }
    }

    /// Whether it is no file that the session keeps open.
    pub(super) const fn is_named(&self) -> bool {
        self.name().is_some()
    }

    /// Whether it is standard input, which can be read once.
    #[cfg(feature = "sql")]
    pub(super) fn is_stream(&self) -> bool {
        matches!(&self.file, FileRef::Name(name) if name.is_stream())
    }
}
