//! Making the changes of a patch to a chunk file.

use super::{
    bytes,
    cell::{self, Slots},
    chunks::{chunks, paths, table},
    elsewhere::{CategoryRowList, ChangedRow, RowList},
    form::{Both, ChunkChange, ChunkFileFrame, ChunkPlacement, RowChange, TableChange, TablePatch},
    lists::{self, RecordList},
    structures::StructureList,
};
use crate::patch::{
    Applied,
    form::{bad, conflict, print},
    making::{self, ChangeOutcome, PatchResults},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;
use spellforce::{
    cff::{Chunks, Content, Draft, FileHeader, Form, List, NewChunk},
    gamedata::{Category, GameData, RowBuf, Schema, Table, TableDraft},
    spec::DIALECT,
};
use spelunk_core::{
    Budget, Bytes, Error, Result, Task, WriteOptions,
    scalar::{U32, Word},
};
use spelunk_open::{Opened, codes, model, skeleton::Origin};
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// Makes the changes of a patch to a file. To the file that it was made from it makes the other one, byte for byte.
///
/// # Errors
/// [`BAD_PATCH`](codes::BAD_PATCH) where the patch contradicts itself; [`OTHER_FORMAT`](codes::OTHER_FORMAT) for a file of
/// another format or dialect; reading errors; limits.
pub fn apply(patch: &TablePatch, origin: &Origin<'_>) -> Result<Applied> {
    let found = print(origin)?;
    let same_file = found == patch.old;
    let mut opened = Opened::open(origin.source.clone(), origin.options)?;
    let options = WriteOptions::default();
    let mut applied = Applied {
        opened: Opened::open(origin.source.clone(), origin.options)?,
        options,
        same_file,
        made: 0,
        made_before: 0,
        conflicts: Vec::new(),
    };
    if found == patch.new && !same_file {
        applied.made_before = patch.len() as u64;
        return Ok(applied);
    }
    let mut counts = PatchResults::default();
    let source = opened.run(|container, task| {
        if container.format() != patch.format {
            let error = Error::new(&codes::OTHER_FORMAT).expected(patch.format.clone());
            return Err(error.found(container.format()));
        }
        let chunks = chunks(container)?;
        let schema = match &patch.dialect {
            None => Schema::Real,
            Some(dialect) if dialect == DIALECT => Schema::Spec,
            Some(dialect) => return Err(bad(format!("the dialect `{dialect}`"))),
        };
        let found = chunks.file().form().schema();
        if schema != found {
            return Err(model::mixed(schema, found));
        }
        let mut work = TablePatcher {
            chunks,
            slots: Both {
                old: Slots::parse(&patch.code_pages.old)?,
                new: Slots::parse(&patch.code_pages.new)?,
            },
            same_file,
            counts: &mut counts,
            task,
        };
        work.made(patch)
    })?;
    let made = Opened::open(source, origin.options)?;
    Ok(applied.with(made, counts))
}

struct TablePatcher<'f, 'w, 't> {
    chunks: &'f Chunks,
    slots: Both<Slots>,
    same_file: bool,
    counts: &'w mut PatchResults,
    task: &'w mut Task<'t>,
}

impl<'f> TablePatcher<'f, '_, '_> {
    /// The bytes of the file with the changes.
    fn made(&mut self, patch: &TablePatch) -> Result<Arc<dyn spelunk_core::Source>> {
        let file = self.chunks.file();
        let positions: BTreeMap<String, u32> = paths(file).into_iter().zip(0..).collect();
        let mut data: BTreeMap<String, Bytes> = BTreeMap::new();
        for change in &patch.tables {
            let Some(position) = positions.get(&change.chunk) else {
                self.conflict(Error::new(&codes::CONFLICT).expected("the category"), &change.chunk);
                continue;
            };
            if let Some(plain) = self.table(*position, change)? {
                data.insert(change.chunk.clone(), plain);
            }
        }
        let mut gone = Vec::new();
        for change in &patch.chunks {
            let known = match positions.get(&change.chunk) {
                Some(n) => Some(file.plain(*n, &mut self.task.budget)?.clone()),
                None => None,
            };
            self.chunk(change, known, &mut data, &mut gone)?;
        }
        let draft = match &patch.frame {
            Some(frame) if self.same_file => self.framed(&frame.new, &positions, &data)?,
            frame => {
                self.unframed(frame.as_ref().map(|frame| &frame.new), &positions, &data, &gone)?
            }
        };
        draft.source(self.task)
    }

    fn conflict(&mut self, error: Error, at: &str) {
        self.counts.add(ChangeOutcome::Conflicts(vec![error]), at);
    }

    /// The plain data of a category or list with the changes.
    fn table(&mut self, position: u32, change: &TableChange) -> Result<Option<Bytes>> {
        let budget = &mut self.task.budget;
        let gamedata = self.chunks.gamedata();
        let found = gamedata.map(|gamedata| table(gamedata, position, budget)).transpose()?;
        if let Some((gamedata, table)) = gamedata.zip(found.flatten()) {
            return self.rows(gamedata, table, position, change);
        }
        match self.chunks.list(position, self.task)? {
            Some(list) if list.record().name == change.table => self.records(list, change),
            _ => {
                let error = conflict(&change.table, "something else");
                self.conflict(error, &change.chunk);
                Ok(None)
            }
        }
    }

    /// The plain data of a list with the changes.
    fn records(&mut self, mut list: List, change: &TableChange) -> Result<Option<Bytes>> {
        if self.same_file {
            lists::make(&mut list, &change.rows, self.task)?;
            self.counts.made = self.counts.made.saturating_add(change.rows.len() as u64);
            return list.finish().map(|plain| Some(plain.into()));
        }
        // What changes in its place comes before what moves others.
        let (set, moving) = change.rows.iter().partition::<Vec<_>, _>(|row| row.set.is_some());
        let mut stale = false;
        for row in set.into_iter().chain(moving) {
            stale |= match list.structure() {
                Some(structure) => {
                    let list = StructureList { list: &mut list, structure };
                    make_elsewhere(list, change, row, self.counts, self.task)?
                }
                None => {
                    let list = RecordList(&mut list);
                    make_elsewhere(list, change, row, self.counts, self.task)?
                }
            };
        }
        let plain = stale.then(|| list.finish()).transpose()?;
        Ok(plain.map(Bytes::from))
    }

    /// The plain data of a category with the changes.
    fn rows(
        &mut self,
        gamedata: GameData<'_>,
        table: Table<'_>,
        position: u32,
        change: &TableChange,
    ) -> Result<Option<Bytes>> {
        let budget = &mut self.task.budget;
        if self.same_file {
            let plain = rows(table, gamedata, position, change, &self.slots.new, budget)?;
            self.counts.made = self.counts.made.saturating_add(change.rows.len() as u64);
            let Some(order) = change.order.as_ref().filter(|order| !order.new.is_empty()) else {
                return Ok(Some(plain));
            };
            return ordered(table.category(), &plain, &order.new, budget).map(Some);
        }
        let mut draft = TableDraft::of(table);
        for row in &change.rows {
            let slots = &self.slots;
            let list = CategoryRowList { gamedata, chunk: position, draft: &mut draft, slots };
            make_elsewhere(list, change, row, self.counts, self.task)?;
        }
        Ok((!draft.is_empty()).then(|| draft.finish()))
    }

    /// Makes the change of data that is no rows.
    fn chunk(
        &mut self,
        change: &ChunkChange,
        known: Option<Bytes>,
        data: &mut BTreeMap<String, Bytes>,
        gone: &mut Vec<String>,
    ) -> Result<()> {
        if let Some(known) = &known {
            self.task.budget.memory(known.len() as u64)?;
        }
        let new = match bytes::made(change, known.as_ref()) {
            Err(error) if error.code().id == codes::CONFLICT.id => {
                self.conflict(error, &change.chunk);
                return Ok(());
            }
            new => new?,
        };
        let is_there = known == new;
        let outcome = if is_there { ChangeOutcome::MadeBefore } else { ChangeOutcome::Made };
        self.counts.add(outcome, &change.chunk);
        match new {
            Some(new) => drop(data.insert(change.chunk.clone(), new)),
            None => gone.push(change.chunk.clone()),
        }
        Ok(())
    }

    /// The file as the frame has it.
    fn framed(
        &mut self,
        frame: &ChunkFileFrame,
        positions: &BTreeMap<String, u32>,
        data: &BTreeMap<String, Bytes>,
    ) -> Result<Draft<'static>> {
        let form = match &frame.spec {
            None => Form::real(frame.wide_headers),
            Some(spec) => Form::spec(spec.header_size)
                .ok_or_else(|| bad(format!("chunk headers of {} bytes", spec.header_size)))?,
        };
        let mut draft = Draft::new(header(frame), form);
        let tail = BASE64_STANDARD.decode(&frame.tail).map_err(|error| bad(error.to_string()))?;
        draft.tail = Some(tail.into());
        for place in &frame.chunks {
            let plain = match (data.get(&place.chunk), positions.get(&place.chunk)) {
                (Some(plain), _) => plain.clone(),
                (None, Some(n)) => self.chunks.file().plain(*n, &mut self.task.budget)?.clone(),
                (None, None) => return Err(bad(format!("no data for chunk {}", place.chunk))),
            };
            let content = match (&place.stream, place.level, place.packed) {
                (Some(stream), ..) => {
                    let stream = BASE64_STANDARD.decode(stream);
                    let stream = stream.map_err(|error| bad(error.to_string()))?;
                    Content::Stream(stream.into(), plain.len() as u64)
                }
                (None, Some(level), _) => Content::Packed(plain, level),
                (None, None, 0) => match place.unpacked_length {
                    Some(word) => Content::RawWith(plain, word),
                    None => Content::Raw(plain),
                },
                (None, None, _) => return Err(bad("a packed chunk without a level")),
            };
            draft.insert(usize::MAX, place.with(content));
        }
        Ok(draft)
    }

    /// The file with other data in its chunks, with those that are new behind the others, and without those that go.
    fn unframed(
        &mut self,
        frame: Option<&ChunkFileFrame>,
        positions: &BTreeMap<String, u32>,
        data: &BTreeMap<String, Bytes>,
        gone: &[String],
    ) -> Result<Draft<'f>> {
        let file = self.chunks.file();
        let mut draft = Draft::of(file);
        for (path, plain) in data {
            if let Some(position) = positions.get(path) {
                draft.set(*position as usize, plain.clone())?;
                continue;
            }
            let place =
                frame.and_then(|frame| frame.chunks.iter().find(|place| place.chunk == *path));
            let place = place.ok_or_else(|| bad(format!("no frame for chunk {path}")))?;
            let is_packed = match file.form().is_spec() {
                true => place.packed != 0,
                false => file.header().format_version.get() == 3,
            };
            let content = match is_packed {
                true => Content::Packed(plain.clone(), place.level.unwrap_or(6)),
                false => Content::Raw(plain.clone()),
            };
            draft.insert(usize::MAX, place.with(content));
        }
        let mut out: Vec<u32> =
            gone.iter().filter_map(|path| positions.get(path).copied()).collect();
        out.sort_unstable();
        out.into_iter().rev().try_for_each(|position| draft.remove(position as usize))?;
        Ok(draft)
    }
}

impl ChunkPlacement {
    /// The chunk with this content.
    const fn with(&self, content: Content) -> NewChunk {
        let ChunkPlacement { id, occurrence, data_type, packed, .. } = *self;
        NewChunk { id, occurrence, data_type, packed, content }
    }
}

/// Makes a change of a row where what is to be changed is there. Returns whether anything had to be done.
fn make_elsewhere<L: RowList>(
    list: L,
    table: &TableChange,
    change: &RowChange,
    counts: &mut PatchResults,
    task: &mut Task<'_>,
) -> Result<bool> {
    let (mut row, at) = ChangedRow::find(list, change, task)?;
    let outcome = making::make(&mut row, at, task)?;
    let is_made = matches!(outcome, ChangeOutcome::Made);
    let key: Vec<String> = change.key.iter().map(u32::to_string).collect();
    counts.add(outcome, &format!("{}/{}", table.chunk, key.join("/")));
    Ok(is_made)
}

fn header(frame: &ChunkFileFrame) -> FileHeader {
    let [format_version, file_type, file_version, checksum] = frame.header;
    FileHeader {
        magic: Word::new(frame.spec.as_ref().map_or(spellforce::cff::MAGIC, |spec| spec.magic)),
        format_version: U32::new(format_version),
        file_type: U32::new(file_type),
        file_version: U32::new(file_version),
        checksum: Word::new(checksum),
    }
}

/// The plain data of a category with the changes of the file that they were made from, before its rows are ordered.
///
/// # Errors
/// [`BAD_PATCH`](codes::BAD_PATCH) where a row is not there; limits.
pub(super) fn rows(
    table: Table<'_>,
    gamedata: GameData<'_>,
    chunk: u32,
    change: &TableChange,
    slots: &Slots,
    budget: &mut Budget,
) -> Result<Bytes> {
    budget.memory(table.plain().len() as u64)?;
    let mut draft = TableDraft::of(table);
    for row in &change.rows {
        if let Some(fields) = &row.add {
            let new = cell::row(table.category(), fields, slots)?;
            budget.memory(new.row().bytes().len() as u64)?;
            draft.add(new);
            continue;
        }
        let alike = gamedata.find(chunk, &row.key, budget)?;
        let place = alike.get(row.nth as usize).copied();
        let (Some(place), Some(now)) = (place, place.and_then(|place| table.row(place))) else {
            return Err(bad(format!("no row {:?} of {}", row.key, change.table)));
        };
        if row.remove.is_some() {
            draft.remove(place);
            continue;
        }
        let mut new = RowBuf::of(&now);
        budget.memory(new.row().bytes().len() as u64)?;
        // A text is in the code page of its slot, which may change with it.
        let set = || row.set.iter().flatten();
        let is_number = |value: &[Value; 2]| value[1].is_number();
        for (name, values) in set().filter(|(_, values)| is_number(values)) {
            cell::put(&mut new, name, &values[1], slots)?;
        }
        for (name, values) in set().filter(|(_, values)| !is_number(values)) {
            cell::put(&mut new, name, &values[1], slots)?;
        }
        draft.set(place, new);
    }
    Ok(draft.finish())
}

/// Rows that were made.
pub(super) struct RowRanges<'m> {
    plain: &'m [u8],
    ranges: Vec<Range<usize>>,
}

impl<'m> RowRanges<'m> {
    pub(super) fn of(
        category: &'static Category,
        plain: &'m [u8],
        budget: &mut Budget,
    ) -> Result<RowRanges<'m>> {
        let ranges = Table::ranges(category, plain, budget)?;
        Ok(RowRanges { plain, ranges })
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &'m [u8]> + '_ {
        self.ranges.iter().map(|range| self.plain.get(range.clone()).unwrap_or_default())
    }
}

/// Rows in another order.
fn ordered(
    category: &'static Category,
    plain: &[u8],
    order: &[[u32; 2]],
    budget: &mut Budget,
) -> Result<Bytes> {
    let made = RowRanges::of(category, plain, budget)?;
    budget.memory(plain.len() as u64)?;
    let mut all = Vec::with_capacity(plain.len());
    for [first, count] in order {
        let (first, count) = (*first as usize, *count as usize);
        let rows = made.ranges.get(first..first.saturating_add(count));
        let rows = rows.ok_or_else(|| bad("an order of rows that are not there"))?;
        budget.check_cancelled()?;
        if all.len() > plain.len() {
            return Err(bad("an order that has rows twice"));
        }
        rows.iter().for_each(|range| {
            all.extend_from_slice(plain.get(range.clone()).unwrap_or_default());
        });
    }
    if all.len() != plain.len() {
        return Err(bad("an order that leaves rows out"));
    }
    Ok(all.into())
}
