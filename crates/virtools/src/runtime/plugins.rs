//! The plugins that an engine has, and which of those that a file needs it lacks
//! (`docs/formats/virtools-runtime.md#plugins`).

use crate::{
    codes,
    file::{
        File,
        plugins::{BEHAVIOURS, Plugins},
    },
    script::blocks::Uses,
};
use spelunk_core::{Budget, Error, Result};
use std::collections::{BTreeMap, BTreeSet};

/// The plugins, and the prototypes of building blocks, that an engine has.
///
/// ```
/// use virtools::runtime::plugins::Registry;
///
/// let mut registry = Registry::new();
/// registry.add_plugin(3, [0x4f243100, 0x28ab3f51], Some("Sectors"));
/// registry.add_prototype([0x01234567, 0x89abcdef], None);
/// assert!(registry.find([0x4f243100, 0x28ab3f51], Some(3)).is_some());
/// // Prototypes are there as behaviours are: 4 is the category of these.
/// assert!(registry.find([0x01234567, 0x89abcdef], Some(4)).is_some());
/// assert!(registry.find([0x4f243100, 0x28ab3f51], Some(4)).is_none());
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Registry {
    /// Names by GUID and category, so that those of one GUID are neighbours.
    plugins: BTreeMap<([u32; 2], u32), Option<String>>,
    prototypes: BTreeMap<[u32; 2], Option<String>>,
}

/// A component of a registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Component<'r> {
    /// Category of the component; 4, behaviours, for the prototype of a building block.
    pub category: u32,
    /// Name, where it is known.
    pub name: Option<&'r str>,
}

impl Registry {
    /// A registry without plugins.
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Adds a plugin, or gives one that is there another name. `category` is one of those of the
    /// [plugin dependencies](crate::file::plugins::category_name).
    pub fn add_plugin(&mut self, category: u32, guid: [u32; 2], name: Option<&str>) {
        self.plugins.insert((guid, category), name.map(str::to_owned));
    }

    /// Adds the prototype of a building block, or gives one that is there another name.
    pub fn add_prototype(&mut self, guid: [u32; 2], name: Option<&str>) {
        self.prototypes.insert(guid, name.map(str::to_owned));
    }

    /// The plugin of this category that has the GUID; among behaviours the prototype of a building block will do, too.
    /// Without a category all are searched, from the lowest on.
    pub fn find(&self, guid: [u32; 2], category: Option<u32>) -> Option<Component<'_>> {
        let (low, high) = category.map_or((0, u32::MAX), |category| (category, category));
        let plugin = self.plugins.range((guid, low)..=(guid, high)).next();
        let plugin = plugin
            .map(|((_, category), name)| Component { category: *category, name: name.as_deref() });
        plugin.or_else(|| {
            let name = self.prototypes.get(&guid).filter(|_| (low..=high).contains(&BEHAVIOURS))?;
            Some(Component { category: BEHAVIOURS, name: name.as_deref() })
        })
    }

    /// Looks up what a file needs. The GUID of zeros, which is in the lists of many files, stands for nothing and counts
    /// as there.
    ///
    /// # Errors
    /// Those of [`File::plugin_dependencies`]; limits.
    pub fn check(&self, file: &File, budget: &mut Budget) -> Result<Vec<Dependencies>> {
        let Plugins { groups, .. } = &*file.plugin_dependencies(budget)?;
        let mut all = budget.vec(groups.len() as u64)?;
        for group in groups {
            let mut guids = budget.vec((group.guids.len() as u64) >> 3)?;
            for guid in group.guids() {
                let guid = [guid.d1.get(), guid.d2.get()];
                let valid = guid == [0, 0] || self.find(guid, Some(group.category)).is_some();
                guids.push((guid, valid));
            }
            all.push(Dependencies { category: group.category, guids });
        }
        Ok(all)
    }
}

/// The plugins of one category that a file needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependencies {
    /// Category of the plugins.
    pub category: u32,
    /// All GUIDs of the list, in its order and with its repeats, and whether each is there.
    pub guids: Vec<([u32; 2], bool)>,
}

impl Dependencies {
    /// The GUIDs that are not there, each once, in the order of the list.
    pub fn missing(&self) -> impl Iterator<Item = [u32; 2]> + '_ {
        let mut seen = BTreeSet::new();
        let missing = self.guids.iter().filter(|(_, valid)| !valid).map(|(guid, _)| *guid);
        missing.filter(move |guid| seen.insert(*guid))
    }
}

/// Returns the warning for a file of which plugins are missing, since engines load it all the same. `None` where all are there.
pub fn fault(file: &File, dependencies: &[Dependencies]) -> Option<Error> {
    let missing = dependencies.iter().flat_map(Dependencies::missing).count();
    if missing == 0 {
        return None;
    }
    let error =
        Error::new(&codes::PLUGINS_MISSING).field("plugins").found(format!("{missing} of them"));
    Some(match &file.table().plugins {
        Some(plugins) => error.at(plugins.span(file.header1().plain_at())),
        None => error,
    })
}

/// Uses of the building blocks of a file, by the GUIDs of their prototypes. Behaviours that cannot be read are passed over.
///
/// # Errors
/// When records cannot be read; limits.
pub fn uses(file: &File, budget: &mut Budget) -> Result<BTreeMap<[u32; 2], Uses>> {
    let mut uses: BTreeMap<[u32; 2], Uses> = BTreeMap::new();
    file.each_block(budget, &mut |object, guid, budget| {
        let name = file.table().name(object);
        budget.memory((name.len() as u64).saturating_add(64))?;
        let block = uses.entry([guid.d1.get(), guid.d2.get()]).or_default();
        block.count = block.count.saturating_add(1);
        let count = block.names.entry(name.to_vec()).or_default();
        *count = count.saturating_add(1);
        Ok(())
    })?;
    Ok(uses)
}
