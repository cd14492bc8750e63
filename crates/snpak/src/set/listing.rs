//! Everything that a set holds, and where its packs contradict each other.

use super::{Differences, Mount, MountId, Provider, Set};
use crate::hash;
use spelunk_core::{Budget, Result, Task};
use std::cmp::Ordering;

/// In what way packs contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Assets with one id have different content: the fields in which any of those that are shadowed differs from the one
    /// that counts.
    Content(Differences),
    /// Assets with one id have different names or variants, prefixes included.
    Renamed,
    /// Assets with different ids have one name and variant.
    SameName,
}

impl Trouble {
    /// Returns the trouble as one word of JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Trouble::Content(_) => "content",
            Trouble::Renamed => "renamed",
            Trouble::SameName => "same_name",
        }
    }
}

/// Assets that contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict<'c> {
    /// In what way.
    pub trouble: Trouble,
    /// The asset that counts, then those that it hides.
    pub assets: &'c [Provider],
}

/// Sees a conflict.
pub type EachConflict<'e> = &'e mut dyn FnMut(&Conflict<'_>, &mut Task<'_>) -> Result<()>;

impl Set {
    /// Hands out every asset that counts, with those of its id that it shadows behind it: mount by mount, the one that wins
    /// first, in the order of their indexes. No table of the whole is made.
    ///
    /// # Errors
    /// What `each` returns; limits.
    pub fn assets(
        &self,
        task: &mut Task<'_>,
        each: &mut dyn FnMut(&[Provider], &mut Task<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut same = task.budget.vec::<Provider>(self.mounts.len() as u64)?;
        for (rank, (mount, Mount { pack, .. })) in self.mounts().enumerate() {
            for (row, entry) in pack.index().entries().iter().enumerate() {
                task.budget.steps(1)?;
                let id = &entry.asset_id.0;
                if pack.is_shadowed(row, &mut task.budget)?
                    || self.is_among(0..rank, id, &mut task.budget)?
                {
                    continue;
                }
                same.clear();
                same.push(Provider { mount, row });
                for (mount, Mount { pack, .. }) in self.mounts().skip(rank.saturating_add(1)) {
                    task.budget.steps(1)?;
                    let row = pack.by_id(id, &mut task.budget)?;
                    same.extend(row.map(|row| Provider { mount, row }));
                }
                each(&same, task)?;
            }
        }
        task.budget.release((self.mounts.len().saturating_mul(size_of::<Provider>())) as u64);
        Ok(())
    }

    /// Whether one of the mounts of a range has an id.
    fn is_among(
        &self,
        ranks: std::ops::Range<usize>,
        id: &[u8; 16],
        budget: &mut Budget,
    ) -> Result<bool> {
        for (_, Mount { pack, .. }) in self.mounts.get(ranks).unwrap_or_default() {
            budget.steps(1)?;
            if pack.by_id(id, budget)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Hands out where the packs contradict each other: what [`Set::assets`] hands out with different content or names, then
    /// names that assets of different ids share, in one pack or in several. For names a table of all assets is made (16 bytes
    /// for each), and given back.
    ///
    /// # Errors
    /// What `each` returns; limits.
    pub fn conflicts(&self, task: &mut Task<'_>, each: EachConflict<'_>) -> Result<()> {
        self.assets(task, &mut |assets, task| {
            let [first, others @ ..] = assets else { return Ok(()) };
            let (mut content, mut renamed) = (Differences::default(), false);
            for other in others {
                let found = self.differences(*first, *other, &mut task.budget)?;
                content = content.with(found.content());
                renamed |= found.name || found.variant;
            }
            if !content.is_empty() {
                each(&Conflict { trouble: Trouble::Content(content), assets }, task)?;
            }
            if renamed {
                each(&Conflict { trouble: Trouble::Renamed, assets }, task)?;
            }
            Ok(())
        })?;
        self.same_names(task, each)
    }

    /// In what two assets differ; names with the prefixes of their mounts.
    ///
    /// # Errors
    /// Limits.
    pub fn differences(
        &self,
        one: Provider,
        other: Provider,
        budget: &mut Budget,
    ) -> Result<Differences> {
        let (Some(a), Some(b)) = (self.pack(one), self.pack(other)) else {
            return Ok(Differences::default());
        };
        let found = Differences::of([(a, one.row), (b, other.row)], budget)?;
        let name = self.whole_name(one).cmp(self.whole_name(other)) != Ordering::Equal;
        Ok(Differences { name, ..found })
    }

    /// The bytes of a name, without putting them together.
    fn whole_name(&self, of: Provider) -> impl Iterator<Item = u8> + '_ {
        let mount = self.get(of.mount);
        let name = mount.and_then(|mount| mount.pack.name(mount.pack.entry(of.row)?));
        let name = name.filter(|name| !name.is_empty());
        let prefix = name.and(mount).map(|mount| mount.prefix.as_slice());
        prefix.into_iter().chain(name).flatten().copied()
    }

    fn same_names(&self, task: &mut Task<'_>, each: EachConflict<'_>) -> Result<()> {
        let before = task.budget.left().memory;
        let mut named = self.named(&mut task.budget)?;
        let taken = before.saturating_sub(task.budget.left().memory);
        named.sort_unstable();
        let mut assets = Vec::new();
        for same in named.chunk_by_mut(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            // Equal hashes are equal names, unless somebody made them so.
            let provider =
                |(_, rank, row): &(u64, u32, u32)| self.provider_at(*rank as usize, *row as usize);
            let order = |a: &Provider, b: &Provider| {
                let variants = self.variant(*a).cmp(&self.variant(*b));
                self.whole_name(*a).cmp(self.whole_name(*b)).then(variants)
            };
            let rounds = u64::from(same.len().ilog2()).saturating_add(1);
            for it in same.iter().filter_map(provider) {
                let len = self.whole_name(it).count() as u64;
                task.budget.steps((len >> 6).saturating_add(1).saturating_mul(rounds))?;
            }
            let size = same.len().saturating_mul(size_of::<Provider>()) as u64;
            task.budget.memory(size)?;
            assets.clear();
            assets.extend(same.iter().filter_map(provider));
            // Stable: of equal names the one that counts stays first.
            assets.sort_by(order);
            for equal in assets.chunk_by(|a, b| order(a, b) == Ordering::Equal) {
                let id = |asset: &Provider| self.entry(*asset).map(|entry| entry.asset_id);
                let first = equal.first().and_then(id);
                if equal.iter().any(|asset| id(asset) != first) {
                    each(&Conflict { trouble: Trouble::SameName, assets: equal }, task)?;
                }
            }
            task.budget.release(size);
        }
        task.budget.release(taken);
        Ok(())
    }

    fn provider_at(&self, rank: usize, row: usize) -> Option<Provider> {
        self.mounts.get(rank).map(|(mount, _)| Provider { mount: *mount, row })
    }

    /// Hash of name and variant, rank of the mount and position of everything that has a name and is not hidden in its pack.
    fn named(&self, budget: &mut Budget) -> Result<Vec<(u64, u32, u32)>> {
        let live = |mount: &Mount| mount.pack.index().entries().len() as u64;
        let count = self.mounts.iter().map(|(_, mount)| live(mount)).sum();
        // The packs keep these.
        for (_, Mount { pack, .. }) in self.mounts() {
            pack.ids(budget)?;
        }
        let mut named = budget.vec(count)?;
        let mut text = Vec::new();
        for (rank, (_, Mount { pack, prefix, .. })) in (0_u32..).zip(self.mounts()) {
            for (row, entry) in (0_u32..).zip(pack.index().entries()) {
                let name = pack.name(entry).unwrap_or_default();
                if name.is_empty() || pack.is_shadowed(row as usize, budget)? {
                    budget.steps(1)?;
                    continue;
                }
                let variant = pack.variant(entry);
                let len = prefix.len().saturating_add(name.len());
                let len = len.saturating_add(variant.map_or(0, <[u8]>::len));
                budget.touch(len as u64)?;
                text.clear();
                let room = len.saturating_add(1).saturating_sub(text.capacity());
                budget.memory(room as u64)?;
                text.reserve_exact(len.saturating_add(1));
                text.extend_from_slice(prefix);
                text.extend_from_slice(name);
                // No name of a table has a NUL.
                text.extend(variant.is_some().then_some(0));
                text.extend_from_slice(variant.unwrap_or_default());
                named.push((hash::hash64(&text), rank, row));
            }
        }
        Ok(named)
    }

    /// The assets that count, of one mount or of all.
    ///
    /// # Errors
    /// Limits. They stay charged.
    pub fn counting(&self, of: Option<MountId>, task: &mut Task<'_>) -> Result<Vec<Provider>> {
        let mut all = Vec::new();
        self.assets(task, &mut |assets, task| {
            let first = assets.first().filter(|first| of.is_none_or(|of| first.mount == of));
            if let Some(first) = first {
                task.budget.memory(size_of::<Provider>() as u64)?;
                all.push(*first);
            }
            Ok(())
        })?;
        Ok(all)
    }
}
