//! All files of a set by path.

use super::place::LayerPosition;
use std::ops::Range;

/// All files of a set, sorted by path, with what they hide.
#[derive(Debug, Default)]
pub struct View {
    /// The files of each path, the one that wins first.
    pub(super) places: Vec<LayerPosition>,
    pub(super) groups: Vec<Group>,
    /// All paths, back to back.
    pub(super) paths: Vec<u8>,
}

/// The files of one path.
#[derive(Clone, Debug)]
pub struct Group {
    pub(super) places: Range<u32>,
    pub(super) path: Range<u32>,
}

impl View {
    /// The paths, sorted, with their files.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The path of a group, in small letters of cp1252 with backslashes.
    pub fn path(&self, group: &Group) -> &[u8] {
        let range = group.path.start as usize..group.path.end as usize;
        self.paths.get(range).unwrap_or_default()
    }

    /// The files of a path, the one that wins first.
    pub fn places(&self, group: &Group) -> &[LayerPosition] {
        let range = group.places.start as usize..group.places.end as usize;
        self.places.get(range).unwrap_or_default()
    }

    /// The files of this path, in small letters with backslashes.
    pub(super) fn find(&self, path: &[u8]) -> &[LayerPosition] {
        let at = self.groups.binary_search_by(|group| self.path(group).cmp(path));
        let group = at.ok().and_then(|at| self.groups.get(at));
        group.map_or(&[], |group| self.places(group))
    }

    /// The groups whose paths start with `prefix`, from this one on.
    pub(super) fn below(&self, first: usize, prefix: &[u8]) -> Range<usize> {
        let rest = self.groups.get(first..).unwrap_or_default();
        let start = rest.partition_point(|group| self.path(group) < prefix);
        let first = first.saturating_add(start);
        let rest = rest.get(start..).unwrap_or_default();
        let len = rest.partition_point(|group| self.path(group).starts_with(prefix));
        first..first.saturating_add(len)
    }
}
