//! `tree`: the entries of a file as a hierarchy.

use super::open_one;
use crate::{
    args::OneFile,
    output::{FAINT, Session, TITLE, human},
};
use serde_json::{Value, json};
use spelunk::{
    Container, Node, Of, Result, Task,
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

pub fn run(args: &OneFile, session: &mut Session) -> Result<()> {
    let Some((file, mut opened)) = open_one(&args.file, session)? else { return Ok(()) };
    let pages = opened.code_pages();
    let mut root = Branch { label: file.clone(), ..Branch::default() };
    let grown = opened.run(|container, task| grow(container, Of::Root, &pages, task, &mut root, 0));
    session.settle(&file, opened.findings());
    if let Err(error) = grown {
        session.failed(&file, &error);
    }
    if session.common.json {
        let mut value = as_json(&root);
        value["file"] = file.into();
        return session.json(&value);
    }
    writeln!(session.out(), "{TITLE}{}{TITLE:#}", root.label)?;
    print(&root, "", session.out())
}

/// Deeper hierarchies than this come from damaged files only.
const MAX_DEPTH: usize = 64;

/// Adds what lies below `of`. Entries whose paths have folders are put into them.
fn grow(
    container: &dyn Container,
    of: Of,
    pages: &CodePages,
    task: &mut Task<'_>,
    branch: &mut Branch,
    depth: usize,
) -> Result<()> {
    let mut found: Vec<(Node, Branch)> = Vec::new();
    finish(container.children(of, pages, task, &mut |entry, task| {
        // A branch is kept for every entry: with its label, path and note, and its folders.
        task.budget.memory((entry.path.len() as u64).saturating_mul(4).saturating_add(512))?;
        let mut label = below(entry.path, branch.path.as_deref()).to_owned();
        let name = pages.show(until_nul(entry.name.unwrap_or_default()));
        if entry.path.starts_with('#') && !name.is_empty() {
            label = format!("{label} {name}");
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
    }))?;
    for (node, mut child) in found {
        if depth < MAX_DEPTH {
            grow(container, Of::Node(node), pages, task, &mut child, depth + 1)?;
        }
        match child.label.rsplit_once('/') {
            Some((folders, last))
                if !folders.starts_with('#') && folders.matches('/').count() < MAX_DEPTH =>
            {
                let (folders, last) = (folders.to_owned(), last.to_owned());
                child.label = last;
                folder(branch, &folders).below.push(child);
            }
            // More folders than that are a label.
            _ => branch.below.push(child),
        }
    }
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

/// The folder at `path` below `branch`, made where it is missing.
fn folder<'b>(branch: &'b mut Branch, path: &str) -> &'b mut Branch {
    path.split('/').fold(branch, |branch, step| {
        let index = *branch.folders.entry(step.to_owned()).or_insert_with(|| {
            branch.below.push(Branch { label: format!("{step}/"), ..Branch::default() });
            branch.below.len() - 1
        });
        &mut branch.below[index]
    })
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

fn as_json(branch: &Branch) -> Value {
    let below: Vec<Value> = branch.below.iter().map(as_json).collect();
    json!({
        "label": branch.label,
        "path": branch.path,
        "type": branch.kind,
        "size": branch.size,
        "children": below,
    })
}
