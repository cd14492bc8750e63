//! Managers take over what a file holds of them, and change the numbers of theirs that objects hold.

use super::{Loading, Report, flags};
use crate::{
    chunk::remap,
    class::Value,
    codec::Saved,
    codes,
    file::{data::Owner, value::has_no_value},
    runtime::{
        Carried, Context,
        manager::told,
        object::{Links, State},
    },
};
use spelunk_core::{Budget, Bytes, Error, Result, Severity, Task, scalar::Guid};
use std::sync::Arc;

/// The grid manager, which engines tell a second time.
const GRIDS: [u32; 2] = [0x7F00_4791, 0];

/// What a manager can do while a file is loaded.
#[derive(Debug)]
pub struct ManagerLoad<'l, 's> {
    context: &'l Context,
    states: &'l mut [State],
    is_dynamic: bool,
    keeps_all: bool,
    file_version: u32,
    report: &'l mut Report,
    task: &'l mut Task<'s>,
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

    /// What is left to be used.
    pub const fn budget(&mut self) -> &mut Budget {
        &mut self.task.budget
    }

    /// Reports something unusual.
    ///
    /// # Errors
    /// What the sink makes of it.
    pub fn warn(&mut self, error: Error) -> Result<()> {
        self.report.tell(Severity::Warning, error, self.task)
    }

    /// What a file holds, as a value of the same kind as `empty`. References hold ids of the context. `None` where it holds
    /// something else; that is reported.
    ///
    /// # Errors
    /// Limits; what the sink makes of the report.
    pub fn value(&mut self, data: &State, empty: Value) -> Result<Option<Saved<Value>>> {
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

impl Loading<'_, '_> {
    /// Hands the managers what the file holds of them, in the order of the file.
    pub(super) fn load_managers(&mut self, states: &mut [State], links: &Arc<Links>) -> Result<()> {
        let records = self.file.records(&mut self.task.budget)?;
        let mut data = Vec::new();
        for (record, index) in records.managers.iter().zip(0..) {
            let chunk = records.chunk_bytes(Owner::Manager(index), &mut self.task.budget)?;
            let state = State { chunk, links: links.clone() };
            data.push((record.guid, Some(state).filter(|state| !state.chunk.is_empty())));
        }
        let has_grids = data.iter().any(|(guid, _)| [guid.d1.get(), guid.d2.get()] == GRIDS);
        let mut last = None;
        for (guid, state) in &data {
            self.load_manager(*guid, last, state.as_ref(), states)?;
            last = Some(*guid);
        }
        match has_grids {
            true => self.load_manager(crate::codec::guid(GRIDS), None, None, states),
            false => Ok(()),
        }
    }

    /// Hands a manager what the file holds of it. One that nobody registered is put behind the `last` one.
    fn load_manager(
        &mut self,
        guid: Guid,
        last: Option<Guid>,
        data: Option<&State>,
        states: &mut [State],
    ) -> Result<()> {
        let is_dynamic = self.load.has(flags::AS_DYNAMIC_OBJECT);
        let known = self.context.managers().any(|manager| manager.guid() == guid);
        if !known {
            if is_dynamic {
                return Ok(());
            }
            let error = Error::new(&codes::UNKNOWN_MANAGER).found(told(guid));
            self.report.tell(Severity::Info, error, self.task)?;
            let last = self.context.managers().position(|manager| Some(manager.guid()) == last);
            let at = last.map_or(0, |last| last.saturating_add(1));
            self.context.rest.managers.insert(at, Box::new(Carried::new(guid)));
        }
        let mut managers = std::mem::take(&mut self.context.rest.managers);
        let manager = managers.iter_mut().find(|manager| manager.guid() == guid);
        let mut load = ManagerLoad {
            context: self.context,
            states,
            is_dynamic,
            keeps_all: self.load.keep_entries,
            file_version: self.file.head().version(),
            report: self.report,
            task: self.task,
        };
        let loaded = manager.map_or(Ok(()), |manager| manager.load_data(data, &mut load));
        self.context.rest.managers = managers;
        loaded
    }
}
