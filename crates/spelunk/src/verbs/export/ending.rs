//! The end of an export: files take their places, and a row says so.

use super::request::Request;
use crate::{
    Error, Result,
    verbs::{
        outputs::{OutputFiles, put},
        run::{OpenFile, Run},
    },
};
use schemars::JsonSchema;
use serde::Serialize;
use std::io;

/// Outcome of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Row<'a> {
    /// The file.
    pub file: &'a str,
    /// The file or folder that was written.
    pub output: &'a str,
    /// Number of files that were written.
    pub files: usize,
    /// Size of all of them in bytes.
    pub size: u64,
    /// Whether nothing was written.
    pub dry_run: bool,
}

/// Writes what was made of a file, or says why nothing was.
pub(super) fn done(
    request: &Request,
    mut file: OpenFile<'_>,
    made: Result<OutputFiles<'_>>,
    run: &mut Run<'_>,
) -> Result<()> {
    run.settle(&file.name, &file.held.get()?.take_findings());
    // A mapped file cannot be replaced on every system: let go of it first.
    file.held.release();
    match made {
        Ok(files) => {
            let written = put(&request.output, request.out, &files, run);
            exported(&file.name, request, written, files.len(), run)
        }
        Err(error) => {
            run.failed(&file.name, error);
            Ok(())
        }
    }
}

/// Says what of `file` was exported, in how many files, or why nothing was.
pub(super) fn exported(
    file: &str,
    request: &Request,
    written: Result<u64>,
    files: usize,
    run: &mut Run<'_>,
) -> Result<()> {
    let is_stream = request.output.is_stream();
    let is_closed_pipe =
        |error: &Error| error.io_error().map(io::Error::kind) == Some(io::ErrorKind::BrokenPipe);
    let output = request.output.to_string();
    match written {
        Ok(_) if is_stream => Ok(()),
        Ok(size) => {
            run.row(&Row { file, output: &output, files, size, dry_run: request.out.dry_run })
        }
        // Who read it has enough.
        Err(error) if is_stream && is_closed_pipe(&error) => Ok(()),
        Err(error) => {
            run.failed(&output, error);
            Ok(())
        }
    }
}
