//! What the paths of [entries](crate::entries) name.

use crate::{
    entries::{OWNERS, Place, at, guid, step},
    file::{File, data::Owner},
};
use spelunk_core::{Budget, Node, Result, text::CodePages};

impl File {
    /// The entries that a path names. Managers and parts of chunks need the Data section, other paths do
    /// not.
    pub(crate) fn named(
        &self,
        path: &str,
        pages: &CodePages,
        budget: &mut Budget,
    ) -> Result<Vec<Node>> {
        // An object by its position takes one step, everything else that has parts takes two.
        let nth = if path.starts_with('#') { 0 } else { 1 };
        match path.match_indices('/').nth(nth) {
            Some((slash, _)) => {
                let (whole, below) = path.split_at(slash);
                let below = below.strip_prefix('/').unwrap_or(below);
                let mut found = Vec::new();
                for node in self.named_whole(whole, pages, budget)? {
                    found.extend(self.part_of(node, below, budget)?);
                }
                Ok(found)
            }
            None => self.named_whole(path, pages, budget),
        }
    }

    /// The part of the chunk of an entry that has this path below it.
    fn part_of(&self, node: Node, path: &str, budget: &mut Budget) -> Result<Option<Node>> {
        let (owner, index) = match Place::of(node) {
            Some(Place::Object(index)) => (Owner::Object(index), index),
            Some(Place::Manager(index)) => (Owner::Manager(index), index),
            _ => return Ok(None),
        };
        let chunk = if index < OWNERS { self.chunk(owner, budget)? } else { None };
        let Some(chunk) = chunk else { return Ok(None) };
        Ok(chunk.find(path, budget)?.map(|part| Place::Part(owner, part).node()))
    }

    /// The entries that a path names whose last step is no part of a chunk.
    fn named_whole(&self, path: &str, pages: &CodePages, budget: &mut Budget) -> Result<Vec<Node>> {
        if let Some(index) = path.strip_prefix('#') {
            let index: Option<u32> = index.parse().ok();
            let index = index.filter(|index| at(&self.table().objects, *index).is_some());
            return Ok(index.map(|index| Place::Object(index).node()).into_iter().collect());
        }
        let Some((folder, name)) = path.split_once('/') else {
            let place = match path {
                "header1" => Some(Place::Header1),
                "data" => Some(Place::Data),
                "plugins" => Some(Place::Plugins),
                "managers" => Some(Place::Managers),
                "included" => Some(Place::IncludedFiles),
                class => self.class_id(class, budget)?.map(Place::Class),
            };
            return Ok(place.map(Place::node).into_iter().collect());
        };
        match folder {
            "plugins" => {
                let groups = numbered(self.plugin_groups());
                matching(groups, Place::PluginGroup, budget, |group| {
                    group.category.to_string() == name
                })
            }
            "managers" => {
                let managers = numbered(&self.records(budget)?.managers);
                matching(managers, Place::Manager, budget, |manager| {
                    guid(manager).eq_ignore_ascii_case(name)
                        || manager.name().is_some_and(|known| known.eq_ignore_ascii_case(name))
                })
            }
            "included" => {
                let files = numbered(&self.tail().included);
                matching(files, Place::Included, budget, |file| step(&file.name, pages) == name)
            }
            class => {
                let Some(id) = self.class_id(class, budget)? else { return Ok(Vec::new()) };
                let same = self.of_class(self.by_class(budget)?, id).iter();
                let objects = same.map(|index| (*index, at(&self.table().objects, *index)));
                matching(objects, Place::Object, budget, |object| {
                    object.is_some_and(|object| step(self.table().name(object), pages) == name)
                })
            }
        }
    }
}

/// The entries of the items that match.
fn matching<T>(
    items: impl ExactSizeIterator<Item = (u32, T)>,
    place: fn(u32) -> Place,
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
