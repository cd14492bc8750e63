//! Virtools files, merged object by object and field by field.
//!
//! What either side made of the base is a patch whose keys are those of the base, so that each object of the base is known on
//! both sides, whatever it is called there and wherever it stands. The patch of one side, without what the other one changed
//! too, is made to the file of the other one.

mod alike;
mod edits;
mod settle;

use super::report::{OnConflict, Report};
use crate::{
    diff::{self, Change as Difference, Diff, FieldChange},
    patch::{self, Applied, Compared},
};
use settle::Merger;
use spelunk_core::{Container, Error, Result, Seg, Source, Task, WriteOptions};
use spelunk_open::{self, Opened, Options, codes, skeleton::Origin};
use std::{collections::BTreeSet, sync::Arc};

/// Side of a merge.
struct MergeSide {
    source: Arc<dyn Source>,
    /// Changes that make it of the base.
    made: Compared,
}

/// Ours with what the other side changed, and what became of the objects, managers and included files.
///
/// # Errors
/// Those of [`patch::between`] and [`patch::apply`].
pub(super) fn merged(
    files: [&dyn Container; 3],
    on_conflict: OnConflict,
    options: &Options,
    task: &mut Task<'_>,
) -> Result<(Arc<dyn Source>, Report)> {
    let stored = |file, task: &mut Task<'_>| -> Result<Arc<dyn Source>> {
        Ok(Arc::new(spelunk_open::written(file, &WriteOptions::default(), task)?))
    };
    let base = stored(files[0], task)?;
    let side = |file, whose: &'static str, first, task: &mut Task<'_>| {
        let source = stored(file, task)?;
        let origins = [&base, &source].map(|source| Origin { source, options });
        let made = patch::compared(&origins[0], &origins[1], first);
        Ok::<_, Error>(MergeSide {
            source,
            made: made.map_err(|it| it.within(Seg::Key(whose.into())))?,
        })
    };
    let ours = side(files[1], "ours", 0, task)?;
    let theirs = side(files[2], "theirs", ours.made.end, task)?;
    let is_swapped = on_conflict == OnConflict::Theirs;
    let (kept, mut made) = if is_swapped { (theirs, ours) } else { (ours, theirs) };
    let mut merger = Merger::new(is_swapped, [&kept.made, &made.made]);
    let places = merger.settle(&kept.made.patch, &mut made.made.patch);
    // What one side alone did is its file, header and all.
    let prints = [&kept, &made].map(|side| &side.made.patch);
    if prints[0].old == prints[0].new {
        return Ok((made.source, merger.report));
    }
    if prints[1].old == prints[1].new || prints[0].new == prints[1].new {
        return Ok((kept.source, merger.report));
    }
    if on_conflict == OnConflict::Refuse && !merger.report.conflicts.is_empty() {
        return Ok((kept.source, merger.report));
    }
    let origin = Origin { source: &kept.source, options };
    let (applied, unmade) = patch::apply_at(&made.made.patch, &origin, places)?;
    let Applied { mut opened, options: writing, conflicts, .. } = applied;
    merger.misfits(&made.made.patch, unmade.into_iter().zip(&conflicts));
    let merged = opened.written(&writing)?;
    if merger.report.conflicts.is_empty() || on_conflict != OnConflict::Refuse {
        report_left([&base, &made.source, &merged], options, task)?;
    }
    Ok((merged, merger.report))
}

/// Reports the changes of the side whose changes are made to what no entry holds, which stays as it is.
fn report_left(
    [base, made, merged]: [&Arc<dyn Source>; 3],
    options: &Options,
    task: &mut Task<'_>,
) -> Result<()> {
    let open = |source: &Arc<dyn Source>| Opened::open(source.clone(), options);
    let (mut base, mut made, mut merged) = (open(base)?, open(made)?, open(merged)?);
    let extent = diff::Options::default();
    let changed = diff::diff(&mut base, &mut made, &extent)?;
    let left = diff::diff(&mut merged, &mut made, &extent)?;
    let paths = |diff: &Diff| -> BTreeSet<String> {
        let fields = diff.summary.iter().filter_map(|change| match change {
            FieldChange::Value { path, .. }
            | FieldChange::List { path, .. }
            | FieldChange::Group { path, .. } => Some(path.clone()),
            FieldChange::Content { .. } => None,
        });
        let parts = diff.changes.iter().map(|change| match change {
            Difference::Added(item) | Difference::Removed(item) => item,
            Difference::Renamed { new, .. } | Difference::Changed { new, .. } => new,
        });
        let parts = parts.filter(|part| !patch::is_entry(&part.path)).map(|part| part.path.clone());
        fields.chain(parts).collect()
    };
    let changed = paths(&changed);
    paths(&left).intersection(&changed).try_for_each(|path| {
        let error = Error::new(&codes::NOT_MERGED).found("the other side's change");
        task.warn(error.within(Seg::Key(path.clone().into())))
    })
}
