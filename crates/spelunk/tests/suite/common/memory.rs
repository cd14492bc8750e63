//! What work takes, where the allocator counts.

use peak_alloc::PeakAlloc;
use spelunk::{Bytes, Error, Limits, Opened, Options};
use std::sync::{Arc, Mutex};

/// Tests that measure have the process alone.
pub static ALONE: Mutex<()> = Mutex::new(());

/// Does something with files of these sizes, and holds its memory against what they may have together.
pub fn within<T>(
    allocator: &PeakAlloc,
    what: &str,
    sizes: &[usize],
    work: impl FnOnce() -> T,
) -> T {
    let before = allocator.current_usage();
    allocator.reset_peak_usage();
    let done = work();
    let peak = allocator.peak_usage().saturating_sub(before) as u64;
    let allowed: u64 = sizes.iter().map(|size| Limits::for_len(*size as u64).memory).sum();
    println!("{what}: {} KB of {} KB", peak >> 10, allowed >> 10);
    assert!(peak <= allowed, "{what}: {peak} bytes where {allowed} are the limit");
    done
}

pub fn opened(bytes: &[u8]) -> Result<Opened, Error> {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default())
}

/// `done`, or the code of the limit that was reached.
pub fn outcome<T>(result: Result<T, Error>) -> &'static str {
    match result {
        Ok(_) => "done",
        Err(error) => error.code().id,
    }
}
