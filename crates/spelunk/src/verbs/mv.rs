//! Another name for an entry.

use super::{
    destination::Destination,
    edit::{edited, with_file},
    output::{Outcome, Output},
    run::Run,
    session::Session,
    writing::NoMore,
};
use crate::{Result, edit::batch::Batch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Give an entry another name
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
    /// New name of the entry
    #[cfg_attr(feature = "clap", arg(value_name = "NAME"))]
    pub name: String,
}

/// Renames an entry of a file, and writes it to where it is to go.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("mv", request, session, out);
    with_file(&request.to, &mut run, |file, opened, run| {
        let batch = Batch::new().rename(&request.path, &request.name);
        Ok(edited(file, opened, &batch, run).map(|_| NoMore {}))
    })?;
    run.finish()
}
