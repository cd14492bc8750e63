//! The folders and files of one container, as extraction lays them out.

use spelunk::{Node, containers::extract::ExtractionItem};
use std::{collections::HashMap, ops::Range};

/// Folders and files, each with a position. The first is the folder of all others.
#[derive(Debug)]
pub(crate) struct Tree {
    items: Vec<Item>,
    /// The positions of what lies in folders: those of one folder lie behind each other, in the order of the names.
    within: Vec<usize>,
    size: u64,
    files: u64,
}

#[derive(Debug)]
struct Item {
    name: Box<str>,
    /// The position of the folder that it lies in.
    parent: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// What lies in a folder.
    Folder(Range<usize>),
    File(Entry),
}

/// An entry of the container that is a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) node: Node,
    /// Plain size in bytes.
    pub(crate) size: u64,
}

impl Tree {
    /// The position of the folder of all others.
    pub(crate) const ROOT: usize = 0;

    /// Memory in bytes that a tree of so many files takes at the most, beside their names.
    pub(crate) fn held(files: usize) -> u64 {
        // As many folders as files, and a vector that has grown.
        (files as u64).saturating_mul(4 * (size_of::<Item>() + size_of::<usize>()) as u64)
    }

    /// The tree of these files.
    pub(crate) fn of(files: Vec<ExtractionItem>) -> Tree {
        let mut growing = Growing::default();
        let count = files.len() as u64;
        let mut size = 0_u64;
        for file in files {
            size = size.saturating_add(file.size);
            let (folder, name) = file.output.rsplit_once('/').unwrap_or(("", &file.output));
            let parent = growing.folder(folder);
            growing.put(parent, name, Kind::File(Entry { node: file.node, size: file.size }));
        }
        growing.tree(size, count)
    }

    /// Number of files.
    pub(crate) const fn files(&self) -> u64 {
        self.files
    }

    /// Plain sizes of all files together, in bytes.
    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    /// The entry that a file is; `None` for folders.
    pub(crate) fn entry(&self, place: usize) -> Option<Entry> {
        match self.items.get(place)?.kind {
            Kind::Folder(_) => None,
            Kind::File(entry) => Some(entry),
        }
    }

    /// Whether something is at this position.
    pub(crate) fn has(&self, place: usize) -> bool {
        place < self.items.len()
    }

    /// The position of the folder that something lies in.
    pub(crate) fn parent(&self, place: usize) -> usize {
        self.items.get(place).map_or(Tree::ROOT, |item| item.parent)
    }

    /// The positions of what lies in a folder, in the order of the names; nothing for files.
    pub(crate) fn within(&self, place: usize) -> &[usize] {
        match self.items.get(place).map(|item| &item.kind) {
            Some(Kind::Folder(range)) => self.within.get(range.clone()).unwrap_or_default(),
            _ => &[],
        }
    }

    /// The name of something in its folder.
    pub(crate) fn name(&self, place: usize) -> &str {
        self.items.get(place).map_or("", |item| &item.name)
    }

    /// The position of what is called so in a folder.
    pub(crate) fn find(&self, folder: usize, name: &str) -> Option<usize> {
        let within = self.within(folder);
        let at = within.binary_search_by(|place| self.name(*place).cmp(name)).ok()?;
        within.get(at).copied()
    }

    /// The path of something, with `/`.
    pub(crate) fn path(&self, place: usize) -> String {
        let mut steps = Vec::new();
        let mut at = place;
        while at != Tree::ROOT {
            steps.push(self.name(at));
            at = self.parent(at);
        }
        steps.reverse();
        steps.join("/")
    }
}

/// A tree whose folders are not in order yet.
struct Growing {
    items: Vec<Item>,
    /// Folders by their paths, and that of the last file.
    folders: HashMap<String, usize>,
}

impl Default for Growing {
    fn default() -> Growing {
        let root = Item { name: "".into(), parent: Tree::ROOT, kind: Kind::Folder(0..0) };
        let folders = HashMap::from([(String::new(), Tree::ROOT)]);
        Growing { items: vec![root], folders }
    }
}

impl Growing {
    fn put(&mut self, parent: usize, name: &str, kind: Kind) -> usize {
        let place = self.items.len();
        self.items.push(Item { name: name.into(), parent, kind });
        place
    }

    /// The folder of this path, made where it is missing, with those above it. There are few of them.
    fn folder(&mut self, path: &str) -> usize {
        if let Some(known) = self.folders.get(path) {
            return *known;
        }
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = self.folder(above);
        let place = self.put(parent, name, Kind::Folder(0..0));
        self.folders.insert(path.to_owned(), place);
        place
    }

    fn tree(self, size: u64, files: u64) -> Tree {
        let mut items = self.items;
        let mut within: Vec<usize> = (1..items.len()).collect();
        let key = |place: &usize| items.get(*place).map(|item| (item.parent, &*item.name));
        within.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        let mut start = 0;
        while let Some(parent) = within.get(start).and_then(|place| items.get(*place)) {
            let parent = parent.parent;
            let rest = within.get(start..).unwrap_or_default();
            let is_here =
                |place: &usize| items.get(*place).is_some_and(|item| item.parent == parent);
            let end = start.saturating_add(rest.partition_point(is_here));
            if let Some(Item { kind: Kind::Folder(range), .. }) = items.get_mut(parent) {
                *range = start..end;
            }
            start = end;
        }
        Tree { items, within, size, files }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> Tree {
        let item = |(nth, output): (usize, &&str)| ExtractionItem {
            node: Node(nth as u64),
            path: String::new(),
            output: (*output).to_owned(),
            size: nth as u64 + 1,
            below: None,
        };
        Tree::of(files.iter().enumerate().map(item).collect())
    }

    fn names(tree: &Tree, folder: usize) -> Vec<&str> {
        tree.within(folder).iter().map(|place| tree.name(*place)).collect()
    }

    #[test]
    fn files_lie_in_folders_in_the_order_of_their_names() {
        let tree = tree(&["b/z", "a", "b/c/d", "b/y", "ab"]);
        assert_eq!(names(&tree, Tree::ROOT), ["a", "ab", "b"]);
        let b = tree.find(Tree::ROOT, "b").unwrap();
        assert_eq!(names(&tree, b), ["c", "y", "z"]);
        let c = tree.find(b, "c").unwrap();
        let d = tree.find(c, "d").unwrap();
        assert_eq!((tree.parent(d), tree.parent(c), tree.parent(b)), (c, b, Tree::ROOT));
        assert_eq!(tree.path(d), "b/c/d");
        assert_eq!(tree.entry(d), Some(Entry { node: Node(2), size: 3 }));
        assert_eq!((tree.entry(c), tree.within(d)), (None, &[][..]));
        assert_eq!((tree.files(), tree.size()), (5, 15));
        assert_eq!(tree.find(b, "d"), None);
    }

    #[test]
    fn a_container_without_entries_is_an_empty_folder() {
        let tree = tree(&[]);
        assert!(tree.has(Tree::ROOT) && !tree.has(1) && tree.within(Tree::ROOT).is_empty());
    }
}
