//! Other forms of a file: another FileVersion, write mode or level (`docs/formats/virtools.md#92-other-forms`).

mod chunks;
mod mode;
mod version;

use super::{
    Agreed, File,
    checksum::{Checksum, Recipe},
    data::Owner,
    in_item,
};
use crate::{chunk::buffer::ChunkBuf, codes};
use spelunk_core::{Convert, Error, Result, Task};

impl File {
    /// The same content in another form. What the wanted FileVersion cannot hold is reported, each part on its
    /// own, and refused in the end, or left out where that is wanted.
    ///
    /// # Errors
    /// [`codes::NOT_WRITTEN`] for a FileVersion other than 2 to 9; [`codes::MODE`] for a write mode that the
    /// version does not have; [`codes::DAMAGED`] for a file that cannot be read to its end; [`codes::MISFIT`];
    /// [`codes::NOTHING_LEFT`] where no object could keep what it saved; limits.
    pub fn converted(&self, wanted: &Convert, task: &mut Task<'_>) -> Result<File> {
        let mut file = self.clone();
        if wanted.is_wanted() && self.header1_damage.is_some() {
            return Err(Error::new(&codes::DAMAGED));
        }
        if wanted.strip_included {
            file.strip_included();
        }
        let is_same = wanted.version.or(wanted.mode).is_none() && wanted.level.is_none();
        if is_same && !wanted.chunks {
            return Ok(file);
        }
        let records = file.records(&mut task.budget)?;
        let sound = records.fault.is_none() && records.objects.len() == file.table.objects.len();
        if !sound || file.missing > 0 {
            return Err(Error::new(&codes::DAMAGED));
        }
        let from = file.head.version();
        let to = wanted.version.unwrap_or(from);
        if wanted.version.is_some() && !(2..=9).contains(&to) {
            return Err(Error::new(&codes::NOT_WRITTEN)
                .expected("FileVersion 2 to 9")
                .found(format!("FileVersion {to}")));
        }
        let mode = mode::wanted(&file.head, to, wanted)?;
        let mut conversion =
            Conversion { file, from, to, lossy: wanted.lossy, misfits: 0, level: 0, task };
        conversion.set_mode(mode, wanted.level)?;
        if wanted.version.is_some() {
            conversion.set_version()?;
        }
        if wanted.chunks && to >= 8 {
            conversion.renew_chunks()?;
        }
        let Conversion { mut file, misfits, .. } = conversion;
        if misfits > 0 {
            return Err(Error::new(&codes::MISFIT)
                .expected(format!("what FileVersion {to} can hold"))
                .found(format!("{misfits} parts that it cannot hold")));
        }
        if from != to || self.head.is_prehistoric() && wanted.version.is_some() {
            let recipe = match (from, to) {
                // The one that every engine that checks at all agrees with.
                (..8, 8..) => Recipe::Full,
                (8.., 8..) | (2..8, 2..8) => file.checksum.recipe,
                _ => Recipe::of(&file.head),
            };
            file.checksum = Checksum { stored: 0, recipe, ok: true };
            file.agreed = Agreed::ALL;
        }
        Ok(file)
    }
}

/// A file on its way to another form.
struct Conversion<'a, 's> {
    file: File,
    from: u32,
    to: u32,
    lossy: bool,
    misfits: u64,
    /// At which packed parts are packed.
    level: u8,
    task: &'a mut Task<'s>,
}

impl Conversion<'_, '_> {
    /// Reports a part that the wanted version cannot hold. It is left out.
    fn misfit(&mut self, what: &str, count: usize) -> Result<()> {
        let error = self.unfit().found(format!("{what}: {count}"));
        self.report(error)
    }

    /// The same for an object.
    fn misfit_of(&mut self, index: u32, what: String) -> Result<()> {
        let mut error = self.unfit().found(what);
        if let Some(at) = self.file.object_at(index) {
            error = error.at(at);
        }
        self.report(in_item(error, "object", index as usize))
    }

    /// That something has no place in the wanted version.
    fn unfit(&self) -> Error {
        if self.lossy {
            return Error::new(&codes::LEFT_OUT);
        }
        Error::new(&codes::MISFIT).expected(format!("what FileVersion {} can hold", self.to))
    }

    fn report(&mut self, error: Error) -> Result<()> {
        if self.lossy {
            return self.task.warn(error);
        }
        self.misfits = self.misfits.saturating_add(1);
        self.task.error(error)
    }

    /// How many objects there are.
    fn count(&self) -> u32 {
        u32::try_from(self.file.table.objects.len()).unwrap_or(u32::MAX)
    }

    /// A copy of a chunk; `None` where there is none.
    fn chunk(&mut self, owner: Owner) -> Result<Option<ChunkBuf>> {
        let budget = &mut self.task.budget;
        let chunk = match self.file.chunk(owner, budget)? {
            Some(chunk) => Some(ChunkBuf::copy(&chunk, budget)?),
            None => None,
        };
        Ok(chunk)
    }

    /// Puts a chunk in the place of the one that an owner has.
    fn put(&mut self, owner: Owner, chunk: &ChunkBuf) -> Result<()> {
        let bytes = chunk.to_bytes()?;
        self.task.budget.memory(bytes.len() as u64)?;
        self.file.set_chunk(owner, bytes.into(), &mut self.task.budget)
    }
}
