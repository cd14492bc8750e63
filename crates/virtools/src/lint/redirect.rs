//! Objects in the places of others that are equal.

use crate::{
    chunk::{buffer::ChunkBuf, read::ObjRef},
    codec::{Array, Reference, visit::Refs},
    file::File,
};
use spelunk_core::{Field, Result};
use std::collections::{BTreeMap, BTreeSet};
use zerocopy::little_endian::U32;

/// Lets values refer to other objects.
pub(super) struct Redirect<'p> {
    places: &'p BTreeMap<u32, u32>,
    /// The same by ids.
    ids: BTreeMap<u32, u32>,
    pub(super) changed: bool,
    /// Whether something refers to such an object in a way that cannot be followed.
    pub(super) untracked: bool,
}

impl<'p> Redirect<'p> {
    pub(super) fn of(file: &File, places: &'p BTreeMap<u32, u32>) -> Redirect<'p> {
        let id = |index: u32| {
            file.table().objects.get(index as usize).map(|object| object.id.unsigned_abs())
        };
        let ids = places.iter().filter_map(|(from, to)| Some((id(*from)?, id(*to)?))).collect();
        Redirect { places, ids, changed: false, untracked: false }
    }

    /// Begins with another value.
    pub(super) const fn begin(&mut self) {
        (self.changed, self.untracked) = (false, false);
    }

    fn map(&self, value: u32, file_mode: bool) -> Option<u32> {
        match ObjRef::of(value, file_mode) {
            ObjRef::Null => None,
            ObjRef::Index(index) => self.places.get(&index).copied(),
            ObjRef::Id(id) => self.ids.get(&id).copied(),
        }
    }
}

impl Refs for Redirect<'_> {
    fn object(&mut self, _: &'static Field, file_mode: bool, value: &mut Reference) -> Result<()> {
        if let Some(new) = self.map(value.value, file_mode) {
            value.value = new;
            self.changed = true;
        }
        Ok(())
    }

    fn objects(
        &mut self,
        _: &'static Field,
        file_mode: bool,
        values: &mut Array<U32>,
        _: bool,
    ) -> Result<()> {
        if values.iter().all(|value| self.map(value.get(), file_mode).is_none()) {
            return Ok(());
        }
        // A list that has the other one already loses this one when it is removed.
        let mut present: BTreeSet<u32> = values.iter().map(|value| value.get()).collect();
        for value in values.to_mut() {
            if let Some(new) = self.map(value.get(), file_mode)
                && present.insert(new)
            {
                value.set(new);
                self.changed = true;
            }
        }
        Ok(())
    }

    fn opaque(&mut self, chunk: &mut ChunkBuf) -> Result<()> {
        let known = |word: &U32| self.places.contains_key(&word.get());
        self.untracked |= chunk.header.file_mode && chunk.data.iter().any(known);
        self.changed |= chunk.replace_ids(|id| self.ids.get(&id).copied())? > 0;
        Ok(())
    }
}
