//! Changes of two sides to one file, as one.

use super::{
    FileName, FileRef,
    input::Input,
    keeping::KeepOptions,
    output::{Outcome, Output},
    request::OutputOptions,
    run::{OpenFile, Run},
    session::{Held, Session},
    writing::{self, Onto, OutputDestination, RefusedRow, Writing, WrittenRow},
};
use crate::{
    Opened, Result, WriteOptions,
    compare::merge::{self, Collision, Conflict, Merged, Merging, OnConflict, Report},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Changes of two sides to one file, as one
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group(clap::ArgGroup::new("destination").required(true).args(["output", "in_place"]))))]
#[serde(default)]
pub struct Request {
    /// The file that both sides began with
    #[cfg_attr(feature = "clap", arg(value_name = "BASE"))]
    pub base: FileRef,
    /// The file as our side changed it
    #[cfg_attr(feature = "clap", arg(value_name = "OURS"))]
    pub ours: FileRef,
    /// The file as others changed it; several are merged one after the other
    #[cfg_attr(feature = "clap", arg(value_name = "THEIRS", required = true))]
    pub theirs: Vec<FileRef>,
    /// The file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: Option<FileName>,
    /// Replace OURS itself, atomically
    #[cfg_attr(feature = "clap", arg(long))]
    pub in_place: bool,
    /// What is kept of a file that is changed in place.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub keep: KeepOptions,
    /// Side whose change counts where both changed one thing: ours (or use-current), theirs (or replace), or nobody's, and
    /// nothing is written
    #[cfg_attr(feature = "clap", arg(long, value_name = "POLICY", default_value = "refuse"))]
    pub on_conflict: Whose,
    /// Write only the rows of a GameData that are not those of BASE, as mods have them
    #[cfg_attr(feature = "clap", arg(long, conflicts_with = "in_place"))]
    pub part: bool,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// Side whose change counts.
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    #[cfg_attr(not(feature = "clap"), doc = "Ours.")]
    #[cfg_attr(feature = "clap", value(alias = "use-current"))]
    #[serde(alias = "use-current")]
    Ours,
    #[cfg_attr(not(feature = "clap"), doc = "Theirs.")]
    #[cfg_attr(feature = "clap", value(alias = "replace"))]
    #[serde(alias = "replace")]
    Theirs,
    #[cfg_attr(not(feature = "clap"), doc = "Nobody's: then nothing is written.")]
    #[cfg_attr(feature = "clap", value(alias = "stop"))]
    #[default]
    Refuse,
}

impl From<Whose> for OnConflict {
    fn from(whose: Whose) -> OnConflict {
        match whose {
            Whose::Ours => OnConflict::Ours,
            Whose::Theirs => OnConflict::Theirs,
            Whose::Refuse => OnConflict::Refuse,
        }
    }
}

/// Outcome of a merge.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MergeRow {
    /// The file was written.
    Written(WrittenRow<MergedRow>),
    /// Conflicts stopped it.
    Refused(RefusedRow<MergedRow>),
}

/// Entries, by the sides that changed them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MergedRow {
    /// Entries that only ours changed.
    pub from_ours: Vec<MergedEntry>,
    /// Entries that only theirs changed.
    pub from_theirs: Vec<MergedEntry>,
    /// Entries that both changed alike.
    pub both: Vec<MergedEntry>,
    /// Entries that both changed, in different fields.
    pub merged: Vec<MergedEntry>,
    /// Changes of both to one thing, each in another way.
    pub conflicts: Vec<ConflictRow>,
    /// Names that two entries have now.
    pub collisions: Vec<CollisionRow>,
    /// Whether theirs holds a part of the tables, so that what it lacks stays.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_part: bool,
}

/// An entry of a merge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MergedEntry {
    /// Id of an asset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset_id: Option<String>,
    /// Path of the entry.
    pub path: String,
    /// Change of the entry, where that is one thing: added, removed, changed.
    pub change: Option<&'static str>,
}

/// Something that both sides changed, each in another way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConflictRow {
    /// Id of an asset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset_id: Option<String>,
    /// Path of the entry.
    pub path: String,
    /// The field; null where one side took the entry out.
    pub field: Option<String>,
    /// State in ours.
    pub ours: String,
    /// State in theirs.
    pub theirs: String,
}

/// A name that two entries have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CollisionRow {
    /// Path of the entry of theirs.
    pub path: String,
    /// Id of the asset of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asset_id: Option<String>,
    /// Id of the asset of theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_id: Option<String>,
}

impl From<Report> for MergedRow {
    fn from(report: Report) -> MergedRow {
        let listed = |entries: Vec<Merging>| entries.into_iter().map(MergedEntry::from).collect();
        MergedRow {
            from_ours: listed(report.from_ours),
            from_theirs: listed(report.from_theirs),
            both: listed(report.both),
            merged: listed(report.merged),
            conflicts: report.conflicts.into_iter().map(ConflictRow::from).collect(),
            collisions: report.collisions.into_iter().map(CollisionRow::from).collect(),
            is_part: report.is_part,
        }
    }
}

impl From<Merging> for MergedEntry {
    fn from(Merging { path, asset_id, change }: Merging) -> MergedEntry {
        MergedEntry { asset_id, path, change }
    }
}

impl From<Conflict> for ConflictRow {
    fn from(Conflict { entry, field, ours, theirs }: Conflict) -> ConflictRow {
        ConflictRow { asset_id: entry.asset_id, path: entry.path, field, ours, theirs }
    }
}

impl From<Collision> for CollisionRow {
    fn from(Collision { ours, theirs }: Collision) -> CollisionRow {
        let other_id = theirs.asset_id;
        CollisionRow { path: theirs.path, asset_id: other_id.is_some().then_some(ours), other_id }
    }
}

/// Merges what two sides made of one file, and writes it to where it is to go.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("merge", request, session, out);
    merge(request, &mut run)?;
    run.finish()
}

fn merge(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let onto = Onto {
        output: request.output.as_ref(),
        in_place: request.in_place,
        keep: &request.keep,
        out: request.out,
    };
    let target = OutputDestination::over(&request.ours, onto, run)?;
    let output = match &request.output {
        Some(output) => output.clone(),
        None => run.file_name(&request.ours)?,
    };
    let (mut opened, mut is_sound) = (Vec::new(), true);
    let theirs = request.theirs.iter().map(|file| (file, false));
    for (file, is_ours) in [(&request.base, false), (&request.ours, true)].into_iter().chain(theirs)
    {
        let name = run.file_name(file)?;
        is_sound &= is_ours || writing::is_apart(&name, &output, false, run);
        // All that cannot be opened are reported.
        let Some(file) = run.open(&Input::named(file))? else {
            is_sound = false;
            continue;
        };
        let mut own = file.held.into_own()?;
        run.settle(&file.name, &own.take_findings());
        opened.push(own);
    }
    let mut opened = opened.into_iter();
    let (Some(base), Some(ours), true) = (opened.next(), opened.next(), is_sound) else {
        return Ok(());
    };
    let (Some(target), file) = (target, run.name(&request.ours)?) else { return Ok(()) };
    let Some((merged, report)) = united(request, &file, (&base, ours), opened, run)? else {
        return Ok(());
    };
    // A file that is mapped cannot be replaced on every system; what is merged has it still.
    drop(base);
    let options = WriteOptions::default();
    let writing = Writing { target, options, dry_run: request.out.dry_run };
    match writing::write(OpenFile { name: file, held: Held::own(merged) }, writing, run)? {
        Some(written) => written.report(MergedRow::from(report), run),
        None => Ok(()),
    }
}

/// Ours with what all others made of the file. `None` where nothing is to be written, which is reported.
fn united(
    request: &Request,
    file: &str,
    (base, mut ours): (&Opened, Opened),
    theirs: impl Iterator<Item = Opened>,
    run: &mut Run<'_>,
) -> Result<Option<(Opened, Report)>> {
    let mut report: Option<Report> = None;
    for (theirs, of) in theirs.zip(&request.theirs) {
        if report.is_some() {
            // What was decided of the one before, which the next one knows nothing of.
            run.settle(file, &ours.take_findings());
        }
        let merged = merge::merge([base, &ours, &theirs], request.on_conflict.into(), &run.options);
        let Merged { opened: merged, report: more } = match merged {
            Ok(merged) => merged,
            Err(error) => {
                run.failed(file, error);
                return Ok(None);
            }
        };
        let all = match report.take() {
            Some(before) => before.and(more),
            None => more,
        };
        let Some(merged) = merged else {
            let whose = if request.theirs.len() > 1 { run.name(of)? } else { file.to_owned() };
            for conflict in &all.conflicts {
                run.failed(&whose, merge::conflict_error(conflict));
            }
            let (file, output, more) = (file.to_owned(), None, all.into());
            run.row(&MergeRow::Refused(RefusedRow { file, output, more }))?;
            return Ok(None);
        };
        report = Some(all);
        ours = merged;
    }
    if request.part {
        let findings = ours.take_findings();
        ours = match merge::part(base, &ours, &run.options) {
            Ok(part) => part,
            Err(error) => {
                run.failed(file, error);
                return Ok(None);
            }
        };
        run.settle(file, &findings);
    }
    Ok(Some((ours, report.unwrap_or_default())))
}
