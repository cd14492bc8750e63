//! The objects, and their ids.

use super::{classes, flags, names::Names};
use crate::class;
use spelunk_core::Bytes;
use std::collections::{BTreeMap, BTreeSet};

/// How an object is created where one of its class has its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Creation {
    /// Names are not compared: there are two of one name then.
    Plain,
    /// The new one gets a number behind its name.
    Rename,
    /// The one that is there is used, and none created.
    UseCurrent,
}

/// An object that was created, or used in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Created {
    /// Its id.
    pub id: u32,
    /// How it came to be: with its name, with another one, or as the one that was there.
    pub how: Creation,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    class_id: u32,
    name: Option<Vec<u8>>,
    flags: u32,
    app_data: Option<Bytes>,
}

impl Object {
    /// Its class.
    pub const fn class_id(&self) -> u32 {
        self.class_id
    }

    /// Its name as bytes in the code page of the author; `None` where it has none.
    pub fn name(&self) -> Option<&[u8]> {
        self.name.as_deref()
    }

    /// Its [flags](super::flags).
    pub const fn flags(&self) -> u32 {
        self.flags
    }

    /// What the application left with it.
    pub const fn app_data(&self) -> Option<&Bytes> {
        self.app_data.as_ref()
    }

    /// Whether it is only there for a while.
    pub const fn is_dynamic(&self) -> bool {
        self.flags & flags::DYNAMIC == flags::DYNAMIC
    }

    /// Whether it is to be destroyed with the next step.
    pub const fn is_to_be_deleted(&self) -> bool {
        self.flags & flags::TO_BE_DELETED != 0
    }
}

/// Objects that know of each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Context {
    objects: BTreeMap<u32, Object>,
    /// The largest id that was ever given.
    count: u32,
    /// Ids that were given back, the last one first.
    free: Vec<u32>,
    /// Ids of each class; those of objects that came later are not always larger.
    by_class: BTreeMap<u32, BTreeSet<u32>>,
    /// Names of the objects of each class.
    names: BTreeMap<u32, Names>,
    /// Dynamic objects, in the order in which they became so.
    dynamic: Vec<u32>,
    /// Objects that are to be destroyed with the next step.
    waiting: Vec<u32>,
    /// Whether all dynamic objects are.
    dynamic_waits: bool,
    /// The level that runs.
    level: Option<u32>,
}

impl Context {
    /// A context without objects.
    pub fn new() -> Context {
        Context::default()
    }

    /// Creates an object, or uses one that is there, as `creation` and the [options](classes::options) of its class say:
    /// classes whose names do not count are never compared, and those that are used anew always are. Without a name nothing
    /// is compared.
    pub fn create(&mut self, class_id: u32, name: Option<&[u8]>, creation: Creation) -> Created {
        let options = classes::options(class_id);
        let creation = match creation {
            _ if options & classes::NO_NAME_CHECK != 0 || name.is_none() => Creation::Plain,
            _ if options & classes::USE_CURRENT != 0 => Creation::UseCurrent,
            other => other,
        };
        let names = self.names.entry(class_id).or_default();
        let there = name.and_then(|name| names.find(name));
        let (name, how) = match (creation, there) {
            (Creation::UseCurrent, Some(id)) => return Created { id, how: Creation::UseCurrent },
            (Creation::Rename, Some(_)) => (name.map(|name| names.secure(name)), Creation::Rename),
            _ => (name.map(<[u8]>::to_vec), Creation::Plain),
        };
        let id = self.new_id();
        if let (Some(name), Some(names)) = (&name, self.names.get_mut(&class_id)) {
            names.add(name, id);
        }
        let flags = flags::VISIBLE;
        self.objects.insert(id, Object { class_id, name, flags, app_data: None });
        self.by_class.entry(class_id).or_default().insert(id);
        Created { id, how }
    }

    /// The last id that was given back, else one more than the largest. 0 stands for no object.
    fn new_id(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.count = self.count.saturating_add(1);
            self.count
        })
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// The object with an id.
    pub fn object(&self, id: u32) -> Option<&Object> {
        self.objects.get(&id)
    }

    /// The ids of all objects, from the smallest on.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.objects.keys().copied()
    }

    /// The objects of exactly a class, from the smallest id on.
    pub fn of_class(&self, class_id: u32) -> impl Iterator<Item = u32> + '_ {
        self.by_class.get(&class_id).into_iter().flatten().copied()
    }

    /// The objects of a class and of those that derive from it: class by class, each from the smallest id on.
    pub fn of_family(&self, class_id: u32) -> impl Iterator<Item = u32> + '_ {
        let classes = self.by_class.iter().filter(move |(id, _)| class::is_a(**id, class_id));
        classes.flat_map(|(_, ids)| ids.iter().copied())
    }

    /// The object of exactly this class that was the first to get this name, letter by letter.
    pub fn find(&self, class_id: u32, name: &[u8]) -> Option<u32> {
        self.names.get(&class_id)?.find(name)
    }

    /// Gives an object another name, or none; tells whether there is such an object.
    pub fn rename(&mut self, id: u32, name: Option<&[u8]>) -> bool {
        let Some(object) = self.objects.get_mut(&id) else { return false };
        let names = self.names.entry(object.class_id).or_default();
        if let Some(old) = &object.name {
            names.remove(old, id);
        }
        object.name = name.map(<[u8]>::to_vec);
        if let Some(name) = name {
            names.add(name, id);
        }
        true
    }

    /// Sets and clears flags of an object; tells whether there is such an object. Whether it is dynamic is for
    /// [`Context::set_dynamic`] to say.
    pub fn change_flags(&mut self, id: u32, set: u32, clear: u32) -> bool {
        // The ids of dynamic objects are free for as long as they are dynamic.
        const OTHERS: u32 =
            flags::DYNAMIC & !flags::FREE_ID | flags::TO_BE_DELETED | flags::APP_DATA;
        let Some(object) = self.objects.get_mut(&id) else { return false };
        let kept = if object.is_dynamic() { OTHERS | flags::FREE_ID } else { OTHERS };
        object.flags = object.flags & !(clear & !kept) | set & !OTHERS;
        true
    }

    /// Leaves data of the application with an object, or takes them away; tells whether there is such an object.
    pub fn set_app_data(&mut self, id: u32, data: Option<Bytes>) -> bool {
        let Some(object) = self.objects.get_mut(&id) else { return false };
        object.flags &= !flags::APP_DATA;
        if data.is_some() {
            object.flags |= flags::APP_DATA;
        }
        object.app_data = data;
        true
    }

    /// The level that runs.
    pub const fn level(&self) -> Option<u32> {
        self.level
    }

    /// Makes a level the one that runs; tells whether the object is one.
    pub fn set_level(&mut self, id: Option<u32>) -> bool {
        let is_level =
            |id| self.object(id).is_some_and(|it| class::is_a(it.class_id, class::LEVEL));
        let fits = id.is_none_or(is_level);
        if fits {
            self.level = id;
        }
        fits
    }

    /// Has an object be there only for a while, or for good; tells whether there is such an object.
    pub fn set_dynamic(&mut self, id: u32, is_dynamic: bool) -> bool {
        let Some(object) = self.objects.get_mut(&id) else { return false };
        match (object.is_dynamic(), is_dynamic) {
            (false, true) => {
                object.flags |= flags::DYNAMIC;
                self.dynamic.push(id);
            }
            (true, false) => {
                object.flags &= !flags::DYNAMIC;
                self.dynamic.retain(|other| *other != id);
            }
            _ => {}
        }
        true
    }

    /// The dynamic objects, in the order in which they became so.
    pub fn dynamic(&self) -> &[u32] {
        &self.dynamic
    }

    /// Has all dynamic objects be destroyed with the [next step](Context::step).
    pub const fn delete_all_dynamic(&mut self) {
        self.dynamic_waits = true;
    }

    /// Has an object be destroyed with the [next step](Context::step); tells whether there is such an object.
    pub fn destroy_later(&mut self, id: u32) -> bool {
        let Some(object) = self.objects.get_mut(&id) else { return false };
        if !object.is_to_be_deleted() {
            object.flags |= flags::TO_BE_DELETED;
            self.waiting.push(id);
        }
        true
    }

    /// Destroys what is to be destroyed: objects in the order in which they were named, then dynamic ones. Gives how many.
    pub fn step(&mut self) -> usize {
        let mut ids = std::mem::take(&mut self.waiting);
        if std::mem::take(&mut self.dynamic_waits) {
            ids.extend_from_slice(&self.dynamic);
        }
        self.destroy(&ids)
    }

    /// Destroys objects at once, in this order, and gives back the ids of those whose ids are free; gives how many there
    /// were.
    pub fn destroy(&mut self, ids: &[u32]) -> usize {
        let mut gone = BTreeSet::new();
        for id in ids {
            let Some(object) = self.objects.remove(id) else { continue };
            gone.insert(*id);
            if let Some(ids) = self.by_class.get_mut(&object.class_id) {
                ids.remove(id);
            }
            if let (Some(names), Some(name)) = (self.names.get_mut(&object.class_id), &object.name)
            {
                names.remove(name, *id);
            }
            if object.flags & flags::FREE_ID != 0 {
                self.free.push(*id);
            }
        }
        if !gone.is_empty() {
            let stays = |id: &u32| !gone.contains(id);
            self.dynamic.retain(stays);
            self.waiting.retain(stays);
            self.level = self.level.filter(stays);
        }
        gone.len()
    }

    /// Destroys everything at once. Ids start anew.
    pub fn reset(&mut self) {
        *self = Context::new();
    }
}
