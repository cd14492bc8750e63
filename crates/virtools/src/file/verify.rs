//! Checks that opening leaves out: the ends of the streams, the records, their FileIndex, and that ids are unique.

use super::{
    File,
    data::{Owner, Records},
    fault::in_item,
    header::Head,
    table::Object,
};
use crate::{
    chunk::buffer::ChunkBuf,
    class::ValuePool,
    codec::{
        Array, Reference, Saved,
        visit::Refs,
        walk::{Detail, REST},
    },
    codes,
    file::value::has_no_value,
};
use spelunk_core::{
    Budget, Class, Error, Field, Group, Halt, Result, Shape, Span, Step, Task, Val, Walk, Walked,
    walk::{Trail, finish},
};
use zerocopy::little_endian::U32;

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
        if self.header1_damage.is_none() {
            self.header1.check(task)?;
        }
        if let Err(error) = self.inflate(task) {
            return task.error(error);
        }
        let records = match self.records(&mut task.budget) {
            Ok(records) => records,
            Err(error) => return task.error(error),
        };
        if let Some(fault) = &records.fault {
            if !self.was_reported(fault) {
                task.error(fault.error())?;
            }
            if fault.is_of_section() {
                return Ok(());
            }
        }
        self.data.check(task)?;
        if records.fault.is_none() && !records.rest.is_empty() {
            let at = records.rest_at(self.data.plain_at());
            let found = format!("{} bytes", at.len);
            task.warn(Error::new(&codes::DATA_REST).at(at).found(found))?;
        }
        if let Err(error) = task.budget.steps(records.objects.len() as u64) {
            return task.error(error);
        }
        for checked in [self.verify_chunks(task), self.verify_values(task)] {
            match checked {
                Err(error) if error.code().class == Class::Limit => task.error(error)?,
                checked => checked?,
            }
        }
        self.check_records(records, task)?;
        match self.check_loading(&mut |severity, error, task| task.report(severity, error), task) {
            Err(error) if error.code().class == Class::Limit => task.error(error),
            checked => checked,
        }
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

    /// Reports the sections that hold more than their class reads. It is a part of [`File::verify`].
    ///
    /// # Errors
    /// When Data cannot be inflated; limits; what the sink makes of a finding.
    pub fn verify_values(&self, task: &mut Task<'_>) -> Result<()> {
        let records = self.records(&mut task.budget)?;
        let managers = (0..).zip(&records.managers).map(|(index, _)| Owner::Manager(index));
        let objects = (0..).zip(&records.objects).map(|(index, _)| Owner::Object(index));
        let (mut saved, mut pool) = (Saved::default(), ValuePool::default());
        let mut faults = Vec::new();
        for owner in managers.chain(objects) {
            let before = task.budget.left().memory;
            match self.value_into(&mut saved, owner, &mut pool, &mut faults, &mut task.budget) {
                Ok(true) => {}
                Ok(false) => continue,
                // That was reported of the chunk.
                Err(error) if has_no_value(&error) => continue,
                Err(error) => return Err(error),
            }
            faults.clear();
            let mut rests = Rests::default();
            saved.visit(&mut rests)?;
            if rests.are_there {
                let chunk = self.chunk(owner, &mut task.budget)?;
                finish(chunk.map_or(Ok(()), |chunk| {
                    saved.walk(chunk, Detail::Values, &(), &mut task.budget, &mut rests)
                }))?;
                let (kind, index) = named(owner);
                for error in rests.errors {
                    task.note(in_item(error, kind, index))?;
                }
            }
            task.budget.release(before.saturating_sub(task.budget.left().memory));
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
            if object.has_bit_23() {
                self.check_bit_23(index, task)?;
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

    /// Notes an entry whose id has bit 23 and that may be one which is only referred to.
    fn check_bit_23(&self, index: u32, task: &mut Task<'_>) -> Result<()> {
        let owner = Owner::Object(index);
        let is_bare = match self.chunk(owner, &mut task.budget) {
            Ok(chunk) => chunk.is_none_or(|chunk| chunk.data.is_empty()),
            Err(_) => false,
        };
        let code = match self.reference_id(index, &mut task.budget)? {
            Some(_) => &codes::REFERENCE_OF_SPEC,
            None if is_bare => &codes::MAYBE_REFERENCE,
            None => return Ok(()),
        };
        let Some(object) = self.table.objects.get(index as usize) else { return Ok(()) };
        let mut error = Error::new(code).found(format!("{:#010x}", object.id));
        if let Some(at) = self.object_at(index) {
            error = error.at(at.part(0, 4));
        }
        task.note(in_item(error, "object", index as usize))
    }

    /// Checks one chunk, whose size lies at `size_at`.
    fn check_chunk(
        &self,
        records: &Records,
        owner: Owner,
        size_at: Span,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let (kind, index) = named(owner);
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
        let key = |(object, index): (&Object, u64)| (u64::from(object.saved_id()) << 32) | index;
        let mut ids = budget.vec(count)?;
        ids.extend(objects.iter().zip(0..).map(key));
        ids.sort_unstable();
        Ok(Some(ids))
    }

    /// Whether one bit for each possible id shows that no id occurs twice. Where ids lie so far apart that
    /// the bits would be many more than the objects, that is not tried.
    fn are_unique(&self, budget: &mut Budget) -> Result<bool> {
        let objects = &self.table.objects;
        let ids = || objects.iter().map(Object::saved_id);
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

/// Name of an owner in paths, and its position.
const fn named(owner: Owner) -> (&'static str, usize) {
    match owner {
        Owner::Manager(index) => ("manager", index as usize),
        Owner::Object(index) => ("object", index as usize),
    }
}

/// Finds what follows the known fields of sections.
#[derive(Default)]
struct Rests {
    are_there: bool,
    trail: Trail,
    errors: Vec<Error>,
}

impl Refs for Rests {
    fn object(&mut self, _: &'static Field, _: bool, _: &mut Reference) -> Result<()> {
        Ok(())
    }

    fn objects(&mut self, _: &'static Field, _: bool, _: &mut Array<U32>, _: bool) -> Result<()> {
        Ok(())
    }

    fn rest(&mut self, _: &mut ChunkBuf) -> Result<()> {
        self.are_there = true;
        Ok(())
    }
}

impl Walk for Rests {
    fn enter(&mut self, group: &Group<'_>) -> std::result::Result<Step, Halt> {
        self.trail.enter(group);
        Ok(Step::Into)
    }

    fn field(&mut self, field: &'static Field, at: Option<Span>, _: Val<'_>) -> Walked {
        if std::ptr::eq(field, &REST)
            && let Some(at) = at
        {
            let found = format!("{} dwords more", at.len >> 2);
            let error = Error::new(&codes::SECTION_REST).at(at).found(found);
            let open: Vec<_> = self.trail.open().map(|(seg, _)| seg.clone()).collect();
            self.errors.push(open.into_iter().rev().fold(error, Error::within));
        }
        self.trail.pass();
        Ok(())
    }

    fn leave(&mut self, _: Shape) -> Walked {
        self.trail.leave();
        Ok(())
    }
}
