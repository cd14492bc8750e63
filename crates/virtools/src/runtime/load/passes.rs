//! Objects get their states, phase by phase, and then what has to be done when all have.

use super::{EntryReport, Loading, flags};
use crate::{
    chunk::{Chunk, prototype},
    class::{self, Value, behavior, character::CharacterData, fresh::Host},
    codec::{Array, Saved},
    codes,
    runtime::{
        flags as object_flags,
        hooks::{Message, Pass},
        object::SavedState,
    },
};
use spelunk_core::{Error, Result, Severity};
use std::ops::ControlFlow;
use zerocopy::little_endian::U32;

/// The order in which classes are loaded: what is not named comes first.
const PHASES: [u32; 4] =
    [class::PARAMETER_LOCAL, class::PARAMETER, class::PARAMETER_OUT, class::BEHAVIOR];

fn phase(class_id: u32) -> usize {
    PHASES.iter().position(|it| *it == class_id).map_or(0, |at| at.saturating_add(1))
}

impl Loading<'_, '_> {
    /// Gives the objects their states: all but parameters and behaviours, then local parameters, parameters, those of
    /// outputs, and behaviours.
    pub(super) fn load_objects(&mut self, states: Vec<SavedState>) -> Result<()> {
        let only_behaviors = self.load.has(flags::ONLY_BEHAVIORS);
        let mut phases: [Vec<(u32, SavedState)>; 5] = Default::default();
        let (mut has_level, mut left_out) = (false, Vec::new());
        for (entry, state) in self.report.entries.iter().zip(states) {
            let phase = phase(entry.class_id);
            let Some(id) = entry.id.filter(|_| entry.is_applied()) else { continue };
            if state.chunk.is_empty() || only_behaviors && phase != PHASES.len() {
                continue;
            }
            let is_second = class::is_a(entry.class_id, class::LEVEL)
                && std::mem::replace(&mut has_level, true)
                && !self.load.all_levels;
            let is_refused = !self.load.keep_entries && is_refused(entry.class_id, &state);
            if is_second || is_refused {
                let code = if is_second { &codes::SECOND_LEVEL } else { &codes::OLD_SCENE };
                let name = String::from_utf8_lossy(&entry.name).into_owned();
                left_out.push(Error::new(code).found(name));
                continue;
            }
            self.task.budget.memory(size_of::<(u32, SavedState)>() as u64)?;
            if let Some(list) = phases.get_mut(phase) {
                list.push((id, state));
            }
        }
        for error in left_out {
            self.report.report(Severity::Warning, error, self.task)?;
        }
        let total = phases.iter().map(|phase| phase.len() as u64).sum();
        let mut done = 0_u64;
        for (id, state) in phases.into_iter().flatten() {
            let (set, clear) = visibility(&state);
            self.context.change_flags(id, set, clear);
            self.context.set_state(id, Some(state));
            self.hooks.pass(self.context, Pass::Load, id)?;
            done = done.saturating_add(1);
            if self.hooks.progress(done, total) == ControlFlow::Break(()) {
                return Err(
                    Error::new(&codes::CANCELLED).found(format!("{done} of {total} objects"))
                );
            }
        }
        Ok(())
    }

    /// The objects that the caller gets.
    pub(super) fn list_results(&mut self) -> Result<()> {
        const FAMILIES: [u32; 3] = [class::BE_OBJECT, class::OBJECT_ANIMATION, class::ANIMATION];
        let mut results = Vec::new();
        for entry in &self.report.entries {
            let Some(id) = entry.id else { continue };
            let is_a = |ancestor| class::is_a(entry.class_id, ancestor);
            let listed = FAMILIES.into_iter().any(is_a)
                || entry.class_id == class::INTERFACE_OBJECT_MANAGER
                || is_a(class::BEHAVIOR) && self.is_top(id);
            if listed {
                self.task.budget.memory(4)?;
                results.push(id);
            }
        }
        self.report.objects = results;
        Ok(())
    }

    /// Whether a behaviour is a script, or at the top of what was saved.
    fn is_top(&self, id: u32) -> bool {
        let state = self.context.object(id).and_then(|object| object.state.as_ref());
        let flags = state.and_then(|state| prototype::flags(&state.view().ok()?));
        flags.unwrap_or(0) & (behavior::flags::SCRIPT | behavior::flags::TOP_MOST) != 0
    }

    /// Runs the passes that need the states of all objects: owners, then all, then behaviours and patches.
    pub(super) fn finish_objects(&mut self) -> Result<()> {
        let applied: Vec<(u32, u32)> = {
            let entries = self.report.entries.iter().filter(|entry| entry.is_applied());
            entries.filter_map(|entry| Some((entry.id?, entry.class_id))).collect()
        };
        let has_state =
            |this: &Self, id| this.context.object(id).is_some_and(|object| object.state.is_some());
        for (id, class_id) in &applied {
            if class::is_a(*class_id, class::BE_OBJECT) && has_state(self, *id) {
                self.hooks.pass(self.context, Pass::Owner, *id)?;
            }
        }
        for (id, _) in &applied {
            self.hooks.pass(self.context, Pass::PostLoad, *id)?;
        }
        let created: Vec<(u32, u32)> = {
            let entries = self.report.entries.iter();
            entries.filter_map(|entry| Some((entry.id?, entry.class_id))).collect()
        };
        for (id, class_id) in created {
            if class::is_a(class_id, class::BEHAVIOR) {
                self.hooks.pass(self.context, Pass::Patch, id)?;
                self.hooks.message(self.context, Message::Load, id)?;
            } else if class::is_a(class_id, class::BE_OBJECT) && has_state(self, id) {
                self.hooks.pass(self.context, Pass::Patch, id)?;
            }
        }
        Ok(())
    }

    /// Puts what was loaded into one character: that of the file, or a new one.
    pub(super) fn wrap_as_character(&mut self) -> Result<()> {
        let of = |ancestor: u32| {
            let is = move |entry: &&EntryReport| class::is_a(entry.class_id, ancestor);
            self.report.entries.iter().filter(is).filter_map(|entry| entry.id)
        };
        if let Some(there) = of(class::CHARACTER).next() {
            self.report.character = Some(there);
            return Ok(());
        }
        let list = |ids: &mut dyn Iterator<Item = u32>| -> Array<U32> {
            ids.map(U32::new).collect::<Vec<U32>>().into()
        };
        let body_parts: Vec<u32> = of(class::BODY_PART).collect();
        let root = body_parts.first().copied().unwrap_or(u32::MAX);
        let animations = list(&mut of(class::ANIMATION));
        let name = self.load.character.as_deref().unwrap_or(b"Character");
        let name = match self.context.find(class::CHARACTER, name) {
            Some(_) => self.context.secure_name(class::CHARACTER, name),
            None => name.to_vec(),
        };
        let id = self.context.create_new(class::CHARACTER, Some(&name));
        let host = Host {
            product_build: self.file.head().product_build(),
            has_level: self.context.level().is_some(),
            file_mode: true,
            id,
        };
        let mut value = Value::fresh(class::CHARACTER, &host).unwrap_or_default();
        if let Value::Character(character) = &mut value {
            character.body_parts = Some(list(&mut body_parts.into_iter()));
            let none = U32::new(u32::MAX);
            let references = vec![none, none, U32::new(root), none].into();
            character.data = Some(CharacterData { animations: Some(animations), references });
        }
        if self.load.has(flags::AS_DYNAMIC_OBJECT) {
            self.context.set_dynamic(id, true);
        }
        let header = crate::chunk::buffer::Header::object(class::CHARACTER);
        self.context.set_value(id, &Saved::new(header, value))?;
        self.report.character = Some(id);
        self.report.objects.push(id);
        Ok(())
    }
}

/// Whether engines refuse what an object saved: scenes of data version 0, of which they do not even read what the base class
/// saved.
fn is_refused(class_id: u32, state: &SavedState) -> bool {
    let version = state.chunk.first().copied();
    class::is_a(class_id, class::SCENE) && version == Some(0)
}

/// Flags that a chunk sets and clears: sections without content say that an object is hidden.
fn visibility(state: &SavedState) -> (u32, u32) {
    let has = |chunk: Chunk<'_>, identifier| chunk.sections().any(|it| it.identifier == identifier);
    let Ok(chunk) = state.view() else { return (0, 0) };
    if has(chunk, class::object::HIERARCHICALLY_HIDDEN) {
        (object_flags::HIERARCHICALLY_HIDDEN, object_flags::VISIBLE)
    } else if has(chunk, class::object::HIDDEN) {
        (0, object_flags::VISIBLE | object_flags::HIERARCHICALLY_HIDDEN)
    } else {
        (object_flags::VISIBLE, object_flags::HIERARCHICALLY_HIDDEN)
    }
}
