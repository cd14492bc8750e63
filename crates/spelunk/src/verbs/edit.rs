//! A file that is changed, and where the changed one goes: what the verbs that change entries share.

use super::{
    FileName, FileRef,
    input::Input,
    request::OutputOptions,
    run::{Run, listed_by},
    session::Held,
    writing::{self, OpenRow, Target, Writing},
};
use crate::{
    Bytes, Error, Opened, Result, WriteOptions,
    edit::batch::{Batch, Outcome},
    open::codes,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io;

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
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// Reads the suffix of a backup.
#[cfg(feature = "clap")]
pub(super) fn suffix(text: &str) -> std::result::Result<String, String> {
    if text.is_empty() || text.contains(['/', '\\']) {
        return Err("a suffix such as .bak, without a folder".to_owned());
    }
    Ok(text.to_owned())
}

/// Opens the file, changes it, and writes it to where it is to go. A file that the session keeps open stays changed; where no
/// output is named for one it is not written. `change` reports and counts what goes wrong; it returns the further fields of
/// the row, or `None` where there is nothing to write.
pub(super) fn with_file<M: Serialize>(
    to: &Destination,
    run: &mut Run<'_>,
    change: impl FnOnce(&str, &mut Opened, &mut Run<'_>) -> Result<Option<M>>,
) -> Result<()> {
    let Some(target) = Target::of(to, run)? else { return Ok(()) };
    let Some(mut file) = run.open(&Input::named(&to.file))? else { return Ok(()) };
    if to.out.dry_run && matches!(to.file, FileRef::Open(_)) {
        // Nothing of it stays with the file that is open.
        file.held = Held::own(file.held.get()?.fork()?);
    }
    let opened = file.held.get()?;
    if !writing::check(&file.name, opened, run) {
        return Ok(());
    }
    let Some(more) = change(&file.name, opened, run)? else { return Ok(()) };
    let Some(target) = target else { return run.row(&OpenRow { file: file.name, more }) };
    let writing = Writing { target, options: WriteOptions::default(), dry_run: to.out.dry_run };
    match writing::write(file, writing, run)? {
        Some(written) => written.report(more, run),
        None => Ok(()),
    }
}

/// A line of a list, with the list and its number there.
pub(super) struct Line {
    pub(super) of: String,
    pub(super) text: String,
}

/// The lines of a list of changes or paths, where one is named. `None` where it cannot be read, which is reported and counted.
pub(super) fn lines(
    from: Option<&FileName>,
    to: &Destination,
    run: &mut Run<'_>,
) -> Option<Vec<Line>> {
    let Some(from) = from else { return Some(Vec::new()) };
    match text(from, to, run) {
        Ok(text) => {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
            let line = |(nth, line): (usize, &str)| Line {
                of: format!("{from}:{}", nth.saturating_add(1)),
                text: line.to_owned(),
            };
            Some(lines.map(line).collect())
        }
        Err(error) => {
            run.failed(&from.to_string(), error);
            None
        }
    }
}

fn text(from: &FileName, to: &Destination, run: &Run<'_>) -> Result<String> {
    let text = String::from_utf8(read_beside(from, to, run)?.to_vec());
    text.map_err(|error| Error::io(io::Error::new(io::ErrorKind::InvalidData, error)))
}

/// The bytes of a file that is read beside the one to change. Only one of them can be standard input.
fn read_beside(from: &FileName, to: &Destination, run: &Run<'_>) -> Result<Bytes> {
    if from.is_stream() && to.file == from.as_os_str().into() {
        return Err(Error::new(&codes::core::BAD_TARGET)
            .expected("standard input for one of FILE and --from")
            .found("standard input for both"));
    }
    run.read(from)
}

/// The bytes of a file that goes into another one. `None` where it cannot be read, which is reported and counted.
pub(super) fn content(name: &FileName, to: &Destination, run: &mut Run<'_>) -> Option<Bytes> {
    match read_beside(name, to, run) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            run.failed(&name.to_string(), error);
            None
        }
    }
}

/// Makes all changes to the container; reports and counts what goes wrong.
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
