//! Files of web servers and object stores: names that are URLs, wherever a verb reads a file, and those of object stores also
//! where it writes one.
//!
//! [`Remote`] stands in front of other [`Files`](spelunk_open::files::Files), such as those of the disk, and takes the names that are
//! URLs. A file is read part by part: its first request brings its size, its tag and its first bytes; after that only those
//! parts come that are asked for. Every later request is for the very state of the file that the first one saw, so that
//! a file that changes meanwhile is an error and no mixture of both.
//!
//! A file that is written waits on the disk until it is complete, and is sent then: the object is there as a whole, or not.
//!
//! ```no_run
//! use spelunk_open::files::{Disk, Files, Reading};
//! use spelunk_remote::{Remote, RemoteOptions};
//!
//! let files = Remote::new(Disk, RemoteOptions::default());
//! let pack = files.open(&"https://example.org/assets.snpak".into(), Reading::default())?;
//! println!("{} bytes, {} request", pack.len(), files.traffic().requests());
//! # Ok::<(), spelunk_core::Error>(())
//! ```

#![forbid(unsafe_code)]

mod address;
mod exchange;
mod fetch;
mod files;
mod listing;
mod options;
mod segments;
mod source;
mod stores;
mod traffic;
mod transport;
mod upload;
mod worker;

pub use files::Remote;
pub use options::RemoteOptions;
pub use source::RemoteSource;
pub use traffic::Traffic;
