//! The attribute manager (`docs/formats/classes/managers.md#attribute-manager`).

use crate::codec::{Codec, Coded, Layout, Text, field, group};
use spelunk_core::{Field, Ty};

const PAGE: &str = "docs/formats/classes/managers.md#attribute-manager";

/// GUID of the manager.
pub const GUID: [u32; 2] = [0x3D24_2466, 0];

/// Names of the flags of attributes and categories.
pub const FLAGS: &[(u32, &str)] = &[
    (0x01, "can modify"),
    (0x02, "can delete"),
    (0x04, "hidden"),
    (0x08, "do not save"),
    (0x10, "user"),
    (0x20, "system"),
    (0x40, "do not copy"),
];

/// The attributes of a file; objects refer to them by their position.
#[derive(Clone, Debug, Default)]
pub struct AttributeManager {
    /// Attributes and their categories.
    pub tables: Option<AttributeTables>,
}

/// The two tables, in which numbers that are not used are empty.
#[derive(Clone, Debug, Default)]
pub struct AttributeTables {
    /// The categories.
    pub categories: Vec<Slot<Category>>,
    /// The attributes.
    pub attributes: Vec<Slot<Attribute>>,
}

/// A place of a table.
#[derive(Clone, Debug, Default)]
pub struct Slot<T> {
    /// 1 where something stands there.
    pub present: i32,
    /// Value of the entry.
    pub value: Option<T>,
}

impl<T> Slot<T> {
    /// A place with something in it.
    pub const fn new(value: T) -> Slot<T> {
        Slot { present: 1, value: Some(value) }
    }
}

/// A category of attributes.
#[derive(Clone, Debug, Default)]
pub struct Category {
    /// Name of the category.
    pub name: Text,
    /// [`FLAGS`].
    pub flags: u32,
}

/// A type of attributes.
#[derive(Clone, Debug, Default)]
pub struct Attribute {
    /// Name of the attribute.
    pub name: Text,
    /// The type of its values, as `d1` and `d2`; all zero for none.
    pub parameter_type: [u32; 2],
    /// Position of its category, -1 for none.
    pub category: i32,
    /// Class of the objects that can have it.
    pub compatible_class: i32,
    /// [`FLAGS`].
    pub flags: u32,
}

static NAME: Field = Field::new("name", Ty::Text, "Its name.");
static FLAGS_FIELD: Field = Field::new("flags", Ty::Word, "What can be done with it.").bits(FLAGS);

impl Layout for AttributeManager {
    fn layout<C: Codec>(&mut self, c: &mut C) -> Coded<C> {
        c.section(
            0x52,
            group!("attributes", "Attributes and their categories."),
            &mut self.tables,
            tables,
        )
    }
}

fn tables<C: Codec>(c: &mut C, tables: &mut AttributeTables) -> Coded<C> {
    let AttributeTables { categories, attributes } = tables;
    let field = field!("category_count", Ty::I32, "How many categories follow.");
    let category_count = c.count(field, categories.len())?;
    let field = field!("attribute_count", Ty::I32, "How many attributes follow.");
    let attribute_count = c.count(field, attributes.len())?;
    let record = group!("categories", "Attributes refer to them by their position.");
    c.list(record, category_count, categories, |c, place| {
        slot(c, place, |c, Category { name, flags }| {
            c.text(&NAME, name)?;
            c.item(&FLAGS_FIELD, flags)
        })
    })?;
    let record = group!("attributes", "Objects refer to them by their position.");
    c.list(record, attribute_count, attributes, |c, place| {
        slot(c, place, |c, attribute| {
            let Attribute { name, parameter_type, category, compatible_class, flags } = attribute;
            c.text(&NAME, name)?;
            c.item(
                field!(
                    "parameter_type",
                    Ty::Guid,
                    "The type of its values.",
                    guids(&super::parameter_type::TYPE_NAMES)
                ),
                parameter_type,
            )?;
            let field = field!("category", Ty::I32, "Position of its category; -1 for none.");
            c.item(field, category)?;
            let field = field!("compatible_class", Ty::I32, "Class of what can have it.");
            c.item(field, compatible_class)?;
            c.item(&FLAGS_FIELD, flags)
        })
    })
}

fn slot<C: Codec, T: Default>(
    c: &mut C,
    slot: &mut Slot<T>,
    inside: impl FnOnce(&mut C, &mut T) -> Coded<C>,
) -> Coded<C> {
    let Slot { present, value } = slot;
    c.item(field!("present", Ty::I32, "Not 0 where something stands there."), present)?;
    let there = *present != 0;
    if !c.when(there, "present") {
        return Ok(());
    }
    inside(c, value.get_or_insert_default())
}
