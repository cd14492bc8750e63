//! Names, texts, ids and values in files and folders.

mod duplicates;
mod row;

pub use row::{DuplicateContent, FoundField, Row};

use super::{
    FileRef,
    input::Input,
    output::{Outcome, Output},
    request::as_text,
    run::{OpenFile, Run},
    session::Session,
};
use crate::{
    Result, Revision,
    core::folder::Links,
    entries::find::{self, Hit, Options, Pattern},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Names, texts, ids and values in files and folders
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// A part of a name or text, a glob for the whole of it, or a number (decimal or 0x)
    #[cfg_attr(feature = "clap", arg(value_name = "PATTERN"))]
    pub pattern: String,
    /// Files and folders; what is no container in a folder is passed over
    #[cfg_attr(
        feature = "clap",
        arg(value_name = "FILE|DIR", required_unless_present = "duplicates")
    )]
    pub files: Vec<FileRef>,
    /// What is stored more than once, by content: entries with the same bytes, in one file and over all, and whole files. All
    /// arguments are files and folders then
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["names", "whole"]))]
    pub duplicates: bool,
    /// Go through folders, which is done without it, too
    #[cfg_attr(feature = "clap", arg(short, long, hide_short_help = true))]
    pub recursive: bool,
    /// Only paths, names and kinds of entries, which takes less time
    #[cfg_attr(feature = "clap", arg(long))]
    pub names: bool,
    /// Only what is the pattern and nothing more
    #[cfg_attr(feature = "clap", arg(long))]
    pub whole: bool,
    /// Exit code 1 where nothing is found
    #[cfg_attr(feature = "clap", arg(long))]
    pub require_match: bool,
    /// Search packs at this generation, counted from 1 (the oldest), or all of them merged
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|merged"))]
    #[serde(with = "as_text", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub generation: Option<Revision>,
}

/// Hands out a row for each place where the pattern is found.
///
/// # Errors
/// Those of the output; a pattern that is none.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("find", session, out);
    run.options.revision = request.generation;
    let first = Some(FileRef::from(request.pattern.as_str()));
    let first = first.filter(|_| request.duplicates && !request.pattern.is_empty());
    let mut inputs = Vec::new();
    for file in first.iter().chain(&request.files) {
        match file {
            FileRef::Name(name) if session.files().is_folder(name) => {
                inputs.extend(run.list(name, usize::MAX, Links::ToFiles));
            }
            file => inputs.push(Input::named(file)),
        }
    }
    if request.duplicates {
        duplicates::find(&inputs, request.require_match, &mut run)?;
        return run.finish();
    }
    let pattern = Pattern::new(&request.pattern, request.whole)?;
    let mut count = 0_u64;
    run.each_file(
        &inputs,
        &|run, input| match run.open(input)? {
            Some(file) => search(file, &pattern, request, run),
            None => Ok(0),
        },
        &mut |_, found: u64| {
            count = count.saturating_add(found);
            Ok(())
        },
    )?;
    if count == 0 {
        run.note("nothing found");
        if request.require_match {
            run.found();
        }
    }
    run.finish()
}

/// Searches one file; gives how often the pattern was found.
fn search(
    mut file: OpenFile<'_>,
    pattern: &Pattern,
    request: &Request,
    run: &mut Run<'_>,
) -> Result<u64> {
    let opened = file.held.get()?;
    let pages = opened.code_pages();
    let options = Options { names: request.names };
    let mut count = 0_u64;
    let found = opened.run(|container, task| {
        find::find(container, pattern, options, &pages, task, &mut |hit| {
            count = count.saturating_add(1);
            let Hit { path, kind, name, field } = hit;
            let field = field.as_ref().map(|(path, field, value)| FoundField {
                field: path,
                kind: field.ty.name(),
                value: field.to_json(value, &pages),
                meaning: field.meaning_in(value, &pages).map(String::from),
            });
            run.row(&Row { file: &file.name, path, kind, name, field, duplicate: None })
        })
    });
    run.report(&file.name, &opened.take_findings().findings);
    match found {
        Err(error) if !run.is_taken() => return Err(error),
        Err(error) => run.failed(&file.name, error),
        Ok(()) => {}
    }
    Ok(count)
}
