//! The references of values.

use super::{
    Array, Codec, Coded, DwordValue, Layout, ManagerInt, ManagerInts, Opaque, Padded, Pod,
    Reference, Saved, Text,
};
use crate::chunk::buffer::{ChunkBuf, Header};
use spelunk_core::{Error, Field, Record, Result, field::Described};
use zerocopy::little_endian::U32;

/// Sees what a value refers to, and may change it.
pub trait Refs {
    /// A reference. `file_mode` says whether it is a position in the object table or a raw id.
    ///
    /// # Errors
    /// Any, to end the visit.
    fn object(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        value: &mut Reference,
    ) -> Result<()>;

    /// References of a list. Its length may change unless each belongs to an item of another list, which makes
    /// them `parallel`.
    ///
    /// # Errors
    /// Any, to end the visit.
    fn objects(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        value: &mut Array<U32>,
        parallel: bool,
    ) -> Result<()>;

    /// A number of a manager.
    ///
    /// # Errors
    /// Any, to end the visit.
    fn manager_int(&mut self, manager: [u32; 2], value: &mut u32) -> Result<()> {
        let _ = (manager, value);
        Ok(())
    }

    /// A chunk, or a part of one, of which only the entries of its lists are known.
    ///
    /// # Errors
    /// Any, to end the visit.
    fn opaque(&mut self, chunk: &mut ChunkBuf) -> Result<()> {
        let _ = chunk;
        Ok(())
    }

    /// A sub-chunk that `begins`, or ends: what is seen in between is in it.
    fn sub_chunk(&mut self, begins: bool) {
        let _ = begins;
    }

    /// Reads, writes or shows the dwords behind the known fields of a section, of which only the entries of lists are known.
    ///
    /// # Errors
    /// Any, to end the visit.
    fn rest(&mut self, content: &mut ChunkBuf) -> Result<()> {
        self.opaque(content)
    }
}

/// Shows the references of a value.
pub struct Visitor<'v> {
    header: Header,
    refs: &'v mut dyn Refs,
}

impl std::fmt::Debug for Visitor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visitor").finish_non_exhaustive()
    }
}

impl<T: Layout> Saved<T> {
    /// Shows what the value, with all its sub-chunks, refers to.
    ///
    /// # Errors
    /// What `refs` gives.
    pub fn visit(&mut self, refs: &mut dyn Refs) -> Result<()> {
        let mut visitor = Visitor { header: self.header, refs };
        self.value.layout(&mut visitor)?;
        let Some(extras) = &mut self.extras else { return Ok(()) };
        extras.rests.iter_mut().try_for_each(|rest| refs.rest(&mut rest.content))?;
        extras.unknown.iter_mut().try_for_each(|section| refs.opaque(&mut section.content))
    }
}

impl Codec for Visitor<'_> {
    type Stop = Error;

    fn header(&self) -> &Header {
        &self.header
    }

    fn section<T: Default>(
        &mut self,
        _: u32,
        record: &'static Record,
        value: &mut Option<T>,
        mut inside: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let Some(value) = value else { return Ok(()) };
        inside(self, value).map_err(|error| error.field(record.name))
    }

    fn flag(&mut self, _: u32, _: &'static Field, _: &mut bool) -> Coded<Self> {
        Ok(())
    }

    fn item<T: DwordValue>(&mut self, _: &'static Field, _: &mut T) -> Coded<Self> {
        Ok(())
    }

    fn count(&mut self, _: &'static Field, len: usize) -> Result<usize> {
        Ok(len)
    }

    fn record<T: Described + Pod>(&mut self, _: &mut T) -> Coded<Self> {
        Ok(())
    }

    fn array<T: Pod>(&mut self, _: &'static Field, _: usize, _: &mut Array<T>) -> Coded<Self> {
        Ok(())
    }

    fn records<T: Described + Pod>(
        &mut self,
        _: &'static str,
        _: usize,
        _: &mut Array<T>,
    ) -> Coded<Self> {
        Ok(())
    }

    fn padded<T: Pod>(&mut self, _: &'static Field, _: usize, _: &mut Padded<T>) -> Coded<Self> {
        Ok(())
    }

    fn buffer<T: Pod>(&mut self, _: &'static Field, _: &mut Padded<T>) -> Coded<Self> {
        Ok(())
    }

    fn text(&mut self, _: &'static Field, _: &mut Text) -> Coded<Self> {
        Ok(())
    }

    fn list<T: Default>(
        &mut self,
        record: &'static Record,
        _: usize,
        value: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let visited = value.iter_mut().try_for_each(|item| each(self, item));
        visited.map_err(|error| error.field(record.name))
    }

    fn object(&mut self, field: &'static Field, value: &mut Reference) -> Coded<Self> {
        self.refs.object(field, self.header.file_mode, value)
    }

    fn objects(&mut self, field: &'static Field, value: &mut Array<U32>) -> Coded<Self> {
        self.refs.objects(field, self.header.file_mode, value, false)
    }

    fn parallel(&mut self, field: &'static Field, value: &mut Array<U32>) -> Coded<Self> {
        self.refs.objects(field, self.header.file_mode, value, true)
    }

    fn manager_int(&mut self, _: &'static Field, value: &mut ManagerInt) -> Coded<Self> {
        self.refs.manager_int(value.manager, &mut value.value)
    }

    fn manager_ints(&mut self, _: &'static Field, value: &mut ManagerInts) -> Coded<Self> {
        for index in 0..value.values.len() {
            let Some(old) = value.values.get(index).map(|number| number.get()) else { break };
            let mut number = old;
            self.refs.manager_int(value.manager, &mut number)?;
            if number != old
                && let Some(slot) = value.values.to_mut().get_mut(index)
            {
                *slot = U32::new(number);
            }
        }
        Ok(())
    }

    fn sub_chunk<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Option<Box<Saved<T>>>,
    ) -> Coded<Self> {
        let Some(saved) = value else { return Ok(()) };
        self.refs.sub_chunk(true);
        let visited = saved.visit(&mut *self.refs);
        self.refs.sub_chunk(false);
        visited.map_err(|error| error.field(record.name))
    }

    fn sub_chunks<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Vec<Option<Box<Saved<T>>>>,
    ) -> Coded<Self> {
        value.iter_mut().try_for_each(|saved| self.sub_chunk(record, saved))
    }

    fn opaque(&mut self, _: &'static Record, value: &mut Option<Opaque>) -> Coded<Self> {
        let Some(chunk) = value else { return Ok(()) };
        // What refers to nothing that changes stays where it is.
        let old = chunk.chunk()?;
        let mut new = old.clone();
        self.refs.sub_chunk(true);
        let visited = self.refs.opaque(&mut new);
        self.refs.sub_chunk(false);
        visited?;
        if new != old {
            *chunk = new.into();
        }
        Ok(())
    }

    fn sized(
        &mut self,
        _: &'static Field,
        _: bool,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        inside(self)
    }

    fn remaining(&self, len: usize) -> usize {
        len
    }
}
