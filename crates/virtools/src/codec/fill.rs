//! Changing fields of values.

mod parts;
mod values;

use super::{
    Array, Buffer, Codec, Coded, DwordValue, Layout, ManagerInt, ManagerInts, Opaque, Padded, Pod,
    Reference, Saved, Text, Unknown, complete, tree::Tree,
};
use crate::{
    chunk::buffer::{ChunkBuf, Header},
    codes,
};
use spelunk_core::{Error, Field, Record, Result, Seg, Ty, Val, field::Described};
use std::{borrow::Cow, collections::BTreeMap};
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

use parts::{entries, is_null, misfit, parts, position, refuse};

/// Knows what names mean.
pub trait Resolve {
    /// The object that a text means, as a chunk in file mode, or another one, stores it.
    fn object(&self, text: &str, file_mode: bool) -> Option<u32>;

    /// The number of a manager that a text means.
    fn manager_int(&self, manager: [u32; 2], text: &str) -> Option<u32>;

    /// The bytes of a text.
    fn text(&self, text: &str) -> Option<Vec<u8>>;
}

/// Changes a value.
pub struct Filler<'f, 't> {
    header: Header,
    resolve: &'f dyn Resolve,
    /// Changes to the group that is open, without those that were made already.
    left: Vec<(Cow<'t, str>, Tree<'t>)>,
    /// Dwords behind what is known of sections.
    rests: Vec<Unknown>,
    /// Names of the items of the list that comes next.
    names: &'static [(i64, &'static str)],
}

impl std::fmt::Debug for Filler<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Filler").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<T: Layout> Saved<T> {
    /// Changes fields. Sections that there were not are added, those that become null are taken away.
    ///
    /// # Errors
    /// [`codes::NO_FIELD`] for a field that there is not; [`codes::VALUE`] for a value that does not fit it. The value
    /// may have been changed in part then.
    pub fn fill(&mut self, tree: Tree<'_>, resolve: &dyn Resolve) -> Result<()> {
        let mut filler = Filler {
            header: self.header,
            resolve,
            left: entries(tree)?,
            rests: Vec::new(),
            names: &[],
        };
        if let Some(tree) = filler.take(complete::CHUNK) {
            let (order, behind) = complete::fill_header(tree, &mut self.header)?;
            filler.header = self.header;
            if order.is_some() || behind.is_some() {
                let extras = self.extras.get_or_insert_default();
                extras.order = order.unwrap_or_default();
                extras.rest = behind.unwrap_or_default();
            }
        }
        self.value.layout(&mut filler)?;
        let Filler { left, rests, .. } = filler;
        for (key, tree) in left {
            let sections = &mut self.extras.get_or_insert_default().unknown;
            if !complete::fill_unknown(&key, tree, self.header, sections)? {
                return Err(Error::new(&codes::NO_FIELD).found(key.into_owned()));
            }
        }
        if !rests.is_empty() {
            let extras = self.extras.get_or_insert_default();
            extras.rests.retain(|old| rests.iter().all(|new| new.identifier != old.identifier));
            extras.rests.extend(rests);
            extras.rests.retain(|rest| !rest.content.data.is_empty());
        }
        Ok(())
    }
}

impl<'t> Filler<'_, 't> {
    fn take(&mut self, name: &str) -> Option<Tree<'t>> {
        let index = self.left.iter().position(|(key, _)| key == name)?;
        Some(self.left.remove(index).1)
    }

    /// Refuses what names no field.
    fn used_up(&self) -> Result<()> {
        match self.left.first() {
            Some((name, _)) => Err(Error::new(&codes::NO_FIELD).found(name.to_string())),
            None => Ok(()),
        }
    }

    /// Changes what follows the known fields of a section.
    fn rest(&mut self, identifier: u32) -> Result<()> {
        let Some(rest) = self.take(complete::REST) else { return Ok(()) };
        let content = complete::fill_rest(rest, self.header)?;
        self.rests.push(Unknown { identifier, content });
        Ok(())
    }

    /// Takes away what follows the known fields of a section that goes.
    fn drop_rest(&mut self, identifier: u32) {
        self.rests.push(Unknown { identifier, content: ChunkBuf::new(self.header) });
    }

    /// Changes what is in a group.
    fn inside(
        &mut self,
        tree: Tree<'t>,
        change: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let outer = std::mem::replace(&mut self.left, entries(tree)?);
        change(self)?;
        self.used_up()?;
        self.left = outer;
        Ok(())
    }
}

impl Codec for Filler<'_, '_> {
    type Stop = Error;

    fn header(&self) -> &Header {
        &self.header
    }

    fn section<T: Default>(
        &mut self,
        identifier: u32,
        record: &'static Record,
        value: &mut Option<T>,
        mut inside: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        match self.take(record.name) {
            None => Ok(()),
            Some(Tree::Val(Val::None)) => {
                *value = None;
                self.drop_rest(identifier);
                Ok(())
            }
            Some(tree) => {
                let value = value.get_or_insert_default();
                let filled = self.inside(tree, |filler| {
                    inside(filler, value)?;
                    filler.rest(identifier)
                });
                filled.map_err(|error| error.field(record.name))
            }
        }
    }

    fn group(
        &mut self,
        record: &'static Record,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        let Some(tree) = self.take(record.name) else { return Ok(()) };
        let filled = self.inside(tree, |filler| inside(filler));
        filled.map_err(|error| error.field(record.name))
    }

    fn flag(&mut self, identifier: u32, field: &'static Field, value: &mut bool) -> Coded<Self> {
        let is_rest = |(key, tree): &(Cow<'_, str>, Tree<'_>)| {
            let Tree::Map(inside) = tree else { return false };
            let rest_alone = matches!(&inside[..], [(key, _)] if key == complete::REST);
            rest_alone && complete::identifier(key) == Some(identifier)
        };
        if let Some(index) = self.left.iter().position(is_rest) {
            let (_, tree) = self.left.remove(index);
            self.inside(tree, |filler| filler.rest(identifier))?;
        }
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        *value = match &tree {
            Tree::Val(Val::None) => false,
            Tree::Val(value) => field.boolean(value).map_err(|error| error.field(field.name))?,
            _ => return Err(refuse(field, &tree)),
        };
        if !*value {
            self.drop_rest(identifier);
        }
        Ok(())
    }

    fn item<T: DwordValue>(&mut self, field: &'static Field, value: &mut T) -> Coded<Self> {
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        let bytes = self.bytes(field, &tree, value.stored().as_bytes())?;
        let stored = T::Stored::read_from_bytes(&bytes).map_err(|_| refuse(field, &tree))?;
        *value = T::of(stored);
        Ok(())
    }

    /// The length of a list is that of its items; what is given decides what else there is.
    fn count(&mut self, field: &'static Field, len: usize) -> Result<usize> {
        let Some(tree) = self.take(field.name) else { return Ok(len) };
        let bytes = self.bytes(field, &tree, &[])?;
        let count = bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        Ok(count as usize)
    }

    fn item_names(&mut self, names: &'static [(i64, &'static str)]) {
        self.names = names;
    }

    fn note(&mut self, field: &'static Field, _: u32) -> Coded<Self> {
        self.take(field.name);
        Ok(())
    }

    fn peek(&self, name: &'static str, known: Option<u32>) -> Option<u32> {
        match self.left.iter().find(|(key, _)| key == name) {
            Some((_, Tree::Val(Val::U(number)))) => u32::try_from(*number).ok(),
            _ => known,
        }
    }

    fn detect(&self, name: &'static str, known: bool, _: impl FnOnce(&[U32]) -> bool) -> bool {
        known || self.left.iter().any(|(key, _)| key == name)
    }

    fn record<T: Described + Pod>(&mut self, value: &mut T) -> Coded<Self> {
        let mut bytes = value.as_bytes().to_vec();
        for slot in T::RECORD.fields {
            let Some(tree) = self.take(slot.field.name) else { continue };
            // Descriptions are constants, so each is where it was made.
            let start = slot.offset as usize;
            let Some(place) = bytes.get_mut(start..start.saturating_add(slot.size as usize)) else {
                continue;
            };
            let new = self.bytes(&slot.field, &tree, place)?;
            if new.len() != place.len() {
                return Err(refuse(&slot.field, &tree));
            }
            place.copy_from_slice(&new);
        }
        if let Ok(new) = T::read_from_bytes(&bytes) {
            *value = new;
        }
        Ok(())
    }

    fn array<T: Pod>(
        &mut self,
        field: &'static Field,
        _: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        *value = self.items(field, &tree, value)?;
        Ok(())
    }

    fn records<T: Described + Pod>(
        &mut self,
        name: &'static str,
        _: usize,
        value: &mut Array<T>,
    ) -> Coded<Self> {
        let Some(tree) = self.take(name) else { return Ok(()) };
        let change = |filler: &mut Self, tree, item: &mut T| {
            filler.inside(tree, |filler| filler.record(item))
        };
        match tree {
            Tree::Map(changes) => {
                for (step, tree) in changes {
                    let index = position(&step, value.len())?;
                    if let Some(item) = value.to_mut().get_mut(index) {
                        change(self, tree, item)?;
                    }
                }
            }
            Tree::List(items) => {
                let mut new = Vec::new();
                for tree in items {
                    let mut item = T::new_zeroed();
                    change(self, tree, &mut item)?;
                    new.push(item);
                }
                *value = new.into();
            }
            tree @ Tree::Val(_) => return Err(misfit(name, "a list", &tree)),
        }
        Ok(())
    }

    fn padded<T: Pod>(
        &mut self,
        field: &'static Field,
        count: usize,
        value: &mut Padded<T>,
    ) -> Coded<Self> {
        let len = value.items.len();
        self.array(field, count, &mut value.items)?;
        if value.items.len() != len {
            value.padding = [0; 3];
        }
        Ok(())
    }

    fn buffer<T: Pod>(&mut self, field: &'static Field, value: &mut Padded<T>) -> Coded<Self> {
        self.padded(field, 0, value)
    }

    /// A value of the type, some of them, or bytes.
    fn typed(&mut self, field: impl Fn() -> &'static Field, value: &mut Buffer) -> Coded<Self> {
        let field = field();
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        let mut bytes = match &tree {
            Tree::Val(Val::Bytes(bytes) | Val::Text(bytes)) => bytes.to_vec(),
            Tree::Val(Val::Str(text)) if text.is_empty() && field.ty != Ty::Text => Vec::new(),
            Tree::Map(_) => self.bytes(field, &tree, &value.items)?,
            tree => self.flat(field, tree, &value.items)?,
        };
        if let (Ty::Text, Tree::Val(Val::Str(_))) = (field.ty, &tree) {
            bytes.push(0);
        }
        let padding = if bytes.len() == value.items.len() { value.padding } else { [0; 3] };
        *value = Padded { items: bytes.into(), padding };
        Ok(())
    }

    fn text(&mut self, field: &'static Field, value: &mut Text) -> Coded<Self> {
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        *value = match &tree {
            Tree::Val(Val::None) => Text::default(),
            // As it is stored, with its NUL.
            Tree::Val(Val::Text(bytes)) => Text(bytes.to_vec().into()),
            tree => Text::new(&self.bytes(field, tree, &[])?),
        };
        Ok(())
    }

    fn list<T: Default>(
        &mut self,
        record: &'static Record,
        _: usize,
        value: &mut Vec<T>,
        mut each: impl FnMut(&mut Self, &mut T) -> Coded<Self>,
    ) -> Coded<Self> {
        let mut change = |filler: &mut Self, index: usize, tree, item: &mut T| {
            let filled = filler.inside(tree, |filler| each(filler, item));
            filled.map_err(|error| error.within(Seg::Index(index as u64)).field(record.name))
        };
        let names = std::mem::take(&mut self.names);
        match self.take(record.name) {
            None => {}
            Some(Tree::Map(changes)) => {
                let mut trees = BTreeMap::new();
                for (step, tree) in changes {
                    let named = names.iter().find(|(_, name)| name.eq_ignore_ascii_case(&step));
                    let step = named.map_or(step, |(nth, _)| nth.to_string().into());
                    trees.insert(position(&step, value.len())?, tree);
                }
                // Layouts may go by what comes before an item.
                for (index, item) in value.iter_mut().enumerate() {
                    let tree = trees.remove(&index).unwrap_or(Tree::Map(Vec::new()));
                    change(self, index, tree, item)?;
                }
            }
            Some(Tree::List(items)) => {
                value.truncate(items.len());
                value.resize_with(items.len(), T::default);
                for (index, (tree, item)) in items.into_iter().zip(value).enumerate() {
                    change(self, index, tree, item)?;
                }
            }
            Some(tree @ Tree::Val(_)) => return Err(misfit(record.name, "a list", &tree)),
        }
        Ok(())
    }

    fn object(&mut self, field: &'static Field, value: &mut Reference) -> Coded<Self> {
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        *value = Reference { value: self.reference(field, &tree)?, listed: false };
        Ok(())
    }

    fn objects(&mut self, field: &'static Field, value: &mut Array<U32>) -> Coded<Self> {
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        if let Tree::Map(changes) = tree {
            for (step, tree) in changes {
                let index = position(&step, value.len())?;
                let new = self.reference(field, &tree)?;
                if let Some(slot) = value.to_mut().get_mut(index) {
                    *slot = U32::new(new);
                }
            }
            return Ok(());
        }
        let items =
            parts(field, &tree).ok_or_else(|| misfit(field.name, "a list of objects", &tree))?;
        let new = items.iter().map(|item| self.reference(field, item).map(U32::new));
        *value = new.collect::<Result<Vec<_>>>()?.into();
        Ok(())
    }

    fn manager_int(&mut self, field: &'static Field, value: &mut ManagerInt) -> Coded<Self> {
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        let Tree::Map(entries) = tree else {
            value.value = self.manager_value(field.name, value.manager, &tree)?;
            return Ok(());
        };
        self.inside(Tree::Map(entries), |filler| {
            filler.manager(&mut value.manager)?;
            if let Some(tree) = filler.take("value") {
                value.value = filler.manager_value(field.name, value.manager, &tree)?;
            }
            Ok(())
        })
    }

    fn manager_ints(&mut self, field: &'static Field, value: &mut ManagerInts) -> Coded<Self> {
        self.manager(&mut value.manager)?;
        let Some(tree) = self.take(field.name) else { return Ok(()) };
        if let Tree::Map(changes) = tree {
            for (step, tree) in changes {
                let index = position(&step, value.values.len())?;
                let new = self.manager_value(field.name, value.manager, &tree)?;
                if let Some(slot) = value.values.to_mut().get_mut(index) {
                    *slot = U32::new(new);
                }
            }
            return Ok(());
        }
        let items =
            parts(field, &tree).ok_or_else(|| misfit(field.name, "a list of numbers", &tree))?;
        let number = |item| self.manager_value(field.name, value.manager, item).map(U32::new);
        value.values = items.iter().map(number).collect::<Result<Vec<_>>>()?.into();
        Ok(())
    }

    fn sub_chunk<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Option<Box<Saved<T>>>,
    ) -> Coded<Self> {
        let Some(tree) = self.take(record.name) else { return Ok(()) };
        self.fill_sub_chunk(tree, value).map_err(|error| error.field(record.name))
    }

    fn sub_chunks<T: Layout>(
        &mut self,
        record: &'static Record,
        value: &mut Vec<Option<Box<Saved<T>>>>,
    ) -> Coded<Self> {
        let changes: Vec<_> = match self.take(record.name) {
            None => return Ok(()),
            Some(Tree::Map(changes)) => changes,
            Some(Tree::List(items)) => {
                value.resize_with(items.len(), || None);
                items
                    .into_iter()
                    .enumerate()
                    .map(|(nth, item)| (nth.to_string().into(), item))
                    .collect()
            }
            Some(tree) => return Err(misfit(record.name, "a list of sub-chunks", &tree)),
        };
        for (step, tree) in changes {
            let index = position(&step, value.len())?;
            let Some(value) = value.get_mut(index) else { continue };
            let filled = self.fill_sub_chunk(tree, value);
            filled.map_err(|error| error.within(Seg::Index(index as u64)).field(record.name))?;
        }
        Ok(())
    }

    fn opaque(&mut self, record: &'static Record, value: &mut Option<Opaque>) -> Coded<Self> {
        let Some(tree) = self.take(record.name) else { return Ok(()) };
        if is_null(&tree) {
            *value = None;
            return Ok(());
        }
        let header = match value {
            Some(Opaque::Own(chunk)) => chunk.header,
            _ => self.sub_header(),
        };
        let known = value.as_ref().map(Opaque::chunk).transpose()?;
        let filled = complete::fill_opaque(tree, known, header);
        let chunk = filled.map_err(|error| error.field(record.name))?;
        *value = Some(chunk.into());
        Ok(())
    }

    fn sized(
        &mut self,
        _: &'static Field,
        _: bool,
        mut inside: impl FnMut(&mut Self) -> Coded<Self>,
    ) -> Coded<Self> {
        inside(self)
    }

    fn remaining(&self, len: usize) -> usize {
        len
    }
}
