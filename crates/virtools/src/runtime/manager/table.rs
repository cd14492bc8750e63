//! Numbers of things that have names.

use crate::codec::Text;
use spelunk_core::Result;
use std::collections::BTreeMap;

/// Things that objects know by their numbers, and people by their names. A number whose thing is gone is not used.
#[derive(Clone, Debug)]
pub(super) struct SlotTable<T> {
    slots: Vec<NumberedSlot<T>>,
}

/// A number.
#[derive(Clone, Debug)]
struct NumberedSlot<T> {
    /// Content under the number, or the mark of its absence.
    value: T,
    /// Former content, where only loads of dynamic objects asked for the present one.
    before: Option<T>,
    /// Whether nothing but they asked for the number.
    is_added: bool,
}

/// Content of a [`SlotTable`].
pub(super) trait TableContent: Clone {
    /// Returns the value of a number without content.
    fn blank() -> Self;

    /// Name; `None` for a blank.
    fn name(&self) -> Option<&[u8]>;
}

impl TableContent for Text {
    fn blank() -> Text {
        Text::default()
    }

    fn name(&self) -> Option<&[u8]> {
        Some(self.text()).filter(|name| !name.is_empty())
    }
}

impl<T> Default for SlotTable<T> {
    fn default() -> SlotTable<T> {
        SlotTable { slots: Vec::new() }
    }
}

impl<T: TableContent> SlotTable<T> {
    pub(super) fn get(&self, number: u32) -> Option<&T> {
        self.slots.get(number as usize).map(|slot| &slot.value).filter(|it| it.name().is_some())
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<u32> {
        number(self.slots.iter().position(|slot| slot.value.name() == Some(name))?)
    }

    /// The numbers that are used, with what has them.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, &T)> {
        let used = (0..).zip(&self.slots).filter(|(_, slot)| slot.value.name().is_some());
        used.map(|(number, slot)| (number, &slot.value))
    }

    /// Adds a thing: with the number that it had elsewhere where that is free, else with the next one.
    pub(super) fn add(&mut self, value: T, wanted: Option<usize>, is_dynamic: bool) -> Option<u32> {
        let blank = || NumberedSlot { value: T::blank(), before: None, is_added: is_dynamic };
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
    pub(super) fn unite(
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
                    self.slots.push(NumberedSlot { value, before, is_added: is_dynamic });
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
    pub(super) fn forget_dynamic(&mut self) {
        for slot in &mut self.slots {
            if let Some(before) = slot.before.take() {
                slot.value = before;
            }
        }
        while self.slots.last().is_some_and(|slot| slot.is_added) {
            self.slots.pop();
        }
    }

    pub(super) fn values(&self) -> Vec<T> {
        self.slots.iter().map(|slot| slot.value.clone()).collect()
    }
}

/// Whether numbers stay what they are.
pub(super) fn is_same(numbers: &[u32]) -> bool {
    numbers.iter().zip(0..).all(|(new, old)| *new == old)
}

fn number(at: usize) -> Option<u32> {
    u32::try_from(at).ok()
}
