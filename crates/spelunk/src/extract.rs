//! Entries as files, with a manifest of what they were.

use crate::{
    Container, Entry, Error, Halt, Node, Of, Result, Task, Val, json,
    safe_path::{SafePaths, prepare},
    select::Select,
    text::{CodePages, until_nul},
    walk::finish,
};
use serde_json::{Map, Value, json};
use spelunk_core::codes;
use std::{
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
};

/// Name of the manifest in the target folder.
pub const MANIFEST: &str = "spelunk-manifest.json";

/// How entries are extracted.
#[derive(Debug)]
pub struct Plan<'a> {
    /// The folder that receives the files. Nothing is written outside of it.
    pub target: &'a Path,
    /// Which entries are wanted.
    pub select: &'a Select,
    /// Whether files that exist are replaced.
    pub force: bool,
    /// Only tell what would be written.
    pub dry_run: bool,
}

/// What came of an extraction.
#[derive(Debug, Default)]
pub struct Done {
    /// Files written, or to be written on a dry run: relative path and size in bytes.
    pub files: Vec<(String, u64)>,
    /// Entries that could not be read, with what is wrong; the others were written.
    pub failed: Vec<(String, Error)>,
}

/// An entry that is to be extracted.
struct Wanted {
    node: Node,
    path: String,
    file: String,
    row: Map<String, Value>,
}

/// Extracts the entries of `container` that `plan` selects. `each` is told the count of files done and of
/// all after every file.
///
/// An entry whose bytes are damaged is left out and told; the others are written. The manifest lists every
/// extracted entry with everything its listing tells and with the stored bytes of its name, and the
/// container's own summary.
///
/// # Errors
/// When the tables cannot be read, a file exists and may not be replaced, or writing fails.
pub fn extract(
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(usize, usize),
) -> Result<Done> {
    let wanted = collect(container, pages, plan.select, task)?;
    let mut done = Done::default();
    let mut rows = Vec::new();
    for (nth, entry) in wanted.iter().enumerate() {
        match container.bytes(entry.node, task) {
            Ok(bytes) => {
                if !plan.dry_run {
                    write(plan, &entry.file, &bytes)?;
                }
                done.files.push((entry.file.clone(), bytes.len() as u64));
                // Bytes that the container did not keep are freed with this handle.
                if bytes.is_unique() {
                    task.budget.release(bytes.len() as u64);
                }
                let mut row = Map::new();
                row.insert("path".into(), entry.path.as_str().into());
                row.insert("file".into(), entry.file.as_str().into());
                row.extend(entry.row.clone());
                rows.push(Value::Object(row));
            }
            Err(error) => done.failed.push((entry.path.clone(), error)),
        }
        each(nth.saturating_add(1), wanted.len());
    }
    if !plan.dry_run {
        let (details, _) = json::object(pages, |walk| container.info(task, walk));
        let manifest = json!({
            "spelunk_manifest": 1,
            "format": container.format(),
            "dialect": container.dialect(),
            "size": container.size(),
            "details": details,
            "entries": rows,
        });
        let text = serde_json::to_vec_pretty(&manifest)
            .map_err(|error| Error::io(std::io::Error::other(error)))?;
        write(plan, MANIFEST, &text)?;
    }
    Ok(done)
}

/// Lists what is wanted: rows of the listing, and what lies below them where that has bytes of its own.
fn collect(
    container: &dyn Container,
    pages: &CodePages,
    select: &Select,
    task: &mut Task<'_>,
) -> Result<Vec<Wanted>> {
    let mut wanted = Vec::new();
    let mut names = SafePaths::default();
    names.claim(MANIFEST);
    let mut visit = |entry: &Entry<'_>| {
        let name = entry.name.map(|name| pages.show(name)).unwrap_or_default();
        if select.matches(entry.path, &name) {
            let (mut row, result) = json::object(pages, |walk| entry.details.walk(walk));
            result.map_err(Halt::Failed)?;
            row.insert("size".into(), entry.size.into());
            let file = names.claim(&file_name(entry, pages));
            let path = entry.path.to_owned();
            wanted.push(Wanted { node: entry.node, path, file, row });
        }
        Ok(())
    };
    let mut parents = Vec::new();
    finish(container.children(Of::Listing, pages, task, &mut |entry| {
        parents.push(entry.node);
        visit(entry)
    }))?;
    for parent in parents {
        finish(container.children(Of::Node(parent), pages, task, &mut visit))?;
    }
    Ok(wanted)
}

/// Where an entry goes: its path, or class and name where its path is a mere position.
fn file_name(entry: &Entry<'_>, pages: &CodePages) -> String {
    let Some(position) = entry.path.strip_prefix('#') else {
        return entry.path.to_owned();
    };
    let mut file = String::new();
    if !entry.kind.is_empty() {
        pages.path_step(entry.kind.as_bytes(), &mut file);
        file.push('/');
    }
    file.push_str(position);
    let name = until_nul(entry.name.unwrap_or_default());
    if !name.is_empty() {
        file.push('_');
        pages.path_step(name, &mut file);
    }
    file
}

fn write(plan: &Plan<'_>, file: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(plan.target)?;
    let path = prepare(plan.target, file)?;
    if plan.force && path.symlink_metadata().is_ok() {
        // Removing a link does not touch what it leads to.
        fs::remove_file(&path)?;
    }
    // A new file is made, so that no link is followed and nothing is overwritten.
    let mut out =
        OpenOptions::new().write(true).create_new(true).open(&path).map_err(|error| match error
            .kind()
        {
            std::io::ErrorKind::AlreadyExists => {
                Error::new(&codes::EXISTS).found(Val::Str(path.display().to_string().into()))
            }
            _ => Error::io(error),
        })?;
    out.write_all(bytes)?;
    Ok(())
}
