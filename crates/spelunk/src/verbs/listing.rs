//! Listing of the files that a request means.

use super::{
    FileName, FileRef, FolderItem, input::Input, output::Output, request::FileList, run::Run,
    session::Session,
};
use crate::{Error, Finding, Result, Severity, core::folder::Links, open::codes};
use std::{collections::BTreeSet, ffi::OsStr, io, path::Component};

/// How a verb about one file goes through many.
#[derive(Clone, Copy, Debug)]
pub(super) struct ManyFiles<'m> {
    /// Whether a folder stands for the files in it.
    pub(super) is_recursive: bool,
    /// A list of files.
    pub(super) from: Option<&'m FileName>,
    /// What becomes of links in folders.
    pub(super) links: Links,
    /// Whether what comes of each file has its place in a folder.
    pub(super) is_to_folder: bool,
}

/// Gives files of a list their places in a folder: as they are written where that leads nowhere else, and else their names.
fn places(inputs: &mut [Input]) -> Result<()> {
    let mut taken = BTreeSet::new();
    for input in inputs.iter_mut() {
        if let (false, Some(name)) = (input.is_found, input.name()) {
            let mut steps = name.as_path().components();
            let is_below = steps.all(|step| matches!(step, Component::Normal(_)));
            if name.as_url().is_none() && is_below {
                input.within = name.clone();
            }
        }
        if !taken.insert(input.within.clone()) {
            return Err(Error::new(&codes::core::BAD_TARGET)
                .expected("files of different names, or paths without `..` from where you are")
                .found(format!("`{}` twice", input.within)));
        }
    }
    Ok(())
}

impl Session {
    /// The names of the files that a list means, in its order; those of folders are sorted. What is said of links that are not
    /// followed goes to `out`. For verbs that a door [registers](Session::register).
    ///
    /// # Errors
    /// When the list of files that it names cannot be read; those of the output.
    pub fn find_files(
        &self,
        list: &FileList,
        links: Links,
        out: &mut dyn Output,
    ) -> Result<Vec<FileName>> {
        let mut run = Run::new("", self, out);
        let inputs = run.expand(list, links)?;
        inputs.iter().map(|input| run.file_name(&input.file)).collect()
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
                FileRef::Name(name) if self.is_listed(name, list.recursive) => {
                    inputs.extend(self.list(name, usize::MAX, links));
                }
                _ => inputs.push(Input::named(&file)),
            }
        }
        Ok(inputs)
    }

    /// The files that a verb about one file means where it is to go through many: those of a list, or of a folder. `None` where
    /// it is one file that is meant.
    ///
    /// # Errors
    /// When the list cannot be read; a folder that is not to be searched; [`BAD_TARGET`](codes::core::BAD_TARGET) for two files of
    /// a list that would have one place in a folder.
    pub(super) fn many(
        &mut self,
        file: &FileRef,
        many: &ManyFiles<'_>,
    ) -> Result<Option<Vec<Input>>> {
        if let Some(from) = many.from {
            let files_from = Some(from.clone());
            let list = FileList { files: Vec::new(), recursive: many.is_recursive, files_from };
            let mut inputs = self.expand(&list, many.links)?;
            if many.is_to_folder {
                places(&mut inputs)?;
            }
            return Ok(Some(inputs));
        }
        match file {
            FileRef::Name(name) if many.is_recursive && self.is_listed(name, true) => {
                Ok(Some(self.list(name, usize::MAX, many.links)))
            }
            FileRef::Name(name) if self.is_listed(name, false) => {
                let folder =
                    io::Error::new(io::ErrorKind::IsADirectory, format!("{name} is a folder"));
                Err(Error::io(folder).expected("a file, or -r for each file of the folder"))
            }
            _ => Ok(None),
        }
    }

    /// Whether a name means the files of a folder. Where not all folders are to be searched, one that is a container, as that of
    /// the archives of a game, means itself.
    fn is_listed(&self, name: &FileName, is_recursive: bool) -> bool {
        let files = self.files();
        !name.is_stream()
            && files.is_folder(name)
            && (is_recursive || !files.is_container(name, &self.options.formats))
    }

    /// The files of a folder; a folder that cannot be listed is an input that cannot be read, and a link that is not followed
    /// is reported.
    pub(super) fn list(&mut self, folder: &FileName, depth: usize, links: Links) -> Vec<Input> {
        let mut inputs = Vec::new();
        let files = self.shared_files();
        for listed in files.list(folder, depth, links) {
            let (name, within, unreadable) = match listed {
                FolderItem::File(name, within) => (name, within, None),
                FolderItem::Unreadable(name, error) => (name.clone(), name, Some(error)),
                FolderItem::Link(link) => {
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
