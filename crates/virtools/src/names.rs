//! What numbers in chunks mean: objects, messages, attributes.

use crate::{
    chunk::read::ObjRef,
    class::{Value, attribute_manager, message_manager, texture_font_manager},
    codec::{Saved, fill::Resolve, names::Names},
    entries::Place,
    file::{File, data::Owner, value::has_no_value},
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
    managers: Vec<Saved<Value>>,
}

impl<'f> FileNames<'f> {
    /// Reads what the managers of a file call their numbers. Damaged ones have no names. They go soon, so their memory
    /// is given back at once.
    pub(crate) fn of(file: &'f File, budget: &mut Budget) -> Result<FileNames<'f>> {
        let mut managers = Vec::new();
        let records = file.records(budget)?;
        let before = budget.left().memory;
        for (manager, index) in records.managers.iter().zip(0..) {
            let guid = [manager.guid.d1.get(), manager.guid.d2.get()];
            let with_names =
                [message_manager::GUID, attribute_manager::GUID, texture_font_manager::GUID];
            if !with_names.contains(&guid) {
                continue;
            }
            match file.value(Owner::Manager(index), &mut Vec::new(), budget) {
                Ok(value) => managers.extend(value),
                Err(error) if has_no_value(&error) => {}
                Err(error) => return Err(error),
            }
        }
        budget.release(before.saturating_sub(budget.left().memory));
        Ok(FileNames { file, ids: OnceCell::new(), managers })
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

impl FileNames<'_> {
    /// What a manager calls its numbers, and what they are.
    fn table(&self, manager: [u32; 2]) -> Option<(&'static str, Vec<Option<&[u8]>>)> {
        self.managers.iter().find_map(|saved| match &saved.value {
            Value::MessageManager(messages) if manager == message_manager::GUID => {
                let names = messages.messages.iter().flatten();
                Some(("message", names.map(|name| Some(name.text())).collect()))
            }
            Value::AttributeManager(attributes) if manager == attribute_manager::GUID => {
                let slots = attributes.tables.iter().flat_map(|tables| &tables.attributes);
                let values = slots.map(|slot| slot.value.as_ref());
                Some(("attribute", values.map(|value| Some(value?.name.text())).collect()))
            }
            Value::TextureFontManager(fonts) if manager == texture_font_manager::GUID => {
                // Fonts are counted from 1.
                let names = fonts.all().iter().map(|font| Some(font.name.text()));
                Some(("font", std::iter::once(None).chain(names).collect()))
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

impl Names for FileNames<'_> {
    fn object(&self, reference: ObjRef) -> Option<(u64, Target<'_>)> {
        let index = self.index(reference)?;
        let object = self.file.table().objects.get(index as usize)?;
        let name = Cow::Borrowed(self.file.table().name(object));
        Some((index.into(), Target { kind: self.file.class_name(object.class_id), name }))
    }

    fn manager_int(&self, manager: [u32; 2], value: u32) -> Option<Target<'_>> {
        let (kind, names) = self.table(manager)?;
        let name = (*names.get(value as usize)?)?;
        Some(Target { kind: kind.into(), name: Cow::Borrowed(name) })
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
        let Some(Place::Object(index)) = Place::of(node) else { return None };
        let id = file.table().objects.get(index as usize)?.id;
        Some(if file_mode { index } else { id.unsigned_abs() })
    }

    fn manager_int(&self, manager: [u32; 2], text: &str) -> Option<u32> {
        let bytes = self.pages.encode(text)?;
        let table = self.names.table(manager)?;
        let index = table.1.iter().position(|name| *name == Some(&*bytes))?;
        u32::try_from(index).ok()
    }

    fn text(&self, text: &str) -> Option<Vec<u8>> {
        self.pages.encode(text)
    }
}
