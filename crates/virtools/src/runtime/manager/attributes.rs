//! The attribute manager (`docs/formats/virtools-runtime.md#61-attributes`).

use super::{
    Manager,
    table::{SlotTable, TableContent, is_same},
};
use crate::{
    class::{
        Value,
        attribute_manager::{self, Attribute, AttributeTables, Category, Slot},
    },
    codec::{Saved, guid},
    codes,
    runtime::{
        context::Context,
        load::ManagerLoad,
        object::{SavedState, stored},
    },
};
use spelunk_core::{Error, Result, scalar::Guid};

/// The types of attributes that objects can have, in categories.
#[derive(Clone, Debug, Default)]
pub struct AttributeTypes {
    categories: SlotTable<Slot<Category>>,
    attributes: SlotTable<Slot<Attribute>>,
    /// Value that a file held of the manager first; the tables are put into it.
    saved: Option<Saved<Value>>,
}

impl TableContent for Slot<Category> {
    fn blank() -> Slot<Category> {
        Slot::default()
    }

    fn name(&self) -> Option<&[u8]> {
        self.value.as_ref().map(|it| it.name.text())
    }
}

impl TableContent for Slot<Attribute> {
    fn blank() -> Slot<Attribute> {
        Slot::default()
    }

    fn name(&self) -> Option<&[u8]> {
        self.value.as_ref().map(|it| it.name.text())
    }
}

impl AttributeTypes {
    /// The number of a type; one whose name is not there gets the next one.
    pub fn register(&mut self, attribute: Attribute) -> Option<u32> {
        let there = self.find(attribute.name.text());
        there.or_else(|| self.attributes.add(Slot::new(attribute), None, false))
    }

    /// The number of a category; one whose name is not there gets the next one.
    pub fn register_category(&mut self, category: Category) -> Option<u32> {
        let there = self.categories.find(category.name.text());
        there.or_else(|| self.categories.add(Slot::new(category), None, false))
    }

    /// The number of a type.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.attributes.find(name)
    }

    /// A type.
    pub fn get(&self, number: u32) -> Option<&Attribute> {
        self.attributes.get(number)?.value.as_ref()
    }

    /// A category.
    pub fn category(&self, number: u32) -> Option<&Category> {
        self.categories.get(number)?.value.as_ref()
    }

    /// All types with their numbers.
    pub fn all(&self) -> impl Iterator<Item = (u32, &Attribute)> {
        self.attributes.all().filter_map(|(number, slot)| Some((number, slot.value.as_ref()?)))
    }

    /// All categories with their numbers.
    pub fn categories(&self) -> impl Iterator<Item = (u32, &Category)> {
        self.categories.all().filter_map(|(number, slot)| Some((number, slot.value.as_ref()?)))
    }
}

impl Manager for AttributeTypes {
    fn guid(&self) -> Guid {
        guid(attribute_manager::GUID)
    }

    fn name(&self) -> String {
        "Attribute Manager".into()
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
        let tables = match &saved.value {
            Value::AttributeManager(value) => value.tables.as_ref(),
            _ => None,
        };
        if let Some(AttributeTables { categories, attributes }) = tables {
            let (is_dynamic, keeps_all) = (load.is_dynamic(), load.keeps_all());
            let places = self.categories.unite(categories, is_dynamic, |_, _| Ok(()), |_| {})?;
            let place = |category: i32| {
                let new = usize::try_from(category).ok().and_then(|old| places.get(old));
                new.map_or(category, |new| new.cast_signed())
            };
            let numbers = self.attributes.unite(
                attributes,
                is_dynamic,
                |ours, theirs| match (&ours.value, &theirs.value) {
                    (Some(ours), Some(theirs)) if kind(ours) != kind(theirs) => {
                        load.warn(differs(ours, theirs))
                    }
                    _ => Ok(()),
                },
                |slot| {
                    if let Some(attribute) = &mut slot.value {
                        attribute.category = place(attribute.category);
                        if !keeps_all {
                            attribute.flags = of_user(attribute.flags);
                        }
                    }
                },
            )?;
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
        let tables = AttributeTables {
            categories: self.categories.values(),
            attributes: self.attributes.values(),
        };
        let nothing = tables.categories.is_empty() && tables.attributes.is_empty();
        stored(self.saved.as_ref(), self.guid(), nothing, |value| {
            if let Value::AttributeManager(value) = value {
                value.tables = Some(tables);
            }
        })
    }

    fn reset(&mut self) {
        *self = AttributeTypes::default();
    }

    fn forget_dynamic(&mut self) {
        self.categories.forget_dynamic();
        self.attributes.forget_dynamic();
    }
}

/// The flags that an attribute gets whose name is new: it is the user's own, can be changed and deleted, and is not of the
/// system.
const fn of_user(flags: u32) -> u32 {
    const SYSTEM: u32 = 0x20;
    const USER: u32 = 0x13;
    flags & !SYSTEM | USER
}

/// Type of the values of an attribute, and the class of objects that can have it.
const fn kind(attribute: &Attribute) -> ([u32; 2], i32) {
    (attribute.parameter_type, attribute.compatible_class)
}

fn differs(ours: &Attribute, theirs: &Attribute) -> Error {
    let of = |attribute: &Attribute| {
        let name = attribute.name.text().escape_ascii();
        let ([d1, d2], class_id) = kind(attribute);
        format!("`{name}` of class {class_id} with values of the type {d1:08X},{d2:08X}")
    };
    Error::new(&codes::ATTRIBUTE_TYPE).expected(of(ours)).found(of(theirs))
}
