//! Descriptions of the chunks of a map, as data: the reader, the writer, listings, edits and rules take them from here.

use spelunk_core::{Described, Record};
use zerocopy::FromZeros;

/// A record of a list.
pub(super) trait Row: Described + Copy + PartialEq {
    /// Returns a row with the values of the fields that older layouts leave out.
    fn filling() -> Self {
        <Self as FromZeros>::new_zeroed()
    }
}

/// The part before the records of a list, which decides how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountPrefix {
    /// Nothing: as many as fit into the chunk.
    None,
    /// Nothing: always this many.
    Fixed(usize),
    /// The number of records as one byte.
    Byte,
    /// The number of records as i32.
    Long,
    /// The number of records as one byte; what follows belongs to them in equal shares, which start with the fields of the
    /// record. So the dialect `spec` has them.
    ByteShares,
    /// The same with their number as u32.
    LongShares,
}

impl CountPrefix {
    /// Returns the size in bytes.
    pub const fn len(self) -> usize {
        match self {
            CountPrefix::None | CountPrefix::Fixed(_) => 0,
            CountPrefix::Byte | CountPrefix::ByteShares => 1,
            CountPrefix::Long | CountPrefix::LongShares => 4,
        }
    }

    /// Whether nothing stands before the records.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The number of records that is stated; `None` where there is none, or it is cut short.
    pub fn count(self, plain: &[u8]) -> Option<i64> {
        match self {
            CountPrefix::None => None,
            CountPrefix::Fixed(count) => i64::try_from(count).ok(),
            CountPrefix::Byte | CountPrefix::ByteShares => {
                plain.first().map(|count| i64::from(*count))
            }
            CountPrefix::Long => {
                plain.first_chunk().map(|count| i64::from(i32::from_le_bytes(*count)))
            }
            CountPrefix::LongShares => {
                plain.first_chunk().map(|count| i64::from(u32::from_le_bytes(*count)))
            }
        }
    }

    /// The stored form of this number of records; `None` for more than can be counted.
    pub fn encode(self, count: usize) -> Option<Vec<u8>> {
        Some(match self {
            CountPrefix::None | CountPrefix::Fixed(_) => Vec::new(),
            CountPrefix::Byte | CountPrefix::ByteShares => vec![u8::try_from(count).ok()?],
            CountPrefix::Long => i32::try_from(count).ok()?.to_le_bytes().into(),
            CountPrefix::LongShares => u32::try_from(count).ok()?.to_le_bytes().into(),
        })
    }

    /// Whether records are equal shares of what follows their number, and may so be longer than their fields.
    pub const fn is_shared(self) -> bool {
        matches!(self, CountPrefix::ByteShares | CountPrefix::LongShares)
    }

    /// Bytes of a record in the plain data of a chunk: those of its fields, or its share.
    pub fn record_size(self, row: &Record, plain: &[u8]) -> usize {
        let count = self.count(plain).filter(|_| self.is_shared());
        let count = count.and_then(|count| usize::try_from(count).ok());
        let room = plain.len().saturating_sub(self.len());
        count.and_then(|count| room.checked_div(count)).unwrap_or(row.size as usize)
    }

    /// Whether the records can be read: a share holds its fields at least.
    pub fn fits(self, row: &Record, plain: &[u8]) -> bool {
        let is_counted = self.count(plain).is_some();
        !self.is_shared() || (is_counted && self.record_size(row, plain) >= row.size as usize)
    }
}

/// The layout of records in some data types.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RecordLayout {
    from: i16,
    to: i16,
    /// The record.
    pub row: &'static Record,
}

impl RecordLayout {
    pub(super) const fn only(data_type: i16, row: &'static Record) -> RecordLayout {
        RecordLayout { from: data_type, to: data_type, row }
    }

    /// The layout whatever the data type.
    pub(crate) const fn any(row: &'static Record) -> RecordLayout {
        RecordLayout { from: i16::MIN, to: i16::MAX, row }
    }

    pub(super) const fn between(from: i16, to: i16, row: &'static Record) -> RecordLayout {
        RecordLayout { from, to, row }
    }
}

/// Form of the plain data of a chunk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SectionForm {
    /// The size and the tiles of the map.
    Tiles,
    /// The groups of decoration of 1024 by 1024 cells.
    Decoration,
    /// Teams and minimap.
    Teams,
    /// Width, height, and an elevation for each cell, as the dialect `spec` has them.
    Heights,
    /// Records, whose layouts are listed from the newest to the oldest.
    Rows(CountPrefix, &'static [RecordLayout]),
}

/// Description of the chunks of one id.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Section {
    /// The id.
    pub id: i16,
    /// Name in paths.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// The data type that the community's editor writes.
    pub data_type: i16,
    /// Form of the plain data.
    pub shape: SectionForm,
}

impl Section {
    /// The records of this data type and what stands before them; `None` where there are none, or the layout is not known.
    pub fn rows(&self, data_type: i16) -> Option<(CountPrefix, &'static Record)> {
        let SectionForm::Rows(head, layouts) = self.shape else { return None };
        let layout = layouts.iter().find(|layout| (layout.from..=layout.to).contains(&data_type));
        layout.map(|layout| (head, layout.row))
    }
}

/// The record with its first fields alone, as older data types have it.
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "const evaluation")]
pub(super) const fn first_fields(record: &'static Record, count: usize) -> Record {
    let (fields, _) = record.fields.split_at(count);
    let last = fields[count - 1];
    Record { size: last.offset + last.size, fields, ..*record }
}
