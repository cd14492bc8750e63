//! Verification: every row of every index, every chunk once, and what the reference never checks.

mod chunks;

use crate::{
    chain::{self, History},
    codes, generations, hash,
    header::FLAG_TRAILING_INDEX,
    index::{FLAG_HAS_BULK, Index, IndexEntry, RowError},
    layout::{Chunks, Layout, Part},
    lookup::Ids,
    pack::{Pack, bulk_range_error},
    strings::{NO_STRING, StringTable},
};
use spelunk_core::{Class, Code, Error, Result, Span, Task, codes as core};

/// The position that means "no asset" in a list of owners.
const NO_OWNER: u32 = u32::MAX;

/// Reads everything, checks everything, and reports every finding that opening did not. A chunk that
/// asks for more memory or expansion than is allowed is a finding, and the other chunks are checked all
/// the same.
///
/// # Errors
/// What the sink makes of a finding; limits that keep the rest from being checked, the step limit always
/// among them; reading errors.
pub fn verify(pack: &Pack, task: &mut Task<'_>) -> Result<()> {
    // Kept by the pack, and therefore charged outside of what is given back.
    let ids = pack.ids(&mut task.budget)?;
    task.transient(|task| check(pack, ids, task))
}

fn check(pack: &Pack, ids: &Ids, task: &mut Task<'_>) -> Result<()> {
    check_reserved(pack, task)?;
    check_utf8(pack.strings(), task)?;
    if pack.view().is_some() {
        return check_view(pack, ids, task);
    }
    let mut history = pack.history(task)?;
    for problem in std::mem::take(&mut history.problems) {
        task.warn(problem)?;
    }
    let mut all = vec![Checked::new(pack.index(), Some(pack.strings()), task)?];
    for revision in &history.revisions {
        if let Err(error) = revision.index.check_hash(task) {
            older_damage(error, task)?;
        }
        all.push(Checked::new(&revision.index, revision.strings.as_ref(), task)?);
    }
    generations::warn_hidden(&pack.file, &history, task)?;
    check_duplicates(pack.index(), ids, task)?;
    let chunks = chunks::check(pack, &all, task)?;
    drop(all);
    check_layout(pack, history, chunks, task)
}

/// Another generation than the active one: what it shows, and nothing else of the file.
fn check_view(pack: &Pack, ids: &Ids, task: &mut Task<'_>) -> Result<()> {
    let strings = pack.has_names().then(|| pack.strings());
    let shown = Checked::new(pack.index(), strings, task)?;
    check_duplicates(pack.index(), ids, task)?;
    chunks::check(pack, &[shown], task).map(drop)
}

fn older_damage(error: Error, task: &mut Task<'_>) -> Result<()> {
    if !chain::is_damage(&error) {
        return Err(error);
    }
    let at = error.place().unwrap_or(Span::file(0, 0));
    task.warn(Error::new(&codes::CHAIN_DAMAGE).at(at).found(error.message()))
}

fn note(code: &'static Code, at: Span, name: &'static str, task: &mut Task<'_>) -> Result<()> {
    task.note(Error::new(code).at(at).field(name))
}

/// Notes reserved bytes of a row of the active index.
fn row_note(
    at: Span,
    name: &'static str,
    table: &'static str,
    row: usize,
    task: &mut Task<'_>,
) -> Result<()> {
    task.note(Error::new(&codes::RESERVED).at(at).field(name).item(table, row))
}

/// Reserved bytes, flags and type table fields of header, string table and index; of each table of the
/// index the first row that has any.
fn check_reserved(pack: &Pack, task: &mut Task<'_>) -> Result<()> {
    let header = pack.header();
    if header.reserved0.get() != 0 {
        note(&codes::RESERVED, Span::file(96, 4), "reserved0", task)?;
    }
    if header.reserved != [0; 64] {
        note(&codes::RESERVED, Span::file(116, 64), "reserved", task)?;
    }
    if header.flags.get() & !FLAG_TRAILING_INDEX != 0 {
        note(&codes::FLAGS, Span::file(92, 4), "flags", task)?;
    }
    if header.type_table_offset.get() != 0 || header.type_table_size.get() != 0 {
        note(&codes::TYPE_TABLE, Span::file(60, 16), "type_table_offset", task)?;
    }
    if pack.strings().header().reserved0.get() != 0 {
        note(&codes::RESERVED, pack.strings().at().part(20, 4), "reserved0", task)?;
    }
    let index = pack.index();
    if index.header().reserved != [0; 24] {
        note(&codes::RESERVED, index.at().part(64, 24), "reserved", task)?;
    }
    let entry = index.entries().iter().position(|entry| entry.level_bytes()[1] != 0);
    if let Some(row) = entry {
        row_note(index.place(0, row).part(103, 1), "level", "entries", row, task)?;
    }
    let bulk = index.bulk().iter().position(|bulk| bulk.reserved0 != [0; 6]);
    if let Some(row) = bulk {
        row_note(index.place(1, row).part(34, 6), "reserved0", "bulk_entries", row, task)?;
    }
    let owner = index.owners().iter().position(|owner| owner.reserved.get() != 0);
    if let Some(row) = owner {
        row_note(index.place(2, row).part(12, 4), "reserved", "owners", row, task)?;
    }
    let needs = index.dependencies().iter().position(|needs| needs.reserved != [0; 3]);
    if let Some(row) = needs {
        row_note(index.place(3, row).part(21, 3), "reserved", "dependencies", row, task)?;
    }
    Ok(())
}

/// Strings that are not UTF-8.
fn check_utf8(strings: &StringTable, task: &mut Task<'_>) -> Result<()> {
    for (id, offset) in (0..).zip(strings.offsets()) {
        let string = strings.get(id).unwrap_or_default();
        task.budget.touch(string.len() as u64)?;
        if std::str::from_utf8(string).is_err() {
            let at = strings.data_at().part(offset.get().into(), string.len() as u64);
            task.note(Error::new(&codes::NOT_UTF8).at(at).item("strings", id as usize))?;
        }
    }
    Ok(())
}

/// Names and variants against their hashes. Each string is hashed once.
fn check_names(index: &Index, strings: &StringTable, task: &mut Task<'_>) -> Result<()> {
    let mut hashes = task.budget.vec::<u64>(strings.count().into())?;
    for id in 0..strings.count() {
        let string = strings.get(id).unwrap_or_default();
        task.budget.touch(string.len() as u64)?;
        hashes.push(hash::hash64(string));
    }
    let hash_of = |id: u32| hashes.get(id as usize).copied();
    task.budget.steps(index.entries().len() as u64)?;
    for (row, entry) in index.entries().iter().enumerate() {
        let place = index.place(0, row);
        let name = entry.name_string_id.get();
        let variant = entry.variant_string_id.get();
        for (id, at, field) in [(name, 52, "name_string_id"), (variant, 64, "variant_string_id")] {
            if id != NO_STRING && id >= strings.count() {
                task.warn(
                    Error::new(&codes::NAME_ID)
                        .at(place.part(at, 4))
                        .field(field)
                        .item("entries", row)
                        .expected(format!("an id below {}, or none", strings.count()))
                        .found(id),
                )?;
            }
        }
        // Without a name there is nothing to compare; without a variant its hash is 0.
        let name_hash = hash_of(name).unwrap_or(entry.name_hash64.get());
        let variant_hash = match variant {
            NO_STRING => 0,
            id => hash_of(id).unwrap_or(entry.variant_hash64.get()),
        };
        for (code, at, field, expected, found) in [
            (&codes::NAME_HASH, 56, "name_hash64", name_hash, entry.name_hash64.get()),
            (&codes::VARIANT_HASH, 68, "variant_hash64", variant_hash, entry.variant_hash64.get()),
        ] {
            if expected != found {
                task.warn(
                    Error::new(code)
                        .at(place.part(at, 8))
                        .field(field)
                        .item("entries", row)
                        .expected(format!("{expected:#018x}"))
                        .found(format!("{found:#018x}")),
                )?;
            }
        }
    }
    task.budget.release((hashes.capacity() as u64).saturating_mul(size_of::<u64>() as u64));
    Ok(())
}

/// Entries that a later one with the same id hides.
fn check_duplicates(index: &Index, ids: &Ids, task: &mut Task<'_>) -> Result<()> {
    for row in ids.all_shadowed() {
        task.budget.steps(1)?;
        let row = *row as usize;
        let at = index.place(0, row).part(0, 16);
        let error = Error::new(&codes::DUPLICATE_ID).at(at).field("asset_id");
        task.note(error.item("entries", row))?;
    }
    Ok(())
}

/// An index and the asset of each of its bulk entries.
struct Checked<'p> {
    index: &'p Index,
    /// The table of its names, where that is known.
    strings: Option<&'p StringTable>,
    owners: Vec<u32>,
}

impl<'p> Checked<'p> {
    /// Checks the bulk ranges of the entries.
    fn new(
        index: &'p Index,
        strings: Option<&'p StringTable>,
        task: &mut Task<'_>,
    ) -> Result<Checked<'p>> {
        let mut owners = task.budget.vec::<u32>(index.bulk().len() as u64)?;
        owners.resize(index.bulk().len(), NO_OWNER);
        let mut checked = Checked { index, strings, owners };
        let mut seen = Vec::new();
        for (row, entry) in (0_u32..).zip(index.entries()) {
            checked.check_range(row, entry, task)?;
            checked.check_sub_indexes(row, entry, &mut seen, task)?;
        }
        if let Some(row) = checked.owners.iter().position(|owner| *owner == NO_OWNER) {
            let count = checked.owners.iter().filter(|owner| **owner == NO_OWNER).count();
            task.warn(
                Error::new(&codes::BULK_UNUSED)
                    .at(index.place(1, row))
                    .item("bulk_entries", row)
                    .found(format!("{count} without an asset")),
            )?;
        }
        Ok(checked)
    }

    fn check_range(&mut self, row: u32, entry: &IndexEntry, task: &mut Task<'_>) -> Result<()> {
        let error = |code, at: u64, len, name| {
            let place = self.index.place(0, row as usize).part(at, len);
            Error::new(code).at(place).field(name).item("entries", row as usize)
        };
        let count = entry.bulk_count.get();
        let flag = entry.flags & FLAG_HAS_BULK != 0;
        if entry.flags & !FLAG_HAS_BULK != 0 {
            task.note(error(&codes::FLAGS, 101, 1, "flags"))?;
        }
        if flag != (count != 0) {
            let found = format!("flag {flag}, count {count}");
            task.warn(error(&codes::BULK_FLAG, 101, 1, "flags").found(found))?;
        }
        if let Some(error) = bulk_range_error(self.index, entry, row as usize) {
            return task.error(error);
        }
        let range = self.index.bulk_range(entry).unwrap_or_default();
        task.budget.steps(range.len() as u64)?;
        let mut other = None;
        for owner in self.owners.get_mut(range).unwrap_or_default() {
            let asset = self.index.entries().get(*owner as usize).map(|entry| entry.asset_id);
            match asset {
                None => *owner = row,
                Some(asset) if asset != entry.asset_id => other = Some(*owner),
                Some(_) => {}
            }
        }
        match other {
            None => Ok(()),
            Some(other) => task.error(
                Error::new(&codes::BULK_SHARED)
                    .at(self.index.place(0, row as usize).part(104, 8))
                    .field("bulk_first_index")
                    .item("entries", row as usize)
                    .found(format!("bulk entries of the asset at {other}")),
            ),
        }
    }

    fn check_sub_indexes(
        &self,
        row: u32,
        entry: &IndexEntry,
        seen: &mut Vec<(u32, u32)>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let range = self.index.bulk_range(entry).unwrap_or_default();
        let more = (range.len().saturating_sub(seen.capacity()) as u64).saturating_mul(8);
        task.budget.memory(more)?;
        seen.clear();
        let bulk = self.index.bulk().get(range).unwrap_or_default();
        seen.extend(bulk.iter().map(|bulk| (bulk.semantic.get(), bulk.sub_index.get())));
        seen.sort_unstable();
        if seen.is_sorted_by(|a, b| a < b) {
            return Ok(());
        }
        let error = Error::new(&codes::SUB_INDEX).at(self.index.place(0, row as usize));
        task.note(error.field("bulk").item("entries", row as usize))
    }

    /// Checks the names.
    fn names(&self, task: &mut Task<'_>) -> Result<()> {
        self.strings.map_or(Ok(()), |strings| check_names(self.index, strings, task))
    }

    /// The asset of a bulk entry.
    fn owner(&self, bulk: usize) -> Option<usize> {
        self.owners.get(bulk).filter(|owner| **owner != NO_OWNER).map(|owner| *owner as usize)
    }
}

/// What is wrong with one chunk, a limit included, does not end the verification of the others. Only
/// the step limit does, since it is drawn down by all of them together.
pub(crate) fn finding(error: Error, task: &mut Task<'_>) -> Result<()> {
    let fatal = error.code().class == Class::Io || error.code().id == core::STEPS.id;
    if fatal { Err(error) } else { task.error(error) }
}

/// Overlaps and gaps.
fn check_layout(pack: &Pack, history: History, chunks: Chunks, task: &mut Task<'_>) -> Result<()> {
    let layout = Layout::of(pack, history, chunks, task)?;
    for at in &layout.overlaps {
        task.warn(Error::new(&codes::OVERLAP).at(*at).found(format!("{} bytes", at.len)))?;
    }
    for block in layout.blocks.iter().filter(|block| block.part == Part::Gap) {
        let found = format!("{} bytes", block.len);
        task.note(Error::new(&codes::GAP).at(block.at()).found(found))?;
    }
    Ok(())
}
