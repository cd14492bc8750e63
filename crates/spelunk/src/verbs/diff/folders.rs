//! Changes between the files of two folders, which are paired by their paths in them.

use crate::{
    Result,
    core::folder::Links,
    open::{detect, same_bytes},
    verbs::{
        FileName, FileRef,
        input::Input,
        run::{OpenFile, Run},
    },
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Of two folders: a file that only one of them has, or that is no container and has other bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileRow<'a> {
    /// Change of the file.
    #[schemars(extend("enum" = ["file_added", "file_removed", "file_changed"]))]
    pub change: &'static str,
    /// Path of the file in the folders.
    pub file: &'a str,
    /// Size in the old folder in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_size: Option<u64>,
    /// Size in the new folder in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_size: Option<u64>,
}

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileFate {
    Same,
    Changed,
    Added,
    Removed,
}

/// Compares two files that are open, which lie at this path in the folders.
pub(super) type Compare<'c> =
    dyn Fn([OpenFile<'_>; 2], &str, &mut Run<'_>) -> Result<()> + Sync + 'c;

/// Both folders, where two are compared; not those that are one container.
pub(super) fn both<'r>(files: [&'r FileRef; 2], run: &Run<'_>) -> Option<[&'r FileName; 2]> {
    let [FileRef::Name(old), FileRef::Name(new)] = files else { return None };
    let (files, formats) = (run.files(), &run.options.formats);
    let is_folder = |name: &&FileName| files.is_folder(name) && !files.is_container(name, formats);
    Some([old, new]).filter(|both| both.iter().all(is_folder))
}

/// Compares the files of two folders.
pub(super) fn run(folders: [&FileName; 2], compare: &Compare<'_>, run: &mut Run<'_>) -> Result<()> {
    let mut pairs: BTreeMap<FileName, [Option<Input>; 2]> = BTreeMap::new();
    for (side, folder) in folders.into_iter().enumerate() {
        for input in run.list(folder, usize::MAX, Links::ToFiles) {
            if let Some(place) = pairs.entry(input.within.clone()).or_default().get_mut(side) {
                *place = Some(input);
            }
        }
    }
    let inputs: Vec<Input> = pairs
        .values()
        .filter_map(|[old, new]| new.as_ref().or(old.as_ref()))
        .map(|input| Input {
            is_found: true,
            within: input.within.clone(),
            ..Input::named(&input.file)
        })
        .collect();
    let mut counts = [0_u64; 4];
    run.each_file(
        &inputs,
        &|run, input| match pairs.get(&input.within) {
            Some([Some(old), Some(new)]) => pair(old, new, compare, run),
            Some([Some(old), None]) => alone(old, FileFate::Removed, run),
            Some([None, Some(new)]) => alone(new, FileFate::Added, run),
            _ => Ok(FileFate::Same),
        },
        &mut |_, fate| {
            if let Some(count) = counts.get_mut(fate as usize) {
                *count = count.saturating_add(1);
            }
            Ok(())
        },
    )?;
    let [same, changed, added, removed] = counts;
    run.note(&format!(
        "files: {same} the same, {changed} changed, {added} added, {removed} removed"
    ));
    Ok(())
}

/// A file that only one folder has.
fn alone(input: &Input, fate: FileFate, run: &mut Run<'_>) -> Result<FileFate> {
    let size = input.name().and_then(|name| run.files().len(name));
    let file = &input.within.to_string();
    run.found();
    let is_new = fate == FileFate::Added;
    let change = if is_new { "file_added" } else { "file_removed" };
    let (old_size, new_size) = if is_new { (None, size) } else { (size, None) };
    run.row(&FileRow { change, file, old_size, new_size })?;
    Ok(fate)
}

/// A file that both folders have.
fn pair(old: &Input, new: &Input, compare: &Compare<'_>, run: &mut Run<'_>) -> Result<FileFate> {
    let mut sizes = [None, None];
    let mut sources = Vec::new();
    for (input, size) in [old, new].into_iter().zip(&mut sizes) {
        match run.source(input) {
            Ok(source) => {
                *size = Some(source.len());
                sources.push(source);
            }
            Err(error) => run.unopened(&run.name(&input.file)?, error),
        }
    }
    let [ours, theirs] = sources.as_slice() else { return Ok(FileFate::Changed) };
    match same_bytes(&**ours, &**theirs) {
        Ok(true) => return Ok(FileFate::Same),
        Ok(false) => {}
        Err(error) => {
            run.unopened(&run.name(&new.file)?, error);
            return Ok(FileFate::Changed);
        }
    }
    let file = new.within.to_string();
    if let (Some(old), Some(new)) = (container(old, run)?, container(new, run)?) {
        compare([old, new], &file, run)?;
        return Ok(FileFate::Changed);
    }
    let [old_size, new_size] = sizes;
    run.found();
    run.row(&FileRow { change: "file_changed", file: &file, old_size, new_size })?;
    Ok(FileFate::Changed)
}

/// A file, opened; `None` where it is no container, or cannot be opened, which is reported.
fn container<'s>(input: &Input, run: &mut Run<'s>) -> Result<Option<OpenFile<'s>>> {
    match run.try_open(input)? {
        Ok(file) => Ok(Some(file)),
        Err(error) if detect::is_foreign(&error) => Ok(None),
        Err(error) => {
            run.refused(input, &error)?;
            Ok(None)
        }
    }
}
