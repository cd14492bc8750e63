//! Writing an archive from its model: header, entries, names, data.

use super::archive::Archive;
use crate::bytes::{in_pieces, in_runs};
use spelunk_core::{Result, Task};
use std::io;
use zerocopy::IntoBytes;

impl Archive {
    /// Lays the archive out and writes it: header, entries, name table, then the data region with its
    /// files, gaps and padding in order.
    ///
    /// # Errors
    /// Reading and writing errors, limits.
    pub fn write(&self, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<()> {
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
