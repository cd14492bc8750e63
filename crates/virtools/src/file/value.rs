//! Values of objects and managers.

use super::{File, data::Owner, part::leaf};
use crate::{
    chunk::{LAST_VERSION, buffer::Header},
    class::{
        self, Value, ValuePool, attribute_manager,
        fresh::{self, Host},
        message_manager, texture_font_manager,
    },
    codec::{Saved, names::TargetResolver, read::Reader, walk::Detail},
    codes,
    entries::PathTarget,
};
use spelunk_core::{Budget, Class, Error, Field, Group, Node, Record, Result, Ty, Walk, Walked};
use std::sync::Arc;

/// Whether a chunk has no value because it is damaged, or of a version whose layout is not known.
pub(crate) fn has_no_value(error: &Error) -> bool {
    error.code().class == Class::Malformed || error.code().id == codes::CHUNK_VERSION.id
}

static CHUNK: Record = Record::group(
    "chunk",
    "docs/formats/virtools.md#11-chunks",
    "The saved state, a CKStateChunk.",
);
static OPAQUE: Field =
    Field::new("chunk", Ty::Bytes, "The saved state, a CKStateChunk that cannot be read.");

impl File {
    /// The entry of an object or a manager.
    pub fn node(owner: Owner) -> Node {
        match owner {
            Owner::Object(index) => PathTarget::Object(index).node(),
            Owner::Manager(index) => PathTarget::Manager(index).node(),
        }
    }

    /// The position of the object that an entry is; `None` for other entries.
    pub fn object_index(&self, node: Node) -> Option<u32> {
        match PathTarget::of(node) {
            Some(PathTarget::Object(index)) => self.class_of(index).map(|_| index),
            _ => None,
        }
    }

    /// Returns the value of an object or a manager; `None` where it has no chunk. Sections that do not fit the layout of the
    /// class are added to `faults` and stay in the value as they are.
    ///
    /// # Errors
    /// When Data or the chunk cannot be read; [`codes::IDENTIFIER`] where its chain of
    /// identifiers is broken, [`codes::CHUNK_VERSION`] where its layout is not known
    /// at all; limits.
    pub fn value(
        &self,
        owner: Owner,
        faults: &mut Vec<Error>,
        budget: &mut Budget,
    ) -> Result<Option<Saved<Value>>> {
        let mut saved = Saved::default();
        let start = |value: &mut Value, class_id| *value = Value::of_class(class_id);
        Ok(self.read_value(&mut saved, owner, start, faults, budget)?.then_some(saved))
    }

    /// As [`File::value`], in the place of another value, whose memory goes to a pool, and of what the pool has; false
    /// where the owner has no chunk.
    ///
    /// # Errors
    /// As [`File::value`]; what was there is gone then.
    pub fn value_into(
        &self,
        saved: &mut Saved<Value>,
        owner: Owner,
        pool: &mut ValuePool,
        faults: &mut Vec<Error>,
        budget: &mut Budget,
    ) -> Result<bool> {
        let start = |value: &mut Value, class_id| value.start(class_id, pool);
        self.read_value(saved, owner, start, faults, budget)
    }

    /// Reads a value into a place in which `start` puts an empty one of a class.
    #[inline]
    fn read_value(
        &self,
        saved: &mut Saved<Value>,
        owner: Owner,
        start: impl FnOnce(&mut Value, u32),
        faults: &mut Vec<Error>,
        budget: &mut Budget,
    ) -> Result<bool> {
        let records = self.records(budget)?;
        let at = self.data.plain_at();
        // Two places, so that none of tens of thousands of views is moved.
        let (plain, any);
        let (chunk, bytes) = match records.plain_view(owner, at) {
            Some(chunk) => {
                plain = chunk;
                (&plain, records.plain())
            }
            None => {
                let Some(chunk) = records.view(owner, at, budget)? else { return Ok(false) };
                any = chunk;
                (&any, records.chunk_owner(owner, budget)?)
            }
        };
        match owner {
            Owner::Object(index) => {
                start(&mut saved.value, self.class_of(index).unwrap_or_default());
            }
            Owner::Manager(_) => saved.value = self.empty(owner, budget)?,
        }
        Reader::read_into(saved, chunk, bytes, faults, budget)?;
        Ok(true)
    }

    /// What the managers saved that have names for their numbers: of messages, attributes and fonts. It is read when it is
    /// first asked for, and kept until a chunk changes. Damaged ones are left out.
    ///
    /// # Errors
    /// When Data cannot be read; limits.
    pub(crate) fn naming_managers(&self, budget: &mut Budget) -> Result<&[Saved<Value>]> {
        if let Some((known, _)) = self.naming.get() {
            return Ok(known);
        }
        let records = self.records(budget)?;
        let mark = budget.mark();
        let mut found = Vec::new();
        for (manager, index) in records.managers.iter().zip(0..) {
            let guid = [manager.guid.d1.get(), manager.guid.d2.get()];
            let with_names =
                [message_manager::GUID, attribute_manager::GUID, texture_font_manager::GUID];
            if !with_names.contains(&guid) {
                continue;
            }
            match self.value(Owner::Manager(index), &mut Vec::new(), budget) {
                Ok(value) => found.extend(value),
                Err(error) if has_no_value(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let held = budget.loose_since(mark);
        Ok(&budget.keep(mark, &self.naming, (Arc::from(found), held)).0)
    }

    /// Walks the fields of what an object or a manager saved, as fields of the group that is open. Where its class
    /// has no layout, or the chunk does not fit it, they are those of identifiers and lists.
    ///
    /// # Errors
    /// When Data or the chunk cannot be read; what the walker returns; limits.
    pub(crate) fn walk_value(
        &self,
        owner: Owner,
        detail: Detail,
        names: &dyn TargetResolver,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let Some(chunk) = self.chunk(owner, budget)? else { return Ok(()) };
        let before = budget.left().memory;
        let walked = match self.value(owner, &mut Vec::new(), budget) {
            Ok(Some(mut value)) => value.walk(chunk, detail, names, budget, walk),
            Ok(None) => Ok(()),
            Err(error) if has_no_value(&error) => chunk.walk(budget, walk),
            Err(error) => Err(error.into()),
        };
        budget.release(before.saturating_sub(budget.left().memory));
        walked
    }

    /// Walks every byte of the chunk of an object or a manager; as opaque bytes where it cannot be read.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub(crate) fn walk_chunk(
        &self,
        owner: Owner,
        names: &dyn TargetResolver,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        match self.chunk(owner, budget) {
            Ok(Some(chunk)) => {
                let group = Group::record("chunk", &CHUNK, Some(chunk.at));
                walk.group(&group, |walk| {
                    self.walk_value(owner, Detail::Bytes, names, budget, walk)
                })
            }
            Err(error) if error.code().class == Class::Malformed => {
                let records = self.records(budget)?;
                let bytes = records.chunk(owner, budget)?;
                leaf(&OPAQUE, records.chunk_at(owner, self.data.plain_at()), bytes, walk)
            }
            other => Ok(other.map(|_| ())?),
        }
    }

    /// The value with which a new object is saved, of the class that the object has, in the form in which this file
    /// stores chunks: what a manager gets is empty.
    ///
    /// # Errors
    /// [`codes::NO_OBJECTS`] and [`codes::NOTHING_KNOWN`] for classes that no new object can have; when Data cannot be
    /// read.
    pub fn fresh_value(&self, owner: Owner, budget: &mut Budget) -> Result<Saved<Value>> {
        let Owner::Object(index) = owner else { return self.empty_value(owner, budget) };
        let object = self.table.objects.get(index as usize);
        let object = object.ok_or_else(|| Error::new(&spelunk_core::codes::NOT_FOUND))?;
        self.fresh_chunk(object.class_id, object.saved_id(), budget)
    }

    /// The value of a new object of a class with this id.
    pub(super) fn fresh_chunk(
        &self,
        class_id: u32,
        id: u32,
        budget: &mut Budget,
    ) -> Result<Saved<Value>> {
        fresh::check_objects(class_id)?;
        let header = self.header_like_others(class_id, budget)?;
        let host = Host {
            product_build: self.head.product_build(),
            has_level: self.table.objects.iter().any(|object| object.class_id == class::LEVEL),
            file_mode: header.file_mode,
            id,
        };
        let value = Value::fresh(class_id, &host).ok_or_else(|| {
            let name = class::name(class_id, host.product_build).into_owned();
            Error::new(&codes::NOTHING_KNOWN).found(name)
        })?;
        Ok(Saved::new(header, value))
    }

    /// Head of the chunk of a new object: below FileVersion 7, where chunks are of many generations, that of the first object.
    fn header_like_others(&self, class_id: u32, budget: &mut Budget) -> Result<Header> {
        if matches!(self.head.version(), 4..=6) {
            for (index, _) in (0..).zip(&self.table.objects) {
                budget.steps(1)?;
                match self.chunk(Owner::Object(index), budget) {
                    Ok(Some(chunk)) if !chunk.is_opaque() => {
                        return Ok(Header { class_id, ..Header::of(&chunk) });
                    }
                    Ok(_) => {}
                    Err(error) if error.code().class == Class::Malformed => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(self.chunk_header(class_id))
    }

    /// Head of the chunk of a new object of current form.
    fn chunk_header(&self, class_id: u32) -> Header {
        match self.head.version() {
            0..=3 => Header::bare(class_id),
            // The chunk names the class.
            4..=6 => Header::object(class_id),
            _ => Header::object(fresh::chunk_class(class_id)),
        }
    }

    /// A value that saved nothing yet, of the class of an object or of a manager, in the form in which this file
    /// stores chunks.
    ///
    /// # Errors
    /// When Data cannot be read.
    pub fn empty_value(&self, owner: Owner, budget: &mut Budget) -> Result<Saved<Value>> {
        let class_id = match owner {
            Owner::Object(index) => self.class_of(index).unwrap_or_default(),
            Owner::Manager(_) => 0,
        };
        let header = match owner {
            Owner::Object(_) => self.chunk_header(class_id),
            Owner::Manager(_) => Header::new(0, 0, LAST_VERSION),
        };
        Ok(Saved::new(header, self.empty(owner, budget)?))
    }

    /// An empty value of the class of an object, or of a manager.
    fn empty(&self, owner: Owner, budget: &mut Budget) -> Result<Value> {
        Ok(match owner {
            Owner::Object(index) => self.class_of(index).map(Value::of_class).unwrap_or_default(),
            Owner::Manager(index) => {
                let manager = self.records(budget)?.managers.get(index as usize);
                manager.map(|manager| Value::of_manager(manager.guid)).unwrap_or_default()
            }
        })
    }
}
