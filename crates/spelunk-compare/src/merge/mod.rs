//! Merges of the changes that two sides made to one file: Virtools files object by object, packs asset by asset, GameData row by
//! row, maps record by record, all of them field by field, and SpellForce archives file by file.

mod archives;
mod bytes;
mod lists;
mod objects;
mod packs;
mod report;
mod rows;
mod sides;
mod tables;

pub(crate) use archives::paths as archive_paths;
pub(crate) use packs::choose as choose_pack_value;
pub use report::{Collision, Conflict, Merging, OnConflict, Report};
use spelunk_core::{Container, Error, Result, Seg};
use spelunk_open::{Model, Opened, Options, codes};
pub use tables::part;

/// Result of a merge.
#[derive(Debug)]
pub struct Merged {
    /// The file; `None` where there were conflicts and [`OnConflict::Refuse`] was asked for. It keeps the findings.
    pub opened: Option<Opened>,
    /// Changes of the entries.
    pub report: Report,
}

/// Merges what two sides made of `base`: ours with what the other side changed.
///
/// # Errors
/// [`NO_MERGE`](codes::NO_MERGE), [`OTHER_FORMAT`](codes::OTHER_FORMAT); a payload of theirs that is to be copied and is damaged;
/// those of [`patch::between`](crate::patch::between) and [`patch::apply`](crate::patch::apply()); reading errors; limits.
pub fn merge(
    [base, ours, theirs]: [&Opened; 3],
    on_conflict: OnConflict,
    options: &Options,
) -> Result<Merged> {
    let files = [base, ours, theirs].map(Opened::container);
    let format = files[1].format();
    let others = [files[0], files[2]].map(Container::format);
    if let Some(found) = others.into_iter().find(|found| *found != format) {
        return Err(Error::new(&codes::OTHER_FORMAT).expected(format).found(found));
    }
    let len = files.iter().map(|file| file.size()).fold(0, u64::saturating_add);
    let mut report = Report::default();
    let mut is_refused = false;
    let opened = Opened::made(len, options, |task| {
        let refuses =
            |report: &Report| on_conflict == OnConflict::Refuse && !report.conflicts.is_empty();
        let models = files.map(Model::of);
        if let [Model::Pack(base), Model::Pack(ours), Model::Pack(theirs)] = models {
            let (draft, decided) = packs::merged([base, ours, theirs], on_conflict, task)?;
            report = decided;
            is_refused = refuses(&report);
            report_conflicts(&report, on_conflict, is_refused, task)?;
            return packs::made(ours, draft, is_refused, task);
        }
        let (source, decided) = match models.map(Model::archive) {
            [Some(base), Some(ours), Some(theirs)] => {
                archives::merged([base, ours, theirs], on_conflict, task)?
            }
            _ if matches!(models[1], Model::Virtools(_)) => {
                objects::merged(files, on_conflict, options, task)?
            }
            _ => tables::merged(files, on_conflict, task)?,
        };
        report = decided;
        is_refused = refuses(&report);
        report_conflicts(&report, on_conflict, is_refused, task)?;
        options.formats.open(source, task)
    })?;
    Ok(Merged { opened: (!is_refused).then_some(opened), report })
}

/// Reports the conflicts with their decisions, and names that two assets have now.
fn report_conflicts(
    report: &Report,
    on_conflict: OnConflict,
    is_refused: bool,
    task: &mut spelunk_core::Task<'_>,
) -> Result<()> {
    if is_refused {
        return Ok(());
    }
    let taken = if on_conflict == OnConflict::Ours { "ours is kept" } else { "theirs is taken" };
    report.conflicts.iter().try_for_each(|conflict| {
        let error = conflict_error(conflict);
        let found = format!("{}; {taken}", error.found_value());
        task.warn(error.found(found))
    })?;
    report.collisions.iter().try_for_each(|it| task.warn(collision(it)))
}

/// A conflict, as an error with its place.
pub fn conflict_error(conflict: &Conflict) -> Error {
    let Conflict { entry, field, ours, theirs } = conflict;
    let error = Error::new(&codes::MERGE_CONFLICT).found(format!("ours: {ours}, theirs: {theirs}"));
    let error = match field {
        Some(field) => error.within(Seg::Key(field.clone().into())),
        None => error,
    };
    error.within(Seg::Key(entry.path.clone().into()))
}

fn collision(collision: &Collision) -> Error {
    let found = match &collision.theirs.asset_id {
        Some(theirs) => format!("{} of ours, {theirs} of theirs", collision.ours),
        None => "one of ours, one of theirs".to_owned(),
    };
    Error::new(&codes::COLLISION)
        .found(found)
        .within(Seg::Key(collision.theirs.path.clone().into()))
}
