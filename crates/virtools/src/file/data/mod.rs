//! The Data section: the records of the managers and of the objects.

mod layout;
mod manager;
pub mod record;
pub(crate) mod walk;

pub use super::{
    fault::{Fault, SectionDamage},
    owner::Owner,
};
use super::{header::Head, part::PlainSpan, table::Object};
use crate::chunk::{Chunk, is_surely_sound};
pub(super) use layout::DataLayout;
pub(crate) use manager::GUID;
pub use manager::{Manager, ManagerHead};
use record::{IdRecordHead, ObjectRecord, OldRecord};
use spelunk_core::{Budget, Bytes, Error, Packing, Result, Span, record};
use std::collections::BTreeMap;
use zerocopy::FromBytes;

record! {
    /// Start of Data below FileVersion 8.
    pub struct Prefix: "prefix", "docs/formats/virtools.md#5-data-section", 8 {
        /// The largest id of an object; counts more than MaxIDSaved of Part1.
        save_id_max: U32,
        /// Object records; counts more than ObjectCount of Part1.
        object_count: U32,
    }
}

/// Bytes that a chunk takes among the changed ones besides its own, about.
const EDIT: usize = 64;

const PAGE: &str = "docs/formats/virtools.md#5-data-section";

/// The content of the Data section.
#[derive(Clone, Debug)]
pub struct Records {
    /// The FileVersion whose records these are.
    version: u32,
    /// Start of Data below FileVersion 8.
    pub prefix: Option<Prefix>,
    /// The managers, in the order in which the engine had registered them; none below FileVersion 6.
    pub managers: Vec<Manager>,
    /// Records of the objects, one for each object of the table, in its order.
    pub objects: Vec<ObjectRecord>,
    /// Below FileVersion 4 what the records hold besides, one for each of `objects`; else empty.
    pub old: Vec<OldRecord>,
    /// Bytes behind the records, up to the end of the section; empty in real files.
    pub rest: PlainSpan,
    /// Damage that ended the reading of records too early. All further bytes are in `rest`.
    pub fault: Option<Fault>,
    plain: Bytes,
    pub(super) edits: BTreeMap<Owner, Bytes>,
}

/// The records of one kind, and of the one that ended the reading too early the size that it declares.
type Taken<T> = (Vec<T>, Option<Option<u32>>);

/// Takes `wanted` records of one kind, each of at least `least` bytes. Where so many cannot follow they are counted
/// first, so that room is made for those that are there and not for those that are declared.
#[inline]
fn take_all<'a, T>(
    rest: &mut &'a [u8],
    (wanted, least): (u32, usize),
    budget: &mut Budget,
    take: impl Fn(&mut &'a [u8]) -> std::result::Result<T, Option<u32>>,
) -> Result<Taken<T>> {
    let mut count = wanted;
    if (wanted as usize).saturating_mul(least) > rest.len() {
        let mut ahead = *rest;
        count = 0;
        while take(&mut ahead).is_ok() {
            budget.steps(1)?;
            count = count.saturating_add(1);
        }
    }
    budget.steps(count.into())?;
    let mut items = budget.vec(count.into())?;
    for _ in 0..wanted {
        match take(rest) {
            Ok(item) => items.push(item),
            Err(size) => return Ok((items, Some(size))),
        }
    }
    Ok((items, None))
}

/// An offset in a section, whose size is a 4-byte number.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// The last `len` bytes of what ends where `rest` begins.
fn before(plain: &[u8], rest: &[u8], len: u32) -> PlainSpan {
    let end = plain.len().saturating_sub(rest.len());
    PlainSpan { at: offset(end.saturating_sub(len as usize)), len }
}

impl Records {
    /// Reads plain Data, which lies at `at`.
    ///
    /// # Errors
    /// Limits. A damaged record ends the reading and is kept as the `fault`.
    pub fn read(plain: &Bytes, at: Span, head: &Head, budget: &mut Budget) -> Result<Records> {
        let version = head.version();
        let mut rest: &[u8] = plain;
        let fault = |kind, index: usize, rest: &[u8], size| {
            let start = plain.len().saturating_sub(rest.len()) as u64;
            let at = at.part(start, rest.len() as u64);
            Fault { kind, index: index as u64, at, size, section: None }
        };
        let mut broken = None;
        let mut prefix = None;
        if version < 8 {
            match Prefix::ref_from_prefix(rest) {
                Ok((words, behind)) => {
                    prefix = Some(*words);
                    rest = behind;
                }
                Err(_) => broken = Some(fault("prefix", 0, rest, None)),
            }
        }
        let wanted = if version < 6 || broken.is_some() { 0 } else { head.manager_count() };
        let (managers, size) = take_all(&mut rest, (wanted, 12), budget, |rest| {
            let head = manager::take(rest)?;
            Ok(Manager { guid: head.guid, chunk: before(plain, rest, head.size.get()) })
        })?;
        broken = broken.or_else(|| size.map(|size| fault("manager", managers.len(), rest, size)));
        let wanted = prefix.map_or(head.object_count(), |prefix: Prefix| prefix.object_count.get());
        let wanted = if broken.is_some() { 0 } else { wanted };
        let start = offset(plain.len().saturating_sub(rest.len()));
        let object = |rest: &&[u8], size| ObjectRecord { chunk: before(plain, rest, size) };
        let (objects, size) = match version {
            // The usual records have a loop of their own, in which nothing is left to be decided.
            7.. => take_all(&mut rest, (wanted, 4), budget, |rest| {
                let size = record::take_current(rest)?;
                Ok(object(rest, size))
            })?,
            _ => take_all(&mut rest, (wanted, 8), budget, |rest| {
                let size = record::take(version, rest)?;
                Ok(object(rest, size))
            })?,
        };
        broken = broken.or_else(|| size.map(|size| fault("object", objects.len(), rest, size)));
        let rest = PlainSpan {
            at: offset(plain.len().saturating_sub(rest.len())),
            len: offset(rest.len()),
        };
        let mut records = Records {
            version,
            prefix,
            managers,
            objects,
            old: Vec::new(),
            rest,
            fault: broken,
            plain: plain.clone(),
            edits: BTreeMap::new(),
        };
        if version < 4 {
            records.read_old(start, at, head.records_packed(), budget)?;
        }
        Ok(records)
    }

    /// The records of the objects as FileIndex tells of them, without their bytes and without managers: each starts where its
    /// entry says and ends where the next one starts. `None` where there cannot be such records. From FileVersion 8 on.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn told(
        entries: &[Object],
        head: &Head,
        budget: &mut Budget,
    ) -> Result<Option<Records>> {
        let start = Head::LEN.saturating_add(head.header1_plain_len());
        let managers = u64::from(head.manager_count()).saturating_mul(12);
        let all = start.saturating_add(head.data_plain_len());
        let first = entries.first().map_or(all, |entry| entry.file_index.into());
        if first < start.saturating_add(managers) || managers == 0 && first != start {
            return Ok(None);
        }
        budget.steps(entries.len() as u64)?;
        let mut objects = budget.vec(entries.len() as u64)?;
        let ends = entries.iter().skip(1).map(|entry| u64::from(entry.file_index)).chain([all]);
        for (entry, end) in entries.iter().zip(ends) {
            let at = u64::from(entry.file_index).saturating_add(4);
            let (Some(at), Some(len)) = (at.checked_sub(start), end.checked_sub(at)) else {
                return Ok(None);
            };
            let (Ok(at), Ok(len)) = (u32::try_from(at), u32::try_from(len)) else {
                return Ok(None);
            };
            objects.push(ObjectRecord { chunk: PlainSpan { at, len } });
        }
        Ok(Some(Records {
            version: head.version(),
            prefix: None,
            managers: Vec::new(),
            objects,
            old: Vec::new(),
            rest: PlainSpan::default(),
            fault: None,
            plain: Bytes::new(),
            edits: BTreeMap::new(),
        }))
    }

    /// Reads what records below FileVersion 4 hold besides their data; the first one starts at `start`.
    fn read_old(&mut self, start: u32, at: Span, packed: bool, budget: &mut Budget) -> Result<()> {
        let mut old = budget.vec(self.objects.len() as u64)?;
        let mut start = start as usize;
        for (record, index) in self.objects.iter().zip(0..) {
            let space = OldRecord::space(index);
            old.push(OldRecord::read(&self.plain, (start, record.chunk), space, at, packed));
            start = record.chunk.end() as usize;
        }
        self.old = old;
        Ok(())
    }

    /// Keeps the records that are surely whole of a section that is damaged: those of objects that have an entry,
    /// as far as records lie where their entries say, if entries say anything sensible at all. `data_at` is where
    /// plain Data would start in a file without packed sections.
    pub(super) fn keep_whole(&mut self, objects: &[Object], data_at: u64) {
        self.objects.truncate(objects.len());
        let ascend = objects.is_sorted_by(|a, b| a.file_index < b.file_index);
        if self.version < 7 || !ascend || objects.len() < 2 {
            return;
        }
        let place = |index: u32| data_at.saturating_add(self.size_at(index).into());
        let mut places = (0..).zip(objects.iter().zip(&self.objects));
        let odd = places.find(|(index, (object, _))| u64::from(object.file_index) != place(*index));
        if let Some((odd, _)) = odd {
            // Its place follows from the size before it, so that one is wrong as well.
            self.objects.truncate((odd as usize).saturating_sub(1));
        }
    }

    /// Plain Data, of which chunks are parts.
    pub const fn plain(&self) -> &Bytes {
        &self.plain
    }

    /// The FileVersion whose records these are.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Whether there is a record at this position.
    pub(crate) fn has_object(&self, index: u32) -> bool {
        (index as usize) < self.objects.len()
    }

    /// The plain bytes of a chunk, inflated now where they were not before; none for an owner that there is not.
    ///
    /// # Errors
    /// Where they are packed on their own and cannot be inflated; limits.
    pub fn chunk(&self, owner: Owner, budget: &mut Budget) -> Result<&[u8]> {
        if !self.edits.is_empty()
            && let Some(edited) = self.edits.get(&owner)
        {
            return Ok(edited);
        }
        Ok(match self.old(owner) {
            Some(old) => old.plain(budget)?,
            None => self.part(owner).of(&self.plain),
        })
    }

    /// The same as a handle.
    ///
    /// # Errors
    /// Those of [`Records::chunk`].
    pub fn chunk_bytes(&self, owner: Owner, budget: &mut Budget) -> Result<Bytes> {
        if let Some(edited) = self.edits.get(&owner) {
            return Ok(edited.clone());
        }
        Ok(match self.old(owner) {
            Some(old) => old.plain(budget)?.clone(),
            None => self.part(owner).bytes(&self.plain),
        })
    }

    /// The bytes in which a chunk lies.
    pub(crate) fn chunk_owner(&self, owner: Owner, budget: &mut Budget) -> Result<&Bytes> {
        if let Some(edited) = self.edits.get(&owner) {
            return Ok(edited);
        }
        match self.old(owner) {
            Some(old) => old.plain(budget),
            None => Ok(&self.plain),
        }
    }

    /// A view of a chunk; `None` for an owner without one. Data lies at `at`.
    ///
    /// # Errors
    /// Those of [`Records::chunk`] and [`Chunk::read`].
    #[inline]
    pub fn view(&self, owner: Owner, at: Span, budget: &mut Budget) -> Result<Option<Chunk<'_>>> {
        let bytes = self.chunk(owner, budget)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let at = self.chunk_at(owner, at);
        match self.old(owner) {
            Some(old) => Ok(Some(Chunk::bare(old.class_id, bytes, at))),
            None => Chunk::read(bytes, at).map(Some),
        }
    }

    /// The same for the chunk of an object as most are: without lists, and where it was when the file was opened.
    #[inline]
    pub(crate) fn plain_view(&self, owner: Owner, at: Span) -> Option<Chunk<'_>> {
        let Owner::Object(index) = owner else { return None };
        if !self.edits.is_empty() || !self.old.is_empty() {
            return None;
        }
        let part = self.objects.get(index as usize)?.chunk;
        Chunk::plain(part.of(&self.plain), at.part(part.at.into(), part.len.into()))
    }

    /// The positions of the objects whose chunks a look is not enough for to know that they are sound.
    pub(super) fn suspects(&self) -> impl Iterator<Item = u32> + '_ {
        let all = self.version < 4 || !self.edits.is_empty();
        let sound = move |record: &ObjectRecord| {
            !all && (record.chunk.is_empty() || is_surely_sound(record.chunk.of(&self.plain)))
        };
        let suspects = (0..).zip(&self.objects).filter(move |(_, record)| !sound(record));
        suspects.map(|(index, _)| index)
    }

    /// Whether the data of an object are packed on their own.
    pub fn is_packed(&self, index: u32) -> bool {
        self.old(Owner::Object(index)).is_some_and(|old| old.data.packing() == Packing::Zlib)
    }

    /// Bytes of the data of an object in the file, where they are packed on their own.
    pub(crate) fn stored_size(&self, index: u32) -> Option<u64> {
        self.is_packed(index).then(|| self.part(Owner::Object(index)).len.into())
    }

    /// The class in the record of an object, below FileVersion 4.
    pub(super) fn class_id(&self, index: u32) -> Option<u32> {
        self.old(Owner::Object(index)).map(|old| old.class_id)
    }

    /// Plain size of a chunk; nothing is inflated for it.
    pub fn chunk_len(&self, owner: Owner) -> u64 {
        if let Some(edited) = self.edits.get(&owner) {
            return edited.len() as u64;
        }
        match self.old(owner) {
            Some(old) => old.data.plain_len(),
            None => self.part(owner).len.into(),
        }
    }

    /// Further fields of the record of an object, below FileVersion 4.
    fn old(&self, owner: Owner) -> Option<&OldRecord> {
        match owner {
            Owner::Object(index) => self.old.get(index as usize),
            Owner::Manager(_) => None,
        }
    }

    /// Stored bytes of a chunk, as a part of plain Data.
    fn part(&self, owner: Owner) -> PlainSpan {
        match owner {
            Owner::Manager(index) => self.managers.get(index as usize).map(|manager| manager.chunk),
            Owner::Object(index) => self.objects.get(index as usize).map(|record| record.chunk),
        }
        .unwrap_or(PlainSpan { at: 0, len: 0 })
    }

    /// Place of the plain bytes of a chunk, in a Data section that lies at `at`.
    pub fn chunk_at(&self, owner: Owner, at: Span) -> Span {
        match self.old(owner) {
            Some(old) => old.data.plain_at(),
            None => {
                let part = self.part(owner);
                at.part(part.at.into(), part.len.into())
            }
        }
    }

    /// Puts another chunk in the place of the one that an owner has. Places stay those of the opened file.
    ///
    /// # Errors
    /// When there is no such owner; when an object below FileVersion 4, whose class lies with its data, would
    /// lose them.
    pub(super) fn set_chunk(
        &mut self,
        owner: Owner,
        chunk: Bytes,
        budget: &mut Budget,
    ) -> Result<()> {
        let count = match owner {
            Owner::Manager(index) => (index, self.managers.len()),
            Owner::Object(index) => (index, self.objects.len()),
        };
        if count.0 as usize >= count.1 {
            return Err(Error::new(&spelunk_core::codes::NOT_FOUND));
        }
        match owner {
            Owner::Object(index) if self.version < 4 => {
                let old = self.old.get_mut(index as usize);
                old.map_or(Ok(()), |old| old.set_plain(chunk, budget))
            }
            _ => {
                budget.memory(chunk.len().saturating_add(EDIT) as u64)?;
                if let Some(old) = self.edits.insert(owner, chunk) {
                    budget.release(old.len().saturating_add(EDIT) as u64);
                }
                Ok(())
            }
        }
    }

    /// Bytes of memory that a copy takes, beside what it shares.
    pub(super) fn copied_len(&self) -> u64 {
        let managers = self.managers.len().saturating_mul(size_of::<Manager>());
        let objects = self.objects.len().saturating_mul(size_of::<ObjectRecord>());
        let old = self.old.len().saturating_mul(size_of::<OldRecord>());
        let edits = self.edits.len().saturating_mul(EDIT);
        let lists = managers.saturating_add(objects).saturating_add(old);
        lists.saturating_add(edits) as u64
    }

    /// Bytes of memory that other chunks than those of the opened file take.
    pub(super) fn edits_len(&self) -> u64 {
        let chunks = self.edits.values().map(|chunk| chunk.len().saturating_add(EDIT));
        chunks.fold(0, usize::saturating_add) as u64
    }

    /// Takes all managers away; returns how many there were.
    pub(super) fn remove_managers(&mut self) -> usize {
        self.edits.retain(|owner, _| matches!(owner, Owner::Object(_)));
        std::mem::take(&mut self.managers).len()
    }

    /// Makes these the records of another FileVersion that has the same ones.
    pub(super) fn renumber(&mut self, version: u32) {
        self.version = version;
    }

    /// Makes these the records of another FileVersion, with what records below FileVersion 4 hold, and the chunks
    /// that are other ones there.
    pub(super) fn set_version(
        &mut self,
        version: u32,
        old: Vec<OldRecord>,
        chunks: Vec<(Owner, Bytes)>,
    ) {
        self.version = version;
        self.old = old;
        self.edits.extend(chunks);
    }

    /// Bytes of a record before its chunk.
    pub(super) fn head_len(&self, index: u32) -> u32 {
        match self.version {
            0..=3 => {
                let data = self.old.get(index as usize).is_some_and(OldRecord::has_data);
                if data { 20 } else { 8 }
            }
            4..=6 => 8,
            _ => 4,
        }
    }

    /// Offset of a record in plain Data.
    fn start(&self, index: u32) -> u32 {
        self.part(Owner::Object(index)).at.saturating_sub(self.head_len(index))
    }

    /// Offset of the size dword of a record in plain Data, which FileIndex refers to.
    pub(super) fn size_at(&self, index: u32) -> u32 {
        self.part(Owner::Object(index)).at.saturating_sub(4)
    }

    /// The id that a record below FileVersion 7 holds.
    pub(super) fn id(&self, index: u32) -> Option<i32> {
        let start = self.start(index) as usize;
        let (head, _) = IdRecordHead::ref_from_prefix(self.plain.get(start..)?).ok()?;
        (self.version < 7 && self.has_object(index)).then(|| head.id.get())
    }

    /// Place of the record of an object, in a Data section that lies at `at`.
    pub fn object_span(&self, index: u32, at: Span) -> Span {
        let start = u64::from(self.start(index));
        at.part(start, self.part(Owner::Object(index)).end().saturating_sub(start))
    }

    /// Place of `rest`, in a Data section that lies at `at`.
    pub fn rest_at(&self, at: Span) -> Span {
        at.part(self.rest.at.into(), self.rest.len.into())
    }

    /// Ends the section where its records do, since nothing gives its size; returns what follows.
    pub(super) fn cut_rest(&mut self) -> u64 {
        let end = self.rest.at;
        if self.fault.is_none() {
            self.plain = PlainSpan { at: 0, len: end }.bytes(&self.plain);
            self.rest.len = 0;
        }
        self.plain.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{part::SectionContent, table::ObjectTable},
        *,
    };
    use spelunk_core::limits::Limits;
    use spelunk_fixtures::samples;

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
            let (prefix, table) = (records.prefix, &ObjectTable::default());
            DataLayout { prefix, table, records: &records }.lay_out(&mut out);
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
