//! States of objects, in terms of the objects that there are (`docs/formats/virtools-runtime.md#5-states`).
//!
//! A state is the chunk as it was in its file, with a table of what its references mean there. Values are made of it
//! when they are asked for, and hold ids; when it is saved, its references become those of the new file.

use super::{
    context::Context,
    object::{Handle, Links, SavedState},
};
use crate::{
    chunk::{
        self, Chunk,
        read::ObjRef,
        remap::{self, Unmapped},
    },
    class::{Value, parameter},
    codec::{Saved, read::Reader, relink::Relink},
    file::value::has_no_value,
    refs::ValueReferences,
};
use spelunk_core::{Budget, Bytes, Error, Field, Result, Span, scalar::Guid};
use std::{collections::BTreeMap, sync::Arc};

impl SavedState {
    /// The state as its file held it: positions and ids are those of the file.
    pub const fn chunk(&self) -> &Bytes {
        &self.chunk
    }

    /// A view of it.
    ///
    /// # Errors
    /// When the chunk cannot be read.
    pub fn view(&self) -> Result<Chunk<'_>> {
        Chunk::read(&self.chunk, Span::file(0, self.chunk.len() as u64))
    }

    /// Value of the state, with the references of its file.
    fn value(
        &self,
        empty: Value,
        faults: &mut Vec<Error>,
        budget: &mut Budget,
    ) -> Result<Saved<Value>> {
        let chunk = self.view()?;
        let mut saved = Saved { value: empty, ..Saved::default() };
        Reader::read_into(&mut saved, &chunk, &self.chunk, faults, budget)?;
        Ok(saved)
    }
}

/// The type in the chunk of a parameter.
pub(super) fn parameter_type(chunk: &[u8]) -> Option<Guid> {
    let chunk = Chunk::read(chunk, Span::file(0, chunk.len() as u64)).ok()?;
    chunk::read::Reader::find(chunk, parameter::SECTION)?.guid("type").ok()
}

impl Context {
    /// Value that an object saved, or was given; `None` where there is nothing. References hold ids of this context, in file mode
    /// too: an object that is gone, or that no file held, is null, and missing in lists. Sections that do not fit the layout of
    /// the class are added to `faults`; in them, and in what is not known, positions are those of the file.
    ///
    /// # Errors
    /// Those of [`File::value`](crate::file::File::value).
    pub fn value(
        &self,
        id: u32,
        faults: &mut Vec<Error>,
        budget: &mut Budget,
    ) -> Result<Option<Saved<Value>>> {
        let Some(object) = self.object(id) else { return Ok(None) };
        let Some(state) = &object.state else { return Ok(None) };
        self.value_of(state, Value::of_class(object.class_id), faults, budget).map(Some)
    }

    /// The objects that the known references of an object mean, each with the name of its field, in their order.
    ///
    /// # Errors
    /// Those of [`Context::value`], but chunks without a value have no references.
    pub fn references(&self, id: u32, budget: &mut Budget) -> Result<Vec<(&'static str, u32)>> {
        let Some(object) = self.object(id) else { return Ok(Vec::new()) };
        let Some(state) = &object.state else { return Ok(Vec::new()) };
        let empty = Value::of_class(object.class_id);
        let mut value = match state.value(empty, &mut Vec::new(), budget) {
            Err(error) if has_no_value(&error) => return Ok(Vec::new()),
            value => value?,
        };
        let mut found = ValueReferences::default();
        value.visit(&mut found)?;
        let meant = |(field, reference): (&'static Field, ObjRef)| {
            self.meant(&state.links, reference).map(|handle| (field.name, handle.id))
        };
        Ok(found.all.into_iter().filter_map(meant).collect())
    }

    /// Gives an object another state. The references of `value` hold ids of this context.
    ///
    /// # Errors
    /// Where there is no such object; [`codes::VALUE`](crate::codes::VALUE) where lists do not belong together.
    pub fn set_value(&mut self, id: u32, value: &Saved<Value>) -> Result<()> {
        let object = self.object(id).ok_or_else(not_found)?;
        let mut value = value.clone();
        // What is not known of it goes on to mean what it meant: the table of its file is the start of its own one.
        let mut link = |reference: ObjRef| reference.value();
        let mut relink = Relink::new(&mut link, &|_| true);
        value.visit(&mut relink)?;
        let old = object.state.as_ref().filter(|_| relink.untracked);
        let mut links = Links {
            positions: old.map(|old| old.links.positions.clone()).unwrap_or_default(),
            ids: Vec::new(),
        };
        let mut places = BTreeMap::new();
        let mut link = |reference: ObjRef| {
            let handle = reference.value().and_then(|id| self.handle(id))?;
            let position = *places.entry(handle).or_insert_with(|| {
                links.positions.push(Some(handle));
                position(links.positions.len().saturating_sub(1))
            });
            Some(if matches!(reference, ObjRef::Index(_)) { position } else { handle.id })
        };
        let mut relink = Relink::new(&mut link, &|_| false);
        value.visit(&mut relink)?;
        links.ids = places.into_iter().map(|(handle, position)| (handle.id, position)).collect();
        let chunk = value.write()?.to_bytes()?;
        let state = SavedState { chunk: chunk.into(), links: Arc::new(links) };
        self.set_state(id, Some(state));
        Ok(())
    }

    /// Takes what an object saved away, or gives it a chunk with a table of what its references mean.
    pub(super) fn set_state(&mut self, id: u32, state: Option<SavedState>) {
        self.store.change(id, |object| object.state = state);
    }

    /// The value of a state, as [`Context::value`] gives it. `empty` is an empty value of its class.
    ///
    /// # Errors
    /// Those of [`Context::value`].
    pub fn value_of(
        &self,
        state: &SavedState,
        empty: Value,
        faults: &mut Vec<Error>,
        budget: &mut Budget,
    ) -> Result<Saved<Value>> {
        let mut value = state.value(empty, faults, budget)?;
        self.to_ids(&mut value, &state.links)?;
        Ok(value)
    }

    /// The object that a reference of a file means.
    pub(super) fn meant(&self, links: &Links, reference: ObjRef) -> Option<Handle> {
        let handle = match reference {
            ObjRef::Null => None,
            ObjRef::Index(position) => links.at(position),
            ObjRef::Id(id) => links.of_id(id),
        };
        handle.filter(|handle| self.is_alive(*handle))
    }

    fn to_ids(&self, value: &mut Saved<Value>, links: &Links) -> Result<()> {
        let mut link = |reference| self.meant(links, reference).map(|handle| handle.id);
        let mut relink = Relink::new(&mut link, &|_| false);
        value.visit(&mut relink)
    }
}

/// Positions of the objects of a new file.
#[derive(Debug)]
pub(super) struct Positions<'c> {
    context: &'c Context,
    /// By ids; `u32::MAX` where an object is not saved.
    by_id: Vec<u32>,
    /// Results for tables, by their places in memory; they are kept by the objects that have them.
    known: BTreeMap<*const Links, Same>,
}

/// Parts that are the same in a new file.
#[derive(Clone, Copy, Debug)]
struct Same {
    positions: bool,
    ids: bool,
}

/// A chunk for a new file.
#[derive(Debug)]
pub(super) struct Relinked {
    pub(super) chunk: Bytes,
    /// Whether it may hold positions of which nothing is known, and that mean something else now.
    pub(super) untracked: bool,
}

impl<'c> Positions<'c> {
    /// Positions in a file that holds these objects in this order.
    pub(super) fn new(
        context: &'c Context,
        ids: &[u32],
        budget: &mut Budget,
    ) -> Result<Positions<'c>> {
        let largest = ids.iter().max().map_or(0, |id| u64::from(*id)).saturating_add(1);
        let mut by_id = budget.vec(largest)?;
        by_id.resize(usize::try_from(largest).unwrap_or(usize::MAX), u32::MAX);
        for (id, position) in ids.iter().zip(0..) {
            if let Some(slot) = by_id.get_mut(*id as usize) {
                *slot = position;
            }
        }
        Ok(Positions { context, by_id, known: BTreeMap::new() })
    }

    fn of(&self, handle: Handle) -> Option<u32> {
        let position = self.by_id.get(handle.id as usize).copied()?;
        (position != u32::MAX && self.context.is_alive(handle)).then_some(position)
    }

    fn same(&mut self, links: &Links) -> Same {
        if let Some(same) = self.known.get(&std::ptr::from_ref(links)) {
            return *same;
        }
        let of = |handle: &Option<Handle>| handle.and_then(|handle| self.of(handle));
        let kept = |id: u32| links.of_id(id).is_some_and(|it| it.id == id && self.of(it).is_some());
        let same = Same {
            positions: links.positions.iter().zip(0..).all(|(it, at)| of(it) == Some(at)),
            ids: links.ids.iter().all(|(id, _)| kept(*id)),
        };
        self.known.insert(links, same);
        same
    }

    /// A state as the new file holds it. `empty` is an empty value of its class.
    ///
    /// # Errors
    /// Limits, and what cannot be written.
    pub(super) fn relink(
        &mut self,
        state: &SavedState,
        empty: Value,
        budget: &mut Budget,
    ) -> Result<Relinked> {
        let same = self.same(&state.links);
        let sound = Relinked { chunk: state.chunk.clone(), untracked: false };
        if state.chunk.is_empty() || same.positions && same.ids {
            return Ok(sound);
        }
        let (context, links) = (self.context, &*state.links);
        if same.positions || state.links.positions.is_empty() {
            // Ids are in lists, so nothing else has to be known.
            let new = |id| links.of_id(id).filter(|it| self.of(*it).is_some()).map(|it| it.id);
            let view = match state.view() {
                Err(error) if has_no_value(&error) => return Ok(sound),
                view => view?,
            };
            let changed = remap::objects(&view, &state.chunk, &new, Unmapped::Null, budget)?;
            let chunk = changed.map_or(sound.chunk, Bytes::from);
            return Ok(Relinked { chunk, untracked: false });
        }
        // A dword that may be a position: of which object, and is that one elsewhere now?
        let concerns = |word: u32| {
            let handle = links.at(word);
            handle.map_or((word as usize) < links.positions.len(), |handle| {
                self.of(handle) != Some(word)
            })
        };
        let mut value = match state.value(empty, &mut Vec::new(), budget) {
            Err(error) if has_no_value(&error) => {
                let any = |view: Chunk<'_>| {
                    view.file_mode && view.data.iter().any(|word| concerns(word.get()))
                };
                let untracked = state.view().is_ok_and(any);
                return Ok(Relinked { untracked, ..sound });
            }
            value => value?,
        };
        let same_bytes = value.write()?.to_bytes()? == *state.chunk;
        let mut link = |reference| {
            let handle = context.meant(links, reference)?;
            let position = self.of(handle)?;
            Some(if matches!(reference, ObjRef::Index(_)) { position } else { handle.id })
        };
        let mut relink = Relink::new(&mut link, &concerns);
        value.visit(&mut relink)?;
        let untracked = relink.untracked || !same_bytes;
        if !same_bytes {
            return Ok(Relinked { untracked, ..sound });
        }
        Ok(Relinked { chunk: value.write()?.to_bytes()?.into(), untracked })
    }
}

fn position(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

fn not_found() -> Error {
    Error::new(&spelunk_core::codes::NOT_FOUND)
}
