//! Containers as folders of the system: the kernel asks for folders and files, and what it is told is what `spelunk extract` would
//! write. Linux only; elsewhere the crate is empty.
//!
//! What is [`Prepared`] becomes a [`Mount`], which answers from its own threads. [`Mount::wait`] returns when it is gone: because
//! somebody unmounted it, or [stopped](Stop) it.
//!
//! | file | what is there |
//! |---|---|
//! | `tree` | the folders and files of one container, by name |
//! | `container` | an opened container, and its entries that are open |
//! | `folder` | what lies in a folder of files |
//! | `space` | all of what is mounted: folders, and containers that are opened when they are entered |
//! | `served` | the answers to the kernel |
//! | `point` | the place of a mount |
//! | `mount` | mounting and unmounting |
//!
//! ```no_run
//! use spelunk::verbs::{Disk, Session};
//! use spelunk_mount::{Prepared, Settings, Silent};
//!
//! let settings = Settings { subject: "level.nmo".into(), point: "/mnt/level".into() };
//! let mount = Prepared::new(Session::new(Disk), &settings, Silent)?.mount()?;
//! println!("{} entries", mount.entries());
//! mount.wait()?;
//! # Ok::<(), spelunk::Error>(())
//! ```

#![cfg(target_os = "linux")]
#![forbid(unsafe_code)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]

mod container;
mod folder;
mod mount;
mod point;
mod said;
mod served;
mod space;
mod tree;

pub use mount::{Mount, Prepared, Settings, Stop};
pub use said::{Said, Silent};
