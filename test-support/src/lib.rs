//! Helpers of the tests of all crates, on `&dyn Container`, `&dyn Format` and bytes.
//!
//! No format crate is used, and no C code is linked, so a test of a format without its C codecs has them too.
//!
//! - [`task`]: limits, budgets, and work with what it finds.
//! - [`open`](mod@open): formats on bytes in memory.
//! - [`entries`]: entries, listed, found, read and written.
//! - [`fields`]: the fields of `info`.
//! - [`findings`]: codes of findings.
//! - [`laws`]: laws of every container.
//! - [`memory`]: memory that work takes, where the allocator counts.
//! - [`fuse`]: whether this machine can mount.
//! - [`http`]: requests to a server of this machine, and a server with faults.
//! - [`json`]: truth files, and numbers in them.

#![forbid(unsafe_code)]

pub mod entries;
pub mod fields;
pub mod findings;
pub mod fuse;
pub mod http;
pub mod json;
pub mod laws;
pub mod memory;
pub mod open;
pub mod task;
