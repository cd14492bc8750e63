//! Several packs as a game mounts them: which pack provides an asset, and what it hides.
//!
//! ```
//! use snpak::{Pack, set::{Mount, Set}};
//! use spelunk_core::{Budget, Bytes, Limits, Strict, Task};
//! use std::sync::Arc;
//!
//! # fn main() -> spelunk_core::Result<()> {
//! # let open = || -> spelunk_core::Result<Pack> {
//! #     let file = Bytes::from(spelunk_fixtures::samples::pack().build().bytes);
//! #     let mut sink = Strict;
//! #     Pack::read_from(Arc::new(file), &mut Task::new(Budget::new(Limits::unlimited()), &mut sink))
//! # };
//! # let (base, patch) = (open()?, open()?);
//! let mut set = Set::default();
//! set.mount(Mount::new("base.snpak", base));
//! let patch = set.mount(Mount::new("patch.snpak", patch).at("dlc/"));
//!
//! let mut budget = Budget::new(Limits::for_len(1 << 20));
//! let found = set.by_name(b"dlc/levels/forest", None, &mut budget)?;
//! assert_eq!(found[0].mount, patch);
//! // Both packs have the asset, and the one that was mounted later wins.
//! let id = set.entry(found[0]).unwrap().asset_id;
//! assert_eq!(set.providers(&id.0, &mut budget)?.len(), 2);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Set`] is a value: nothing is global, and any number of them may share packs. Mounts have an order: the higher
//! priority first, and of equal ones the one that was mounted later. **By id** an asset is that of the first mount whose
//! pack has the id, the rest are shadowed. **By name** ([`resolve`]) mounts are asked in the same order, each for what it
//! calls so; an asset that has another name in a mount before is not looked for there. Within a pack the last entry with an
//! id counts, the others are none of the set. Of several ids with one name in a pack the first in stored order comes
//! first, which is the one that the reference takes (`docs/formats/snpak.md`, section 10).
//!
//! Look-ups go through the tables of each pack, which it makes when it is first asked; nothing is made for the set. [`listing`]
//! lists everything at once, [`graph`] finds what needs what, [`subset`] makes a pack of a part, and `reload` (with the feature
//! `fs`) sees packs change.

pub mod compare;
pub mod graph;
pub mod listing;
#[cfg(feature = "fs")]
pub mod reload;
pub mod resolve;
pub mod subset;
#[cfg(feature = "fs")]
mod watched;

use crate::{
    index::{Dependency, IndexEntry},
    pack::Pack,
};
pub use compare::{Changes, Differences};
pub use graph::{Closure, Follow, Missing, User};
pub use listing::{Conflict, Trouble};
pub use resolve::Resolved;
use spelunk_core::{Budget, Result};
use std::{borrow::Cow, sync::Arc};
pub use subset::Subset;

/// A pack, and where and how it is mounted.
#[derive(Clone, Debug)]
pub struct Mount {
    /// The pack, or the generation of it that is shown.
    pub pack: Arc<Pack>,
    /// Name of the mount for people: a file name.
    pub label: String,
    /// Bytes before the names of all its assets, with the `/` that belongs behind a folder.
    pub prefix: Vec<u8>,
    /// The higher one wins; of equal ones the one that is mounted later.
    pub priority: i32,
}

impl Mount {
    /// A pack at the root, with priority 0.
    pub fn new(label: impl Into<String>, pack: impl Into<Arc<Pack>>) -> Mount {
        Mount { pack: pack.into(), label: label.into(), prefix: Vec::new(), priority: 0 }
    }

    /// [`Mount::new`] of what a pack that is lent shows.
    pub fn of_shown(label: impl Into<String>, pack: &Pack) -> Mount {
        Mount::new(label, pack.share())
    }

    /// The same below a prefix.
    #[must_use]
    pub fn at(self, prefix: impl Into<Vec<u8>>) -> Mount {
        Mount { prefix: prefix.into(), ..self }
    }

    /// The same with another priority.
    #[must_use]
    pub fn priority(self, priority: i32) -> Mount {
        Mount { priority, ..self }
    }
}

/// A mount of a set. One set never gives the same twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MountId(u32);

/// An asset, and the pack that has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Provider {
    /// The mount.
    pub mount: MountId,
    /// Position of the asset in the index of its pack.
    pub row: usize,
}

/// Mounted packs.
#[derive(Debug, Default)]
pub struct Set {
    /// The first one wins.
    mounts: Vec<(MountId, Mount)>,
    next: u32,
    #[cfg(feature = "fs")]
    watched: Vec<(MountId, watched::Watched)>,
}

impl Set {
    /// Mounts a pack.
    pub fn mount(&mut self, mount: Mount) -> MountId {
        let id = MountId(self.next);
        self.next = self.next.saturating_add(1);
        let place = self.mounts.partition_point(|(_, known)| known.priority > mount.priority);
        self.mounts.insert(place, (id, mount));
        id
    }

    /// Takes a mount away.
    pub fn unmount(&mut self, id: MountId) -> Option<Mount> {
        #[cfg(feature = "fs")]
        self.watched.retain(|(known, _)| *known != id);
        let place = self.mounts.iter().position(|(known, _)| *known == id)?;
        Some(self.mounts.remove(place).1)
    }

    /// Puts another pack in the place of a mounted one, and gives that one. Providers of the mount are not to be used any
    /// more.
    pub fn replace(&mut self, id: MountId, pack: Arc<Pack>) -> Option<Arc<Pack>> {
        let (_, mount) = self.mounts.iter_mut().find(|(known, _)| *known == id)?;
        Some(std::mem::replace(&mut mount.pack, pack))
    }

    /// The mounts; the first one wins.
    pub fn mounts(&self) -> impl DoubleEndedIterator<Item = (MountId, &Mount)> {
        self.mounts.iter().map(|(id, mount)| (*id, mount))
    }

    /// A mount.
    pub fn get(&self, id: MountId) -> Option<&Mount> {
        self.mounts.iter().find(|(known, _)| *known == id).map(|(_, mount)| mount)
    }

    /// Returns the number of mounts that come before this one.
    fn rank(&self, id: MountId) -> usize {
        let place = self.mounts.iter().position(|(known, _)| *known == id);
        place.unwrap_or(self.mounts.len())
    }

    /// The pack of an asset.
    pub fn pack(&self, of: Provider) -> Option<&Arc<Pack>> {
        self.get(of.mount).map(|mount| &mount.pack)
    }

    /// The entry of an asset.
    pub fn entry(&self, of: Provider) -> Option<&IndexEntry> {
        self.pack(of)?.entry(of.row)
    }

    /// The name of an asset, behind the prefix of its mount. An empty one counts as none.
    pub fn name(&self, of: Provider) -> Option<Cow<'_, [u8]>> {
        let mount = self.get(of.mount)?;
        let name = mount.pack.name(mount.pack.entry(of.row)?).filter(|name| !name.is_empty())?;
        Some(match mount.prefix.as_slice() {
            [] => Cow::Borrowed(name),
            prefix => Cow::Owned([prefix, name].concat()),
        })
    }

    /// The variant of an asset.
    pub fn variant(&self, of: Provider) -> Option<&[u8]> {
        let pack = self.pack(of)?;
        pack.variant(pack.entry(of.row)?)
    }

    /// Returns the dependencies of an asset, as its pack states them.
    pub fn dependencies(&self, of: Provider) -> &[Dependency] {
        self.pack(of).map(|pack| pack.dependencies(of.row)).unwrap_or_default()
    }

    /// The asset with this id.
    ///
    /// # Errors
    /// Limits: the first look-up in a pack makes a table of its ids, and what that takes stays charged.
    pub fn provider(&self, id: &[u8; 16], budget: &mut Budget) -> Result<Option<Provider>> {
        for (mount, Mount { pack, .. }) in self.mounts() {
            budget.steps(1)?;
            if let Some(row) = pack.by_id(id, budget)? {
                return Ok(Some(Provider { mount, row }));
            }
        }
        Ok(None)
    }

    /// All assets with this id: the one that counts, then those that it shadows. They stay charged.
    ///
    /// # Errors
    /// Those of [`Set::provider`].
    pub fn providers(&self, id: &[u8; 16], budget: &mut Budget) -> Result<Vec<Provider>> {
        let mut all = budget.vec(self.mounts.len() as u64)?;
        for (mount, Mount { pack, .. }) in self.mounts() {
            budget.steps(1)?;
            all.extend(pack.by_id(id, budget)?.map(|row| Provider { mount, row }));
        }
        Ok(all)
    }

    /// Whether this asset is the one with its id: neither a later one in its pack nor one in a mount before has it.
    ///
    /// # Errors
    /// Those of [`Set::provider`].
    pub fn is_provider(&self, asset: Provider, budget: &mut Budget) -> Result<bool> {
        let Some(entry) = self.entry(asset) else { return Ok(false) };
        Ok(self.provider(&entry.asset_id.0, budget)? == Some(asset))
    }
}
