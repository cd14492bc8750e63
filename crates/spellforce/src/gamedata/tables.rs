//! The tables of an opened GameData, and what is found out about them.

use super::{
    languages::{Asked, Languages},
    lookup::{IdOrder, Ordered},
    schema::{Category, Schema, TEXTS, TextRow},
    table::{AnyRow, Table, polygon_starts, slot_of},
};
use crate::cff::{Chunk, ChunkFile};
use spelunk_core::{Budget, Error, Result, Seg, Span, Task, text::CodePages};
use std::{borrow::Cow, fmt::Write, sync::OnceLock};

/// The category of these that explains the rows of a chunk: its id and its data type are known.
pub fn category_of(schema: Schema, chunk: &Chunk) -> Option<&'static Category> {
    schema.category(chunk.id()).filter(|category| category.data_type == chunk.data_type())
}

/// Look-ups in the tables of a file, each made when it is first asked for.
#[derive(Clone, Debug)]
pub(crate) struct TableLookups {
    /// By the position of the chunk.
    known: Vec<(u32, TableLookup)>,
    asked: OnceLock<Asked>,
    languages: OnceLock<Languages>,
}

/// A table, and look-ups in it.
#[derive(Clone, Debug)]
struct TableLookup {
    category: &'static Category,
    starts: OnceLock<Vec<u32>>,
    order: OnceLock<IdOrder>,
}

impl TableLookups {
    /// Nothing is found out yet.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn new(file: &ChunkFile, task: &mut Task<'_>) -> Result<TableLookups> {
        let schema = file.form().schema();
        let table = |(n, chunk): (u32, &Chunk)| {
            let category = category_of(schema, chunk).filter(|_| !chunk.is_damaged())?;
            let (starts, order) = (OnceLock::new(), OnceLock::new());
            Some((n, TableLookup { category, starts, order }))
        };
        let tables = || (0..).zip(file.chunks()).filter_map(table);
        let mut known = task.budget.vec(tables().count() as u64)?;
        known.extend(tables());
        Ok(TableLookups { known, asked: OnceLock::new(), languages: OnceLock::new() })
    }

    /// Bytes of memory that what was found out takes.
    pub(crate) fn held(&self) -> u64 {
        let list = (self.known.len() as u64).saturating_mul(size_of::<(u32, TableLookup)>() as u64);
        let words = self.known.iter().map(|(_, known)| {
            let starts = known.starts.get().map_or(0, Vec::len);
            starts.saturating_add(known.order.get().map_or(0, IdOrder::len)) as u64
        });
        let words = words.fold(0, u64::saturating_add);
        list.saturating_add(words.saturating_mul(size_of::<u32>() as u64))
    }

    /// Nothing is found out yet of the file after an edit, but the same was asked for, and texts are in the code pages that
    /// they were in.
    ///
    /// # Errors
    /// Limits.
    pub(crate) fn again(&self, file: &ChunkFile, task: &mut Task<'_>) -> Result<TableLookups> {
        let tables = TableLookups::new(file, task)?;
        let mut asked = self.asked.get().cloned().unwrap_or_default();
        let known = self.languages.get().into_iter().flat_map(Languages::all);
        let is_asked = |slot: u8| asked.slots.iter().any(|(known, _)| *known == slot);
        let more: Vec<_> = known
            .filter(|language| !is_asked(language.slot))
            .map(|language| (language.slot, language.pages.clone()))
            .collect();
        asked.slots.extend(more);
        let _ = tables.asked.set(asked);
        Ok(tables)
    }
}

/// An opened GameData.
#[derive(Clone, Copy, Debug)]
pub struct GameData<'f> {
    file: &'f ChunkFile,
    tables: &'f TableLookups,
}

impl<'f> GameData<'f> {
    pub(crate) const fn new(file: &'f ChunkFile, tables: &'f TableLookups) -> GameData<'f> {
        GameData { file, tables }
    }

    /// The chunks.
    pub const fn file(&self) -> &'f ChunkFile {
        self.file
    }

    /// The categories that a file of this form may have.
    pub const fn schema(&self) -> Schema {
        self.file.form().schema()
    }

    /// The positions of the chunks that are tables, with their categories, in the order of the file.
    pub fn categories(&self) -> impl Iterator<Item = (u32, &'static Category)> + use<'f> {
        self.tables.known.iter().map(|(n, known)| (*n, known.category))
    }

    /// The positions of the chunks of a category: one, in all real files that have it.
    pub fn chunks_of(&self, id: i16) -> impl Iterator<Item = u32> + use<'f> {
        self.categories().filter(move |(_, category)| category.id == id).map(|(n, _)| n)
    }

    fn known(&self, chunk: u32) -> Result<&'f TableLookup> {
        let at = self.tables.known.binary_search_by_key(&chunk, |(n, _)| *n).ok();
        let known = at.and_then(|at| self.tables.known.get(at));
        known.map(|(_, known)| known).ok_or_else(not_found)
    }

    /// The rows of the chunk at this position, which is inflated for that if it is packed.
    ///
    /// # Errors
    /// [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) where it is no table; when it cannot be read; limits.
    pub fn table(&self, chunk: u32, budget: &mut Budget) -> Result<Table<'f>> {
        let known = self.known(chunk)?;
        let category = known.category;
        let plain = self.file.plain(chunk, budget)?;
        let starts = match known.starts.get() {
            Some(starts) => starts.as_slice(),
            None if category.is_polygons() => {
                let mark = budget.mark();
                let starts = polygon_starts(plain, budget)?;
                budget.keep(mark, &known.starts, starts).as_slice()
            }
            None => &[],
        };
        Ok(Table::new(category, plain, starts))
    }

    /// The tables of a category: one, in all real files that have it.
    ///
    /// # Errors
    /// Those of [`GameData::table`].
    pub fn tables(&self, id: i16, budget: &mut Budget) -> Result<Vec<Table<'f>>> {
        self.chunks_of(id).map(|n| self.table(n, budget)).collect()
    }

    /// The rows of a chunk whose keys begin with these values, by their positions, in the order of the file. The first
    /// search looks at all ids once; where they do not ascend, their order is made and stays charged.
    ///
    /// # Errors
    /// Those of [`GameData::table`].
    pub fn find(&self, chunk: u32, key: &[u32], budget: &mut Budget) -> Result<Vec<usize>> {
        let Ordered { table, order } = self.ordered(chunk, budget)?;
        order.find(&table, key, budget)
    }

    /// The rows of a chunk in the order of their ids.
    pub(super) fn ordered(&self, chunk: u32, budget: &mut Budget) -> Result<Ordered<'f>> {
        let table = self.table(chunk, budget)?;
        let known = self.known(chunk)?;
        let order = match known.order.get() {
            Some(order) => order,
            None => {
                let mark = budget.mark();
                let order = IdOrder::of(&table, budget)?;
                budget.keep(mark, &known.order, order)
            }
        };
        Ok(Ordered { table, order })
    }

    /// The path of a row: that of its chunk, its key, and which of those it is where several rows have that key.
    ///
    /// # Errors
    /// Those of [`GameData::find`]; [`NOT_FOUND`](spelunk_core::codes::NOT_FOUND) where there is no such row.
    pub fn path(&self, chunk: u32, row: usize, budget: &mut Budget) -> Result<String> {
        let of = self.file.chunk(chunk).ok_or_else(not_found)?;
        let Ordered { table, order } = self.ordered(chunk, budget)?;
        let found = table.row(row).ok_or_else(not_found)?;
        let mut path = self.file.path(of);
        let key = found.key_values();
        for part in &key {
            let _ = write!(path, "/{part}");
        }
        let mut alike = order.around(&table, row, &key, budget)?;
        if let Some(nth) = alike.clone().position(|other| other == row)
            && alike.nth(1).is_some()
        {
            let _ = write!(path, "@{nth}");
        }
        Ok(path)
    }

    /// Returns the place of a row.
    ///
    /// # Errors
    /// As [`GameData::path`].
    pub fn at(&self, chunk: u32, row: usize, budget: &mut Budget) -> Result<Span> {
        let range = self.table(chunk, budget)?.range(row).ok_or_else(not_found)?;
        let at = self.file.section(chunk, budget)?.plain_at();
        Ok(at.part(range.start as u64, range.len() as u64))
    }

    /// Asks for code pages. That counts the first time, and before the languages were found out.
    pub fn ask(&self, asked: Asked) {
        let _ = self.tables.asked.set(asked);
    }

    /// The languages of the texts.
    ///
    /// # Errors
    /// When the texts cannot be read; limits.
    pub fn languages(&self, budget: &mut Budget) -> Result<&'f Languages> {
        if let Some(languages) = self.tables.languages.get() {
            return Ok(languages);
        }
        let texts = self.tables(TEXTS, budget)?;
        let asked = self.tables.asked.get_or_init(Asked::default);
        let asked = match self.schema() {
            Schema::Real => Cow::Borrowed(asked),
            Schema::Spec => Cow::Owned(asked.clone().or_specified()),
        };
        let mark = budget.mark();
        let languages = Languages::of(&texts, &asked, budget)?;
        Ok(budget.keep(mark, &self.tables.languages, languages))
    }

    /// Whether texts of ASCII are shown as they are, whatever language they are in. Of the code pages that are found out that is
    /// so of each.
    pub fn shows_ascii_as_it_is(&self) -> bool {
        let asked = self.tables.asked.get_or_init(Asked::default);
        let pages = asked.slots.iter().map(|(_, pages)| pages).chain(&asked.pages);
        pages.into_iter().all(CodePages::are_ascii_compatible)
    }

    /// The row of a text in the language of a slot. Without one there, it is that of language 0 or else the first one,
    /// where it is to `fall_back`, as the community's editor does.
    ///
    /// # Errors
    /// When the texts cannot be read; limits.
    pub fn text(
        &self,
        id: u32,
        slot: u8,
        fall_back: bool,
        budget: &mut Budget,
    ) -> Result<Option<AnyRow<'f>>> {
        let key = [id];
        let (mut in_slot, mut in_first, mut first) = (None, None, None);
        for chunk in self.chunks_of(TEXTS) {
            let Ordered { table, order } = self.ordered(chunk, budget)?;
            let rows = order.with_key(&table, &key, budget)?;
            for row in rows.filter_map(|row| table.row(row)) {
                first = first.or(Some(row));
                match slot_of(&row) {
                    found if found == slot => in_slot = in_slot.or(Some(row)),
                    0 => in_first = in_first.or(Some(row)),
                    _ => {}
                }
            }
        }
        Ok(in_slot.or(in_first.or(first).filter(|_| fall_back)))
    }

    /// The rows of the line of dialogue with this handle, by chunk and position. All handles are looked at.
    ///
    /// # Errors
    /// When the texts cannot be read; limits.
    pub fn dialogue(&self, handle: &[u8], budget: &mut Budget) -> Result<Vec<(u32, usize)>> {
        let mut found = Vec::new();
        for chunk in self.chunks_of(TEXTS) {
            found.extend(
                self.with_handle(chunk, TextRow::HANDLE, handle, budget)?.map(|row| (chunk, row)),
            );
        }
        Ok(found)
    }

    /// The rows of a chunk that have this text in a field, whatever the case of its letters.
    ///
    /// # Errors
    /// Those of [`GameData::table`].
    pub fn with_handle<'h>(
        &self,
        chunk: u32,
        field: usize,
        handle: &'h [u8],
        budget: &mut Budget,
    ) -> Result<impl Iterator<Item = usize> + use<'f, 'h>> {
        let table = self.table(chunk, budget)?;
        budget.steps(table.len() as u64)?;
        let is = move |row: AnyRow<'f>| {
            spelunk_core::text::until_nul(row.field(field)).eq_ignore_ascii_case(handle)
        };
        Ok(table.rows().enumerate().filter(move |(_, row)| is(*row)).map(|(nth, _)| nth))
    }
}

fn not_found() -> Error {
    Error::new(&spelunk_core::codes::NOT_FOUND)
}

/// Reports known categories with another data type than the known one. In real files it is the version of a layout, which another
/// program may know; in the dialect `spec` a category has but one, and programs are said to refuse others.
///
/// # Errors
/// What the task's sink makes of the findings.
pub(crate) fn note_data_types(file: &ChunkFile, task: &mut Task<'_>) -> Result<()> {
    let schema = file.form().schema();
    for (n, chunk) in (0_u64..).zip(file.chunks()) {
        let Some(category) = schema.category(chunk.id()) else { continue };
        if category.data_type != chunk.data_type() {
            let error = Error::new(&crate::codes::CATEGORY_DATA_TYPE)
                .at(file.form().data_type_at(chunk.at()))
                .expected(i32::from(category.data_type))
                .found(i32::from(chunk.data_type()));
            let error = error.field("data_type").within(Seg::Index(n)).field("chunks");
            match schema {
                Schema::Real => task.note(error)?,
                Schema::Spec => task.warn(error)?,
            }
        }
    }
    Ok(())
}
