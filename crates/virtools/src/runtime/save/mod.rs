//! Saving: objects of a context become a file (`docs/formats/virtools-runtime.md#8-saving`).

mod end;
mod needs;
#[cfg(feature = "fs")]
mod originals;
mod plugins;

pub use crate::file::form::FileForm;

use super::{
    Hooks,
    context::{Activity, Context},
    flags as object_flags,
    hooks::Message,
    load::Attempt,
    state::parameter_type,
};
use crate::{
    class,
    file::{
        File,
        included::{Included, file_name},
    },
};
use needs::{Need, Needs};
#[cfg(feature = "fs")]
use spelunk_core::replace::{Existing, Replacement};
use spelunk_core::{Bytes, Result, Task, WriteOptions};
use std::{
    collections::{BTreeSet, HashMap},
    io::Write,
};

/// Options of a saved file.
#[derive(Clone, Debug, Default)]
pub struct Save {
    /// The words of the file about the program that wrote it, and how it is packed; `None` for those of Virtools
    /// 2.1.0.14, packed.
    pub form: Option<FileForm>,
    /// Treatment of the objects that the saved ones need.
    pub depth: Depth,
    /// Whether the entities below an entity belong to what it needs.
    pub children: bool,
    /// Whether objects are saved whose chunks may hold references of which nothing is known, and which would mean other
    /// objects in the new file. Each is reported. What managers hold is saved in any case, and reported too.
    pub lossy: bool,
}

/// Treatment of objects that others need when those are saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Depth {
    /// The needed objects are saved before them.
    #[default]
    All,
    /// Objects that loaders look up are only referred to, for a program that has them already: a parameter that no other of its
    /// class has both name and type in common with. All else is saved before them.
    References,
    /// Nothing: what is not saved on its own is null.
    Given,
}

/// Destination of a saved file.
#[derive(Default)]
pub enum SaveTarget<'t> {
    /// Nowhere: [`Ended::file`] is all that is wanted.
    #[default]
    Model,
    /// Into something. It may hold a part of the file when saving fails.
    Writer(&'t mut dyn Write),
    /// Into a file, which is replaced when all is written, and stays as it was when saving fails.
    #[cfg(feature = "fs")]
    Path(&'t std::path::Path),
}

impl std::fmt::Debug for SaveTarget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Target")
    }
}

/// A file that was saved.
#[derive(Debug)]
pub struct Ended {
    /// The file.
    pub file: File,
    /// The objects that it holds, in the order of its table.
    pub objects: Vec<u32>,
    /// Objects that the file only refers to.
    pub references: Vec<u32>,
    /// Objects to which the file could only refer, and that no loader would find: references to them are null.
    pub lost: Vec<u32>,
}

/// An object that is to be saved.
#[derive(Clone, Copy, Debug)]
struct SaveEntry {
    id: u32,
    /// Whether the file only refers to it.
    is_reference: bool,
}

/// A saving that goes on. Dropped before its [end](Saving::end) it has not happened.
pub struct Saving<'c, 't> {
    attempt: Attempt<'c>,
    save: Save,
    out: SaveOutput<'t>,
    hooks: &'c mut dyn Hooks,
    entries: Vec<SaveEntry>,
    /// Entries by the ids of their objects.
    by_id: HashMap<u32, usize>,
    needs: Needs,
    /// Objects that are null because the file could only refer to them, and no loader would find them.
    lost: BTreeSet<u32>,
    included: Vec<Included>,
    rest: Bytes,
}

/// Destination of the file, once that was tried.
pub(super) enum SaveOutput<'t> {
    Model,
    Writer(&'t mut dyn Write),
    #[cfg(feature = "fs")]
    File(Box<Replacement>),
}

impl<'t> SaveOutput<'t> {
    /// Tries a target.
    pub(super) fn begin(target: SaveTarget<'t>) -> Result<SaveOutput<'t>> {
        Ok(match target {
            SaveTarget::Model => SaveOutput::Model,
            SaveTarget::Writer(out) => SaveOutput::Writer(out),
            #[cfg(feature = "fs")]
            SaveTarget::Path(path) => {
                SaveOutput::File(Box::new(Replacement::follow(path, Existing::Replace)?))
            }
        })
    }

    /// Writes a file there.
    pub(super) fn write(self, file: &File, task: &mut Task<'_>) -> Result<()> {
        let options = WriteOptions::default();
        match self {
            SaveOutput::Model => Ok(()),
            SaveOutput::Writer(out) => {
                file.write(out, &options, task)?;
                Ok(out.flush()?)
            }
            #[cfg(feature = "fs")]
            SaveOutput::File(mut out) => {
                file.write(&mut *out, &options, task)?;
                out.commit().map(drop)
            }
        }
    }
}

impl std::fmt::Debug for Saving<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Saving").field("entries", &self.entries).finish_non_exhaustive()
    }
}

impl Context {
    /// Begins to save: the target is tried, managers and behaviours are notified.
    ///
    /// # Errors
    /// [`BUSY`](crate::codes::BUSY); where the target cannot be written; what managers and hooks return.
    pub fn start_save<'c, 't>(
        &'c mut self,
        save: Save,
        target: SaveTarget<'t>,
        hooks: &'c mut dyn Hooks,
    ) -> Result<Saving<'c, 't>> {
        let attempt = Attempt::begin(self, Activity::Saving)?;
        let mut managers = std::mem::take(&mut attempt.context.rest.managers);
        let notified = managers.iter_mut().try_for_each(|it| it.pre_save(attempt.context));
        attempt.context.rest.managers = managers;
        notified?;
        let out = SaveOutput::begin(target)?;
        let mut saving = Saving {
            attempt,
            save,
            out,
            hooks,
            entries: Vec::new(),
            by_id: HashMap::new(),
            needs: Needs::default(),
            lost: BTreeSet::new(),
            included: Vec::new(),
            rest: Bytes::new(),
        };
        saving.notify_behaviors(Message::PreSave)?;
        Ok(saving)
    }

    /// Saves objects: all in one.
    ///
    /// # Errors
    /// Those of [`Context::start_save`] and [`Saving::end`].
    pub fn save(
        &mut self,
        ids: impl IntoIterator<Item = u32>,
        save: Save,
        target: SaveTarget<'_>,
        hooks: &mut dyn Hooks,
        task: &mut Task<'_>,
    ) -> Result<Ended> {
        let mut saving = self.start_save(save, target, hooks)?;
        saving.objects(ids, task)?;
        saving.end(task)
    }
}

impl Saving<'_, '_> {
    /// The context.
    pub const fn context(&self) -> &Context {
        self.attempt.context
    }

    /// Has an object be saved with all that it needs, which stands before it; after it where it is a level. Dynamic
    /// objects and those that are not to be saved are passed over; returns whether it is one of the others.
    ///
    /// # Errors
    /// Limits, and chunks that cannot be read.
    pub fn object(&mut self, id: u32, task: &mut Task<'_>) -> Result<bool> {
        let mut work = vec![SaveStep::Enter(id)];
        while let Some(step) = work.pop() {
            task.budget.steps(1)?;
            match step {
                SaveStep::Enter(id) if !self.is_new(id) => {}
                SaveStep::Enter(id) => {
                    let class_id = self.context().object(id).map_or(0, super::Object::class_id);
                    if self.context().object(id).is_some_and(super::Object::is_reference) {
                        self.add(id, true);
                        continue;
                    }
                    let after = class::is_a(class_id, class::LEVEL);
                    match after {
                        true => self.add(id, false),
                        // Until its needs are there nobody else has to see to it.
                        false => {
                            self.needs.begin(id);
                            work.push(SaveStep::Add(id));
                        }
                    }
                    if self.save.depth == Depth::Given {
                        continue;
                    }
                    let children = self.save.children;
                    let needed =
                        self.needs.of(self.attempt.context, id, children, &mut task.budget)?;
                    for (other, need) in needed.into_iter().rev() {
                        match (need, self.save.depth) {
                            (Need::Whole, Depth::References) if self.can_be_found(other) => {
                                work.push(SaveStep::Refer(other));
                            }
                            (Need::Whole, _) => work.push(SaveStep::Enter(other)),
                            _ => work.push(SaveStep::Refer(other)),
                        }
                    }
                }
                SaveStep::Refer(id) if self.can_be_found(id) => self.reference(id),
                SaveStep::Refer(id) => drop(self.lost.insert(id)),
                SaveStep::Add(id) => self.add(id, false),
            }
        }
        Ok(self.by_id.contains_key(&id))
    }

    /// Has objects be saved, as [`Saving::object`] does.
    ///
    /// # Errors
    /// Those of [`Saving::object`].
    pub fn objects(
        &mut self,
        ids: impl IntoIterator<Item = u32>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        ids.into_iter().try_for_each(|id| self.object(id, task).map(drop))
    }

    /// Whether a loader finds the object by a reference-only entry: a parameter with a name that no other of its class
    /// and type has.
    fn can_be_found(&self, id: u32) -> bool {
        let context = self.context();
        let Some(object) = context.object(id) else { return false };
        let Some(name) = object.name().filter(|name| !name.is_empty()) else { return false };
        if !class::is_a(object.class_id(), class::PARAMETER) {
            return false;
        }
        let type_of = |id: u32| parameter_type(context.object(id)?.state.as_ref()?.chunk());
        let wanted = type_of(id);
        let mut same =
            context.find_all(object.class_id(), name).filter(|it| type_of(*it) == wanted);
        wanted.is_some() && same.next() == Some(id) && same.next().is_none()
    }

    /// Has the file refer to an object, unless it is saved too. Loaders look up parameters alone; a reference to anything
    /// else is for [`join`](super::join) and programs of one's own.
    pub fn reference(&mut self, id: u32) {
        if !self.by_id.contains_key(&id) && self.is_saved(id) {
            self.add(id, true);
        }
    }

    /// Has the file hold another file.
    ///
    /// # Errors
    /// Where the name behind its last `\` or `/` has not 1 to 511 bytes, which is what engines read.
    pub fn include(&mut self, name: &[u8], content: Bytes) -> Result<()> {
        let name = Bytes::copy_from_slice(name);
        self.include_record(&Included { at: 0, name, content, counted: true })
    }

    /// Has the file hold a file that another one holds, counted where it is counted there.
    ///
    /// # Errors
    /// As [`Saving::include`].
    pub(super) fn include_record(&mut self, file: &Included) -> Result<()> {
        let name = file_name(&file.name);
        Included::check_name(name)?;
        spelunk_core::scalar::fit::<u32>(file.content.len() as u64, "file_size")?;
        self.included.push(Included { name: file.name.slice_ref(name), ..file.clone() });
        Ok(())
    }

    /// Whether an object that is to be saved holds a name as a text, in whatever case.
    pub(super) fn mentions(&self, name: &[u8], task: &mut Task<'_>) -> Result<bool> {
        for entry in self.entries.iter().filter(|entry| !entry.is_reference) {
            let state = self.context().object(entry.id).and_then(|object| object.state.as_ref());
            let Some(chunk) = state.map(super::SavedState::chunk) else { continue };
            task.budget.touch(chunk.len() as u64)?;
            if chunk.windows(name.len().max(1)).any(|part| part.eq_ignore_ascii_case(name)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Has the file end in bytes that nothing explains.
    pub(super) fn carry(&mut self, rest: Bytes) {
        self.rest = rest;
    }

    /// Whether nothing was decided of an object yet but, perhaps, that the file refers to it.
    fn is_new(&self, id: u32) -> bool {
        let entry = self.by_id.get(&id).and_then(|at| self.entries.get(*at));
        let known = entry.is_some_and(|entry| !entry.is_reference) || self.needs.has_begun(id);
        !known && self.is_saved(id)
    }

    /// Whether files may hold it.
    fn is_saved(&self, id: u32) -> bool {
        let object = self.context().object(id);
        object.is_some_and(|it| !it.is_dynamic() && it.flags() & object_flags::NOT_TO_BE_SAVED == 0)
    }

    /// Adds an entry. One that was a reference stays where it is.
    fn add(&mut self, id: u32, is_reference: bool) {
        match self.by_id.get(&id).and_then(|at| self.entries.get_mut(*at)) {
            Some(entry) => entry.is_reference &= is_reference,
            None => {
                self.by_id.insert(id, self.entries.len());
                self.entries.push(SaveEntry { id, is_reference });
            }
        }
    }

    fn notify_behaviors(&mut self, message: Message) -> Result<()> {
        let behaviors: Vec<u32> = self.context().of_family(class::BEHAVIOR).collect();
        behaviors
            .into_iter()
            .try_for_each(|id| self.hooks.message(self.attempt.context, message, id))
    }
}

/// Step that is still to be taken for an object that is saved.
enum SaveStep {
    /// The needs of the object come first.
    Enter(u32),
    /// The needs of the object are met.
    Add(u32),
    /// The file refers to it.
    Refer(u32),
}
