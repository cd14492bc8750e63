//! Writing an archive from its model: header, entries, names, data.

use super::archive::Archive;
use crate::bytes::in_pieces;
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
        for region in self.regions(&mut task.budget)? {
            in_pieces(self.source(), region.start..region.end, &mut task.budget, |bytes| {
                out.write_all(bytes)
            })?;
        }
        Ok(())
    }
}
