//! Packs that change while they are read.
//!
//! # What is safe
//!
//! **Appends.** The writers of the format, and [`append`](mod@crate::edit::append) here, put everything new behind the end
//! of the pack and then write the header over. An opened [`Pack`](crate::Pack) has its own copy of the header and reads nothing but what
//! lay in the pack when it was opened, so it goes on to be readable, mapped or not, while others append and afterwards.
//!
//! **Replacement.** A new file that takes the place of the old one by a rename leaves the old one to those who have it open.
//! Windows refuses to replace a file that is mapped: open with [`Mapping::Never`] there, or let go of the pack before.
//!
//! **Everything else is not safe.** A file that is written over in place changes under the readers: payloads no longer match
//! their hashes. One that is cut short has bytes that are gone; for a mapped file that ends the process on most systems
//! (see [`Mapping`]), for others it is an error. Open with [`Mapping::Never`] what such writers may write to.

pub use super::watched::{Reload, Watched};
use super::{Mount, MountId, Set};
use crate::OpenOptions;
use spelunk_core::{Result, Task, source::Mapping};
use std::path::PathBuf;

impl Set {
    /// Mounts the pack at `path`, to be [reloaded](Set::reload) when it changes. The label is the path.
    ///
    /// # Errors
    /// Those of [`Watched::open`].
    pub fn mount_path(
        &mut self,
        path: impl Into<PathBuf>,
        mapping: Mapping,
        prefix: impl Into<Vec<u8>>,
        priority: i32,
        task: &mut Task<'_>,
    ) -> Result<MountId> {
        let watched = Watched::open(path, mapping, OpenOptions::default(), task)?;
        let label = watched.path().display().to_string();
        let mount = Mount::new(label, watched.pack().clone()).at(prefix).priority(priority);
        let id = self.mount(mount);
        self.watched.push((id, watched));
        Ok(id)
    }

    /// Looks at all packs that were mounted by their paths, and mounts those that changed as they are now, in their places.
    /// Hands out what became of each of them, in the order in which they were mounted; one that cannot be read keeps no
    /// other from being looked at. Providers of mounts that changed are not to be used any more; packs that callers hold stay
    /// readable.
    pub fn reload(&mut self, task: &mut Task<'_>, each: &mut dyn FnMut(MountId, Result<Reload>)) {
        let mut watched = std::mem::take(&mut self.watched);
        for (id, file) in &mut watched {
            let reloaded = file.reload(task);
            if matches!(reloaded, Ok(Reload::Changed(_))) {
                self.replace(*id, file.pack().clone());
            }
            each(*id, reloaded);
        }
        self.watched = watched;
    }
}
