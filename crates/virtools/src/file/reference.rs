//! Entries of objects that a file only refers to (`docs/formats/virtools.md#41-object-table`).

use super::{File, data::Owner, table::BIT_23};
use crate::{chunk::Chunk, class::parameter};
use spelunk_core::{Budget, Class, Result};

impl File {
    /// Returns this file read as the written specification has it: every id with bit 23 is that of an entry which is
    /// only referred to. Otherwise that holds where the chunk has the type of a parameter and nothing else.
    #[must_use]
    pub fn with_references_by_bit_23(mut self) -> File {
        self.by_bit_23 = true;
        self
    }

    /// Returns the id that the object of a reference-only entry had when it was saved, without the bit that marks the
    /// entry; `None` for entries of objects that the file holds.
    ///
    /// # Errors
    /// When Data cannot be read, which is asked for only where the id has bit 23; limits.
    pub fn reference_id(&self, index: u32, budget: &mut Budget) -> Result<Option<u32>> {
        let Some(object) = self.table.objects.get(index as usize) else { return Ok(None) };
        if object.is_reference() {
            return Ok(Some(object.saved_id()));
        }
        if !object.has_bit_23() {
            return Ok(None);
        }
        let marked = match self.by_bit_23 {
            true => true,
            false => match self.chunk(Owner::Object(index), budget) {
                Ok(chunk) => chunk.is_some_and(|chunk| is_type_alone(&chunk)),
                Err(error) if error.code().class == Class::Malformed => false,
                Err(error) => return Err(error),
            },
        };
        Ok(marked.then_some(object.saved_id() & !BIT_23))
    }
}

/// Whether a chunk holds identifier 0x40, which no other follows, and a GUID, and nothing else.
fn is_type_alone(chunk: &Chunk<'_>) -> bool {
    let mut words = chunk.data.iter().map(|word| word.get());
    chunk.data.len() == 4 && words.next() == Some(parameter::SECTION) && words.next() == Some(0)
}
