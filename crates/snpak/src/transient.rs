//! Memory that is needed for one piece of work and given back after it.

use spelunk_core::Task;

/// Runs `work` and gives the memory back that it took and did not keep in [`Task::scratch`]. What has to
/// stay charged is made before.
pub(crate) fn transient<T>(task: &mut Task<'_>, work: impl FnOnce(&mut Task<'_>) -> T) -> T {
    let free =
        |task: &Task<'_>| task.budget.left().memory.saturating_add(task.scratch.len() as u64);
    let before = free(task);
    let result = work(task);
    let after = free(task);
    task.budget.release(before.saturating_sub(after));
    result
}
