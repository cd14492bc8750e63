//! Making the changes of a patch to a GameData.

use super::{
    Both, ChunkChange, Frame, Place, RowChange, TableChange, TablePatch, bad,
    cell::{self, Slots},
    make::{paths, table},
};
use crate::{
    Bytes, Error, Opened, Result, Seg, Task, WriteOptions, codes,
    languages::gamedata,
    pack::Origin,
    patch::{Applied, make::print},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;
use spellforce::{
    cff::{Content, Draft, FileHeader, NewChunk},
    gamedata::{AnyRow, Category, GameData, RowBuf, Table, TableDraft},
};
use spelunk_core::{
    Budget,
    scalar::{U32, Word},
};
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// Makes the changes of a patch to a file. To the file that it was made from it makes the other one, byte for byte.
///
/// # Errors
/// [`BAD_PATCH`](codes::BAD_PATCH) where the patch contradicts itself; [`NO_PATCH`](codes::NO_PATCH) for a file that is no
/// GameData; reading errors; limits.
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
    let source = opened.run(|container, task| {
        let gamedata = gamedata(container)
            .map_err(|_| Error::new(&codes::NO_PATCH).found(container.format()))?;
        let mut work = Work {
            gamedata,
            slots: Both {
                old: Slots::parse(&patch.code_pages.old)?,
                new: Slots::parse(&patch.code_pages.new)?,
            },
            same_file,
            applied: &mut applied,
            task,
        };
        work.made(patch)
    })?;
    applied.opened = Opened::open(source, origin.options)?;
    Ok(applied)
}

struct Work<'f, 'w, 't> {
    gamedata: GameData<'f>,
    slots: Both<Slots>,
    same_file: bool,
    applied: &'w mut Applied,
    task: &'w mut Task<'t>,
}

impl<'f> Work<'f, '_, '_> {
    /// The bytes of the file with the changes.
    fn made(&mut self, patch: &TablePatch) -> Result<Arc<dyn crate::Source>> {
        let file = self.gamedata.file();
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
        self.applied.conflicts.push(error.within(Seg::Key(at.to_owned().into())));
    }

    /// The plain data of a category with the changes.
    fn table(&mut self, position: u32, change: &TableChange) -> Result<Option<Bytes>> {
        let budget = &mut self.task.budget;
        let Some(table) = table(self.gamedata, position, budget)? else {
            let error = Error::new(&codes::CONFLICT).expected(change.table.clone());
            self.conflict(error.found("something else"), &change.chunk);
            return Ok(None);
        };
        if self.same_file {
            let plain = rows(table, self.gamedata, position, change, &self.slots.new, budget)?;
            self.applied.made = self.applied.made.saturating_add(change.rows.len() as u64);
            let Some(order) = change.order.as_ref().filter(|order| !order.new.is_empty()) else {
                return Ok(Some(plain));
            };
            return ordered(table.category(), &plain, &order.new, budget).map(Some);
        }
        let mut draft = TableDraft::of(table);
        for row in &change.rows {
            let made = self.row(position, &mut draft, row);
            match made {
                Ok(true) => self.applied.made = self.applied.made.saturating_add(1),
                Ok(false) => {
                    self.applied.made_before = self.applied.made_before.saturating_add(1);
                }
                Err(error) if error.code().id == codes::CONFLICT.id => {
                    let key: Vec<String> = row.key.iter().map(u32::to_string).collect();
                    self.conflict(error, &format!("{}/{}", change.chunk, key.join("/")));
                }
                Err(error) => return Err(error),
            }
        }
        Ok((!draft.is_empty()).then(|| draft.finish()))
    }

    /// Makes the change of a row where what is to be changed is there. Tells whether anything had to be done.
    fn row(&mut self, chunk: u32, draft: &mut TableDraft<'_>, change: &RowChange) -> Result<bool> {
        let alike = self.gamedata.find(chunk, &change.key, &mut self.task.budget)?;
        let nth = change.nth as usize;
        let category = draft.table().category();
        if let Some(fields) = &change.add {
            let new = cell::row(category, fields, &self.slots.new)?;
            let same =
                |row: &usize| draft.row(*row).is_some_and(|row| row.bytes() == new.row().bytes());
            if alike.iter().any(same) {
                return Ok(false);
            }
            if alike.len() > nth {
                return Err(conflict("no such row", "another one"));
            }
            draft.add(new);
            return Ok(true);
        }
        let row = alike.get(nth).copied();
        if let Some(fields) = &change.remove {
            let Some(row) = row else { return Ok(false) };
            let old = cell::row(category, fields, &self.slots.old)?;
            if draft.row(row).is_none_or(|row| row.bytes() != old.row().bytes()) {
                return Err(conflict("the row that is to go", "other values"));
            }
            draft.remove(row);
            return Ok(true);
        }
        let Some((row, now)) = row.and_then(|row| Some((row, draft.row(row)?))) else {
            return Err(conflict("the row", "none"));
        };
        let mut new = RowBuf::of(&now);
        let mut stale = false;
        for (name, [old, wanted]) in change.set.iter().flatten() {
            let slots = [&self.slots.old, &self.slots.new];
            let [was, is] = [(old, slots[0]), (wanted, slots[1])].map(|(value, slots)| {
                let mut row = RowBuf::of(&now);
                cell::put(&mut row, name, value, slots).map(|()| row)
            });
            let (was, is) = (was?, is?);
            if is.row().bytes() == now.bytes() {
                continue;
            }
            if was.row().bytes() != now.bytes() {
                let found = told(&now, name, &self.slots.new);
                return Err(conflict(&format!("{name} {old}"), &found));
            }
            cell::put(&mut new, name, wanted, &self.slots.new)?;
            stale = true;
        }
        if stale {
            draft.set(row, new);
        }
        Ok(stale)
    }

    /// Makes the change of data that is no rows.
    fn chunk(
        &mut self,
        change: &ChunkChange,
        known: Option<Bytes>,
        data: &mut BTreeMap<String, Bytes>,
        gone: &mut Vec<String>,
    ) -> Result<()> {
        let bytes = |text: &Option<String>| {
            let bytes = text.as_ref().map(|text| BASE64_STANDARD.decode(text)).transpose();
            bytes.map(|bytes| bytes.map(Bytes::from)).map_err(|error| bad(error.to_string()))
        };
        let (old, new) = (bytes(&change.old)?, bytes(&change.new)?);
        if known == new {
            self.applied.made_before = self.applied.made_before.saturating_add(1);
        } else if known != old {
            let size = |bytes: &Option<Bytes>| {
                bytes.as_ref().map_or("none".to_owned(), |bytes| format!("{} bytes", bytes.len()))
            };
            self.conflict(conflict(&size(&old), &format!("other {}", size(&known))), &change.chunk);
            return Ok(());
        } else {
            self.applied.made = self.applied.made.saturating_add(1);
        }
        match new {
            Some(new) => drop(data.insert(change.chunk.clone(), new)),
            None => gone.push(change.chunk.clone()),
        }
        Ok(())
    }

    /// The file as the frame has it.
    fn framed(
        &mut self,
        frame: &Frame,
        positions: &BTreeMap<String, u32>,
        data: &BTreeMap<String, Bytes>,
    ) -> Result<Draft<'static>> {
        let mut draft = Draft::new(header(frame), frame.wide_headers);
        let tail = BASE64_STANDARD.decode(&frame.tail).map_err(|error| bad(error.to_string()))?;
        draft.tail = Some(tail.into());
        for place in &frame.chunks {
            let plain = match (data.get(&place.chunk), positions.get(&place.chunk)) {
                (Some(plain), _) => plain.clone(),
                (None, Some(n)) => self.gamedata.file().plain(*n, &mut self.task.budget)?.clone(),
                (None, None) => return Err(bad(format!("no data for chunk {}", place.chunk))),
            };
            let content = match (&place.stream, place.level, place.packed) {
                (Some(stream), ..) => {
                    let stream = BASE64_STANDARD.decode(stream);
                    let stream = stream.map_err(|error| bad(error.to_string()))?;
                    Content::Stream(stream.into(), plain.len() as u64)
                }
                (None, Some(level), _) => Content::Packed(plain, level),
                (None, None, 0) => Content::Raw(plain),
                (None, None, _) => return Err(bad("a packed chunk without a level")),
            };
            draft.insert(usize::MAX, place.with(content));
        }
        Ok(draft)
    }

    /// The file with other data in its chunks, with those that are new behind the others, and without those that go.
    fn unframed(
        &mut self,
        frame: Option<&Frame>,
        positions: &BTreeMap<String, u32>,
        data: &BTreeMap<String, Bytes>,
        gone: &[String],
    ) -> Result<Draft<'f>> {
        let file = self.gamedata.file();
        let mut draft = Draft::of(file);
        for (path, plain) in data {
            if let Some(position) = positions.get(path) {
                draft.set(*position as usize, plain.clone())?;
                continue;
            }
            let place =
                frame.and_then(|frame| frame.chunks.iter().find(|place| place.chunk == *path));
            let place = place.ok_or_else(|| bad(format!("no frame for chunk {path}")))?;
            let is_packed = file.header().format_version.get() == 3;
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

impl Place {
    /// The chunk with this content.
    const fn with(&self, content: Content) -> NewChunk {
        let Place { id, occurrence, data_type, packed, .. } = *self;
        NewChunk { id, occurrence, data_type, packed, content }
    }
}

fn conflict(expected: &str, found: &str) -> Error {
    Error::new(&codes::CONFLICT).expected(expected.to_owned()).found(found.to_owned())
}

/// The value of a field, for people.
fn told(row: &AnyRow<'_>, name: &str, slots: &Slots) -> String {
    match row.category().field(name) {
        Some(field) => cell::value(row, field, slots).to_string(),
        None => cell::corners(row).to_string(),
    }
}

fn header(frame: &Frame) -> FileHeader {
    let [format_version, file_type, file_version, checksum] = frame.header;
    FileHeader {
        magic: Word::new(spellforce::cff::MAGIC),
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
pub(super) struct Made<'m> {
    plain: &'m [u8],
    ranges: Vec<Range<usize>>,
}

impl<'m> Made<'m> {
    pub(super) fn of(
        category: &'static Category,
        plain: &'m [u8],
        budget: &mut Budget,
    ) -> Result<Made<'m>> {
        let ranges = Table::ranges(category, plain, budget)?;
        Ok(Made { plain, ranges })
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
    let made = Made::of(category, plain, budget)?;
    budget.memory(plain.len() as u64)?;
    let mut all = Vec::with_capacity(plain.len());
    for [first, count] in order {
        let (first, count) = (*first as usize, *count as usize);
        let rows = made.ranges.get(first..first.saturating_add(count));
        let rows = rows.ok_or_else(|| bad("an order of rows that are not there"))?;
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
