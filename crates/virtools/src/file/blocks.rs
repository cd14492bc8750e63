//! Building blocks among the objects, and the plugins that the objects need.

use super::{
    File,
    owner::Owner,
    plugins::{BEHAVIOURS, PluginGroup, Plugins},
    table::Object,
};
use crate::{chunk::prototype::prototype, class};
use spelunk_core::{Budget, Bytes, Class, Result, scalar::Guid};
use std::{borrow::Cow, collections::BTreeSet};
use zerocopy::IntoBytes;

impl File {
    /// The plugins that the objects need. Files below FileVersion 8 do not list them; theirs are the prototypes of the
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
        self.each_block(budget, &mut |_, guid, budget| {
            if seen.insert([guid.d1.get(), guid.d2.get()]) {
                budget.memory(64)?;
                guids.extend_from_slice(guid.as_bytes());
            }
            Ok(())
        })?;
        let group = PluginGroup { at: 0, category: BEHAVIOURS, guids: Bytes::from(guids) };
        let groups = if group.guids.is_empty() { Vec::new() } else { vec![group] };
        Ok(Cow::Owned(Plugins { at: 0, groups }))
    }

    /// Goes through the behaviours that are building blocks, in the order of the objects, with the GUIDs of their
    /// prototypes.
    pub(crate) fn each_block(
        &self,
        budget: &mut Budget,
        each: &mut dyn FnMut(&Object, Guid, &mut Budget) -> Result<()>,
    ) -> Result<()> {
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
            if let Some(guid) = guid {
                each(object, guid, budget)?;
            }
        }
        Ok(())
    }
}
