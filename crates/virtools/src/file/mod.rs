//! A file as a model: headers, Header1, Data, tail, in the order of the bytes.
//!
//! One reader for each generation of files fills this model, and one writer lays it out again. Only files of
//! FileVersion 8 are real ones; the readers of the others were tried on files made for tests.

pub(crate) mod below;
mod blocks;
pub mod checksum;
mod convert;
pub mod data;
mod edit;
mod fault;
pub(crate) mod fits;
pub(crate) mod form;
mod getting;
pub mod header;
mod headers;
pub mod included;
mod loading;
pub(crate) mod new;
pub mod objects;
mod old_table;
mod open;
mod owner;
pub mod part;
pub mod plugins;
mod reference;
mod store;
pub mod table;
pub(crate) mod value;
mod verify;
mod write;

use crate::{chunk::Chunk, class::Value, codec::Saved, codes};
use checksum::Checksum;
use data::Records;
use fault::{Fault, SectionDamage};
use header::Head;
use included::Tail;
use owner::Owner;
pub(crate) use part::leaf;
use spelunk_core::{Budget, Bytes, Class, Code, Error, Result, Section, Span, Task, place::Space};
use std::sync::{Arc, OnceLock};
use store::Store;
use table::ObjectTable;

/// The space of inflated Header1.
pub const HEADER1: Space = Space::section("header1");

/// The space of the inflated Data section.
pub const DATA: Space = Space::section("data");

/// An opened file.
///
/// Opening reads the headers, the object table and the tail. From FileVersion 7 on the Data section is inflated
/// when a record is asked for; older files have no table but in their records.
#[derive(Clone, Debug)]
pub struct File {
    head: Head,
    checksum: Checksum,
    header1: Section,
    table: ObjectTable,
    data: Section,
    /// Bytes of the Data section that the file is too short for.
    missing: u64,
    tail: Tail,
    agreed: Agreed,
    store: Store,
    records: OnceLock<Records>,
    /// Why the Data section cannot be inflated, once that is known.
    unreadable: OnceLock<&'static Code>,
    /// Damage of Header1, of which the entries before it are read.
    header1_damage: Option<Fault>,
    by_class: OnceLock<Vec<u32>>,
    /// What managers that have names for their numbers saved, once it was asked for, and the memory that is charged for it.
    naming: OnceLock<(Arc<[Saved<Value>]>, u64)>,
    /// Whether every id with bit 23 is one of an entry that is only referred to.
    by_bit_23: bool,
    /// Memory that is charged for what batches of changes made of it.
    pub(crate) held: u64,
}

/// Stored words that agreed with the content when the file was opened. Those are made anew when it is written; the others stay as
/// they were.
#[derive(Clone, Copy, Debug)]
struct Agreed {
    /// MaxIDSaved of Part1 was the largest id.
    max_id: bool,
    /// SaveIDMax before the records was.
    save_id_max: bool,
    /// ObjectCount of Part1 was the number of objects.
    object_count: bool,
    /// DataUnPackSize was the size of plain Data.
    data_plain_len: bool,
    /// FileIndex of every object is made anew, whatever it was. Not so in an opened file, where each one is
    /// compared with the place of its object.
    file_index: bool,
}

impl Agreed {
    /// All of them.
    const ALL: Agreed = Agreed {
        max_id: true,
        save_id_max: true,
        object_count: true,
        data_plain_len: true,
        file_index: true,
    };
}

impl File {
    /// Bytes of memory that a copy of the model takes, beside what it shares.
    pub(crate) fn copied_len(&self) -> u64 {
        let records = self.records.get().map_or(0, Records::copied_len);
        let objects = self.table.objects.len().saturating_mul(size_of::<table::Object>()) as u64;
        objects.saturating_add(records).saturating_add(self.by_class_len())
    }

    /// Bytes of memory that the order of the objects by class takes, where it was asked for.
    pub(crate) fn by_class_len(&self) -> u64 {
        let order = self.by_class.get().map_or(0, Vec::len);
        order.saturating_mul(size_of::<u32>()) as u64
    }

    /// Bytes of memory that are charged for what managers call their numbers, where that was asked for.
    pub(crate) fn naming_len(&self) -> u64 {
        self.naming.get().map_or(0, |(_, held)| *held)
    }

    /// Bytes of memory that changes hold: chunks and names. Below FileVersion 4, where records are packed one by one, what
    /// was taken for them.
    pub(crate) fn edits_len(&self, taken: u64) -> u64 {
        if self.head.version() < 4 {
            return taken;
        }
        let chunks = self.records.get().map_or(0, Records::edits_len);
        let names = self.table.plain().len() as u64;
        let is_own = names > self.header1.plain_len();
        chunks.saturating_add(if is_own { names } else { 0 })
    }

    /// The headers as stored.
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// The checksum and its recipe.
    pub const fn checksum(&self) -> &Checksum {
        &self.checksum
    }

    /// The section that holds the tables; without bytes below FileVersion 7.
    pub const fn header1(&self) -> &Section {
        &self.header1
    }

    /// The objects, and what else Header1 holds. Below FileVersion 7, where there is no table, they are those
    /// of the records.
    pub const fn table(&self) -> &ObjectTable {
        &self.table
    }

    /// The section that holds the records.
    pub const fn data(&self) -> &Section {
        &self.data
    }

    /// Bytes behind the Data section.
    pub const fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Size of the file in bytes.
    pub const fn size(&self) -> u64 {
        self.tail.at.end()
    }

    /// The content of the Data section, inflated and read now if it was not before. Where the section cannot be
    /// inflated to its end, the records that are whole before its damage.
    ///
    /// # Errors
    /// Limits. Damage is no error here, see [`Records::fault`].
    #[inline]
    pub fn records(&self, budget: &mut Budget) -> Result<&Records> {
        match self.records.get() {
            Some(records) => Ok(records),
            None => self.read_now(budget),
        }
    }

    #[cold]
    fn read_now(&self, budget: &mut Budget) -> Result<&Records> {
        let mark = budget.mark();
        let (plain, unreadable) = match self.plain_data(budget) {
            Ok(plain) => (plain.clone(), None),
            Err(error) if error.code().class == Class::Malformed => {
                (self.data.plain_before_damage(budget)?, Some(error.code()))
            }
            Err(error) => return Err(error),
        };
        let mut records = Records::read(&plain, self.data.plain_at(), &self.head, budget)?;
        if self.header1_damage.is_some() && (unreadable.is_none() || plain.is_empty()) {
            // One damage is behind both where the file ends before Data.
            records.objects.truncate(self.table.objects.len());
            records.fault = self.header1_damage;
        } else if let Some(code) = unreadable {
            // Of a cut stream it is neither the declared size that is wrong nor the stream.
            let code = if self.missing > 0 { &codes::DATA_SHORT } else { code };
            let data_at = Head::LEN.saturating_add(self.header1.plain_len());
            if self.head.version() >= 7 {
                records.keep_whole(&self.table.objects, data_at);
            }
            records.fault = Some(Fault {
                kind: "data",
                index: records.objects.len() as u64,
                at: self.data.at(),
                size: None,
                section: Some(SectionDamage {
                    code,
                    declared: self.data.plain_len(),
                    readable: plain.len() as u64,
                    objects: self.head.object_count().into(),
                }),
            });
        }
        Ok(budget.keep(mark, &self.records, records))
    }

    /// Whether opening reported this damage.
    pub(crate) fn was_reported(&self, fault: &Fault) -> bool {
        match self.header1_damage {
            Some(damage) => damage.kind == fault.kind,
            None => fault.is_of_section() && (self.missing > 0 || !self.checksum.ok),
        }
    }

    /// Damage of Header1; `None` where it is sound. The objects whose entries are whole are there all the same, plugin
    /// dependencies and the stub are not.
    pub const fn header1_damage(&self) -> Option<Fault> {
        self.header1_damage
    }

    /// The content of the Data section, where it was read before.
    pub(crate) fn read_records(&self) -> Option<&Records> {
        self.records.get()
    }

    /// Inflates the Data section now, into a [spare buffer](Task::spare) where there is one. Damage is left to
    /// those who read it.
    ///
    /// # Errors
    /// Limits.
    pub fn inflate(&self, task: &mut Task<'_>) -> Result<()> {
        match self.data.inflate(task) {
            Err(error) if error.code().class == Class::Malformed => {
                self.unreadable.get_or_init(|| error.code());
                Ok(())
            }
            inflated => inflated,
        }
    }

    /// Ends the work on the file and gives its buffers to those to come ([`Task::spare`]).
    pub fn recycle(self, spare: &mut Vec<Vec<u8>>) {
        let File { header1, table, data, records, .. } = self;
        drop((table, records));
        // The one that is taken first is the one that is put back last: sections meet their own size again.
        data.recycle(spare);
        header1.recycle(spare);
    }

    /// Plain Data. That it cannot be inflated is found out once and then known.
    ///
    /// # Errors
    /// When the section cannot be inflated; limits.
    pub fn plain_data(&self, budget: &mut Budget) -> Result<&Bytes> {
        let unreadable = |code| {
            let stored = self.data.stored_bytes().len();
            Err(Error::new(code)
                .at(self.data.at())
                .field("data")
                .expected(format!("{} bytes when inflated", self.data.plain_len()))
                .found(format!("{stored} bytes that do not inflate to them")))
        };
        if let Some(code) = self.unreadable.get() {
            return unreadable(code);
        }
        match self.data.plain(budget) {
            Err(error) if error.code().class == Class::Malformed => {
                unreadable(self.unreadable.get_or_init(|| error.code()))
            }
            plain => plain,
        }
    }

    /// A view of the chunk of an object or a manager; `None` where it has none.
    ///
    /// # Errors
    /// When Data or the chunk cannot be read; limits.
    pub fn chunk(&self, owner: Owner, budget: &mut Budget) -> Result<Option<Chunk<'_>>> {
        self.records(budget)?.view(owner, self.data.plain_at(), budget)
    }

    /// Place of the entry of an object: in the object table, below FileVersion 7 the start of its record.
    pub fn object_at(&self, index: u32) -> Option<Span> {
        let object = self.table.objects.get(index as usize)?;
        if self.head.version() >= 7 {
            return Some(object.span(self.header1.plain_at()));
        }
        Some(self.records.get()?.object_span(index, self.data.plain_at()))
    }

    /// The largest id that an object had when it was saved, reference-only entries included.
    fn largest_id(&self) -> u32 {
        let all = || self.table.objects.iter().map(table::Object::saved_id).max().unwrap_or(0);
        self.table.largest_id.unwrap_or_else(all)
    }

    /// Positions of the objects, sorted by class id and then by position.
    ///
    /// # Errors
    /// Limits.
    pub fn by_class(&self, budget: &mut Budget) -> Result<&[u32]> {
        if let Some(order) = self.by_class.get() {
            return Ok(order);
        }
        let mark = budget.mark();
        let objects = &self.table.objects;
        let count = objects.len() as u64;
        budget.steps(count.saturating_mul(2))?;
        let mut keys = budget.vec::<(u32, u32)>(count)?;
        keys.extend(objects.iter().zip(0_u32..).map(|(object, index)| (object.class_id, index)));
        keys.sort_unstable();
        let mut order = budget.vec(count)?;
        order.extend(keys.iter().map(|(_, index)| *index));
        budget.release(count.saturating_mul(8));
        Ok(budget.keep(mark, &self.by_class, order).as_slice())
    }
}
