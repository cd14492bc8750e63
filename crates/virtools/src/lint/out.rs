//! The way of findings: what rules say becomes errors with places and paths, where it is wanted.

use super::facts;
use crate::file::File;
use spelunk_core::{Code, Error, Result, Seg, Severity, Task, lint::Selection, text::CodePages};

/// Receiver of findings.
pub(super) struct FileLintSink<'a, 't> {
    pub(super) file: &'a File,
    pub(super) selection: &'a Selection,
    pub(super) pages: &'a CodePages,
    pub(super) task: &'a mut Task<'t>,
}

impl FileLintSink<'_, '_> {
    /// Reports a finding about a field of an object.
    pub(super) fn report(
        &mut self,
        severity: Severity,
        code: &'static Code,
        index: u32,
        field: &'static str,
        found: String,
    ) -> Result<()> {
        self.report_error(severity, index, field, Error::new(code).found(found))
    }

    /// The same of what was expected there, or of nothing at all.
    pub(super) fn report_error(
        &mut self,
        severity: Severity,
        index: u32,
        field: &'static str,
        error: Error,
    ) -> Result<()> {
        let name = self.path(index);
        let mut error = error.field(field).within(Seg::Key(name.into()));
        if let Some(at) = self.file.object_at(index) {
            error = error.at(at);
        }
        self.collect(severity, error)
    }

    /// Reports a finding about the groups of a level.
    pub(super) fn report_groups(
        &mut self,
        severity: Severity,
        code: &'static Code,
        expected: String,
        found: String,
    ) -> Result<()> {
        self.collect(severity, Error::new(code).expected(expected).found(found).field("groups"))
    }

    fn collect(&mut self, severity: Severity, error: Error) -> Result<()> {
        if !self.selection.has(error.code()) {
            return Ok(());
        }
        self.task.budget.steps(16)?;
        self.task.report(severity, error)
    }

    /// The path of an object with its class and name: `#17 CKMesh/Cube`.
    pub(super) fn path(&self, index: u32) -> String {
        let class_id = self.file.class_of(index).unwrap_or_default();
        let mut path = format!("#{index} {}/", self.file.class_name(class_id));
        self.pages.path_step(facts::name(self.file, index), &mut path);
        path
    }

    /// A name for people.
    pub(super) fn show(&self, name: &[u8]) -> String {
        self.pages.show(name).into_owned()
    }
}
