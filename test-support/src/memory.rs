//! Memory that work takes, where the allocator counts.

use peak_alloc::PeakAlloc;
use spelunk_core::{Error, Limits};
use std::sync::Mutex;

/// Lock of each test that measures, so that it has the process alone.
pub static ALONE: Mutex<()> = Mutex::new(());

/// The result of `work`, and the peak of memory above the start.
pub fn peak<T>(allocator: &PeakAlloc, work: impl FnOnce() -> T) -> (T, usize) {
    let before = allocator.current_usage();
    allocator.reset_peak_usage();
    let done = work();
    (done, allocator.peak_usage().saturating_sub(before))
}

/// The result of `work` on files of these sizes.
///
/// # Panics
/// Where it takes more memory than the files may have together.
pub fn within<T>(
    allocator: &PeakAlloc,
    what: &str,
    sizes: &[usize],
    work: impl FnOnce() -> T,
) -> T {
    let (done, peak) = peak(allocator, work);
    let peak = peak as u64;
    let allowed: u64 = sizes.iter().map(|size| Limits::for_len(*size as u64).memory).sum();
    println!("{what}: {} KB of {} KB", peak >> 10, allowed >> 10);
    assert!(peak <= allowed, "{what}: {peak} bytes where {allowed} are the limit");
    done
}

/// `done`, or the code of the limit that was reached.
pub fn outcome<T>(result: Result<T, Error>) -> &'static str {
    match result {
        Ok(_) => "done",
        Err(error) => error.code().id,
    }
}
