//! Editing maps: fields of records, records, and cells of the ground.

use super::{
    chunk::not_found,
    container::Chunks,
    draft::{Content, NewChunk},
    lists::List,
    rows::Item,
    write::USUAL_LEVEL,
};
use crate::{
    gamedata::codes,
    map::{self, DECORATION_SIDE, HEIGHTS, Head, Section, Shape, TilesHead},
};
use spelunk_core::{
    Bytes, Error, Node, Record, Result, Seg, Task, Ty, Val,
    field::{Field, Slot},
};
use std::ops::Range;

/// The place and the description of a field of a record, or of one value of a field of several: `weights[2]`.
fn place(record: &'static Record, path: &str) -> Option<(Range<usize>, &'static Slot)> {
    let (name, nth) = match path.strip_suffix(']') {
        Some(path) => {
            let (name, nth) = path.split_once('[')?;
            (name, Some(nth.parse::<usize>().ok()?))
        }
        None => (path, None),
    };
    let slot = record.fields.iter().find(|slot| slot.field.name == name)?;
    let (start, size) = (slot.offset as usize, slot.size as usize);
    let (start, size) = match (slot.field.ty, nth) {
        (Ty::Array(item, count), Some(nth)) if nth < count as usize => {
            let size = item.size()? as usize;
            (start.checked_add(nth.checked_mul(size)?)?, size)
        }
        (Ty::Array(..), None) | (_, Some(_)) => return None,
        (_, None) => (start, size),
    };
    Some((start..start.checked_add(size)?, slot))
}

/// The bytes of a value that people write.
fn encoded(field: &Field, value: &Val<'_>, size: usize) -> Result<Vec<u8>> {
    let bytes = field.encode(value).filter(|bytes| bytes.len() == size);
    bytes.ok_or_else(|| {
        let item = match field.ty {
            Ty::Array(item, _) => *item,
            ty => ty,
        };
        let error = Error::new(&codes::RANGE).expected(item.name());
        error.found(format!("`{value}`")).within(Seg::Field(field.name))
    })
}

/// Reads `12,40`.
fn cell(path: &str) -> Option<[usize; 2]> {
    let (x, y) = path.split_once(',')?;
    Some([x.trim().parse().ok()?, y.trim().parse().ok()?])
}

fn refused() -> Error {
    Error::new(&spelunk_core::codes::NO_SUCH_OPERATION)
}

fn no_field(path: &str) -> Error {
    Error::new(&codes::NO_FIELD).found(format!("`{path}`"))
}

static TILE: Field = Field::new("tile", Ty::U8, "The tile of a cell.");
static GROUP: Field = Field::new("group", Ty::U8, "The group of decoration of a cell.");

impl Chunks {
    /// The path of an entry of a map.
    pub(super) fn shown(&self, item: Item) -> String {
        let path = |n: u32| self.file.chunk(n).map(|chunk| self.file.path(chunk));
        match item {
            Item::Row(n, nth) => format!("{}[{nth}]", path(n).unwrap_or_default()),
            Item::Chunk(n) => path(n).unwrap_or_default(),
            Item::Id(id) => id.to_string(),
            Item::Group(..) | Item::File(_) | Item::Nested(_) => String::new(),
        }
    }

    /// The id of a chunk or of all chunks of one.
    fn id_of(&self, item: Item) -> Option<i16> {
        match item {
            Item::Id(id) => Some(id),
            Item::Chunk(n) => self.file.chunk(n).map(super::Chunk::id),
            Item::Row(..) | Item::Group(..) | Item::File(_) | Item::Nested(_) => None,
        }
    }

    /// Gives a chunk other plain data. A chunk that is to hold nothing goes, as the community's editor does it.
    fn change_plain(&mut self, chunk: u32, plain: Vec<u8>, task: &mut Task<'_>) -> Result<()> {
        let position = chunk as usize;
        self.become_draft(
            |draft| match plain.is_empty() {
                true => draft.remove(position),
                false => draft.set(position, plain.into()),
            },
            task,
        )
    }

    /// Puts a value into a field of a record, or into a cell of the ground.
    pub(super) fn set_in_map(
        &mut self,
        item: Item,
        path: &str,
        value: &Val<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        match item {
            Item::Row(chunk, nth) => {
                let mut records = self.records(chunk, task)?;
                let (range, slot) = place(records.record, path).ok_or_else(|| no_field(path))?;
                let bytes = encoded(&slot.field, value, range.len())?;
                let row = records.row_mut(nth as usize).and_then(|row| row.get_mut(range));
                row.ok_or_else(not_found)?.copy_from_slice(&bytes);
                let plain = records.finish()?;
                self.change_plain(chunk, plain, task)
            }
            Item::Id(_) | Item::Chunk(_) if self.id_of(item) == Some(HEIGHTS) => {
                let [x, y] = cell(path).ok_or_else(|| no_field(path))?;
                let rows = self.file.with_id(HEIGHTS).iter().copied();
                let of = |n: u32| self.file.chunk(n).map(super::Chunk::occurrence);
                let mut rows =
                    rows.filter(|n| of(*n).and_then(|of| usize::try_from(of).ok()) == Some(y));
                let (row, x) = rows.next().zip(u32::try_from(x).ok()).ok_or_else(not_found)?;
                self.set_in_map(Item::Row(row, x), "height", value, task)
            }
            Item::Chunk(chunk) => self.set_cell(chunk, path, value, task),
            Item::Id(_) | Item::Group(..) | Item::File(_) | Item::Nested(_) => Err(no_field(path)),
        }
    }

    /// Puts a value into a cell of the tiles or of the decoration.
    fn set_cell(
        &mut self,
        chunk: u32,
        path: &str,
        value: &Val<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let of = self.file.chunk(chunk).ok_or_else(not_found)?;
        let section = self.section(of).ok_or_else(|| no_field(path))?;
        let [x, y] = cell(path).ok_or_else(|| no_field(path))?;
        let plain = self.file.plain(chunk, &mut task.budget)?;
        let (field, side, start, index) = match section.shape {
            Shape::Tiles => {
                let size = plain.first_chunk().map_or(0, |size| i16::from_le_bytes(*size));
                let side = usize::try_from(size).unwrap_or_default();
                (&TILE, side, size_of::<TilesHead>(), y.saturating_mul(side).saturating_add(x))
            }
            Shape::Decoration => {
                let index = x.saturating_mul(DECORATION_SIDE).saturating_add(y);
                (&GROUP, DECORATION_SIDE, 0, index)
            }
            Shape::Teams | Shape::Rows(..) => return Err(no_field(path)),
        };
        let bytes = encoded(field, value, 1)?;
        task.budget.memory(plain.len() as u64)?;
        let mut plain = plain.to_vec();
        let place = start.checked_add(index).filter(|_| x < side && y < side);
        let place = place.and_then(|place| plain.get_mut(place)).ok_or_else(|| {
            let error = Error::new(&codes::RANGE).expected(format!("cells below {side}"));
            error.found(path.to_owned())
        })?;
        bytes.iter().for_each(|byte| *place = *byte);
        self.change_plain(chunk, plain, task)
    }

    /// Gives a record other bytes.
    pub(super) fn set_record(
        &mut self,
        chunk: u32,
        nth: usize,
        bytes: &Bytes,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let mut records = self.records(chunk, task)?;
        records.remove(nth)?;
        records.insert(nth, bytes)?;
        let plain = records.finish()?;
        self.change_plain(chunk, plain, task)
    }

    /// The list of a map that people call so: its chunk, or its id where there is none yet.
    pub(super) fn map_table(&self, kind: &str) -> Option<Node> {
        let id = self.kind.id_named(kind).or_else(|| kind.parse().ok())?;
        let section = map::section(id)?;
        section.rows(section.data_type)?;
        let there = self.file.with_id(id).first();
        Some(there.map_or(Item::Id(id), |n| Item::Chunk(*n)).node())
    }

    /// Adds a record of zeros before the one at the position that `name` is, or behind all where it is `end`. A list that
    /// the map lacks gets a chunk.
    pub(super) fn insert_record(
        &mut self,
        table: Item,
        name: &[u8],
        task: &mut Task<'_>,
    ) -> Result<Node> {
        let wrong = |most: usize| {
            let error = Error::new(&codes::NO_FIELD);
            let error = error.expected(format!("`end`, or the position of a record up to {most}"));
            error.found(format!("`{}`", name.escape_ascii()))
        };
        let position = |len: usize| match name {
            b"end" => Ok(len),
            name => {
                let nth = std::str::from_utf8(name).ok().and_then(|nth| nth.parse().ok());
                nth.filter(|nth| *nth <= len).ok_or_else(|| wrong(len))
            }
        };
        match table {
            Item::Chunk(chunk) => {
                let of = self.file.chunk(chunk).ok_or_else(not_found)?;
                let (id, mut records) = (of.id(), self.records(chunk, task)?);
                if is_fixed(records.head, id) {
                    return Err(refused());
                }
                let nth = position(records.len())?;
                records.insert(nth, &vec![0; records.record.size as usize])?;
                let plain = records.finish()?;
                self.change_plain(chunk, plain, task)?;
                Ok(Item::Row(chunk, nth as u32).node())
            }
            Item::Id(id) => {
                let section = map::section(id).ok_or_else(not_found)?;
                let (head, record) = section.rows(section.data_type).ok_or_else(not_found)?;
                if is_fixed(head, id) {
                    return Err(refused());
                }
                let nth = position(0)?;
                let mut list = List::new(record, head);
                list.insert(nth, &vec![0; record.size as usize])?;
                let plain = list.finish()?;
                let place = map::place_of(&self.file, section) as usize;
                let new = new_chunk(section, plain.into());
                self.become_draft(
                    |draft| {
                        draft.insert(place, new);
                        Ok(())
                    },
                    task,
                )?;
                Ok(Item::Row(place as u32, nth as u32).node())
            }
            Item::Row(..) | Item::Group(..) | Item::File(_) | Item::Nested(_) => Err(refused()),
        }
    }

    /// Takes records out of a chunk.
    pub(super) fn remove_records(
        &mut self,
        chunk: u32,
        rows: &[usize],
        task: &mut Task<'_>,
    ) -> Result<()> {
        let id = self.file.chunk(chunk).ok_or_else(not_found)?.id();
        let mut records = self.records(chunk, task)?;
        if is_fixed(records.head, id) {
            return Err(refused());
        }
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows.dedup();
        for nth in rows.into_iter().rev() {
            records.remove(nth)?;
        }
        let plain = records.finish()?;
        self.change_plain(chunk, plain, task)
    }
}

/// Whether a list always has the same number of records: that of the layout, or the size of the map.
fn is_fixed(head: Head, id: i16) -> bool {
    matches!(head, Head::Fixed(_)) || id == HEIGHTS
}

fn new_chunk(section: &Section, plain: Bytes) -> NewChunk {
    let content = Content::Packed(plain, USUAL_LEVEL);
    let (id, data_type) = (section.id, section.data_type);
    NewChunk { id, occurrence: 0, data_type, packed: 1, content }
}
