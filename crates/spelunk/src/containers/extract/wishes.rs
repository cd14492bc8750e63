//! Wishes of an extraction: the entries that are wanted, and the files that they go to.

use super::plan::MANIFEST;
use crate::{
    Container, Entry, Error, Halt, Node, Of, Result, Step, Task, core::text::CodePages,
    entries::select::Select, open::safe_path::SafePaths, open::safe_path::file_name,
    open::skeleton::SKELETON,
};
use spelunk_core::{
    container::kind,
    entries::{At, MAX_DEPTH, Order, Traversal, Visit},
};

/// An entry that becomes a file.
#[derive(Clone, Debug)]
pub struct ExtractionItem {
    /// The entry.
    pub node: Node,
    /// The path of the entry, as it is listed.
    pub path: String,
    /// The path of the file below the folder of all files, with `/`: safe on every system, and that of no other one.
    pub output: String,
    /// Plain size in bytes, as it is listed.
    pub size: u64,
    /// The entry of the listing that it lies below, and its position there.
    pub below: Option<(Node, usize)>,
}

/// The entries of a container that are wanted, and the files that they become, in the order in which they are written: of all of
/// it, or only of what it carries along without needing it. Nothing of them is read but what lists them; the memory of the items stays
/// charged.
///
/// # Errors
/// [`NO_INCLUDED`](crate::open::codes::NO_INCLUDED); reading errors; limits.
pub fn items(
    container: &dyn Container,
    pages: &CodePages,
    select: &Select,
    included: bool,
    task: &mut Task<'_>,
) -> Result<Vec<ExtractionItem>> {
    match included {
        true => collect_included(container, pages, select, task),
        false => collect(container, pages, select, task),
    }
}

/// Entries that are wanted, with names that no other one has.
struct Wishes<'a> {
    pages: &'a CodePages,
    select: &'a Select,
    names: SafePaths,
    wanted: Vec<ExtractionItem>,
    /// Entry below which the next ones lie, and its position; `None` at the top.
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
        file: impl FnOnce(&Entry<'_>, &CodePages) -> String,
        task: &mut Task<'_>,
    ) -> Result<()> {
        if self.select.wants(entry, self.pages, &mut task.budget)? {
            // The name as it is shown, the file called by it, and what that is made of.
            let letters = entry.path.len().saturating_add(entry.name.map_or(0, <[u8]>::len));
            task.budget.afford((letters as u64).saturating_mul(8))?;
            let output = self.names.claim(&file(entry, self.pages));
            // The path, the output, and the folded forms of all its folders.
            let folders = output.matches('/').count().saturating_add(3);
            let held = entry.path.len().saturating_add(output.len().saturating_mul(folders));
            task.budget.memory((held as u64).saturating_add(256))?;
            task.budget.room(&mut self.wanted, 1)?;
            let (node, path) = (entry.node, entry.path.to_owned());
            self.wanted.push(ExtractionItem {
                node,
                path,
                output,
                size: entry.size,
                below: self.below,
            });
        }
        Ok(())
    }
}

/// Lists what is wanted: rows of the listing, what lies below them where that has bytes of its own (where entries lie in each
/// other as deep as globs ask for), and what else lies in the folders at the top (managers, included files).
fn collect(
    container: &dyn Container,
    pages: &CodePages,
    select: &Select,
    task: &mut Task<'_>,
) -> Result<Vec<ExtractionItem>> {
    let extraction = &container.profile().extraction;
    // Entries that lie in each other are a part of each other's bytes, so all of them are written to those alone who name them.
    let deep = extraction.is_nested && !select.takes_all();
    let entries = Traversal::new(pages);
    let mut listed = ListingCollector { wishes: Wishes::new(pages, select), nodes: Vec::new() };
    let levels = entries.order(Order::Levels).depth(if deep { MAX_DEPTH } else { 1 });
    levels.visit(container, &[Of::Listing], task, &mut listed)?;
    let ListingCollector { mut wishes, mut nodes } = listed;
    if !extraction.listing_is_whole {
        wishes.below = None;
        nodes.sort_unstable();
        let mut rest = UnlistedCollector { wishes, nodes };
        entries.order(Order::Siblings).depth(1).visit(container, &[Of::Root], task, &mut rest)?;
        wishes = rest.wishes;
    }
    Ok(wishes.wanted)
}

/// Takes what the listing has, and what lies below it.
struct ListingCollector<'a> {
    wishes: Wishes<'a>,
    /// The entries of the listing.
    nodes: Vec<Node>,
}

impl Visit for ListingCollector<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        at: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        match at.of {
            Of::Node(parent) => self.wishes.below = Some((parent, at.nth)),
            _ => {
                task.budget.memory(8)?;
                self.nodes.push(entry.node);
            }
        }
        self.wishes.add(entry, file_name, task)?;
        Ok(Step::Into)
    }
}

/// Takes what lies in the folders at the top and is not in the listing.
struct UnlistedCollector<'a> {
    wishes: Wishes<'a>,
    /// The entries of the listing, sorted.
    nodes: Vec<Node>,
}

impl Visit for UnlistedCollector<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        at: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        let is_folder = entry.kind == kind::FOLDER;
        if at.depth == 0 {
            return Ok(if is_folder { Step::Into } else { Step::Over });
        }
        if !is_folder && self.nodes.binary_search(&entry.node).is_err() {
            self.wishes.add(entry, file_name, task)?;
        }
        Ok(Step::Over)
    }
}

/// Lists the included files that are wanted. They go right into the target.
fn collect_included(
    container: &dyn Container,
    pages: &CodePages,
    select: &Select,
    task: &mut Task<'_>,
) -> Result<Vec<ExtractionItem>> {
    let Some(folder) = container.profile().extraction.included else {
        return Err(Error::new(&crate::open::codes::NO_INCLUDED).found(container.format()));
    };
    let mut included = Included { wishes: Wishes::new(pages, select), folder };
    Traversal::new(pages).depth(1).visit(container, &[Of::Root], task, &mut included)?;
    Ok(included.wishes.wanted)
}

/// Takes what lies in one of the folders at the top.
struct Included<'a> {
    wishes: Wishes<'a>,
    folder: &'static str,
}

impl Visit for Included<'_> {
    fn entry(
        &mut self,
        entry: &Entry<'_>,
        at: At,
        task: &mut Task<'_>,
    ) -> std::result::Result<Step, Halt> {
        if at.depth == 0 {
            let is_it = entry.kind == kind::FOLDER && entry.path == self.folder;
            return Ok(if is_it { Step::Into } else { Step::Over });
        }
        let file = |entry: &Entry<'_>, _: &CodePages| {
            let file = entry.path.split_once('/').map_or(entry.path, |(_, file)| file);
            file.to_owned()
        };
        self.wishes.add(entry, file, task)?;
        Ok(Step::Over)
    }
}
