//! The records of maps as entries, `units[3]` or `12[3]`, and what else their chunks hold.

use super::{
    chunk::{Chunk, DATA, Data, not_found},
    chunks::Chunks,
    detect::Kind,
    item::ChunkFileNode,
};
use crate::{
    bytes::tolerate,
    fields::fields,
    map::{self, CountPrefix, DECORATION_SIDE, Records, Section, SectionForm, TilesHead},
    spec,
};
use spelunk_core::{
    Bytes, Described, Entry, Field, Group, Record, Result, Span, Task, Ty, Val, Walk, Walked,
    container::Each, field::Role, source::part,
};

fields! {
    RECORD: "record" U32 "Position of the record in its chunk, from 0 on.";
    BYTE_COUNT: "count" U8 "Number of records.";
    LONG_COUNT: "count" I32 "Number of records.";
    LAYER_COUNT: "count" U8 "Number of textures, said to be 255 always.";
    SHARE_COUNT: "count" U32 "Number of entities.";
    REST: "rest" Bytes "The rest of a record behind the fields that are described." "bytes";
    REMAINDER: "remainder" Bytes "Bytes behind the last whole record. They are damage, and kept." "bytes";
    HEAD: "head" Bytes "A count that is cut short." "bytes";
}

static RECORDS: Record = Record::group(
    "rows",
    "docs/formats/map.md",
    "The records of a chunk, in the order of the file.",
);
static TILES: Record =
    Record::group("tiles", "docs/formats/map.md#2-ground", "The tiles of the map, row by row.");
static TILE_ROW: Field =
    Field::new("tiles", Ty::Bytes, "The tiles of a row, by x.").role(Role::Understood);
static COLUMNS: Record = Record::group(
    "columns",
    "docs/formats/map.md#4-decoration",
    "The groups of decoration, column by column.",
);
static COLUMN: Field =
    Field::new("groups", Ty::Bytes, "The groups of decoration of a column, by y.")
        .role(Role::Understood);

/// The records of a chunk.
pub(super) struct ChunkRecords<'f> {
    pub(super) record: &'static Record,
    pub(super) head: CountPrefix,
    pub(super) start: usize,
    pub(super) count: usize,
    /// Bytes of each.
    pub(super) size: usize,
    pub(super) plain: &'f Bytes,
    at: Span,
}

impl<'f> ChunkRecords<'f> {
    /// Returns the range of a record in the plain data.
    pub(super) fn range(&self, nth: usize) -> Option<std::ops::Range<usize>> {
        let start = nth.checked_mul(self.size)?.checked_add(self.start)?;
        (nth < self.count).then_some(start..start.checked_add(self.size)?)
    }

    fn row(&self, nth: usize) -> Result<(&'f [u8], Span)> {
        let range = self.range(nth).ok_or_else(not_found)?;
        let at = self.at.part(range.start as u64, range.len() as u64);
        Ok((self.plain.get(range).unwrap_or_default(), at))
    }
}

impl Chunks {
    /// The section that explains a chunk of a map: its id and its data type are known.
    pub(super) fn section(&self, chunk: &Chunk) -> Option<&'static Section> {
        self.kind.section(chunk.id()).filter(|section| section.knows(chunk.data_type()))
    }

    /// Returns the part before the records of a chunk of a map, and their description; `None` where there are none.
    pub(super) fn record_of(&self, chunk: &Chunk) -> Option<(CountPrefix, &'static Record)> {
        self.section(chunk)?.rows(chunk.data_type())
    }

    /// Whether the records of a chunk are entries below it. Those of heights and the like are too many, and each is nothing
    /// but a number.
    pub(super) fn has_entries(&self, chunk: &Chunk) -> bool {
        let is_entry =
            |(head, record): (CountPrefix, &Record)| head.is_shared() || record.fields.len() > 1;
        self.record_of(chunk).is_some_and(is_entry)
    }

    /// Whether the file is a map of SpellForce 1.
    pub fn is_map(&self) -> bool {
        self.kind == Kind::Map
    }

    /// The map, read; `None` where the file is no map of SpellForce 1.
    ///
    /// # Errors
    /// Those of [`map::Map::read`].
    pub fn map(&self, task: &mut Task<'_>) -> Result<Option<map::Map>> {
        match self.kind {
            Kind::Map => map::Map::read(&self.file, task).map(Some),
            _ => Ok(None),
        }
    }

    /// The records of a chunk.
    pub(super) fn listed(&self, n: u32, task: &mut Task<'_>) -> Result<ChunkRecords<'_>> {
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        let (head, record) = self.record_of(chunk).ok_or_else(not_found)?;
        let plain = self.file.plain(n, &mut task.budget)?;
        let at = self.file.section(n, &mut task.budget)?.plain_at();
        let Records { start, count, size, .. } = Records::of(head, record, plain, at);
        Ok(ChunkRecords { record, head, start, count, size, plain, at })
    }

    /// Hands out a record.
    pub(super) fn give_record(
        &self,
        n: u32,
        nth: usize,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let listed = self.listed(n, task)?;
        task.budget.steps(1)?;
        let (bytes, at) = listed.row(nth)?;
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        let details = |_: &mut Task<'_>, walk: &mut dyn Walk| -> Walked {
            walk.field(&RECORD, None, nth.into())?;
            walk_row(listed.record, bytes, at, walk)
        };
        each(
            &Entry {
                node: ChunkFileNode::Row(n, nth as u32).node(),
                path: &format!("{}[{nth}]", self.file.path(chunk)),
                kind: listed.record.name,
                name: None,
                label: None,
                size: bytes.len() as u64,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    /// Hands out the records of a chunk that are entries.
    pub(super) fn give_records(&self, n: u32, task: &mut Task<'_>, each: Each<'_>) -> Walked {
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        if !self.has_entries(chunk) || chunk.is_damaged() {
            return Ok(());
        }
        let count = match self.listed(n, task) {
            Ok(listed) => listed.count,
            Err(error) if self.kind == Kind::Map => return Err(error.into()),
            Err(error) => tolerate(error, task).map(|()| 0)?,
        };
        (0..count).try_for_each(|nth| self.give_record(n, nth, task, each))
    }

    /// The bytes of a record.
    pub(super) fn record_bytes(&self, n: u32, nth: usize, task: &mut Task<'_>) -> Result<Bytes> {
        let listed = self.listed(n, task)?;
        let range = listed.range(nth).ok_or_else(not_found)?;
        part(listed.plain, range.start as u64..range.end as u64).ok_or_else(not_found)
    }

    /// Walks a record.
    pub(super) fn walk_record(
        &self,
        n: u32,
        nth: usize,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let listed = self.listed(n, task)?;
        let (bytes, at) = listed.row(nth)?;
        walk_row(listed.record, bytes, at, walk)
    }
}

/// Walks the plain data of a chunk of a map that has this data type.
pub(super) fn walk_section(
    section: &Section,
    data_type: i16,
    data: Data<'_>,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    match section.shape {
        SectionForm::Tiles => walk_tiles(data, walk),
        SectionForm::Heights => spec::walk_heights(data, task, walk),
        SectionForm::Decoration => {
            let side = DECORATION_SIDE.saturating_mul(DECORATION_SIDE);
            if data.plain.len() == side {
                walk_lines("columns", &COLUMNS, &COLUMN, DECORATION_SIDE, data, walk)
            } else {
                data.walk(walk)
            }
        }
        SectionForm::Teams => map::walk_teams(data.plain, data.at, data_type, task, walk),
        SectionForm::Rows(..) => match section.rows(data_type) {
            Some((head, record)) => walk_records(head, record, data, task, walk),
            None => data.walk(walk),
        },
    }
}

fn walk_tiles(data: Data<'_>, walk: &mut dyn Walk) -> Walked {
    let Some((head, tiles)) = data.plain.split_at_checked(size_of::<TilesHead>()) else {
        return data.walk(walk);
    };
    let at = data.at.part(0, head.len() as u64);
    TilesHead::RECORD.walk(head, at, walk)?;
    let at = data.at.part(head.len() as u64, tiles.len() as u64);
    let data = Data { plain: tiles, at, ..data };
    let size = head.first_chunk().map_or(0, |size| i16::from_le_bytes(*size));
    let side = usize::try_from(size).unwrap_or_default();
    match side.saturating_mul(side) == tiles.len() && side > 0 {
        true => walk_lines("tiles", &TILES, &TILE_ROW, side, data, walk),
        false if tiles.is_empty() => Ok(()),
        false => data.walk(walk),
    }
}

/// Walks bytes as lines of one length.
fn walk_lines(
    name: &'static str,
    record: &'static Record,
    field: &'static Field,
    len: usize,
    Data { plain, at, .. }: Data<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    walk.group(&Group::list(name, record, Some(at)), |walk| {
        let mut start = 0_u64;
        for line in plain.chunks(len.max(1)) {
            let at = at.part(start, line.len() as u64);
            walk.field(field, Some(at), Val::Bytes(line.into()))?;
            start = start.saturating_add(line.len() as u64);
        }
        Ok(())
    })
}

/// Walks a record: its fields, and what follows them.
fn walk_row(record: &'static Record, row: &[u8], at: Span, walk: &mut dyn Walk) -> Walked {
    record.walk(row, at, walk)?;
    match row.get(record.size as usize..).filter(|rest| !rest.is_empty()) {
        Some(rest) => {
            let at = at.part(record.size.into(), rest.len() as u64);
            walk.field(&REST, Some(at), Val::Bytes(rest.into()))
        }
        None => Ok(()),
    }
}

pub(super) fn walk_records(
    head: CountPrefix,
    record: &'static Record,
    Data { plain, at, .. }: Data<'_>,
    task: &mut Task<'_>,
    walk: &mut dyn Walk,
) -> Walked {
    if !head.fits(record, plain) {
        return walk.field(&DATA, Some(at), Val::Bytes(plain.into()));
    }
    let Records { start, count, size, .. } = Records::of(head, record, plain, at);
    let place = at.part(0, start as u64);
    match head {
        CountPrefix::None | CountPrefix::Fixed(_) => {}
        _ if start < head.len() => {
            let bytes = plain.get(..start).unwrap_or_default();
            if start > 0 {
                walk.field(&HEAD, Some(place), Val::Bytes(bytes.into()))?;
            }
        }
        CountPrefix::Byte => walk.field(&BYTE_COUNT, Some(place), Ty::U8.decode(plain))?,
        CountPrefix::ByteShares => walk.field(&LAYER_COUNT, Some(place), Ty::U8.decode(plain))?,
        CountPrefix::Long => walk.field(&LONG_COUNT, Some(place), Ty::I32.decode(plain))?,
        CountPrefix::LongShares => walk.field(&SHARE_COUNT, Some(place), Ty::U32.decode(plain))?,
    }
    let len = count.saturating_mul(size);
    let all = at.part(start as u64, len as u64);
    walk.group(&Group::list("rows", &RECORDS, Some(all)), |walk| {
        let rows = plain.get(start..).unwrap_or_default().chunks_exact(size).take(count);
        for (nth, row) in rows.enumerate() {
            task.budget.steps(1)?;
            let at = all.part((nth as u64).saturating_mul(size as u64), size as u64);
            match record.fields {
                // A number has no record of its own.
                [slot] if !head.is_shared() && !matches!(slot.field.ty, Ty::Array(..)) => {
                    walk.field(&slot.field, Some(at), slot.field.ty.decode(row))?;
                }
                _ => walk.group(&Group::item(nth, record, Some(at)), |walk| {
                    walk_row(record, row, at, walk)
                })?,
            }
        }
        Ok(())
    })?;
    let end = start.saturating_add(len);
    let rest = plain.get(end..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(());
    }
    let at = at.part(end as u64, rest.len() as u64);
    walk.field(&REMAINDER, Some(at), Val::Bytes(rest.into()))
}
