//! Entries of containers: their ids, listings and references.

use crate::{
    error::Result,
    field::{Field, Val},
    finding::Task,
    walk::{Walk, Walked},
};
use std::fmt;

/// An entry of a container. Opaque: only the container that gave it can read it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u64);

/// Kinds of entries that mean the same in all formats.
pub mod kind {
    /// Holds other entries and nothing else.
    pub const FOLDER: &str = "folder";
    /// A section of the file, whose content has entries of its own beside it.
    pub const SECTION: &str = "section";
    /// All entries of one class, which the listing has.
    pub const CLASS: &str = "class";
}

/// A part of a file in the terms of its content, such as a script with its graphs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outline {
    /// Label for people.
    pub label: String,
    /// Kind, and the details that are worth a glance.
    pub note: String,
    /// The entry that it is, where it is one.
    pub node: Option<Node>,
    /// Outlines of the parts.
    pub below: Vec<Outline>,
}

/// Part of the content that an outline shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View<'a> {
    /// All of a kind: `scripts`, `scene`.
    All(&'a str),
    /// An entry.
    Of(Node),
}

/// Selection of entries to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// The rows that `ls` shows, in the order of the file's own table: objects, assets, chunks, members.
    Listing,
    /// The top of the hierarchy that `tree` shows. It holds everything that has a path.
    Root,
    /// Entries below this one.
    Node(Node),
    /// Parts of the bytes of this entry: stretches of them that have a path of their own.
    Parts(Node),
}

/// An entry as it is listed.
pub struct Entry<'a> {
    /// The id.
    pub node: Node,
    /// The path in the container, escaped (see [`CodePages::path_step`](crate::text::CodePages::path_step)).
    pub path: &'a str,
    /// Kind of the entry: a class, a chunk's name.
    pub kind: &'a str,
    /// The name as stored, where it has one.
    pub name: Option<&'a [u8]>,
    /// Label for people, where it differs from the name: the text that a row refers to.
    pub label: Option<&'a str>,
    /// Plain size in bytes.
    pub size: u64,
    /// Stored size in bytes, where it is packed on its own.
    pub stored_size: Option<u64>,
    /// Everything else that its listing shows, as fields.
    pub details: &'a dyn Details,
}

impl<'a> Entry<'a> {
    /// An entry without a name of its own.
    pub fn new(
        node: Node,
        path: &'a str,
        kind: &'a str,
        size: u64,
        details: &'a dyn Details,
    ) -> Entry<'a> {
        Entry { node, path, kind, name: None, label: None, size, stored_size: None, details }
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("node", &self.node)
            .field("path", &self.path)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

/// A reference of an entry to another one.
#[derive(Clone, Debug)]
pub struct Reference<'a> {
    /// The field that refers.
    pub field: &'static Field,
    /// The entry that it means, where the file has one.
    pub node: Option<Node>,
    /// Whether the file holds what is meant. An entry that only stands for something in another file does not.
    pub is_there: bool,
    /// Value by which the field refers: an id, a position.
    pub key: Val<'a>,
    /// The name that is stored with the reference.
    pub name: Option<&'a [u8]>,
    /// Kind of need, in formats that know kinds of references.
    pub kind: Option<&'static str>,
    /// Treatment of the reference when its target is removed.
    pub when_gone: WhenGone,
}

/// Treatment of a reference when the entry that it means is removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenGone {
    /// The field keeps its value, which means nothing then.
    Dangles,
    /// The field means nothing, and says so.
    Null,
    /// The item leaves its list.
    LeavesList,
}

impl WhenGone {
    /// Returns the name for JSON: `dangling`, `null` or `left_out`.
    pub const fn name(self) -> &'static str {
        match self {
            WhenGone::Dangles => "dangling",
            WhenGone::Null => "null",
            WhenGone::LeavesList => "left_out",
        }
    }

    /// Returns what a message says of it.
    pub const fn phrase(self) -> &'static str {
        match self {
            WhenGone::Dangles => "leads nowhere now",
            WhenGone::Null => "is null now",
            WhenGone::LeavesList => "lists it no more",
        }
    }
}

/// Sees references of entries, each with its origin as an `F`. The task is lent along, as to [`Each`].
pub type EachRef<'e, F> = &'e mut dyn FnMut(F, &Reference<'_>, &mut Task<'_>) -> Result<()>;

/// Sees entries. The listing holds the task while it hands them out, so it lends it along: the details of an
/// entry are walked with it.
pub type Each<'e> = &'e mut dyn FnMut(&Entry<'_>, &mut Task<'_>) -> Walked;

/// Fields that are made only when they are asked for. Closures are details.
pub trait Details {
    /// Walks the fields, with the task of the listing.
    ///
    /// # Errors
    /// What the walker returns; limits.
    fn walk(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked;
}

impl<F: Fn(&mut Task<'_>, &mut dyn Walk) -> Walked> Details for F {
    fn walk(&self, task: &mut Task<'_>, walk: &mut dyn Walk) -> Walked {
        self(task, walk)
    }
}
