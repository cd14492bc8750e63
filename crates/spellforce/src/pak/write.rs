//! Writing an archive from its model: header, entries, names, data.

use super::archive::Archive;
use crate::bytes::{in_pieces, in_runs};
use spelunk_core::{Result, Task, WriteOptions};
use std::io;
use zerocopy::IntoBytes;

impl Archive {
    /// Lays the archive out and writes it: header, entries, name table, then the data region with its
    /// files, gaps and padding in order.
    ///
    /// # Errors
    /// Reading and writing errors, limits.
    pub fn write(&self, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<()> {
        self.write_with(out, &WriteOptions::default(), task)
    }

    /// Writes the archive with options. In real archives nothing is packed that could be packed once more.
    ///
    /// # Errors
    /// As [`Archive::write`].
    pub fn write_with(
        &self,
        out: &mut dyn io::Write,
        options: &WriteOptions,
        task: &mut Task<'_>,
    ) -> Result<()> {
        options.convert.refuse()?;
        if let Some(index) = self.index() {
            return self.write_spec(index, out, options, task);
        }
        out.write_all(self.header().as_bytes())?;
        out.write_all(self.entry_bytes())?;
        out.write_all(self.name_bytes())?;
        self.in_order(task, |extents, task| {
            in_runs(self.cut(extents).map(|region| region.start..region.end), |run| {
                in_pieces(self.source(), run, &mut task.budget, |bytes| out.write_all(bytes))
            })
        })?
    }
}
