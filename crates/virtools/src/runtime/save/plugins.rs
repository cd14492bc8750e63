//! Plugins that objects need (`docs/formats/virtools-runtime.md#83-plugins`).

use crate::{
    chunk::prototype::prototype,
    class,
    file::plugins::{BEHAVIOURS, PluginGroup},
    runtime::context::Context,
};
use spelunk_core::{Bytes, Result, Task, scalar::Guid};
use std::collections::{BTreeMap, BTreeSet};
use zerocopy::IntoBytes;

/// The groups of plugins for a file that holds these objects: those that the files asked for from which the objects came,
/// less the building blocks that are not saved; and all building blocks that are.
pub(super) fn groups(
    context: &Context,
    saved: &BTreeSet<u32>,
    task: &mut Task<'_>,
) -> Result<Vec<PluginGroup>> {
    let (mut used, mut order, mut unused) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    for id in context.of_class(class::BEHAVIOR) {
        task.budget.steps(1)?;
        let state = context.object(id).and_then(|object| object.state.as_ref());
        let guid = state.and_then(|state| prototype(&state.view().ok()?));
        let Some(guid) = guid else { continue };
        if saved.contains(&id) {
            if used.insert(key(guid)) {
                order.push(guid);
            }
        } else {
            unused.insert(key(guid));
        }
    }
    let mut groups: BTreeMap<u32, Vec<Guid>> = BTreeMap::new();
    for (category, guid) in context.rest.plugins.iter() {
        let guids = groups.entry(*category).or_default();
        let is_block = *category == BEHAVIOURS && !used.contains(&key(*guid));
        if !(is_block && unused.contains(&key(*guid))) {
            guids.push(*guid);
        }
    }
    if !order.is_empty() {
        let blocks = groups.entry(BEHAVIOURS).or_default();
        let listed: BTreeSet<[u8; 8]> = blocks.iter().copied().map(key).collect();
        blocks.extend(order.into_iter().filter(|guid| !listed.contains(&key(*guid))));
    }
    let groups = groups.into_iter().filter(|(_, guids)| !guids.is_empty());
    let group = |(category, guids): (u32, Vec<Guid>)| PluginGroup {
        at: 0,
        category,
        guids: Bytes::copy_from_slice(guids.as_slice().as_bytes()),
    };
    Ok(groups.map(group).collect())
}

fn key(guid: Guid) -> [u8; 8] {
    zerocopy::transmute!(guid)
}
