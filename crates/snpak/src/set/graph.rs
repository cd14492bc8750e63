//! Needs of assets, across all packs of a set (`docs/formats/snpak.md`, section 4.4).
//!
//! Dependencies name ids. The name that may stand beside is reported and never looked up: whoever gave the asset another name did
//! not change what needs it.

use super::{Mount, Provider, Set};
use crate::{index::Dependency, pack::Pack};
use spelunk_core::{Budget, Result, Task, graph::Graph};

/// Kinds of dependencies that are followed. Each may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Follow {
    /// Dependencies without which the asset does not work.
    pub required: bool,
    /// Dependencies without which the asset works.
    pub optional: bool,
    /// Dependencies that tools want.
    pub auxiliary: bool,
}

impl Follow {
    /// All kinds.
    pub const ALL: Follow = Follow { required: true, optional: true, auxiliary: true };
    /// Dependencies without which assets do not work.
    pub const REQUIRED: Follow = Follow { required: true, optional: false, auxiliary: false };

    /// Whether a dependency is followed.
    pub const fn takes(self, dependency: &Dependency) -> bool {
        match dependency.kind {
            0 => self.required,
            1 => self.optional,
            _ => self.auxiliary,
        }
    }
}

impl Default for Follow {
    fn default() -> Follow {
        Follow::ALL
    }
}

/// A dependency: whose, and which one of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct User {
    /// The asset that needs another one.
    pub asset: Provider,
    /// Position among its dependencies.
    pub nth: usize,
}

/// A dependency on an asset that no pack of the set has.
pub type Missing = User;

/// Assets with all that they need.
#[derive(Debug)]
pub struct Closure {
    graph: Graph<Provider>,
    asked: usize,
    /// Assets that are needed and not there, in the order in which they are met.
    pub missing: Vec<Missing>,
}

impl Closure {
    /// The assets: those that were asked for, each once, then what they need in the order in which it is met.
    pub fn assets(&self) -> &[Provider] {
        self.graph.nodes()
    }

    /// Returns the number of assets that were asked for.
    pub const fn asked(&self) -> usize {
        self.asked
    }

    /// The assets that the one at this position needs.
    pub fn needs(&self, position: usize) -> impl Iterator<Item = Provider> + '_ {
        let targets = self.graph.targets(position).iter();
        targets.filter_map(|target| self.assets().get(*target as usize)).copied()
    }

    /// Assets that need each other, and those that need themselves.
    ///
    /// # Errors
    /// Limits. They stay charged.
    pub fn cycles(&self, budget: &mut Budget) -> Result<Vec<Vec<Provider>>> {
        let assets = |circle: Vec<u32>| {
            let assets = circle.into_iter().map(|at| self.assets().get(at as usize).copied());
            assets.flatten().collect::<Vec<_>>()
        };
        let found = self.graph.cycles(budget)?;
        let count: usize = found.iter().map(Vec::len).sum();
        budget.memory(count.saturating_mul(size_of::<Provider>()) as u64)?;
        Ok(found.into_iter().map(assets).collect())
    }
}

impl Set {
    /// A dependency, as its pack stores it.
    pub fn dependency(&self, of: User) -> Option<&Dependency> {
        self.dependencies(of.asset).get(of.nth)
    }

    /// The name that a dependency has beside the id, as its pack stores it.
    pub fn dependency_name(&self, of: User) -> Option<&[u8]> {
        let name = self.dependency(of)?.name_string_id.get();
        self.pack(of.asset)?.strings().get(name)
    }

    /// Returns these assets with everything that they need, directly and through others. What they need is what counts in the
    /// set; they themselves may be shadowed. What is made stays charged.
    ///
    /// # Errors
    /// Limits: packs may share and repeat dependencies, so that a small file can stand for far more than its bytes.
    pub fn closure(
        &self,
        assets: impl IntoIterator<Item = Provider>,
        follow: Follow,
        task: &mut Task<'_>,
    ) -> Result<Closure> {
        let mut missing = Vec::new();
        let mut roots = Vec::new();
        for asset in assets {
            task.budget.memory(size_of::<Provider>() as u64)?;
            roots.push(asset);
        }
        let graph = Graph::reach(roots.iter().copied(), task, |assets, task, edge| {
            for (position, asset) in assets.iter().enumerate() {
                for (nth, dependency) in self.dependencies(*asset).iter().enumerate() {
                    task.budget.steps(1)?;
                    if !follow.takes(dependency) {
                        continue;
                    }
                    match self.provider(&dependency.asset_id.0, &mut task.budget)? {
                        Some(needed) => edge(position, needed, task)?,
                        None => {
                            task.budget.memory(size_of::<Missing>() as u64)?;
                            missing.push(Missing { asset: *asset, nth });
                        }
                    }
                }
            }
            Ok(())
        })?;
        roots.sort_unstable();
        roots.dedup();
        Ok(Closure { graph, asked: roots.len(), missing })
    }

    /// Hands out every dependency on the asset with this id, mount by mount, of assets that count.
    ///
    /// # Errors
    /// What `each` returns; limits.
    pub fn users(
        &self,
        id: &[u8; 16],
        task: &mut Task<'_>,
        each: &mut dyn FnMut(User, &mut Task<'_>) -> Result<()>,
    ) -> Result<()> {
        for (mount, Mount { pack, .. }) in self.mounts() {
            rows_with_dependencies(pack, task, &mut |row, task| {
                let asset = Provider { mount, row };
                // Whether it counts is asked of those alone that need the asset.
                let mut counts = None;
                for (nth, dependency) in pack.dependencies(row).iter().enumerate() {
                    task.budget.steps(1)?;
                    if dependency.asset_id.0 != *id {
                        continue;
                    }
                    let counts = match counts {
                        Some(counts) => counts,
                        None => *counts.insert(self.is_provider(asset, &mut task.budget)?),
                    };
                    if counts {
                        each(User { asset, nth }, task)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Hands out every dependency on an asset that no pack has, mount by mount, of assets that count.
    ///
    /// # Errors
    /// What `each` returns; limits.
    pub fn missing(
        &self,
        follow: Follow,
        task: &mut Task<'_>,
        each: &mut dyn FnMut(Missing, &mut Task<'_>) -> Result<()>,
    ) -> Result<()> {
        for (mount, Mount { pack, .. }) in self.mounts() {
            rows_with_dependencies(pack, task, &mut |row, task| {
                let asset = Provider { mount, row };
                if !self.is_provider(asset, &mut task.budget)? {
                    return Ok(());
                }
                for (nth, dependency) in pack.dependencies(row).iter().enumerate() {
                    task.budget.steps(1)?;
                    let id = &dependency.asset_id.0;
                    if follow.takes(dependency) && self.provider(id, &mut task.budget)?.is_none() {
                        each(Missing { asset, nth }, task)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// Hands out the positions of the assets that need something, in stored order.
fn rows_with_dependencies(
    pack: &Pack,
    task: &mut Task<'_>,
    each: &mut dyn FnMut(usize, &mut Task<'_>) -> Result<()>,
) -> Result<()> {
    for owner in pack.index().owners() {
        task.budget.steps(1)?;
        each(owner.asset_index.get() as usize, task)?;
    }
    Ok(())
}
