//! Editing maps: fields of records, records, and cells of the ground.

use super::{
    chunk::not_found,
    chunks::Chunks,
    detect::Kind,
    draft::{Content, NewChunk},
    edit::{Added, Batch},
    item::Item,
    lists::List,
    next::Next,
    write::USUAL_LEVEL,
};
use crate::{
    gamedata::codes,
    map::{DECORATION_SIDE, HEIGHTS, Section, Shape, TilesHead},
    spec,
};
use spelunk_core::{Bytes, Error, Node, Record, Result, Task, Ty, Val, edit::gone, field::Field};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// A place in a record that a path leads to.
struct RecordPlace<'p> {
    range: Range<usize>,
    /// Description of the field; of one value where that is one of an array.
    field: Field,
    /// The part of a packed word, where it is one.
    part: Option<&'p str>,
}

impl<'p> RecordPlace<'p> {
    /// The place of a field, of one value of a field of several (`weights[2]`), or of a part of a word (`bits.vision`).
    fn of(record: &'static Record, path: &'p str) -> Option<RecordPlace<'p>> {
        let (path, part) = match path.split_once('.') {
            Some((path, part)) => (path, Some(part)),
            None => (path, None),
        };
        let (name, nth) = match path.strip_suffix(']') {
            Some(path) => {
                let (name, nth) = path.split_once('[')?;
                (name, Some(nth.parse::<usize>().ok()?))
            }
            None => (path, None),
        };
        let slot = record.fields.iter().find(|slot| slot.field.name == name)?;
        let (start, size) = (slot.offset as usize, slot.size as usize);
        let (start, size, field) = match (slot.field.ty, nth) {
            (Ty::Array(item, count), Some(nth)) if nth < count as usize => {
                let size = item.size()? as usize;
                (start.checked_add(nth.checked_mul(size)?)?, size, slot.field.item())
            }
            (_, Some(_)) => return None,
            (_, None) => (start, size, slot.field),
        };
        Some(RecordPlace { range: start..start.checked_add(size)?, field, part })
    }

    /// Puts a value into the place, in the bytes of the record.
    fn put(&self, row: &mut [u8], value: &Val<'_>) -> Result<()> {
        let place = row.get_mut(self.range.clone()).ok_or_else(not_found)?;
        encode(&self.field, self.part, value, place)
    }
}

/// Puts a value that people write, or one of a part of a packed word, into the place of a field.
fn encode(field: &Field, part: Option<&str>, value: &Val<'_>, place: &mut [u8]) -> Result<()> {
    let bytes = match part {
        Some(part) => field.encode_part(part, value, place),
        None => field.encode(value, place),
    };
    let bytes = bytes.and_then(|bytes| match bytes.len() == place.len() {
        true => Ok(bytes),
        false => Err(field.misfit(value)),
    });
    place.copy_from_slice(&bytes.map_err(|error| error.field(field.name))?);
    Ok(())
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
    /// The id of a chunk or of all chunks of one.
    fn id_of(&self, item: Item) -> Option<i16> {
        match item {
            Item::Id(id) => Some(id),
            Item::Chunk(n) => self.file.chunk(n).map(super::Chunk::id),
            Item::Row(..) | Item::Group(..) | Item::File(_) | Item::Nested(_) => None,
        }
    }

    /// Chunks of heights by their rows; where several are of one row, the first.
    fn heights(&self) -> BTreeMap<usize, u32> {
        let mut heights = BTreeMap::new();
        for n in self.file.with_id(HEIGHTS) {
            let row = self.file.chunk(*n).map(super::Chunk::occurrence);
            if let Some(row) = row.and_then(|row| usize::try_from(row).ok()) {
                heights.entry(row).or_insert(*n);
            }
        }
        heights
    }

    /// The list of a map that people call so: its chunk, or its id where there is none yet.
    pub(super) fn map_table(&self, kind: &str) -> Option<Node> {
        let id = self.kind.id_named(kind).or_else(|| kind.parse().ok())?;
        let section = self.kind.section(id)?;
        section.rows(section.data_type)?;
        let there = self.file.with_id(id).first();
        Some(there.map_or(Item::Id(id), |n| Item::Chunk(*n)).node())
    }
}

impl Batch<'_> {
    /// The records of a chunk, to be changed.
    pub(super) fn records(&mut self, chunk: u32, task: &mut Task<'_>) -> Result<&mut ListDraft> {
        let next = self.next(chunk, task, |chunks, task| {
            let id = chunks.file.chunk(chunk).map_or(0, super::Chunk::id);
            let is_ground = chunks.kind == Kind::Map && id == HEIGHTS;
            Ok(Next::Records(ListDraft::new(id, is_ground, chunks.records(chunk, task)?)))
        });
        match next? {
            Next::Records(list) => Ok(list),
            _ => Err(not_found()),
        }
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
            Item::Row(chunk, nth) => self.records(chunk, task)?.set(nth as usize, path, value),
            Item::Id(_) | Item::Chunk(_)
                if self.chunks.is_map() && self.chunks.id_of(item) == Some(HEIGHTS) =>
            {
                let [x, y] = cell(path).ok_or_else(|| no_field(path))?;
                let chunks = self.chunks;
                let heights = self.heights.get_or_insert_with(|| chunks.heights());
                let row = heights.get(&y).copied().ok_or_else(not_found)?;
                self.records(row, task)?.set(x, "height", value)
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
        let of = self.chunks.file.chunk(chunk).ok_or_else(not_found)?;
        let section = self.chunks.section(of).ok_or_else(|| no_field(path))?;
        let [x, y] = cell(path).ok_or_else(|| no_field(path))?;
        if !matches!(section.shape, Shape::Tiles | Shape::Decoration | Shape::Heights) {
            return Err(no_field(path));
        }
        let next = self.next(chunk, task, |chunks, task| {
            let plain = chunks.file.plain(chunk, &mut task.budget)?;
            task.budget.memory(plain.len() as u64)?;
            Ok(Next::Cells(plain.to_vec()))
        });
        let Next::Cells(plain) = next? else { return Err(no_field(path)) };
        if section.shape == Shape::Heights {
            let place = spec::place_of_height(plain, [x, y]);
            let place = place.and_then(|at| plain.get_mut(at..at.checked_add(2)?));
            let place = place.ok_or_else(|| {
                let error = Error::new(&codes::RANGE).expected("a cell of the height map");
                error.found(path.to_owned())
            })?;
            return encode(&spec::HEIGHT, None, value, place);
        }
        let (field, side, index) = if section.shape == Shape::Tiles {
            let size = plain.first_chunk().map_or(0, |size| i16::from_le_bytes(*size));
            let side = usize::try_from(size).unwrap_or_default();
            let index = y.saturating_mul(side).saturating_add(x);
            (&TILE, side, index.saturating_add(size_of::<TilesHead>()))
        } else {
            let index = x.saturating_mul(DECORATION_SIDE).saturating_add(y);
            (&GROUP, DECORATION_SIDE, index)
        };
        let place = Some(index).filter(|_| x < side && y < side);
        let place = place.and_then(|place| plain.get_mut(place..=place)).ok_or_else(|| {
            let error = Error::new(&codes::RANGE).expected(format!("cells below {side}"));
            error.found(path.to_owned())
        })?;
        encode(field, None, value, place)
    }

    /// Adds a record before the one at the position that `name` is, or behind all where it is `end`; one of zeros where it
    /// is given no bytes. A list that the map lacks gets a chunk.
    pub(super) fn insert_record(
        &mut self,
        table: Item,
        name: &[u8],
        bytes: Option<&Bytes>,
        task: &mut Task<'_>,
    ) -> Result<Added> {
        let (chunk, id, list) = match table {
            Item::Chunk(chunk) => {
                let list = self.records(chunk, task)?;
                (Some(chunk), list.id, list)
            }
            Item::Id(id) => {
                let section = self.chunks.kind.section(id).ok_or_else(not_found)?;
                let (head, record) = section.rows(section.data_type).ok_or_else(not_found)?;
                let new = || ListDraft::new(id, false, List::new(record, head));
                (None, id, self.lists.entry(id).or_insert_with(new))
            }
            Item::Row(..) | Item::Group(..) | Item::File(_) | Item::Nested(_) => {
                return Err(refused());
            }
        };
        task.budget.memory((list.list.size() as u64).saturating_add(64))?;
        Ok(Added::Record(id, chunk, list.insert(name, bytes)?))
    }
}

/// The records of a chunk on their way to be others.
pub(super) struct ListDraft {
    id: i16,
    /// Whether it is a row of the ground, which has a record for each cell.
    is_ground: bool,
    list: List,
    removed: BTreeSet<usize>,
    /// Before which old record new ones stand, in their order.
    added: BTreeMap<usize, Vec<Vec<u8>>>,
}

impl ListDraft {
    fn new(id: i16, is_ground: bool, list: List) -> ListDraft {
        ListDraft { id, is_ground, list, removed: BTreeSet::new(), added: BTreeMap::new() }
    }

    /// A record that is there by now.
    fn row_mut(&mut self, nth: usize) -> Result<&mut [u8]> {
        if self.removed.contains(&nth) {
            return Err(gone());
        }
        self.list.row_mut(nth).ok_or_else(not_found)
    }

    fn set(&mut self, nth: usize, path: &str, value: &Val<'_>) -> Result<()> {
        let place = RecordPlace::of(self.list.record, path).ok_or_else(|| no_field(path))?;
        place.put(self.row_mut(nth)?, value)
    }

    /// Gives a record other bytes.
    ///
    /// # Errors
    /// When it goes, or they are not those of a record.
    pub(super) fn set_bytes(&mut self, nth: usize, bytes: &[u8]) -> Result<()> {
        self.list.check(bytes)?;
        self.row_mut(nth)?.copy_from_slice(bytes);
        Ok(())
    }

    /// Takes a record out.
    ///
    /// # Errors
    /// When there is no such record, or the list always has as many.
    pub(super) fn remove(&mut self, nth: usize) -> Result<()> {
        self.refuse_fixed()?;
        self.list.range(nth).ok_or_else(not_found)?;
        self.removed.insert(nth);
        Ok(())
    }

    /// Adds a record; gives the old one that it stands before, and its number among those there.
    fn insert(&mut self, name: &[u8], bytes: Option<&Bytes>) -> Result<[usize; 2]> {
        self.refuse_fixed()?;
        let most = self.list.len();
        let before = match name {
            b"end" => Some(most),
            name => std::str::from_utf8(name).ok().and_then(|nth| nth.parse().ok()),
        };
        let before = before.filter(|before| *before <= most).ok_or_else(|| {
            let error = Error::new(&codes::NO_FIELD);
            let error = error.expected(format!("`end`, or the position of a record up to {most}"));
            error.found(format!("`{}`", name.escape_ascii()))
        })?;
        let row = bytes.map_or_else(|| vec![0; self.list.size()], |row| row.to_vec());
        if self.added.is_empty() {
            self.list.settle(&row);
        }
        self.list.check(&row)?;
        let rows = self.added.entry(before).or_default();
        rows.push(row);
        Ok([before, rows.len().saturating_sub(1)])
    }

    /// Refuses records that come or go where there are always as many: those of the layout, or of the size of the map.
    fn refuse_fixed(&self) -> Result<()> {
        if self.list.is_fixed() || self.is_ground { Err(refused()) } else { Ok(()) }
    }

    /// Returns the positions of the records that come before an old one.
    pub(super) fn starts(&self) -> BTreeMap<usize, usize> {
        let mut removed = self.removed.iter().peekable();
        let (mut gone, mut come) = (0_usize, 0_usize);
        let start = |(before, rows): (&usize, &Vec<Vec<u8>>)| {
            while removed.next_if(|nth| *nth < before).is_some() {
                gone = gone.saturating_add(1);
            }
            let start = before.saturating_sub(gone).saturating_add(come);
            come = come.saturating_add(rows.len());
            (*before, start)
        };
        self.added.iter().map(start).collect()
    }

    /// The plain data of the chunk; nothing where it has no records and nothing behind them.
    ///
    /// # Errors
    /// More records than can be counted.
    pub(super) fn finish(mut self) -> Result<Vec<u8>> {
        if !self.removed.is_empty() || !self.added.is_empty() {
            let mut rows = Vec::with_capacity(self.list.rows.len());
            for nth in 0..=self.list.len() {
                self.added.get(&nth).into_iter().flatten().for_each(|row| rows.extend(row));
                let old = self.list.row(nth).filter(|_| !self.removed.contains(&nth));
                rows.extend_from_slice(old.unwrap_or_default());
            }
            self.list.rows = rows;
        }
        self.list.finish()
    }
}

pub(super) fn new_chunk(section: &Section, plain: Bytes) -> NewChunk {
    let content = Content::Packed(plain, USUAL_LEVEL);
    let (id, data_type) = (section.id, section.data_type);
    NewChunk { id, occurrence: 0, data_type, packed: 1, content }
}
