//! The Data section: the records of the managers and of the objects. Their chunks stay opaque.

use super::{
    header::Head,
    leaf,
    part::{Content, Out, Part},
};
use crate::codes;
use spelunk_core::{
    Budget, Bytes, Error, Field, Group, Record, Result, Seg, Span, Ty, Walk, Walked,
    field::Described, record, scalar::Guid,
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
/// The GUID of a manager.
pub(crate) static GUID: Field = ManagerHead::RECORD.field("guid");
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
    pub rest: Part,
    /// What ended the reading of records too early. All further bytes are in `rest`.
    pub fault: Option<Fault>,
    plain: Bytes,
}

/// The record of a manager.
#[derive(Clone, Copy, Debug)]
pub struct Manager {
    /// The manager.
    pub guid: Guid,
    /// Its chunk, opaque; empty for none.
    pub chunk: Part,
}

/// The record of an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectRecord {
    /// The chunk, opaque; empty for an object without one.
    pub chunk: Part,
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

/// Takes a record's fixed part and the size of its chunk, and goes on behind the chunk. `rest` stays where it
/// is when the record is cut short, and the size that was read is told.
fn take<'a, T: Described>(
    rest: &mut &'a [u8],
    size: impl Fn(&T) -> u32,
) -> std::result::Result<(&'a T, u32), Option<u32>> {
    let (head, behind) = T::ref_from_prefix(rest).map_err(|_| None)?;
    let size = size(head);
    *rest = behind.get(size as usize..).ok_or(Some(size))?;
    Ok((head, size))
}

/// The records of one kind, and of the one that ended the reading too early the size that it declares.
type Taken<T> = (Vec<T>, Option<Option<u32>>);

/// Takes `wanted` records of one kind. They are counted first, so that room is made for those that are there
/// and not for those that are declared.
fn take_all<'a, H: Described + 'a, T>(
    plain: &[u8],
    rest: &mut &'a [u8],
    wanted: u32,
    budget: &mut Budget,
    size: impl Fn(&H) -> u32,
    make: impl Fn(&H, Part) -> T,
) -> Result<Taken<T>> {
    let mut ahead = *rest;
    let mut count = 0_u32;
    let mut fault = None;
    while count < wanted && fault.is_none() {
        budget.steps(1)?;
        match take(&mut ahead, &size) {
            Ok(_) => count = count.saturating_add(1),
            Err(size) => fault = Some(size),
        }
    }
    let mut items = budget.vec(count.into())?;
    while items.len() < count as usize {
        let Ok((head, len)) = take(rest, &size) else { break };
        let end = plain.len().saturating_sub(rest.len());
        let at = offset(end.saturating_sub(len as usize));
        items.push(make(head, Part { at, len }));
    }
    Ok((items, fault))
}

/// An offset in a section, whose size is a 4-byte number.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Records {
    /// Reads plain Data, which lies at `at`.
    ///
    /// # Errors
    /// Limits. A damaged record ends the reading and is kept as the `fault`.
    pub fn read(plain: &Bytes, at: Span, head: &Head, budget: &mut Budget) -> Result<Records> {
        let mut rest: &[u8] = plain;
        let fault = |kind, index: usize, rest: &[u8], size| {
            let start = plain.len().saturating_sub(rest.len()) as u64;
            Fault { kind, index: index as u64, at: at.part(start, rest.len() as u64), size }
        };
        let (managers, broken) = take_all(
            plain,
            &mut rest,
            head.part1.manager_count.get(),
            budget,
            |head: &ManagerHead| head.size.get(),
            |head, chunk| Manager { guid: head.guid, chunk },
        )?;
        let manager = broken.map(|size| fault("manager", managers.len(), rest, size));
        let wanted = if manager.is_some() { 0 } else { head.part1.object_count.get() };
        let (objects, broken) = take_all(
            plain,
            &mut rest,
            wanted,
            budget,
            |head: &RecordHead| head.size.get(),
            |_, chunk| ObjectRecord { chunk },
        )?;
        let fault = manager.or(broken.map(|size| fault("object", objects.len(), rest, size)));
        let at = plain.len().saturating_sub(rest.len());
        let rest = Part { at: offset(at), len: offset(rest.len()) };
        Ok(Records { managers, objects, rest, fault, plain: plain.clone() })
    }

    /// Plain Data, of which chunks are parts.
    pub const fn plain(&self) -> &Bytes {
        &self.plain
    }

    /// Where `rest` lies, in a Data section that lies at `at`.
    pub fn rest_at(&self, at: Span) -> Span {
        at.part(self.rest.at.into(), self.rest.len.into())
    }

    /// Walks plain Data, which lies at `at`, in the order of its bytes.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, at: Span, walk: &mut dyn Walk) -> Walked {
        let rest = self.rest_at(at);
        let middle = self.objects.first().map_or(rest.start, |first| first.span(at).start);
        let managers = Span { len: middle.saturating_sub(at.start), ..at };
        walk.group(&Group::list("managers", &MANAGERS, Some(managers)), |walk| {
            for (index, manager) in self.managers.iter().enumerate() {
                let span = manager.span(at);
                walk.group(&Group::item(index, ManagerHead::RECORD, Some(span)), |walk| {
                    manager.walk(&self.plain, at, walk)
                })?;
            }
            Ok(())
        })?;
        let records = Span { start: middle, len: rest.start.saturating_sub(middle), ..at };
        walk.group(&Group::list("records", &RECORDS, Some(records)), |walk| {
            for (index, object) in self.objects.iter().enumerate() {
                let span = object.span(at);
                walk.group(&Group::item(index, RecordHead::RECORD, Some(span)), |walk| {
                    object.walk(&self.plain, at, walk)
                })?;
            }
            Ok(())
        })?;
        if rest.len > 0 {
            leaf(&REST, rest, self.rest.of(&self.plain), walk)?;
        }
        Ok(())
    }
}

impl Content for Records {
    fn lay_out(&self, out: &mut impl Out) {
        for manager in &self.managers {
            out.put(manager.head().as_bytes());
            out.put(manager.chunk.of(&self.plain));
        }
        for object in &self.objects {
            out.put(object.head().as_bytes());
            out.put(object.chunk.of(&self.plain));
        }
        out.put(self.rest.of(&self.plain));
    }
}

impl Manager {
    /// The fixed part as stored.
    pub fn head(&self) -> ManagerHead {
        ManagerHead { guid: self.guid, size: self.chunk.len.into() }
    }

    /// What the manager is called, where it is one of the SDK's.
    pub fn name(&self) -> Option<&'static str> {
        let d1 = Some(self.guid.d1.get()).filter(|_| self.guid.d2.get() == 0)?;
        MANAGER_NAMES.iter().find(|(known, _)| *known == d1).map(|(_, name)| *name)
    }

    /// Where the record lies, in a Data section that lies at `at`.
    pub fn span(&self, at: Span) -> Span {
        let start = u64::from(self.chunk.at).saturating_sub(12);
        at.part(start, self.chunk.end().saturating_sub(start))
    }

    /// Walks the record, in a Data section of these plain bytes that lies at `at`.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, plain: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
        let at = self.span(at);
        ManagerHead::RECORD.walk(self.head().as_bytes(), at, walk)?;
        leaf(&CHUNK, at.part(12, 0), self.chunk.of(plain), walk)
    }
}

impl ObjectRecord {
    /// The fixed part as stored.
    pub fn head(&self) -> RecordHead {
        RecordHead { size: self.chunk.len.into() }
    }

    /// Offset of the size dword in plain Data.
    pub const fn at(&self) -> u32 {
        self.chunk.at.saturating_sub(4)
    }

    /// Where the record lies, in a Data section that lies at `at`.
    pub fn span(&self, at: Span) -> Span {
        let start = u64::from(self.at());
        at.part(start, self.chunk.end().saturating_sub(start))
    }

    /// Walks the record, in a Data section of these plain bytes that lies at `at`.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, plain: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
        let at = self.span(at);
        RecordHead::RECORD.walk(self.head().as_bytes(), at, walk)?;
        leaf(&CHUNK, at.part(4, 0), self.chunk.of(plain), walk)
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
