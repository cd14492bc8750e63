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
mod seed;
mod space;

use crate::{
    index::RowError,
    lookup::Ids,
    pack::Pack,
    paths::{Id, PathText},
};
use facts::Facts;
pub use spelunk_core::lint::{Rule, Selection};
use spelunk_core::{Code, Error, Result, Seg, Severity, Task, text::CodePages};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::told(&codes::SHADOWED, Severity::Warning),
    Rule::told(&codes::HIDDEN, Severity::Warning),
    Rule::told(&codes::GAPS, Severity::Info),
    Rule::told(&codes::TRAILING, Severity::Info),
    Rule::told(&codes::OUTDATED, Severity::Info),
    Rule::told(&codes::UNUSED_STRINGS, Severity::Info),
    Rule::told(&codes::GROWN, Severity::Info),
    Rule::told(&codes::SAME_PAYLOAD, Severity::Info),
    Rule::told(&codes::MISSING, Severity::Warning),
    Rule::told(&codes::SELF_DEPENDENCY, Severity::Warning),
    Rule::told(&codes::CYCLE, Severity::Info),
    Rule::told(&codes::SAME_NAME, Severity::Warning),
    Rule::told(&codes::CASE, Severity::Warning),
    Rule::told(&codes::NORMALISATION, Severity::Warning),
    Rule::told(&codes::NOT_TEXT, Severity::Info),
    Rule::told(&codes::NOT_A_PATH, Severity::Info),
    Rule::told(&codes::SEED_DEPENDENCIES, Severity::Info),
    Rule::told(&codes::SEED_COMPRESSION, Severity::Info),
    Rule::told(&codes::SEED_SUB_INDEX, Severity::Info),
    Rule::told(&codes::SEED_SIZE, Severity::Info),
];

/// Bytes of a name that a finding shows. Assets with longer paths are named by their positions.
const MAX_SHOWN: usize = 200;

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
        let mut out = Out { pack, ids, selection, pages, path, task };
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

/// Where findings go.
struct Out<'p, 'a, 't> {
    pack: &'p Pack,
    ids: &'p Ids,
    selection: &'a Selection,
    pages: &'a CodePages,
    path: PathText,
    task: &'a mut Task<'t>,
}

impl Out<'_, '_, '_> {
    /// Whether any of these rules counts.
    fn wants(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.selection.has(code))
    }

    /// Tells a finding.
    fn tell(&mut self, severity: Severity, error: Error) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        self.task.budget.steps(16)?;
        self.task.report(severity, error)
    }

    /// Tells a finding about the asset at `row`, whose entry is the place where no nearer one is known.
    fn tell_asset(&mut self, severity: Severity, row: usize, error: Error) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        let at = self.pack.index().place(0, row);
        let path = self.asset(row)?;
        self.tell(severity, error.at(at).within(Seg::Key(path.into())))
    }

    /// Tells a finding about what the asset or bulk chunk `id` says of its chunk.
    fn tell_chunk(&mut self, severity: Severity, id: Id, error: Error) -> Result<()> {
        let Some(nth) = id.bulk else { return self.tell_asset(severity, id.row, error) };
        let entry = self.pack.entry(id.row);
        let first = entry.map_or(0, |entry| self.pack.bulk_rows(entry).start);
        let at = self.pack.index().place(1, first.saturating_add(nth));
        self.tell_asset(severity, id.row, error.at(at).item("bulk", nth))
    }

    /// The path of an asset; its position where that is long.
    fn asset(&mut self, row: usize) -> Result<String> {
        let budget = &mut self.task.budget;
        let path = self.path.set(self.pack, self.ids, row, self.pages, budget)?;
        Ok(if path.len() > MAX_SHOWN { format!("#{row}") } else { path.clone() })
    }

    /// The path of an asset, or of its bulk chunk, in a list.
    fn chunk(&mut self, id: Id) -> Result<String> {
        let asset = self.asset(id.row)?;
        Ok(match id.bulk {
            None => format!("`{asset}`"),
            Some(nth) => format!("bulk {nth} of `{asset}`"),
        })
    }
}

/// The first of several things, and how many there are with how many bytes.
#[derive(Clone, Copy, Debug)]
struct Tally<T> {
    first: Option<T>,
    count: u64,
    bytes: u64,
}

impl<T> Default for Tally<T> {
    fn default() -> Tally<T> {
        Tally { first: None, count: 0, bytes: 0 }
    }
}

impl<T> Tally<T> {
    fn add(&mut self, one: T, bytes: u64) {
        self.first.get_or_insert(one);
        self.count = self.count.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// Bytes of a name for people: escaped, and cut where it is long.
fn shown(name: &[u8]) -> String {
    let start = name.get(..MAX_SHOWN).unwrap_or(name);
    let more = if start.len() < name.len() { "..." } else { "" };
    format!("`{}{more}`", start.escape_ascii())
}
