//! The Data section: the records of the managers and of the objects. Their chunks stay opaque.

use super::{header::Head, leaf, table::count};
use crate::codes;
use spelunk_core::{
    Budget, Bytes, Error, Field, Group, Record, Result, Seg, Span, Ty, Walk, Walked,
    cursor::Cursor, field::Described, record, scalar::Guid,
};
use zerocopy::IntoBytes;

record! {
    /// The fixed part of a manager's record; its chunk follows.
    pub struct ManagerHead: "manager", "docs/formats/virtools.md#51-manager-records", 12 {
        /// The manager.
        guid: Guid,
        /// Bytes of the chunk; 0 for none.
        size: U32 { unit: "bytes" },
    }
}

record! {
    /// The fixed part of an object's record; its chunk follows.
    pub struct RecordHead: "record", "docs/formats/virtools.md#52-object-records", 4 {
        /// Bytes of the chunk; 0 for an object without one.
        size: U32 { unit: "bytes" },
    }
}

const PAGE: &str = "docs/formats/virtools.md#5-data-section";

static MANAGERS: Record = Record::group("managers", PAGE, "What managers saved.");
static RECORDS: Record = Record::group("records", PAGE, "What objects saved, in table order.");
static CHUNK: Field = Field::new("chunk", Ty::Bytes, "The saved state, a CKStateChunk.");
static REST: Field = Field::new("rest", Ty::Bytes, "Bytes of Data that no record explains.");

/// What the managers of the SDK are called, by the first word of their GUID; the second one is 0.
const MANAGER_NAMES: &[(u32, &str)] = &[
    (0x7CBB_3B91, "Object"),
    (0x3D24_2466, "Attribute"),
    (0x466A_0FAC, "Message"),
    (0x4209_36F9, "Floor"),
    (0x3824_4712, "Collision"),
    (0x7F00_4791, "Grid"),
    (0x89CE_7B32, "Time"),
    (0x58D6_21AE, "Behavior"),
    (0xF787_C904, "Input"),
    (0xDCE1_35F6, "Sound"),
    (0x5941_54A6, "Midi"),
    (0x9A4B_8E3D, "Interface"),
    (0xA213_C8D5, "Render"),
    (0x9CE5_7AB6, "Parameter"),
    (0x15FD_54B9, "Path"),
    (0x98CC_3CC9, "Variable"),
];

/// The content of the Data section.
#[derive(Clone, Debug)]
pub struct Records {
    /// The managers, in the order in which the engine had registered them.
    pub managers: Vec<Manager>,
    /// One record for each object of the table, in its order.
    pub objects: Vec<ObjectRecord>,
    /// What follows, up to the end of the section; empty in real files.
    pub rest: Bytes,
    /// What ended the reading of records too early. All further bytes are in `rest`.
    pub fault: Option<Fault>,
}

/// The record of a manager.
#[derive(Clone, Debug)]
pub struct Manager {
    /// Offset of the record in plain Data.
    pub at: u64,
    /// The manager.
    pub guid: Guid,
    /// Its chunk, opaque; empty for none.
    pub chunk: Bytes,
}

/// The record of an object.
#[derive(Clone, Debug)]
pub struct ObjectRecord {
    /// Offset of the size dword in plain Data.
    pub at: u64,
    /// The chunk, opaque; empty for an object without one.
    pub chunk: Bytes,
}

/// A record that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// `manager` or `object`.
    pub kind: &'static str,
    /// Its position among its kind.
    pub index: u64,
    /// From its start to the end of the section.
    pub at: Span,
    /// The size that it declares, where that can be read.
    pub size: Option<u32>,
}

impl Fault {
    /// The fault as a located error.
    pub fn error(&self) -> Error {
        let error = Error::new(&codes::RECORD_SIZE)
            .at(self.at)
            .field("size")
            .within(Seg::Index(self.index))
            .field(self.kind)
            .expected(format!("at most {} bytes with its size", self.at.len));
        match self.size {
            Some(size) => error.found(format!("a size of {size} bytes")),
            None => error.found("the end of the section"),
        }
    }
}

/// Takes a record's fixed part and its chunk. The cursor stays where it is when one is cut short, and
/// the size that was read is told.
fn take<'a, T: Described>(
    cursor: &mut Cursor<'a>,
    size: impl Fn(&T) -> u32,
) -> std::result::Result<(&'a T, &'a [u8]), Option<u32>> {
    let mut ahead = cursor.clone();
    let head: &T = ahead.record().map_err(|_| None)?;
    let chunk = ahead.bytes(size(head) as usize, "chunk").map_err(|_| Some(size(head)))?;
    *cursor = ahead;
    Ok((head, chunk))
}

fn take_manager<'a>(
    cursor: &mut Cursor<'a>,
) -> std::result::Result<(&'a ManagerHead, &'a [u8]), Option<u32>> {
    take(cursor, |head: &ManagerHead| head.size.get())
}

fn take_object<'a>(
    cursor: &mut Cursor<'a>,
) -> std::result::Result<(&'a RecordHead, &'a [u8]), Option<u32>> {
    take(cursor, |head: &RecordHead| head.size.get())
}

/// How many records, `limit` at the most, can be read from here: counted first, so that room is made
/// for those that are there and not for those that are declared.
fn readable<'a, T>(
    cursor: &Cursor<'a>,
    limit: u32,
    budget: &mut Budget,
    read: impl Fn(&mut Cursor<'a>) -> std::result::Result<T, Option<u32>>,
) -> Result<u64> {
    let mut ahead = cursor.clone();
    let mut count = 0_u64;
    while count < limit.into() && read(&mut ahead).is_ok() {
        count = count.saturating_add(1);
        budget.steps(1)?;
    }
    Ok(count)
}

impl Records {
    /// Reads plain Data, which lies at `at`.
    ///
    /// # Errors
    /// Limits. A damaged record ends the reading and is kept as the `fault`.
    pub fn read(plain: &Bytes, at: Span, head: &Head, budget: &mut Budget) -> Result<Records> {
        let mut cursor = Cursor::new(plain, at.space, at.start);
        let mut fault = None;
        let wanted = head.part1.manager_count.get();
        let count = readable(&cursor, wanted, budget, take_manager)?;
        let mut managers = budget.vec(count)?;
        while fault.is_none() && managers.len() < wanted as usize {
            let at = cursor.position() as u64;
            match take_manager(&mut cursor) {
                Ok((head, chunk)) => {
                    let chunk = plain.slice_ref(chunk);
                    managers.push(Manager { at, guid: head.guid, chunk });
                }
                Err(size) => fault = Some(fault_at(&cursor, "manager", managers.len(), size)),
            }
        }
        let wanted = if fault.is_some() { 0 } else { head.part1.object_count.get() };
        let count = readable(&cursor, wanted, budget, take_object)?;
        let mut objects = budget.vec(count)?;
        while fault.is_none() && objects.len() < wanted as usize {
            let at = cursor.position() as u64;
            match take_object(&mut cursor) {
                Ok((_, chunk)) => {
                    objects.push(ObjectRecord { at, chunk: plain.slice_ref(chunk) });
                }
                Err(size) => fault = Some(fault_at(&cursor, "object", objects.len(), size)),
            }
        }
        Ok(Records { managers, objects, rest: plain.slice_ref(cursor.rest()), fault })
    }

    /// Appends plain Data.
    pub fn lay_out(&self, out: &mut Vec<u8>) {
        for manager in &self.managers {
            out.extend_from_slice(manager.head().as_bytes());
            out.extend_from_slice(&manager.chunk);
        }
        for object in &self.objects {
            out.extend_from_slice(object.head().as_bytes());
            out.extend_from_slice(&object.chunk);
        }
        out.extend_from_slice(&self.rest);
    }

    /// Where `rest` lies, in a Data section that lies at `at`.
    pub fn rest_at(&self, at: Span) -> Span {
        let len = self.rest.len() as u64;
        at.part(at.len.saturating_sub(len), len)
    }

    /// Walks plain Data, which lies at `at`, in the order of its bytes.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, at: Span, walk: &mut dyn Walk) -> Walked {
        let rest = self.rest_at(at);
        let middle = self.objects.first().map_or(rest.start, |first| at.part(first.at, 0).start);
        let managers = Span { len: middle.saturating_sub(at.start), ..at };
        walk.group(&Group::list("managers", &MANAGERS, Some(managers)), |walk| {
            for (index, manager) in self.managers.iter().enumerate() {
                let span = manager.span(at);
                walk.group(&Group::item(index, ManagerHead::RECORD, Some(span)), |walk| {
                    manager.walk(at, walk)
                })?;
            }
            Ok(())
        })?;
        let records = Span { start: middle, len: rest.start.saturating_sub(middle), ..at };
        walk.group(&Group::list("records", &RECORDS, Some(records)), |walk| {
            for (index, object) in self.objects.iter().enumerate() {
                let span = object.span(at);
                walk.group(&Group::item(index, RecordHead::RECORD, Some(span)), |walk| {
                    object.walk(at, walk)
                })?;
            }
            Ok(())
        })?;
        if rest.len > 0 {
            leaf(&REST, rest, &self.rest, walk)?;
        }
        Ok(())
    }
}

fn fault_at(cursor: &Cursor<'_>, kind: &'static str, index: usize, size: Option<u32>) -> Fault {
    Fault { kind, index: index as u64, at: cursor.span(cursor.remaining() as u64), size }
}

impl Manager {
    /// The fixed part as stored.
    pub fn head(&self) -> ManagerHead {
        ManagerHead { guid: self.guid, size: count(self.chunk.len()).into() }
    }

    /// What the manager is called, where it is one of the SDK's.
    pub fn name(&self) -> Option<&'static str> {
        let d1 = Some(self.guid.d1.get()).filter(|_| self.guid.d2.get() == 0)?;
        MANAGER_NAMES.iter().find(|(known, _)| *known == d1).map(|(_, name)| *name)
    }

    /// Where the record lies, in a Data section that lies at `at`.
    pub fn span(&self, at: Span) -> Span {
        at.part(self.at, (self.chunk.len() as u64).saturating_add(12))
    }

    /// Walks the record, in a Data section that lies at `at`.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, at: Span, walk: &mut dyn Walk) -> Walked {
        let at = self.span(at);
        ManagerHead::RECORD.walk(self.head().as_bytes(), at, walk)?;
        leaf(&CHUNK, at.part(12, 0), &self.chunk, walk)
    }
}

impl ObjectRecord {
    /// The fixed part as stored.
    pub fn head(&self) -> RecordHead {
        RecordHead { size: count(self.chunk.len()).into() }
    }

    /// Where the record lies, in a Data section that lies at `at`.
    pub fn span(&self, at: Span) -> Span {
        at.part(self.at, (self.chunk.len() as u64).saturating_add(4))
    }

    /// Walks the record, in a Data section that lies at `at`.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, at: Span, walk: &mut dyn Walk) -> Walked {
        let at = self.span(at);
        RecordHead::RECORD.walk(self.head().as_bytes(), at, walk)?;
        leaf(&CHUNK, at.part(4, 0), &self.chunk, walk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::limits::Limits;
    use spelunk_fixtures::samples;

    #[test]
    fn managers_have_the_names_of_the_page() {
        let page = include_str!("../../../../docs/formats/virtools.md");
        for (d1, name) in MANAGER_NAMES {
            let row = format!("| `{d1:08X}` | {name} ");
            assert!(page.contains(&row), "{row}");
        }
    }

    /// However early the section ends, the records before are read and all bytes are kept.
    #[test]
    fn a_section_may_end_anywhere() {
        let sample = samples::menu();
        let head = Head::read(&sample.build().bytes).unwrap();
        let whole = Bytes::from(sample.data_section().bytes);
        let ends = |part: &str| sample.data_section().range_of(part).end;
        for len in 0..=whole.len() {
            let plain = whole.slice(..len);
            let at = Span::file(0, len as u64);
            let mut budget = Budget::new(Limits::for_len(0));
            let records = Records::read(&plain, at, &head, &mut budget).unwrap();
            let mut out = Vec::new();
            records.lay_out(&mut out);
            assert_eq!(out, plain);
            assert_eq!(records.fault.is_none(), len == whole.len());
            let managers = (0..4).filter(|i| ends(&format!("managers[{i}]")) <= len).count();
            let objects = (0..7).filter(|i| ends(&format!("objects[{i}]")) <= len).count();
            assert_eq!((records.managers.len(), records.objects.len()), (managers, objects));
        }
    }

    #[test]
    fn a_record_that_is_too_large_is_told_with_its_place() {
        let sample = samples::menu();
        let head = Head::read(&sample.build().bytes).unwrap();
        let mut data = sample.data_section();
        data.poke("objects[1].size", &0x7FFF_FFFC_u32.to_le_bytes());
        let (at, len) = (data.offset_of("objects[1].size") as u64, data.bytes.len() as u64);
        let plain = Bytes::from(data.bytes);
        let mut budget = Budget::new(Limits::for_len(0));
        let records = Records::read(&plain, Span::file(0, len), &head, &mut budget).unwrap();
        let fault = records.fault.unwrap();
        assert_eq!(fault.at, Span::file(at, len - at));
        assert_eq!(fault.error().path(), "object[1].size");
    }
}
