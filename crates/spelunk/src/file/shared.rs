//! State that a file and all entries that were taken from it share.

use super::account::{Account, Charge, Share, wants_more};
use crate::{
    Bytes, Container, Error, Node, Opened, Options, Result, Task, core::replace::FileIdentity,
    core::text::CodePages, open::codes,
};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64, atomic::Ordering},
};

/// Work on a container: it returns a result, and the memory in bytes that this takes.
type ContainerJob<'w, T> = &'w mut dyn FnMut(&dyn Container, &mut Task<'_>) -> Result<(T, u64)>;

/// A file with its account.
pub(super) struct SharedFile {
    pub(super) account: Arc<Account>,
    /// The state that is read now; none when it was let go of.
    current: Mutex<Option<Arc<Snapshot>>>,
    pub(super) options: Options,
    pub(super) origin: Option<Origin>,
    pub(super) pages: CodePages,
}

/// Origin of a file.
#[derive(Clone)]
pub(super) struct Origin {
    pub(super) path: PathBuf,
    /// Identity of the file there when it was opened.
    pub(super) identity: Option<FileIdentity>,
}

/// The content after some number of edits.
pub(super) struct Snapshot {
    pub(super) container: Box<dyn Container>,
    pub(super) generation: u64,
    account: Arc<Account>,
    /// Bytes that it takes beside the state that took its place, while it is still read.
    apart: AtomicU64,
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        self.account.release(*self.apart.get_mut());
    }
}

impl SharedFile {
    pub(super) fn new(opened: Opened, origin: Option<Origin>) -> Arc<SharedFile> {
        let pages = opened.code_pages();
        let (container, findings, budget, options) = opened.into_parts();
        let account = Account::new(budget, findings, options.strict);
        let state = Snapshot {
            container,
            generation: 0,
            account: account.clone(),
            apart: AtomicU64::new(0),
        };
        let current = Mutex::new(Some(Arc::new(state)));
        Arc::new(SharedFile { account, current, options, origin, pages })
    }

    /// The state that is read now.
    pub(super) fn now(&self) -> Result<Arc<Snapshot>> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.clone().ok_or_else(|| Error::new(&codes::STALE))
    }

    /// The state of this generation.
    ///
    /// # Errors
    /// [`codes::STALE`] where another one took its place.
    pub(super) fn at(&self, generation: u64) -> Result<Arc<Snapshot>> {
        let state = self.now()?;
        if state.generation == generation { Ok(state) } else { Err(Error::new(&codes::STALE)) }
    }

    /// Puts another state in the place of the one that is there, which takes `apart` bytes beside it until nobody reads it.
    pub(super) fn swap(&self, container: Box<dyn Container>, apart: u64) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let generation = current.as_ref().map_or(0, |old| old.generation).saturating_add(1);
        let apart_of_new = AtomicU64::new(0);
        let account = self.account.clone();
        let state = Snapshot { container, generation, account, apart: apart_of_new };
        let old = current.replace(Arc::new(state));
        // Dropping it takes the account.
        drop(current);
        match old {
            Some(old) => old.apart.store(apart, Ordering::Relaxed),
            None => self.account.release(apart),
        }
    }

    /// Lets go of the content. Whoever still reads it does so to the end.
    pub(super) fn close(&self) {
        let state = self.current.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(state);
    }

    /// Works on a state. `work` gives what the caller gets, and the memory that this takes, which stays charged while the
    /// [`Charge`] is there; so does what the container keeps for next time. Where memory was lacking `work` is done again.
    pub(super) fn run<T>(
        &self,
        state: &Snapshot,
        work: impl FnMut(&dyn Container, &mut Task<'_>) -> Result<(T, u64)>,
    ) -> Result<(T, Charge)> {
        self.run_with(state, true, work)
    }

    /// The same for work that runs code of the caller, which nobody waits for.
    pub(super) fn run_with<T>(
        &self,
        state: &Snapshot,
        is_own: bool,
        mut work: impl FnMut(&dyn Container, &mut Task<'_>) -> Result<(T, u64)>,
    ) -> Result<(T, Charge)> {
        match self.run_once(state, Share::Half, is_own, &mut work) {
            Err(error) if wants_more(&error) => self.run_once(state, Share::All, is_own, &mut work),
            done => done,
        }
    }

    pub(super) fn run_once<T>(
        &self,
        state: &Snapshot,
        share: Share,
        is_own: bool,
        work: ContainerJob<'_, T>,
    ) -> Result<(T, Charge)> {
        let lent = self.account.lend(share, is_own);
        let mut sink = self.account.sink();
        let mut task = Task::new(lent.budget.clone(), &mut sink);
        task.threads = self.options.threads;
        let mark = task.budget.mark();
        let done = work(state.container.as_ref(), &mut task);
        let kept = task.budget.kept_since(mark);
        // Errors are reported by the call that ends.
        match &done {
            Err(error) if share == Share::Half && wants_more(error) => {}
            _ => self.account.keep(sink.findings),
        }
        // Whatever else was taken, nobody holds it: neither the container nor, where there is an error, the caller.
        let held = done.as_ref().map_or(0, |(_, held)| *held);
        let all = lent.lent();
        lent.end(all.saturating_sub(kept).saturating_sub(held));
        done.map(|(result, held)| (result, self.account.charge(held)))
    }

    /// The plain bytes of an entry.
    pub(super) fn bytes(&self, state: &Snapshot, node: Node) -> Result<Bytes> {
        let (bytes, charge) = self.run(state, |container, task| {
            let before = task.budget.left().memory;
            let bytes = container.bytes(node, task)?;
            // What nobody else holds goes when the caller lets go of it.
            let taken = before.saturating_sub(task.budget.left().memory);
            let held = if bytes.is_unique() { taken.min(bytes.len() as u64) } else { 0 };
            Ok((bytes, held))
        })?;
        Ok(match bytes.is_unique() {
            true => Bytes::from_owner(HeldBytes { bytes, _charge: charge }),
            false => bytes,
        })
    }
}

/// Bytes that the caller holds.
struct HeldBytes {
    bytes: Bytes,
    _charge: Charge,
}

impl AsRef<[u8]> for HeldBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}
