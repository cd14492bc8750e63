//! Other forms of a file: another FileVersion, write mode or level (`docs/formats/virtools.md#92-other-forms`).

mod chunks;
mod conversion;
mod mode;
mod version;

use super::{
    Agreed, File,
    checksum::{Checksum, Recipe},
};
use crate::codes;
use conversion::Conversion;
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
            file.checksum = Checksum { stored: 0, recipe, ok: true, checked: true };
            file.agreed = Agreed::ALL;
        }
        Ok(file)
    }
}
