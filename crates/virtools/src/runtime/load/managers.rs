//! Managers get what a file holds of them, one after the other.

use super::{Loading, flags, manager::ManagerLoad};
use crate::{
    codes,
    file::data::Owner,
    runtime::{
        manager::{Carried, guid_text},
        object::{Links, SavedState},
    },
};
use spelunk_core::{Error, Result, Severity, scalar::Guid};
use std::sync::Arc;

/// The grid manager, which engines report a second time.
const GRIDS: [u32; 2] = [0x7F00_4791, 0];

impl Loading<'_, '_> {
    /// Hands the managers what the file holds of them, in the order of the file.
    pub(super) fn load_managers(
        &mut self,
        states: &mut [SavedState],
        links: &Arc<Links>,
    ) -> Result<()> {
        let records = self.file.records(&mut self.task.budget)?;
        let mut data = Vec::new();
        for (record, index) in records.managers.iter().zip(0..) {
            let chunk = records.chunk_bytes(Owner::Manager(index), &mut self.task.budget)?;
            let state = SavedState { chunk, links: links.clone() };
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
        data: Option<&SavedState>,
        states: &mut [SavedState],
    ) -> Result<()> {
        let is_dynamic = self.load.has(flags::AS_DYNAMIC_OBJECT);
        let known = self.context.managers().any(|manager| manager.guid() == guid);
        if !known {
            if is_dynamic {
                return Ok(());
            }
            let error = Error::new(&codes::UNKNOWN_MANAGER).found(guid_text(guid));
            self.report.report(Severity::Info, error, self.task)?;
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
