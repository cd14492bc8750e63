//! Rules about assets that are in the pack and cannot be found.

use super::{codes, out::PackLintSink};
use crate::generations;
use spelunk_core::{Error, Result, Severity, Val};

/// Entries that a later one of the same id hides.
pub(super) fn shadowed(out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    if !out.wants(&[&codes::SHADOWED]) {
        return Ok(());
    }
    let index = out.pack.index();
    for (row, entry) in index.entries().iter().enumerate() {
        out.task.budget.steps(1)?;
        let last = out.ids.last(index, &entry.asset_id.0).filter(|last| *last != row);
        let Some(last) = last else { continue };
        let error = Error::new(&codes::SHADOWED)
            .at(index.place(0, row).part(0, 16))
            .expected("an asset id of its own")
            .found(format!("{}, which #{last} has too", Val::Uuid(entry.asset_id.0)))
            .field("asset_id");
        out.report_asset(Severity::Warning, row, error)?;
    }
    Ok(())
}

/// Assets that delta appends hide.
pub(super) fn by_appends(out: &mut PackLintSink<'_, '_, '_>) -> Result<()> {
    if !out.wants(&[&codes::HIDDEN]) || out.pack.links().len() < 2 {
        return Ok(());
    }
    let history = out.pack.history(out.task)?;
    match generations::hidden(&out.pack.file, &history, out.task)? {
        Some((count, at)) => {
            out.report(Severity::Warning, generations::hidden_error(&codes::HIDDEN, count, at))
        }
        None => Ok(()),
    }
}
