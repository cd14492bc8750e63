//! The file is made of what is to be saved, and written.

use super::{Ended, FileForm, SaveEntry, SaveOutput, Saving, plugins};
use crate::{
    chunk::{Chunk, buffer::Header, build::Builder, prototype, read::Reader, viewer},
    class::{self, Value, behavior},
    codec::Opaque,
    codes,
    file::{
        File,
        header::FOR_VIEWER,
        new::{FileParts, NewObject},
    },
    runtime::{
        flags as object_flags,
        hooks::Message,
        object::SavedState,
        state::{Positions, parameter_type},
    },
};
use spelunk_core::{Bytes, Error, Result, Seg, Span, Task, scalar::Guid};
use std::ops::ControlFlow;

impl Saving<'_, '_> {
    /// Makes the file of what is to be saved, and writes it. When it fails, or a hook or a manager panics, the context is as
    /// it was before it was begun, and so is a file that was to be replaced.
    ///
    /// # Errors
    /// [`codes::UNTRACKED`] for an object that cannot be followed, unless that is wanted; [`codes::CANCELLED`]; what managers
    /// and hooks return; limits and writing errors.
    pub fn end(mut self, task: &mut Task<'_>) -> Result<Ended> {
        #[cfg(feature = "fs")]
        self.include_originals(task)?;
        let marked = self.mark_references();
        self.ask_for_interfaces(task)?;
        let ids: Vec<u32> = self.entries.iter().map(|entry| entry.id).collect();
        let objects = self.save_objects(&ids, task)?;
        self.notify_behaviors(Message::PostSave)?;
        let managers = self.save_managers(&ids, task)?;
        let saved = self.entries.iter().filter(|entry| !entry.is_reference).map(|it| it.id);
        let groups = plugins::groups(self.attempt.context, &saved.collect(), task)?;
        let form = self.save.form.unwrap_or_else(|| FileForm::of(&File::new()));
        let included = std::mem::take(&mut self.included);
        let rest = std::mem::take(&mut self.rest);
        let parts = FileParts { form, managers, objects, groups, included, rest };
        let file = File::of_parts(parts, &mut task.budget)?;
        std::mem::replace(&mut self.out, SaveOutput::Model).write(&file, task)?;
        for id in marked {
            self.attempt.context.change_flags(id, 0, object_flags::ONLY_FOR_FILE_REFERENCE);
        }
        let context = &mut *self.attempt.context;
        let mut managers = std::mem::take(&mut context.rest.managers);
        let notified = managers.iter_mut().try_for_each(|manager| manager.post_save(context));
        context.rest.managers = managers;
        let references = self.entries.iter().filter(|entry| entry.is_reference);
        let references = references.map(|entry| entry.id).collect();
        let lost = self.lost.iter().copied().filter(|id| !self.by_id.contains_key(id)).collect();
        self.attempt.succeed();
        notified?;
        Ok(Ended { file, objects: ids, references, lost })
    }

    /// Marks what the file only refers to for as long as it is written; gives what was not marked before.
    fn mark_references(&mut self) -> Vec<u32> {
        let flag = object_flags::ONLY_FOR_FILE_REFERENCE;
        let context = &mut *self.attempt.context;
        let all = self.entries.iter().filter(|entry| entry.is_reference).map(|entry| entry.id);
        let new = all.filter(|id| context.object(*id).is_some_and(|it| !it.is_reference()));
        let new: Vec<u32> = new.collect();
        for id in &new {
            context.change_flags(*id, flag, 0);
        }
        new
    }

    /// Asks for what the editor shows of scripts that have nothing about it. Files for viewers hold none of that.
    fn ask_for_interfaces(&mut self, task: &mut Task<'_>) -> Result<()> {
        if self.save.form.is_some_and(|form| form.write_mode & FOR_VIEWER != 0) {
            return Ok(());
        }
        let whole = self.entries.iter().filter(|entry| !entry.is_reference).map(|entry| entry.id);
        let scripts: Vec<u32> = whole.filter(|id| self.is_bare_script(*id)).collect();
        for id in scripts {
            let Some(chunk) = self.hooks.interface_chunk(self.attempt.context, id)? else {
                continue;
            };
            let value = self.attempt.context.value(id, &mut Vec::new(), &mut task.budget)?;
            let Some(mut value) = value else { continue };
            if let Value::Behavior(behavior) = &mut value.value {
                behavior.interface = Some(Some(Opaque::from(chunk)));
                self.attempt.context.set_value(id, &value)?;
            }
        }
        Ok(())
    }

    /// Whether an object is a script without what the editor shows of it.
    fn is_bare_script(&self, id: u32) -> bool {
        let object = self.context().object(id);
        let object = object.filter(|object| object.class_id() == class::BEHAVIOR);
        let state = object.and_then(|object| object.state.as_ref());
        let Some(Ok(chunk)) = state.map(SavedState::view) else { return false };
        let flags = prototype::flags(&chunk).unwrap_or(0);
        flags & behavior::flags::SCRIPT != 0 && Reader::find(chunk, viewer::INTERFACE).is_none()
    }

    /// The entries of the object table with their chunks.
    fn save_objects(&mut self, ids: &[u32], task: &mut Task<'_>) -> Result<Vec<NewObject>> {
        let total = ids.len() as u64;
        let mut objects = task.budget.vec(total)?;
        let mut positions = Positions::new(self.attempt.context, ids, &mut task.budget)?;
        let viewer = self.save.form.is_some_and(|form| form.write_mode & FOR_VIEWER != 0);
        for (entry, index) in self.entries.iter().zip(0_u64..) {
            let object = self.attempt.context.object(entry.id).ok_or_else(not_found)?;
            let state = object.state.as_ref();
            let chunk = match state {
                None => Bytes::new(),
                Some(state) if entry.is_reference => reference_chunk(object.class_id(), state)?,
                Some(state) => {
                    let empty = Value::of_class(object.class_id());
                    let before = task.budget.left().memory;
                    let relinked = positions.relink(state, empty, &mut task.budget)?;
                    let chunk = relinked.chunk;
                    task.budget.release(before.saturating_sub(task.budget.left().memory));
                    if relinked.untracked {
                        self.untracked(index, task)?;
                    }
                    match viewer && object.class_id() == class::BEHAVIOR {
                        true => for_viewer(chunk, task)?,
                        false => chunk,
                    }
                }
            };
            objects.push(NewObject {
                id: saved_id(entry),
                class_id: object.class_id(),
                name: object.name.clone(),
                chunk,
            });
            if self.hooks.progress(index, total) == ControlFlow::Break(()) {
                let found = format!("{index} of {total} objects");
                return Err(Error::new(&codes::CANCELLED).found(found));
            }
        }
        Ok(objects)
    }

    fn untracked(&self, index: u64, task: &mut Task<'_>) -> Result<()> {
        let error = Error::new(&codes::UNTRACKED).within(Seg::Index(index)).field("objects");
        if self.save.lossy { task.warn(error) } else { Err(error) }
    }

    /// States of the managers for the file.
    fn save_managers(&mut self, ids: &[u32], task: &mut Task<'_>) -> Result<Vec<(Guid, Bytes)>> {
        let context = &mut *self.attempt.context;
        let mut managers = std::mem::take(&mut context.rest.managers);
        let mut data = Vec::new();
        let saved = managers.iter_mut().try_for_each(|manager| -> Result<()> {
            data.extend(manager.save_data(context)?.map(|state| (manager.guid(), state)));
            Ok(())
        });
        context.rest.managers = managers;
        saved?;
        let mut positions = Positions::new(context, ids, &mut task.budget)?;
        let mut chunks = Vec::new();
        for ((guid, state), index) in data.into_iter().zip(0_u64..) {
            // Variables of the authoring tool are names and numbers, and none of them an object.
            if guid == crate::chunk::variables::MANAGER {
                chunks.push((guid, state.chunk));
                continue;
            }
            let relinked = positions.relink(&state, Value::of_manager(guid), &mut task.budget)?;
            // Settings are numbers too, and few of them objects.
            if relinked.untracked {
                let error = Error::new(&codes::UNTRACKED);
                task.warn(error.within(Seg::Index(index)).field("managers"))?;
            }
            chunks.push((guid, relinked.chunk));
        }
        Ok(chunks)
    }
}

/// A chunk without what only the editor shows.
fn for_viewer(chunk: Bytes, task: &mut Task<'_>) -> Result<Bytes> {
    let view = Chunk::read(&chunk, Span::file(0, chunk.len() as u64))?;
    let without = viewer::without_interface(&view, &mut task.budget)?;
    without.map_or(Ok(chunk.clone()), |without| Ok(without.to_bytes()?.into()))
}

/// The id of an entry as it is stored: that of what the file only refers to has its sign bit set.
fn saved_id(entry: &SaveEntry) -> i32 {
    const SIGN: u32 = 0x8000_0000;
    let sign = if entry.is_reference { SIGN } else { 0 };
    (entry.id | sign).cast_signed()
}

/// The chunk of what the file only refers to: the type of a parameter, by which engines find it; nothing of others.
fn reference_chunk(class_id: u32, state: &SavedState) -> Result<Bytes> {
    if !class::is_a(class_id, class::PARAMETER) {
        return Ok(Bytes::new());
    }
    let Some(guid) = parameter_type(&state.chunk) else { return Ok(Bytes::new()) };
    let mut builder = Builder::new(Header::object(class_id));
    builder.identifier(class::parameter::SECTION)?;
    builder.guid(guid)?;
    Ok(builder.finish().to_bytes()?.into())
}

/// Nothing is there.
fn not_found() -> Error {
    Error::new(&spelunk_core::codes::NOT_FOUND)
}
