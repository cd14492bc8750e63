//! Inputs: the files that a verb is about.

use super::{FileName, FileRef, Listed, request::FileList, run::Run};
use crate::{Error, Finding, Result, Severity, core::folder::Links, open::codes};
use std::{ffi::OsStr, io};

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
            FileRef::Name(name) => {
                name.as_path().file_name().unwrap_or(name.as_os_str()).to_owned().into()
            }
            FileRef::Open(_) => FileName::default(),
        };
        Input { file: file.clone(), is_found: false, within, unreadable: None }
    }

    /// Whether it is standard input, which can be read once.
    #[cfg(feature = "sql")]
    pub(super) fn is_stream(&self) -> bool {
        matches!(&self.file, FileRef::Name(name) if name.is_stream())
    }
}

impl Run<'_> {
    /// The files that a request means, in its order; those of folders are sorted by name. Links that are not followed are
    /// reported.
    ///
    /// # Errors
    /// When the list of files that it names cannot be read.
    pub(super) fn expand(&mut self, list: &FileList, links: Links) -> Result<Vec<Input>> {
        let mut named = list.files.clone();
        if let Some(from) = &list.files_from {
            named.extend(self.names(from)?.into_iter().map(FileRef::Name));
        }
        let mut inputs = Vec::new();
        for file in named {
            match &file {
                FileRef::Name(name) if list.recursive && self.files().is_folder(name) => {
                    inputs.extend(self.list(name, usize::MAX, links));
                }
                _ => inputs.push(Input::named(&file)),
            }
        }
        Ok(inputs)
    }

    /// The files of a folder; a folder that cannot be listed is an input that cannot be read, and a link that is not followed
    /// is reported.
    pub(super) fn list(&mut self, folder: &FileName, depth: usize, links: Links) -> Vec<Input> {
        let mut inputs = Vec::new();
        let files = self.shared_files();
        for listed in files.list(folder, depth, links) {
            let (name, within, unreadable) = match listed {
                Listed::File(name, within) => (name, within, None),
                Listed::Unreadable(name, error) => (name.clone(), name, Some(error)),
                Listed::Link(link) => {
                    self.pass_link(&link.to_string());
                    continue;
                }
            };
            let file = FileRef::Name(name);
            inputs.push(Input { file, is_found: true, within, unreadable });
        }
        inputs
    }

    /// Reports a link that is not followed.
    pub(super) fn pass_link(&mut self, link: &str) {
        let error = Error::new(&codes::LINK_PASSED_OVER);
        self.report(link, &[Finding { severity: Severity::Warning, error }]);
    }

    /// The files for verbs that look at each by itself: of a folder that is one container its parts.
    pub(super) fn apart(&self, inputs: Vec<Input>) -> Vec<Input> {
        let mut apart = Vec::new();
        for input in inputs {
            let parts = match &input.file {
                FileRef::Name(name) => self.files().parts(name),
                FileRef::Open(_) => Vec::new(),
            };
            match parts.is_empty() {
                true => apart.push(input),
                false => {
                    apart.extend(parts.into_iter().map(|name| Input::named(&FileRef::Name(name))));
                }
            }
        }
        apart
    }

    /// The names in a list: one a line, or separated by NUL. They need not be UTF-8.
    fn names(&self, list: &FileName) -> Result<Vec<FileName>> {
        let named =
            |error: io::Error| Error::io(io::Error::new(error.kind(), format!("{list}: {error}")));
        let bytes = self.read(list).map_err(|error| match error.io_error() {
            Some(io) => named(io::Error::new(io.kind(), io.to_string())),
            None => error,
        })?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let end = if bytes.contains(&0) { 0 } else { b'\n' };
        let lines = bytes.split(|byte| *byte == end);
        let lines = lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let name = |name| os_str(name).map(|name| FileName::from(name.to_owned())).map_err(named);
        lines.filter(|line| !line.is_empty()).map(name).collect()
    }
}

#[cfg(unix)]
fn os_str(name: &[u8]) -> io::Result<&OsStr> {
    use std::os::unix::ffi::OsStrExt;
    Ok(OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn os_str(name: &[u8]) -> io::Result<&OsStr> {
    std::str::from_utf8(name).map(OsStr::new).map_err(io::Error::other)
}
