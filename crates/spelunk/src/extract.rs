//! Entries as files, with a manifest of what they were.

use crate::{
    Class, Container, Entry, Error, Node, Of, Result, Task, json,
    pack::{self, Origin, SKELETON},
    safe_path::{SafePaths, prepare},
    select::Select,
    text::{CodePages, until_nul},
    walk::finish,
};
use serde_json::{Map, Value, json};
use spelunk_core::{Bytes, codes};
use std::{
    collections::HashMap,
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
    /// Only the files that the container carries along without needing them.
    pub included: bool,
    /// What the skeleton is made from that [`pack`] needs; none is written without it.
    pub origin: Option<Origin<'a>>,
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
    /// The entry of the listing that it lies below, and its position there.
    below: Option<(Node, usize)>,
}

/// Extracts the entries of `container` that `plan` selects. `each` is told the count of files done and of
/// all after every file.
///
/// Nothing is written before it is certain that no file is in the way. An entry whose bytes are damaged is
/// left out and told; the others are written. The manifest lists every extracted entry with everything its
/// listing tells and with the stored bytes of its name, and the container's own summary. Where the format can be
/// edited, a skeleton from which [`pack`] rebuilds the container is written beside it.
///
/// # Errors
/// When the tables cannot be read, the entries have no bytes of their own, a file exists and may not be
/// replaced, or writing fails; [`NO_INCLUDED`](crate::codes::NO_INCLUDED).
pub fn extract(
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(usize, usize),
) -> Result<Done> {
    let wanted = if plan.included {
        collect_included(container, pages, plan.select, task)?
    } else {
        collect(container, pages, plan.select, task)?
    };
    // A container without entries has a manifest too; globs that match nothing leave nothing behind.
    let some = !wanted.is_empty() || (plan.select.takes_all() && !plan.included);
    if !plan.force && some {
        let outputs = wanted.iter().map(|entry| entry.output.as_str());
        let outputs = outputs.chain([MANIFEST, SKELETON]);
        for output in outputs {
            refuse_existing(&plan.target.join(output))?;
        }
    }
    let mut done = Done::default();
    let mut rows = Vec::new();
    let (mut nodes, mut below) = (Vec::new(), Vec::new());
    for (nth, entry) in wanted.iter().enumerate() {
        match one(container, pages, plan, entry, task) {
            Ok((row, size)) => {
                rows.push(row);
                nodes.push(entry.node);
                below.push(entry.below);
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
    if !plan.dry_run && some {
        tell_below(&below, &nodes, &mut rows);
        let packing = skeleton(container, plan, &nodes, &mut rows, task)?;
        write_manifest(container, pages, plan, rows, packing, task)?;
    }
    Ok(done)
}

/// Adds the files of bulk payloads, and what is in them, to the rows of their assets, which tell of them too.
fn tell_below(below: &[Option<(Node, usize)>], nodes: &[Node], rows: &mut [Map<String, Value>]) {
    let row_of: HashMap<Node, usize> = nodes.iter().copied().zip(0..).collect();
    for (child, below) in below.iter().enumerate() {
        let Some((parent, nth)) = below else { continue };
        let told = ["file", "xxh3"]
            .map(|key| (key.to_owned(), rows.get(child).and_then(|row| row.get(key)).cloned()));
        let parent = row_of.get(parent).and_then(|parent| rows.get_mut(*parent));
        let list = parent.and_then(|parent| parent.get_mut("bulk")).and_then(Value::as_array_mut);
        let item = list.and_then(|list| list.get_mut(*nth)).and_then(Value::as_object_mut);
        if let Some(item) = item {
            item.extend(told.into_iter().filter_map(|(key, value)| Some((key, value?))));
        }
    }
}

/// What the manifest says for packing.
#[derive(Default)]
struct Packing {
    level: Option<u8>,
    skeleton: Value,
}

/// Writes the skeleton, and adds to the rows what packing needs. Nothing where the format cannot be edited.
fn skeleton(
    container: &dyn Container,
    plan: &Plan<'_>,
    nodes: &[Node],
    rows: &mut [Map<String, Value>],
    task: &mut Task<'_>,
) -> Result<Packing> {
    let Some(origin) = &plan.origin else { return Ok(Packing::default()) };
    // A part of a pack is put back with `append`; there is no need of the rest for that.
    if container.format() == "snpak" && !plan.select.takes_all() {
        return Ok(Packing::default());
    }
    let level = match container.level(task) {
        Err(error) if error.code().class == Class::Io => return Err(error),
        level => level.unwrap_or_default(),
    };
    let mut content = |node: Node| -> Result<Bytes> {
        let bytes = container.bytes(node, task)?;
        // The container that is filled with it takes it from its own limits.
        if bytes.is_unique() {
            task.budget.release(bytes.len() as u64);
        }
        Ok(bytes)
    };
    let Some(skeleton) = pack::skeleton(origin, nodes, level, &mut content)? else {
        return Ok(Packing::default());
    };
    for ((row, node), emptied) in rows.iter_mut().zip(nodes).zip(&skeleton.emptied) {
        row.insert("node".into(), node.0.into());
        row.insert("emptied".into(), (*emptied).into());
    }
    write(plan, SKELETON, &skeleton.bytes)?;
    Ok(Packing { level, skeleton: skeleton.row() })
}

fn write_manifest(
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    rows: Vec<Map<String, Value>>,
    packing: Packing,
    task: &mut Task<'_>,
) -> Result<()> {
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
        "level": packing.level,
        "skeleton": packing.skeleton,
        "details": details,
        "entries": rows,
    });
    let text = serde_json::to_vec_pretty(&manifest)
        .map_err(|error| Error::io(std::io::Error::other(error)))?;
    write(plan, MANIFEST, &text)
}

/// Extracts one entry; gives its row of the manifest and its size.
fn one(
    container: &dyn Container,
    pages: &CodePages,
    plan: &Plan<'_>,
    entry: &Wanted,
    task: &mut Task<'_>,
) -> Result<(Map<String, Value>, u64)> {
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
    if plan.origin.is_some() && !plan.dry_run {
        row.insert("xxh3".into(), pack::hash(&bytes).into());
    }
    // Bytes that the container did not keep are freed with this handle.
    if bytes.is_unique() {
        task.budget.release(size);
    }
    Ok((row, size))
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

/// Entries that are wanted, with names that no other one has.
struct Wishes<'a> {
    pages: &'a CodePages,
    select: &'a Select,
    names: SafePaths,
    wanted: Vec<Wanted>,
    /// Where the entries lie that come next.
    below: Option<(Node, usize)>,
}

impl<'a> Wishes<'a> {
    fn new(pages: &'a CodePages, select: &'a Select) -> Wishes<'a> {
        let mut names = SafePaths::default();
        names.claim(MANIFEST);
        names.claim(SKELETON);
        Wishes { pages, select, names, wanted: Vec::new(), below: None }
    }

    /// Takes an entry that is selected; its file is called `file`, as far as that is safe and free.
    fn add(&mut self, entry: &Entry<'_>, file: &str, task: &mut Task<'_>) -> Result<()> {
        let name = entry.name.map(|name| self.pages.show(name)).unwrap_or_default();
        if self.select.matches(entry.path, entry.kind, &name) {
            let output = self.names.claim(file);
            // The path, the output, and the folded forms of all its folders.
            let folders = output.matches('/').count().saturating_add(3);
            let held = entry.path.len().saturating_add(output.len().saturating_mul(folders));
            task.budget.memory((held as u64).saturating_add(256))?;
            let (node, path) = (entry.node, entry.path.to_owned());
            self.wanted.push(Wanted { node, path, output, below: self.below });
        }
        Ok(())
    }
}

/// Lists what is wanted: rows of the listing, what lies below them where that has bytes of its own, and what
/// else lies in the folders at the top (managers, included files).
fn collect(
    container: &dyn Container,
    pages: &CodePages,
    select: &Select,
    task: &mut Task<'_>,
) -> Result<Vec<Wanted>> {
    let mut wishes = Wishes::new(pages, select);
    let mut parents = Vec::new();
    finish(container.children(Of::Listing, pages, task, &mut |entry, task| {
        task.budget.memory(8)?;
        parents.push(entry.node);
        Ok(wishes.add(entry, &file_name(entry, pages), task)?)
    }))?;
    for parent in &parents {
        let mut nth = 0_usize;
        finish(container.children(Of::Node(*parent), pages, task, &mut |entry, task| {
            wishes.below = Some((*parent, nth));
            nth = nth.saturating_add(1);
            Ok(wishes.add(entry, &file_name(entry, pages), task)?)
        }))?;
    }
    wishes.below = None;
    parents.sort_unstable();
    for folder in folders(container, pages, |_| true, task)? {
        finish(container.children(Of::Node(folder), pages, task, &mut |entry, task| {
            let listed = parents.binary_search(&entry.node).is_ok();
            if !listed && entry.kind != FOLDER {
                wishes.add(entry, &file_name(entry, pages), task)?;
            }
            Ok(())
        }))?;
    }
    Ok(wishes.wanted)
}

/// Lists the included files that are wanted. They go right into the target.
fn collect_included(
    container: &dyn Container,
    pages: &CodePages,
    select: &Select,
    task: &mut Task<'_>,
) -> Result<Vec<Wanted>> {
    if container.format() != "virtools" {
        return Err(Error::new(&crate::codes::NO_INCLUDED).found(container.format()));
    }
    let mut wishes = Wishes::new(pages, select);
    for folder in folders(container, pages, |path| path == INCLUDED, task)? {
        finish(container.children(Of::Node(folder), pages, task, &mut |entry, task| {
            let file = entry.path.split_once('/').map_or(entry.path, |(_, file)| file);
            Ok(wishes.add(entry, file, task)?)
        }))?;
    }
    Ok(wishes.wanted)
}

/// What entries are that hold others and nothing else.
const FOLDER: &str = "folder";

/// The folder of the included files.
const INCLUDED: &str = "included";

/// The folders at the top whose path is wanted.
fn folders(
    container: &dyn Container,
    pages: &CodePages,
    wanted: impl Fn(&str) -> bool,
    task: &mut Task<'_>,
) -> Result<Vec<Node>> {
    let mut folders = Vec::new();
    finish(container.children(Of::Root, pages, task, &mut |entry, task| {
        if entry.kind == FOLDER && wanted(entry.path) {
            task.budget.memory(8)?;
            folders.push(entry.node);
        }
        Ok(())
    }))?;
    Ok(folders)
}

/// Where an entry goes: its path, or class and name where its path is a mere position.
pub(crate) fn file_name(entry: &Entry<'_>, pages: &CodePages) -> String {
    let Some(position) = entry.path.strip_prefix('#') else {
        // Paths escape what means something in them. In names of files it does not.
        return entry.path.replace("%23", "#").replace("%25", "%");
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
