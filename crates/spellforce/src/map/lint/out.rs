//! Sink of the findings of the rules.

use super::rules::RULES;
use crate::{
    cff::ChunkFile,
    map::{GameMode, Map, Records, Section},
};
use spelunk_core::{Code, Error, Result, Seg, Severity, Task, lint::Selection};

/// Sink of the findings.
pub(super) struct MapLintSink<'a, 't> {
    pub(super) file: &'a ChunkFile,
    pub(super) map: &'a Map,
    pub(super) kind: GameMode,
    pub(super) selection: &'a Selection,
    pub(super) task: &'a mut Task<'t>,
}

impl MapLintSink<'_, '_> {
    /// Whether any of these rules counts.
    pub(super) fn wants(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.selection.has(code))
    }

    /// Reports a finding about a record of a section, or about the section.
    pub(super) fn report(
        &mut self,
        error: Error,
        section: &Section,
        record: Option<usize>,
        field: &str,
    ) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        let code = error.code();
        let mut error = error;
        let first = self.file.with_id(section.id).first();
        if let Some((n, chunk)) = first.and_then(|n| Some((*n, self.file.chunk(*n)?))) {
            let at = self.file.section(n, &mut self.task.budget)?.plain_at();
            let mut place = at;
            if let (Some(nth), Some((head, row))) = (record, section.rows(chunk.data_type())) {
                let plain = self.file.plain(n, &mut self.task.budget)?;
                let start = Records::of(head, row, plain, at).start as u64;
                let size = u64::from(row.size);
                place = at.part(start.saturating_add(size.saturating_mul(nth as u64)), size);
                if let Some(slot) = row.fields.iter().find(|slot| slot.field.name == field) {
                    place = place.part(slot.offset.into(), slot.size.into());
                    if row.fields.len() > 1 {
                        error = error.within(Seg::Field(slot.field.name));
                    }
                }
            }
            error = error.at(place);
        }
        if let Some(nth) = record {
            error = error.within(Seg::Index(nth as u64));
        }
        let rule = RULES.iter().find(|rule| rule.code.id == code.id);
        let severity = rule.map_or(Severity::Warning, |rule| rule.severity);
        self.task.report(severity, error.field(section.name))
    }
}
