//! Rules about GameData whose chunks are sound (`spelunk lint`): the order of the rows, their keys, their texts, and what
//! they refer to. The files of the game break some of them, and run; so findings are warnings.

pub mod codes;
mod out;
mod references;
mod rows;

use super::GameData;
use out::GameDataLintSink;
pub use spelunk_core::lint::{Rule, Selection};
use spelunk_core::{Result, Severity, Task};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::reported(&codes::UNSORTED, Severity::Warning),
    Rule::reported(&codes::REPEATED, Severity::Warning),
    Rule::reported(&codes::FULL, Severity::Warning),
    Rule::reported(&codes::TAIL, Severity::Warning),
    Rule::reported(&codes::DANGLING, Severity::Warning),
    Rule::reported(&codes::POLYGONS, Severity::Warning),
    Rule::reported(&codes::RELATION, Severity::Warning),
    Rule::reported(&codes::NO_EQUIPMENT, Severity::Warning),
];

/// Applies the rules to a GameData. Findings go to the sink of the task. Categories that are damaged are passed over:
/// [`verify`](spelunk_core::Container::verify) reports those.
///
/// # Errors
/// Limits; reading errors; what the sink makes of a finding.
pub fn lint(gamedata: GameData<'_>, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    let mut out = GameDataLintSink { gamedata, selection, task };
    let mut columns = references::Columns::default();
    for (chunk, _) in gamedata.categories() {
        let Some(table) = out.table(chunk)? else { continue };
        rows::order(&mut out, chunk, &table)?;
        rows::texts(&mut out, chunk, &table)?;
        references::references(&mut out, &mut columns, chunk, &table)?;
    }
    columns.release(&mut out);
    references::polygons(&mut out)?;
    references::relations(&mut out)?;
    references::equipment(&mut out)
}
