//! The entries of a file as a hierarchy.

use super::{
    FileRef,
    input::Input,
    output::{Outcome, Output},
    request::Shown,
    run::{OpenFile, Run},
    session::Session,
};
use crate::{
    Budget, Container, Entry, Error, Halt, Node, Of, Outline, Result, Step, Task, View, Walked,
    core::profile::Aspect,
    core::text::{CodePages, first_line, human, until_nul},
    core::walk::finish,
    open::codes,
};
use schemars::JsonSchema;
use serde::{
    Deserialize, Serialize,
    ser::{SerializeStruct, Serializer},
};
use spelunk_core::entries::{At, MAX_DEPTH, Traversal, Visit};
use std::collections::HashMap;

/// The entries of a file as a hierarchy: kinds, categories, folders; of Virtools files also the scene and the scripts
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, - for standard input, or a folder of SpellForce archives
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|DIR"))]
    pub file: FileRef,
    /// Only what lies below this entry, with what its bytes consist of; of Virtools files also scene or scripts
    #[cfg_attr(feature = "clap", arg(value_name = "PATH"))]
    pub path: Option<String>,
    /// With --json, a line for each branch, with its depth, instead of one with branches inside each other
    #[cfg_attr(feature = "clap", arg(long))]
    pub flat: bool,
    /// Options for how the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
}

/// The hierarchy of a file, or a branch of it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// The file, with its branches inside each other.
    File(FileRow),
    /// With `flat`: a branch.
    Branch(FlatRow<'a>),
}

/// A file with its branches inside each other, as [`run`] writes it without making it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FileRow {
    /// The file as a branch.
    #[serde(flatten)]
    pub branch: BranchRow,
    /// The file.
    pub file: String,
}

/// A branch with those inside it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct BranchRow {
    /// Label of the branch, without those of the branches above.
    pub label: String,
    /// Path of the entry; null where it is none.
    pub path: Option<String>,
    /// Type of the entry; empty where it is none.
    #[serde(rename = "type")]
    pub kind: String,
    /// Note behind the label; empty where there is none.
    pub note: String,
    /// Size in bytes; null where it is no entry.
    pub size: Option<u64>,
    /// Branches below it.
    pub children: Vec<BranchRow>,
}

/// A branch of a flat tree. The first one is the file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FlatRow<'a> {
    /// The file.
    pub file: &'a str,
    /// Number of branches above it.
    pub depth: usize,
    /// Whether it is the last one below the same branch.
    pub is_last: bool,
    /// Label of the branch.
    pub label: &'a str,
    /// The path of the entry; none for folders that paths share, and for outlines.
    pub path: Option<&'a str>,
    /// The kind of the entry.
    #[serde(rename = "type")]
    pub kind: &'a str,
    /// Note behind the label; empty where there is none.
    pub note: &'a str,
    /// Size of the entry in bytes.
    pub size: Option<u64>,
    /// Bytes of the file that it takes, where it is packed.
    pub stored_size: Option<u64>,
}

/// A branch: an entry, or a folder that paths of entries share.
#[derive(Default)]
struct Branch {
    label: String,
    note: String,
    path: Option<String>,
    kind: String,
    size: Option<u64>,
    stored_size: Option<u64>,
    below: Vec<Branch>,
    /// Position of each folder in `below`, by its name, while the tree is built.
    folders: HashMap<String, usize>,
}

impl Branch {
    /// An outline as a branch.
    fn of(outline: Outline) -> Branch {
        Branch {
            label: outline.label,
            note: outline.note,
            below: outline.below.into_iter().map(Branch::of).collect(),
            ..Branch::default()
        }
    }
}

/// Hands out the hierarchy of a file as one row, or a [`FlatRow`] for each branch where it is to be flat.
///
/// # Errors
/// Those of the output, and of what the request names beside the file.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("tree", session, out);
    run.show(&request.shown)?;
    if let Some(mut file) = run.open(&Input::named(&request.file))?
        && let Some(root) = branches(&mut file, request.path.as_deref(), &mut run)?
    {
        let findings = file.held.get()?.take_findings();
        run.settle(&file.name, &findings);
        if request.flat {
            flat(&root, &file.name, 0, true, &mut run)?;
        } else {
            // Written as it is gone through: as values it would take several times what the branches do.
            run.row(&Nested { branch: &root, file: Some(&file.name) })?;
        }
    }
    run.finish()
}

/// All branches, or those below the entry at `path`. `None` where there is no such entry, which is reported and counted.
fn branches(
    file: &mut OpenFile<'_>,
    path: Option<&str>,
    run: &mut Run<'_>,
) -> Result<Option<Branch>> {
    let name = &file.name;
    let opened = file.held.get()?;
    let pages = opened.code_pages();
    let mut root = Branch { label: name.clone(), ..Branch::default() };
    let Some(path) = path else {
        let grown =
            opened.run(|container, task| grow(container, &[Of::Root], &pages, task, &mut root));
        if let Err(error) = grown {
            run.failed(name, error);
        }
        return Ok(Some(root));
    };
    root.label = format!("{name}: {path}");
    match opened.run(|container, task| container.outline(View::All(path), &pages, task)) {
        Ok(all) if all.is_empty() => {
            let aspects = opened.container().profile().aspects.iter();
            let is_view = [Aspect::Scene, Aspect::Scripts].map(|view| view.name()).contains(&path)
                && aspects.clone().any(|aspect| aspect.name() == path);
            let found = opened.run_silent(|container, task| container.find(path, &pages, task));
            if is_view && found.is_ok_and(|found| found.is_empty()) {
                run.note(&format!("{name}: no {path} in it"));
                return Ok(Some(root));
            }
        }
        Ok(all) => {
            root.below = all.into_iter().map(Branch::of).collect();
            return Ok(Some(root));
        }
        Err(error) => run.failed(name, error),
    }
    let Some(node) = run.find_one(name, opened, path) else { return Ok(None) };
    // Several paths lead to some entries; those below them go by one.
    let found = opened.run_silent(|container, task| {
        finish(container.entry(node, &pages, task, &mut |entry, _| {
            root.path = Some(entry.path.to_owned());
            Ok(())
        }))
    });
    if let Err(error) = found {
        run.failed(name, error);
        return Ok(None);
    }
    let outline =
        opened.run_silent(|container, task| container.outline(View::Of(node), &pages, task));
    match outline {
        Ok(outline) if !outline.is_empty() => {
            root.below = outline.into_iter().map(Branch::of).collect();
        }
        _ => {
            let grown = opened
                .run(|container, task| grow(container, &whole(node), &pages, task, &mut root));
            if let Err(error) = grown {
                run.failed(name, error);
            }
        }
    }
    Ok(Some(root))
}

/// Hands out a branch and what lies below it.
fn flat(branch: &Branch, file: &str, depth: usize, is_last: bool, run: &mut Run<'_>) -> Result<()> {
    let Branch { label, note, path, kind, size, stored_size, below, folders: _ } = branch;
    let (path, size, stored_size) = (path.as_deref(), *size, *stored_size);
    run.row(&FlatRow { file, depth, is_last, label, path, kind, note, size, stored_size })?;
    let deeper = depth.saturating_add(1);
    let last = below.len().saturating_sub(1);
    below
        .iter()
        .enumerate()
        .try_for_each(|(nth, branch)| flat(branch, file, deeper, nth == last, run))
}

/// Returns all that lies in an entry: the entries below it, and the parts of its bytes.
fn whole(node: Node) -> [Of; 2] {
    [Of::Node(node), Of::Parts(node)]
}

/// Memory in bytes that the texts of a branch take beside their letters, and its note.
const TEXTS: usize = 192;

/// Memory in bytes that a folder takes beside its branch and its name.
const FOLDER: usize = 256;

/// Adds what lies below `of`. Entries whose paths have folders are put into them. What the bytes of entries consist
/// of is added where it is among `of`.
fn grow(
    container: &dyn Container,
    of: &[Of],
    pages: &CodePages,
    task: &mut Task<'_>,
    root: &mut Branch,
) -> Result<()> {
    let has_parts = of.iter().any(|of| matches!(of, Of::Parts(_)));
    let mut growth = Growth { pages, root, open: Vec::new() };
    Traversal::new(pages).parts(has_parts).visit(container, of, task, &mut growth)
}

/// A tree that grows.
struct Growth<'g> {
    pages: &'g CodePages,
    root: &'g mut Branch,
    /// The branches that are gone into, each below the one before it.
    open: Vec<Branch>,
}

impl Visit for Growth<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        _: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        // A branch is kept for every entry: with its label, path and note.
        let texts = [entry.name, entry.label.map(str::as_bytes), Some(entry.kind.as_bytes())];
        let texts = texts.into_iter().flatten().map(<[u8]>::len).fold(0, usize::saturating_add);
        let held = entry.path.len().saturating_add(texts).saturating_mul(3).saturating_add(TEXTS);
        task.budget.memory(held as u64)?;
        let parent = self.open.last().unwrap_or(self.root);
        let mut label = below(entry.path, parent.path.as_deref()).to_owned();
        let name = self.pages.show(until_nul(entry.name.unwrap_or_default()));
        if entry.path.starts_with('#') && !name.is_empty() {
            label = format!("{label} {name}");
        }
        if let Some(known) = entry.label {
            label = format!("{label} {}", first_line(known));
        }
        let mut note =
            if entry.kind.is_empty() { String::new() } else { format!("{}, ", entry.kind) };
        note.push_str(&human(entry.size));
        if let Some(stored) = entry.stored_size {
            note.push_str(&format!(", stored {}", human(stored)));
        }
        let path = Some(entry.path.to_owned());
        let (kind, size) = (entry.kind.to_owned(), Some(entry.size));
        let stored_size = entry.stored_size;
        let branch = Branch { label, note, path, kind, size, stored_size, ..Branch::default() };
        self.open.push(branch);
        Ok(Step::Into)
    }

    fn leave(&mut self, _: &Entry<'_>, task: &mut Task<'_>) -> Walked {
        let Some(mut child) = self.open.pop() else { return Ok(()) };
        let branch = self.open.last_mut().unwrap_or(self.root);
        match child.label.rsplit_once('/') {
            Some((folders, last))
                if !folders.starts_with('#') && folders.matches('/').count() < MAX_DEPTH =>
            {
                let (folders, last) = (folders.to_owned(), last.to_owned());
                child.label = last;
                push(folder(branch, &folders, &mut task.budget)?, child, &mut task.budget)?;
            }
            // More folders than that are a label.
            _ => push(branch, child, &mut task.budget)?,
        }
        Ok(())
    }
}

/// A path without that of the entry it lies below.
fn below<'p>(path: &'p str, parent: Option<&str>) -> &'p str {
    match parent.and_then(|parent| path.strip_prefix(parent)) {
        Some(rest) if rest.starts_with('#') => rest,
        Some(rest) => rest.strip_prefix('/').unwrap_or(path),
        None => path,
    }
}

/// Puts a branch below another one.
fn push(branch: &mut Branch, child: Branch, budget: &mut Budget) -> Result<()> {
    budget.room(&mut branch.below, 1)?;
    branch.below.push(child);
    Ok(())
}

/// The folder at `path` below `branch`, made where it is missing.
fn folder<'b>(
    mut branch: &'b mut Branch,
    path: &str,
    budget: &mut Budget,
) -> Result<&'b mut Branch> {
    for step in path.split('/') {
        let index = match branch.folders.get(step) {
            Some(index) => *index,
            None => {
                // Its name twice, and its place in a table of names that grows.
                let held = step.len().saturating_mul(2).saturating_add(FOLDER);
                budget.memory(held as u64)?;
                let index = branch.below.len();
                let label = format!("{step}/");
                push(branch, Branch { label, ..Branch::default() }, budget)?;
                branch.folders.insert(step.to_owned(), index);
                index
            }
        };
        // It is there.
        let Some(next) = branch.below.get_mut(index) else {
            return Err(Error::new(&codes::core::NOT_FOUND));
        };
        branch = next;
    }
    Ok(branch)
}

/// A branch as JSON; the whole tree is of a file.
struct Nested<'b> {
    branch: &'b Branch,
    file: Option<&'b str>,
}

impl Serialize for Nested<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        let Branch { label, note, path, kind, size, below, .. } = self.branch;
        let mut nested = out.serialize_struct("Branch", if self.file.is_some() { 7 } else { 6 })?;
        nested.serialize_field("label", label)?;
        nested.serialize_field("path", path)?;
        nested.serialize_field("type", kind)?;
        nested.serialize_field("note", note)?;
        nested.serialize_field("size", size)?;
        nested.serialize_field("children", &Below(below))?;
        if let Some(file) = self.file {
            nested.serialize_field("file", file)?;
        }
        nested.end()
    }
}

/// The branches below another one, as JSON.
struct Below<'b>(&'b [Branch]);

impl Serialize for Below<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        out.collect_seq(self.0.iter().map(|branch| Nested { branch, file: None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn folders_are_charged_before_they_are_made() {
        let mut root = Branch::default();
        let limits = Limits { memory: 16 << 10, ..Limits::for_len(0) };
        let mut budget = Budget::new(limits);
        let mut made = 0_usize;
        let refused = loop {
            match folder(&mut root, &format!("{made}/x"), &mut budget) {
                Ok(_) => made += 1,
                Err(error) => break error,
            }
        };
        assert_eq!(refused.code().id, "SP010");
        // Two branches each, without their texts.
        assert!(made > 4 && made * 2 * size_of::<Branch>() < 16 << 10, "{made}");
        folder(&mut root, "0/x", &mut budget).unwrap();
    }
}
