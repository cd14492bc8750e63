//! Managers: what knows things that belong to no object, and saves them into files with the objects
//! (`docs/formats/virtools-runtime.md#6-managers`).

mod attributes;
mod carried;
mod messages;

pub use attributes::AttributeTypes;
pub use carried::Carried;
pub use messages::MessageTypes;

use super::{context::Context, load::ManagerLoad, object::State};
use crate::{
    codec::Text,
    file::{data, part::Part},
};
use spelunk_core::{Result, scalar::Guid};
use std::{any::Any, collections::BTreeMap, fmt::Debug};

/// A manager. While it is called it stands apart from the context, which has no managers then.
///
/// A load that fails leaves managers as they were before: a copy is made of each.
pub trait Manager: Any + Debug + Send + Sync {
    /// What tells it from others, in files too.
    fn guid(&self) -> Guid;

    /// What people call it.
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
    fn load_data(&mut self, data: Option<&State>, load: &mut ManagerLoad<'_, '_>) -> Result<()>;

    /// What a file is to hold of it.
    ///
    /// # Errors
    /// Any, to end the saving.
    fn save_data(&mut self, context: &Context) -> Result<Option<State>>;

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

/// Things that objects know by their numbers, and people by their names. A number whose thing is gone is not used.
#[derive(Clone, Debug)]
struct Table<T> {
    slots: Vec<Slot<T>>,
}

/// A number.
#[derive(Clone, Debug)]
struct Slot<T> {
    /// What has it, or how its absence is stored.
    value: T,
    /// What stood there before, where only loads of dynamic objects asked for what does now.
    before: Option<T>,
    /// Whether nothing but they asked for the number.
    is_added: bool,
}

/// What can stand in a [`Table`].
trait Named: Clone {
    /// What stands where nothing does.
    fn blank() -> Self;

    /// Its name; `None` for a blank.
    fn name(&self) -> Option<&[u8]>;
}

impl Named for Text {
    fn blank() -> Text {
        Text::default()
    }

    fn name(&self) -> Option<&[u8]> {
        Some(self.text()).filter(|name| !name.is_empty())
    }
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { slots: Vec::new() }
    }
}

impl<T: Named> Table<T> {
    fn get(&self, number: u32) -> Option<&T> {
        self.slots.get(number as usize).map(|slot| &slot.value).filter(|it| it.name().is_some())
    }

    fn find(&self, name: &[u8]) -> Option<u32> {
        number(self.slots.iter().position(|slot| slot.value.name() == Some(name))?)
    }

    /// The numbers that are used, with what has them.
    fn all(&self) -> impl Iterator<Item = (u32, &T)> {
        let used = (0..).zip(&self.slots).filter(|(_, slot)| slot.value.name().is_some());
        used.map(|(number, slot)| (number, &slot.value))
    }

    /// Adds a thing: with the number that it had elsewhere where that is free, else with the next one.
    fn add(&mut self, value: T, wanted: Option<usize>, is_dynamic: bool) -> Option<u32> {
        let blank = || Slot { value: T::blank(), before: None, is_added: is_dynamic };
        let at = match wanted {
            Some(at) if self.slots.get(at).is_none_or(|slot| slot.value.name().is_none()) => at,
            _ => self.slots.len(),
        };
        while self.slots.len() <= at {
            self.slots.push(blank());
        }
        let slot = self.slots.get_mut(at)?;
        slot.is_added &= is_dynamic;
        let before = std::mem::replace(&mut slot.value, value);
        slot.before = is_dynamic.then_some(before);
        number(at)
    }

    /// Takes over the things of a file: those whose names are known keep the numbers that they have here. `both` sees each
    /// of those, as it is here and as the file has it. Gives the new numbers by the old ones.
    fn unite(
        &mut self,
        theirs: &[T],
        is_dynamic: bool,
        mut both: impl FnMut(&T, &T) -> Result<()>,
        mut change: impl FnMut(&mut T),
    ) -> Result<Vec<u32>> {
        let was_empty = self.slots.is_empty();
        let before = self.values();
        let mut known = BTreeMap::new();
        for (it, number) in before.iter().zip(0_u32..) {
            it.name().map(|name| known.entry(name).or_insert(number));
        }
        let mut numbers = Vec::with_capacity(theirs.len());
        for (at, their) in theirs.iter().enumerate() {
            let Some(name) = their.name() else {
                // The same count of numbers is saved again.
                if self.slots.len() <= at && was_empty {
                    let (value, before) = (their.clone(), None);
                    self.slots.push(Slot { value, before, is_added: is_dynamic });
                }
                numbers.push(number(at).unwrap_or(u32::MAX));
                continue;
            };
            // Only what was there before: a name that is twice in one file stays so.
            let new = match known.get(name).copied() {
                Some(there) => {
                    if let Some(slot) = self.slots.get_mut(there as usize) {
                        if !is_dynamic {
                            (slot.before, slot.is_added) = (None, false);
                        }
                        both(&slot.value, their)?;
                    }
                    Some(there)
                }
                None => {
                    let mut value = their.clone();
                    change(&mut value);
                    self.add(value, Some(at), is_dynamic)
                }
            };
            numbers.push(new.unwrap_or(u32::MAX));
        }
        Ok(numbers)
    }

    /// Takes away what only dynamic objects brought.
    fn forget_dynamic(&mut self) {
        for slot in &mut self.slots {
            if let Some(before) = slot.before.take() {
                slot.value = before;
            }
        }
        while self.slots.last().is_some_and(|slot| slot.is_added) {
            self.slots.pop();
        }
    }

    fn values(&self) -> Vec<T> {
        self.slots.iter().map(|slot| slot.value.clone()).collect()
    }
}

/// Whether numbers stay what they are.
fn is_same(numbers: &[u32]) -> bool {
    numbers.iter().zip(0..).all(|(new, old)| *new == old)
}

/// What a manager is called where that is known, and its GUID.
pub(super) fn told(guid: Guid) -> String {
    let id = format!("{:08X},{:08X}", guid.d1.get(), guid.d2.get());
    match (data::Manager { guid, chunk: Part::default() }).name() {
        Some(name) => format!("{name} {id}"),
        None => id,
    }
}

fn number(at: usize) -> Option<u32> {
    u32::try_from(at).ok()
}
