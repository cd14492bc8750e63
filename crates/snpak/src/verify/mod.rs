//! Verification: every row of every index, every chunk once, and what the reference never checks.

mod checked;
mod chunks;

use crate::{
    chain::{self, History},
    codes, generations,
    header::FLAG_TRAILING_INDEX,
    index::{Index, RowError},
    layout::{ChunkBlocks, Layout, PackBlockKind},
    lookup::AssetIdIndex,
    pack::Pack,
    strings::StringTable,
};
use checked::Checked;
use spelunk_core::{Code, Error, Result, Span, Task};

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

fn check(pack: &Pack, ids: &AssetIdIndex, task: &mut Task<'_>) -> Result<()> {
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
fn check_view(pack: &Pack, ids: &AssetIdIndex, task: &mut Task<'_>) -> Result<()> {
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

/// Entries that a later one with the same id hides.
fn check_duplicates(index: &Index, ids: &AssetIdIndex, task: &mut Task<'_>) -> Result<()> {
    for row in ids.all_shadowed() {
        task.budget.steps(1)?;
        let row = *row as usize;
        let at = index.place(0, row).part(0, 16);
        let error = Error::new(&codes::DUPLICATE_ID).at(at).field("asset_id");
        task.note(error.item("entries", row))?;
    }
    Ok(())
}

/// Overlaps and gaps.
fn check_layout(
    pack: &Pack,
    history: History,
    chunks: ChunkBlocks,
    task: &mut Task<'_>,
) -> Result<()> {
    let layout = Layout::of(pack, history, chunks, task)?;
    for at in &layout.overlaps {
        task.warn(Error::new(&codes::OVERLAP).at(*at).found(format!("{} bytes", at.len)))?;
    }
    for block in layout.blocks.iter().filter(|block| block.part == PackBlockKind::Gap) {
        let found = format!("{} bytes", block.len);
        task.note(Error::new(&codes::GAP).at(block.at()).found(found))?;
    }
    Ok(())
}
