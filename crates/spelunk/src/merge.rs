//! What two sides made of one file, as one.

use crate::{Error, Opened, Options, Result, Seg, codes, text::CodePages};
use serde_json::{Map, Value, json};
use snpak::{Pack, edit::Draft};

pub use snpak::edit::merge::{Collision, Conflict, Merging, OnConflict, Report};

/// What came of a merge.
#[derive(Debug)]
pub struct Merged {
    /// The file; `None` where there were conflicts and [`OnConflict::Refuse`] was asked for. It keeps what is to be told.
    pub opened: Option<Opened>,
    /// What became of the assets.
    pub report: Report,
}

/// Merges what two sides made of `base`: ours with what the other side changed as a new state behind it.
///
/// # Errors
/// [`NO_MERGE`](codes::NO_MERGE), [`OTHER_FORMAT`](codes::OTHER_FORMAT); those of [`snpak::edit::merge()`].
pub fn merge(
    [base, ours, theirs]: [&Opened; 3],
    on_conflict: OnConflict,
    options: &Options,
) -> Result<Merged> {
    let format = ours.container().format();
    let others = [base, theirs].map(|opened| opened.container().format());
    if let Some(found) = others.into_iter().find(|found| *found != format) {
        return Err(Error::new(&codes::OTHER_FORMAT).expected(format).found(found));
    }
    let packs = [base, ours, theirs].map(|opened| opened.container().as_any().downcast_ref());
    let [Some(base_pack), Some(our_pack), Some(their_pack)]: [Option<&Pack>; 3] = packs else {
        return Err(Error::new(&codes::NO_MERGE).found(format));
    };
    let len = [base, ours, theirs].into_iter().map(|opened| opened.container().size());
    let len = len.fold(0, u64::saturating_add);
    let mut report = Report::default();
    let mut is_refused = false;
    let opened = Opened::made(len, options, |task| {
        let (draft, told) = snpak::edit::merge(base_pack, our_pack, their_pack, on_conflict, task)?;
        report = told;
        is_refused = on_conflict == OnConflict::Refuse && !report.conflicts.is_empty();
        if !is_refused {
            let taken =
                if on_conflict == OnConflict::Ours { "ours is kept" } else { "theirs is taken" };
            report.conflicts.iter().try_for_each(|conflict| {
                let error = told_conflict(conflict);
                let found = format!("{}; {taken}", error.found_value());
                task.warn(error.found(found))
            })?;
            report.collisions.iter().try_for_each(|it| task.warn(told_collision(it)))?;
        }
        let draft = if is_refused { Draft::of_shown(our_pack, &mut task.budget)? } else { draft };
        Ok(Box::new(draft.shown(task)?))
    })?;
    Ok(Merged { opened: (!is_refused).then_some(opened), report })
}

/// A conflict, as an error that tells where it is.
pub fn told_conflict(conflict: &Conflict) -> Error {
    let Conflict { asset, slot, ours, theirs } = conflict;
    let error = Error::new(&codes::MERGE_CONFLICT).found(format!("ours: {ours}, theirs: {theirs}"));
    let error = match slot {
        Some(slot) => error.within(Seg::Key(slot.to_string().into())),
        None => error,
    };
    error.within(Seg::Key(path(asset).into()))
}

fn told_collision(collision: &Collision) -> Error {
    let found = format!("{} of ours, {} of theirs", collision.ours, collision.theirs.id);
    Error::new(&codes::COLLISION).found(found).within(Seg::Key(path(&collision.theirs).into()))
}

/// The path of an asset.
pub fn path(asset: &Merging) -> String {
    let mut path = String::new();
    snpak::push_name(&asset.name, asset.variant.as_deref(), &CodePages::utf8(), &mut path);
    path
}

/// What became of the assets, as JSON: lists of `{asset_id, path, change}`, `conflicts` with `field`, `ours` and `theirs`
/// too, `collisions` with `asset_id`, `other_id` and `path`.
pub fn report(report: &Report) -> Map<String, Value> {
    let asset = |asset: &Merging| {
        json!({
            "asset_id": asset.id.to_string(),
            "path": path(asset),
            "change": asset.change.name(),
        })
    };
    let list = |assets: &[Merging]| assets.iter().map(asset).collect::<Value>();
    let conflict = |conflict: &Conflict| {
        json!({
            "asset_id": conflict.asset.id.to_string(),
            "path": path(&conflict.asset),
            "field": conflict.slot.map(|slot| slot.to_string()),
            "ours": conflict.ours,
            "theirs": conflict.theirs,
        })
    };
    let collision = |collision: &Collision| {
        json!({
            "path": path(&collision.theirs),
            "asset_id": collision.ours.to_string(),
            "other_id": collision.theirs.id.to_string(),
        })
    };
    let mut told = Map::new();
    told.insert("from_ours".into(), list(&report.from_ours));
    told.insert("from_theirs".into(), list(&report.from_theirs));
    told.insert("both".into(), list(&report.both));
    told.insert("merged".into(), list(&report.merged));
    told.insert("conflicts".into(), report.conflicts.iter().map(conflict).collect());
    told.insert("collisions".into(), report.collisions.iter().map(collision).collect());
    told
}
