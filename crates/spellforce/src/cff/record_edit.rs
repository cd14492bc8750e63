//! Editing maps: fields of records, records, and cells of the ground.

use super::{
    chunk::not_found,
    chunks::Chunks,
    detect::Kind,
    edit::{Added, ChunkBatch},
    field_edit::{Layout, cell_of},
    item::ChunkFileNode,
    list_draft::{ListDraft, encode, no_field, refused},
    lists::List,
    next::Next,
};
use crate::{
    gamedata::codes,
    map::{DECORATION_SIDE, HEIGHTS, SectionForm, TilesHead},
    map2, spec,
};
use spelunk_core::{Bytes, Error, Node, Result, Task, Ty, Val, field::Field, text::CodePages};
use std::collections::BTreeMap;

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
        if self.is_map2() {
            let n = *self.file.with_id(id).first()?;
            self.map2_structure(self.file.chunk(n)?)?;
            return Some(ChunkFileNode::Chunk(n).node());
        }
        let section = self.kind.section(id)?;
        section.rows(section.data_type)?;
        let there = self.file.with_id(id).first();
        Some(there.map_or(ChunkFileNode::Id(id), |n| ChunkFileNode::Chunk(*n)).node())
    }
}

impl Chunks {
    /// Whether its rows are records, which are known by their positions.
    pub(super) fn has_lists(&self) -> bool {
        self.kind.has_records() || self.is_map2()
    }

    /// Layout of a chunk that is one structure whose parts have no fixed places.
    fn layout_of(&self, n: u32) -> Option<Layout> {
        let chunk = self.file.chunk(n)?;
        if let Some(section) = self.map2_section(chunk) {
            return match section.form {
                map2::SectionForm::Single(structure) => Some(Layout::Structure(structure)),
                map2::SectionForm::Records(..) | map2::SectionForm::Empty => None,
            };
        }
        let section = self.section(chunk)?;
        (section.shape == SectionForm::Teams).then(|| Layout::Teams(chunk.data_type()))
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
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        match item {
            ChunkFileNode::Row(chunk, nth) => {
                self.records(chunk, task)?.set(nth as usize, path, value, pages, task)
            }
            ChunkFileNode::Id(_) | ChunkFileNode::Chunk(_)
                if self.chunks.is_map() && self.chunks.id_of(item) == Some(HEIGHTS) =>
            {
                let [x, y] = cell_of(path).ok_or_else(|| no_field(path))?;
                let chunks = self.chunks;
                let heights = self.heights.get_or_insert_with(|| chunks.heights());
                let row = heights.get(&y).copied().ok_or_else(not_found)?;
                self.records(row, task)?.set(x, "height", value, pages, task)
            }
            ChunkFileNode::Chunk(chunk) => match self.chunks.layout_of(chunk) {
                Some(layout) => {
                    let plain = self.cells(chunk, task)?;
                    layout.set(plain, path, value, pages, task)
                }
                None => self.set_cell(chunk, path, value, task),
            },
            ChunkFileNode::Id(_)
            | ChunkFileNode::Group(..)
            | ChunkFileNode::File(_)
            | ChunkFileNode::Nested(_) => Err(no_field(path)),
        }
    }

    /// The plain data of a chunk, to be changed.
    fn cells(&mut self, chunk: u32, task: &mut Task<'_>) -> Result<&mut Vec<u8>> {
        let next = self.next(chunk, task, |chunks, task| {
            let plain = chunks.file.plain(chunk, &mut task.budget)?;
            task.budget.memory(plain.len() as u64)?;
            Ok(Next::Cells(plain.to_vec()))
        });
        match next? {
            Next::Cells(plain) => Ok(plain),
            _ => Err(not_found()),
        }
    }

    /// Changes what follows from what was changed: in maps of SpellForce 2, of the terrain and the lakes. Chunks that were replaced
    /// as a whole stay as they were given.
    pub(super) fn renew(&mut self, task: &mut Task<'_>) -> Result<()> {
        let first = |section: &map2::Section| self.chunks.file.with_id(section.id).first().copied();
        let (Some(terrain), Some(lakes)) = (first(&map2::TERRAIN), first(&map2::LAKES)) else {
            return Ok(());
        };
        let is_changed = |n| matches!(self.next.get(&n), Some(Next::Cells(_) | Next::Records(_)));
        let is_given = |n| matches!(self.next.get(&n), Some(Next::Bytes(_) | Next::Removed));
        let is_touched = is_changed(terrain) || is_changed(lakes);
        if !self.chunks.is_map2() || !is_touched || is_given(terrain) || is_given(lakes) {
            return Ok(());
        }
        let file = &self.chunks.file;
        let old = file.plain(terrain, &mut task.budget)?;
        let old_lakes = file.plain(lakes, &mut task.budget)?;
        let new_lakes = match self.next.get(&lakes) {
            Some(Next::Records(list)) => list.plain()?,
            _ => old_lakes.to_vec(),
        };
        let plain = self.cells(terrain, task)?;
        map2::renew([old, old_lakes], &new_lakes, plain, task)
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
        let [x, y] = cell_of(path).ok_or_else(|| no_field(path))?;
        if !matches!(
            section.shape,
            SectionForm::Tiles | SectionForm::Decoration | SectionForm::Heights
        ) {
            return Err(no_field(path));
        }
        let plain = self.cells(chunk, task)?;
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
        let size = bytes.map_or(list.list.size(), Bytes::len);
        task.budget.memory((size as u64).saturating_add(64))?;
        Ok(Added::Record(id, chunk, list.insert(name, bytes, task)?))
    }
}
