//! `catalog` as a verb: a door [registers](Session::register) [`VERB`] with its sessions.

use crate::{Bad, Input, Options, PartTask, Summary, WrittenPart, catalog_by, catalog_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use spelunk::{
    Error, Result, Seg,
    core::folder::Links,
    entries::select::Select,
    open::codes,
    verbs::{
        FileList, FileName, FileRef, Outcome, Output, Progress, Reading, Session, TypedVerb, Verb,
    },
};

/// The verb `catalog`.
pub static VERB: &dyn Verb = &TypedVerb::<Request, Row>::new("catalog", run);

/// The contents of many files as a Parquet data set, for DuckDB, Polars, Spark and pandas
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// Files and folders
    #[cfg_attr(feature = "clap", arg(value_name = "TREE", required_unless_present = "files_from"))]
    pub trees: Vec<FileName>,
    /// Go through folders, which is done without it, too
    #[cfg_attr(feature = "clap", arg(short, long, hide_short_help = true))]
    pub recursive: bool,
    /// Read more names from LIST, one a line (- for standard input)
    #[cfg_attr(feature = "clap", arg(long, value_name = "LIST"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_from: Option<FileName>,
    /// The folder of the catalogue; made where it is missing, brought up to date where it is there
    #[cfg_attr(feature = "clap", arg(short, long, value_name = "DIR"))]
    pub output: FileName,
    /// No files that match this, by path or name; repeatable
    #[cfg_attr(feature = "clap", arg(long, value_name = "GLOB"))]
    pub exclude: Vec<String>,
    /// Look at every file, whatever the catalogue knows
    #[cfg_attr(feature = "clap", arg(long))]
    pub full: bool,
    /// Write into a folder that holds other things, which stay
    #[cfg_attr(feature = "clap", arg(long))]
    pub force: bool,
    /// Only report what has changed
    #[cfg_attr(feature = "clap", arg(long))]
    pub dry_run: bool,
    /// Read the files that links in folders name, and write through links in DIR
    #[cfg_attr(feature = "clap", arg(long))]
    pub follow_links: bool,
}

/// Report of a run, and counts of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Row {
    /// The folder of the catalogue.
    pub catalog: String,
    /// Files of the catalogue.
    pub files: usize,
    /// Files that are containers.
    pub containers: usize,
    /// Rows of the table entries.
    pub entries: u64,
    /// Rows of the table objects.
    pub objects: u64,
    /// Rows of the table findings.
    pub findings: u64,
    /// Containers with error findings.
    pub damaged: usize,
    /// Containers that cannot be opened.
    pub unopened: usize,
    /// Files that are new since the last run.
    pub new: usize,
    /// Files whose content changed.
    pub changed: usize,
    /// Files whose time alone changed.
    pub touched: usize,
    /// Files that were not looked into.
    pub unchanged: usize,
    /// Files that are not there any more.
    pub gone: usize,
    /// Parquet files that were written.
    pub written: usize,
}

/// Brings a catalogue up to date, and hands out a row of that.
///
/// # Errors
/// Those of [`catalog`](crate::catalog) and of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let (inputs, options) = inputs(session, request, out)?;
    let files = session.files();
    let summary = catalog_of(files, &inputs, &request.output, &options, &mut |done, total| {
        out.progress(&Progress { done, total, file: 1, files: 1 });
    })?;
    report(session, request, summary, out)
}

/// As [`run`], with the parts written by others, as [`catalog_by`] has it.
///
/// # Errors
/// Those of [`catalog_by`] and of the output.
pub fn run_by(
    session: &Session,
    request: &Request,
    out: &mut dyn Output,
    write_parts: &mut dyn FnMut(&[PartTask]) -> Result<Vec<WrittenPart>>,
) -> Result<Outcome> {
    let (inputs, options) = inputs(session, request, out)?;
    let summary = catalog_by(session.files(), &inputs, &request.output, &options, write_parts)?;
    report(session, request, summary, out)
}

/// The files that a request means, and its options.
fn inputs(
    session: &Session,
    request: &Request,
    out: &mut dyn Output,
) -> Result<(Vec<Input>, Options)> {
    any_is_there(session, &request.trees)?;
    let list = FileList {
        files: request.trees.iter().cloned().map(FileRef::Name).collect(),
        recursive: true,
        files_from: request.files_from.clone(),
    };
    let select = Select::new(&[], &request.exclude)?;
    let mut inputs = Vec::new();
    for file in session.find_files(&list, Links::followed(request.follow_links), out)? {
        let name = file.to_string();
        let last = file.last_part();
        if select.matches(&name, "", &last.as_os_str().to_string_lossy()) {
            inputs.push(Input { file, name });
        }
    }
    if request.trees.is_empty() && inputs.is_empty() {
        // A list that came out empty by mistake would empty the catalogue.
        return Err(Error::new(&codes::BAD_REQUEST).expected("files").found("none"));
    }
    let options = Options {
        open: session.options().clone(),
        full: request.full,
        force: request.force,
        dry_run: request.dry_run,
        follow_links: request.follow_links,
    };
    Ok((inputs, options))
}

/// Hands out what came of a run.
fn report(
    session: &Session,
    request: &Request,
    summary: Summary,
    out: &mut dyn Output,
) -> Result<Outcome> {
    session.cancel().check()?;
    let mut outcome = Outcome::default();
    for bad in summary.bad.iter().filter(|bad| !bad.is_foreign) {
        let error = bad.error();
        out.failed(&bad.file, &error);
        outcome.unopened(&error);
    }
    let foreign = summary.bad.iter().filter(|bad| bad.is_foreign);
    outcome.passed_over.extend(foreign.map(|bad| bad.file.clone()));
    out.row(&Row::of(&summary, request))?;
    Ok(outcome)
}

/// Refuses trees of which none is there: the catalogue would be emptied.
fn any_is_there(session: &Session, trees: &[FileName]) -> Result<()> {
    let files = session.files();
    let mut missing = None;
    for name in trees {
        if name.is_stream() || files.is_folder(name) || files.len(name).is_some() {
            return Ok(());
        }
        missing = Some(name);
    }
    let Some(name) = missing else { return Ok(()) };
    let opened = files.open(name, Reading::default()).map(drop);
    opened.map_err(|error| error.within(Seg::Key(name.to_string().into())))
}

impl Row {
    fn of(summary: &Summary, request: &Request) -> Row {
        Row {
            catalog: request.output.to_string(),
            files: summary.files,
            containers: summary.containers,
            entries: summary.entries,
            objects: summary.objects,
            findings: summary.findings,
            damaged: summary.damaged,
            unopened: summary.bad.iter().filter(|bad| !bad.is_foreign).count(),
            new: summary.new,
            changed: summary.changed,
            touched: summary.touched,
            unchanged: summary.unchanged,
            gone: summary.gone,
            written: summary.written,
        }
    }
}

impl Bad {
    /// Returns the error as it was reported when the file was looked at: the catalogue keeps its code and its message.
    fn error(&self) -> Error {
        let rest = self.message.strip_prefix(self.code.title).unwrap_or(&self.message);
        let rest = rest.strip_prefix(": ").unwrap_or(rest);
        let error = Error::new(self.code);
        match (rest.strip_prefix("expected "), rest.strip_prefix("found ")) {
            (Some(facts), _) => match facts.split_once(", found ") {
                Some((expected, found)) => {
                    error.expected(expected.to_owned()).found(found.to_owned())
                }
                None => error.expected(facts.to_owned()),
            },
            (None, Some(found)) => error.found(found.to_owned()),
            (None, None) if rest.is_empty() => error,
            (None, None) if self.code.id == codes::core::IO.id => {
                Error::io(std::io::Error::other(rest.to_owned()))
            }
            (None, None) => error.found(rest.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_a_catalogue_keeps_say_what_they_said() {
        for error in [
            Error::new(&codes::core::TRUNCATED),
            Error::new(&codes::core::TRUNCATED).found("nothing"),
            Error::new(&codes::core::TRUNCATED).expected(4_u64),
            Error::new(&codes::core::TRUNCATED).expected("4 bytes, or 8").found(3_u64),
            Error::io(std::io::Error::other("the disk is gone")),
        ] {
            let (code, message) = (error.code(), error.message());
            let bad = Bad { file: "a".to_owned(), code, message, is_foreign: false };
            assert_eq!(bad.error().to_string(), error.to_string());
        }
    }
}
