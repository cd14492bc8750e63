//! Documents as folders: a file for each object, for version control.
//!
//! `document.json` holds what a document holds besides its objects; `objects` a file for each of them, whose name starts
//! with the position. Files in other places are not read.

use super::{DocumentPart, DocumentWriter, MANAGERS, OBJECTS, text};
use crate::{
    codes,
    files::{Create, Disk, ExtractionFolder, FileName, Files, FolderItem, NewFile, Reading},
    skeleton::Origin,
};
use serde_json::Value;
use spelunk_core::{
    Budget, Collect, Error, Limits, Result, Task, folder::Links, replace::Existing,
};
use std::{
    borrow::Cow,
    io::{self, BufWriter, Write},
    path::Path,
};

/// The file with all but the objects.
const DOCUMENT: &str = "document.json";

/// Size of a folder of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FolderSize {
    /// Number of files.
    pub files: usize,
    /// Bytes of the files together.
    pub bytes: u64,
}

/// Writes the document that a file is into a folder, which is made where it is missing. Files of objects that the document
/// lacks are removed when `existing` files may be replaced. Links below the folder are followed only where that is asked for.
/// What limits refuse is known before anything is written.
///
/// # Errors
/// Those of [`export`](super::export()); writing errors; [`EXISTS`](codes::core::EXISTS).
pub fn export(
    origin: &Origin<'_>,
    dir: &Path,
    existing: &Existing,
    follow_links: bool,
) -> Result<FolderSize> {
    let how = Create { existing: existing.clone(), follow_links, ..Create::default() };
    export_to(&Disk, origin, &dir.into(), how)
}

/// As [`export`], to any files, which take their places as `how` says; below `dir` in any case.
///
/// # Errors
/// Those of [`export`].
pub fn export_to(
    files: &dyn Files,
    origin: &Origin<'_>,
    dir: &FileName,
    how: Create,
) -> Result<FolderSize> {
    super::write(origin, &mut io::sink())?;
    put(files, dir, how, |each| super::parts(origin, each))
}

/// As [`export`], of a document that is in memory.
///
/// # Errors
/// Those of [`export`].
pub fn write(
    document: &Value,
    dir: &Path,
    existing: &Existing,
    follow_links: bool,
) -> Result<FolderSize> {
    let how = Create { existing: existing.clone(), follow_links, ..Create::default() };
    let mut findings = Collect::default();
    let task = &mut Task::new(Budget::new(Limits::unlimited()), &mut findings);
    put(&Disk, &dir.into(), how, |each| {
        for (key, value) in document.as_object().into_iter().flatten() {
            match value.as_array().filter(|_| key == OBJECTS) {
                None => each(DocumentPart::Field(key, value), task)?,
                Some(rows) => {
                    let part = |row| DocumentPart::Object(Cow::Borrowed(row));
                    rows.iter().try_for_each(|row| each(part(row), task))?;
                }
            }
        }
        Ok(())
    })
}

/// Writes the parts that `parts` hands out. The file with all but the objects takes its place as the last one.
fn put(
    files: &dyn Files,
    dir: &FileName,
    how: Create,
    parts: impl FnOnce(&mut dyn FnMut(DocumentPart<'_>, &mut Task<'_>) -> Result<()>) -> Result<()>,
) -> Result<FolderSize> {
    let folder = dir.join(OBJECTS);
    let is_replacing = how.existing != Existing::Refuse;
    let begin =
        |name: &FileName| files.create(name, Create { below: Some(dir.clone()), ..how.clone() });
    // Objects are many: each goes straight to its place, as the files of an extraction do.
    let objects = files.sink();
    let to = ExtractionFolder {
        folder: dir.as_path(),
        force: is_replacing,
        follow_links: how.follow_links,
    };
    let mut rest = begin(&dir.join(DOCUMENT))?;
    let mut writer = DocumentWriter::new(&[MANAGERS], &mut rest);
    let (mut count, mut size, mut names) = (0, 0, Vec::<Box<str>>::new());
    parts(&mut |part, task| {
        let DocumentPart::Object(row) = &part else { return writer.part(&part) };
        let name = file_name(count, row);
        let output = format!("{OBJECTS}/{name}");
        let mut fill = |out: &mut dyn Write| {
            let mut out = Counted { out: BufWriter::new(out), size: 0 };
            text::write(row, 0, &mut out)?;
            text::line(0, &mut out)?;
            size += out.size;
            out.flush()
        };
        if how.is_dry_run {
            fill(&mut begin(&dir.join(&output))?)?;
        } else {
            objects.write(&to, &output, &mut fill)?;
        }
        count += 1;
        if is_replacing {
            let slot = 3 * size_of::<Box<str>>();
            task.budget.memory(slot.saturating_add(name.len()) as u64)?;
            names.push(name.into());
        }
        Ok(())
    })?;
    writer.end()?;
    if is_replacing && !how.is_dry_run {
        for listed in files.list(&folder, 1, Links::ToFiles) {
            let (FolderItem::File(file, _) | FolderItem::Link(file)) = listed else { continue };
            let path = file.as_path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_json = path.extension().is_some_and(|extension| extension == "json");
            // They were made in the order of their names.
            if is_json && names.binary_search_by(|known| (**known).cmp(&*name)).is_err() {
                files.remove(&file)?;
            }
        }
    }
    Ok(FolderSize { files: count + 1, bytes: size + commit(rest)? })
}

/// A writer that counts the bytes that go through it.
struct Counted<W> {
    out: W,
    size: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Puts a file in its place, and returns its size in bytes.
fn commit(mut new: Box<dyn NewFile>) -> Result<u64> {
    let size = new.stream_position()?;
    new.commit()?;
    Ok(size)
}

/// Reads the document that a folder holds: objects in the order of their file names.
///
/// # Errors
/// Reading errors; [`BAD_DOCUMENT`](codes::BAD_DOCUMENT).
pub fn read(dir: &Path) -> Result<Value> {
    read_from(&Disk, &dir.into())
}

/// As [`read`], from any files.
///
/// # Errors
/// Those of [`read`].
pub fn read_from(files: &dyn Files, dir: &FileName) -> Result<Value> {
    let parsed = |name: &FileName| {
        let source = files.open(name, Reading::default())?;
        let budget = &mut Budget::new(Limits::for_len(source.len()));
        super::parse(&source.read(0..source.len(), budget)?)
    };
    let mut document = parsed(&dir.join(DOCUMENT))?;
    let mut objects = Vec::new();
    for listed in files.list(&dir.join(OBJECTS), 1, Links::ToFiles) {
        let name = match listed {
            FolderItem::File(name, _) | FolderItem::Link(name) => name,
            FolderItem::Unreadable(_, error) => return Err(error.into()),
        };
        let path = name.as_path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let object = parsed(&name).map_err(|error| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            error.within(spelunk_core::Seg::Key(name.into()))
        });
        objects.push(object?);
    }
    let Some(map) = document.as_object_mut() else {
        return Err(Error::new(&codes::BAD_DOCUMENT).expected("an object in document.json"));
    };
    map.insert(OBJECTS.to_owned(), objects.into());
    Ok(document)
}

/// A name that every system takes: position, class, and what of the name is harmless.
fn file_name(nth: usize, object: &Value) -> String {
    let part = |key: &str| {
        let text = object[key].as_str().unwrap_or_default();
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        text.chars().map(safe).take(40).collect::<String>()
    };
    format!("{nth:06}-{}-{}.json", part("class"), part("name"))
}
