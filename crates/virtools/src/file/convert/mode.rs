//! Write modes: packing, and what only the editor shows.

use super::conversion::Conversion;
use crate::{
    chunk::{variables, viewer},
    class, codes,
    file::{
        data::Owner,
        fault::in_item,
        header::{CHUNK_COMPRESSED_OLD, FOR_VIEWER, Head, MODE_BITS, PACKED, WHOLE_COMPRESSED},
        store::{Store, USUAL_LEVEL},
    },
};
use spelunk_core::{Convert, Error, Result, scalar::Word};

/// The write mode to store.
pub(super) fn wanted(head: &Head, to: u32, wanted: &Convert) -> Result<u32> {
    let (old, from) = (head.write_mode(), head.version());
    let refuse = |expected: &'static str, found: u32| {
        Err(Error::new(&codes::MODE).expected(expected).found(format!("write mode {found:#x}")))
    };
    if let Some(mode) = wanted.mode {
        return match to {
            _ if mode & !MODE_BITS != 0 => refuse("bits of 0xf", mode),
            _ if mode != 0 && head.is_prehistoric() && wanted.version.is_none() => {
                refuse("0, which is what counts where FileVersion2 is set", mode)
            }
            0..=3 if mode & WHOLE_COMPRESSED != 0 => {
                refuse("1 to pack, below FileVersion 4 each object on its own", mode)
            }
            4 if mode & PACKED != 0 => refuse("nothing packed in FileVersion 4", mode),
            _ => Ok(mode),
        };
    }
    let packed = match from {
        0..=3 => old & CHUNK_COMPRESSED_OLD != 0,
        4 => false,
        _ => old & PACKED != 0,
    };
    let rest = old & !PACKED;
    Ok(match to {
        _ if from == to => old,
        _ if !packed => rest,
        0..=3 => rest | CHUNK_COMPRESSED_OLD,
        4 => rest,
        _ if from < 4 => rest | WHOLE_COMPRESSED,
        _ => old,
    })
}

impl Conversion<'_, '_> {
    /// Sets write mode and packing.
    pub(super) fn set_mode(&mut self, mode: u32, wanted_level: Option<u8>) -> Result<()> {
        let old = self.file.head.write_mode();
        self.file.head.part0.write_mode = Word::new(mode);
        if wanted_level.is_some() && mode & PACKED == 0 {
            self.task.warn(Error::new(&codes::LEVEL))?;
        }
        let level = match wanted_level {
            Some(level) => level,
            None => self.usual_level()?,
        };
        let packed = mode & PACKED != 0 && self.to >= 5;
        let was_packed = old & PACKED != 0 && self.from >= 5;
        let same = packed == was_packed && self.from.max(8) == self.to.max(8);
        if wanted_level.is_some() || !same {
            self.file.store = if packed { Store::Zlib(level) } else { Store::Plain };
            self.file.agreed.data_plain_len = true;
        }
        self.level = level;
        let packed = mode & CHUNK_COMPRESSED_OLD != 0;
        let was_packed = old & CHUNK_COMPRESSED_OLD != 0;
        if self.from < 4 && self.to < 4 && (wanted_level.is_some() || packed != was_packed) {
            let budget = &mut self.task.budget;
            for old in &mut self.file.records_mut(budget)?.old {
                old.pack(packed.then_some(level), budget)?;
            }
        }
        if mode & FOR_VIEWER != old & FOR_VIEWER {
            if mode & FOR_VIEWER == 0 {
                self.task.warn(Error::new(&codes::VIEWER))?;
            } else {
                self.drop_interface()?;
            }
        }
        if mode != old { self.set_variable(old, mode) } else { Ok(()) }
    }

    /// The level that the largest packed part had.
    fn usual_level(&mut self) -> Result<u8> {
        let budget = &mut self.task.budget;
        let old = self.file.records(budget)?.old.iter().map(|old| &old.data);
        let largest = old.chain([&self.file.data]).max_by_key(|section| section.plain_len());
        let level = largest.map_or(Ok(None), |section| section.level(budget))?;
        Ok(level.unwrap_or(USUAL_LEVEL))
    }

    /// Takes what only the editor shows out of behaviours.
    fn drop_interface(&mut self) -> Result<()> {
        for index in 0..self.count() {
            if self.file.class_of(index) != Some(class::BEHAVIOR) {
                continue;
            }
            let owner = Owner::Object(index);
            let budget = &mut self.task.budget;
            let without = match self.file.chunk(owner, budget) {
                Ok(Some(chunk)) => viewer::without_interface(&chunk, budget),
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            };
            if let Some(chunk) =
                without.map_err(|error| in_item(error, "object", index as usize))?
            {
                self.put(owner, &chunk)?;
            }
        }
        Ok(())
    }

    /// Sets the copy of the write mode that the variable manager keeps from product 3.0 on. Loading a file
    /// brings that one back.
    fn set_variable(&mut self, old: u32, mode: u32) -> Result<()> {
        let budget = &mut self.task.budget;
        let managers = &self.file.records(budget)?.managers;
        let found = managers.iter().position(|manager| manager.guid == variables::MANAGER);
        let Some(index) = found.and_then(|index| u32::try_from(index).ok()) else { return Ok(()) };
        let owner = Owner::Manager(index);
        let Some(mut chunk) = self.chunk(owner)? else { return Ok(()) };
        if variables::set_write_mode(&mut chunk, old, mode) {
            self.put(owner, &chunk)?;
            let (old, mode) = (format!("{old:#x}"), format!("{mode:#x}"));
            self.task.note(Error::new(&codes::VARIABLE).expected(mode).found(old))?;
        }
        Ok(())
    }
}
