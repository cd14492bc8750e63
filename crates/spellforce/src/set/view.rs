//! All files of a set by path.

use super::{Kind, Place, Set};
use spelunk_core::{Result, Task};
use std::{
    hash::{DefaultHasher, Hasher},
    ops::Range,
};

/// All files of a set, sorted by path, with what they hide.
#[derive(Debug, Default)]
pub struct View {
    /// The files of each path, the one that wins first.
    places: Vec<Place>,
    groups: Vec<Group>,
    /// All paths, back to back.
    paths: Vec<u8>,
}

/// The files of one path.
#[derive(Clone, Debug)]
pub struct Group {
    places: Range<u32>,
    path: Range<u32>,
}

impl View {
    pub(super) fn of(set: &Set, task: &mut Task<'_>) -> Result<View> {
        let layers = set.archives.iter().map(|mounted| mounted.archive.entries().len());
        let layers: Vec<usize> = layers.chain([set.loose.len()]).collect();
        let count: usize = layers.iter().sum();
        let mut all = task.budget.vec::<(u64, Place)>(count as u64)?;
        let mut paths = Vec::new();
        let mut path = Vec::new();
        for (layer, len) in (0_u32..).zip(&layers) {
            for position in (0_u32..).take(*len) {
                let place = Place { layer, position };
                // What has no path cannot be looked for.
                let Some(bytes) = set.reversed_path(place) else { continue };
                path.clear();
                path.extend(bytes);
                task.budget.touch(path.len() as u64)?;
                let mut hasher = DefaultHasher::new();
                hasher.write(&path);
                all.push((hasher.finish(), place));
            }
        }
        task.budget.steps((count as u64).saturating_mul(16))?;
        // Files of one path lie behind each other; two paths of one hash are kept apart.
        let path_of = |place: Place| set.reversed_path(place).into_iter().flatten();
        all.sort_unstable_by(|(a, first), (b, second)| {
            a.cmp(b).then_with(|| path_of(*first).cmp(path_of(*second))).then(first.cmp(second))
        });
        let mut groups = task.budget.vec::<Group>(all.len() as u64)?;
        let mut places = task.budget.vec::<Place>(all.len() as u64)?;
        let same = |(a, first): &(u64, Place), (b, second): &(u64, Place)| {
            a == b && path_of(*first).eq(path_of(*second))
        };
        for files in all.chunk_by(same) {
            let Some((_, first)) = files.first() else { continue };
            let (start, path_start) = (places.len() as u32, paths.len() as u32);
            places.extend(files.iter().map(|(_, place)| *place));
            task.budget.memory(path_of(*first).count() as u64)?;
            let reversed: Vec<u8> = path_of(*first).collect();
            let kind = Kind::of_reversed(reversed.iter().rev().copied(), &reversed);
            let group = places.get_mut(start as usize..).unwrap_or_default();
            group.sort_by_key(|place| (set.rank(place.layer, kind), place.position));
            paths.extend(reversed.iter().rev());
            let path = path_start..paths.len() as u32;
            groups.push(Group { places: start..places.len() as u32, path });
        }
        task.budget.release((count as u64).saturating_mul(size_of::<(u64, Place)>() as u64));
        let mut view = View { places, groups: Vec::new(), paths };
        groups.sort_unstable_by(|a, b| view.path(a).cmp(view.path(b)));
        view.groups = groups;
        Ok(view)
    }

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
    pub fn places(&self, group: &Group) -> &[Place] {
        let range = group.places.start as usize..group.places.end as usize;
        self.places.get(range).unwrap_or_default()
    }

    /// The files of this path, in small letters with backslashes.
    pub(super) fn find(&self, path: &[u8]) -> &[Place] {
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
