//! Meanings of numbers in chunks: objects, messages, attributes.

use crate::{
    chunk::read::ObjRef,
    class::{
        Value,
        attribute_manager::{self, Attribute, Slot},
        message_manager,
        texture_font_manager::{self, Font},
    },
    codec::{Saved, Text, fill::Resolve, names::TargetResolver},
    entries::PathTarget,
    file::File,
    paths::Finder,
};
use spelunk_core::{Budget, Limits, Result, Target, text::CodePages};
use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
};

/// The names of a file.
#[derive(Debug)]
pub(crate) struct FileNames<'f> {
    file: &'f File,
    /// Positions of the objects by their ids, in ascending order of the ids. Ids are few references' business.
    ids: OnceCell<Vec<(u32, u32)>>,
    managers: &'f [Saved<Value>],
}

impl<'f> FileNames<'f> {
    /// The names of a file, whose managers are read for them the first time. Damaged ones have no names.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub(crate) fn of(file: &'f File, budget: &mut Budget) -> Result<FileNames<'f>> {
        Ok(FileNames { file, ids: OnceCell::new(), managers: file.naming_managers(budget)? })
    }

    /// The position of the object that a reference means.
    pub(crate) fn index(&self, reference: ObjRef) -> Option<u32> {
        match reference {
            ObjRef::Null => None,
            ObjRef::Index(index) => self.file.class_of(index).map(|_| index),
            ObjRef::Id(id) => {
                let ids = self.ids.get_or_init(|| ids(self.file));
                let nth = ids.binary_search_by_key(&id, |(id, _)| *id).ok()?;
                ids.get(nth).map(|(_, index)| *index)
            }
        }
    }
}

/// Names that a manager has for its numbers.
enum Numbered<'f> {
    Messages(&'f [Text]),
    Attributes(&'f [Slot<Attribute>]),
    /// Counted from 1.
    Fonts(&'f [Font]),
}

impl<'f> Numbered<'f> {
    /// Kind of the numbers.
    fn kind(&self) -> &'static str {
        match self {
            Numbered::Messages(_) => "message",
            Numbered::Attributes(_) => "attribute",
            Numbered::Fonts(_) => "font",
        }
    }

    fn name(&self, number: u32) -> Option<&'f [u8]> {
        let number = number as usize;
        let name = match self {
            Numbered::Messages(messages) => messages.get(number),
            Numbered::Attributes(slots) => {
                slots.get(number).and_then(|slot| slot.value.as_ref()).map(|value| &value.name)
            }
            Numbered::Fonts(fonts) => fonts.get(number.checked_sub(1)?).map(|font| &font.name),
        };
        name.map(Text::text)
    }

    /// The numbers that there are.
    fn numbers(&self) -> std::ops::RangeInclusive<u32> {
        let (first, len) = match self {
            Numbered::Messages(messages) => (0, messages.len()),
            Numbered::Attributes(slots) => (0, slots.len()),
            Numbered::Fonts(fonts) => (1, fonts.len().saturating_add(1)),
        };
        first..=u32::try_from(len).unwrap_or(u32::MAX)
    }
}

impl FileNames<'_> {
    fn numbered(&self, manager: [u32; 2]) -> Option<Numbered<'_>> {
        self.managers.iter().find_map(|saved| match &saved.value {
            Value::MessageManager(messages) if manager == message_manager::GUID => {
                Some(Numbered::Messages(messages.messages.as_deref().unwrap_or_default()))
            }
            Value::AttributeManager(attributes) if manager == attribute_manager::GUID => {
                let tables = attributes.tables.as_ref();
                Some(Numbered::Attributes(tables.map_or(&[], |tables| &tables.attributes)))
            }
            Value::TextureFontManager(fonts) if manager == texture_font_manager::GUID => {
                Some(Numbered::Fonts(fonts.all()))
            }
            _ => None,
        })
    }
}

/// Positions by ids. Ids of objects that are only referred to are stored as negative numbers.
fn ids(file: &File) -> Vec<(u32, u32)> {
    let objects = file.table().objects.iter().zip(0..);
    let mut ids: Vec<_> =
        objects.map(|(object, index)| (object.id.unsigned_abs(), index)).collect();
    ids.sort_unstable();
    ids
}

impl TargetResolver for FileNames<'_> {
    fn object(&self, reference: ObjRef) -> Option<(u64, Target<'_>)> {
        let index = self.index(reference)?;
        let object = self.file.table().objects.get(index as usize)?;
        let name = Cow::Borrowed(self.file.table().name(object));
        Some((index.into(), Target { kind: self.file.class_name(object.class_id), name }))
    }

    fn manager_int(&self, manager: [u32; 2], value: u32) -> Option<Target<'_>> {
        let numbered = self.numbered(manager)?;
        let name = numbered.name(value)?;
        Some(Target { kind: numbered.kind().into(), name: Cow::Borrowed(name) })
    }
}

/// Finds what people mean by names.
pub(crate) struct Resolver<'f> {
    names: FileNames<'f>,
    pages: &'f CodePages,
    finder: RefCell<Finder<'f>>,
    budget: RefCell<Budget>,
}

impl<'f> Resolver<'f> {
    /// The names of a file, which are in these code pages.
    pub(crate) fn of(
        file: &'f File,
        pages: &'f CodePages,
        budget: &mut Budget,
    ) -> Result<Resolver<'f>> {
        let names = FileNames::of(file, budget)?;
        let budget = RefCell::new(Budget::new(Limits::for_len(file.size())));
        let finder = RefCell::new(Finder::of_many(file, pages));
        Ok(Resolver { names, pages, finder, budget })
    }
}

impl Resolve for Resolver<'_> {
    fn object(&self, text: &str, file_mode: bool) -> Option<u32> {
        let file = self.names.file;
        let budget = &mut *self.budget.borrow_mut();
        // A name that several objects have means none of them.
        let [node] = *self.finder.borrow_mut().find(text, budget).ok()? else { return None };
        let Some(PathTarget::Object(index)) = PathTarget::of(node) else { return None };
        let id = file.table().objects.get(index as usize)?.id;
        Some(if file_mode { index } else { id.unsigned_abs() })
    }

    fn manager_int(&self, manager: [u32; 2], text: &str) -> Option<u32> {
        let bytes = self.pages.encode(text)?;
        let numbered = self.names.numbered(manager)?;
        numbered.numbers().find(|number| numbered.name(*number) == Some(&*bytes))
    }

    fn text(&self, text: &str) -> Option<Vec<u8>> {
        self.pages.encode(text)
    }
}
