//! A file on its way to another form, and what that cannot hold.

use crate::{
    chunk::buffer::ChunkBuf,
    codes,
    file::{File, data::Owner, fault::in_item},
};
use spelunk_core::{Error, Result, Task};

/// A file on its way to another form.
pub(super) struct Conversion<'a, 's> {
    pub(super) file: File,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) lossy: bool,
    pub(super) misfits: u64,
    /// At which packed parts are packed.
    pub(super) level: u8,
    pub(super) task: &'a mut Task<'s>,
}

impl Conversion<'_, '_> {
    /// Reports a part that the wanted version cannot hold. It is left out.
    pub(super) fn misfit(&mut self, what: &str, count: usize) -> Result<()> {
        let error = self.unfit().found(format!("{what}: {count}"));
        self.report(error)
    }

    /// The same for an object.
    pub(super) fn misfit_of(&mut self, index: u32, what: String) -> Result<()> {
        let mut error = self.unfit().found(what);
        if let Some(at) = self.file.object_at(index) {
            error = error.at(at);
        }
        self.report(in_item(error, "object", index as usize))
    }

    /// Error for content that has no place in the wanted version.
    pub(super) fn unfit(&self) -> Error {
        if self.lossy {
            return Error::new(&codes::LEFT_OUT);
        }
        Error::new(&codes::MISFIT).expected(format!("what FileVersion {} can hold", self.to))
    }

    pub(super) fn report(&mut self, error: Error) -> Result<()> {
        if self.lossy {
            return self.task.warn(error);
        }
        self.misfits = self.misfits.saturating_add(1);
        self.task.error(error)
    }

    /// Number of objects.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.file.table.objects.len()).unwrap_or(u32::MAX)
    }

    /// A copy of a chunk; `None` where there is none.
    pub(super) fn chunk(&mut self, owner: Owner) -> Result<Option<ChunkBuf>> {
        let budget = &mut self.task.budget;
        let chunk = match self.file.chunk(owner, budget)? {
            Some(chunk) => Some(ChunkBuf::copy(&chunk, budget)?),
            None => None,
        };
        Ok(chunk)
    }

    /// Puts a chunk in the place of the one that an owner has.
    pub(super) fn put(&mut self, owner: Owner, chunk: &ChunkBuf) -> Result<()> {
        let bytes = chunk.to_bytes()?;
        self.task.budget.memory(bytes.len() as u64)?;
        self.file.set_chunk(owner, bytes.into(), &mut self.task.budget)
    }
}
