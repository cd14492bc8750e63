//! Packs that are put right.

use super::{
    building::{self, ReaderOptions, RemadeRow},
    destination::Destination,
    input::Input,
    output::{Outcome, Output},
    run::Run,
    session::Session,
    writing::{self, OutputDestination},
};
use crate::{Collect, Result, containers::packs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A damaged SnPAK pack put right, as far as it goes
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct Request {
    /// The pack, and where the sound one goes.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub to: Destination,
    /// Readers that the pack is for.
    #[cfg_attr(feature = "clap", command(flatten))]
    #[serde(flatten)]
    pub readers: ReaderOptions,
}

/// Outcome of a repair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Row<'a> {
    /// The pack was written.
    Written(RemadeRow<'a, RepairedRow>),
    /// Nothing is wrong with the pack, and nothing was written.
    Sound(SoundRow<'a>),
}

/// Repairs of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepairedRow {
    /// Whether anything was wrong with it.
    pub repaired: bool,
    /// Repairs that were made, in words.
    pub mended: Vec<String>,
}

/// A pack that nothing is wrong with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SoundRow<'a> {
    /// The pack.
    pub file: &'a str,
    /// False.
    pub repaired: bool,
}

/// Puts a pack right that may not even open.
///
/// # Errors
/// Those of the output.
pub fn run(session: &Session, request: &Request, out: &mut dyn Output) -> Result<Outcome> {
    let mut run = Run::editing("repair", request, session, out);
    repair(request, &mut run)?;
    run.finish()
}

fn repair(request: &Request, run: &mut Run<'_>) -> Result<()> {
    let building = request.readers.options(run)?;
    let to = &request.to;
    let Some(target) = OutputDestination::over(&to.file, to.into(), run)? else { return Ok(()) };
    let file = run.name(&to.file)?;
    let source = match run.source(&Input::named(&to.file)) {
        Ok(source) => source,
        Err(error) => {
            run.unopened(&file, error);
            return Ok(());
        }
    };
    let (size, output) = (source.len(), target.name.clone());
    let mut findings = Collect::default();
    let options = run.options.clone();
    let made = writing::make(target, to.out.dry_run, run, |mut out| {
        packs::repair(source.clone(), &mut out, building, &options, &mut findings)
    });
    drop(source);
    let is_sound = matches!(&made, Ok((None, _)));
    if is_sound && to.in_place {
        return run.row(&Row::Sound(SoundRow { file: &file, repaired: false }));
    }
    let mended = packs::mended(&findings);
    let more = |written: Option<packs::WrittenPack>| {
        let size = written.map_or(size, |written| written.size);
        (size, RepairedRow { repaired: !is_sound, mended })
    };
    building::report(&file, (to, &output), &findings, made, more, run)
}
