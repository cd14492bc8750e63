//! Managers: what knows things that belong to no object, and saves them into files with the objects
//! (`docs/formats/virtools-runtime.md#6-managers`).

mod attributes;
mod built_in;
mod carried;
mod messages;
mod table;

pub use attributes::AttributeTypes;
pub use carried::Carried;
pub use messages::MessageTypes;

use super::{context::Context, load::ManagerLoad, object::SavedState};
use crate::file::{data, part::PlainSpan};
use spelunk_core::{Result, scalar::Guid};
use std::{any::Any, fmt::Debug};

/// A manager. While it is called it stands apart from the context, which has no managers then.
///
/// A load that fails leaves managers as they were before: a copy is made of each.
pub trait Manager: Any + Debug + Send + Sync {
    /// GUID of the manager, in files too.
    fn guid(&self) -> Guid;

    /// Name of the manager for people.
    fn name(&self) -> String;

    /// A copy of it.
    fn duplicate(&self) -> Box<dyn Manager>;

    /// A load begins.
    ///
    /// # Errors
    /// Any, to end it.
    fn pre_load(&mut self, context: &Context) -> Result<()> {
        let _ = context;
        Ok(())
    }

    /// A load has ended.
    ///
    /// # Errors
    /// Any; then the context is as it was before the load.
    fn post_load(&mut self, context: &Context) -> Result<()> {
        let _ = context;
        Ok(())
    }

    /// Objects are about to be saved.
    ///
    /// # Errors
    /// Any, to end it.
    fn pre_save(&mut self, context: &Context) -> Result<()> {
        let _ = context;
        Ok(())
    }

    /// The file is complete.
    ///
    /// # Errors
    /// Any. The file stays.
    fn post_save(&mut self, context: &Context) -> Result<()> {
        let _ = context;
        Ok(())
    }

    /// Takes over what a file holds of it; `None` where that is nothing. The objects of the file are there and have no state
    /// yet: numbers that they hold can still be [changed](ManagerLoad::remap_ints).
    ///
    /// # Errors
    /// Any, to end the load.
    fn load_data(
        &mut self,
        data: Option<&SavedState>,
        load: &mut ManagerLoad<'_, '_>,
    ) -> Result<()>;

    /// State of the manager for a file.
    ///
    /// # Errors
    /// Any, to end the saving.
    fn save_data(&mut self, context: &Context) -> Result<Option<SavedState>>;

    /// Everything is gone.
    fn reset(&mut self);

    /// All dynamic objects are gone: what nothing but loads of dynamic objects brought can go too.
    fn forget_dynamic(&mut self) {}
}

impl Clone for Box<dyn Manager> {
    fn clone(&self) -> Box<dyn Manager> {
        self.duplicate()
    }
}

/// Name of a manager where it is known, and its GUID.
pub(super) fn guid_text(guid: Guid) -> String {
    let id = format!("{:08X},{:08X}", guid.d1.get(), guid.d2.get());
    match (data::Manager { guid, chunk: PlainSpan::default() }).name() {
        Some(name) => format!("{name} {id}"),
        None => id,
    }
}
