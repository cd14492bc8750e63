//! `tree`: the entries of a file as a hierarchy.

use super::{find_one, open_one};
use crate::{
    args::Tree,
    output::{FAINT, Session, TITLE, human},
};
use serde::{
    Serialize,
    ser::{SerializeStruct, Serializer},
};
use spelunk::{
    Budget, Container, Entry, Node, Of, Opened, Outline, Result, Task, View,
    text::{CodePages, until_nul},
    walk::finish,
};
use std::{collections::HashMap, io::Write};

/// A branch: an entry, or a folder that paths of entries share.
#[derive(Default)]
struct Branch {
    label: String,
    note: String,
    path: Option<String>,
    kind: String,
    size: Option<u64>,
    below: Vec<Branch>,
    /// Where each folder of `below` is, while the tree is built.
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

pub fn run(args: &Tree, session: &mut Session) -> Result<()> {
    session.show_at(&args.at)?;
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let pages = opened.code_pages();
    let mut root = Branch { label: file.clone(), ..Branch::default() };
    if let Some(path) = &args.path {
        let all = opened.run(|container, task| container.outline(View::All(path), &pages, task));
        match all {
            Ok(all) if all.is_empty() => {}
            Ok(all) => {
                root.label = format!("{file}: {path}");
                root.below = all.into_iter().map(Branch::of).collect();
                return show(&root, &file, &opened, session);
            }
            Err(error) => session.failed(&file, &error),
        }
    }
    let of = match &args.path {
        Some(path) => {
            let Some(node) = find_one(&file, &mut opened, path, session) else { return Ok(()) };
            root.label = format!("{file}: {path}");
            // Several paths lead to some entries; those below them go by one.
            let found = opened.run_silent(|container, task| {
                finish(container.entry(node, &pages, task, &mut |entry, _| {
                    root.path = Some(entry.path.to_owned());
                    Ok(())
                }))
            });
            if let Err(error) = found {
                session.failed(&file, &error);
                return Ok(());
            }
            let outline = opened
                .run_silent(|container, task| container.outline(View::Of(node), &pages, task));
            if let Ok([_, ..]) = outline.as_deref() {
                root.below = outline?.into_iter().map(Branch::of).collect();
                return show(&root, &file, &opened, session);
            }
            Some(node)
        }
        None => None,
    };
    let grown = opened.run(|container, task| match of {
        Some(node) => grow(container, &whole(node), &pages, task, &mut root, 0),
        None => grow(container, &[Of::Root], &pages, task, &mut root, 0),
    });
    if let Err(error) = grown {
        session.failed(&file, &error);
    }
    show(&root, &file, &opened, session)
}

/// Prints a tree.
fn show(root: &Branch, file: &str, opened: &Opened, session: &mut Session) -> Result<()> {
    session.settle(file, opened.findings());
    if session.common.json {
        // Written as it is gone through: as values it would take several times what the branches do.
        return session.json(&Told { branch: root, file: Some(file) });
    }
    writeln!(session.out(), "{TITLE}{}{TITLE:#}", root.label)?;
    print(root, "", session.out())
}

/// What lies below an entry, and what its bytes consist of.
fn whole(node: Node) -> [Of; 2] {
    [Of::Node(node), Of::Parts(node)]
}

/// What the texts of a branch take beside their letters, and its note.
const TEXTS: usize = 192;

/// What a folder takes beside its branch and its name.
const FOLDER: usize = 256;

/// Deeper hierarchies than this come from damaged files only.
const MAX_DEPTH: usize = 64;

/// Adds what lies below `of`. Entries whose paths have folders are put into them. What the bytes of entries consist
/// of is added where it is among `of`.
fn grow(
    container: &dyn Container,
    of: &[Of],
    pages: &CodePages,
    task: &mut Task<'_>,
    branch: &mut Branch,
    depth: usize,
) -> Result<()> {
    let mut found: Vec<(Node, Branch)> = Vec::new();
    let mut add = |entry: &Entry<'_>, task: &mut Task<'_>| {
        // A branch is kept for every entry: with its label, path and note.
        let texts = [entry.name, entry.label.map(str::as_bytes), Some(entry.kind.as_bytes())];
        let texts = texts.into_iter().flatten().map(<[u8]>::len).fold(0, usize::saturating_add);
        let held = entry.path.len().saturating_add(texts).saturating_mul(3).saturating_add(TEXTS);
        task.budget.memory(held as u64)?;
        task.budget.room(&mut found, 1)?;
        let mut label = below(entry.path, branch.path.as_deref()).to_owned();
        let name = pages.show(until_nul(entry.name.unwrap_or_default()));
        if entry.path.starts_with('#') && !name.is_empty() {
            label = format!("{label} {name}");
        }
        if let Some(known) = entry.label {
            label = format!("{label} {}", super::ls::first_line(known));
        }
        let mut note =
            if entry.kind.is_empty() { String::new() } else { format!("{}, ", entry.kind) };
        note.push_str(&human(entry.size));
        if let Some(stored) = entry.stored_size {
            note.push_str(&format!(", stored {}", human(stored)));
        }
        let path = Some(entry.path.to_owned());
        let (kind, size) = (entry.kind.to_owned(), Some(entry.size));
        found.push((entry.node, Branch { label, note, path, kind, size, ..Branch::default() }));
        Ok(())
    };
    for of in of {
        finish(container.children(*of, pages, task, &mut add))?;
    }
    let parts = of.iter().any(|of| matches!(of, Of::Parts(_)));
    let listed = found.capacity();
    for (node, mut child) in found {
        if depth < MAX_DEPTH {
            let of = whole(node);
            let of = if parts { &of[..] } else { &of[..1] };
            grow(container, of, pages, task, &mut child, depth + 1)?;
        }
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
    }
    task.budget.release((listed as u64).saturating_mul(size_of::<(Node, Branch)>() as u64));
    Ok(())
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
        branch = &mut branch.below[index];
    }
    Ok(branch)
}

fn print(branch: &Branch, indent: &str, out: &mut dyn Write) -> Result<()> {
    for (nth, child) in branch.below.iter().enumerate() {
        let last = nth + 1 == branch.below.len();
        let (mark, deeper) = if last { ("└── ", "    ") } else { ("├── ", "│   ") };
        write!(out, "{FAINT}{indent}{mark}{FAINT:#}{}", child.label)?;
        if !child.note.is_empty() {
            write!(out, "  {FAINT}{}{FAINT:#}", child.note)?;
        }
        writeln!(out)?;
        print(child, &format!("{indent}{deeper}"), out)?;
    }
    Ok(())
}

/// A branch as JSON; the whole tree is of a file.
struct Told<'b> {
    branch: &'b Branch,
    file: Option<&'b str>,
}

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        let Branch { label, note, path, kind, size, below, folders: _ } = self.branch;
        let mut told = out.serialize_struct("Branch", if self.file.is_some() { 7 } else { 6 })?;
        told.serialize_field("label", label)?;
        told.serialize_field("path", path)?;
        told.serialize_field("type", kind)?;
        told.serialize_field("note", note)?;
        told.serialize_field("size", size)?;
        told.serialize_field("children", &Below(below))?;
        if let Some(file) = self.file {
            told.serialize_field("file", file)?;
        }
        told.end()
    }
}

/// What lies below a branch.
struct Below<'b>(&'b [Branch]);

impl Serialize for Below<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        out.collect_seq(self.0.iter().map(|branch| Told { branch, file: None }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk::Limits;

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
