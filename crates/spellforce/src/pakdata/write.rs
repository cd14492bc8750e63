//! Writing a cache from its model: header, archives with their entries, trailing bytes.

use super::{
    cache::{Cache, CachedPak},
    form::header_len,
};
use crate::bytes::in_runs;
use spelunk_core::{Result, Span, Task};
use std::{io, iter, ops::Range};

impl Cache {
    /// Lays the cache out and writes it.
    ///
    /// # Errors
    /// Writing errors, limits.
    pub fn write(&self, out: &mut dyn io::Write, task: &mut Task<'_>) -> Result<()> {
        out.write_all(self.slice(Span::file(0, header_len(self.form))))?;
        for pak in self.paks() {
            task.budget.steps(pak.entries.len() as u64)?;
            self.write_pak(pak, out)?;
        }
        Ok(out.write_all(self.slice(self.trailing()))?)
    }

    /// Writes the head of an archive, its entries, and the words behind them.
    fn write_pak(&self, pak: &CachedPak, out: &mut dyn io::Write) -> Result<()> {
        let (head, rest) = (pak.start..pak.entries_start, pak.entries_end..pak.end());
        let parts = iter::once(head).chain(self.extents(pak)).chain(iter::once(rest));
        in_runs(parts, |run: Range<u64>| {
            let at = Span::file(run.start, run.end.saturating_sub(run.start));
            Ok(out.write_all(self.slice(at))?)
        })
    }
}
