//! Rules about what games and tools do not like although the bytes are sound (`spelunk lint`).
//!
//! One file for each group of rules. They go by what the active index says of the chunks, which
//! [`verify()`](crate::verify()) compares with the chunks themselves; no payload is unpacked. Each rule has a
//! code in [`codes`]. Nothing is mended here.

pub mod codes;
mod facts;
mod hidden;
mod names;
mod needs;
mod out;
mod seed;
mod space;
mod tally;

use crate::{pack::Pack, paths::PathText};
use facts::Facts;
use out::PackLintSink;
pub use spelunk_core::lint::{Rule, Selection};
use spelunk_core::{Result, Severity, Task, text::CodePages};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::reported(&codes::SHADOWED, Severity::Warning),
    Rule::reported(&codes::HIDDEN, Severity::Warning),
    Rule::reported(&codes::GAPS, Severity::Info),
    Rule::reported(&codes::TRAILING, Severity::Info),
    Rule::reported(&codes::OUTDATED, Severity::Info),
    Rule::reported(&codes::UNUSED_STRINGS, Severity::Info),
    Rule::reported(&codes::GROWN, Severity::Info),
    Rule::reported(&codes::SAME_PAYLOAD, Severity::Info),
    Rule::reported(&codes::MISSING, Severity::Warning),
    Rule::reported(&codes::SELF_DEPENDENCY, Severity::Warning),
    Rule::reported(&codes::CYCLE, Severity::Info),
    Rule::reported(&codes::SAME_NAME, Severity::Warning),
    Rule::reported(&codes::CASE, Severity::Warning),
    Rule::reported(&codes::NORMALISATION, Severity::Warning),
    Rule::reported(&codes::NOT_TEXT, Severity::Info),
    Rule::reported(&codes::NOT_A_PATH, Severity::Info),
    Rule::reported(&codes::SEED_DEPENDENCIES, Severity::Info),
    Rule::reported(&codes::SEED_COMPRESSION, Severity::Info),
    Rule::reported(&codes::SEED_SUB_INDEX, Severity::Info),
    Rule::reported(&codes::SEED_SIZE, Severity::Info),
];

/// Applies the rules to a pack. Findings go to the sink of the task; what the tables for it take is given back, all but
/// the sorted ids, which the pack keeps.
///
/// # Errors
/// Limits; reading errors; what the sink makes of a finding.
pub fn lint(
    pack: &Pack,
    selection: &Selection,
    pages: &CodePages,
    task: &mut Task<'_>,
) -> Result<()> {
    // Kept by the pack, and therefore charged outside of what is given back.
    let ids = pack.ids(&mut task.budget)?;
    task.transient(|task| {
        let facts = Facts::of(pack, task)?;
        let path = PathText::default();
        let mut out = PackLintSink { pack, ids, selection, pages, path, task };
        hidden::shadowed(&mut out)?;
        hidden::by_appends(&mut out)?;
        space::unreferenced(&facts, &mut out)?;
        space::strings(&mut out)?;
        space::chunks(&facts, &mut out)?;
        needs::needs(&mut out)?;
        names::names(&mut out)?;
        seed::seed(&facts, &mut out)
    })
}
