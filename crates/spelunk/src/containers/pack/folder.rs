//! Files of the folder that a container is built of. Nothing that names them is trusted.

use super::{content::read, manifest::SkeletonFile};
use crate::{
    Bytes, Error, Options, Result,
    containers::extract::MANIFEST,
    core::folder::Links,
    open::codes,
    open::files::{
        FileName, Files, FolderItem,
        content::{hash, io_error, size},
    },
    open::skeleton::SKELETON,
};
use std::{collections::BTreeSet, io};

/// A path that leads out of the folder, or over a link.
fn astray(file: &str) -> Error {
    let found = format!("`{}`", file.escape_debug());
    Error::new(&codes::BAD_MANIFEST)
        .expected("a plain file inside the folder, not over a link")
        .found(found)
}

/// Finds the files of the entries. All that are missing are named in one error, the first ten of them.
pub(super) fn places(
    files: &dyn Files,
    dir: &FileName,
    wanted: &[&str],
    options: &Options,
) -> Result<Vec<FileName>> {
    const NAMED: usize = 10;
    let mut places = Vec::new();
    let mut missing: Vec<&str> = Vec::new();
    for file in wanted {
        options.check_cancelled()?;
        match files.locate(dir, file) {
            Ok(place) => places.push(place),
            Err(error) if error.kind() == io::ErrorKind::NotFound => missing.push(file),
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(astray(file)),
            Err(error) => return Err(io_error(&dir.as_path().join(file), error)),
        }
    }
    if missing.is_empty() {
        return Ok(places);
    }
    let more = missing.len().saturating_sub(NAMED);
    missing.truncate(NAMED);
    let mut list = missing.join(", ");
    if more > 0 {
        list.push_str(&format!(" and {more} more"));
    }
    Err(Error::new(&codes::MISSING_FILES).expected(list).found("no such files"))
}

pub(super) fn read_skeleton(
    files: &dyn Files,
    dir: &FileName,
    listed: &SkeletonFile,
    options: &Options,
) -> Result<Bytes> {
    let file = &listed.file;
    let wrong = |found: String| Error::new(&codes::BAD_SKELETON).found(found);
    let name = files.locate(dir, file).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => astray(file),
        io::ErrorKind::NotFound => wrong("no such file".to_owned()),
        _ => io_error(&dir.as_path().join(file), error),
    })?;
    let len = size(files, &name)?;
    if listed.size != len {
        return Err(wrong(format!("{len} bytes")).expected(format!("{} bytes", listed.size)));
    }
    let bytes = read(files, &name, &mut options.budget(len))?;
    let found = hash(&bytes);
    if found == listed.xxh3 { Ok(bytes) } else { Err(wrong(format!("XXH3 {found}"))) }
}

/// The files below `dir` that are neither ours nor `known`. Links are not followed.
pub(super) fn unknown(
    files: &dyn Files,
    dir: &FileName,
    known: &BTreeSet<&str>,
    options: &Options,
) -> Result<Vec<String>> {
    let mut unknown = Vec::new();
    for listed in files.list(dir, usize::MAX, Links::Passed) {
        options.check_cancelled()?;
        let within = match listed {
            FolderItem::File(_, within) => within,
            FolderItem::Link(link) => {
                link.as_path().strip_prefix(dir.as_path()).unwrap_or(link.as_path()).into()
            }
            FolderItem::Unreadable(name, error) => return Err(io_error(name.as_path(), error)),
        };
        let steps = within.as_path().iter().map(|step| step.to_string_lossy());
        let name = steps.collect::<Vec<_>>().join("/");
        if !known.contains(name.as_str()) && ![MANIFEST, SKELETON].contains(&name.as_str()) {
            unknown.push(name);
        }
    }
    unknown.sort();
    Ok(unknown)
}
