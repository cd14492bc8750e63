//! Look-up by name, and the choice of a variant.

use super::{Mount, Provider, Set};
use crate::{lookup::Which, pack::Pack};
use spelunk_core::{Budget, Result};

/// Meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The asset.
    pub asset: Provider,
    /// Position of its variant among those that were asked for.
    pub preference: usize,
}

impl Set {
    /// All assets with this name, prefix included, and this variant, or none: the one that counts first, then those that
    /// it hides, mount by mount. They stay charged.
    ///
    /// # Errors
    /// Limits: the first look-up in a pack sorts its names, and what that takes stays charged.
    pub fn by_name(
        &self,
        name: &[u8],
        variant: Option<&[u8]>,
        budget: &mut Budget,
    ) -> Result<Vec<Provider>> {
        let mut all = Vec::new();
        for (mount, Mount { pack, prefix, .. }) in self.mounts() {
            budget.steps(1)?;
            let Some(name) = own_name(name, prefix) else { continue };
            let rows = rows(pack, name, variant, budget)?;
            budget.memory((rows.len() as u64).saturating_mul(size_of::<Provider>() as u64))?;
            all.extend(rows.into_iter().map(|row| Provider { mount, row }));
        }
        Ok(all)
    }

    /// The asset with this name, prefix included, in the first of the `variants` that any mount has; `None` among them is
    /// the asset without a variant. A variant that is preferred wins over a mount that does: a pack that replaces the
    /// English text is not to hide the German one of the pack below from someone who reads German. Without variants
    /// nothing is found.
    ///
    /// # Errors
    /// Those of [`Set::by_name`].
    pub fn resolve(
        &self,
        name: &[u8],
        variants: &[Option<&[u8]>],
        budget: &mut Budget,
    ) -> Result<Option<Resolved>> {
        for (preference, variant) in variants.iter().enumerate() {
            for (mount, Mount { pack, prefix, .. }) in self.mounts() {
                budget.steps(1)?;
                let Some(name) = own_name(name, prefix) else { continue };
                if let Some(row) = rows(pack, name, *variant, budget)?.first() {
                    let asset = Provider { mount, row: *row };
                    return Ok(Some(Resolved { asset, preference }));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the name in a mount with this prefix that a name of the set stands for. Assets without a name are not found by their
/// prefix.
fn own_name<'n>(name: &'n [u8], prefix: &[u8]) -> Option<&'n [u8]> {
    name.strip_prefix(prefix).filter(|name| !name.is_empty())
}

/// Assets of a pack that no later one hides.
fn rows(
    pack: &Pack,
    name: &[u8],
    variant: Option<&[u8]>,
    budget: &mut Budget,
) -> Result<Vec<usize>> {
    // The pack keeps these.
    pack.names(Which::All, budget)?;
    let ids = pack.ids(budget)?;
    let before = budget.left().memory;
    let mut rows = pack.all_by_name(name, budget)?;
    budget.release(before.saturating_sub(budget.left().memory));
    rows.retain(|row| {
        let own = pack.entry(*row).and_then(|entry| pack.variant(entry));
        own == variant && !ids.is_shadowed(*row)
    });
    Ok(rows)
}
