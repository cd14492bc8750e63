//! Changes to the model: chunks, and the files that a file carries along.

use super::{
    File,
    data::{Owner, Records},
    included::Included,
    table::ObjectTable,
};
use crate::codes;
use spelunk_core::{Budget, Bytes, Error, Result, scalar::fit};
use std::{collections::BTreeSet, sync::OnceLock};

impl File {
    /// The content of the Data section, to be changed.
    ///
    /// # Errors
    /// Those of [`File::records`].
    pub(super) fn records_mut(&mut self, budget: &mut Budget) -> Result<&mut Records> {
        if self.records(budget)?.fault.is_some() {
            return Err(Error::new(&codes::DAMAGED));
        }
        self.naming = OnceLock::new();
        // It was read just now.
        self.records
            .get_mut()
            .ok_or_else(|| spelunk_core::Error::new(&spelunk_core::codes::UNREADABLE))
    }

    /// Puts another chunk in the place of the one that an object or manager has; no bytes take it away. Below
    /// FileVersion 4 an object without data has no class either, so there that is refused.
    ///
    /// Places of errors and fields stay those of the opened file.
    ///
    /// # Errors
    /// When Data cannot be read, there is no such owner, or the chunk is too large.
    pub fn set_chunk(&mut self, owner: Owner, chunk: Bytes, budget: &mut Budget) -> Result<()> {
        fit::<u32>(chunk.len() as u64, "size")?;
        self.whole()?;
        let records = self.records_mut(budget)?;
        records.set_chunk(owner, chunk, budget)?;
        match owner {
            Owner::Object(index) if self.head.version() < 7 => self.entry_of_chunk(index, budget),
            _ => Ok(()),
        }
    }

    /// Below FileVersion 7 class and name of an object are those of its chunk.
    fn entry_of_chunk(&mut self, index: u32, budget: &mut Budget) -> Result<()> {
        let Some(records) = self.records.get() else { return Ok(()) };
        let at = self.data.plain_at();
        let (class_id, name) = ObjectTable::entry_of(records, index, at, budget)?;
        let name = name.to_vec();
        self.by_class = OnceLock::new();
        self.table.set_entry(index, class_id, &name, budget)
    }

    /// Refuses to change a file that ends before its Data section does, since what is added would be taken for the rest,
    /// and one of whose sections only a part can be read.
    pub(super) fn whole(&self) -> Result<()> {
        let broken = self.header1_damage.is_some() || self.unreadable.get().is_some();
        if broken || self.missing > 0 { Err(Error::new(&codes::DAMAGED)) } else { Ok(()) }
    }

    /// Puts other content in the place of an included file's.
    ///
    /// # Errors
    /// When there is no such file, or the content is too large.
    pub fn set_included(&mut self, index: u32, content: Bytes) -> Result<()> {
        fit::<u32>(content.len() as u64, "file_size")?;
        self.whole()?;
        let file = self.tail.included.get_mut(index as usize);
        file.ok_or_else(not_found)?.content = content;
        Ok(())
    }

    /// Adds an included file behind those that the stub counts, and has it count this one too; gives its position. Files
    /// that are not counted stay behind.
    ///
    /// # Errors
    /// When the name has not 1 to 511 bytes, which is what engines read; [`codes::MISFIT`] below FileVersion 8, where
    /// nothing counts files; [`codes::DAMAGED`] when files that are counted are missing, or there is no stub.
    pub fn add_included(&mut self, name: &[u8], content: Bytes) -> Result<u32> {
        Included::check_name(name)?;
        fit::<u32>(content.len() as u64, "file_size")?;
        self.whole()?;
        let name = Bytes::copy_from_slice(name);
        self.count_in(Included { at: self.tail.at.end(), name, content, counted: true })
    }

    /// Puts a file behind those that the stub counts.
    fn count_in(&mut self, file: Included) -> Result<u32> {
        let version = self.head.version();
        if version < 8 {
            return Err(Error::new(&codes::MISFIT)
                .field("file_version")
                .expected("8 or later, which have included files")
                .found(version));
        }
        let place = self.tail.included.iter().filter(|file| file.counted).count();
        let stub = self.table.stub.as_mut().ok_or_else(|| Error::new(&codes::DAMAGED))?;
        // A stub of size 0 has no count yet.
        let count = stub.count.unwrap_or_default();
        if count as usize != place {
            return Err(Error::new(&codes::DAMAGED));
        }
        let index = fit::<u32>(place as u64, "included_count")?;
        stub.count = Some(count.saturating_add(1));
        self.tail.included.insert(place, file);
        Ok(index)
    }

    /// Gives an included file another name. One that the stub does not count is counted then: under its new name it is
    /// there to be used.
    ///
    /// # Errors
    /// When there is no such file, or the name has not 1 to 511 bytes; those of [`File::add_included`] for one that is not
    /// counted.
    pub fn rename_included(&mut self, index: u32, name: &[u8]) -> Result<()> {
        Included::check_name(name)?;
        self.whole()?;
        let file = self.tail.included.get_mut(index as usize).ok_or_else(not_found)?;
        let name = Bytes::copy_from_slice(name);
        if file.counted || file.name == name {
            file.name = name;
            return Ok(());
        }
        let file = Included { name, counted: true, ..file.clone() };
        self.count_in(file)?;
        // Counted ones stand before it.
        self.tail.included.remove((index as usize).saturating_add(1));
        Ok(())
    }

    /// Takes an included file away.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn remove_included(&mut self, index: u32) -> Result<()> {
        self.whole()?;
        let files = &mut self.tail.included;
        if index as usize >= files.len() {
            return Err(not_found());
        }
        let removed = files.remove(index as usize);
        let count = self.table.stub.as_mut().and_then(|stub| stub.count.as_mut());
        if let Some(count) = count.filter(|_| removed.counted) {
            *count = count.saturating_sub(1);
        }
        Ok(())
    }

    /// Takes these included files away.
    ///
    /// # Errors
    /// [`codes::DAMAGED`].
    pub(crate) fn remove_all_included(&mut self, indexes: &BTreeSet<u32>) -> Result<()> {
        if indexes.is_empty() {
            return Ok(());
        }
        self.whole()?;
        let (mut index, mut counted) = (0_u32.., 0_u32);
        self.tail.included.retain(|file| {
            let goes = index.next().is_some_and(|index| indexes.contains(&index));
            counted = counted.saturating_add(u32::from(goes && file.counted));
            !goes
        });
        if let Some(count) = self.table.stub.as_mut().and_then(|stub| stub.count.as_mut()) {
            *count = count.saturating_sub(counted);
        }
        Ok(())
    }

    /// Takes all included files away.
    pub fn strip_included(&mut self) {
        self.tail.included.clear();
        if let Some(count) = self.table.stub.as_mut().and_then(|stub| stub.count.as_mut()) {
            *count = 0;
        }
    }
}

fn not_found() -> spelunk_core::Error {
    spelunk_core::Error::new(&spelunk_core::codes::NOT_FOUND)
}
