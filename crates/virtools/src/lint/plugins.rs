//! Rules about plugins.

use super::{codes, out::FileLintSink};
use crate::script::Scripts;
use spelunk_core::{Result, Severity};
use std::collections::BTreeSet;

/// Building blocks that the list of plugins does not name. Files below FileVersion 8 have no such list.
pub(super) fn blocks(out: &mut FileLintSink<'_, '_>) -> Result<()> {
    if out.file.head().version() < 8 || !out.selection.has(&codes::UNLISTED_BLOCK) {
        return Ok(());
    }
    let groups = out.file.table().plugins.iter().flat_map(|plugins| &plugins.groups);
    let guids = groups.flat_map(|group| group.guids());
    let listed: BTreeSet<[u32; 2]> = guids.map(|guid| [guid.d1.get(), guid.d2.get()]).collect();
    let scripts = Scripts::of(out.file, &mut out.task.budget)?;
    let mut seen = BTreeSet::new();
    for (index, behavior) in &scripts.behaviors {
        let Some(prototype) = behavior.prototype else { continue };
        let [d1, d2] = prototype.guid;
        if !listed.contains(&prototype.guid) && seen.insert(prototype.guid) {
            let guid = format!("{d1:08x}-{d2:08x}");
            let found = match behavior.known() {
                Some(known) => format!("{guid} ({})", known.name),
                None => guid,
            };
            let (severity, code) = (Severity::Warning, &codes::UNLISTED_BLOCK);
            out.report(severity, code, *index, "data.prototype", found)?;
        }
    }
    Ok(())
}
