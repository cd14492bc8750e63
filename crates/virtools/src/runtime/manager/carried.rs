//! Managers of which nothing is known but what files hold of them.

use super::{Manager, guid_text};
use crate::{
    codes,
    runtime::{context::Context, load::ManagerLoad, object::SavedState},
};
use spelunk_core::{Error, Result, scalar::Guid};

/// State that files hold of a manager that is not registered. It is saved again as it is; only references to objects follow their
/// objects.
#[derive(Clone, Debug)]
pub struct Carried {
    guid: Guid,
    /// State that files hold; the outer `None` where no file has named the manager.
    data: Option<Option<SavedState>>,
}

impl Carried {
    /// A manager that holds nothing yet.
    pub const fn new(guid: Guid) -> Carried {
        Carried { guid, data: None }
    }

    /// State that files hold.
    pub const fn data(&self) -> Option<&SavedState> {
        match &self.data {
            Some(data) => data.as_ref(),
            None => None,
        }
    }
}

impl Manager for Carried {
    fn guid(&self) -> Guid {
        self.guid
    }

    fn name(&self) -> String {
        guid_text(self.guid)
    }

    fn duplicate(&self) -> Box<dyn Manager> {
        Box::new(self.clone())
    }

    /// Settings are those of the file that was loaded last, as those of managers in engines are.
    fn load_data(
        &mut self,
        data: Option<&SavedState>,
        load: &mut ManagerLoad<'_, '_>,
    ) -> Result<()> {
        if load.is_dynamic() || self.data.is_some() && data.is_none() {
            return Ok(());
        }
        let old = self.data().map(SavedState::chunk);
        let other = old.is_some_and(|old| data.is_some_and(|new| new.chunk() != old));
        if other {
            load.warn(Error::new(&codes::MANAGER_REPLACED).found(guid_text(self.guid)))?;
        }
        self.data = Some(data.cloned());
        Ok(())
    }

    fn save_data(&mut self, _: &Context) -> Result<Option<SavedState>> {
        Ok(self.data.clone().map(Option::unwrap_or_default))
    }

    fn reset(&mut self) {
        self.data = None;
    }
}
