//! Plugins that the objects need (`docs/formats/virtools.md#43-plugin-dependencies`).

use super::{
    File,
    data::Owner,
    table::{BEHAVIOURS, PluginGroup, Plugins},
};
use crate::{chunk::prototype::prototype, class};
use spelunk_core::{Budget, Bytes, Class, Result, scalar::Guid};
use std::{borrow::Cow, collections::BTreeSet};
use zerocopy::IntoBytes;

/// The plugins and prototypes of building blocks that a program has.
#[derive(Clone, Default, Debug)]
pub struct Registry {
    plugins: BTreeSet<(u32, [u8; 8])>,
    prototypes: BTreeSet<[u8; 8]>,
}

/// A plugin that a file needs and a registry lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missing {
    /// Kind of plugin.
    pub category: u32,
    /// Position in the group of that kind.
    pub index: usize,
    /// The plugin, or the prototype of a building block.
    pub guid: Guid,
}

impl Registry {
    /// Adds a plugin.
    pub fn add_plugin(&mut self, category: u32, guid: Guid) {
        self.plugins.insert((category, key(guid)));
    }

    /// Adds the prototype of a building block.
    pub fn add_prototype(&mut self, guid: Guid) {
        self.prototypes.insert(key(guid));
    }

    /// Whether there is a plugin of this kind; among behaviours the prototype of a building block will do, too.
    pub fn has(&self, category: u32, guid: Guid) -> bool {
        let guid = key(guid);
        self.plugins.contains(&(category, guid))
            || category == BEHAVIOURS && self.prototypes.contains(&guid)
    }
}

fn key(guid: Guid) -> [u8; 8] {
    zerocopy::transmute!(guid)
}

impl File {
    /// The plugins that the objects need. Files below FileVersion 8 do not tell; theirs are the prototypes of the
    /// building blocks among their behaviours, each once, in the order of the objects.
    ///
    /// # Errors
    /// When records cannot be read; limits. Chunks that cannot be read are passed over.
    pub fn plugin_dependencies(&self, budget: &mut Budget) -> Result<Cow<'_, Plugins>> {
        if self.head.version() >= 8 {
            let none = || Cow::Owned(Plugins { at: 0, groups: Vec::new() });
            return Ok(self.table.plugins.as_ref().map_or_else(none, Cow::Borrowed));
        }
        let mut seen = BTreeSet::new();
        let mut guids = Vec::new();
        for (index, object) in (0..).zip(&self.table.objects) {
            budget.steps(1)?;
            if object.class_id != class::BEHAVIOR {
                continue;
            }
            let guid = match self.chunk(Owner::Object(index), budget) {
                Ok(chunk) => chunk.and_then(|chunk| prototype(&chunk)),
                Err(error) if error.code().class == Class::Malformed => None,
                Err(error) => return Err(error),
            };
            if let Some(guid) = guid.filter(|guid| seen.insert(key(*guid))) {
                budget.memory(64)?;
                guids.extend_from_slice(guid.as_bytes());
            }
        }
        let group = PluginGroup { at: 0, category: BEHAVIOURS, guids: Bytes::from(guids) };
        let groups = if group.guids.is_empty() { Vec::new() } else { vec![group] };
        Ok(Cow::Owned(Plugins { at: 0, groups }))
    }

    /// The plugins that the objects need and `registry` lacks, in the order of the file.
    ///
    /// # Errors
    /// Those of [`File::plugin_dependencies`].
    pub fn missing_plugins(
        &self,
        registry: &Registry,
        budget: &mut Budget,
    ) -> Result<Vec<Missing>> {
        let plugins = self.plugin_dependencies(budget)?;
        let mut missing = Vec::new();
        for group in &plugins.groups {
            budget.memory(group.guids.len() as u64)?;
            for (index, guid) in group.guids().enumerate() {
                if !registry.has(group.category, guid) {
                    missing.push(Missing { category: group.category, index, guid });
                }
            }
        }
        Ok(missing)
    }
}
