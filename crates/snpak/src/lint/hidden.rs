//! Rules about assets that are in the pack and cannot be found.

use super::{Out, codes};
use spelunk_core::{Error, Result, Severity, Val};

/// Entries that a later one of the same id hides.
pub(super) fn shadowed(out: &mut Out<'_, '_, '_>) -> Result<()> {
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
        out.tell_asset(Severity::Warning, row, error)?;
    }
    Ok(())
}

/// Assets of older indexes that the active one lacks.
pub(super) fn by_appends(out: &mut Out<'_, '_, '_>) -> Result<()> {
    if !out.wants(&[&codes::HIDDEN]) || out.pack.links().len() < 2 {
        return Ok(());
    }
    let history = out.pack.history(out.task)?;
    let (active, ids) = (out.pack.index(), out.ids);
    let mut first = None;
    let mut hidden = Vec::new();
    for older in &history.revisions {
        let entries = older.index.entries();
        out.task.budget.steps(entries.len() as u64)?;
        let missing = || {
            let all = entries.iter().map(|entry| entry.asset_id.0);
            all.filter(|id| ids.last(active, id).is_none())
        };
        let count = missing().count();
        if count > 0 {
            first.get_or_insert(older.index.at());
            out.task.budget.memory((count as u64).saturating_mul(16))?;
            hidden.extend(missing());
        }
    }
    let Some(at) = first else { return Ok(()) };
    hidden.sort_unstable();
    hidden.dedup();
    let error = Error::new(&codes::HIDDEN)
        .at(at)
        .expected("every older asset in the active index")
        .found(format!("{} that it lacks", hidden.len()));
    out.tell(Severity::Warning, error.field("index"))
}
