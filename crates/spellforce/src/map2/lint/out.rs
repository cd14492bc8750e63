//! Sink of the findings of the rules, and the chunks that they look at.

use super::rules::RULES;
use crate::{
    cff::ChunkFile,
    map2::{Section, read::walk_chunks},
};
use spelunk_core::{Code, Error, Result, Seg, Severity, Task, Walk, lint::Selection};

/// Sink of the findings.
pub(super) struct Out<'a, 't> {
    pub(super) file: &'a ChunkFile,
    pub(super) selection: &'a Selection,
    pub(super) task: &'a mut Task<'t>,
}

impl Out<'_, '_> {
    /// Whether any of these rules counts.
    pub(super) fn wants(&self, codes: &[&Code]) -> bool {
        codes.iter().any(|code| self.selection.has(code))
    }

    /// Walks the chunks of a section, as far as they can be read. There has to be memory for what a rule keeps of them: so many
    /// bytes for each byte of theirs at the most.
    pub(super) fn walk(
        &mut self,
        section: &'static Section,
        held: u64,
        walk: &mut dyn Walk,
    ) -> Result<()> {
        // Whoever opens or verifies the file reports what cannot be read.
        let pass = |error: Error, _: &mut Task<'_>| match error.ends_work() {
            true => Err(error),
            false => Ok(()),
        };
        walk_chunks(self.file, section, held, self.task, pass, walk)
    }

    /// Reports a finding about a section, or a record of one.
    pub(super) fn report(
        &mut self,
        error: Error,
        section: &Section,
        record: Option<u64>,
    ) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        let rule = RULES.iter().find(|rule| rule.code.id == error.code().id);
        let severity = rule.map_or(Severity::Warning, |rule| rule.severity);
        let error = match record {
            Some(record) => error.within(Seg::Index(record)),
            None => error,
        };
        self.task.report(severity, error.field(section.name))
    }
}
