//! Rules about what engines make of any file, whatever the game: groups, axes, parents, references, pictures.

use super::{codes, facts::Facts, looks, out::FileLintSink};
use spelunk_core::{Error, Result, Severity, Task};
use std::collections::BTreeSet;

/// Applies the rules.
pub(super) fn loading(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    lost(out)?;
    groups(facts, out)?;
    entities(facts, out)?;
    references(facts, out)?;
    looks::missing_pictures(facts, out)
}

/// Reports the content that nobody gets who loads the file. For `verify` that is a warning, since the bytes are sound; here it is
/// an error.
fn lost(out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let (file, selection) = (out.file, out.selection);
    let mut tell = |_, error: Error, task: &mut Task<'_>| match selection.has(error.code()) {
        true => task.error(error),
        false => Ok(()),
    };
    file.check_loading(&mut tell, out.task)
}

/// Members that a group has twice.
fn groups(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    for (group, members) in &facts.scene.groups {
        let mut seen = BTreeSet::new();
        let mut reported = BTreeSet::new();
        for member in members {
            if !seen.insert(member) && reported.insert(member) {
                let found = out.path(*member);
                out.report(Severity::Warning, &codes::TWICE_IN_GROUP, *group, "members", found)?;
            }
        }
    }
    Ok(())
}

/// Axes that span no space, and parents that come back to their children.
fn entities(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    for (index, entity) in &facts.scene.entities {
        let volume = entity.world.determinant();
        if volume == 0.0 || volume.is_nan() {
            let error = Error::new(&codes::FLAT_AXES);
            out.report_error(Severity::Error, *index, "entity", error)?;
        }
    }
    for (index, parent) in &facts.scene.circles {
        let found = out.path(*parent);
        out.report(Severity::Error, &crate::codes::PARENTS, *index, "parent", found)?;
    }
    Ok(())
}

/// References to positions behind the object table.
fn references(facts: &Facts<'_>, out: &mut FileLintSink<'_, '_>) -> Result<()> {
    let count = facts.file.table().objects.len();
    for ((index, field), target) in &facts.outside {
        let found = format!("#{target} of {count}");
        out.report(Severity::Error, &codes::OUTSIDE, *index, field, found)?;
    }
    Ok(())
}
