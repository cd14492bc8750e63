//! Several packs as a game mounts them: which one provides each asset, and what it hides.

use crate::{
    Collect, Error, Options, Result, Task,
    containers::sets::{EntrySummary, Layer, Layers},
    core::text::CodePages,
    entries::select::Select,
    open::codes,
};
use snpak::{
    AssetId,
    set::{Conflict, Provider, Set, Trouble},
};
use std::collections::HashSet;

/// An asset that counts.
#[derive(Clone, Debug)]
pub struct Row {
    /// The asset, and the pack that provides it.
    pub item: EntrySummary,
    /// Id of the asset.
    pub id: AssetId,
    /// Id of its kind, whose name stands in the item where it has one.
    pub kind: AssetId,
    /// Plain size of the main payload in bytes.
    pub size: u64,
    /// The packs whose assets of the same id it hides, the one that would be next first.
    pub shadows: Vec<String>,
}

/// The asset that a name means to a game that prefers some variants.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The name, behind the prefix of its mount, as a path.
    pub name: String,
    /// The asset; `None` where there is none of the wanted variants.
    pub found: Option<(Row, Option<String>)>,
}

/// Assets that contradict each other.
#[derive(Clone, Debug)]
pub struct Clash {
    /// In what way.
    pub trouble: Trouble,
    /// The asset that counts, then those that it hides.
    pub assets: Vec<(EntrySummary, AssetId)>,
}

impl Clash {
    /// The fields that differ.
    pub fn fields(&self) -> Vec<&'static str> {
        match &self.trouble {
            Trouble::Content(fields) => fields.names().collect(),
            _ => Vec::new(),
        }
    }
}

/// Packs as they are mounted, the later ones over the earlier.
#[derive(Debug)]
pub struct Overlay(Layers);

impl Overlay {
    /// Mounts packs; the last one wins.
    ///
    /// # Errors
    /// [`ONLY_PACKS`](codes::ONLY_PACKS) where one of them is none.
    pub fn new(layers: Vec<Layer>, options: &Options) -> Result<Overlay> {
        let layers = Layers::new(layers, |_| 0, options)?;
        match &layers.set {
            Some(_) => Ok(Overlay(layers)),
            None => {
                let found = layers.container(0)?.format();
                Err(Error::new(&codes::ONLY_PACKS).found(found))
            }
        }
    }

    /// Findings so far.
    pub const fn findings(&self) -> &Collect {
        &self.0.findings
    }

    /// The code pages that names are shown in.
    pub const fn code_pages(&self) -> &CodePages {
        &self.0.pages
    }

    /// Hands out every asset that counts and is selected.
    ///
    /// # Errors
    /// What `each` returns; limits; reading errors.
    pub fn assets(
        &mut self,
        select: &Select,
        each: &mut dyn FnMut(&Row) -> Result<()>,
    ) -> Result<()> {
        self.0.run(|layers, task| {
            let set = mounted(layers)?;
            set.assets(task, &mut |assets, task| {
                let Some(row) = task.transient(|task| row(layers, set, assets, task))? else {
                    return Ok(());
                };
                let EntrySummary { path, kind, name, .. } = &row.item;
                match select.wants_named([path, kind, name], &mut task.budget)? {
                    true => each(&row),
                    false => Ok(()),
                }
            })
        })
    }

    /// Hands out what each name that is selected means to a game that prefers these variants; `None` is the asset without
    /// one. The first variant that any pack has wins, then the later pack.
    ///
    /// # Errors
    /// What `each` returns; limits; reading errors.
    pub fn choices(
        &mut self,
        variants: &[Option<Vec<u8>>],
        select: &Select,
        each: &mut dyn FnMut(&Choice) -> Result<()>,
    ) -> Result<()> {
        let wanted: Vec<Option<&[u8]>> = variants.iter().map(Option::as_deref).collect();
        self.0.run(|layers, task| {
            let set = mounted(layers)?;
            let mut known: HashSet<Vec<u8>> = HashSet::new();
            set.assets(task, &mut |assets, task| {
                // One that has another name in a pack above is still found by the one that it has here.
                for asset in assets {
                    let Some(name) = set.name(*asset) else { continue };
                    task.budget.touch(name.len() as u64)?;
                    if known.contains(&*name) {
                        continue;
                    }
                    task.budget.memory((name.len() as u64).saturating_add(64))?;
                    known.insert(name.to_vec());
                    let mut path = String::new();
                    layers.pages.path(&name, &mut path);
                    let shown = layers.pages.show(&name);
                    if !select.wants_named([&path, "", &shown], &mut task.budget)? {
                        continue;
                    }
                    let found = set.resolve(&name, &wanted, &mut task.budget)?;
                    let found = found.map(|found| {
                        let variant = set.variant(found.asset);
                        let variant = variant.map(|it| layers.pages.show(it).into_owned());
                        let row = task.transient(|task| row(layers, set, &[found.asset], task))?;
                        Ok::<_, Error>(row.map(|row| (row, variant)))
                    });
                    let found = found.transpose()?.flatten();
                    each(&Choice { name: path, found })?;
                }
                Ok(())
            })
        })
    }

    /// Hands out where the packs contradict each other, of assets of which any is selected.
    ///
    /// # Errors
    /// What `each` returns; limits; reading errors.
    pub fn conflicts(
        &mut self,
        select: &Select,
        each: &mut dyn FnMut(&Clash) -> Result<()>,
    ) -> Result<()> {
        self.0.run(|layers, task| {
            let set = mounted(layers)?;
            set.conflicts(task, &mut |conflict, task| {
                let clash = task.transient(|task| clash(layers, set, conflict, task))?;
                for (item, _) in &clash.assets {
                    let EntrySummary { path, kind, name, .. } = item;
                    if select.wants_named([path, kind, name], &mut task.budget)? {
                        return each(&clash);
                    }
                }
                Ok(())
            })
        })
    }
}

fn mounted(layers: &Layers) -> Result<&Set> {
    layers.set.as_ref().ok_or_else(|| Error::new(&codes::ONLY_PACKS))
}

fn item(
    layers: &Layers,
    set: &Set,
    asset: Provider,
    task: &mut Task<'_>,
) -> Result<Option<(EntrySummary, AssetId)>> {
    let (Some(key), Some(entry)) = (layers.key(asset), set.entry(asset)) else { return Ok(None) };
    Ok(Some((layers.item(key, task)?, entry.asset_id.into())))
}

fn row(
    layers: &Layers,
    set: &Set,
    assets: &[Provider],
    task: &mut Task<'_>,
) -> Result<Option<Row>> {
    let [first, others @ ..] = assets else { return Ok(None) };
    let Some((item, id)) = item(layers, set, *first, task)? else { return Ok(None) };
    let Some(entry) = set.entry(*first) else { return Ok(None) };
    let (kind, size) = (entry.asset_kind.into(), entry.payload_chunk_size_uncompressed.get());
    let label = |asset: &Provider| set.get(asset.mount).map(|mount| mount.label.clone());
    let shadows = others.iter().filter_map(label).collect();
    Ok(Some(Row { item, id, kind, size, shadows }))
}

fn clash(
    layers: &Layers,
    set: &Set,
    conflict: &Conflict<'_>,
    task: &mut Task<'_>,
) -> Result<Clash> {
    let mut assets = Vec::new();
    for asset in conflict.assets {
        assets.extend(item(layers, set, *asset, task)?);
    }
    Ok(Clash { trouble: conflict.trouble, assets })
}
