//! Files that are not complete, and are removed when the process is to end.
//!
//! A program that is interrupted runs no destructors. What would be left then is registered here, and whoever hears of the
//! interruption calls [`end`]. The registry is locked while files come, go, and take their places, so that no file is
//! between those states when the process ends.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError},
};

/// Action that undoes something.
pub type Undo = Box<dyn FnOnce() + Send>;

struct Registry {
    next: u64,
    undo: BTreeMap<u64, Undo>,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { next: 0, undo: BTreeMap::new() });

/// Function that starts to listen for interruptions, and whether it does yet.
static LISTEN: OnceLock<fn()> = OnceLock::new();
static LISTENING: Once = Once::new();

/// Calls `listen` before the first thing is begun that an interruption would have to undo: programs that nothing is left of need
/// not hear of one. The first call counts.
pub fn listen_with(listen: fn()) {
    let _ = LISTEN.set(listen);
}

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something that is undone when the process has to end before this is dropped.
pub struct Unfinished(u64);

impl Unfinished {
    /// Makes something, with an action that undoes it. The process does not [`end`] in between.
    ///
    /// # Errors
    /// Those of `make`; nothing is registered then.
    pub fn begin<T, E>(make: impl FnOnce() -> Result<(T, Undo), E>) -> Result<(T, Unfinished), E> {
        if let Some(listen) = LISTEN.get() {
            LISTENING.call_once(listen);
        }
        let mut registry = registry();
        let (made, undo) = make()?;
        let id = registry.next;
        registry.next = id.saturating_add(1);
        registry.undo.insert(id, undo);
        Ok((made, Unfinished(id)))
    }

    /// Does a part of the work in which the process does not [`end`]. It must be short, and not use the registry.
    pub fn step<T>(&self, work: impl FnOnce() -> T) -> T {
        let _registry = registry();
        work()
    }

    /// Does the last part of the work in the same way. From then on there is nothing to undo.
    pub fn finish<T>(self, work: impl FnOnce() -> T) -> T {
        let mut registry = registry();
        let done = work();
        registry.undo.remove(&self.0);
        drop(registry);
        done
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        registry().undo.remove(&self.0);
    }
}

impl fmt::Debug for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Unfinished").field(&self.0).finish()
    }
}

/// Undoes everything that is not finished, the newest first, and calls `exit`, which is to end the process. Whatever wants
/// to begin or to finish something meanwhile waits until `exit` returns.
pub fn end(exit: impl FnOnce()) {
    let mut registry = registry();
    while let Some((_, undo)) = registry.undo.pop_last() {
        undo();
    }
    exit();
}
