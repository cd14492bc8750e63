//! The files that the page is shown: those of the folder that was opened, and those that were handed in or are written for it.

use crate::{confined::Confined, settings::Settings};
use serde::Serialize;
use spelunk::{
    Error, Result,
    core::{
        folder::Links,
        replace::Existing,
        unfinished::{Undo, Unfinished},
    },
    open::{codes, detect::Formats, files::FolderItem},
    verbs::{Create, Disk, FileName, Files, NewFile, Reading},
};
use std::{
    collections::HashMap,
    fs,
    path::{Component, Path},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};
use tempfile::TempDir;

/// A file that the page can open.
#[derive(Debug, Serialize)]
pub struct ListedFile {
    /// The name by which verbs know it.
    pub name: String,
    /// The name that people are shown, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Size in bytes.
    pub size: u64,
}

/// The folder that was opened, and the temporary one.
#[derive(Debug)]
pub struct Store {
    folder: FileName,
    /// The file that was named; `None` where it was a folder.
    file: Option<FileName>,
    files: Confined,
    is_read_only: bool,
    /// Files by their names as the page has them: a name need not be text.
    names: Mutex<HashMap<String, FileName>>,
    temporary: TempDir,
    /// Removes the temporary folder where the process is ended.
    _unfinished: Unfinished,
    made: AtomicU64,
}

/// Folder within the temporary one for files that were handed in.
const HANDED_IN: &str = "dropped";

impl Store {
    /// Opens the folder of the settings, or that of their file.
    ///
    /// # Errors
    /// When it is not there; when there is no place for temporary files.
    pub fn new(settings: &Settings) -> Result<Store> {
        let subject = &settings.subject;
        // An error that names what is missing.
        let is_folder = fs::metadata(subject.as_path())
            .map_err(|error| Error::io(error).within_key(&subject.to_string()))?
            .is_dir();
        let [beside, _] = Disk.around(subject);
        let (folder, file) =
            if is_folder { (subject.clone(), None) } else { (beside, Some(subject.clone())) };
        let (temporary, unfinished) = Unfinished::begin(|| {
            let temporary = tempfile::Builder::new().prefix("spelunk-view-").tempdir()?;
            let path = temporary.path().to_owned();
            let undo: Undo = Box::new(move || drop(fs::remove_dir_all(path)));
            Ok::<_, Error>((temporary, undo))
        })?;
        let above = folder.join("..");
        let readable = [folder.as_path(), above.as_path(), temporary.path()];
        let writable = match settings.is_read_only {
            true => &[temporary.path()][..],
            false => &[folder.as_path(), temporary.path()],
        };
        let files = Confined::new(&readable, writable)?;
        let (names, made) = (Mutex::default(), AtomicU64::new(0));
        let is_read_only = settings.is_read_only;
        Ok(Store {
            folder,
            file,
            files,
            is_read_only,
            names,
            temporary,
            _unfinished: unfinished,
            made,
        })
    }

    /// Whether nothing but temporary files is written.
    pub const fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// The files that may be read and written.
    pub fn files(&self) -> Confined {
        self.files.clone()
    }

    /// The file that is shown first.
    pub fn first(&self) -> Option<String> {
        self.file.as_ref().map(ToString::to_string)
    }

    /// Lists what can be opened: containers of the folder, and the folder itself where it is one; everything that was handed in.
    pub fn list(&self) -> Vec<ListedFile> {
        let formats = Formats::default();
        let depth = if self.file.is_some() { 1 } else { usize::MAX };
        let mut listed = Vec::new();
        if self.file.is_none() && self.files.is_container(&self.folder, &formats) {
            listed.push(self.listed(self.folder.clone(), None));
        }
        for item in self.files.list(&self.folder, depth, Links::Passed) {
            let FolderItem::File(name, within) = item else { continue };
            let is_known = || {
                let source = self.files.open(&name, Reading::default()).ok()?;
                formats.claimed(&*source)
            };
            if self.file.as_ref() == Some(&name) || is_known().is_some() {
                listed.push(self.listed(name, Some(within.to_string())));
            }
        }
        for item in self.files.list(&self.handed_in(), usize::MAX, Links::Passed) {
            // Names with a dot in front are what the page hands in for itself.
            if let FolderItem::File(name, within) = item
                && !within.to_string().starts_with('.')
            {
                listed.push(self.listed(name, Some(within.to_string())));
            }
        }
        listed
    }

    fn listed(&self, name: FileName, label: Option<String>) -> ListedFile {
        let (text, size) = (name.to_string(), self.files.len(&name).unwrap_or_default());
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(text.clone(), name);
        ListedFile { name: text, label, size }
    }

    /// The file that the page calls so.
    pub fn named(&self, name: &str) -> FileName {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.get(name).cloned().unwrap_or_else(|| name.into())
    }

    fn handed_in(&self) -> FileName {
        FileName::from(self.temporary.path()).join(HANDED_IN)
    }

    /// Begins a file that is handed in, in the place of one that had the name, and gives what it is called.
    ///
    /// # Errors
    /// [`BAD_TARGET`](codes::core::BAD_TARGET) for a name that leads elsewhere; when it cannot be made.
    pub fn hand_in(&self, name: &str) -> Result<(FileName, Box<dyn NewFile>)> {
        let mut steps = Path::new(name).components();
        if name.is_empty()
            || name.contains('\\')
            || !steps.all(|it| matches!(it, Component::Normal(_)))
        {
            return Err(Error::new(&codes::core::BAD_TARGET)
                .expected("the path of a file")
                .found(name.to_owned()));
        }
        let below = self.handed_in();
        let file = below.join(name);
        fs::create_dir_all(below.as_path())?;
        let below = Some(below);
        let how = Create { existing: Existing::Replace, below, ..Create::default() };
        Ok((file.clone(), self.files.create(&file, how)?))
    }

    /// A temporary file that is not there yet, with this extension.
    ///
    /// # Errors
    /// [`BAD_TARGET`](codes::core::BAD_TARGET) for an extension that is none.
    pub fn temporary(&self, extension: &str) -> Result<FileName> {
        if extension.is_empty() || !extension.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(Error::new(&codes::core::BAD_TARGET)
                .expected("an extension")
                .found(extension.to_owned()));
        }
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        Ok(FileName::from(self.temporary.path()).join(format!("{number}.{extension}")))
    }
}
