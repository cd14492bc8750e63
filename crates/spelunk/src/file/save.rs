//! Writing files.

use super::{File, account::Share, shared::Snapshot};
use crate::{
    Cancel, Error, Opened, Options, Result, Task, WriteOptions,
    core::replace::{Existing, FileIdentity, Lock, Replacement},
    open::codes,
};
use spelunk_core::Sink;
use spelunk_open::written;
use std::{io::Write, path::Path, sync::Arc};

impl File {
    /// Writes the file to `path`. The new file is there when it is complete, or not at all; what was there before stays until
    /// then, and is replaced. Without an edit these are the bytes that were opened.
    ///
    /// # Errors
    /// [`codes::ONTO_ITSELF`] where `path` leads to the file that is open, which [`File::save_over`] replaces; reading and writing
    /// errors; limits.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let state = self.shared.now()?;
        if self.is_at(path) {
            return Err(Error::new(&codes::ONTO_ITSELF).found(path.display().to_string()));
        }
        let mut new = Replacement::begin(path, Existing::Replace)?;
        self.put(&state, &mut new)?;
        self.keep(new)
    }

    /// Writes the file over the one that was opened, and opens that. The old one is there until the new one is complete.
    ///
    /// # Errors
    /// [`codes::NOT_FROM_DISK`] where it was opened from bytes; [`CHANGED`](codes::core::CHANGED) where another program wrote to it
    /// meanwhile; [`READ_ONLY`](codes::core::READ_ONLY); those of [`File::save`] and [`File::open`]. What was not saved is lost then.
    pub fn save_over(self) -> Result<File> {
        let state = self.shared.now()?;
        let origin = self.shared.origin.clone().ok_or_else(|| Error::new(&codes::NOT_FROM_DISK))?;
        let options = self.shared.options.clone();
        let lock = Lock::take(&origin.path)?;
        lock.refuse_read_only()?;
        if let Some(identity) = &origin.identity {
            lock.check_since(identity)?;
        }
        let mut new = Replacement::edit(lock, Existing::Replace)?;
        self.put(&state, &mut new)?;
        // Nobody may hold what is mapped when it is replaced: entries that are still there are stale from now on.
        drop(state);
        self.shared.close();
        self.keep(new)?;
        drop(self);
        File::at_path(&origin.path, &options)
    }

    /// Writes the file to `out`, whatever that is.
    ///
    /// # Errors
    /// Reading and writing errors; limits.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let state = self.shared.now()?;
        self.put_with(&state, out, Share::Half, false)
    }

    /// The file as it is now, opened once more with limits of its own, and this flag that ends what is done with it.
    ///
    /// # Errors
    /// Those of writing and opening it, for formats that are not changed; limits.
    pub(crate) fn opened(&self, cancel: Option<Cancel>) -> Result<Opened> {
        let state = self.shared.now()?;
        let options = Options { cancel, ..self.shared.options.clone() };
        let mut sink = self.shared.account.sink();
        let mut task = Task::new(options.budget(state.container.size()), &mut sink);
        if let Some(fork) = state.container.fork(&mut task)? {
            let Task { budget, .. } = task;
            return Ok(Opened::resumed(fork, budget, &options));
        }
        let bytes = written(state.container.as_ref(), &WriteOptions::default(), &mut task)?;
        Opened::open(Arc::new(bytes), &options)
    }

    fn put(&self, state: &Snapshot, out: &mut dyn Write) -> Result<()> {
        self.put_with(state, out, Share::All, true)
    }

    /// Writes the state to `out`, in one try: what is written cannot be written again.
    fn put_with(
        &self,
        state: &Snapshot,
        out: &mut dyn Write,
        share: Share,
        is_own: bool,
    ) -> Result<()> {
        let lent = self.shared.account.lend(share, is_own);
        let mut sink = self.shared.account.sink();
        let mut task = Task::new(lent.budget.clone(), &mut sink);
        task.threads = self.shared.options.threads;
        let mark = task.budget.mark();
        let written = state.container.write(out, &WriteOptions::default(), &mut task);
        // Nothing is held of it but what the container keeps.
        let kept = task.budget.kept_since(mark);
        self.shared.account.keep(sink.findings);
        let all = lent.lent();
        lent.end(all.saturating_sub(kept));
        written
    }

    fn keep(&self, new: Replacement) -> Result<()> {
        let findings = new.commit()?;
        let mut sink = self.shared.account.sink();
        for finding in findings {
            sink.report(finding)?;
        }
        self.shared.account.keep(sink.findings);
        Ok(())
    }

    /// Whether a path leads to the file that was opened.
    fn is_at(&self, path: &Path) -> bool {
        let Some(origin) = &self.shared.origin else { return false };
        let real = |path: &Path| path.canonicalize().ok();
        let is_same_path = real(path).is_some_and(|path| real(&origin.path) == Some(path));
        let there = FileIdentity::of(path).ok();
        let is_same_file = there
            .zip(origin.identity.as_ref())
            .is_some_and(|(there, open)| there.is_same_file(open));
        is_same_path || is_same_file
    }
}
