//! The objects, and their ids.

use super::{
    classes, flags,
    indices::Indices,
    manager::Manager,
    object::{Handle, Object},
    path_manager::PathManager,
    store::Store,
};
use crate::class;
use spelunk_core::{Bytes, scalar::Guid};
use std::{any::Any, sync::Arc};

/// Way in which an object is created where another one of its class has its name.
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
    /// Id of the object.
    pub id: u32,
    /// Way in which the object came to be: with its name, with another one, or as the one that was there.
    pub how: Creation,
}

/// Objects that know of each other.
#[derive(Clone, Debug)]
pub struct Context {
    pub(super) store: Store,
    pub(super) rest: ContextState,
}

/// State of a context besides its objects. A copy of it is what a load that failed goes back to.
#[derive(Clone, Debug, Default)]
pub(super) struct ContextState {
    /// The largest id that was ever given.
    count: u32,
    /// Ids that were given back, the last one last.
    free: Vec<u32>,
    /// Indices that groups and scenes have.
    indices: Indices,
    /// Counts what happens, so that things can be put in the order in which they happened.
    clock: u64,
    /// Objects that are to be destroyed with the next step.
    waiting: Vec<Handle>,
    /// Whether all dynamic objects are.
    dynamic_waits: bool,
    /// The level that runs.
    level: Option<u32>,
    /// Product version in the file of the level.
    pub(super) version: u32,
    pub(super) managers: Vec<Box<dyn Manager>>,
    /// Plugins that files asked for, by their kinds, in the order in which they did.
    pub(super) plugins: Arc<Vec<(u32, Guid)>>,
    /// Folders in which files are looked for that objects name.
    paths: Arc<PathManager>,
    /// The composition that was loaded last.
    pub(super) last_loaded: Option<Arc<str>>,
    /// Present activity.
    pub(super) activity: Activity,
}

/// Activity that a context is about to begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Activity {
    /// Nothing.
    #[default]
    Idle,
    /// Objects are loaded.
    Loading,
    /// Objects are saved.
    Saving,
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
        let there = name.and_then(|name| self.store.names.find(class_id, name));
        let (name, how) = match (creation, there) {
            (Creation::UseCurrent, Some(id)) => return Created { id, how: Creation::UseCurrent },
            (Creation::Rename, Some(_)) => {
                (name.map(|name| self.store.names.secure(class_id, name)), Creation::Rename)
            }
            _ => (name.map(<[u8]>::to_vec), Creation::Plain),
        };
        Created { id: self.create_new(class_id, name.as_deref()), how }
    }

    /// Creates an object, whatever is there.
    pub(super) fn create_new(&mut self, class_id: u32, name: Option<&[u8]>) -> u32 {
        let (id, now) = (self.new_id(), self.now());
        let name: Option<Arc<[u8]>> = name.map(Arc::from);
        let object = Object {
            class_id,
            born: now,
            name,
            named: now,
            flags: flags::VISIBLE,
            dynamic: None,
            is_awaited: false,
            app_data: None,
            index: self.rest.indices.give(class_id),
            state: None,
        };
        self.store.insert(id, object);
        id
    }

    /// A name that no object of a class has yet.
    pub(super) fn secure_name(&mut self, class_id: u32, name: &[u8]) -> Vec<u8> {
        self.store.names.secure(class_id, name)
    }

    /// The time of what happened last.
    pub(super) const fn clock(&self) -> u64 {
        self.rest.clock
    }

    /// The last id that was given back, else one more than the largest. 0 stands for no object.
    fn new_id(&mut self) -> u32 {
        self.rest.free.pop().unwrap_or_else(|| {
            self.rest.count = self.rest.count.saturating_add(1);
            self.rest.count
        })
    }

    const fn now(&mut self) -> u64 {
        self.rest.clock = self.rest.clock.saturating_add(1);
        self.rest.clock
    }

    /// Number of objects.
    pub const fn len(&self) -> usize {
        self.store.len()
    }

    /// Whether there is no object.
    pub const fn is_empty(&self) -> bool {
        self.store.len() == 0
    }

    /// The object with an id.
    pub fn object(&self, id: u32) -> Option<&Object> {
        self.store.get(id)
    }

    /// The ids of all objects, from the smallest on.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.store.ids()
    }

    /// The objects of exactly a class, from the smallest id on.
    pub fn of_class(&self, class_id: u32) -> impl Iterator<Item = u32> + '_ {
        self.store.by_class().get(&class_id).into_iter().flatten().copied()
    }

    /// The objects of a class and of those that derive from it: class by class, each from the smallest id on.
    pub fn of_family(&self, class_id: u32) -> impl Iterator<Item = u32> + '_ {
        let classes = self.store.by_class().iter();
        let family = classes.filter(move |(id, _)| class::is_a(**id, class_id));
        family.flat_map(|(_, ids)| ids.iter().copied())
    }

    /// The object of exactly this class that was the first to get this name, letter by letter.
    pub fn find(&self, class_id: u32, name: &[u8]) -> Option<u32> {
        self.store.names.find(class_id, name)
    }

    /// All objects of exactly this class with this name, in the order in which they got it.
    pub fn find_all(&self, class_id: u32, name: &[u8]) -> impl Iterator<Item = u32> + '_ {
        self.store.names.find_all(class_id, name)
    }

    /// Objects of that name that got it after a time, with the times.
    pub(super) fn find_after(
        &self,
        class_id: u32,
        name: &[u8],
        time: u64,
    ) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.store.names.find_after(class_id, name, time)
    }

    /// Gives an object another name, or none; returns whether there is such an object.
    pub fn rename(&mut self, id: u32, name: Option<&[u8]>) -> bool {
        let now = self.now();
        self.store.change_all(id, |object| {
            (object.name, object.named) = (name.map(Arc::from), now);
        })
    }

    /// Sets and clears flags of an object; returns whether there is such an object. Whether it is dynamic is for
    /// [`Context::set_dynamic`] to say.
    pub fn change_flags(&mut self, id: u32, set: u32, clear: u32) -> bool {
        // The ids of dynamic objects are free for as long as they are dynamic.
        const OTHERS: u32 =
            flags::DYNAMIC & !flags::FREE_ID | flags::TO_BE_DELETED | flags::APP_DATA;
        self.store.change(id, |object| {
            let kept = if object.is_dynamic() { OTHERS | flags::FREE_ID } else { OTHERS };
            object.flags = object.flags & !(clear & !kept) | set & !OTHERS;
        })
    }

    /// Leaves data of the application with an object, or takes them away; returns whether there is such an object.
    pub fn set_app_data(&mut self, id: u32, data: Option<Bytes>) -> bool {
        self.store.change(id, |object| {
            object.flags &= !flags::APP_DATA;
            if data.is_some() {
                object.flags |= flags::APP_DATA;
            }
            object.app_data = data;
        })
    }

    /// The level that runs.
    pub const fn level(&self) -> Option<u32> {
        self.rest.level
    }

    /// Makes a level the one that runs; returns whether the object is one.
    pub fn set_level(&mut self, id: Option<u32>) -> bool {
        let is_level =
            |id| self.object(id).is_some_and(|it| class::is_a(it.class_id, class::LEVEL));
        let fits = id.is_none_or(is_level);
        if fits {
            self.rest.level = id;
        }
        fits
    }

    /// Has an object be there only for a while, or for good; returns whether there is such an object.
    pub fn set_dynamic(&mut self, id: u32, is_dynamic: bool) -> bool {
        let now = self.now();
        match self.object(id).map(Object::is_dynamic) {
            None => false,
            Some(is) if is == is_dynamic => true,
            Some(_) => self.store.change_all(id, |object| {
                object.dynamic = is_dynamic.then_some(now);
                object.flags &= !flags::DYNAMIC;
                if is_dynamic {
                    object.flags |= flags::DYNAMIC;
                }
            }),
        }
    }

    /// The dynamic objects, in the order in which they became so.
    pub fn dynamic(&self) -> impl Iterator<Item = u32> + '_ {
        self.store.dynamic().values().copied()
    }

    /// Has all dynamic objects be destroyed with the [next step](Context::step).
    pub const fn delete_all_dynamic(&mut self) {
        self.rest.dynamic_waits = true;
    }

    /// Has an object be destroyed with the [next step](Context::step); returns whether there is such an object.
    pub fn destroy_later(&mut self, id: u32) -> bool {
        let Some(handle) = self.handle(id) else { return false };
        if !self.object(id).is_some_and(Object::is_to_be_deleted) {
            self.store.change(id, |object| object.flags |= flags::TO_BE_DELETED);
            self.rest.waiting.push(handle);
        }
        true
    }

    /// Destroys what is to be destroyed: objects in the order in which they were named, then dynamic ones. Managers forget
    /// what only dynamic objects brought. Gives how many objects there were.
    pub fn step(&mut self) -> usize {
        let waiting = std::mem::take(&mut self.rest.waiting);
        let here = waiting.iter().filter(|handle| self.is_alive(**handle));
        let mut ids: Vec<u32> = here.map(|handle| handle.id).collect();
        let all_dynamic = std::mem::take(&mut self.rest.dynamic_waits);
        if all_dynamic {
            ids.extend(self.dynamic());
        }
        let gone = self.destroy(&ids);
        if all_dynamic {
            self.rest.managers.iter_mut().for_each(|manager| manager.forget_dynamic());
        }
        gone
    }

    /// Destroys objects at once, in this order, and gives back the ids of those whose ids are free; gives how many there
    /// were. What refers to them refers to nothing from then on, whoever gets their ids.
    pub fn destroy(&mut self, ids: &[u32]) -> usize {
        let mut gone = 0_usize;
        for id in ids {
            let Some(object) = self.store.remove(*id) else { continue };
            gone = gone.saturating_add(1);
            self.rest.indices.take_back(object.class_id, object.index);
            if object.flags & flags::FREE_ID != 0 {
                self.rest.free.push(*id);
            }
            self.rest.level = self.rest.level.filter(|level| level != id);
        }
        gone
    }

    /// Destroys everything at once. Ids start anew. Search paths stay, and managers, which [forget](Manager::reset) what they
    /// know.
    pub fn reset(&mut self) {
        let mut managers = std::mem::take(&mut self.rest.managers);
        managers.iter_mut().for_each(|manager| manager.reset());
        self.store.clear();
        let ContextState { activity, clock, .. } = self.rest;
        let paths = std::mem::take(&mut self.rest.paths);
        self.rest = ContextState { managers, activity, clock, paths, ..ContextState::default() };
    }

    /// Present activity.
    pub const fn activity(&self) -> Activity {
        self.rest.activity
    }

    /// ProductVersion of the file from which the level came; 0 where that is of the first products.
    pub const fn version(&self) -> u32 {
        self.rest.version
    }

    /// The search paths of files that objects name.
    pub fn paths(&self) -> &PathManager {
        &self.rest.paths
    }

    /// The same, to be changed.
    pub fn paths_mut(&mut self) -> &mut PathManager {
        Arc::make_mut(&mut self.rest.paths)
    }

    /// The composition that was loaded last, by its path.
    pub fn last_loaded(&self) -> Option<&str> {
        self.rest.last_loaded.as_deref()
    }

    /// Registers a manager behind the others; one with its GUID goes away, and is given back.
    pub fn register(&mut self, manager: Box<dyn Manager>) -> Option<Box<dyn Manager>> {
        let there = self.rest.managers.iter_mut().find(|there| there.guid() == manager.guid());
        match there {
            Some(there) => Some(std::mem::replace(there, manager)),
            None => {
                self.rest.managers.push(manager);
                None
            }
        }
    }

    /// The managers, in the order in which they were registered.
    pub fn managers(&self) -> impl Iterator<Item = &dyn Manager> + '_ {
        self.rest.managers.iter().map(|manager| &**manager)
    }

    /// The manager of a type: [`AttributeTypes`](super::AttributeTypes), [`MessageTypes`](super::MessageTypes), or one of the
    /// application.
    pub fn manager<M: Manager>(&self) -> Option<&M> {
        self.managers().find_map(|manager| (manager as &dyn Any).downcast_ref())
    }

    /// The same, to be changed.
    pub fn manager_mut<M: Manager>(&mut self) -> Option<&mut M> {
        self.rest
            .managers
            .iter_mut()
            .find_map(|manager| (&mut **manager as &mut dyn Any).downcast_mut())
    }

    /// Whether an object is still there.
    pub(super) fn is_alive(&self, handle: Handle) -> bool {
        self.object(handle.id).is_some_and(|object| object.born == handle.born)
    }

    /// The handle of an object.
    pub(super) fn handle(&self, id: u32) -> Option<Handle> {
        self.object(id).map(|object| Handle { id, born: object.born })
    }

    /// Has an object stand for one that may come, or that came.
    pub(super) fn set_awaited(&mut self, id: u32, is_awaited: bool) {
        self.store.change_all(id, |object| {
            object.is_awaited = is_awaited;
            object.flags &= !flags::ONLY_FOR_FILE_REFERENCE;
            if is_awaited {
                object.flags |= flags::ONLY_FOR_FILE_REFERENCE;
            }
        });
    }

    /// The objects of a class and name that stand for such as may come.
    pub(super) fn awaited(&self, class_id: u32, name: &[u8]) -> impl Iterator<Item = u32> + '_ {
        self.store.awaited(class_id, name)
    }
}
