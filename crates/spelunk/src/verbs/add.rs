//! Entries that come.

use super::{
    FileName,
    destination::Destination,
    edit::{content, edited, with_file},
    output::{Outcome, Output},
    run::{Run, bad_path},
    session::Session,
    writing::NoMore,
};
use crate::{
    Result,
    edit::batch::{Batch, EntryContent},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Add an entry
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The file to change, and where the changed one goes.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub to: Destination,
    /// The class and the name of the object, included/ and the name of a file, asset/ and the name of an asset, bulk/
    /// and the path of a bulk payload, file/ and the path of a file of an archive, the category and the key of a row of a
    /// GameData (items/9), or the list of a map and the position of the record (units/0, units/end)
    #[cfg_attr(feature = "clap", arg(value_name = "KIND/NAME"))]
    pub path: String,
    /// The bytes of the entry; those of an object are a chunk of its class, those of rows and records have their layout
    #[cfg_attr(feature = "clap", arg(long, value_name = "SOURCE"))]
    pub from: Option<FileName>,
    /// Take the bytes of --from whatever they are
    #[cfg_attr(feature = "clap", arg(long, requires = "from"))]
    pub raw: bool,
    /// The entry whose bytes it has too; without it and without --from rows and records are zeros
    #[cfg_attr(feature = "clap", arg(long, value_name = "PATH", conflicts_with = "from"))]
    pub like: Option<String>,
}

/// Adds an entry to a file, and writes it to where it is to go.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("add", request, session, out);
    with_file(&request.to, &mut run, |file, opened, run| {
        let Some((kind, name)) = request.path.split_once('/') else {
            run.failed(file, bad_path("CLASS/NAME or included/NAME", &request.path));
            return Ok(None);
        };
        let new = match (&request.from, &request.like) {
            (Some(from), _) => match content(from, &request.to, run) {
                Some(bytes) if request.raw => EntryContent::Raw(bytes),
                Some(bytes) => EntryContent::Bytes(bytes),
                None => return Ok(None),
            },
            (None, Some(like)) => EntryContent::Like(like.clone()),
            (None, None) => EntryContent::New,
        };
        let batch = Batch::new().add(kind, name, new);
        Ok(edited(file, opened, &batch, run).map(|_| NoMore {}))
    })?;
    run.finish()
}
