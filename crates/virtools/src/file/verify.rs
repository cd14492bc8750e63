//! What opening did not check: the records, their FileIndex, and that ids are unique.

use super::{File, data::Records, header::Head, in_item, table::Object};
use crate::codes;
use spelunk_core::{Budget, Error, Result, Task};

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
            if !manager.chunk.len.is_multiple_of(4) {
                let error = Error::new(&codes::CHUNK_SIZE).at(manager.span(data_at).part(8, 4));
                task.warn(in_item(error.found(manager.chunk.len), "manager", index))?;
            }
        }
        let plain_data = Head::LEN.saturating_add(self.header1.plain_len());
        for (index, (object, record)) in self.table.objects.iter().zip(&records.objects).enumerate()
        {
            if !record.chunk.len.is_multiple_of(4) {
                let error = Error::new(&codes::CHUNK_SIZE).at(record.span(data_at).part(0, 4));
                task.warn(in_item(error.found(record.chunk.len), "object", index))?;
            }
            let expected = plain_data.saturating_add(record.at().into());
            if u64::from(object.file_index) != expected {
                let at = object.span(self.header1.plain_at()).part(8, 4);
                let error = Error::new(&codes::FILE_INDEX).at(at).field("file_index");
                let error = error.expected(expected).found(object.file_index);
                task.warn(in_item(error, "object", index))?;
            }
        }
        Ok(())
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
                .at(object.span(self.header1.plain_at()).part(0, 4))
                .expected(format!("an id other than that of object {first}"))
                .found(object.id);
            task.warn(in_item(error, "object", index))?;
        }
        Ok(())
    }
}
