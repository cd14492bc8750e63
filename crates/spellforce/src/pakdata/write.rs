//! Writing a cache from its model: count, archives with their entries, trailing bytes.

use super::{Cache, CachedPak, Text};
use crate::bytes::in_runs;
use spelunk_core::{Result, Span, Task};
use std::io;
use zerocopy::IntoBytes;

impl Cache {
    /// Lays the cache out and writes it.
    ///
    /// # Errors
    /// Writing errors, limits.
    pub fn write(&self, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<()> {
        out.write_all(self.header.as_bytes())?;
        for pak in self.paks() {
            self.write_pak(pak, out, task)?;
        }
        out.write_all(self.slice(self.trailing()))?;
        Ok(())
    }

    fn write_pak(
        &self,
        pak: &CachedPak,
        out: &mut dyn io::Write,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let (key, path) = self.strings(pak)?;
        write_text(&key, out)?;
        write_text(&path, out)?;
        out.write_all(pak.numbers.as_bytes())?;
        task.budget.steps(pak.entries.len() as u64)?;
        in_runs(self.extents(pak), |run| {
            let at = Span::file(run.start, run.end.saturating_sub(run.start));
            Ok(out.write_all(self.slice(at))?)
        })?;
        out.write_all(pak.repeats.as_bytes())?;
        Ok(())
    }
}

fn write_text(text: &Text<'_>, out: &mut dyn io::Write) -> Result<()> {
    out.write_all(text.length)?;
    Ok(out.write_all(text.text)?)
}
