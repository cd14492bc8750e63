//! Content of a chunk that a layout leaves.

use super::{MOST_SECTIONS, Reader};
use crate::{
    chunk::buffer::ChunkBuf,
    codec::{Extras, Unknown},
};
use spelunk_core::Result;

impl Reader<'_, '_> {
    /// Returns the content that the layout left.
    #[cold]
    pub(super) fn extras(self) -> Result<Option<Box<Extras>>> {
        self.budget.memory(size_of::<Extras>() as u64)?;
        let mut order = self.budget.vec(self.chunk.sections().count() as u64)?;
        order.extend(self.chunk.sections().map(|section| section.identifier));
        let mut unknown = Vec::new();
        for (nth, section) in self.chunk.sections().enumerate() {
            if nth >= MOST_SECTIONS || self.seen & (1 << nth) == 0 {
                let content = ChunkBuf::copy_part(self.chunk, section.payload(), self.budget)?;
                unknown.push(Unknown { identifier: section.identifier, content });
            }
        }
        let rest = self.chunk.rest.to_vec();
        self.budget.memory(rest.len() as u64)?;
        let rests = self.rests.map_or_else(Vec::new, |rests| *rests);
        Ok(Some(Box::new(Extras { order, unknown, rests, rest })))
    }

    /// Keeps the dwords of a section that follow what is known of it, with what lists say of them
    /// (`docs/formats/virtools-classes.md#1-notation`).
    #[inline]
    pub(super) fn rest(&mut self, identifier: u32) -> Result<()> {
        if self.left.is_empty() { Ok(()) } else { self.keep_rest(identifier) }
    }

    #[cold]
    fn keep_rest(&mut self, identifier: u32) -> Result<()> {
        self.budget.memory(size_of::<Unknown>() as u64)?;
        let content = ChunkBuf::copy_part(self.chunk, self.at()..self.end, self.budget)?;
        self.rests.get_or_insert_default().push(Unknown { identifier, content });
        Ok(())
    }
}
