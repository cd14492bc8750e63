//! Documents as folders: a file for each object, for version control.
//!
//! `document.json` holds what a document holds besides its objects; `objects` a file for each of them, whose name starts
//! with the position. Files in other places are not read.

use super::text;
use crate::{
    Error, Result, codes,
    replace::{Existing, Replacement},
    safe_path::prepare,
};
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// The file with all but the objects.
const DOCUMENT: &str = "document.json";
/// The folder of the objects.
const OBJECTS: &str = "objects";

/// Writes a document into a folder, which is made where it is missing. Files of objects that the document lacks are
/// removed when `existing` files may be replaced. Links below the folder are followed only where that is asked for.
///
/// # Errors
/// Writing errors; [`EXISTS`](codes::core::EXISTS).
pub fn write(document: &Value, dir: &Path, existing: &Existing, follow_links: bool) -> Result<u64> {
    // Objects are nearly all of a document, and are not copied.
    let objects = document.get(OBJECTS).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let document = match document {
        Value::Object(map) => {
            let rest = map.iter().filter(|(key, _)| *key != OBJECTS);
            rest.map(|(key, value)| (key.clone(), value.clone())).collect()
        }
        other => other.clone(),
    };
    let folder = dir.join(OBJECTS);
    fs::create_dir_all(dir).map_err(|error| Error::io_of(dir, error))?;
    let place = |name: &str| match follow_links {
        true => Ok(dir.join(name)),
        false => prepare(dir, name),
    };
    if follow_links {
        fs::create_dir_all(&folder).map_err(|error| Error::io_of(&folder, error))?;
    }
    let begin = |path: &Path| match follow_links {
        true => Replacement::follow(path, existing.clone()),
        false => Replacement::begin(path, existing.clone()),
    };
    let mut wanted = Vec::new();
    let mut size = put(begin(&place(DOCUMENT)?)?, &text::of(&document))?;
    for (nth, object) in objects.iter().enumerate() {
        let path = place(&format!("{OBJECTS}/{}", file_name(nth, object)))?;
        size += put(begin(&path)?, &text::of(object))?;
        wanted.push(path);
    }
    if *existing != Existing::Refuse {
        wanted.sort();
        for path in files(&folder)? {
            if wanted.binary_search(&path).is_err() {
                fs::remove_file(path)?;
            }
        }
    }
    Ok(size)
}

/// Reads the document that a folder holds: objects in the order of their file names.
///
/// # Errors
/// Reading errors; [`BAD_DOCUMENT`](codes::BAD_DOCUMENT).
pub fn read(dir: &Path) -> Result<Value> {
    let mut document = super::parse(&fs::read(dir.join(DOCUMENT))?)?;
    let mut objects = Vec::new();
    for path in files(&dir.join(OBJECTS))? {
        let object = super::parse(&fs::read(&path)?);
        objects.push(object.map_err(|error| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            error.within(crate::Seg::Key(name.into()))
        })?);
    }
    let Some(map) = document.as_object_mut() else {
        return Err(Error::new(&codes::BAD_DOCUMENT).expected("an object in document.json"));
    };
    map.insert(OBJECTS.to_owned(), objects.into());
    Ok(document)
}

/// The JSON files of a folder, sorted by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
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

fn put(mut new: Replacement, text: &str) -> Result<u64> {
    new.write_all(text.as_bytes())?;
    new.commit()?;
    Ok(text.len() as u64)
}
