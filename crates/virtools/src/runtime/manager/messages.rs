//! The message manager (`docs/formats/virtools-runtime.md#62-messages`).

use super::{
    Manager,
    table::{SlotTable, is_same},
};
use crate::{
    class::{Value, message_manager},
    codec::{Saved, Text, guid},
    runtime::{
        context::Context,
        load::ManagerLoad,
        object::{SavedState, stored},
    },
};
use spelunk_core::{Result, scalar::Guid};

/// The types of messages, by which behaviours speak to each other.
#[derive(Clone, Debug, Default)]
pub struct MessageTypes {
    table: SlotTable<Text>,
    /// Value that a file held of the manager first; the table is put into it.
    saved: Option<Saved<Value>>,
}

impl MessageTypes {
    /// The number of a type; one that is not there gets the next one.
    pub fn register(&mut self, name: &[u8]) -> Option<u32> {
        self.find(name).or_else(|| self.table.add(Text::new(name), None, false))
    }

    /// The number of a type.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.table.find(name)
    }

    /// The name of a type.
    pub fn name_of(&self, number: u32) -> Option<&[u8]> {
        self.table.get(number).map(Text::text)
    }

    /// All types: numbers and names.
    pub fn all(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.table.all().map(|(number, name)| (number, name.text()))
    }
}

impl Manager for MessageTypes {
    fn guid(&self) -> Guid {
        guid(message_manager::GUID)
    }

    fn name(&self) -> String {
        "Message Manager".into()
    }

    fn duplicate(&self) -> Box<dyn Manager> {
        Box::new(self.clone())
    }

    fn load_data(
        &mut self,
        data: Option<&SavedState>,
        load: &mut ManagerLoad<'_, '_>,
    ) -> Result<()> {
        let Some(data) = data else { return Ok(()) };
        let empty = Value::of_manager(self.guid());
        let Some(saved) = load.value(data, empty)? else { return Ok(()) };
        if let Value::MessageManager(value) = &saved.value {
            let theirs = value.messages.as_deref().unwrap_or_default();
            let is_dynamic = load.is_dynamic();
            let numbers = self.table.unite(theirs, is_dynamic, |_, _| Ok(()), |_| {})?;
            if !is_same(&numbers) {
                load.remap_ints(self.guid(), &numbers)?;
            }
        }
        if !load.is_dynamic() {
            self.saved.get_or_insert(saved);
        }
        Ok(())
    }

    fn save_data(&mut self, _: &Context) -> Result<Option<SavedState>> {
        let messages = self.table.values();
        stored(self.saved.as_ref(), self.guid(), messages.is_empty(), |value| {
            if let Value::MessageManager(value) = value {
                value.messages = Some(messages);
            }
        })
    }

    fn reset(&mut self) {
        *self = MessageTypes::default();
    }

    fn forget_dynamic(&mut self) {
        self.table.forget_dynamic();
    }
}
