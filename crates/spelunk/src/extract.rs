//! Entries as files, with a manifest of what they were.

use crate::{
    Class, Container, Entry, Error, Node, Of, Result, Task, json,
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
    /// Files written, or to be written on a dry run.
    pub files: Vec<Written>,
    /// Entries that could not be read or written, with what is wrong; the others were written.
    pub failed: Vec<(String, Error)>,
}

/// A file that was written, or is to be.
#[derive(Debug)]
pub struct Written {
    /// Path of the entry.
    pub path: String,
    /// Path of the file below the target folder, with `/`.
    pub output: String,
    /// Size in bytes.
    pub size: u64,
}

/// An entry that is to be extracted.
struct Wanted {
    node: Node,
    path: String,
    output: String,
}

/// Extracts the entries of `container` that `plan` selects. `each` is told the count of files done and of
/// all after every file.
///
/// Nothing is written before it is certain that no file is in the way. An entry whose bytes are damaged is
/// left out and told; the others are written. The manifest lists every extracted entry with everything its
/// listing tells and with the stored bytes of its name, and the container's own summary.
///
/// # Errors
/// When the tables cannot be read, the entries have no bytes of their own, a file exists and may not be
/// replaced, or writing fails.
pub fn extract(
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(usize, usize),
) -> Result<Done> {
    let wanted = collect(container, pages, plan.select, task)?;
    if !plan.force {
        let outputs = wanted.iter().map(|entry| entry.output.as_str()).chain([MANIFEST]);
        for output in outputs.filter(|_| !wanted.is_empty()) {
            refuse_existing(&plan.target.join(output))?;
        }
    }
    let mut done = Done::default();
    let mut rows = Vec::new();
    for (nth, entry) in wanted.iter().enumerate() {
        match one(container, pages, plan, entry, task) {
            Ok((row, size)) => {
                rows.push(row);
                let (path, output) = (entry.path.clone(), entry.output.clone());
                done.files.push(Written { path, output, size });
            }
            // A container whose entries lie elsewhere has none to give.
            Err(error) if error.code().id == codes::NO_SUCH_OPERATION.id && nth == 0 => {
                return Err(error);
            }
            Err(error) if error.code().class == Class::Io => return Err(error),
            Err(error) => done.failed.push((entry.path.clone(), error)),
        }
        each(nth.saturating_add(1), wanted.len());
    }
    if !plan.dry_run && !wanted.is_empty() {
        let (details, result) = json::object(pages, |walk| container.info(task, walk));
        if let Err(error) = result {
            task.error(error)?;
        }
        let manifest = json!({
            "spelunk_manifest": 1,
            "format": container.format(),
            "dialect": container.dialect(),
            "size": container.size(),
            "encoding": pages.to_string(),
            "details": details,
            "entries": rows,
        });
        let text = serde_json::to_vec_pretty(&manifest)
            .map_err(|error| Error::io(std::io::Error::other(error)))?;
        write(plan, MANIFEST, &text)?;
    }
    Ok(done)
}

/// Extracts one entry; gives its row of the manifest and its size.
fn one(
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    entry: &Wanted,
    task: &mut Task<'_>,
) -> Result<(Value, u64)> {
    let bytes = container.bytes(entry.node, task)?;
    let size = bytes.len() as u64;
    let mut row = Map::new();
    row.insert("path".into(), entry.path.as_str().into());
    row.insert("file".into(), entry.output.as_str().into());
    if !plan.dry_run {
        write(plan, &entry.output, &bytes)?;
        row.extend(details(container, pages, entry.node, task)?);
        // What the manifest holds until it is written.
        let held =
            row.values().map(|value| value.to_string().len()).fold(256, usize::saturating_add);
        task.budget.memory(held as u64)?;
    }
    row.insert("size".into(), size.into());
    // Bytes that the container did not keep are freed with this handle.
    if bytes.is_unique() {
        task.budget.release(size);
    }
    Ok((Value::Object(row), size))
}

/// What the listing tells of one entry.
fn details(
    container: &dyn Container,
    pages: &CodePages,
    node: Node,
    task: &mut Task<'_>,
) -> Result<Map<String, Value>> {
    let mut row = Map::new();
    finish(container.entry(node, pages, task, &mut |entry, task| {
        let (fields, result) = json::object(pages, |walk| entry.details.walk(task, walk));
        row = fields;
        Ok(result?)
    }))?;
    Ok(row)
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
    let mut visit = |entry: &Entry<'_>, task: &mut Task<'_>| {
        let name = entry.name.map(|name| pages.show(name)).unwrap_or_default();
        if select.matches(entry.path, entry.kind, &name) {
            let output = names.claim(&file_name(entry, pages));
            // The path, the output, and the folded forms of all its folders.
            let folders = output.matches('/').count().saturating_add(3);
            let held = entry.path.len().saturating_add(output.len().saturating_mul(folders));
            task.budget.memory((held as u64).saturating_add(256))?;
            wanted.push(Wanted { node: entry.node, path: entry.path.to_owned(), output });
        }
        Ok(())
    };
    let mut parents = Vec::new();
    finish(container.children(Of::Listing, pages, task, &mut |entry, task| {
        task.budget.memory(8)?;
        parents.push(entry.node);
        visit(entry, task)
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

fn refuse_existing(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(Error::new(&codes::EXISTS).found(path.display().to_string()));
    }
    Ok(())
}

/// Writes a file below the target. Links are not followed; what exists is replaced only where that is asked
/// for, and only by the whole new file.
fn write(plan: &Plan<'_>, output: &str, bytes: &[u8]) -> Result<()> {
    fs::create_dir_all(plan.target)?;
    let path = prepare(plan.target, output)?;
    if plan.force && path.symlink_metadata().is_ok() {
        let folder = path.parent().unwrap_or(plan.target);
        let mut file = tempfile::Builder::new().prefix(".spelunk-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.persist(&path).map_err(|error| Error::io(error.error))?;
        return Ok(());
    }
    let mut file = match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            return Err(Error::new(&codes::EXISTS).found(path.display().to_string()));
        }
        Err(error) => return Err(Error::io(error)),
    };
    if let Err(error) = file.write_all(bytes) {
        drop(file);
        // Half a file is worse than none.
        let _ = fs::remove_file(&path);
        return Err(Error::io(error));
    }
    Ok(())
}
