//! Packs without what nobody needs.

use super::{
    building::{self, ReaderOptions},
    destination::Destination,
    input::Input,
    output::{Outcome, Output},
    run::Run,
    session::Session,
    writing::{self, OutputDestination},
};
use crate::{Result, containers::packs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A SnPAK pack without what nothing uses
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The pack, and where the new one goes.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub to: Destination,
    /// Readers that the pack is for.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub readers: ReaderOptions,
}

/// Outcome of compacting a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompactedRow {
    /// Size of the old pack in bytes.
    pub size_before: u64,
    /// Numbers of the things that were left behind.
    pub dropped: DroppedRow,
}

/// Numbers of the things that the new pack lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DroppedRow {
    /// Older generations.
    pub generations: u64,
    /// Unused strings.
    pub strings: u64,
    /// Unused bulk entries.
    pub bulk: u64,
    /// Whether the type table was dropped.
    pub type_table: bool,
    /// Dependencies that the form cannot hold.
    pub dependencies: u64,
}

/// Writes the state that a pack is in, without anything else.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("compact", request, session, out);
    compact(request, &mut run)?;
    run.finish()
}

fn compact(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let options = request.readers.options(run)?;
    let to = &request.to;
    let Some(target) = OutputDestination::over(&to.file, to.into(), run)? else { return Ok(()) };
    let Some(mut file) = run.open(&Input::named(&to.file))? else { return Ok(()) };
    let opened = file.held.get()?;
    let (size_before, output) = (opened.container().size(), target.name.clone());
    let made = writing::make(target, to.out.dry_run, run, |mut out| {
        packs::compact(opened, &mut out, options)
    });
    let findings = opened.take_findings();
    file.held.release();
    let more = |written: packs::WrittenPack| {
        let packs::Dropped { generations, strings, bulk, type_table, dependencies, .. } =
            written.dropped;
        let dropped = DroppedRow { generations, strings, bulk, type_table, dependencies };
        (written.size, CompactedRow { size_before, dropped })
    };
    building::report(&file.name, (to, &output), &findings, made, more, run)
}
