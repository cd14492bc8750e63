//! Other bytes for an entry.

use super::{
    FileName,
    destination::Destination,
    edit::{content, edited, with_file},
    output::{Outcome, Output},
    run::Run,
    session::Session,
    writing::NoMore,
};
use crate::{Result, edit::batch::Batch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Put other bytes in the place of an entry's
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file to change, and where the changed one goes.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub to: Destination,
    /// Path of the entry, as `ls` prints it
    #[cfg_attr(feature = "clap", arg(value_name = "PATH"))]
    pub path: String,
    /// The file with its new bytes; those of an object are a chunk of its class. A picture or a model goes in with
    /// import --replace
    #[cfg_attr(feature = "clap", arg(value_name = "SOURCE"))]
    pub source: FileName,
    /// Take the bytes whatever they are
    #[cfg_attr(feature = "clap", arg(long))]
    pub raw: bool,
}

/// Replaces the bytes of an entry of a file, and writes it to where it is to go.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("replace", request, session, out);
    with_file(&request.to, &mut run, |file, opened, run| {
        let Some(bytes) = content(&request.source, &request.to, run) else { return Ok(None) };
        let batch = Batch::new().replace(&request.path, bytes, request.raw);
        Ok(edited(file, opened, &batch, run).map(|_| NoMore {}))
    })?;
    run.finish()
}
