//! References of objects and managers, for tools.

use crate::{
    chunk::{buffer::ChunkBuf, read::ObjRef, visit::Visit},
    codec::{Array, Reference, visit::Refs},
    entries::PathTarget,
    file::{File, data::Owner, value::has_no_value},
    names::FileNames,
};
use spelunk_core::{
    Budget, EachRef, Field, Limits, Node, Reference as EntryReference, Result, Task, Ty, Val,
    WhenGone,
};
use std::ops::Range;
use zerocopy::little_endian::U32;

/// A reference in a part of a chunk of which only the list of ids is known.
static LISTED: Field = Field::new("listed", Ty::U32, "The list of ids of the chunk.");

impl File {
    /// Hands out what these entries refer to; others than objects and managers refer to nothing.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) for a foreign id; what `each` returns; limits and reading errors.
    pub(crate) fn references(
        &self,
        nodes: &[Node],
        task: &mut Task<'_>,
        each: EachRef<'_, usize>,
    ) -> Result<()> {
        let names = FileNames::of(self, &mut task.budget)?;
        for (position, node) in nodes.iter().enumerate() {
            let missing = || spelunk_core::Error::new(&spelunk_core::codes::NOT_FOUND);
            let owner = match PathTarget::of(*node).ok_or_else(missing)? {
                PathTarget::Object(index) => Owner::Object(index),
                PathTarget::Manager(index) => Owner::Manager(index),
                _ => continue,
            };
            self.references_of(owner, &names, task, &mut |found, task| {
                each(position, found, task)
            })?;
        }
        Ok(())
    }

    /// Hands out what managers and objects refer to.
    ///
    /// # Errors
    /// What `each` returns; limits and reading errors.
    pub(crate) fn all_references(
        &self,
        task: &mut Task<'_>,
        each: EachRef<'_, Node>,
    ) -> Result<()> {
        let names = FileNames::of(self, &mut task.budget)?;
        let managers = self.records(&mut task.budget)?.managers.len();
        let objects = self.table().objects.len();
        let managers = (0_u32..).take(managers).map(Owner::Manager);
        for owner in managers.chain((0_u32..).take(objects).map(Owner::Object)) {
            let node = File::node(owner);
            self.references_of(owner, &names, task, &mut |found, task| each(node, found, task))?;
        }
        Ok(())
    }

    fn references_of(
        &self,
        owner: Owner,
        names: &FileNames<'_>,
        task: &mut Task<'_>,
        each: &mut dyn FnMut(&EntryReference<'_>, &mut Task<'_>) -> Result<()>,
    ) -> Result<()> {
        task.budget.steps(1)?;
        let before = task.budget.left().memory;
        let mut found = ValueReferences { listed: true, ..ValueReferences::default() };
        let null = |nth: usize, found: &ValueReferences| match found.is_listed(nth) {
            true => WhenGone::LeavesList,
            false => WhenGone::Null,
        };
        match self.value(owner, &mut Vec::new(), &mut task.budget) {
            Ok(Some(mut saved)) => saved.visit(&mut found)?,
            Ok(None) => {}
            Err(error) if has_no_value(&error) => {}
            Err(error) => return Err(error),
        }
        // They are no more than the dwords of the value, which is charged.
        task.budget.release(before.saturating_sub(task.budget.left().memory));
        task.budget.steps(found.all.len() as u64)?;
        for (nth, (field, reference)) in found.all.iter().copied().enumerate() {
            let key = match reference {
                ObjRef::Null => continue,
                ObjRef::Index(index) | ObjRef::Id(index) => Val::U(index.into()),
            };
            let index = names.index(reference);
            // Entries that are only referred to stand for objects of other files.
            let is_there = match index {
                Some(index) if self.class_of(index).is_some() => {
                    self.reference_id(index, &mut task.budget)?.is_none()
                }
                _ => false,
            };
            let entry_reference = EntryReference {
                field,
                node: index.map(|index| PathTarget::Object(index).node()),
                is_there,
                key,
                name: None,
                kind: None,
                when_gone: null(nth, &found),
            };
            each(&entry_reference, task)?;
        }
        Ok(())
    }
}

/// References of a value, null ones included, in the order of the value.
#[derive(Default)]
pub(crate) struct ValueReferences {
    pub(crate) all: Vec<(&'static Field, ObjRef)>,
    /// Whether ids count that only a list names.
    pub(crate) listed: bool,
    /// Ranges of the references that are items of lists which become shorter when their targets go.
    pub(crate) lists: Vec<Range<usize>>,
}

impl ValueReferences {
    /// Whether the reference at a position is an item of a list that becomes shorter.
    fn is_listed(&self, nth: usize) -> bool {
        let list = self.lists.partition_point(|list| list.end <= nth);
        self.lists.get(list).is_some_and(|list| list.contains(&nth))
    }
}

impl Refs for ValueReferences {
    fn object(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        value: &mut Reference,
    ) -> Result<()> {
        self.all.push((field, value.get(file_mode)));
        Ok(())
    }

    fn objects(
        &mut self,
        field: &'static Field,
        file_mode: bool,
        values: &mut Array<U32>,
        parallel: bool,
    ) -> Result<()> {
        let start = self.all.len();
        self.all.extend(values.iter().map(|value| (field, ObjRef::of(value.get(), file_mode))));
        if !parallel && !values.is_empty() {
            self.lists.push(start..self.all.len());
        }
        Ok(())
    }

    fn opaque(&mut self, chunk: &mut ChunkBuf) -> Result<()> {
        match self.listed {
            true => chunk.visit_part(self, &mut Budget::new(Limits::for_len(0))),
            false => Ok(()),
        }
    }
}

impl Visit for ValueReferences {
    fn object(&mut self, _: usize, id: u32) -> Result<()> {
        self.all.push((&LISTED, ObjRef::of(id, false)));
        Ok(())
    }
}
