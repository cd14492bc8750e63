//! Creation of objects for the entries of the object table, or the choice of such as are there already.

use super::{
    flags,
    options::{Load, Mode},
    report::{EntryReport, Outcome, Skipped},
};
use crate::{
    class,
    runtime::{
        Hooks,
        classes::{self, NO_NAME_CHECK},
        context::Context,
        hooks::Duplicate,
        state::parameter_type,
    },
};
use spelunk_core::{Bytes, scalar::Guid};
use std::collections::HashMap;

/// An entry of the object table, as a file holds it.
#[derive(Clone, Copy)]
pub(super) struct StoredEntry<'f> {
    /// Id that the object had when it was saved.
    pub(super) saved_id: u32,
    /// Whether the file only refers to the object.
    pub(super) is_reference: bool,
    pub(super) class_id: u32,
    pub(super) name: &'f [u8],
    /// The object's chunk; empty where there is none.
    pub(super) chunk: &'f Bytes,
    /// See [`EntryReport::size`] and [`EntryReport::packed_size`].
    pub(super) sizes: (u32, u32),
    /// See [`EntryReport::save_flags`].
    pub(super) save_flags: Option<u32>,
}

/// Turns entries into objects.
pub(super) struct Creator<'l> {
    load: &'l Load,
    /// Whether names are compared at all.
    asks: bool,
    /// Objects that were created later are of the same file.
    started: u64,
    /// An answer that holds for all that follow.
    remembered: Option<Mode>,
    /// Names that many objects of the file have, by their classes, and the time up to which nobody else got them.
    own: HashMap<u32, HashMap<Box<[u8]>, u64>>,
}

/// So many objects of one name are looked at anew for each entry that has it.
const FEW: usize = 16;

impl<'l> Creator<'l> {
    pub(super) fn new(context: &Context, load: &'l Load) -> Creator<'l> {
        const ASK: u32 = flags::DO_DIALOG | flags::AUTOMATIC_MODE | flags::CHECK_DUPLICATES;
        let asks = load.flags & ASK != 0;
        Creator { load, asks, started: context.clock(), remembered: None, own: HashMap::new() }
    }

    /// Finds or creates the object of an entry.
    pub(super) fn entry(
        &mut self,
        context: &mut Context,
        stored: &StoredEntry<'_>,
        hooks: &mut dyn Hooks,
    ) -> EntryReport {
        let StoredEntry { saved_id, is_reference, class_id, name, chunk, save_flags, .. } = *stored;
        let (size, packed_size) = stored.sizes;
        let entry = |id, outcome| {
            let name = name.to_vec();
            EntryReport { saved_id, class_id, name, size, packed_size, save_flags, id, outcome }
        };
        let only_behaviors = self.load.has(flags::ONLY_BEHAVIORS);
        if is_reference {
            let there = reference(context, class_id, name, chunk);
            return match there {
                Some(id) => entry(Some(id), Outcome::Resolved),
                None if self.load.keep_entries && !only_behaviors => {
                    let id = self.create(context, class_id, name);
                    context.set_awaited(id, true);
                    entry(Some(id), Outcome::Created)
                }
                None => entry(None, Outcome::Skipped(Skipped::Unresolved)),
            };
        }
        if chunk.is_empty() && (only_behaviors || !self.load.keep_entries) {
            let why = if only_behaviors { Skipped::NoBehavior } else { Skipped::NoChunk };
            return entry(None, Outcome::Skipped(why));
        }
        if class_id == class::RENDER_CONTEXT && !self.load.keep_entries {
            return entry(None, Outcome::Skipped(Skipped::RenderContext));
        }
        if !self.is_wanted(class_id) {
            // Animations move what is there.
            let there = context.find(class_id, name).filter(|_| !name.is_empty());
            let outcome = there.map_or(Outcome::Skipped(Skipped::Filtered), |_| Outcome::Resolved);
            return entry(there, outcome);
        }
        if let Some(id) = awaited(context, class_id, name, chunk) {
            context.set_awaited(id, false);
            return entry(Some(id), Outcome::Awaited);
        }
        match self.decide(context, class_id, name, hooks) {
            (Some(there), Mode::UseCurrent) => entry(Some(there), Outcome::Used),
            (Some(there), Mode::Replace) => entry(Some(there), Outcome::Replaced),
            (Some(_), Mode::Rename) => {
                let name = context.secure_name(class_id, name);
                entry(Some(self.create(context, class_id, &name)), Outcome::Renamed)
            }
            _ => entry(Some(self.create(context, class_id, name)), Outcome::Created),
        }
    }

    fn create(&self, context: &mut Context, class_id: u32, name: &[u8]) -> u32 {
        let name = Some(name).filter(|name| !name.is_empty());
        let id = context.create_new(class_id, name);
        if self.load.has(flags::AS_DYNAMIC_OBJECT) {
            context.set_dynamic(id, true);
        }
        id
    }

    /// Whether geometry and animations are kept apart, and this is of the kind that is wanted.
    fn is_wanted(&self, class_id: u32) -> bool {
        let is_animation = class::is_a(class_id, class::ANIMATION)
            || class::is_a(class_id, class::OBJECT_ANIMATION);
        match self.load.flags & flags::DEFAULT {
            flags::ANIMATION => is_animation,
            flags::GEOMETRY => !is_animation,
            _ => true,
        }
    }

    /// The first object with this name that is not of the file itself.
    fn find_other(&mut self, context: &Context, class_id: u32, name: &[u8]) -> Option<u32> {
        let known = self.own.get(&class_id).and_then(|names| names.get(name)).copied();
        let (mut last, mut passed) = (known.unwrap_or_default(), 0_usize);
        let is_own = |id| context.handle(id).is_some_and(|it| it.born > self.started);
        let mut there = None;
        for (when, id) in context.find_after(class_id, name, last) {
            if !is_own(id) {
                there = Some(id);
                break;
            }
            (last, passed) = (when, passed.saturating_add(1));
        }
        if passed > FEW {
            self.own.entry(class_id).or_default().insert(name.into(), last);
        }
        there
    }

    /// The object that has the name already, and what is to become of both.
    fn decide(
        &mut self,
        context: &Context,
        class_id: u32,
        name: &[u8],
        hooks: &mut dyn Hooks,
    ) -> (Option<u32>, Mode) {
        let options = classes::options(class_id);
        if options & NO_NAME_CHECK != 0 || name.is_empty() {
            return (None, Mode::Keep);
        }
        let there = match self.load.compare_own {
            true => context.find(class_id, name),
            false => self.find_other(context, class_id, name),
        };
        let Some(there) = there else { return (None, Mode::Keep) };
        if options & classes::USE_CURRENT != 0 {
            return (Some(there), Mode::UseCurrent);
        }
        if !self.asks {
            return (None, Mode::Keep);
        }
        let duplicate = Duplicate { class_id, name, there };
        let answer = hooks.duplicate(context, duplicate);
        let answer = answer.or_else(|| self.load.modes.of(class_id)).or(self.remembered);
        let mode = answer.or_else(|| {
            let (mode, for_all) = hooks.ask(context, duplicate)?;
            self.remembered = self.remembered.or(for_all.then_some(mode));
            Some(mode)
        });
        (Some(there), mode.unwrap_or(Mode::Keep))
    }
}

/// The object that stands for one of this class, name and, for parameters, type.
fn awaited(context: &Context, class_id: u32, name: &[u8], chunk: &Bytes) -> Option<u32> {
    let mut all = context.awaited(class_id, name).filter(|_| !name.is_empty());
    if !class::is_a(class_id, class::PARAMETER) {
        return all.next();
    }
    all.find(|id| type_of(context, *id).is_some_and(|kind| parameter_type(chunk) == Some(kind)))
}

/// The object that an entry means which is only referred to: a parameter of the same class, name and type, as in engines;
/// anything else of the same class and name, which engines do not look for.
fn reference(context: &Context, class_id: u32, name: &[u8], chunk: &Bytes) -> Option<u32> {
    if !class::is_a(class_id, class::PARAMETER) {
        return context.find(class_id, name).filter(|_| !name.is_empty());
    }
    let wanted = parameter_type(chunk)?;
    context.find_all(class_id, name).find(|id| type_of(context, *id) == Some(wanted))
}

/// The type of a parameter that is there.
fn type_of(context: &Context, id: u32) -> Option<Guid> {
    parameter_type(context.object(id)?.state.as_ref()?.chunk())
}
