//! Editing chunk files: batches of changes to rows of GameData, records and cells of maps, and whole chunks.

use super::{
    chunk::{ChunkFile, not_found},
    chunks::Chunks,
    draft::{Content, Draft, NewChunk},
    item::ChunkFileNode,
    list_draft::ListDraft,
    next::{CategoryDraft, Next, key},
    write::USUAL_LEVEL,
};
use crate::{
    gamedata::{GameData, TableLookups, codes},
    map::{self, Section},
    map2::RecordStarts,
};
use spelunk_core::{
    Bytes, Change, Changed, Collect, Edit, Error, Node, Refused, Result, Task, Val,
    edit::{OfChange, gone},
    text::CodePages,
};
use std::collections::{BTreeMap, BTreeSet};

/// A batch on its way: what becomes of each chunk that it changes, by its position before the batch.
pub(super) struct ChunkBatch<'f> {
    pub(super) chunks: &'f Chunks,
    pub(super) next: BTreeMap<u32, Next<'f>>,
    /// Lists that the map lacks, by their ids.
    pub(super) lists: BTreeMap<i16, ListDraft>,
    /// Chunks of heights by their rows, once they were asked for.
    pub(super) heights: Option<BTreeMap<usize, u32>>,
}

/// An entry that a batch adds, by what the batch knows of it.
pub(super) enum Added {
    /// The row of a chunk that has this key then.
    Key(u32, Vec<u32>),
    /// A record before an old one of a list, and its number among those that are added there.
    Record(i16, Option<u32>, [usize; 2]),
}

/// Result of a batch: the next state of a file.
struct BatchResult {
    file: ChunkFile,
    tables: Option<TableLookups>,
    starts: RecordStarts,
    changed: Vec<Changed>,
}

impl<'f> ChunkBatch<'f> {
    /// Takes a change; gives what it adds.
    fn take(
        &mut self,
        change: &Change<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Option<Added>> {
        task.budget.steps(1)?;
        let is_map = self.chunks.has_lists();
        match change {
            Change::Set { with_children: true, .. } => {
                let error = Error::new(&spelunk_core::codes::NO_SUCH_OPERATION);
                return Err(error.expected("a format whose entries have places"));
            }
            Change::Set { node, path, value, .. } if is_map => {
                self.set_in_map(ChunkFileNode::of(*node), path, value, pages, task)?;
            }
            Change::Set { node, path, value, .. } => {
                let ChunkFileNode::Row(chunk, nth) = ChunkFileNode::of(*node) else {
                    return Err(Error::new(&codes::NO_FIELD).found(format!("`{path}`")));
                };
                let rows = self.rows(chunk, task)?;
                rows.set(nth as usize, path, value, pages, &mut task.budget)?;
            }
            Change::SetBytes { node, bytes } => {
                self.set_bytes(ChunkFileNode::of(*node), bytes, task)?
            }
            Change::Rename { node, name } => {
                let (ChunkFileNode::Row(chunk, nth), true) =
                    (ChunkFileNode::of(*node), self.chunks.kind.has_tables())
                else {
                    return Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION));
                };
                let key = key(name)?;
                self.rows(chunk, task)?.rename(nth as usize, &key, &mut task.budget)?;
            }
            Change::Insert { table, key: [Val::Bytes(name)], bytes } => {
                return self
                    .insert(ChunkFileNode::of(*table), name, bytes.as_ref(), task)
                    .map(Some);
            }
            Change::Insert { .. } => return Err(not_found()),
            Change::Remove { nodes, .. } => {
                nodes.iter().try_for_each(|node| self.remove(ChunkFileNode::of(*node), task))?;
            }
        }
        Ok(None)
    }

    /// Returns the next state of a chunk, made by `make` where nothing has changed it before.
    pub(super) fn next(
        &mut self,
        chunk: u32,
        task: &mut Task<'_>,
        make: impl FnOnce(&'f Chunks, &mut Task<'_>) -> Result<Next<'f>>,
    ) -> Result<&mut Next<'f>> {
        use std::collections::btree_map::Entry;
        match self.next.entry(chunk) {
            Entry::Occupied(known) => match known.into_mut() {
                Next::Removed | Next::Bytes(_) => Err(gone()),
                next => Ok(next),
            },
            Entry::Vacant(place) => Ok(place.insert(make(self.chunks, task)?)),
        }
    }

    /// The rows of a category, to be changed.
    fn rows(&mut self, chunk: u32, task: &mut Task<'_>) -> Result<&mut CategoryDraft<'f>> {
        let next = self.next(chunk, task, |chunks, task| {
            CategoryDraft::of(chunks, chunk, task).map(Next::Rows)
        });
        match next? {
            Next::Rows(rows) => Ok(rows),
            _ => Err(not_found()),
        }
    }

    fn set_bytes(&mut self, item: ChunkFileNode, bytes: &Bytes, task: &mut Task<'_>) -> Result<()> {
        let is_map = self.chunks.has_lists();
        match item {
            ChunkFileNode::Chunk(chunk) => {
                self.chunks.file.chunk(chunk).ok_or_else(not_found)?;
                if self.is_removed(chunk) {
                    return Err(gone());
                }
                self.next.insert(chunk, Next::Bytes(bytes.clone()));
                Ok(())
            }
            ChunkFileNode::Row(chunk, nth) if is_map => {
                self.records(chunk, task)?.set_bytes(nth as usize, bytes, task)
            }
            ChunkFileNode::Row(chunk, nth) => {
                self.rows(chunk, task)?.set_bytes(nth as usize, bytes, &mut task.budget)
            }
            ChunkFileNode::Id(_)
            | ChunkFileNode::Group(..)
            | ChunkFileNode::File(_)
            | ChunkFileNode::Nested(_) => Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION)),
        }
    }

    fn insert(
        &mut self,
        table: ChunkFileNode,
        name: &[u8],
        bytes: Option<&Bytes>,
        task: &mut Task<'_>,
    ) -> Result<Added> {
        if self.chunks.has_lists() {
            return self.insert_record(table, name, bytes, task);
        }
        let ChunkFileNode::Chunk(chunk) = table else { return Err(not_found()) };
        let key = key(name)?;
        self.rows(chunk, task)?.insert(&key, bytes, &mut task.budget)?;
        Ok(Added::Key(chunk, key))
    }

    fn remove(&mut self, item: ChunkFileNode, task: &mut Task<'_>) -> Result<()> {
        task.budget.steps(1)?;
        match item {
            ChunkFileNode::Chunk(chunk) => {
                self.chunks.file.chunk(chunk).ok_or_else(not_found)?;
                self.next.insert(chunk, Next::Removed);
            }
            ChunkFileNode::Id(id) => {
                let chunks = self.chunks.file.with_id(id).iter();
                self.next.extend(chunks.map(|chunk| (*chunk, Next::Removed)));
            }
            // What goes as a whole takes its rows along.
            ChunkFileNode::Row(chunk, _) | ChunkFileNode::Group(chunk, _)
                if self.is_removed(chunk) => {}
            ChunkFileNode::Row(chunk, nth) if self.chunks.has_lists() => {
                self.records(chunk, task)?.remove(nth as usize)?;
            }
            ChunkFileNode::Row(chunk, nth) => self.rows(chunk, task)?.draft.remove(nth as usize),
            ChunkFileNode::Group(chunk, id) => {
                let gamedata = self.chunks.tables()?;
                let found = gamedata.find(chunk, &[id], &mut task.budget)?;
                let rows = self.rows(chunk, task)?;
                found.into_iter().for_each(|row| rows.draft.remove(row));
            }
            // Saves are not changed.
            ChunkFileNode::File(_) | ChunkFileNode::Nested(_) => return Err(not_found()),
        }
        Ok(())
    }

    fn is_removed(&self, chunk: u32) -> bool {
        matches!(self.next.get(&chunk), Some(Next::Removed))
    }

    /// Opens what all changes make of the file. A chunk that is to hold nothing goes, as the community's editor does it.
    fn finish(mut self, added: Vec<Option<Added>>, task: &mut Task<'_>) -> Result<BatchResult> {
        self.renew(task)?;
        let ChunkBatch { chunks, next, lists, .. } = self;
        let mut places = Places::of(chunks, &next, &lists);
        let mut draft = Draft::of(&chunks.file);
        for (chunk, next) in next {
            // Content that was given counts, be it none.
            let is_given = matches!(next, Next::Bytes(_));
            // Maps of SpellForce 2 have chunks without content.
            let is_empty_one = chunks.is_map2() && !matches!(next, Next::Removed);
            let plain = next.finish(&mut task.budget)?;
            match plain.is_empty() && !is_given && !is_empty_one {
                true => drop(places.removed.insert(chunk)),
                false => draft.set(chunk as usize, plain)?,
            }
        }
        // From the last on, so that the positions of the others stay.
        for chunk in places.removed.iter().rev() {
            draft.remove(*chunk as usize)?;
        }
        let mut lists = lists;
        for (nth, (before, _, id)) in places.lists.iter().enumerate() {
            let list = lists.remove(id).zip(chunks.kind.section(*id));
            let (list, section) = list.ok_or_else(not_found)?;
            let place = places.kept(*before).saturating_add(nth);
            draft.insert(place, new_chunk(section, list.plain()?.into()));
        }
        let source = draft.source(task)?;
        // Findings about the old chunks were reported when those were opened.
        let mut sink = Collect::default();
        let mut quiet = Task::new(task.budget.clone(), &mut sink);
        let file = ChunkFile::open(source, &mut quiet)?;
        let tables = match &chunks.tables {
            Some(tables) => Some(tables.again(&file, &mut quiet)?),
            None => None,
        };
        task.budget = quiet.budget;
        let starts = match chunks.is_map2() {
            true => RecordStarts::new(file.chunks().len(), task)?,
            false => RecordStarts::default(),
        };
        let mut made = BatchResult { file, tables, starts, changed: Vec::new() };
        for added in added {
            let added = added.map(|added| places.node(&added, &made, task)).transpose()?;
            made.changed.push(Changed { added, moved: 0 });
        }
        Ok(made)
    }
}

/// Places of chunks and records after a batch.
struct Places {
    /// Chunks that go.
    removed: BTreeSet<u32>,
    /// Lists that come new: the chunk that they stand before, their rank among lists, and their id.
    lists: BTreeSet<(u32, usize, i16)>,
    /// Positions of the records that come before an old one, by chunk.
    records: BTreeMap<u32, BTreeMap<usize, usize>>,
    /// The same in lists that come new.
    new: BTreeMap<i16, BTreeMap<usize, usize>>,
}

impl Places {
    fn of(
        chunks: &Chunks,
        next: &BTreeMap<u32, Next<'_>>,
        lists: &BTreeMap<i16, ListDraft>,
    ) -> Places {
        let records = next.iter().filter_map(|(chunk, next)| match next {
            Next::Records(list) => Some((*chunk, list.starts())),
            _ => None,
        });
        let new = lists.iter().map(|(id, list)| (*id, list.starts())).collect();
        let lists = lists.keys().filter_map(|id| {
            let (section, all) = (chunks.kind.section(*id)?, chunks.kind.sections());
            Some((map::place_of(&chunks.file, all, section), map::rank(all, *id)?, *id))
        });
        let lists = lists.collect();
        Places { removed: BTreeSet::new(), lists, records: records.collect(), new }
    }

    /// The position of an old chunk among those that stay.
    fn kept(&self, chunk: u32) -> usize {
        (chunk as usize).saturating_sub(self.removed.range(..chunk).count())
    }

    /// An entry that was added, as the new file knows it.
    fn node(&self, added: &Added, made: &BatchResult, task: &mut Task<'_>) -> Result<Node> {
        let new_before = |chunk: u32| self.lists.iter().take_while(|(at, ..)| *at <= chunk).count();
        let position = |chunk: u32| self.kept(chunk).saturating_add(new_before(chunk)) as u32;
        match added {
            Added::Key(chunk, key) => {
                let chunk = position(*chunk);
                let tables = made.tables.as_ref().ok_or_else(not_found)?;
                let gamedata = GameData::new(&made.file, tables);
                let found = gamedata.find(chunk, key, &mut task.budget)?;
                let row = found.last().ok_or_else(not_found)?;
                Ok(ChunkFileNode::Row(chunk, *row as u32).node())
            }
            Added::Record(id, chunk, [before, nth]) => {
                let (chunk, starts) = match chunk {
                    Some(chunk) => (position(*chunk), self.records.get(chunk)),
                    None => {
                        let mut lists = self.lists.iter().enumerate();
                        let (nth, (at, ..)) =
                            lists.find(|(_, (.., other))| other == id).ok_or_else(not_found)?;
                        (self.kept(*at).saturating_add(nth) as u32, self.new.get(id))
                    }
                };
                let start = starts.and_then(|starts| starts.get(before)).ok_or_else(not_found)?;
                Ok(ChunkFileNode::Row(chunk, start.saturating_add(*nth) as u32).node())
            }
        }
    }
}

/// A chunk for a list that the map lacks.
fn new_chunk(section: &Section, plain: Bytes) -> NewChunk {
    let content = Content::Packed(plain, USUAL_LEVEL);
    let (id, data_type) = (section.id, section.data_type);
    NewChunk { id, occurrence: 0, data_type, packed: 1, content }
}

impl Edit for Chunks {
    fn apply(
        &mut self,
        changes: &[Change<'_>],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> std::result::Result<Vec<Changed>, Refused> {
        let (before, held) = (task.budget.left().memory, self.held());
        let made = self.made(changes, pages, task);
        let now = match &made {
            Ok(made) => made.held(),
            // What was read for it stays.
            Err(_) => self.held(),
        };
        let settled = task.budget.settle(before, held, now);
        let made = made?;
        settled?;
        (self.file, self.tables, self.starts) = (made.file, made.tables, made.starts);
        Ok(made.changed)
    }

    fn table(&self, kind: &str) -> Option<Node> {
        if self.has_lists() {
            return self.map_table(kind);
        }
        let gamedata = self.tables().ok()?;
        let id = match kind.parse::<i16>() {
            Ok(id) => id,
            Err(_) => gamedata.schema().category_named(kind)?.id,
        };
        gamedata.chunks_of(id).next().map(|chunk| ChunkFileNode::Chunk(chunk).node())
    }
}

impl Chunks {
    fn made(
        &self,
        changes: &[Change<'_>],
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> std::result::Result<BatchResult, Refused> {
        let mut batch = ChunkBatch {
            chunks: self,
            next: BTreeMap::new(),
            lists: BTreeMap::new(),
            heights: None,
        };
        let mut added = task.budget.vec(changes.len() as u64)?;
        for (nth, change) in changes.iter().enumerate() {
            added.push(batch.take(change, pages, task).of_change(nth)?);
        }
        Ok(batch.finish(added, task)?)
    }

    /// Bytes of memory that the file takes, with all that was read of it.
    fn held(&self) -> u64 {
        let tables = self.tables.as_ref().map_or(0, TableLookups::held);
        self.file.held().saturating_add(tables).saturating_add(self.starts.held())
    }
}

impl BatchResult {
    fn held(&self) -> u64 {
        let tables = self.tables.as_ref().map_or(0, TableLookups::held);
        self.file.held().saturating_add(tables).saturating_add(self.starts.held())
    }
}
