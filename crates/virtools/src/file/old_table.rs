//! The object table of files below FileVersion 7, which have none but in their records.

use super::{
    data::Records,
    fault::in_item,
    owner::Owner,
    part::PlainSpan,
    table::{Object, ObjectTable},
};
use crate::{chunk::Chunk, class};
use spelunk_core::{Budget, Class, Result, Span, Task};
use zerocopy::IntoBytes;

impl ObjectTable {
    /// The table of a file below FileVersion 7, which has none: ids, classes and names are those of its
    /// records (`docs/formats/virtools.md#8-versions-and-products`).
    ///
    /// # Errors
    /// Limits; what the sink makes of a finding.
    pub(super) fn of_records(
        records: &Records,
        at: Span,
        task: &mut Task<'_>,
    ) -> Result<ObjectTable> {
        let count = records.objects.len() as u64;
        task.budget.steps(count)?;
        let mut objects = task.budget.vec(count)?;
        let mut names = Vec::new();
        for index in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            // Damage is reported when the file is verified, except that of data packed on their own.
            let (class_id, name) = match ObjectTable::entry_of(records, index, at, &mut task.budget)
            {
                Err(error) if error.code().class == Class::Malformed => {
                    if records.is_packed(index) {
                        task.error(in_item(error, "object", index as usize))?;
                    }
                    (records.class_id(index).unwrap_or(0), &[][..])
                }
                entry => entry?,
            };
            task.budget.memory(name.len() as u64)?;
            let at = u32::try_from(names.len()).unwrap_or(u32::MAX);
            let len = u32::try_from(name.len()).unwrap_or(u32::MAX);
            names.extend_from_slice(name);
            let (id, name) = (records.id(index).unwrap_or(0), PlainSpan { at, len });
            objects.push(Object { id, class_id, file_index: 0, name });
        }
        let mut table = ObjectTable::default();
        table.set_objects(objects, names.into());
        Ok(table)
    }

    /// Class and name of an object below FileVersion 7: those of its record and chunk; 0 and none without one.
    ///
    /// # Errors
    /// When the chunk cannot be read; limits.
    pub(super) fn entry_of<'r>(
        records: &'r Records,
        index: u32,
        at: Span,
        budget: &mut Budget,
    ) -> Result<(u32, &'r [u8])> {
        let chunk = records.view(Owner::Object(index), at, budget)?;
        let of_chunk = chunk.as_ref().map(|chunk| chunk.class_id);
        let class_id = records.class_id(index).or(of_chunk).unwrap_or(0);
        Ok((class_id, chunk.as_ref().and_then(name).unwrap_or_default()))
    }
}

/// The name that a chunk holds below FileVersion 7: the string under identifier 1, without its NUL.
pub(super) fn name<'a>(chunk: &Chunk<'a>) -> Option<&'a [u8]> {
    let section = chunk.sections().find(|section| section.identifier == class::object::NAME)?;
    let (len, text) = chunk.data.get(section.payload())?.split_first()?;
    let text = text.as_bytes().get(..len.get() as usize)?;
    Some(text.strip_suffix(&[0]).unwrap_or(text))
}
