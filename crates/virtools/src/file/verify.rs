//! What opening did not check: the ends of the streams, the records, their FileIndex, and that ids are unique.

use super::{
    File,
    data::{Owner, Records},
    header::Head,
    in_item,
    table::Object,
};
use crate::{chunk::Chunk, codes};
use spelunk_core::{Budget, Class, Error, Result, Span, Task};

impl File {
    /// Reads and checks everything, and reports what opening did not.
    ///
    /// # Errors
    /// What the sink makes of a finding. A limit is a finding too.
    pub fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        match self.sorted_ids(&mut task.budget) {
            Ok(Some(ids)) => {
                self.check_unique(&ids, task)?;
                task.budget.release(size_of_val(&*ids) as u64);
            }
            Ok(None) => {}
            Err(error) => task.error(error)?,
        }
        self.header1.check(task)?;
        if let Err(error) = self.inflate(task) {
            return task.error(error);
        }
        let records = match self.records(&mut task.budget) {
            Ok(records) => records,
            Err(error) => return task.error(error),
        };
        self.data.check(task)?;
        if let Some(fault) = &records.fault {
            task.error(fault.error())?;
        } else if !records.rest.is_empty() {
            let at = records.rest_at(self.data.plain_at());
            let found = format!("{} bytes", at.len);
            task.warn(Error::new(&codes::DATA_REST).at(at).found(found))?;
        }
        if let Err(error) = task.budget.steps(records.objects.len() as u64) {
            return task.error(error);
        }
        match self.verify_chunks(task) {
            Err(error) if error.code().class == Class::Limit => task.error(error)?,
            checked => checked?,
        }
        self.check_records(records, task)
    }

    /// Checks every chunk to the bottom: identifiers, lists, sub-chunks. It is a part of [`File::verify`].
    ///
    /// # Errors
    /// When Data cannot be inflated; limits; what the sink makes of a finding.
    pub fn verify_chunks(&self, task: &mut Task<'_>) -> Result<()> {
        self.inflate(task)?;
        let records = self.records(&mut task.budget)?;
        task.budget.touch(records.plain().len() as u64)?;
        for (index, manager) in (0..).zip(&records.managers) {
            let size_at = manager.span(self.data.plain_at()).part(8, 4);
            self.check_chunk(records, Owner::Manager(index), size_at, task)?;
        }
        for index in records.suspects() {
            let size_at = self.data.plain_at().part(records.size_at(index).into(), 4);
            self.check_chunk(records, Owner::Object(index), size_at, task)?;
        }
        Ok(())
    }

    /// FileIndex is where the record would lie if nothing were packed.
    fn check_records(&self, records: &Records, task: &mut Task<'_>) -> Result<()> {
        let plain_data = Head::LEN.saturating_add(self.header1.plain_len());
        for (index, object) in (0..u32::MAX).zip(&self.table.objects) {
            if !records.has_object(index) {
                break;
            }
            if object.has_bit_23()
                && let Ok(Some(chunk)) = self.chunk(Owner::Object(index), &mut task.budget)
                && is_type_alone(&chunk)
                && let Some(at) = self.object_at(index)
            {
                let error =
                    Error::new(&codes::REFERENCE_OF_SPEC).at(at.part(0, 4)).found(object.id);
                task.note(in_item(error, "object", index as usize))?;
            }
            let expected = plain_data.saturating_add(records.size_at(index).into());
            if self.head.version() >= 7 && u64::from(object.file_index) != expected {
                let at = object.span(self.header1.plain_at()).part(8, 4);
                let error = Error::new(&codes::FILE_INDEX).at(at).field("file_index");
                let error = error.expected(expected).found(object.file_index);
                task.warn(in_item(error, "object", index as usize))?;
            }
        }
        Ok(())
    }

    /// Checks one chunk, whose size lies at `size_at`.
    fn check_chunk(
        &self,
        records: &Records,
        owner: Owner,
        size_at: Span,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let (kind, index) = match owner {
            Owner::Manager(index) => ("manager", index as usize),
            Owner::Object(index) => ("object", index as usize),
        };
        let len = records.chunk_len(owner);
        if !len.is_multiple_of(4) {
            let error = Error::new(&codes::CHUNK_SIZE).at(size_at).found(len);
            task.warn(in_item(error, kind, index))?;
        }
        match records.view(owner, self.data.plain_at(), &mut task.budget) {
            Ok(Some(chunk)) => chunk.verify_of(kind, index, task),
            Ok(None) => Ok(()),
            Err(error) => task.error(in_item(error, kind, index)),
        }
    }

    /// The ids of all objects with their positions, sorted; `None` where no id occurs twice anyhow.
    fn sorted_ids(&self, budget: &mut Budget) -> Result<Option<Vec<u64>>> {
        let objects = &self.table.objects;
        let count = objects.len() as u64;
        budget.steps(count.saturating_mul(2))?;
        if self.are_unique(budget)? {
            return Ok(None);
        }
        budget.steps(count)?;
        // One number for both is sorted faster than a pair.
        let key =
            |(object, index): (&Object, u64)| (u64::from(object.id.cast_unsigned()) << 32) | index;
        let mut ids = budget.vec(count)?;
        ids.extend(objects.iter().zip(0..).map(key));
        ids.sort_unstable();
        Ok(Some(ids))
    }

    /// Whether one bit for each possible id shows that no id occurs twice. Where ids lie so far apart that
    /// the bits would be many more than the objects, that is not tried.
    fn are_unique(&self, budget: &mut Budget) -> Result<bool> {
        let objects = &self.table.objects;
        let ids = || objects.iter().map(|object| object.id);
        let Some((least, largest)) = ids().min().zip(ids().max()) else { return Ok(true) };
        let range = u64::from(largest.abs_diff(least));
        let words = (range >> 6).saturating_add(1);
        if words > objects.len() as u64 {
            return Ok(false);
        }
        let mut seen = budget.vec::<u64>(words)?;
        seen.resize(words as usize, 0);
        let unique = ids().all(|id| {
            let bit = id.abs_diff(least);
            let Some(word) = seen.get_mut((bit >> 6) as usize) else { return false };
            let mask = 1_u64 << (bit & 63);
            let new = *word & mask == 0;
            *word |= mask;
            new
        });
        budget.release(words.saturating_mul(8));
        Ok(unique)
    }

    fn check_unique(&self, ids: &[u64], task: &mut Task<'_>) -> Result<()> {
        for (before, key) in ids.iter().zip(ids.iter().skip(1)) {
            if before >> 32 != key >> 32 {
                continue;
            }
            let [first, index] = [before, key].map(|key| (key & u64::from(u32::MAX)) as usize);
            let Some(object) = self.table.objects.get(index) else { continue };
            let error = Error::new(&codes::DUPLICATE_ID)
                .expected(format!("an id other than that of object {first}"))
                .found(object.id);
            task.warn(in_item(error, "object", index))?;
        }
        Ok(())
    }
}

/// Whether a chunk holds identifier 0x40, which no other follows, and a GUID, and nothing else
/// (`docs/formats/virtools.md#41-object-table`).
fn is_type_alone(chunk: &Chunk<'_>) -> bool {
    let mut words = chunk.data.iter().map(|word| word.get());
    chunk.data.len() == 4 && words.next() == Some(0x40) && words.next() == Some(0)
}
