//! Rules about maps whose chunks are sound (`spelunk lint`): what lies where, what goes with what, and what a GameData knows.
//!
//! They rest on what the community's editor does; no real map was there to try them on. So most findings are warnings.

pub mod codes;
mod inside;
mod out;
mod rules;
mod world;

pub use super::world::handle_of;
use super::{GameMode, Map};
use crate::{cff::ChunkFile, gamedata::GameData};
use out::MapLintSink;
pub use rules::RULES;
pub use spelunk_core::lint::{Rule, Selection};
use spelunk_core::{Result, Task};

/// Applies the rules to a map that was read from `file`. With a GameData and the path of the map those about its ids too.
/// Findings go to the sink of the task.
///
/// # Errors
/// Limits; reading errors; what the sink makes of a finding.
pub fn lint(
    file: &ChunkFile,
    map: &Map,
    world: Option<(GameData<'_>, &str)>,
    selection: &Selection,
    task: &mut Task<'_>,
) -> Result<()> {
    let mut out = MapLintSink { file, map, kind: GameMode::of(file), selection, task };
    inside::chunks(&mut out)?;
    inside::ground(&mut out)?;
    inside::lakes(&mut out)?;
    inside::entities(&mut out)?;
    inside::npcs(&mut out)?;
    inside::flags(&mut out)?;
    inside::weather(&mut out)?;
    inside::players(&mut out)?;
    let Some((gamedata, path)) = world else { return Ok(()) };
    world::rows(&mut out, gamedata)?;
    world::handle(&mut out, gamedata, path)
}
