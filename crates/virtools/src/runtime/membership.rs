//! Groups and scenes of objects (`docs/formats/virtools-runtime.md#groups-and-scenes`).

use super::context::Context;
use crate::{
    class::{self, Value},
    codec::{Array, Saved},
    file::value::has_no_value,
};
pub use fixedbitset::FixedBitSet;
use spelunk_core::{Budget, Result};
use std::collections::BTreeMap;
use zerocopy::little_endian::U32;

/// Groups and scenes that the objects of a context were in when that was asked. Sets are by the indices of groups and scenes, and
/// all of one kind are of one length, but for the empty one of what is nowhere.
#[derive(Clone, Debug, Default)]
pub struct Memberships {
    groups: Sets,
    scenes: Sets,
}

/// Sets by what is in them.
#[derive(Clone, Debug, Default)]
struct Sets {
    /// Largest index plus one.
    len: usize,
    /// The indices by the ids of those who have them; of levels that of the own scene.
    indices: BTreeMap<u32, u32>,
    of: BTreeMap<u32, FixedBitSet>,
    none: FixedBitSet,
}

impl Memberships {
    /// The indices of the [groups](Context::group_index) that an object is in.
    pub fn groups_of(&self, id: u32) -> &FixedBitSet {
        self.groups.of(id)
    }

    /// The indices of the [scenes](Context::scene_index) that an object is in.
    pub fn scenes_of(&self, id: u32) -> &FixedBitSet {
        self.scenes.of(id)
    }

    /// Whether an object is in a group, both by their ids.
    pub fn is_in_group(&self, id: u32, group: u32) -> bool {
        self.groups.has(id, group)
    }

    /// Whether an object is in a scene, both by their ids. That of a level stands for its own scene.
    pub fn is_in_scene(&self, id: u32, scene: u32) -> bool {
        self.scenes.has(id, scene)
    }
}

impl Sets {
    /// Nothing is in any of these.
    fn new(context: &Context, all: impl Iterator<Item = u32>, budget: &mut Budget) -> Result<Sets> {
        let mut sets = Sets::default();
        for id in all {
            budget.memory(16)?;
            if let Some(index) = context.object(id).and_then(|object| object.index) {
                sets.len = sets.len.max((index as usize).saturating_add(1));
                sets.indices.insert(id, index);
            }
        }
        Ok(sets)
    }

    fn of(&self, id: u32) -> &FixedBitSet {
        self.of.get(&id).unwrap_or(&self.none)
    }

    fn has(&self, id: u32, of: u32) -> bool {
        self.indices.get(&of).is_some_and(|index| self.of(id).contains(*index as usize))
    }

    fn add(&mut self, id: u32, to: u32, budget: &mut Budget) -> Result<()> {
        budget.steps(1)?;
        let Some(index) = self.indices.get(&to) else { return Ok(()) };
        if !self.of.contains_key(&id) {
            budget.memory((self.len as u64).div_ceil(8).saturating_add(64))?;
            self.of.insert(id, FixedBitSet::with_capacity(self.len));
        }
        if let Some(set) = self.of.get_mut(&id) {
            set.insert(*index as usize);
        }
        Ok(())
    }
}

impl Context {
    /// The index of a group: the lowest that no other group had when it was created. `None` for anything else.
    pub fn group_index(&self, id: u32) -> Option<u32> {
        self.index(id, class::GROUP)
    }

    /// The index of a scene: the lowest that no other scene had when it was created. A level has one for its own scene;
    /// nothing is in it where that scene is an object, which no known file has. `None` for anything else.
    pub fn scene_index(&self, id: u32) -> Option<u32> {
        self.index(id, class::SCENE).or_else(|| self.index(id, class::LEVEL))
    }

    fn index(&self, id: u32, family: u32) -> Option<u32> {
        let object = self.object(id).filter(|object| class::is_a(object.class_id, family));
        object.and_then(|object| object.index)
    }

    /// Looks up which groups and scenes all objects are in, by what groups and scenes say of their members, and levels of
    /// those of their own scenes. Those whose chunks cannot be read have no members.
    ///
    /// # Errors
    /// Limits.
    pub fn memberships(&self, budget: &mut Budget) -> Result<Memberships> {
        let groups = || self.of_family(class::GROUP);
        let scenes = || self.of_family(class::SCENE).chain(self.of_family(class::LEVEL));
        let mut all = Memberships {
            groups: Sets::new(self, groups(), budget)?,
            scenes: Sets::new(self, scenes(), budget)?,
        };
        groups().try_for_each(|id| self.add_members(id, &mut all.groups, budget))?;
        scenes().try_for_each(|id| self.add_members(id, &mut all.scenes, budget))?;
        Ok(all)
    }

    /// Adds the members of a group, a scene or a level.
    fn add_members(&self, id: u32, sets: &mut Sets, budget: &mut Budget) -> Result<()> {
        let before = budget.left().memory;
        let value = match self.value(id, &mut Vec::new(), budget) {
            Err(error) if has_no_value(&error) => None,
            value => value?,
        };
        // It is gone before the next one is read.
        budget.release(before.saturating_sub(budget.left().memory));
        let Some((scene, members)) = value.as_ref().and_then(members) else { return Ok(()) };
        if let Some(index) = scene.and_then(|scene| self.index(scene, class::SCENE)) {
            sets.indices.insert(id, index);
        }
        for member in members.iter().map(|member| member.get()) {
            // Null ones are no object's id in any mode.
            if self.object(member).is_some() {
                sets.add(member, id, budget)?;
            }
        }
        Ok(())
    }
}

/// The members in the value of a group, a scene or a level; of the own scene of a level also the object, where it
/// is one.
fn members(saved: &Saved<Value>) -> Option<(Option<u32>, &Array<U32>)> {
    match &saved.value {
        Value::Group(group) => Some((None, group.members.as_ref()?)),
        Value::Scene(scene) => Some((None, &scene.objects.as_ref()?.objects)),
        Value::Level(level) => {
            let own = level.scene.as_ref()?;
            let scene = own.level_scene.get(saved.header.file_mode).value();
            Some((scene, &own.scene.as_ref()?.value.objects.as_ref()?.objects))
        }
        _ => None,
    }
}
