//! Whom behaviours belong to (`docs/formats/virtools-runtime.md#owners`).

use super::context::Context;
use crate::{chunk::read::Reader, class};
use spelunk_core::{Budget, Result};
use std::collections::BTreeMap;

/// Sections of objects with behaviour that list behaviours: scripts, and what they were below data version 5.
const SCRIPTS: [u32; 2] = [0x800, 0x100];

/// Whom the behaviours of a context belonged to when that was asked.
#[derive(Clone, Debug, Default)]
pub struct Owners {
    /// Objects with behaviour, by their scripts.
    objects: BTreeMap<u32, u32>,
    /// Graphs, by the behaviours in them.
    graphs: BTreeMap<u32, u32>,
}

impl Owners {
    /// The object with behaviour that a behaviour works for: that which has the script at the top of the graphs around it.
    pub fn owner_of(&self, behavior: u32) -> Option<u32> {
        let mut at = behavior;
        // Graphs of damaged files may go round in a circle.
        for _ in 0..=self.graphs.len() {
            if let Some(owner) = self.objects.get(&at) {
                return Some(*owner);
            }
            at = *self.graphs.get(&at)?;
        }
        None
    }

    /// The graph that a behaviour is a part of; scripts are of none.
    pub fn graph_of(&self, behavior: u32) -> Option<u32> {
        self.graphs.get(&behavior).copied()
    }

    /// The scripts, each with the object with behaviour that has it.
    pub fn scripts(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.objects.iter().map(|(script, owner)| (*script, *owner))
    }
}

impl Context {
    /// Looks up whom all behaviours belong to, by the scripts of objects with behaviour, and graphs of the
    /// behaviours in them. A script that nothing lists belongs to the object that it names itself, as those below data
    /// version 5 do. One that two list belongs to the first of them, by their ids; no known file has such a script.
    ///
    /// # Errors
    /// Limits.
    pub fn owners(&self, budget: &mut Budget) -> Result<Owners> {
        let mut owners = Owners::default();
        for id in self.of_family(class::BE_OBJECT) {
            budget.steps(1)?;
            if self.lists_scripts(id) {
                for (_, script) in self.of_fields(id, &["scripts", "behaviors"], budget)? {
                    self.add_part(script, id, &mut owners.objects, budget)?;
                }
            }
        }
        let mut named = Vec::new();
        for id in self.of_family(class::BEHAVIOR) {
            for (field, other) in self.of_fields(id, &["sub_behaviors", "owner"], budget)? {
                match field {
                    "owner" => named.push((id, other)),
                    _ => self.add_part(other, id, &mut owners.graphs, budget)?,
                }
            }
        }
        for (script, owner) in named {
            let object = self.object(owner);
            let has_scripts = object.is_some_and(|it| class::is_a(it.class_id, class::BE_OBJECT));
            if has_scripts && !owners.graphs.contains_key(&script) {
                self.add_part(script, owner, &mut owners.objects, budget)?;
            }
        }
        Ok(owners)
    }

    /// Whether the chunk of an object with behaviour has a list of scripts, which most have not.
    fn lists_scripts(&self, id: u32) -> bool {
        let state = self.object(id).and_then(|object| object.state.as_ref());
        let Some(Ok(chunk)) = state.map(super::SavedState::view) else { return false };
        SCRIPTS.into_iter().any(|identifier| Reader::find(chunk, identifier).is_some())
    }

    /// Targets of some fields of an object.
    fn of_fields(
        &self,
        id: u32,
        fields: &[&str],
        budget: &mut Budget,
    ) -> Result<Vec<(&'static str, u32)>> {
        let before = budget.left().memory;
        let mut references = self.references(id, budget)?;
        // The value is gone before the next one is read.
        budget.release(before.saturating_sub(budget.left().memory));
        references.retain(|(field, _)| fields.contains(field));
        Ok(references)
    }

    /// Has a behaviour belong to an object, unless it belongs to one already.
    fn add_part(
        &self,
        behavior: u32,
        to: u32,
        all: &mut BTreeMap<u32, u32>,
        budget: &mut Budget,
    ) -> Result<()> {
        let object = self.object(behavior);
        if object.is_some_and(|object| class::is_a(object.class_id, class::BEHAVIOR)) {
            budget.memory(16)?;
            all.entry(behavior).or_insert(to);
        }
        Ok(())
    }
}
