//! What lies in a folder of files: containers, other files, and folders.

use spelunk::{
    Error, Result, Source,
    core::folder::Links,
    core::source::{FileSource, Mapping, STREAM_LIMIT},
    open::detect::Formats,
    verbs::{FileName, Files, FolderItem, Reading, parity},
};
use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::OsStrExt,
    sync::Arc,
    time::SystemTime,
};

/// Something in a folder.
#[derive(Debug)]
pub(crate) struct FolderEntry {
    pub(crate) name: OsString,
    pub(crate) file: FileName,
    /// Size of the file in bytes; 0 of folders.
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
    pub(crate) kind: EntryKind,
}

/// What lies in a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EntryKind {
    /// Another folder.
    Folder,
    /// A file, or a folder, that is one container.
    Container,
    /// Any other file.
    Plain,
}

/// What cannot be looked at in a folder, and why.
pub(crate) type Unlisted = (FileName, Error);

/// Lists a folder, in the order of the names, and what of it cannot be looked at. Of each file the first bytes are read, since these
/// decide what it is. Links to folders are passed over: they may lead back to where they lie.
pub(crate) fn list(
    files: &dyn Files,
    formats: &Formats,
    folder: &FileName,
) -> (Vec<FolderEntry>, Vec<Unlisted>) {
    let mut entries = Vec::new();
    let mut unlisted = Vec::new();
    let mut put = |file: FileName, kind, size| {
        let name = file.last_part();
        let name = name.as_os_str();
        if is_name(name) {
            let (name, modified) = (name.to_owned(), files.modified(&file));
            entries.push(FolderEntry { name, file, size, modified, kind });
        }
    };
    for item in files.list(folder, 1, Links::ToFiles) {
        match item {
            FolderItem::File(file, _) => match kind(files, formats, &file) {
                Ok((kind, size)) => put(file, kind, size),
                Err(error) => unlisted.push((file, error)),
            },
            FolderItem::Link(_) => {}
            FolderItem::Unreadable(file, error) => unlisted.push((file, error.into())),
        }
    }
    for folder in files.folders(folder).into_iter().filter(|folder| !is_link(files, folder)) {
        let is_container = files.is_container(&folder, formats);
        let kind = if is_container { EntryKind::Container } else { EntryKind::Folder };
        put(folder, kind, 0);
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    // Stores may have a file and a folder of one name.
    entries.dedup_by(|a, b| a.name == b.name);
    (entries, unlisted)
}

/// The position of what is called so.
pub(crate) fn find(entries: &[FolderEntry], name: &OsStr) -> Option<usize> {
    entries.binary_search_by(|entry| entry.name.as_os_str().cmp(name)).ok()
}

/// Opens a file whose bytes are handed out as they are. Files of the disk are neither read as a whole nor mapped.
///
/// # Errors
/// When there is none, or it cannot be read.
pub(crate) fn open(files: &dyn Files, file: &FileName) -> Result<Arc<dyn Source>> {
    match files.disk_path(file) {
        Some(path) => Ok(Arc::new(FileSource::new(fs::File::open(path)?)?)),
        None => files.open(file, Reading { mapping: Mapping::Never, most: STREAM_LIMIT }),
    }
}

/// What a file is, and its size in bytes. One that lists files of others is no folder of its own.
fn kind(files: &dyn Files, formats: &Formats, file: &FileName) -> Result<(EntryKind, u64)> {
    let source = open(files, file)?;
    let format = formats.claimed(&*source);
    let kind = match format.filter(|format| parity::instead(format, None, "extract").is_none()) {
        Some(_) => EntryKind::Container,
        None => EntryKind::Plain,
    };
    Ok((kind, source.len()))
}

/// Whether a folder of the disk is a link to one.
fn is_link(files: &dyn Files, folder: &FileName) -> bool {
    files.disk_path(folder).is_some_and(|path| path.is_symlink())
}

/// Whether something can be called so in a folder.
fn is_name(name: &OsStr) -> bool {
    let bytes = name.as_bytes();
    let is_special = matches!(bytes, b"" | b"." | b"..");
    !is_special && bytes.len() <= 255 && !bytes.contains(&b'/') && !bytes.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk::verbs::Memory;

    #[test]
    fn content_decides_what_is_a_folder() {
        let files = Memory::new();
        for sample in spelunk_fixtures::samples() {
            files.put(&*format!("all/{}", sample.name), sample.fixture.bytes);
        }
        files.put("all/notes.nmo", b"no container".to_vec());
        files.put("all/more/level.txt", spelunk_fixtures::samples::level().build().bytes);
        let (entries, unlisted) = list(&files, &Formats::default(), &"all".into());
        assert!(unlisted.is_empty(), "{unlisted:?}");
        let kind = |name: &str| entries[find(&entries, OsStr::new(name)).unwrap()].kind;
        assert_eq!(kind("level.nmo"), EntryKind::Container);
        assert_eq!(kind("notes.nmo"), EntryKind::Plain);
        assert_eq!(kind("pakdata.dat"), EntryKind::Plain, "its files lie elsewhere");
        assert_eq!(kind("more"), EntryKind::Folder);
        assert_eq!(find(&entries, OsStr::new("level.txt")), None);
        let (entries, _) = list(&files, &Formats::default(), &"all/more".into());
        assert_eq!(entries[0].kind, EntryKind::Container);
    }

    #[test]
    fn names_that_lead_elsewhere_are_none() {
        for name in ["", ".", "..", "a/b", "/etc", "a\0b"] {
            assert!(!is_name(OsStr::new(name)), "{name:?}");
        }
        assert!(is_name(OsStr::new("...")) && is_name(OsStr::new("level.nmo")));
    }
}
