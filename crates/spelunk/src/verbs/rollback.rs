//! Packs as they were.

use super::{
    FileRef, building,
    edit::Destination,
    input::Input,
    output::{Outcome, Output},
    run::{OpenFile, Run},
    session::{Held, Session},
    writing::{self, Target},
};
use crate::{Opened, Result, Revision, containers::packs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A SnPAK pack as it was before appends
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The pack, and where the one goes that it was.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub to: Destination,
    /// The generation to go back to, counted from the oldest, which is 1; `info` lists them
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub generation: u32,
}

/// What became of the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RolledBackRow {
    /// Size of the newer pack in bytes.
    pub size_before: u64,
    /// The generation that it is now, counted from the oldest, which is 1.
    pub generation: u32,
}

/// Writes a pack as it was in one of its generations.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::new("rollback", session, out);
    rollback(request, &mut run)?;
    run.finish()
}

fn rollback(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let (to, generation) = (&request.to, request.generation);
    let Some(target) = Target::over(&to.file, to.into(), run)? else { return Ok(()) };
    run.options.revision = Some(Revision::Nth(generation));
    let Some(mut file) = open(&Input::named(&to.file), run)? else { return Ok(()) };
    let opened = file.held.get()?;
    let size_before = opened.container().size();
    let output = target.name.clone();
    let made =
        writing::make(target, to.out.dry_run, run, |mut out| packs::rollback(opened, &mut out));
    let findings = opened.take_findings();
    file.held.release();
    let more = |size| (size, RolledBackRow { size_before, generation });
    building::tell(&file.name, (to, &output), &findings, made, more, run)
}

/// Opens the pack at the generation; one that the session keeps open, of what it is now.
fn open<'s>(input: &Input, run: &mut Run<'s>) -> Result<Option<OpenFile<'s>>> {
    let FileRef::Open(_) = input.file else { return run.open(input) };
    let opened = run.source(input).and_then(|source| Opened::open(source, &run.options));
    match opened {
        Ok(opened) => Ok(Some(OpenFile { name: run.name(&input.file)?, held: Held::own(opened) })),
        Err(error) => run.refused(input, &error).map(|_| None),
    }
}
