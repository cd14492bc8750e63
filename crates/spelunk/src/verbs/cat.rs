//! The bytes of one entry.

use super::{
    FileRef,
    input::Input,
    output::{Outcome, Output},
    request::Shown,
    run::Run,
    session::Session,
};
use crate::Result;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The bytes of one entry, to standard output
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file, - for standard input, or a folder of SpellForce archives
    #[cfg_attr(feature = "clap", arg(value_name = "FILE|DIR"))]
    pub file: FileRef,
    /// Path of the entry, as `ls` prints it
    #[cfg_attr(feature = "clap", arg(value_name = "PATH"))]
    pub path: String,
    /// Options for how the file is shown.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub shown: Shown,
}

/// Hands out the plain bytes of an entry as a body with its path.
///
/// # Errors
/// Those of the output, and of what the request names beside the file.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("cat", session, out);
    run.show(&request.shown)?;
    if let Some(mut file) = run.open(&Input::named(&request.file))? {
        let opened = file.held.get()?;
        if let Some(node) = run.find_one(&file.name, opened, &request.path) {
            let bytes = opened.run(|container, task| container.bytes(node, task));
            run.settle(&file.name, &opened.take_findings());
            match bytes {
                Ok(bytes) => run.body(&request.path, &bytes)?,
                Err(error) => run.failed(&file.name, error),
            }
        }
    }
    run.finish()
}
