//! Editing maps: fields of records, records, and cells of the ground.

use super::{
    chunk::not_found,
    chunks::Chunks,
    detect::Kind,
    edit::{Added, ChunkBatch},
    item::ChunkFileNode,
    list_draft::{ListDraft, encode, no_field, refused},
    lists::List,
    next::Next,
};
use crate::{
    gamedata::codes,
    map::{DECORATION_SIDE, HEIGHTS, SectionForm, TilesHead},
    spec,
};
use spelunk_core::{Bytes, Error, Node, Result, Task, Ty, Val, field::Field};
use std::collections::BTreeMap;

/// Reads `12,40`.
fn cell(path: &str) -> Option<[usize; 2]> {
    let (x, y) = path.split_once(',')?;
    Some([x.trim().parse().ok()?, y.trim().parse().ok()?])
}

static TILE: Field = Field::new("tile", Ty::U8, "The tile of a cell.");
static GROUP: Field = Field::new("group", Ty::U8, "The group of decoration of a cell.");

impl Chunks {
    /// The id of a chunk or of all chunks of one.
    fn id_of(&self, item: ChunkFileNode) -> Option<i16> {
        match item {
            ChunkFileNode::Id(id) => Some(id),
            ChunkFileNode::Chunk(n) => self.file.chunk(n).map(super::Chunk::id),
            ChunkFileNode::Row(..)
            | ChunkFileNode::Group(..)
            | ChunkFileNode::File(_)
            | ChunkFileNode::Nested(_) => None,
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
        Some(there.map_or(ChunkFileNode::Id(id), |n| ChunkFileNode::Chunk(*n)).node())
    }
}

impl ChunkBatch<'_> {
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
        item: ChunkFileNode,
        path: &str,
        value: &Val<'_>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        match item {
            ChunkFileNode::Row(chunk, nth) => {
                self.records(chunk, task)?.set(nth as usize, path, value)
            }
            ChunkFileNode::Id(_) | ChunkFileNode::Chunk(_)
                if self.chunks.is_map() && self.chunks.id_of(item) == Some(HEIGHTS) =>
            {
                let [x, y] = cell(path).ok_or_else(|| no_field(path))?;
                let chunks = self.chunks;
                let heights = self.heights.get_or_insert_with(|| chunks.heights());
                let row = heights.get(&y).copied().ok_or_else(not_found)?;
                self.records(row, task)?.set(x, "height", value)
            }
            ChunkFileNode::Chunk(chunk) => self.set_cell(chunk, path, value, task),
            ChunkFileNode::Id(_)
            | ChunkFileNode::Group(..)
            | ChunkFileNode::File(_)
            | ChunkFileNode::Nested(_) => Err(no_field(path)),
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
        if !matches!(
            section.shape,
            SectionForm::Tiles | SectionForm::Decoration | SectionForm::Heights
        ) {
            return Err(no_field(path));
        }
        let next = self.next(chunk, task, |chunks, task| {
            let plain = chunks.file.plain(chunk, &mut task.budget)?;
            task.budget.memory(plain.len() as u64)?;
            Ok(Next::Cells(plain.to_vec()))
        });
        let Next::Cells(plain) = next? else { return Err(no_field(path)) };
        if section.shape == SectionForm::Heights {
            let place = spec::place_of_height(plain, [x, y]);
            let place = place.and_then(|at| plain.get_mut(at..at.checked_add(2)?));
            let place = place.ok_or_else(|| {
                let error = Error::new(&codes::RANGE).expected("a cell of the height map");
                error.found(path.to_owned())
            })?;
            return encode(&spec::HEIGHT, None, value, place);
        }
        let (field, side, index) = if section.shape == SectionForm::Tiles {
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
        table: ChunkFileNode,
        name: &[u8],
        bytes: Option<&Bytes>,
        task: &mut Task<'_>,
    ) -> Result<Added> {
        let (chunk, id, list) = match table {
            ChunkFileNode::Chunk(chunk) => {
                let list = self.records(chunk, task)?;
                (Some(chunk), list.id, list)
            }
            ChunkFileNode::Id(id) => {
                let section = self.chunks.kind.section(id).ok_or_else(not_found)?;
                let (head, record) = section.rows(section.data_type).ok_or_else(not_found)?;
                let new = || ListDraft::new(id, false, List::new(record, head));
                (None, id, self.lists.entry(id).or_insert_with(new))
            }
            ChunkFileNode::Row(..)
            | ChunkFileNode::Group(..)
            | ChunkFileNode::File(_)
            | ChunkFileNode::Nested(_) => {
                return Err(refused());
            }
        };
        task.budget.memory((list.list.size() as u64).saturating_add(64))?;
        Ok(Added::Record(id, chunk, list.insert(name, bytes)?))
    }
}
