//! Header1: the object table, the plugin dependencies and the included-file stub.

use super::{
    fault::{in_item, tolerate},
    header::Head,
    part::{Count, PieceSink, PlainSpan, SectionContent, count, leaf},
    plugins::Plugins,
};
use crate::codes;
use spelunk_core::{
    Budget, Bytes, Error, Field, Group, Record, Result, ResultExt, Span, Task, Ty, Val, Walk,
    Walked, cursor::Cursor, field::Described, record, scalar::fit,
};
use std::{borrow::Cow, iter::repeat};
use zerocopy::{FromBytes, IntoBytes};

record! {
    /// The fixed part of an entry of the object table; the name follows.
    pub struct ObjectHead: "entry", "docs/formats/virtools.md#41-object-table", 16 {
        /// Id of the object when it was saved; negative for an object that is only referred to.
        id: I32,
        /// Class of the object.
        class_id: U32,
        /// Offset that the object's record would have in the file if nothing were packed.
        file_index: U32,
        /// Bytes of the name.
        name_length: U32 { unit: "bytes" },
    }
}

const PAGE: &str = "docs/formats/virtools.md#4-header1";
const STUB_PAGE: &str = "docs/formats/virtools.md#44-included-file-stub";

pub(crate) static OBJECTS: Record = Record::group("objects", PAGE, "The object table.");
static STUB: Record = Record::group("stub", STUB_PAGE, "What the file tells of included files.");

/// The id of an object.
pub(crate) static ID: Field = ObjectHead::RECORD.field("id");
/// The class of an object.
pub(crate) static CLASS_ID: Field = ObjectHead::RECORD.field("class_id");
/// The name of an object.
pub(crate) static NAME: Field =
    Field::new("name", Ty::Text, "Name as stored; what people see ends at the first NUL.");
static STUB_SIZE: Field =
    Field::new("stub_size", Ty::U32, "Bytes that follow in the stub.").unit("bytes");
/// The number of included files that the stub counts.
pub(crate) static INCLUDED: Field = Field::new(
    "included_count",
    Ty::U32,
    "Included files that the stub counts; 0 in real files, also where some follow the Data section.",
);
static EXTRA: Field = Field::new("extra", Ty::Bytes, "The rest of the stub, which is skipped.");
static REST: Field = Field::new("rest", Ty::Bytes, "Bytes of Header1 that nothing explains.");

/// The content of Header1. Below FileVersion 8 there are objects alone.
#[derive(Clone, Debug, Default)]
pub struct ObjectTable {
    /// The objects. The position in this list is what chunks store as a reference.
    pub objects: Vec<Object>,
    /// The plugin dependencies; `None` where they are damaged.
    pub plugins: Option<Plugins>,
    /// The included-file stub; `None` where it, or what precedes it, is damaged.
    pub stub: Option<Stub>,
    /// Bytes behind the stub, up to the end of Header1; empty in real files.
    pub rest: PlainSpan,
    plain: Bytes,
    /// The largest id, once it is known; whoever changes ids forgets it.
    pub(super) largest_id: Option<u32>,
}

/// An entry of the object table.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// ObjectID as stored; negative for an object that is only referred to.
    pub id: i32,
    /// ClassID, see [`crate::class`].
    pub class_id: u32,
    /// FileIndex as stored.
    pub file_index: u32,
    /// The stored name, see [`ObjectTable::name`]. It may hold NULs.
    pub name: PlainSpan,
}

/// The included-file stub.
#[derive(Clone, Debug)]
pub struct Stub {
    /// Offset of the stub in plain Header1.
    pub at: u64,
    /// Number of included files that there should be; `None` in a stub of size 0.
    pub count: Option<u32>,
    /// The rest of the stub; empty in real files.
    pub extra: Bytes,
}

impl ObjectTable {
    /// Reads plain Header1, which lies at `at`.
    ///
    /// # Errors
    /// When the object table is damaged, a limit is reached, or the sink ends the reading. Damage behind
    /// the object table goes to the sink.
    pub fn read(plain: &Bytes, at: Span, head: &Head, task: &mut Task<'_>) -> Result<ObjectTable> {
        let mut cursor = Cursor::new(plain, at.space, at.start);
        let mut table = ObjectTable::read_objects(&mut cursor, plain, head.object_count(), task)?;
        table.read_rest(&mut cursor, plain, task)?;
        Ok(table)
    }

    /// Reads the object table of FileVersion 7, which starts `plain` and is all of Header1 that there is.
    /// Gives its size, too; what follows in `plain` is not kept.
    ///
    /// # Errors
    /// When the object table is damaged; limits.
    pub(super) fn read_alone(
        plain: &Bytes,
        at: Span,
        head: &Head,
        task: &mut Task<'_>,
    ) -> Result<(ObjectTable, u64)> {
        let mut cursor = Cursor::new(plain, at.space, at.start);
        let mut table = ObjectTable::read_objects(&mut cursor, plain, head.object_count(), task)?;
        let len = cursor.position();
        table.plain = plain.slice_ref(plain.get(..len).unwrap_or_default());
        Ok((table, len as u64))
    }

    /// Puts entries in the place of those that there are. Their names are parts of `plain`.
    pub(super) fn set_objects(&mut self, objects: Vec<Object>, plain: Bytes) {
        (self.objects, self.plain, self.largest_id) = (objects, plain, None);
    }

    /// Gives an entry another class and name.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn set_entry(
        &mut self,
        index: u32,
        class_id: u32,
        name: &[u8],
        budget: &mut Budget,
    ) -> Result<()> {
        let Some(object) = self.objects.get_mut(index as usize) else { return Ok(()) };
        object.class_id = class_id;
        if object.name.of(&self.plain) == name {
            return Ok(());
        }
        // Names are parts of one buffer, so another one goes behind them all, with the fixed part before it, which
        // gives the FileIndex that was stored.
        let head = match object.name {
            PlainSpan { at: 0, len: 0 } => object.head(),
            _ => {
                let file_index = object.stored_file_index(&self.plain).unwrap_or(object.file_index);
                ObjectHead { file_index: file_index.into(), ..object.head() }
            }
        };
        let added = [head.as_bytes(), name];
        let len = size_of::<ObjectHead>().saturating_add(name.len()) as u64;
        let at = self.plain.len().saturating_add(size_of::<ObjectHead>());
        let part = PlainSpan {
            at: fit::<u32>(at as u64, "name")?,
            len: fit::<u32>(name.len() as u64, "name_length")?,
        };
        // A buffer of its own grows like a vector; that of the opened file is copied once.
        let copied = if self.plain.is_unique() { 0 } else { self.plain.len() as u64 };
        budget.touch(copied.saturating_add(len))?;
        budget.memory(copied.saturating_add(len.saturating_mul(2)))?;
        self.plain = match std::mem::take(&mut self.plain).try_into_mut() {
            Ok(mut own) => {
                added.iter().for_each(|part| own.extend_from_slice(part));
                own.freeze()
            }
            Err(shared) => [&shared, added.concat().as_slice()].concat().into(),
        };
        if let Some(object) = self.objects.get_mut(index as usize) {
            object.name = part;
        }
        Ok(())
    }

    /// The entries of a Header1 that ends too early, as far as they are whole and no more than `count`; nothing else of it.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn read_whole(
        plain: &Bytes,
        count: u32,
        budget: &mut Budget,
    ) -> Result<ObjectTable> {
        let most = u64::from(count).min(plain.len() as u64 >> 4);
        budget.steps(most)?;
        let mut objects = budget.vec(most)?;
        let mut rest: &[u8] = plain;
        while objects.len() < most as usize {
            let start = plain.len().saturating_sub(rest.len());
            let Some(object) = Object::take(&mut rest, start) else { break };
            objects.push(object);
        }
        Ok(ObjectTable { objects, plain: plain.clone(), ..ObjectTable::default() })
    }

    fn read_objects<'p>(
        cursor: &mut Cursor<'p>,
        plain: &'p Bytes,
        count: u32,
        task: &mut Task<'_>,
    ) -> Result<ObjectTable> {
        let at = cursor.span(cursor.remaining() as u64);
        cursor.expect_items(count.into(), 16, "objects").map_err(|_| {
            Error::new(&codes::OBJECT_COUNT)
                .at(at)
                .expected(format!("at most {} objects", plain.len() >> 4))
                .found(count)
        })?;
        task.budget.steps(count.into())?;
        let mut objects = task.budget.vec(count.into())?;
        let mut rest = cursor.rest();
        for index in 0..count as usize {
            let start = plain.len().saturating_sub(rest.len());
            let Some(object) = Object::take(&mut rest, start) else {
                let start = at.part(start as u64, rest.len() as u64);
                return Err(in_item(Object::damage(rest, start), "object", index));
            };
            objects.push(object);
        }
        let read = plain.len().saturating_sub(rest.len());
        *cursor = Cursor::new(plain, at.space, at.start);
        cursor.bytes(read, "objects")?;
        Ok(ObjectTable { objects, plain: plain.clone(), ..ObjectTable::default() })
    }

    /// Reads what follows the objects; stops at what cannot be read.
    fn read_rest(
        &mut self,
        cursor: &mut Cursor<'_>,
        plain: &Bytes,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let mut ahead = cursor.clone();
        let plugins = Plugins::read(&mut ahead, plain, task).field("plugins");
        self.plugins = tolerate(plugins, task)?;
        if self.plugins.is_some() {
            *cursor = ahead.clone();
            let stub = Stub::read(&mut ahead, plain).field("stub");
            self.stub = tolerate(stub, task)?;
        }
        if self.stub.is_some() {
            *cursor = ahead;
        }
        let at = cursor.span(cursor.remaining() as u64);
        self.rest = PlainSpan::from_here(cursor);
        if self.stub.is_some() && at.len > 0 {
            task.warn(Error::new(&codes::HEADER1_REST).at(at).found(format!("{} bytes", at.len)))?;
        }
        Ok(())
    }

    /// Number of included files by the stub.
    pub fn included_count(&self) -> u32 {
        self.stub.as_ref().and_then(|stub| stub.count).unwrap_or(0)
    }

    /// Plain Header1, of which names are parts.
    pub const fn plain(&self) -> &Bytes {
        &self.plain
    }

    /// Bytes of Header1 when it is laid out.
    pub(super) fn plain_len(&self) -> u64 {
        let mut count = Count::default();
        ObjectTableLayout { table: self, indexes: &[] }.lay_out(&mut count);
        count.0
    }

    /// The stored name of an object of this table.
    pub fn name(&self, object: &Object) -> &[u8] {
        object.name.of(&self.plain)
    }

    /// Walks plain Header1, which lies at `at`, in the order of its bytes.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, at: Span, walk: &mut dyn Walk) -> Walked {
        let end = self.objects.last().map_or(0, Object::end);
        walk.group(&Group::list("objects", &OBJECTS, Some(at.part(0, end))), |walk| {
            for (index, object) in self.objects.iter().enumerate() {
                let span = object.span(at);
                walk.group(&Group::item(index, ObjectHead::RECORD, Some(span)), |walk| {
                    object.walk(&self.plain, at, walk)
                })?;
            }
            Ok(())
        })?;
        if let Some(plugins) = &self.plugins {
            plugins.walk(at, walk)?;
        }
        if let Some(stub) = &self.stub {
            stub.walk(at, walk)?;
        }
        if !self.rest.is_empty() {
            leaf(&REST, at.part(self.rest.at.into(), 0), self.rest.of(&self.plain), walk)?;
        }
        Ok(())
    }
}

/// Header1 as it is laid out: the table with the FileIndex of each object, 0 where that is not known.
pub(super) struct ObjectTableLayout<'f> {
    pub(super) table: &'f ObjectTable,
    pub(super) indexes: &'f [u32],
}

impl SectionContent for ObjectTableLayout<'_> {
    fn lay_out(&self, out: &mut impl PieceSink) {
        let table = self.table;
        let indexes = self.indexes.iter().chain(repeat(&0));
        for (object, index) in table.objects.iter().zip(indexes) {
            out.put(ObjectHead { file_index: (*index).into(), ..object.head() }.as_bytes());
            out.put(table.name(object));
        }
        if let Some(plugins) = &table.plugins {
            out.put(&count(plugins.groups.len()));
            for group in &plugins.groups {
                out.put(group.head().as_bytes());
                out.put(&group.guids);
            }
        }
        if let Some(stub) = &table.stub {
            out.put(&stub.size().to_le_bytes());
            stub.count.iter().for_each(|count| out.put(&count.to_le_bytes()));
            out.put(&stub.extra);
        }
        out.put(table.rest.of(&table.plain));
    }
}

/// The bit of an id with which the written specification marks an object that is only referred to.
pub(super) const BIT_23: u32 = 0x0080_0000;

impl Object {
    /// Takes an entry, which starts at `start` of Header1. `rest` stays where it is when the entry is cut short.
    #[inline]
    fn take(rest: &mut &[u8], start: usize) -> Option<Object> {
        let (head, behind) = ObjectHead::ref_from_prefix(rest).ok()?;
        let len = head.name_length.get();
        *rest = behind.get(len as usize..)?;
        Some(Object {
            id: head.id.get(),
            class_id: head.class_id.get(),
            file_index: head.file_index.get(),
            name: PlainSpan { at: u32::try_from(start.checked_add(16)?).ok()?, len },
        })
    }

    /// Error for the entry that `rest` starts with, which lies at `at`.
    #[cold]
    fn damage(rest: &[u8], at: Span) -> Error {
        let mut cursor = Cursor::new(rest, at.space, at.start);
        let len = match cursor.record::<ObjectHead>() {
            Ok(head) => head.name_length.get(),
            Err(error) => return error,
        };
        Error::new(&codes::NAME_LENGTH)
            .at(at.part(12, 4))
            .field("name_length")
            .expected(format!("at most {} bytes", cursor.remaining()))
            .found(len)
    }

    /// The fixed part as stored.
    pub fn head(&self) -> ObjectHead {
        ObjectHead {
            id: self.id.into(),
            class_id: self.class_id.into(),
            file_index: self.file_index.into(),
            name_length: self.name.len.into(),
        }
    }

    /// FileIndex as it is stored in plain Header1, whatever the model says.
    pub(super) fn stored_file_index(&self, plain: &[u8]) -> Option<u32> {
        let at = (self.name.at as usize).checked_sub(8)?;
        let bytes = plain.get(at..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    }

    /// Whether the object is listed only so that others can refer to it, as far as its id shows: a negative one.
    /// Bit 23, which some writers set instead, proves nothing, since ids may be that large.
    pub const fn is_reference(&self) -> bool {
        self.id < 0
    }

    /// Whether an id that is no negative one has bit 23, with which the written specification marks an
    /// object that is only referred to. Whether this one is, [`File::reference_id`](super::File::reference_id) says.
    pub const fn has_bit_23(&self) -> bool {
        self.id >= 0 && self.id.cast_unsigned() & BIT_23 != 0
    }

    /// Id that the object had when it was saved. A negative one has its sign bit set, or was negated; writers
    /// differ in that. Bit 23 is a part of it.
    pub const fn saved_id(&self) -> u32 {
        const SIGN: u32 = 0x8000_0000;
        let word = self.id.cast_unsigned();
        match self.id {
            0.. => word,
            _ if word & !SIGN < 0x4000_0000 => word & !SIGN,
            _ => self.id.unsigned_abs(),
        }
    }

    /// The first offset behind the entry in plain Header1.
    fn end(&self) -> u64 {
        self.name.end()
    }

    /// Place of the entry, in a Header1 that lies at `at`.
    pub fn span(&self, at: Span) -> Span {
        let start = u64::from(self.name.at).saturating_sub(16);
        at.part(start, self.end().saturating_sub(start))
    }

    /// Walks the entry, in a Header1 of these plain bytes that lies at `at`.
    ///
    /// # Errors
    /// What the walker returns.
    pub fn walk(&self, plain: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
        let at = self.span(at);
        ObjectHead::RECORD.walk(self.head().as_bytes(), at, walk)?;
        leaf(&NAME, at.part(16, 0), self.name.of(plain), walk)
    }
}

impl Stub {
    fn read(cursor: &mut Cursor<'_>, plain: &Bytes) -> Result<Stub> {
        let at = cursor.position() as u64;
        let place = cursor.span(4);
        let size = cursor.u32("stub_size")?;
        if size == 0 {
            return Ok(Stub { at, count: None, extra: Bytes::new() });
        }
        let left = cursor.remaining();
        let damaged = || {
            Error::new(&codes::STUB)
                .at(place)
                .field("stub_size")
                .expected(format!("0, or 4 to {left} bytes"))
                .found(size)
        };
        let extra = size.checked_sub(4).ok_or_else(damaged)?;
        let count = cursor.u32("included_count").map_err(|_| damaged())?;
        let extra = cursor.bytes(extra as usize, "extra").map_err(|_| damaged())?;
        Ok(Stub { at, count: Some(count), extra: plain.slice_ref(extra) })
    }

    /// StubSize as stored.
    fn size(&self) -> u32 {
        match self.count {
            None => 0,
            Some(_) => u32::from_le_bytes(count(self.extra.len())).saturating_add(4),
        }
    }

    /// Walks the stub, in a Header1 that lies at `at`.
    fn walk(&self, at: Span, walk: &mut dyn Walk) -> Walked {
        let at = at.part(self.at, u64::from(self.size()).saturating_add(4));
        walk.group(&Group::record("stub", &STUB, Some(at)), |walk| {
            walk.field(&STUB_SIZE, Some(at.part(0, 4)), Val::from(self.size()))?;
            let Some(count) = self.count else { return Ok(()) };
            walk.field(&INCLUDED, Some(at.part(4, 4)), Val::from(count))?;
            let extra = Val::Bytes(Cow::Borrowed(&self.extra));
            walk.field(&EXTRA, Some(at.part(8, self.extra.len() as u64)), extra)
        })
    }
}
