//! Names of the objects of a file.

use spelunk_core::{Result, Task};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use virtools::{File, class, lint::sector_number};

/// Objects that can take each other's place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ObjectFamily {
    Entity,
    Mesh,
    Material,
    Texture,
    Group,
    Animation,
}

impl ObjectFamily {
    /// What messages call one of them.
    pub const fn noun(self) -> &'static str {
        match self {
            ObjectFamily::Entity => "an entity",
            ObjectFamily::Mesh => "a mesh",
            ObjectFamily::Material => "a material",
            ObjectFamily::Texture => "a texture",
            ObjectFamily::Group => "a group",
            ObjectFamily::Animation => "an animation",
        }
    }
}

/// Whether there is an object of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameMatch {
    /// No object has it.
    None,
    /// An object whose place can be taken.
    Old(u32),
    /// Only such ones whose place is taken, or of other classes.
    Other,
}

/// Family and name of an object.
type ObjectNameKey = (ObjectFamily, Vec<u8>);

/// The names of the objects of a file.
pub struct ObjectNames {
    /// Objects that were there before and whose place none has taken, and their classes.
    old: BTreeMap<ObjectNameKey, VecDeque<(u32, u32)>>,
    /// Names that were there before.
    before: BTreeSet<ObjectNameKey>,
    /// Names that are taken.
    taken: BTreeSet<ObjectNameKey>,
    /// The number behind the last one of each name that was given another.
    numbers: BTreeMap<ObjectNameKey, u32>,
    kept: BTreeSet<u32>,
}

fn family(class_id: u32) -> Option<ObjectFamily> {
    Some(match class_id {
        class::TEXTURE => ObjectFamily::Texture,
        class::MATERIAL => ObjectFamily::Material,
        class::MESH => ObjectFamily::Mesh,
        class::GROUP => ObjectFamily::Group,
        id if class::is_a(id, class::ENTITY_3D) => ObjectFamily::Entity,
        id if is_animation(id) => ObjectFamily::Animation,
        _ => return None,
    })
}

/// Whether objects of a class are animations.
fn is_animation(class_id: u32) -> bool {
    class_id == class::OBJECT_ANIMATION || class::is_a(class_id, class::KEYED_ANIMATION)
}

/// Whether an object can take the place of one of another class: both have the same sections.
fn fits(one: u32, other: u32) -> bool {
    let plain = |id| id == class::ENTITY_3D || id == class::OBJECT_3D;
    one == other || plain(one) && plain(other)
}

impl ObjectNames {
    pub fn of(file: &File, task: &mut Task<'_>) -> Result<ObjectNames> {
        let mut names = ObjectNames {
            old: BTreeMap::new(),
            before: BTreeSet::new(),
            taken: BTreeSet::new(),
            numbers: BTreeMap::new(),
            kept: BTreeSet::new(),
        };
        for (object, index) in file.table().objects.iter().zip(0_u32..) {
            task.budget.steps(1)?;
            let Some(family) = family(object.class_id) else { continue };
            let name = spelunk_core::text::until_nul(file.table().name(object)).to_vec();
            task.budget.memory((name.len() as u64).saturating_add(128))?;
            names.taken.insert((family, name.clone()));
            names.old.entry((family, name)).or_default().push_back((index, object.class_id));
        }
        names.before = names.taken.clone();
        Ok(names)
    }

    /// Whether there was any object before.
    pub fn had_any(&self) -> bool {
        !self.old.is_empty()
    }

    /// The object of a name whose place one of a class can take.
    pub fn find(&self, family: ObjectFamily, class_id: u32, name: &[u8]) -> NameMatch {
        let key = (family, name.to_vec());
        let old = self.old.get(&key).into_iter().flatten();
        match old.into_iter().find(|(_, old)| fits(class_id, *old)) {
            Some((index, _)) => NameMatch::Old(*index),
            None if self.before.contains(&key) => NameMatch::Other,
            None => NameMatch::None,
        }
    }

    /// The object at a position among those of a name that were there before, and whose place none has taken.
    pub fn nth(&self, family: ObjectFamily, name: &[u8], nth: usize) -> Option<u32> {
        Some(self.old.get(&(family, name.to_vec()))?.get(nth)?.0)
    }

    /// The object at this position, where it has this name, is to be looked at first.
    pub fn prefer(&mut self, family: ObjectFamily, name: &[u8], index: u32) {
        if let Some(old) = self.old.get_mut(&(family, name.to_vec()))
            && let Some(at) = old.iter().position(|(old, _)| *old == index)
        {
            old.rotate_left(at);
        }
    }

    /// An object is used: among those of its name it is the last one to be looked at now, as what is imported once
    /// more comes in the same order.
    pub fn used(&mut self, family: ObjectFamily, name: &[u8], index: u32) {
        if let Some(old) = self.old.get_mut(&(family, name.to_vec()))
            && let Some(at) = old.iter().position(|(old, _)| *old == index)
        {
            old.rotate_left(at);
            old.rotate_left(1);
        }
    }

    /// The place of an object of a name is taken.
    pub fn claim(&mut self, family: ObjectFamily, name: &[u8], index: u32) {
        if let Some(old) = self.old.get_mut(&(family, name.to_vec()))
            && let Some(at) = old.iter().position(|(old, _)| *old == index)
        {
            old.remove(at);
        }
    }

    /// An object stays as it is.
    pub fn keep(&mut self, index: u32) {
        self.kept.insert(index);
    }

    pub fn is_kept(&self, index: u32) -> bool {
        self.kept.contains(&index)
    }

    /// A name that no object of the family has: with a number behind it.
    pub fn free(&mut self, family: ObjectFamily, name: &[u8]) -> Vec<u8> {
        let last = self.numbers.entry((family, name.to_vec())).or_insert(1);
        loop {
            *last = last.saturating_add(1);
            let free = [name, format!("_{last}").as_bytes()].concat();
            let key = (family, free);
            if !self.taken.contains(&key) {
                return key.1;
            }
        }
    }

    /// An object was added.
    pub fn add(&mut self, family: ObjectFamily, name: Vec<u8>) {
        self.taken.insert((family, name));
    }

    /// The numbers of the sectors of a map.
    pub fn sectors(&self) -> impl Iterator<Item = u32> + '_ {
        let groups = self.old.keys().filter(|(family, _)| *family == ObjectFamily::Group);
        groups.filter_map(|(_, name)| sector_number(name))
    }
}
