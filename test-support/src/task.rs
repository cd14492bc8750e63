//! Limits, budgets, and work with what it finds.

use crate::findings::assert_none;
use spelunk_core::{Budget, Collect, Limits, Task};
use std::num::NonZeroUsize;

/// The usual limits of a file of `len` bytes.
pub fn limits(len: usize) -> Limits {
    Limits::for_len(len as u64)
}

/// The usual budget of a file of `len` bytes.
pub fn budget(len: usize) -> Budget {
    Budget::new(limits(len))
}

/// A budget without limits.
pub fn unlimited() -> Budget {
    Budget::new(Limits::unlimited())
}

/// Work with the usual limits of a file of `len` bytes: its result, and what it found.
pub fn with_task<T>(len: usize, work: impl FnOnce(&mut Task<'_>) -> T) -> (T, Collect) {
    with_limits(limits(len), work)
}

/// Work with these limits: its result, and what it found.
pub fn with_limits<T>(limits: Limits, work: impl FnOnce(&mut Task<'_>) -> T) -> (T, Collect) {
    let mut sink = Collect::default();
    let result = work(&mut Task::new(Budget::new(limits), &mut sink));
    (result, sink)
}

/// Work without limits.
///
/// # Panics
/// Where it finds anything.
pub fn with_sound_task<T>(work: impl FnOnce(&mut Task<'_>) -> T) -> T {
    let (result, sink) = with_limits(Limits::unlimited(), work);
    assert_none(&sink);
    result
}

/// Work on this many threads: its result, and what it found.
pub fn on_threads<T>(
    count: usize,
    limits: Limits,
    work: impl FnOnce(&mut Task<'_>) -> T,
) -> (T, Collect) {
    with_limits(limits, |task| {
        task.threads = NonZeroUsize::new(count);
        work(task)
    })
}
