//! What the library takes of memory, on sound files, hostile ones and damaged ones. The allocator counts, so one test has the
//! process at a time; no clock decides.

#[path = "../suite/common/mod.rs"]
mod common;
mod damage;
mod front;
mod hostile;
mod hostile_lists;
mod imports;

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;
