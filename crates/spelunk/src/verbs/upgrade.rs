//! Old generations of files, and the current one.

use super::{
    FileName,
    input::Input,
    output::{Outcome, Output},
    request::{FileList, OutputOptions},
    run::Run,
    session::Session,
    writing::{self, NoMore, OutputDestination, Writing},
};
use crate::{Convert, Result, WriteOptions, edit::upgrade};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, ffi::OsStr};

/// Old file generations to the current one
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The files.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub files: FileList,
    /// The folder to write to, with the folders that -r finds; made where it is missing
    #[cfg_attr(feature = "clap", arg(short = 'C', long = "directory", value_name = "DIR"))]
    pub directory: FileName,
    /// Write this FileVersion: 8 or 9 [default: 8, and 9 for files that have it]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(8..=9)))]
    pub file_version: Option<u32>,
    /// Leave out what the current generation cannot hold, and report it
    #[cfg_attr(feature = "clap", arg(long))]
    pub lossy: bool,
    /// Options for files that are written.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub out: OutputOptions,
}

/// Writes files that are of old generations to a folder, as files of the current one.
///
/// # Errors
/// Those of the output; a list of files that cannot be read.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("upgrade", session, out);
    let mut written = BTreeSet::new();
    let inputs = run.expand(&request.files, request.out.links())?;
    run.plan(&inputs);
    for input in &inputs {
        let name = run.file_name(&input.file)?;
        let name = match name.is_stream() {
            // Standard input has no name to go by.
            true => OsStr::new("stdin"),
            false if input.within.as_os_str().is_empty() => {
                name.as_path().file_name().unwrap_or_default()
            }
            false => input.within.as_os_str(),
        };
        let path = request.directory.join(name);
        let target = OutputDestination::new(path.clone(), &request.out).below(&request.directory);
        // What this run wrote is not replaced by another file of the same name, not even with --force.
        let target = if written.contains(&path) { target.refusing() } else { target };
        if one(request, input, target, &mut run)? {
            written.insert(path);
        }
        run.advance();
    }
    run.finish()
}

/// Upgrades one file; returns whether it was written.
fn one(
    request: &Request,
    input: &Input,
    target: OutputDestination,
    run: &mut Run<'_>,
) -> Result<bool> {
    let Some(mut file) = run.open(input)? else { return Ok(false) };
    let opened = file.held.get()?;
    let convert = match upgrade::form(opened, request.file_version) {
        Ok(Some(form)) => Convert { lossy: request.lossy, ..form },
        Ok(None) => {
            run.note(&format!("{}: current already, nothing written", file.name));
            return Ok(false);
        }
        Err(error) => {
            run.failed(&file.name, error);
            return Ok(false);
        }
    };
    if !writing::check(&file.name, opened, run) {
        return Ok(false);
    }
    let options = WriteOptions { convert, ..WriteOptions::default() };
    let writing = Writing { target, options, dry_run: request.out.dry_run };
    let Some(written) = writing::write(file, writing, run)? else { return Ok(false) };
    written.report(NoMore {}, run)?;
    Ok(true)
}
