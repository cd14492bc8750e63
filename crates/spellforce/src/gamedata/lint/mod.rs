//! Rules about GameData whose chunks are sound (`spelunk lint`): the order of the rows, their keys, their texts, and what
//! they refer to. The files of the game break some of them, and run; so findings are warnings.

pub mod codes;
mod references;
mod rows;

use super::{Category, GameData, Table};
pub use spelunk_core::lint::{Rule, Selection};
use spelunk_core::{Class, Code, Error, Result, Seg, Severity, Task};

/// All rules, by their codes.
pub const RULES: &[Rule] = &[
    Rule::told(&codes::UNSORTED, Severity::Warning),
    Rule::told(&codes::REPEATED, Severity::Warning),
    Rule::told(&codes::FULL, Severity::Warning),
    Rule::told(&codes::TAIL, Severity::Warning),
    Rule::told(&codes::DANGLING, Severity::Warning),
    Rule::told(&codes::POLYGONS, Severity::Warning),
    Rule::told(&codes::RELATION, Severity::Warning),
    Rule::told(&codes::NO_EQUIPMENT, Severity::Warning),
];

/// Applies the rules to a GameData. Findings go to the sink of the task. Categories that are damaged are passed over:
/// [`verify`](spelunk_core::Container::verify) reports those.
///
/// # Errors
/// Limits; reading errors; what the sink makes of a finding.
pub fn lint(gamedata: GameData<'_>, selection: &Selection, task: &mut Task<'_>) -> Result<()> {
    let mut out = Out { gamedata, selection, task };
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

/// Sink of the findings.
struct Out<'f, 'a, 't> {
    gamedata: GameData<'f>,
    selection: &'a Selection,
    task: &'a mut Task<'t>,
}

impl<'f> Out<'f, '_, '_> {
    /// Whether any of these rules counts.
    fn wants(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.selection.has(code))
    }

    /// The tables of a category.
    fn tables(&mut self, id: i16) -> Result<Vec<(u32, Table<'f>)>> {
        let mut tables = Vec::new();
        for chunk in self.gamedata.chunks_of(id) {
            tables.extend(self.table(chunk)?.map(|table| (chunk, table)));
        }
        Ok(tables)
    }

    /// A table, if it can be read.
    fn table(&mut self, chunk: u32) -> Result<Option<Table<'f>>> {
        match self.gamedata.table(chunk, &mut self.task.budget) {
            Err(error) if error.code().class == Class::Malformed => Ok(None),
            table => table.map(Some),
        }
    }

    /// Reports a finding about a field of a row.
    fn tell(&mut self, error: Error, chunk: u32, row: usize, field: usize) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        let budget = &mut self.task.budget;
        let path = self.gamedata.path(chunk, row, budget)?;
        let mut at = self.gamedata.at(chunk, row, budget)?;
        let category: &Category = self.gamedata.table(chunk, budget)?.category();
        let mut error = error;
        if let Some(slot) = category.fields().get(field) {
            at = at.part(slot.offset.into(), slot.size.into());
            error = error.within(Seg::Field(slot.field.name));
        }
        self.task.warn(error.at(at).within(Seg::Key(path.into())))
    }
}
