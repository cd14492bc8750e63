//! Sink of the findings of the rules.

use crate::gamedata::{Category, GameData, Table};
use spelunk_core::{Class, Code, Error, Result, Seg, Task, lint::Selection};

/// Sink of the findings.
pub(super) struct GameDataLintSink<'f, 'a, 't> {
    pub(super) gamedata: GameData<'f>,
    pub(super) selection: &'a Selection,
    pub(super) task: &'a mut Task<'t>,
}

impl<'f> GameDataLintSink<'f, '_, '_> {
    /// Whether any of these rules counts.
    pub(super) fn wants(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.selection.has(code))
    }

    /// The tables of a category.
    pub(super) fn tables(&mut self, id: i16) -> Result<Vec<(u32, Table<'f>)>> {
        let mut tables = Vec::new();
        for chunk in self.gamedata.chunks_of(id) {
            tables.extend(self.table(chunk)?.map(|table| (chunk, table)));
        }
        Ok(tables)
    }

    /// A table, if it can be read.
    pub(super) fn table(&mut self, chunk: u32) -> Result<Option<Table<'f>>> {
        match self.gamedata.table(chunk, &mut self.task.budget) {
            Err(error) if error.code().class == Class::Malformed => Ok(None),
            table => table.map(Some),
        }
    }

    /// Reports a finding about a field of a row.
    pub(super) fn report(
        &mut self,
        error: Error,
        chunk: u32,
        row: usize,
        field: usize,
    ) -> Result<()> {
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
