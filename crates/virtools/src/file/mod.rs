//! A file as a model: headers, Header1, Data, tail, in the order of the bytes.
//!
//! One reader for each generation of files fills this model, and one writer lays it out again. FileVersion
//! 8 and 9 have a reader so far; the one of FileVersion 9 is that of 8, which only files made for tests
//! have confirmed.

pub mod checksum;
pub mod data;
pub mod header;
pub mod included;
pub mod part;
pub mod table;
mod verify;
mod write;

use crate::codes;
use checksum::Checksum;
use data::Records;
use header::Head;
use included::Tail;
use spelunk_core::{
    Budget, Bytes, Class, Code, Error, Field, Result, ResultExt, Section, Seg, Source, Span, Task,
    Walk, Walked, place::Space,
};
use std::{ops::Range, sync::OnceLock};
use table::Table;

/// The space of inflated Header1.
pub const HEADER1: Space = Space::section("header1");

/// The space of the inflated Data section.
pub const DATA: Space = Space::section("data");

/// An opened file.
///
/// Opening reads the headers, Header1 and the tail. The Data section is inflated when a record is asked
/// for.
#[derive(Debug)]
pub struct File {
    head: Head,
    checksum: Checksum,
    header1: Section,
    table: Table,
    data: Section,
    /// Bytes of the Data section that the file is too short for.
    missing: u64,
    tail: Tail,
    records: OnceLock<Records>,
    /// Why the Data section cannot be inflated, once that is known.
    unreadable: OnceLock<&'static Code>,
    by_class: OnceLock<Vec<u32>>,
}

impl File {
    /// Opens a file.
    ///
    /// Damage that leaves the object table readable goes to the sink: a wrong checksum, a file that ends
    /// inside the Data section, damaged plugin dependencies or included files.
    ///
    /// # Errors
    /// Those of [`Head::read`]; [`codes::HEADER1_SHORT`]; damage of Header1 or of the object table;
    /// limits; reading errors; what the sink makes of a finding.
    pub fn open(source: &dyn Source, task: &mut Task<'_>) -> Result<File> {
        let start = source.read(0..source.len().min(Head::LEN), &mut task.budget)?;
        let head = Head::read(&start)?;
        head.check(task)?;
        File::open_current(source, head, task)
    }

    /// The reader of FileVersion 8 and 9.
    fn open_current(source: &dyn Source, head: Head, task: &mut Task<'_>) -> Result<File> {
        let len = source.len();
        let header1_at = head.header1_range();
        if header1_at.end > len {
            let found = len.saturating_sub(Head::LEN);
            return Err(Error::new(&codes::HEADER1_SHORT)
                .at(Span::file(Head::LEN, found))
                .field("hdr1_pack_size")
                .expected(format!("{} bytes", head.part0.hdr1_pack_size))
                .found(format!("{found} bytes")));
        }
        let declared = head.data_range();
        let data_at = declared.start..declared.end.min(len);
        let tail_at = data_at.end..len;
        source.prefetch(&[header1_at.clone(), data_at.clone(), tail_at.clone()]);
        let missing = declared.end.saturating_sub(data_at.end);
        let stored = source.read(header1_at.clone(), &mut task.budget)?;
        let data = source.read(data_at.clone(), &mut task.budget)?;
        let checksum = Checksum::check(&head, &stored, &data, task)?;
        if missing > 0 {
            task.error(
                Error::new(&codes::DATA_SHORT)
                    .at(span(&data_at))
                    .field("data_pack_size")
                    .expected(format!("{} bytes", head.part1.data_pack_size))
                    .found(format!("{} bytes", data.len())),
            )?;
        }
        let header1 = if head.header1_packed() {
            let plain_len = head.part1.hdr1_unpack_size.get().into();
            Section::zlib(span(&header1_at), stored, HEADER1, plain_len)
        } else {
            Section::stored(span(&header1_at), stored)
        };
        let plain = header1.plain(&mut task.budget).field("header1")?;
        let table = Table::read(plain, header1.plain_at(), &head, task)?;
        check_ids(&head, &table, header1.plain_at(), task)?;
        let data = data_section(&head, span(&data_at), data, task)?;
        let tail_bytes = source.read(tail_at.clone(), &mut task.budget)?;
        let tail = Tail::read(&tail_bytes, span(&tail_at), table.included_count(), task)?;
        Ok(File {
            head,
            checksum,
            header1,
            table,
            data,
            missing,
            tail,
            records: OnceLock::new(),
            unreadable: OnceLock::new(),
            by_class: OnceLock::new(),
        })
    }

    /// The headers as stored.
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// The checksum and its recipe.
    pub const fn checksum(&self) -> &Checksum {
        &self.checksum
    }

    /// The section that holds the tables.
    pub const fn header1(&self) -> &Section {
        &self.header1
    }

    /// The content of Header1.
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The section that holds the records.
    pub const fn data(&self) -> &Section {
        &self.data
    }

    /// What follows the Data section.
    pub const fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Size of the file in bytes.
    pub const fn size(&self) -> u64 {
        self.tail.at.end()
    }

    /// The content of the Data section, inflated and read now if it was not before.
    ///
    /// # Errors
    /// When the section cannot be inflated; limits. A damaged record is no error here, see
    /// [`Records::fault`].
    pub fn records(&self, budget: &mut Budget) -> Result<&Records> {
        if let Some(records) = self.records.get() {
            return Ok(records);
        }
        let plain = self.plain_data(budget)?;
        let records = Records::read(plain, self.data.plain_at(), &self.head, budget)?;
        Ok(self.records.get_or_init(|| records))
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

    /// Positions of the objects, sorted by class id and then by position.
    ///
    /// # Errors
    /// Limits.
    pub fn by_class(&self, budget: &mut Budget) -> Result<&[u32]> {
        if let Some(order) = self.by_class.get() {
            return Ok(order);
        }
        let objects = &self.table.objects;
        let count = objects.len() as u64;
        budget.steps(count.saturating_mul(2))?;
        let mut keys = budget.vec::<(u32, u32)>(count)?;
        keys.extend(objects.iter().zip(0_u32..).map(|(object, index)| (object.class_id, index)));
        keys.sort_unstable();
        let mut order = budget.vec(count)?;
        order.extend(keys.iter().map(|(_, index)| *index));
        budget.release(count.saturating_mul(8));
        Ok(self.by_class.get_or_init(|| order))
    }
}

/// A range of the file as a place.
fn span(range: &Range<u64>) -> Span {
    Span::file(range.start, range.end.saturating_sub(range.start))
}

/// The Data section: packed if the write mode says so, unless both sizes are equal and the bytes do not
/// inflate. Then a program stored what did not shrink and left the mode as it was.
fn data_section(head: &Head, at: Span, bytes: Bytes, task: &mut Task<'_>) -> Result<Section> {
    let plain_len = u64::from(head.part1.data_unpack_size.get());
    let equal = head.part1.data_pack_size == head.part1.data_unpack_size;
    if head.data_packed() {
        let packed = Section::zlib(at, bytes.clone(), DATA, plain_len);
        if !equal {
            return Ok(packed);
        }
        match packed.plain(&mut task.budget) {
            Ok(_) => return Ok(packed),
            Err(error) if error.code().class == Class::Malformed => {
                task.note(Error::new(&codes::STORED_DATA).at(at))?;
            }
            Err(error) => return Err(error),
        }
    } else if !equal {
        task.warn(
            Error::new(&codes::UNPACKED_SIZE)
                .at(Span::file(36, 4))
                .field("data_unpack_size")
                .expected(head.part1.data_pack_size.get())
                .found(plain_len),
        )?;
    }
    Ok(Section::stored(at, bytes))
}

/// Reports reference-only entries, and a MaxIDSaved that is not the largest id.
fn check_ids(head: &Head, table: &Table, at: Span, task: &mut Task<'_>) -> Result<()> {
    let mut largest = 0;
    let mut references = false;
    for (index, object) in table.objects.iter().enumerate() {
        largest = largest.max(object.id);
        if object.is_reference() {
            references = true;
            let error = Error::new(&codes::REFERENCE_ONLY).at(object.span(at).part(0, 4));
            task.note(in_item(error.found(object.id), "object", index))?;
        }
    }
    let (stored, largest) = (head.part1.max_id.get(), largest.unsigned_abs());
    // Programs disagree on what a reference-only entry counts as.
    if stored == largest || (references && stored > largest) {
        return Ok(());
    }
    task.warn(
        Error::new(&codes::MAX_ID)
            .at(Span::file(48, 4))
            .field("max_id")
            .expected(largest)
            .found(stored),
    )
}

/// Turns damage into a finding; limits and reading errors stay errors.
fn tolerate<T>(result: Result<T>, task: &mut Task<'_>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code().class == Class::Malformed => task.error(error).map(|()| None),
        Err(error) => Err(error),
    }
}

/// Adds `name[index]` to the path of an error.
fn in_item(error: Error, name: &'static str, index: usize) -> Error {
    error.within(Seg::Index(index as u64)).field(name)
}

/// Walks a field that takes all of `bytes`, which start where `at` does.
pub(crate) fn leaf(field: &'static Field, at: Span, bytes: &[u8], walk: &mut dyn Walk) -> Walked {
    walk.field(field, Some(Span { len: bytes.len() as u64, ..at }), field.ty.decode(bytes))
}
