//! Files with paths, shown as folders: what an archive and a set of archives share.

use super::form::shown;
use crate::fields::fields;
use spelunk_core::{
    Budget, Entry, Error, Node, Result, Task, Walk, Walked, codes,
    container::{Each, kind},
    text::CodePages,
};
use std::{borrow::Cow, ops::Range};

fields! {
    COUNT: "count" U64 "Number of files below.";
}

/// The bit of a node that is a folder.
const FOLDER: u64 = 1 << 63;

/// Files in the order of their paths, whose steps are parted by backslashes.
pub(crate) trait Sorted {
    /// The stored path at this place of the list.
    fn path(&self, place: usize) -> Option<Cow<'_, [u8]>>;

    /// The places from `first` on whose paths start with `prefix`, which the first one does.
    ///
    /// # Errors
    /// Limits.
    fn below(&self, first: usize, prefix: &[u8], budget: &mut Budget) -> Result<Range<usize>>;

    /// The size of the file at this place.
    fn size(&self, place: usize) -> u64;

    /// Hands out the file at this place.
    fn give(&self, place: usize, pages: &CodePages, task: &mut Task<'_>, each: Each<'_>) -> Walked;
}

/// A folder: it holds the file at a place of the list, and its path is so many bytes of that of the file, the last separator
/// among them. Without any bytes it is the whole list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Folder {
    first: u32,
    len: u32,
}

impl Folder {
    /// The whole list.
    pub const ROOT: Folder = Folder { first: 0, len: 0 };

    /// The folder whose path is the first `len` bytes of that of the file at this place.
    pub const fn new(first: usize, len: usize) -> Folder {
        Folder { first: first as u32, len: len as u32 }
    }

    /// The folder that a node stands for; `None` for those of files.
    pub const fn of(node: Node) -> Option<Folder> {
        match node.0 & FOLDER {
            0 => None,
            _ => Some(Folder { first: node.0 as u32, len: ((node.0 & !FOLDER) >> 32) as u32 }),
        }
    }

    /// The node that stands for it.
    pub fn node(self) -> Node {
        Node(FOLDER | u64::from(self.len) << 32 | u64::from(self.first))
    }

    fn prefix<'l>(&self, list: &'l dyn Sorted) -> Result<Cow<'l, [u8]>> {
        let len = self.len as usize;
        let cut = |path: Cow<'l, [u8]>| match path {
            Cow::Borrowed(path) => path.get(..len).map(Cow::Borrowed),
            Cow::Owned(path) => path.get(..len).map(|prefix| Cow::Owned(prefix.to_vec())),
        };
        if len == 0 {
            return Ok(Cow::Borrowed(b""));
        }
        let prefix = list.path(self.first as usize).and_then(cut);
        prefix.ok_or_else(|| Error::new(&codes::NOT_FOUND))
    }

    /// The places of all files in it.
    ///
    /// # Errors
    /// [`NOT_FOUND`](codes::NOT_FOUND) where it is none of this list; limits.
    pub fn places(&self, list: &dyn Sorted, budget: &mut Budget) -> Result<Range<usize>> {
        list.below(self.first as usize, &self.prefix(list)?, budget)
    }

    /// Hands it out.
    pub fn give(
        self,
        list: &dyn Sorted,
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let prefix = self.prefix(list)?;
        let places = list.below(self.first as usize, &prefix, &mut task.budget)?;
        let count = places.len();
        task.budget.steps(count as u64)?;
        let details =
            |_: &mut Task<'_>, walk: &mut dyn Walk| walk.field(&COUNT, None, count.into());
        let path = prefix.strip_suffix(b"\\").unwrap_or(&prefix);
        each(
            &Entry {
                node: self.node(),
                path: &shown(path, pages),
                kind: kind::FOLDER,
                name: path.rsplit(|byte| *byte == b'\\').next(),
                size: places.map(|place| list.size(place)).fold(0, u64::saturating_add),
                label: None,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    /// Hands out what lies directly in it: its folders and files by path.
    pub fn give_below(
        self,
        list: &dyn Sorted,
        pages: &CodePages,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let prefix = self.prefix(list)?;
        let places = list.below(self.first as usize, &prefix, &mut task.budget)?;
        let mut place = places.start;
        while place < places.end {
            let path = list.path(place).ok_or_else(|| Error::new(&codes::NOT_FOUND))?;
            let rest = path.get(prefix.len()..).unwrap_or_default();
            match rest.iter().position(|byte| *byte == b'\\') {
                None => {
                    list.give(place, pages, task, each)?;
                    place = place.saturating_add(1);
                }
                Some(end) => {
                    let len = prefix.len().saturating_add(end).saturating_add(1);
                    let folder = Folder::new(place, len);
                    folder.give(list, pages, task, each)?;
                    place = folder.places(list, &mut task.budget)?.end;
                }
            }
        }
        Ok(())
    }
}
