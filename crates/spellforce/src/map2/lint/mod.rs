//! Rules about maps of SpellForce 2 whose chunks are sound (`spelunk lint`): what holds in all real maps that are known.

pub mod codes;
mod out;
mod rules;
mod terrain;
mod things;

use crate::cff::ChunkFile;
use out::Out;
pub use rules::RULES;
use spelunk_core::{Result, Task, lint::Selection};

/// Applies the rules to a map. Findings go to the sink of the task. Of a part that has no known layout they say nothing.
///
/// # Errors
/// Limits; reading errors; what the sink makes of a finding.
pub fn lint(file: &ChunkFile, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    task.transient(|task| {
        let mut out = Out { file, selection, task };
        let size = terrain::lint(&mut out)?;
        things::lint(&mut out, size)
    })
}
