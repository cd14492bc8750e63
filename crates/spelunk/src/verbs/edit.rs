//! A file that is changed, and where the changed one goes: what the verbs that change entries share.

use super::{
    files::{FileName, FileRef},
    run::{Input, Run, listed_by},
    writing::{self, Target, Writing},
};
use crate::{
    Error, Opened, Result, WriteOptions,
    batch::{Batch, Outcome},
    codes,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

// To the command, a documentation comment here would be what the verb is about.
#[cfg_attr(not(feature = "clap"), doc = "The file to change, and where the changed one goes.")]
#[cfg_attr(feature = "clap", allow(missing_docs))]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(group(clap::ArgGroup::new("destination").required(true).args(["output", "in_place"]))))]
#[serde(default)]
pub struct Destination {
    /// The file to read, or - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: FileRef,
    /// The file to write, or - for standard output
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "OUT"))]
    pub output: Option<FileName>,
    /// Replace FILE itself, atomically
    #[cfg_attr(feature = "clap", arg(long))]
    pub in_place: bool,
    /// Keep the replaced file under its name with this suffix; with --in-place or --force
    #[cfg_attr(feature = "clap", arg(long, value_name = "SUFFIX", value_parser = suffix, num_args = 0..=1, default_missing_value = ".bak", require_equals = true))]
    pub backup: Option<String>,
    /// Replace files that exist
    #[cfg_attr(feature = "clap", arg(long))]
    pub force: bool,
    /// Tell what would be written and write nothing
    #[cfg_attr(feature = "clap", arg(long))]
    pub dry_run: bool,
    /// Follow links: write to what an output names that is one, and read what those found in folders name
    #[cfg_attr(feature = "clap", arg(long))]
    pub follow_links: bool,
}

/// Reads the suffix of a backup.
#[cfg(feature = "clap")]
fn suffix(text: &str) -> std::result::Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("a suffix such as .bak, without a folder".to_owned());
    }
    Ok(text.to_owned())
}

/// Opens the file, changes it, and writes it to where it is to go. A file that the session keeps open stays changed; where no
/// output is named for one it is not written. `change` tells and counts what goes wrong, gives whether there is something to
/// write, and adds fields to the row.
pub(super) fn with_file(
    to: &Destination,
    run: &mut Run<'_>,
    change: impl FnOnce(&str, &mut Opened, &mut Run<'_>, &mut Map<String, Value>) -> Result<bool>,
) -> Result<()> {
    if matches!(to.file, FileRef::Open(_)) && to.dry_run {
        let error = Error::new(&codes::BAD_REQUEST).expected("the name of a file for a dry run");
        return Err(error.found("a file that stays open, which would be changed"));
    }
    let Some(target) = Target::of(to, run)? else { return Ok(()) };
    let Some(mut file) = run.open(&Input::named(&to.file))? else { return Ok(()) };
    let mut fields = Map::new();
    let opened = file.held.get()?;
    if !writing::check(&file.name, opened, run) || !change(&file.name, opened, run, &mut fields)? {
        return Ok(());
    }
    let Some(target) = target else {
        let row = json_of(&file.name, fields);
        return run.row(&row);
    };
    let is_stream = target.name.is_stream();
    let options = WriteOptions::default();
    let writing = Writing { target, options, dry_run: to.dry_run };
    let (name, output) = (file.name.clone(), writing.target.name.to_string());
    if let Some(written) = writing::write(file, writing, run)?
        && !is_stream
    {
        run.row(&writing::Row {
            file: &name,
            output: &output,
            size: written.size,
            diagnostics: written.diagnostics,
            dry_run: to.dry_run,
            more: fields,
        })?;
    }
    Ok(())
}

/// The row of a file that was changed and not written.
fn json_of(file: &str, fields: Map<String, Value>) -> Map<String, Value> {
    let mut row = Map::new();
    row.insert("file".to_owned(), file.into());
    row.extend(fields);
    row
}

/// Makes all changes to the container; tells and counts what goes wrong.
pub(super) fn edited(
    file: &str,
    opened: &mut Opened,
    batch: &Batch,
    run: &mut Run<'_>,
) -> Option<Outcome> {
    let outcome = batch.apply(opened);
    run.settle(file, &opened.take_findings());
    match outcome {
        Ok(outcome) => Some(outcome),
        Err(error) => {
            run.failed(file, listed_by(file, error));
            None
        }
    }
}
