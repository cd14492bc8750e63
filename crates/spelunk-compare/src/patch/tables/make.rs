//! Making patches of chunk files.

use super::{
    apply, bytes,
    cell::{self, Slots},
    chunks::{chunks, paths, table},
    form::{Both, ChunkFileFrame, ChunkPlacement, RowChange, SpecFrame, TableChange, TablePatch},
    lists,
};
use crate::patch::form::{VERSION, bad, print};
use spellforce::{
    cff::{Chunk, ChunkFile, Chunks, List},
    gamedata::{self, AnyRow, GameData, Table},
    spec::DIALECT,
};
use spelunk_core::{Budget, Error, Result, Task};
use spelunk_open::{Opened, codes, model, skeleton::Origin};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// The patch that makes `new` of `old`, both chunk files of one kind.
///
/// # Errors
/// [`NO_PATCH`](codes::NO_PATCH) where one is none; [`OTHER_FORMAT`](codes::OTHER_FORMAT); reading errors; limits.
pub fn between(old: &Origin<'_>, new: &Origin<'_>) -> Result<TablePatch> {
    let (old_print, new_print) = (print(old)?, print(new)?);
    let mut a = Opened::open(old.source.clone(), old.options)?;
    let mut b = Opened::open(new.source.clone(), new.options)?;
    a.run_silent(|a, task| {
        b.run_silent(|b, other_task| {
            let (old, new) = (chunks(a)?, chunks(b)?);
            if a.format() != b.format() {
                let error = Error::new(&codes::OTHER_FORMAT).expected(a.format());
                return Err(error.found(b.format()));
            }
            model::one_dialect(a, b)?;
            let mut maker = Maker {
                old: IndexedChunks::of(old, &mut task.budget)?,
                new: IndexedChunks::of(new, &mut other_task.budget)?,
                task,
            };
            let mut patch = TablePatch {
                spelunk_patch: VERSION,
                format: a.format().to_owned(),
                dialect: old.file().form().is_spec().then(|| DIALECT.to_owned()),
                old: old_print,
                new: new_print,
                code_pages: Both {
                    old: maker.old.slots.to_pages(),
                    new: maker.new.slots.to_pages(),
                },
                tables: Vec::new(),
                chunks: Vec::new(),
                frame: None,
            };
            maker.changes(&mut patch)?;
            maker.frame(&mut patch)?;
            Ok(patch)
        })
    })
}

/// A file of a patch.
struct IndexedChunks<'f> {
    chunks: &'f Chunks,
    gamedata: Option<GameData<'f>>,
    slots: Slots,
    /// The chunks by their paths.
    paths: BTreeMap<String, u32>,
}

impl<'f> IndexedChunks<'f> {
    fn of(chunks: &'f Chunks, budget: &mut Budget) -> Result<IndexedChunks<'f>> {
        let gamedata = chunks.gamedata();
        let slots = match gamedata {
            Some(gamedata) => Slots::of(gamedata.languages(budget)?),
            None => Slots::default(),
        };
        let paths = paths(chunks.file()).into_iter().zip(0..).collect();
        Ok(IndexedChunks { chunks, gamedata, slots, paths })
    }

    /// The table that a chunk is, if it is one without anything behind its rows.
    fn table(&self, chunk: u32, budget: &mut Budget) -> Result<Option<(GameData<'f>, Table<'f>)>> {
        let Some(gamedata) = self.gamedata else { return Ok(None) };
        Ok(table(gamedata, chunk, budget)?.map(|table| (gamedata, table)))
    }

    /// The list that a chunk is, if it is one that is stored as we store it.
    fn list(&self, chunk: u32, task: &mut Task<'_>) -> Result<Option<List>> {
        let Some(list) = self.chunks.list(chunk, task)? else { return Ok(None) };
        let plain = self.chunks.file().plain(chunk, &mut task.budget)?;
        Ok(list.clone().finish().is_ok_and(|again| again == *plain).then_some(list))
    }
}

/// A row of a table by its key, and which of those with the key it is.
fn keyed<'f>(
    gamedata: GameData<'f>,
    chunk: u32,
    row: usize,
    budget: &mut Budget,
) -> Result<Option<(AnyRow<'f>, RowChange)>> {
    let Some(found) = gamedata.table(chunk, budget)?.row(row) else { return Ok(None) };
    let key = found.key_values();
    let alike = gamedata.find(chunk, &key, budget)?;
    let nth = alike.iter().position(|other| *other == row).unwrap_or_default();
    let nth = u32::try_from(nth).unwrap_or(u32::MAX);
    Ok(Some((found, RowChange { key, nth, ..RowChange::default() })))
}

struct Maker<'f, 't, 's> {
    old: IndexedChunks<'f>,
    new: IndexedChunks<'f>,
    task: &'t mut Task<'s>,
}

impl Maker<'_, '_, '_> {
    /// Compares the chunks: rows where both files have a table, records where both have a list, else their data.
    fn changes(&mut self, patch: &mut TablePatch) -> Result<()> {
        let mut paths: Vec<String> = super::chunks::paths(self.old.chunks.file());
        let new = super::chunks::paths(self.new.chunks.file());
        paths.extend(new.into_iter().filter(|path| !self.old.paths.contains_key(path)));
        for path in paths {
            let chunks = [&self.old, &self.new].map(|side| side.paths.get(&path).copied());
            if let [Some(old), Some(new)] = chunks {
                let change = match self.rows(&path, old, new)? {
                    None => self.records(&path, old, new)?,
                    change => change,
                };
                if let Some(change) = change {
                    let is_one = !change.rows.is_empty() || change.order.is_some();
                    patch.tables.extend(is_one.then_some(change));
                    continue;
                }
            }
            let [old, new] = chunks;
            let budget = &mut self.task.budget;
            let old = old.map(|n| self.old.chunks.file().plain(n, budget)).transpose()?;
            let new = new.map(|n| self.new.chunks.file().plain(n, budget)).transpose()?;
            let [old, new] = [old, new].map(|plain| plain.map(|it| &**it));
            patch.chunks.extend(bytes::change(path, old, new, budget)?);
        }
        Ok(())
    }

    /// Compares the records of a chunk; `None` where it is no such list in both files.
    fn records(&mut self, path: &str, old: u32, new: u32) -> Result<Option<TableChange>> {
        let lists = self.old.list(old, self.task)?.zip(self.new.list(new, self.task)?);
        let is_alike = |(a, b): &(List, List)| a.record() == b.record() && a.size() == b.size();
        let Some((a, b)) = lists.filter(is_alike) else {
            return Ok(None);
        };
        let Some(rows) = lists::changes(&a, &b, self.task)? else { return Ok(None) };
        let table = a.record().name.to_owned();
        Ok(Some(TableChange { chunk: path.to_owned(), table, rows, order: None }))
    }

    /// Compares the rows of a chunk; `None` where it is no table in both files.
    fn rows(&mut self, path: &str, old: u32, new: u32) -> Result<Option<TableChange>> {
        let budget = &mut self.task.budget;
        let tables = self.old.table(old, budget)?.zip(self.new.table(new, budget)?);
        let tables = tables.filter(|((_, a), (_, b))| a.category() == b.category());
        let Some(((in_old, a), (in_new, b))) = tables else { return Ok(None) };
        let table = a.category().table.to_owned();
        let mut change =
            TableChange { chunk: path.to_owned(), table, rows: Vec::new(), order: None };
        if a.plain() == b.plain() {
            return Ok(Some(change));
        }
        for it in gamedata::compare((in_old, old), (in_new, new), budget)? {
            change.rows.extend(self.row((in_old, old), (in_new, new), it)?);
        }
        // The order that follows from the changes, there and back.
        let budget = &mut self.task.budget;
        let made = apply::rows(a, in_old, old, &change, &self.new.slots, budget)?;
        budget.steps(change.rows.len() as u64)?;
        let back = change.reversed();
        let unmade = apply::rows(b, in_new, new, &back, &self.old.slots, budget)?;
        budget.steps(back.rows.len() as u64)?;
        change = back.reversed();
        let order = Both { old: order(&unmade, a, budget)?, new: order(&made, b, budget)? };
        let is_wanted = !order.old.is_empty() || !order.new.is_empty();
        change.order = is_wanted.then_some(order);
        Ok(Some(change))
    }

    /// Returns the change of a row.
    fn row(
        &mut self,
        (in_old, old): (GameData<'_>, u32),
        (in_new, new): (GameData<'_>, u32),
        change: gamedata::RowChange,
    ) -> Result<Option<RowChange>> {
        let budget = &mut self.task.budget;
        Ok(match change {
            gamedata::RowChange::Removed(row) => {
                keyed(in_old, old, row, budget)?.map(|(row, change)| {
                    let remove = Some(cell::fields(&row, &self.old.slots));
                    RowChange { remove, ..change }
                })
            }
            gamedata::RowChange::Added(row) => {
                keyed(in_new, new, row, budget)?.map(|(row, change)| {
                    let add = Some(cell::fields(&row, &self.new.slots));
                    RowChange { add, ..change }
                })
            }
            gamedata::RowChange::Changed { old: row, new: other } => {
                let before = keyed(in_old, old, row, budget)?;
                let after = in_new.table(new, budget)?.row(other);
                before.zip(after).map(|((before, change), after)| {
                    let set = self.fields(&before, &after);
                    RowChange { set: Some(set), ..change }
                })
            }
        })
    }

    /// The fields that change.
    fn fields(
        &self,
        old: &AnyRow<'_>,
        new: &AnyRow<'_>,
    ) -> BTreeMap<String, [serde_json::Value; 2]> {
        let mut fields = BTreeMap::new();
        for (nth, slot) in old.category().fields().iter().enumerate() {
            if old.field(nth) != new.field(nth) {
                let values = [
                    cell::value(old, nth, &self.old.slots),
                    cell::value(new, nth, &self.new.slots),
                ];
                fields.insert(slot.field.name.to_owned(), values);
            }
        }
        if !old.corners().eq(new.corners()) {
            // How many there are follows from them.
            fields.remove("vertex_count");
            fields.insert(cell::CORNERS.to_owned(), [cell::corners(old), cell::corners(new)]);
        }
        fields
    }

    /// Header, chunks and tail, where they differ.
    fn frame(&mut self, patch: &mut TablePatch) -> Result<()> {
        let old = frame(self.old.chunks.file(), &mut self.task.budget)?;
        let new = frame(self.new.chunks.file(), &mut self.task.budget)?;
        // Chunks that are made anew have their length, whatever those said that they take the places of.
        let differs = new.chunks.iter().any(|place| place.unpacked_length.is_some())
            || old.chunks.iter().any(|place| place.unpacked_length.is_some());
        if old != new || differs {
            patch.frame = Some(Both { old, new });
        }
        Ok(())
    }
}

/// The order that made rows have to be brought into: runs of them. Nothing where they are in order.
fn order(made: &[u8], wanted: Table<'_>, budget: &mut Budget) -> Result<Vec<[u32; 2]>> {
    if made == wanted.plain() {
        return Ok(Vec::new());
    }
    let made = apply::RowRanges::of(wanted.category(), made, budget)?;
    budget.memory((made.len() as u64).saturating_mul(64))?;
    let mut places: HashMap<&[u8], VecDeque<u32>> = HashMap::new();
    for (nth, row) in (0_u32..).zip(made.rows()) {
        budget.touch(row.len() as u64)?;
        places.entry(row).or_default().push_back(nth);
    }
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for row in wanted.rows() {
        budget.touch(row.bytes().len() as u64)?;
        let place = places.get_mut(row.bytes()).and_then(VecDeque::pop_front);
        let place = place.ok_or_else(|| bad("rows that cannot be put in order"))?;
        match runs.last_mut() {
            Some([first, count]) if first.checked_add(*count) == Some(place) => {
                *count = count.saturating_add(1);
            }
            _ => runs.push([place, 1]),
        }
    }
    Ok(runs)
}

/// Returns the frame that the chunks of a file lie in.
fn frame(file: &ChunkFile, budget: &mut Budget) -> Result<ChunkFileFrame> {
    let header = file.header();
    let words = [
        header.format_version.get(),
        header.file_type.get(),
        header.file_version.get(),
        header.checksum.get(),
    ];
    let mut chunks = Vec::with_capacity(file.chunks().len());
    for ((n, chunk), path) in (0..).zip(file.chunks()).zip(paths(file)) {
        chunks.push(place(file, n, chunk, path, budget)?);
    }
    let tail = file.tail_bytes(budget)?;
    let wide_headers = file.wide_headers();
    let spec = file.form().is_spec().then(|| SpecFrame {
        magic: header.magic.get(),
        header_size: file.form().header_len(false),
    });
    let tail = bytes::text(&tail, budget)?;
    Ok(ChunkFileFrame { header: words, wide_headers, spec, chunks, tail })
}

fn place(
    file: &ChunkFile,
    n: u32,
    chunk: &Chunk,
    path: String,
    budget: &mut Budget,
) -> Result<ChunkPlacement> {
    let mut place = ChunkPlacement {
        chunk: path,
        id: chunk.id(),
        occurrence: chunk.occurrence(),
        data_type: chunk.data_type(),
        packed: chunk.packed(),
        level: None,
        stream: None,
        unpacked_length: None,
    };
    let unpacked = chunk.unpacked().map(|unpacked| unpacked.unpacked_length.get());
    if let Some(word) = unpacked.filter(|_| !chunk.is_packed()) {
        place.unpacked_length =
            Some(word).filter(|word| i64::from(*word) != chunk.stored_len().cast_signed());
    }
    if chunk.is_packed() {
        let section = file.section(n, budget)?;
        place.level = section.level(budget)?;
        if place.level.is_none() {
            place.stream = Some(bytes::text(section.stored_bytes(), budget)?);
        }
    }
    Ok(place)
}
