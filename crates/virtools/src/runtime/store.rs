//! The objects of a context, and what finds them.

use super::{names::ObjectsByName, object::Object};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// Objects by ids, classes and names.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    /// By ids, from 1 on.
    slots: Vec<Option<Object>>,
    len: usize,
    by_class: BTreeMap<u32, BTreeSet<u32>>,
    pub(super) names: ObjectsByName,
    /// Dynamic objects by the time when they became so.
    dynamic: BTreeMap<u64, u32>,
    /// Named objects that stand for such as no file held yet, by their classes.
    awaited: HashMap<u32, AwaitedByName>,
    undo: Option<Undo>,
}

/// Objects that stand for such as no file held yet, by their names, and the times when they got them. Most names of a large
/// context have many objects and none of these, so looking through all objects of a name would take ever longer.
type AwaitedByName = HashMap<Arc<[u8]>, BTreeMap<u64, u32>>;

/// State that is needed to go back.
#[derive(Clone, Debug)]
struct Undo {
    /// The time from which on objects are new.
    since: u64,
    /// Objects that had an id before, from the oldest change on.
    before: Vec<(u32, Option<Object>)>,
}

/// Bytes that an object takes besides its name: a slot and a step back, the lists of which grow to twice their lengths and are
/// there twice meanwhile, and the tables that find it.
pub(super) const ROOM: u64 = 6 * size_of::<Option<Object>>() as u64 + 128;

impl Store {
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, id: u32) -> Option<&Object> {
        self.slots.get((id as usize).checked_sub(1)?)?.as_ref()
    }

    fn slot(&mut self, id: u32) -> Option<&mut Option<Object>> {
        let at = (id as usize).checked_sub(1)?;
        if self.slots.len() <= at {
            self.slots.resize(at.saturating_add(1), None);
        }
        self.slots.get_mut(at)
    }

    /// The ids of all objects, from the smallest on.
    pub(super) fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        (1..).zip(&self.slots).filter(|(_, slot)| slot.is_some()).map(|(id, _)| id)
    }

    pub(super) const fn by_class(&self) -> &BTreeMap<u32, BTreeSet<u32>> {
        &self.by_class
    }

    pub(super) const fn dynamic(&self) -> &BTreeMap<u64, u32> {
        &self.dynamic
    }

    /// The objects of a class and name that stand for such as may come, in the order in which they got the name.
    pub(super) fn awaited(&self, class_id: u32, name: &[u8]) -> impl Iterator<Item = u32> + '_ {
        let of_name = self.awaited.get(&class_id).and_then(|names| names.get(name));
        of_name.into_iter().flat_map(|ids| ids.values().copied())
    }

    /// Adds an object whose id nobody has.
    pub(super) fn insert(&mut self, id: u32, object: Object) {
        self.find(id, &object);
        if let Some(undo) = &mut self.undo {
            undo.before.push((id, None));
        }
        if let Some(slot) = self.slot(id) {
            *slot = Some(object);
        }
        self.len = self.len.saturating_add(1);
    }

    pub(super) fn remove(&mut self, id: u32) -> Option<Object> {
        let object = self.slot(id)?.take()?;
        self.lose(id, &object);
        if let Some(undo) = &mut self.undo {
            undo.before.push((id, Some(object.clone())));
        }
        self.len = self.len.saturating_sub(1);
        Some(object)
    }

    /// Takes all objects away.
    pub(super) fn clear(&mut self) {
        if self.undo.is_none() {
            *self = Store::default();
        }
        let ids: Vec<u32> = self.ids().collect();
        ids.into_iter().for_each(|id| drop(self.remove(id)));
    }

    /// Changes what nothing is found by: neither name, nor whether an object is dynamic or awaited. Returns whether there is
    /// such an object.
    pub(super) fn change(&mut self, id: u32, change: impl FnOnce(&mut Object)) -> bool {
        let at = (id as usize).wrapping_sub(1);
        let Some(Some(object)) = self.slots.get_mut(at) else { return false };
        // New objects are not there at all when things are undone.
        if let Some(undo) = self.undo.as_mut().filter(|undo| object.born <= undo.since) {
            undo.before.push((id, Some(object.clone())));
        }
        change(object);
        true
    }

    /// Changes anything.
    pub(super) fn change_all(&mut self, id: u32, change: impl FnOnce(&mut Object)) -> bool {
        let Some(mut object) = self.get(id).cloned() else { return false };
        self.lose(id, &object);
        change(&mut object);
        self.find(id, &object);
        self.change(id, |there| *there = object)
    }

    /// Has an object be found.
    fn find(&mut self, id: u32, object: &Object) {
        self.by_class.entry(object.class_id).or_default().insert(id);
        if let Some(name) = &object.name {
            self.names.add(object.class_id, name, object.named, id);
        }
        if let Some(since) = object.dynamic {
            self.dynamic.insert(since, id);
        }
        if let Some(name) = object.name.as_ref().filter(|_| object.is_awaited) {
            let of_class = self.awaited.entry(object.class_id).or_default();
            of_class.entry(name.clone()).or_default().insert(object.named, id);
        }
    }

    /// Has an object be found no more.
    fn lose(&mut self, id: u32, object: &Object) {
        if let Some(ids) = self.by_class.get_mut(&object.class_id) {
            ids.remove(&id);
        }
        if let Some(name) = &object.name {
            self.names.remove(object.class_id, name, object.named);
        }
        if let Some(since) = object.dynamic {
            self.dynamic.remove(&since);
        }
        if let Some(name) = object.name.as_ref().filter(|_| object.is_awaited)
            && let Some(of_class) = self.awaited.get_mut(&object.class_id)
            && let Some(ids) = of_class.get_mut(name)
        {
            ids.remove(&object.named);
            if ids.is_empty() {
                of_class.remove(name);
            }
        }
    }

    /// From now on, the time of which is `now`, changes can be undone.
    pub(super) fn begin(&mut self, now: u64) {
        self.undo = Some(Undo { since: now, before: Vec::new() });
    }

    /// Keeps the changes.
    pub(super) fn keep(&mut self) {
        self.undo = None;
    }

    /// Goes back to where it was begun.
    pub(super) fn go_back(&mut self) {
        let Some(undo) = self.undo.take() else { return };
        for (id, before) in undo.before.into_iter().rev() {
            self.remove(id);
            if let Some(before) = before {
                self.insert(id, before);
            }
        }
    }
}
