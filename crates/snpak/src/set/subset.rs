//! A part of a set, or of one pack, with all that it needs, as a pack of its own.

use super::{Follow, Missing, Provider, Set};
use crate::{
    AssetId,
    build::{Need, Options, asset::Asset, lay::Row},
    codes,
    edit::{Draft, draft::described, fresh::WrittenPack},
    pack::{Pack, not_found},
};
use spelunk_core::{Error, Result, Seg, Task};
use std::{
    collections::HashSet,
    io::{Seek, Write},
};

/// A pack that is to be.
#[derive(Debug)]
pub struct Subset {
    draft: Draft,
    /// Number of assets that were asked for.
    pub asked: usize,
    /// Number of further assets that they need.
    pub needed: usize,
}

impl Subset {
    /// Number of assets.
    pub fn len(&self) -> usize {
        self.draft.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.draft.is_empty()
    }

    /// Writes the pack.
    ///
    /// # Errors
    /// Those of [`Draft::write`].
    pub fn write(
        self,
        out: &mut (impl Write + Seek),
        options: Options,
        task: &mut Task<'_>,
    ) -> Result<WrittenPack> {
        self.draft.write(out, options, task)
    }
}

impl Set {
    /// Makes a pack of these assets with everything that they need: in the order of the mounts, the one that wins first, and of
    /// their indexes. Chunks are those that are stored; names have the prefixes of their mounts. Of assets with one id the one
    /// that counts in the set is taken, or the first of those that were asked for.
    ///
    /// All payloads are checked. The chunks of one pack, the one that most assets are from, are copied while the pack is
    /// written. Those of others are lent by their sources or read now.
    ///
    /// Dependencies that lead nowhere stay, since another pack may have what they want; they are warnings where they are
    /// required, and notes otherwise.
    ///
    /// # Errors
    /// What the sink makes of the findings; a chunk that is damaged; limits; reading errors.
    pub fn subset(
        &self,
        assets: impl IntoIterator<Item = Provider>,
        follow: Follow,
        task: &mut Task<'_>,
    ) -> Result<Subset> {
        let closure = self.closure(assets, follow, task)?;
        for missing in &closure.missing {
            self.report(*missing, task)?;
        }
        let mut chosen = self.one_of_each(closure.assets(), task)?;
        chosen.sort_unstable_by_key(|asset| (self.rank(asset.mount), asset.row));
        let asked = closure.assets().get(..closure.asked()).unwrap_or_default();
        // Of those that were asked for with one id one is taken.
        let asked = self.one_of_each(asked, task)?.len();
        let draft = self.draft(&chosen, task)?;
        Ok(Subset { draft, asked, needed: chosen.len().saturating_sub(asked) })
    }

    fn report(&self, missing: Missing, task: &mut Task<'_>) -> Result<()> {
        let Some(dependency) = self.dependency(missing) else { return Ok(()) };
        let id = AssetId::from(dependency.asset_id);
        let kind = dependency.kind_name().unwrap_or("unknown");
        let name = self.dependency_name(missing);
        let owner = self.name(missing.asset).unwrap_or_default();
        // Few long names can be reported very often.
        task.budget.touch(name.map_or(0, <[u8]>::len).saturating_add(owner.len()) as u64)?;
        let name = name.map(|name| format!("`{}` ", name.escape_ascii())).unwrap_or_default();
        let error = Error::new(&codes::NEED_MISSING).found(format!("{name}{id}, {kind}"));
        let error = error.within(Seg::Index(missing.nth as u64));
        let key = String::from_utf8_lossy(&owner).into_owned();
        let error = error.field("dependencies").within(Seg::Key(key.into()));
        let error = error.field("assets");
        if dependency.kind == 0 { task.warn(error) } else { task.note(error) }
    }

    /// Returns an asset of each id.
    fn one_of_each(&self, assets: &[Provider], task: &mut Task<'_>) -> Result<Vec<Provider>> {
        let mut known = HashSet::new();
        let size = (size_of::<Provider>() as u64).saturating_add(32);
        task.budget.memory((assets.len() as u64).saturating_mul(size))?;
        let mut chosen = Vec::new();
        // Those that count come first, so that others give way.
        for counts in [true, false] {
            for asset in assets {
                let Some(entry) = self.entry(*asset) else { continue };
                if self.is_provider(*asset, &mut task.budget)? == counts
                    && known.insert(entry.asset_id)
                {
                    chosen.push(*asset);
                }
            }
        }
        Ok(chosen)
    }

    fn draft(&self, chosen: &[Provider], task: &mut Task<'_>) -> Result<Draft> {
        // Names of mounts with a prefix are new, so their assets are described.
        let count = |mount| chosen.iter().filter(|asset| asset.mount == mount).count();
        let base = self.mounts().map(|(mount, _)| mount).max_by_key(|mount| count(*mount));
        let base = base.and_then(|mount| Some((mount, self.get(mount)?)));
        let Some((base, mount)) = base else { return Ok(Draft::default()) };
        let keeps = mount.prefix.is_empty();
        let mut rows = task.budget.vec::<Row>(chosen.len() as u64)?;
        for asset in chosen {
            if asset.mount == base {
                // Those of other packs are read and checked when they are described.
                check(&mount.pack, asset.row, task)?;
            }
            rows.push(match u32::try_from(asset.row) {
                Ok(row) if asset.mount == base && keeps => Row::Kept(row),
                _ => Row::Asset(Box::new(self.described(*asset, asset.mount == base, task)?)),
            });
        }
        Ok(Draft::of_rows(mount.pack.clone(), rows))
    }

    /// An asset for another pack; `stays` where that is made of its own.
    fn described(&self, asset: Provider, stays: bool, task: &mut Task<'_>) -> Result<Asset> {
        let mount = self.get(asset.mount).ok_or_else(not_found)?;
        let mut found = match stays {
            true => described(&mount.pack, asset.row, true, &mut task.budget)?,
            false => mount.pack.carried(asset.row, task)?,
        };
        if !mount.prefix.is_empty() && !found.name.is_empty() {
            task.budget.memory(mount.prefix.len() as u64)?;
            found.name.splice(0..0, mount.prefix.iter().copied());
        }
        for need in &mut found.dependencies {
            self.rename(need, task)?;
        }
        Ok(found)
    }

    /// Gives a dependency that states a name the one that the asset has now, where that has a prefix.
    fn rename(&self, need: &mut Need, task: &mut Task<'_>) -> Result<()> {
        let Some(name) = &mut need.name else { return Ok(()) };
        let Some(found) = self.provider(&need.asset_id.0, &mut task.budget)? else { return Ok(()) };
        let prefix = self.get(found.mount).map_or(&[][..], |mount| &mount.prefix);
        if let Some(now) = self.name(found).filter(|_| !prefix.is_empty()) {
            task.budget.memory(now.len() as u64)?;
            *name = now.into_owned();
        }
        Ok(())
    }
}

/// Reads the payloads of an asset, block by block, and compares them with their hashes.
fn check(pack: &Pack, row: usize, task: &mut Task<'_>) -> Result<()> {
    let bulk = pack.entry(row).map_or(0, |entry| pack.bulk(entry).len());
    pack.stream(&pack.locate(row)?, task, &mut |_, _| Ok(()))?;
    (0..bulk)
        .try_for_each(|nth| pack.stream(&pack.locate_bulk(row, nth)?, task, &mut |_, _| Ok(())))
}
