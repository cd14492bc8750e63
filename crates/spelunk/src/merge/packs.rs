//! Packs, merged asset by asset.

use super::{Collision, Conflict, Merging, OnConflict, Report};
use crate::{Container, Result, Task, text::CodePages};
use snpak::{
    Pack,
    edit::{Draft, merge},
};

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
    let list = |assets: &[merge::Merging]| assets.iter().map(asset).collect();
    let conflict = |conflict: &merge::Conflict| Conflict {
        entry: asset(&conflict.asset),
        field: conflict.slot.map(|slot| slot.to_string()),
        ours: conflict.ours.clone(),
        theirs: conflict.theirs.clone(),
    };
    let collision = |collision: &merge::Collision| Collision {
        ours: collision.ours.to_string(),
        theirs: asset(&collision.theirs),
    };
    let report = Report {
        from_ours: list(&told.from_ours),
        from_theirs: list(&told.from_theirs),
        both: list(&told.both),
        merged: list(&told.merged),
        conflicts: told.conflicts.iter().map(conflict).collect(),
        collisions: told.collisions.iter().map(collision).collect(),
        is_part: false,
    };
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

fn asset(asset: &merge::Merging) -> Merging {
    let mut path = String::new();
    snpak::push_name(&asset.name, asset.variant.as_deref(), &CodePages::utf8(), &mut path);
    Merging { path, asset_id: Some(asset.id.to_string()), change: Some(asset.change.name()) }
}
