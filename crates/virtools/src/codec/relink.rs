//! Sending the references of values elsewhere.

use super::{Array, Reference, visit::Refs};
use crate::chunk::{buffer::ChunkBuf, read::ObjRef};
use spelunk_core::{Field, Result};
use std::cell::RefCell;
use zerocopy::little_endian::U32;

/// Sends the references of a value elsewhere.
pub(crate) struct Relink<'a> {
    /// New value of a reference that is not null; `None` where its target is not there, so that it becomes null, or missing in a
    /// list whose items stand for themselves.
    link: &'a mut dyn FnMut(ObjRef) -> Option<u32>,
    /// Whether a dword of which nothing is known may be a position that means something else afterwards.
    concerns: &'a dyn Fn(u32) -> bool,
    /// Whether there was such a one.
    pub(crate) untracked: bool,
    /// Whether any reference is another one now.
    pub(crate) changed: bool,
    /// References to what is not there.
    pub(crate) gone: u64,
}

impl<'a> Relink<'a> {
    /// Begins with nothing changed.
    pub(crate) const fn new(
        link: &'a mut dyn FnMut(ObjRef) -> Option<u32>,
        concerns: &'a dyn Fn(u32) -> bool,
    ) -> Relink<'a> {
        Relink { link, concerns, untracked: false, changed: false, gone: 0 }
    }

    /// New value of a reference; itself where it is null.
    fn map(&mut self, value: u32, file_mode: bool) -> Option<u32> {
        let reference = ObjRef::of(value, file_mode);
        if reference == ObjRef::Null {
            return Some(value);
        }
        let new = (self.link)(reference);
        self.gone = self.gone.saturating_add(new.is_none().into());
        new
    }
}

impl Refs for Relink<'_> {
    fn object(&mut self, _: &'static Field, file_mode: bool, value: &mut Reference) -> Result<()> {
        let null = Reference::null(file_mode).value;
        let new = self.map(value.value, file_mode).unwrap_or(null);
        if new != value.value {
            // An id that is gone stays listed, as engines leave it.
            *value = Reference { value: new, listed: !file_mode };
            self.changed = true;
        }
        Ok(())
    }

    fn objects(
        &mut self,
        _: &'static Field,
        file_mode: bool,
        values: &mut Array<U32>,
        parallel: bool,
    ) -> Result<()> {
        let null = parallel.then_some(Reference::null(file_mode).value);
        let mut new = Vec::with_capacity(values.len());
        for value in values.iter() {
            new.extend(self.map(value.get(), file_mode).or(null).map(U32::new));
        }
        if new != **values {
            *values = new.into();
            self.changed = true;
        }
        Ok(())
    }

    /// Ids are found by the lists. Any dword of a chunk in file mode may be a position.
    fn opaque(&mut self, chunk: &mut ChunkBuf) -> Result<()> {
        if chunk.header.file_mode && chunk.data.iter().any(|word| (self.concerns)(word.get())) {
            self.untracked = true;
        }
        let this = RefCell::new(self);
        let changed = chunk.replace_ids(|id| {
            let new = this.borrow_mut().map(id, false).unwrap_or(0);
            (new != id).then_some(new)
        })?;
        this.into_inner().changed |= changed > 0;
        Ok(())
    }
}
