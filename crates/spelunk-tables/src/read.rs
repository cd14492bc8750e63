//! Tables out of a file: what all forms write.

use super::{
    cell::{self, Cell},
    column::{CategoryColumn, columns},
    sidecar::{self, Hex, LanguageSlot, Sidecar, SidecarChunk, StoredText},
};
use spellforce::{
    cff::{Chunk, ChunkFile},
    gamedata::{Category, GameData, Languages, Table},
};
use spelunk_core::{Container, Error, Result, Task};
use spelunk_open::{codes, languages::gamedata};
use std::collections::BTreeSet;

/// The tables of a file.
#[derive(Debug)]
pub struct Tables<'f> {
    gamedata: GameData<'f>,
    /// The languages of the texts.
    pub languages: &'f Languages,
    /// Everything that is no row. Texts that do not stand for all of their bytes are added when their rows are read.
    pub sidecar: Sidecar,
    /// The tables, in the order of the file, with the positions of their chunks.
    tables: Vec<(u32, &'static Category)>,
}

impl<'f> Tables<'f> {
    /// The tables of a file, with all that is no row. The first chunk of a known category that can be inflated is one.
    ///
    /// # Errors
    /// [`NO_TABLES`](codes::NO_TABLES) for other formats; reading errors; limits.
    pub fn of(container: &'f dyn Container, task: &mut Task<'_>) -> Result<Tables<'f>> {
        let gamedata = gamedata(container)?;
        let (mut known, mut seen) = (Vec::new(), BTreeSet::new());
        for (n, category) in gamedata.categories() {
            task.budget.steps(1)?;
            if !seen.contains(&category.id) && gamedata.file().plain(n, &mut task.budget).is_ok() {
                seen.insert(category.id);
                known.push((n, category));
            }
        }
        let languages = gamedata.languages(&mut task.budget)?;
        let file = gamedata.file();
        let form = file.form();
        let mut parts = Vec::new();
        for (n, chunk) in (0..).zip(file.chunks()) {
            task.budget.steps(1)?;
            let category = known.iter().find(|(at, _)| *at == n);
            parts.push(match category {
                Some((_, category)) => table_part(gamedata, n, chunk, category, task)?,
                None => opaque_part(file, n, chunk, task)?,
            });
        }
        let tail = match file.tail().len {
            0 => Vec::new(),
            _ => file.tail_bytes(&mut task.budget)?.to_vec(),
        };
        let slots = languages.all().map(|language| LanguageSlot {
            slot: language.slot,
            code: language.code.map(str::to_owned),
            name: language.name.map(str::to_owned),
            pages: language.pages.to_string(),
        });
        let sidecar = Sidecar {
            header: sidecar::words(file.header()),
            wide_headers: file.wide_headers(),
            spec_header_size: form.is_spec().then(|| form.header_len(false)),
            tail: Hex(tail),
            pages: languages.pages(None).to_string(),
            languages: slots.collect(),
            chunks: parts,
            strings: Vec::new(),
        };
        Ok(Tables { gamedata, languages, sidecar, tables: known })
    }

    /// The categories that there are tables of, in the order of the file.
    pub fn categories(&self) -> Vec<&'static Category> {
        self.tables.iter().map(|(_, category)| *category).collect()
    }

    fn table(&self, category: &Category, task: &mut Task<'_>) -> Result<Table<'f>> {
        let found = self.tables.iter().find(|(_, known)| known.id == category.id);
        let (chunk, _) = *found.ok_or_else(|| Error::new(&codes::core::NOT_FOUND))?;
        self.gamedata.table(chunk, &mut task.budget)
    }

    /// Hands out the rows of a category: their places and their cells, by column.
    ///
    /// # Errors
    /// Reading errors; limits; what `each` returns.
    pub fn rows(
        &mut self,
        category: &'static Category,
        task: &mut Task<'_>,
        each: &mut dyn FnMut(i64, &[Cell<'_>]) -> Result<()>,
    ) -> Result<()> {
        let table = self.table(category, task)?;
        let columns = columns(category);
        let mut cells = Vec::with_capacity(columns.len());
        for (place, row) in (0..).zip(table.rows()) {
            task.budget.touch(row.bytes().len() as u64)?;
            cells.clear();
            for column in &columns {
                let pages = self.languages.pages(row.slot(column.field));
                let (cell, is_all) = cell::of(&row, column, pages);
                if !is_all {
                    let bytes = row.field(column.field);
                    self.keep(category, place, column, bytes, task)?;
                }
                cells.push(cell);
            }
            each(place, &cells)?;
        }
        Ok(())
    }

    /// Keeps the bytes of a field whose text does not stand for all of them.
    #[cold]
    fn keep(
        &mut self,
        category: &Category,
        row: i64,
        column: &CategoryColumn,
        bytes: &[u8],
        task: &mut Task<'_>,
    ) -> Result<()> {
        task.budget.memory((bytes.len() as u64).saturating_add(128))?;
        self.sidecar.strings.push(StoredText {
            table: category.table.to_owned(),
            row,
            column: column.name.to_owned(),
            bytes: Hex(bytes.to_vec()),
        });
        Ok(())
    }
}

/// The part of any chunk.
fn part(chunk: &Chunk) -> SidecarChunk {
    SidecarChunk {
        id: chunk.id(),
        occurrence: chunk.occurrence(),
        packed: chunk.packed(),
        data_type: chunk.data_type(),
        ..SidecarChunk::default()
    }
}

/// The part of a table: all but its rows.
fn table_part(
    gamedata: GameData<'_>,
    n: u32,
    chunk: &Chunk,
    category: &Category,
    task: &mut Task<'_>,
) -> Result<SidecarChunk> {
    let table = gamedata.table(n, &mut task.budget)?;
    let remainder = table.remainder();
    task.budget.memory(remainder.len() as u64)?;
    let mut part = SidecarChunk {
        table: Some(category.table.to_owned()),
        rows: Some(table.len() as u64),
        remainder: (!remainder.is_empty()).then(|| Hex(remainder.to_vec())),
        ..part(chunk)
    };
    if chunk.is_packed() {
        let section = gamedata.file().section(n, &mut task.budget)?;
        part.level = section.level(&mut task.budget)?;
        if part.level.is_none() {
            let stored = section.stored_bytes();
            task.budget.memory(stored.len() as u64)?;
            part.stream = Some(Hex(stored.to_vec()));
        }
    } else if let Some(unpacked) = chunk.unpacked() {
        // Without a meaning here, and kept.
        let word = unpacked.unpacked_length.get();
        part.unpacked_length =
            (i64::from(word) != chunk.stored_len().cast_signed()).then_some(word);
    }
    Ok(part)
}

/// A chunk that is no table.
fn opaque_part(
    file: &ChunkFile,
    n: u32,
    chunk: &Chunk,
    task: &mut Task<'_>,
) -> Result<SidecarChunk> {
    let stored = file.stored(n, &mut task.budget)?;
    task.budget.memory(stored.len() as u64)?;
    Ok(SidecarChunk {
        data: Some(Hex(stored.to_vec())),
        unpacked_length: chunk.unpacked().map(|unpacked| unpacked.unpacked_length.get()),
        ..part(chunk)
    })
}
