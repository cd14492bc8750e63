//! Entries that go, and the references to them.

use super::{
    FileName,
    destination::Destination,
    edit::{edited, lines, matching, with_files},
    listing::ManyFiles,
    output::{Outcome, Output},
    run::Run,
    session::Session,
};
use crate::{
    Result,
    edit::batch::Batch,
    edit::removal::{Referrer, Referrers},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Remove entries
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file to change, and where the changed one goes.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub to: Destination,
    /// Paths of entries, as `ls` prints them, or globs; a class stands for all of its objects
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required_unless_present_any = ["from", "files_from"]))]
    pub paths: Vec<String>,
    /// Read more paths, one on each line, or - for standard input
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    pub from: Option<FileName>,
    /// Change each file of the folder FILE and of the folders in it; those that have nothing of what is named stay as they are
    #[cfg_attr(feature = "clap", arg(short, long))]
    pub recursive: bool,
    /// Change every file that LIST names, one a line (- for standard input); FILE is a path then, too
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST", conflicts_with = "recursive"))]
    pub files_from: Option<FileName>,
    /// Go on where references cannot be followed, and report it, instead of refusing
    #[cfg_attr(feature = "clap", arg(long))]
    pub lossy: bool,
}

/// Removes entries of a file, all of them or none, and writes it to where it is to go.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("rm", request, session, out);
    let Some(listed) = lines(request.from.as_ref(), &request.to, &mut run) else {
        return run.finish();
    };
    // Where files are listed, the first argument is a path as well.
    let first = request.files_from.as_ref().map(|_| run.name(&request.to.file)).transpose()?;
    let many = ManyFiles {
        is_recursive: request.recursive,
        from: request.files_from.as_ref(),
        links: request.to.out.links(),
        is_to_folder: request.to.output.is_some(),
    };
    with_files(&request.to, &many, &mut run, |file, opened, run| {
        let listed = listed.iter().map(|line| line.text.as_str());
        let (mut paths, mut seen) = (Vec::new(), BTreeSet::new());
        let named = first.iter().chain(&request.paths).map(String::as_str);
        for path in named.chain(listed) {
            let Some(entries) = matching(file, opened, path, run) else { return Ok(None) };
            paths.extend(entries.into_iter().filter(|entry| seen.insert(entry.clone())));
        }
        let batch = match request.lossy {
            true => Batch::new().remove_lossy(paths),
            false => Batch::new().remove(paths),
        };
        let Some(outcome) = edited(file, opened, &batch, run) else { return Ok(None) };
        let referrers = outcome.referrers;
        report(file, &referrers, run);
        let fields = referrers.fields.iter().map(ReferrerRow::of).collect();
        Ok(Some(RemovedRow { referrers: fields, referrer_count: referrers.count }))
    })?;
    run.finish()
}

/// Effects of the removal on other entries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RemovedRow {
    /// Fields of entries that stay and that referred to what was removed, in the order of the file; at most 1000 of them.
    pub referrers: Vec<ReferrerRow>,
    /// Number of all such fields.
    pub referrer_count: u64,
}

/// A field that referred to removed entries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReferrerRow {
    /// Path of the entry before the removal.
    pub path: String,
    /// Class or kind of the entry.
    #[serde(rename = "type")]
    pub kind: String,
    /// Name of the entry; empty for none.
    pub name: String,
    /// Name of the field.
    pub field: &'static str,
    /// Number of references from the field to removed entries.
    pub references: u64,
    /// Path of the first of these entries before the removal.
    pub target: String,
    /// The field is null now, its list is shorter, or it keeps a value that leads nowhere.
    #[schemars(extend("enum" = ["null", "left_out", "dangling"]))]
    pub becomes: &'static str,
}

impl ReferrerRow {
    fn of(referrer: &Referrer) -> ReferrerRow {
        let Referrer { path, kind, name, field, references, target, becomes } = referrer.clone();
        ReferrerRow { path, kind, name, field, references, target, becomes: becomes.name() }
    }
}

/// Number of fields that referred to removed entries and are named one by one, at the most.
const NAMED: usize = 20;

/// Says which fields of other entries referred to what is removed, and what became of them.
fn report(file: &str, referrers: &Referrers, run: &mut Run<'_>) {
    for referrer in referrers.fields.iter().take(NAMED) {
        let Referrer { path, kind, name, field, references, target, becomes } = referrer;
        let name = if name.is_empty() { String::new() } else { format!(" {name}") };
        let times = if *references > 1 { format!(" ({references} times)") } else { String::new() };
        run.note(&format!(
            "{file}: {path} {kind}{name} > {}: referred to {target}{times}, {}",
            field.replace('_', " "),
            becomes.phrase()
        ));
    }
    let more = referrers.count.saturating_sub(NAMED as u64);
    if more > 0 {
        run.note(&format!(
            "{file}: {more} more fields referred to what was removed (--json lists them)"
        ));
    }
}
