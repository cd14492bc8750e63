//! The walk over Data in the order of its bytes.

use super::{
    Owner, PAGE, Prefix, Records,
    manager::ManagerHead,
    offset,
    record::{IdRecordHead, OldDataHead, OldRecordHead, RecordHead},
};
use crate::file::part::leaf;
use spelunk_core::{
    Budget, Class, Field, Group, Record, Span, Ty, Walk, Walked,
    field::{Described, Role},
};
use zerocopy::IntoBytes;

pub(crate) static MANAGERS: Record = Record::group("managers", PAGE, "What managers saved.");
pub(crate) static RECORDS: Record =
    Record::group("records", PAGE, "What objects saved, in table order.");
static STORED: Field = Field::new("stored", Ty::Bytes, "The packed data of the object.");
static STREAM: Field = STORED.role(Role::Packed);
static REST: Field = Field::new("rest", Ty::Bytes, "Bytes of Data that no record explains.");

/// Walks the chunk of an object or a manager.
pub(crate) type WalkChunk<'c> = &'c dyn Fn(Owner, &mut Budget, &mut dyn Walk) -> Walked;

impl Records {
    /// Walks plain Data, which lies at `at`, in the order of its bytes.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub(crate) fn walk(
        &self,
        at: Span,
        chunk: WalkChunk<'_>,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        if let Some(prefix) = &self.prefix {
            walk.record("prefix", prefix, at.part(0, 0))?;
        }
        let start = self.prefix.map_or(0, |_| size_of::<Prefix>() as u64);
        let rest = self.rest_at(at);
        let middle =
            if self.objects.is_empty() { rest.start } else { self.object_span(0, at).start };
        let start = at.start.saturating_add(start).min(middle);
        let managers = Span { start, len: middle.saturating_sub(start), ..at };
        walk.group(&Group::list("managers", &MANAGERS, Some(managers)), |walk| {
            for (index, manager) in self.managers.iter().enumerate() {
                let span = manager.span(at);
                walk.group(&Group::item(index, ManagerHead::RECORD, Some(span)), |walk| {
                    self.walk_manager(offset(index), at, chunk, budget, walk)
                })?;
            }
            Ok(())
        })?;
        let records = Span { start: middle, len: rest.start.saturating_sub(middle), ..at };
        walk.group(&Group::list("records", &RECORDS, Some(records)), |walk| {
            for index in 0..offset(self.objects.len()) {
                let span = Some(self.object_span(index, at));
                let group = Group::item(index as usize, self.record(), span);
                walk.group(&group, |walk| self.walk_object(index, at, chunk, budget, walk))?;
            }
            Ok(())
        })?;
        if rest.len > 0 {
            leaf(&REST, rest, self.rest.of(&self.plain), walk)?;
        }
        Ok(())
    }

    /// The description of an object's record.
    pub(crate) const fn record(&self) -> &'static Record {
        match self.version {
            0..=3 => OldRecordHead::RECORD,
            4..=6 => IdRecordHead::RECORD,
            _ => RecordHead::RECORD,
        }
    }

    /// Walks the record of a manager.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub(crate) fn walk_manager(
        &self,
        index: u32,
        at: Span,
        chunk: WalkChunk<'_>,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let Some(manager) = self.managers.get(index as usize) else { return Ok(()) };
        let span = manager.span(at);
        ManagerHead::RECORD.walk(manager.head().as_bytes(), span, walk)?;
        chunk(Owner::Manager(index), budget, walk)
    }

    /// Walks the record of an object. Data that are packed on their own come twice: as they are stored, and
    /// as what they inflate to; where they cannot be inflated, as they are stored alone.
    ///
    /// # Errors
    /// What the walker returns; limits.
    pub(crate) fn walk_object(
        &self,
        index: u32,
        at: Span,
        chunk: WalkChunk<'_>,
        budget: &mut Budget,
        walk: &mut dyn Walk,
    ) -> Walked {
        let span = self.object_span(index, at);
        let stored = self.part(Owner::Object(index)).of(&self.plain);
        let head_len = u64::from(self.head_len(index));
        let start = self.start(index) as usize;
        let head = self.plain.get(start..).unwrap_or_default();
        let head = head.get(..head_len as usize).unwrap_or_default();
        self.record().walk(head, span, walk)?;
        if let Some(head) = head.get(8..20) {
            OldDataHead::RECORD.walk(head, span.part(8, 0), walk)?;
        }
        if !self.is_packed(index) {
            return chunk(Owner::Object(index), budget, walk);
        }
        let stored_at = span.part(head_len, 0);
        match self.chunk(Owner::Object(index), budget) {
            Err(error) if error.code().class == Class::Malformed => {
                leaf(&STORED, stored_at, stored, walk)
            }
            Err(error) => Err(error.into()),
            Ok(_) => {
                leaf(&STREAM, stored_at, stored, walk)?;
                chunk(Owner::Object(index), budget, walk)
            }
        }
    }
}
