//! What opening did not check: the records, their FileIndex, and that ids are unique.

use super::{File, data::Records, header::Head, in_item};
use crate::codes;
use spelunk_core::{Budget, Error, Result, Task};

impl File {
    /// Reads and checks everything, and reports what opening did not.
    ///
    /// # Errors
    /// What the sink makes of a finding. A limit is a finding too.
    pub fn verify(&self, task: &mut Task<'_>) -> Result<()> {
        match self.sorted_ids(&mut task.budget) {
            Ok(ids) => {
                self.check_unique(&ids, task)?;
                task.budget.release(size_of_val(&*ids) as u64);
            }
            Err(error) => task.error(error)?,
        }
        let records = match self.records(&mut task.budget) {
            Ok(records) => records,
            Err(error) => return task.error(error),
        };
        if let Some(fault) = &records.fault {
            task.error(fault.error())?;
        } else if !records.rest.is_empty() {
            let at = records.rest_at(self.data.plain_at());
            let found = format!("{} bytes", at.len);
            task.warn(Error::new(&codes::DATA_REST).at(at).found(found))?;
        }
        match task.budget.steps(records.objects.len() as u64) {
            Ok(()) => self.check_records(records, task),
            Err(error) => task.error(error),
        }
    }

    /// Chunks are made of dwords, and FileIndex is where the record would lie if nothing were packed.
    fn check_records(&self, records: &Records, task: &mut Task<'_>) -> Result<()> {
        let data_at = self.data.plain_at();
        for (index, manager) in records.managers.iter().enumerate() {
            if !manager.chunk.len().is_multiple_of(4) {
                let error = Error::new(&codes::CHUNK_SIZE).at(manager.span(data_at).part(8, 4));
                task.warn(in_item(error.found(manager.chunk.len()), "manager", index))?;
            }
        }
        let plain_data = Head::LEN.saturating_add(self.header1.plain_len());
        for (index, (object, record)) in self.table.objects.iter().zip(&records.objects).enumerate()
        {
            if !record.chunk.len().is_multiple_of(4) {
                let error = Error::new(&codes::CHUNK_SIZE).at(record.span(data_at).part(0, 4));
                task.warn(in_item(error.found(record.chunk.len()), "object", index))?;
            }
            let expected = plain_data.saturating_add(record.at);
            if u64::from(object.file_index) != expected {
                let at = object.span(self.header1.plain_at()).part(8, 4);
                let error = Error::new(&codes::FILE_INDEX).at(at).field("file_index");
                let error = error.expected(expected).found(object.file_index);
                task.warn(in_item(error, "object", index))?;
            }
        }
        Ok(())
    }

    /// The ids of all objects with their positions, sorted.
    fn sorted_ids(&self, budget: &mut Budget) -> Result<Vec<(i32, usize)>> {
        let objects = &self.table.objects;
        let count = objects.len() as u64;
        budget.steps(count.saturating_mul(2))?;
        let mut ids = budget.vec(count)?;
        ids.extend(objects.iter().enumerate().map(|(index, object)| (object.id, index)));
        ids.sort_unstable();
        Ok(ids)
    }

    fn check_unique(&self, ids: &[(i32, usize)], task: &mut Task<'_>) -> Result<()> {
        let objects = &self.table.objects;
        for (before, (id, index)) in ids.iter().zip(ids.iter().skip(1)) {
            let Some(object) = objects.get(*index).filter(|_| before.0 == *id) else { continue };
            let error = Error::new(&codes::DUPLICATE_ID)
                .at(object.span(self.header1.plain_at()).part(0, 4))
                .expected(format!("an id other than that of object {}", before.1))
                .found(*id);
            task.warn(in_item(error, "object", *index))?;
        }
        Ok(())
    }
}
