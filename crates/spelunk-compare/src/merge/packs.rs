//! Packs, merged asset by asset.

use super::{Collision, Conflict, Merging, OnConflict, Report};
use snpak::{
    Pack,
    edit::{Draft, merge},
};
use spelunk_core::{Container, Result, Task, text::CodePages};

/// The next state of ours with what the other side changed, and what became of the assets.
///
/// # Errors
/// Those of [`snpak::edit::merge()`].
pub(super) fn merged(
    [base, ours, theirs]: [&Pack; 3],
    on_conflict: OnConflict,
    task: &mut Task<'_>,
) -> Result<(Draft, Report)> {
    let (draft, told) = snpak::edit::merge(base, ours, theirs, on_conflict, task)?;
    let mut list = |assets: Vec<merge::Merging>| -> Result<Vec<_>> {
        assets.into_iter().map(|told| asset(&told, task)).collect()
    };
    let (from_ours, from_theirs) = (list(told.from_ours)?, list(told.from_theirs)?);
    let (both, merged) = (list(told.both)?, list(told.merged)?);
    let conflict = |conflict: merge::Conflict| {
        let merge::Conflict { asset: entry, slot, ours, theirs } = conflict;
        let field = slot.map(|slot| slot.to_string());
        Ok(Conflict { entry: asset(&entry, task)?, field, ours, theirs })
    };
    let conflicts = told.conflicts.into_iter().map(conflict).collect::<Result<_>>()?;
    let collision = |collision: merge::Collision| {
        let ours = collision.ours.to_string();
        Ok(Collision { ours, theirs: asset(&collision.theirs, task)? })
    };
    let collisions = told.collisions.into_iter().map(collision).collect::<Result<_>>()?;
    let is_part = false;
    let report = Report { from_ours, from_theirs, both, merged, conflicts, collisions, is_part };
    Ok((draft, report))
}

/// The pack of a draft, or ours where the merge is refused.
///
/// # Errors
/// What a pack cannot hold; limits; reading errors.
pub(super) fn made(
    ours: &Pack,
    draft: Draft,
    is_refused: bool,
    task: &mut Task<'_>,
) -> Result<Box<dyn Container>> {
    let draft = if is_refused { Draft::of_shown(ours, &mut task.budget)? } else { draft };
    Ok(Box::new(draft.shown(task)?))
}

/// What is told of an asset. Names may share their bytes, paths do not: they stay charged.
fn asset(asset: &merge::Merging, task: &mut Task<'_>) -> Result<Merging> {
    let mut path = String::new();
    snpak::push_name(&asset.name, asset.variant.as_deref(), &CodePages::utf8(), &mut path);
    path.shrink_to_fit();
    let asset_id = asset.id.to_string();
    let texts = path.len().saturating_add(asset_id.len());
    task.budget.touch(path.len() as u64)?;
    task.budget.memory(size_of::<Merging>().saturating_add(texts) as u64)?;
    Ok(Merging { path, asset_id: Some(asset_id), change: Some(asset.change.name()) })
}
