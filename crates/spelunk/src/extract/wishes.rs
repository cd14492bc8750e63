//! Which entries are wanted, and the files that they go to.

use super::MANIFEST;
use crate::{
    Container, Entry, Error, Node, Of, Result, Task,
    pack::SKELETON,
    safe_path::SafePaths,
    select::Select,
    text::{CodePages, until_nul},
    walk::finish,
};

/// An entry that is to be extracted.
pub(super) struct Wanted {
    pub(super) node: Node,
    pub(super) path: String,
    pub(super) output: String,
    /// Plain size in bytes, as it is listed.
    pub(super) size: u64,
    /// The entry of the listing that it lies below, and its position there.
    pub(super) below: Option<(Node, usize)>,
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

    /// Takes an entry that is selected; its file is called as `file` says, as far as that is safe and free.
    fn add(
        &mut self,
        entry: &Entry<'_>,
        file: impl FnOnce(&Entry<'_>) -> String,
        task: &mut Task<'_>,
    ) -> Result<()> {
        if self.select.wants(entry, self.pages, &mut task.budget)? {
            // The name as it is shown, the file called by it, and what that is made of.
            let letters = entry.path.len().saturating_add(entry.name.map_or(0, <[u8]>::len));
            task.budget.afford((letters as u64).saturating_mul(8))?;
            let output = self.names.claim(&file(entry));
            // The path, the output, and the folded forms of all its folders.
            let folders = output.matches('/').count().saturating_add(3);
            let held = entry.path.len().saturating_add(output.len().saturating_mul(folders));
            task.budget.memory((held as u64).saturating_add(256))?;
            task.budget.room(&mut self.wanted, 1)?;
            let (node, path) = (entry.node, entry.path.to_owned());
            self.wanted.push(Wanted { node, path, output, size: entry.size, below: self.below });
        }
        Ok(())
    }
}

/// Lists what is wanted: rows of the listing, what lies below them where that has bytes of its own (in saves as deep as
/// globs ask for), and what else lies in the folders at the top (managers, included files).
pub(super) fn collect(
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
        Ok(wishes.add(entry, |entry| file_name(entry, pages), task)?)
    }))?;
    // Chunk files in saves hold chunks that hold chunk files. They are a part of each other's bytes, so all of them are
    // written to those alone who name them.
    let deep = container.format() == "spellforce-save" && !select.takes_all();
    let mut level = parents.clone();
    while !level.is_empty() {
        let mut next = Vec::new();
        for parent in &level {
            let mut nth = 0_usize;
            finish(container.children(Of::Node(*parent), pages, task, &mut |entry, task| {
                wishes.below = Some((*parent, nth));
                nth = nth.saturating_add(1);
                if deep {
                    task.budget.memory(8)?;
                    next.push(entry.node);
                }
                Ok(wishes.add(entry, |entry| file_name(entry, pages), task)?)
            }))?;
        }
        level = next;
    }
    wishes.below = None;
    // The listings of these have everything.
    if ["snpak", "spellforce-pak", "spellforce-set"].contains(&container.format()) {
        return Ok(wishes.wanted);
    }
    parents.sort_unstable();
    for folder in folders(container, pages, |_| true, task)? {
        finish(container.children(Of::Node(folder), pages, task, &mut |entry, task| {
            let listed = parents.binary_search(&entry.node).is_ok();
            if !listed && entry.kind != FOLDER {
                wishes.add(entry, |entry| file_name(entry, pages), task)?;
            }
            Ok(())
        }))?;
    }
    Ok(wishes.wanted)
}

/// Lists the included files that are wanted. They go right into the target.
pub(super) fn collect_included(
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
            let file = |entry: &Entry<'_>| {
                let file = entry.path.split_once('/').map_or(entry.path, |(_, file)| file);
                file.to_owned()
            };
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
