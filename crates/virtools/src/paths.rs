//! From paths to entries.

use crate::{
    entries::{INCLUDED, OWNERS, PathTarget, at, guid, step},
    file::{File, data::Owner},
};
use spelunk_core::{Budget, Node, Result, text::CodePages};
use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

impl File {
    /// The entries that a path names. Managers and parts of chunks need the Data section, other paths do
    /// not.
    pub(crate) fn named(
        &self,
        path: &str,
        pages: &CodePages,
        budget: &mut Budget,
    ) -> Result<Vec<Node>> {
        Finder { file: self, pages, index: None }.find(path, budget)
    }

    /// The part of the chunk of an entry that has this path below it.
    fn part_of(&self, node: Node, path: &str, budget: &mut Budget) -> Result<Option<Node>> {
        let (owner, index) = match PathTarget::of(node) {
            Some(PathTarget::Object(index)) => (Owner::Object(index), index),
            Some(PathTarget::Manager(index)) => (Owner::Manager(index), index),
            _ => return Ok(None),
        };
        let chunk = if index < OWNERS { self.chunk(owner, budget)? } else { None };
        let Some(chunk) = chunk else { return Ok(None) };
        Ok(chunk.find(path, budget)?.map(|part| PathTarget::Part(owner, part).node()))
    }
}

/// Where the last step of a path that names a whole entry ends: an object by its position takes one step, everything
/// else that has parts takes two.
fn part_at(path: &str) -> Option<usize> {
    let nth = if path.starts_with('#') { 0 } else { 1 };
    path.match_indices('/').nth(nth).map(|(slash, _)| slash)
}

/// Whether the Data section is needed to find what a path names.
pub(crate) fn needs_data(path: &str) -> bool {
    part_at(path).is_some() || path.starts_with("managers/")
}

/// Finds entries by their paths.
pub(crate) struct Finder<'f> {
    file: &'f File,
    pages: &'f CodePages,
    /// Index of names, where many are looked for.
    index: Option<NameIndex>,
}

/// Tables of names, each made when it is first asked for.
#[derive(Default)]
struct NameIndex {
    classes: Option<HashMap<String, u32>>,
    /// Positions of the objects of a class, or of included files, by the hashes of their names.
    names: HashMap<Option<u32>, Vec<(u64, u32)>>,
    hasher: RandomState,
    charged: u64,
}

impl<'f> Finder<'f> {
    /// Finds many entries: names are gone through once.
    pub(crate) fn of_many(file: &'f File, pages: &'f CodePages) -> Finder<'f> {
        Finder { file, pages, index: Some(NameIndex::default()) }
    }

    /// Gives the memory back that it took.
    pub(crate) fn release(self, budget: &mut Budget) {
        budget.release(self.index.map_or(0, |index| index.charged));
    }

    /// The entries that a path names.
    ///
    /// # Errors
    /// When the tables behind it cannot be read; limits.
    pub(crate) fn find(&mut self, path: &str, budget: &mut Budget) -> Result<Vec<Node>> {
        match part_at(path) {
            Some(slash) => {
                let (whole, below) = path.split_at(slash);
                let below = below.strip_prefix('/').unwrap_or(below);
                let mut found = Vec::new();
                for node in self.whole(whole, budget)? {
                    found.extend(self.file.part_of(node, below, budget)?);
                }
                Ok(found)
            }
            None => self.whole(path, budget),
        }
    }

    /// The entries that a path names whose last step is no part of a chunk.
    fn whole(&mut self, path: &str, budget: &mut Budget) -> Result<Vec<Node>> {
        let file = self.file;
        if let Some(index) = path.strip_prefix('#') {
            let index: Option<u32> = index.parse().ok();
            let index = index.filter(|index| at(&file.table().objects, *index).is_some());
            return Ok(index.map(|index| PathTarget::Object(index).node()).into_iter().collect());
        }
        let Some((folder, name)) = path.split_once('/') else {
            let place = match path {
                "header1" => Some(PathTarget::Header1),
                "data" => Some(PathTarget::Data),
                "plugins" => Some(PathTarget::Plugins),
                "managers" => Some(PathTarget::Managers),
                INCLUDED => Some(PathTarget::IncludedFiles),
                class => self.class_id(class, budget)?.map(PathTarget::Class),
            };
            return Ok(place.map(PathTarget::node).into_iter().collect());
        };
        match folder {
            "plugins" => {
                let groups = numbered(file.plugin_groups());
                matching(groups, PathTarget::PluginGroup, budget, |group| {
                    group.category.to_string() == name
                })
            }
            "managers" => {
                let managers = numbered(&file.records(budget)?.managers);
                matching(managers, PathTarget::Manager, budget, |manager| {
                    guid(manager).eq_ignore_ascii_case(name)
                        || manager.name().is_some_and(|known| known.eq_ignore_ascii_case(name))
                })
            }
            INCLUDED => self.called(None, name, budget),
            class => match self.class_id(class, budget)? {
                Some(id) => self.called(Some(id), name, budget),
                None => Ok(Vec::new()),
            },
        }
    }

    /// The id of the class with this name, where the file has objects of it.
    fn class_id(&mut self, name: &str, budget: &mut Budget) -> Result<Option<u32>> {
        let Some(index) = &mut self.index else { return self.file.class_id(name, budget) };
        if index.classes.is_none() {
            let order = self.file.by_class(budget)?;
            budget.steps(order.len() as u64)?;
            let mut classes = HashMap::new();
            for id in self.file.classes(order) {
                budget.memory(96)?;
                index.charged = index.charged.saturating_add(96);
                classes.entry(self.file.class_name(id).into_owned()).or_insert(id);
            }
            index.classes = Some(classes);
        }
        Ok(index.classes.as_ref().and_then(|classes| classes.get(name).copied()))
    }

    /// The objects of a class, or the included files, that have this name.
    fn called(&mut self, class: Option<u32>, name: &str, budget: &mut Budget) -> Result<Vec<Node>> {
        let (file, pages) = (self.file, self.pages);
        let stored = |index: u32| match class {
            Some(_) => at(&file.table().objects, index).map(|object| file.table().name(object)),
            None => at(&file.tail().included, index).map(|file| &*file.name),
        };
        let is = |index: u32| stored(index).is_some_and(|stored| step(stored, pages) == name);
        let place = match class {
            Some(_) => PathTarget::Object,
            None => PathTarget::Included,
        };
        let all: &[u32] = match class {
            Some(id) => file.of_class(file.by_class(budget)?, id),
            None => &[],
        };
        let files = if class.is_none() { file.tail().included.len() } else { 0 };
        let count = all.len().max(files);
        let position = |nth: usize| match class {
            Some(_) => all.get(nth).copied().unwrap_or(u32::MAX),
            None => u32::try_from(nth).unwrap_or(u32::MAX),
        };
        let Some(known) = &mut self.index else {
            let all = (0..count).map(|nth| (position(nth), position(nth)));
            return matching(all, place, budget, is);
        };
        if !known.names.contains_key(&class) {
            budget.steps(count as u64)?;
            let mut names = budget.vec::<(u64, u32)>(count as u64)?;
            let size = (count as u64).saturating_mul(size_of::<(u64, u32)>() as u64);
            known.charged = known.charged.saturating_add(size);
            for index in (0..count).map(position) {
                let stored = stored(index).unwrap_or_default();
                budget.touch(stored.len() as u64)?;
                names.push((known.hasher.hash_one(step(stored, pages)), index));
            }
            names.sort_unstable();
            known.names.insert(class, names);
        }
        let hash = known.hasher.hash_one(name);
        let names = known.names.get(&class).map_or(&[][..], Vec::as_slice);
        let first = names.partition_point(|(other, _)| *other < hash);
        let alike = names.get(first..).unwrap_or_default().iter();
        let alike = alike.take_while(|(other, _)| *other == hash).map(|(_, index)| *index);
        let mut found = Vec::new();
        for index in alike.filter(|index| is(*index)) {
            budget.steps(1)?;
            found.push(place(index).node());
        }
        Ok(found)
    }
}

/// The entries of the items that match.
fn matching<T>(
    items: impl ExactSizeIterator<Item = (u32, T)>,
    place: fn(u32) -> PathTarget,
    budget: &mut Budget,
    matches: impl Fn(T) -> bool,
) -> Result<Vec<Node>> {
    let count = items.len() as u64;
    budget.steps(count)?;
    // Room for all of them is agreed on, and given back with what is handed out.
    let room = count.saturating_mul(size_of::<Node>() as u64);
    budget.memory(room)?;
    let found =
        items.filter_map(|(index, item)| matches(item).then(|| place(index).node())).collect();
    budget.release(room);
    Ok(found)
}

/// Items with their positions.
fn numbered<T>(items: &[T]) -> impl ExactSizeIterator<Item = (u32, &T)> {
    items.iter().enumerate().map(|(index, item)| (u32::try_from(index).unwrap_or(u32::MAX), item))
}
