//! Packs as they were.

use super::{
    building,
    destination::Destination,
    input::Input,
    output::{Outcome, Output},
    run::Run,
    session::Session,
    writing::{self, OutputDestination},
};
use crate::{Result, Revision, containers::packs};
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

/// Outcome of rolling a pack back.
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
    let mut run = Run::editing("rollback", request, session, out);
    rollback(request, &mut run)?;
    run.finish()
}

fn rollback(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let (to, generation) = (&request.to, request.generation);
    let Some(target) = OutputDestination::over(&to.file, to.into(), run)? else { return Ok(()) };
    run.options.revision = Some(Revision::Nth(generation));
    let Some(mut file) = run.open(&Input::named(&to.file))? else { return Ok(()) };
    let opened = file.held.get()?;
    let size_before = opened.container().size();
    let output = target.name.clone();
    let made =
        writing::make(target, to.out.dry_run, run, |mut out| packs::rollback(opened, &mut out));
    let findings = opened.take_findings();
    file.held.release();
    let more = |size| (size, RolledBackRow { size_before, generation });
    building::report(&file.name, (to, &output), &findings, made, more, run)
}
