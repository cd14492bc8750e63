//! The editing side of the container.

use crate::{
    class::{self, fresh},
    codec::tree::Tree,
    entries::{INCLUDED, PathTarget},
    file::{
        File,
        below::{EntityHierarchy, is_place},
        data::Owner,
        fits::ChunkOwner,
    },
    names::Resolver,
};
use spelunk_core::{
    Budget, Bytes, Change, Changed, Edit, Error, Node, Refused, Result, Task, Val, codes,
    edit::{OfChange, gone},
    text::CodePages,
};
use std::collections::BTreeSet;

impl Edit for File {
    /// Objects and managers hold chunks and fields, included files any bytes; objects and included files have names. What
    /// names in values mean is found in the file as it is before the batch, too.
    fn apply(
        &mut self,
        changes: &[Change<'_>],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> std::result::Result<Vec<Changed>, Refused> {
        // What is read for the first time stays charged, whatever becomes of the batch.
        self.records(&mut task.budget)?;
        if changes.iter().any(|change| matches!(change, Change::Remove { .. })) {
            self.by_class(&mut task.budget)?;
        }
        let (before, held, naming) = (task.budget.left().memory, self.held, self.naming_len());
        let made = self.made(changes, pages, task);
        let Ok((mut next, changed)) = made else {
            task.budget.settle(before, 0, self.naming_len().saturating_sub(naming))?;
            return Err(made.err().unwrap_or_else(|| impossible().into()));
        };
        let taken = before.saturating_sub(task.budget.left().memory);
        next.held = next.edits_len(held.saturating_add(taken));
        let old = held.saturating_add(naming).saturating_add(self.by_class_len());
        let freed = old.saturating_sub(next.by_class_len());
        task.budget.settle(before, freed, next.held.saturating_add(next.naming_len()))?;
        *self = next;
        Ok(changed)
    }

    fn left_behind(&mut self, fields: &[(Node, &str)], task: &mut Task<'_>) -> Result<Vec<u64>> {
        let mut counts = vec![0; fields.len()];
        let mut family = None;
        for ((node, path), count) in fields.iter().zip(&mut counts) {
            if let (Some(PathTarget::Object(index)), true) = (PathTarget::of(*node), is_place(path))
            {
                if family.is_none() {
                    family = Some(self.family(&mut task.budget)?);
                }
                let family = family.as_ref().map(|family| family.below(index, &mut task.budget));
                *count = family.transpose()?.map_or(0, |below| below.len() as u64);
            }
        }
        if let Some(family) = family {
            family.release(&mut task.budget);
        }
        Ok(counts)
    }

    /// A class by its name or as `CKCID_` and its id, and `included`.
    fn table(&self, kind: &str) -> Option<Node> {
        if kind == INCLUDED {
            return Some(PathTarget::IncludedFiles.node());
        }
        class::id(kind).map(|id| PathTarget::Class(id).node())
    }

    /// Included files hold any bytes, objects and managers chunks.
    fn check_bytes(&mut self, node: Node, bytes: &Bytes, task: &mut Task<'_>) -> Result<()> {
        match place(node)? {
            PathTarget::Object(index) => self.check_chunk_bytes(Owner::Object(index), bytes, task),
            PathTarget::Manager(index) => {
                self.check_chunk_bytes(Owner::Manager(index), bytes, task)
            }
            PathTarget::Class(id) => self.check_kind(ChunkOwner::Object(id), bytes, task),
            _ => Ok(()),
        }
    }
}

impl File {
    /// File as all changes so far make it.
    fn made(
        &self,
        changes: &[Change<'_>],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> std::result::Result<(File, Vec<Changed>), Refused> {
        let mut batch = ObjectBatch::of(self, pages, &mut task.budget)?;
        let mut added = task.budget.vec(changes.len() as u64)?;
        for (nth, change) in changes.iter().enumerate() {
            added.push(batch.take(change, task).of_change(nth)?);
        }
        batch.finish(added, task)
    }
}

/// A batch on its way. Positions are those before it: what goes, goes at its end.
struct ObjectBatch<'f> {
    old: &'f File,
    next: File,
    pages: &'f CodePages,
    /// Names as they are before the batch, once they were asked for.
    names: Option<Resolver<'f>>,
    /// Parents and children by now, once they were asked for.
    family: Option<EntityHierarchy>,
    removed: Removed,
    /// Present positions of included files, where they are not those of before.
    included: Option<Vec<usize>>,
}

/// Objects and included files that are removed.
#[derive(Default)]
struct Removed {
    objects: BTreeSet<u32>,
    included: BTreeSet<u32>,
    lossy: bool,
}

/// Result of a change.
enum Outcome {
    Done,
    Moved(u64),
    Object(u32),
    Included(u32),
}

impl<'f> ObjectBatch<'f> {
    fn of(old: &'f File, pages: &'f CodePages, budget: &mut Budget) -> Result<ObjectBatch<'f>> {
        budget.steps(old.table().objects.len() as u64)?;
        budget.memory(old.copied_len())?;
        let (names, family, removed, included) = (None, None, Removed::default(), None);
        Ok(ObjectBatch { old, next: old.clone(), pages, names, family, removed, included })
    }

    /// Place that an entry stands for, where it is not removed.
    fn known(&self, node: Node) -> Result<PathTarget> {
        let place = place(node)?;
        let goes = match place {
            PathTarget::Object(index) => self.removed.objects.contains(&index),
            PathTarget::Included(index) => self.removed.included.contains(&index),
            _ => false,
        };
        if goes { Err(gone()) } else { Ok(place) }
    }

    fn take(&mut self, change: &Change<'_>, task: &mut Task<'_>) -> Result<Outcome> {
        let budget = &mut task.budget;
        budget.steps(1)?;
        match change {
            Change::Set { node, path, value, with_children } => {
                return self.set(self.known(*node)?, path, value, *with_children, budget);
            }
            Change::SetBytes { node, bytes } => {
                let bytes = bytes.clone();
                self.family = None;
                match self.known(*node)? {
                    PathTarget::Object(index) => {
                        self.next.set_chunk(Owner::Object(index), bytes, budget)?;
                    }
                    PathTarget::Manager(index) => {
                        self.next.set_chunk(Owner::Manager(index), bytes, budget)?;
                    }
                    PathTarget::Included(index) => {
                        self.next.set_included(self.now_included(index), bytes)?;
                    }
                    _ => return Err(impossible()),
                }
            }
            Change::Rename { node, name } => match self.known(*node)? {
                PathTarget::Object(index) => self.next.rename(index, name, budget)?,
                PathTarget::Included(index) => self.rename_included(index, name)?,
                _ => return Err(impossible()),
            },
            Change::Insert { table, key, bytes } => {
                self.family = None;
                return self.insert(place(*table)?, name(key)?, bytes.clone(), budget);
            }
            Change::Remove { nodes, lossy } => {
                self.removed.lossy |= *lossy;
                nodes.iter().try_for_each(|node| self.remove(place(*node)?, budget))?;
            }
        }
        Ok(Outcome::Done)
    }

    /// Fields of what objects and managers saved, and the name of an object. Entities may take those below them along.
    fn set(
        &mut self,
        place: PathTarget,
        path: &str,
        value: &Val<'_>,
        with_children: bool,
        budget: &mut Budget,
    ) -> Result<Outcome> {
        let owner = match place {
            PathTarget::Object(index) => Owner::Object(index),
            PathTarget::Manager(index) => Owner::Manager(index),
            _ => return Err(impossible()),
        };
        if let (Owner::Object(index), "entry.name") = (owner, path) {
            self.set_name(index, value, budget)?;
            return Ok(Outcome::Done);
        }
        let before = match owner {
            Owner::Object(index) if with_children && is_place(path) => {
                self.next.world(index, budget)?.map(|before| (index, before))
            }
            _ => None,
        };
        self.set_value(owner, path, value, budget)?;
        if !is_place(path) {
            self.family = None;
        }
        let Some((index, before)) = before else { return Ok(Outcome::Done) };
        if self.family.is_none() {
            self.family = Some(self.next.family(budget)?);
        }
        let below = self.family.as_ref().map(|family| family.below(index, budget)).transpose()?;
        let below = below.unwrap_or_default();
        Ok(Outcome::Moved(self.next.move_all(index, &before, &below, budget)?))
    }

    fn set_name(&mut self, index: u32, value: &Val<'_>, budget: &mut Budget) -> Result<()> {
        let name = match value {
            Val::Text(name) | Val::Bytes(name) => Ok(name.to_vec()),
            Val::Str(name) => self
                .pages
                .encode(name)
                .ok_or_else(|| Error::new(&codes::NOT_ENCODED).found(format!("`{name}`"))),
            value => {
                Err(Error::new(&codes::VALUE).expected("a name").found(value.clone().into_owned()))
            }
        };
        let name = name.map_err(|error| error.field("name").field("entry"))?;
        self.next.rename(index, &name, budget)
    }

    fn set_value(
        &mut self,
        owner: Owner,
        path: &str,
        value: &Val<'_>,
        budget: &mut Budget,
    ) -> Result<()> {
        if self.names.is_none() {
            self.names = Some(Resolver::of(self.old, self.pages, budget)?);
        }
        // What is read to be changed is not kept.
        let before = budget.left().memory;
        let mut saved = match self.next.value(owner, &mut Vec::new(), budget)? {
            Some(saved) => saved,
            // One that saved nothing so far, and that no engine would make.
            None => self.next.fresh_value(owner, budget)?,
        };
        if let Some(names) = &self.names {
            saved.fill(Tree::at(path, value.clone()), names)?;
        }
        budget.release(before.saturating_sub(budget.left().memory));
        self.next.set_value(owner, &mut saved, budget)
    }

    /// An empty included file or one with this content, or an object of a class, saved as a new one is or with this chunk.
    fn insert(
        &mut self,
        table: PathTarget,
        name: &[u8],
        bytes: Option<Bytes>,
        budget: &mut Budget,
    ) -> Result<Outcome> {
        match table {
            PathTarget::IncludedFiles => {
                let index = self.next.add_included(name, bytes.unwrap_or_default())?;
                self.included_came(index as usize);
                Ok(Outcome::Included(index))
            }
            PathTarget::Class(id) => {
                let index = match bytes {
                    None => self.next.add_object(id, name, budget)?,
                    Some(bytes) => {
                        fresh::check_objects(id)?;
                        self.next.add_object_as(id, name, bytes, budget)?
                    }
                };
                Ok(Outcome::Object(index))
            }
            _ => Err(impossible()),
        }
    }

    /// Objects and included files, one by one or all of a kind.
    fn remove(&mut self, place: PathTarget, budget: &mut Budget) -> Result<()> {
        budget.steps(1)?;
        let removed = &mut self.removed;
        let mut go = |objects: &[u32], budget: &mut Budget| -> Result<()> {
            budget.memory((objects.len() as u64).saturating_mul(16))?;
            removed.objects.extend(objects);
            Ok(())
        };
        match place {
            PathTarget::Object(index) => go(&[index], budget)?,
            PathTarget::Class(id) => {
                let order = self.old.by_class(budget)?;
                go(self.old.of_class(order, id), budget)?;
            }
            PathTarget::Included(index) => drop(removed.included.insert(index)),
            PathTarget::IncludedFiles => {
                let all = (0..).zip(&self.old.tail().included).map(|(index, _)| index);
                removed.included.extend(all);
            }
            _ => return Err(impossible()),
        }
        // Nothing goes where one of them is not there.
        let last = removed.included.last().map_or(0, |index| *index as usize);
        let there = self.old.tail().included.len();
        if last >= there && !removed.included.is_empty() {
            return Err(Error::new(&codes::NOT_FOUND));
        }
        Ok(())
    }

    /// Present position of an included file.
    fn now_included(&self, index: u32) -> u32 {
        let now = self.included.as_ref().and_then(|places| places.get(index as usize));
        now.map_or(index, |now| u32::try_from(*now).unwrap_or(u32::MAX))
    }

    /// Takes note of a file that was put in front of others.
    fn included_came(&mut self, place: usize) {
        let there = self.old.tail().included.len();
        if self.included.is_none() && place >= there {
            return;
        }
        let places = self.included.get_or_insert_with(|| (0..there).collect());
        let behind = places.iter_mut().filter(|now| **now >= place);
        behind.for_each(|now| *now = now.saturating_add(1));
    }

    /// Renames an included file, which goes before those that are not counted where it is one of them.
    fn rename_included(&mut self, index: u32, name: &[u8]) -> Result<()> {
        let now = self.now_included(index);
        let counted = |file: &File| file.tail().included.iter().filter(|file| file.counted).count();
        let before = counted(&self.next);
        self.next.rename_included(now, name)?;
        if counted(&self.next) > before {
            self.included_came(before);
            // It left the place behind it.
            let places = self.included.iter_mut().flatten();
            let behind = places.filter(|place| **place > now as usize);
            behind.for_each(|place| *place = place.saturating_sub(1));
            if let Some(place) = self.included.as_mut().and_then(|all| all.get_mut(index as usize))
            {
                *place = before;
            }
        }
        Ok(())
    }

    /// Takes out what goes; gives the file and the added entries as they are known then.
    fn finish(
        self,
        outcomes: Vec<Outcome>,
        task: &mut Task<'_>,
    ) -> std::result::Result<(File, Vec<Changed>), Refused> {
        let Removed { objects, lossy, .. } = &self.removed;
        let included = self.removed.included.iter();
        let included: BTreeSet<u32> = included.map(|index| self.now_included(*index)).collect();
        let mut next = self.next;
        if !objects.is_empty() {
            next.remove_objects(objects, *lossy, task)?;
        }
        next.remove_all_included(&included)?;
        let gone = u32::try_from(objects.len()).unwrap_or(u32::MAX);
        let changed = |outcome: Outcome| match outcome {
            Outcome::Done => Changed::default(),
            Outcome::Moved(moved) => Changed { moved, added: None },
            Outcome::Object(index) => {
                let index = index.saturating_sub(gone);
                Changed { added: Some(PathTarget::Object(index).node()), moved: 0 }
            }
            Outcome::Included(index) => {
                let before = u32::try_from(included.range(..index).count()).unwrap_or(u32::MAX);
                let index = index.saturating_sub(before);
                Changed { added: Some(PathTarget::Included(index).node()), moved: 0 }
            }
        };
        Ok((next, outcomes.into_iter().map(changed).collect()))
    }
}

/// The name that a new entry is called by.
fn name<'k>(key: &'k [Val<'_>]) -> Result<&'k [u8]> {
    match key {
        [Val::Text(name) | Val::Bytes(name)] => Ok(name),
        [Val::Str(name)] => Ok(name.as_bytes()),
        _ => Err(impossible()),
    }
}

fn place(node: Node) -> Result<PathTarget> {
    PathTarget::of(node).ok_or_else(|| Error::new(&codes::NOT_FOUND))
}

fn impossible() -> Error {
    Error::new(&codes::NO_SUCH_OPERATION)
}
