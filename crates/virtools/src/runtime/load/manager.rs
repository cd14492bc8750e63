//! Managers while a file is loaded: they take over its share of them, and change the numbers of theirs that objects hold.

use super::Report;
use crate::{
    chunk::remap,
    class::Value,
    codec::Saved,
    file::value::has_no_value,
    runtime::{context::Context, object::SavedState},
};
use spelunk_core::{Budget, Bytes, Error, Result, Severity, Task, scalar::Guid};

/// Access of a manager to the file that is loaded.
#[derive(Debug)]
pub struct ManagerLoad<'l, 's> {
    pub(super) context: &'l Context,
    pub(super) states: &'l mut [SavedState],
    pub(super) is_dynamic: bool,
    pub(super) keeps_all: bool,
    pub(super) file_version: u32,
    pub(super) report: &'l mut Report,
    pub(super) task: &'l mut Task<'s>,
}

impl ManagerLoad<'_, '_> {
    /// The context, without its managers.
    pub const fn context(&self) -> &Context {
        self.context
    }

    /// Whether the objects are only there for a while.
    pub const fn is_dynamic(&self) -> bool {
        self.is_dynamic
    }

    /// Whether what the file holds stays as it is, also where engines change it ([`Load::keep_entries`](super::Load)).
    pub const fn keeps_all(&self) -> bool {
        self.keeps_all
    }

    /// FileVersion of the file.
    pub const fn file_version(&self) -> u32 {
        self.file_version
    }

    /// Budget that is left.
    pub const fn budget(&mut self) -> &mut Budget {
        &mut self.task.budget
    }

    /// Reports something unusual.
    ///
    /// # Errors
    /// What the sink makes of it.
    pub fn warn(&mut self, error: Error) -> Result<()> {
        self.report.report(Severity::Warning, error, self.task)
    }

    /// Returns the content of a file as a value of the same kind as `empty`. References hold ids of the context. `None` where it
    /// holds something else; that is reported.
    ///
    /// # Errors
    /// Limits; what the sink makes of the report.
    pub fn value(&mut self, data: &SavedState, empty: Value) -> Result<Option<Saved<Value>>> {
        match self.context.value_of(data, empty, &mut Vec::new(), &mut self.task.budget) {
            Ok(value) => Ok(Some(value)),
            Err(error) if has_no_value(&error) => self.warn(error).map(|()| None),
            Err(error) => Err(error),
        }
    }

    /// Gives other numbers to what the objects of the file say of a manager: `numbers` has the new ones by the old ones.
    /// Others stay.
    ///
    /// # Errors
    /// Limits.
    pub fn remap_ints(&mut self, manager: Guid, numbers: &[u32]) -> Result<()> {
        self.each(|view, bytes, budget| remap::manager_ints(view, bytes, manager, numbers, budget))
    }

    /// Gives other values to parameters of a type, where `new` has one.
    ///
    /// # Errors
    /// Limits.
    pub fn remap_parameters(
        &mut self,
        parameter_type: Guid,
        new: &dyn Fn(u32) -> Option<u32>,
    ) -> Result<()> {
        self.each(|view, bytes, budget| remap::parameter(view, bytes, parameter_type, new, budget))
    }

    fn each(
        &mut self,
        mut change: impl FnMut(&crate::chunk::Chunk<'_>, &[u8], &mut Budget) -> Result<Option<Vec<u8>>>,
    ) -> Result<()> {
        for state in self.states.iter_mut().filter(|state| !state.chunk.is_empty()) {
            let changed = match state.view() {
                Err(error) if has_no_value(&error) => None,
                view => change(&view?, &state.chunk, &mut self.task.budget)?,
            };
            if let Some(changed) = changed {
                state.chunk = Bytes::from(changed);
            }
        }
        Ok(())
    }
}
