//! Tables into a file: what all forms are read by.

use super::{
    Imported,
    cell::{self, Cell},
    column::{CategoryColumn, ColumnKind, columns},
    sidecar::{self, Hex, Pages, Sidecar, SidecarChunk, Strings},
};
use spellforce::{
    cff::{Content, Draft, Form, NewChunk},
    gamedata::{AnyRow, Category, Key, RowBuf, Schema},
};
use spelunk_core::{Bytes, Error, Result, Section, Seg, Space, Span, Task, WriteOptions};
use spelunk_open::{Opened, Options, codes, document::silent, skeleton::roomy};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The level for what was not packed at any known one; that of the community's editor.
const USUAL_LEVEL: u8 = 6;

/// A file that is put together from tables.
#[derive(Debug)]
pub struct Builder {
    sidecar: Sidecar,
    form: Form,
    pages: Pages,
    options: Options,
    /// Plain data by the id of the category.
    plain: BTreeMap<i16, Plain>,
    strings: HashMap<&'static str, Strings>,
    /// Bytes of rows so far.
    taken: u64,
}

/// The rows of a category as they go into its chunk.
#[derive(Debug)]
struct Plain {
    bytes: Vec<u8>,
    rows: u64,
}

impl Builder {
    /// A file with this sidecar, which came with `len` bytes of tables.
    ///
    /// # Errors
    /// [`BAD_TABLES`](codes::BAD_TABLES) where the sidecar is damaged; [`CODE_PAGE`](codes::core::CODE_PAGE).
    pub fn new(mut sidecar: Sidecar, len: u64, options: &Options) -> Result<Builder> {
        let pages = Pages::of(&sidecar, &options.languages)?;
        let form = sidecar.form()?;
        let mut seen = BTreeSet::new();
        for (nth, part) in sidecar.chunks.iter().enumerate() {
            let within = |error: Error| error.within(Seg::Index(nth as u64)).field("chunks");
            let category = part.category(form.schema()).map_err(within)?;
            if category.is_some_and(|category| !seen.insert(category.id)) {
                let error = Error::new(&codes::BAD_TABLES).expected("a table of one chunk");
                return Err(within(error));
            }
            if category.is_some() == part.data.is_some() {
                return Err(within(Error::new(&codes::BAD_TABLES).expected("a table, or data")));
            }
            if let Some(level) = part.level.filter(|level| *level > 9) {
                let error = Error::new(&codes::BAD_TABLES).expected("a level of 0 to 9");
                return Err(within(error.found(u64::from(level)).field("level")));
            }
        }
        let mut strings: HashMap<_, Strings> = HashMap::new();
        for (nth, stored) in std::mem::take(&mut sidecar.strings).into_iter().enumerate() {
            let category = form.schema().category_named(&stored.table);
            let column = category.and_then(|category| {
                columns(category).iter().position(|column| column.name == stored.column)
            });
            let Some((category, column)) = category.zip(column) else {
                let error = Error::new(&codes::BAD_TABLES).expected("a column of a table");
                return Err(error.within(Seg::Index(nth as u64)).field("strings"));
            };
            let strings = strings.entry(category.table).or_default();
            strings.add(stored.row, column, stored.bytes.0);
        }
        let options = roomy(options, len);
        Ok(Builder { sidecar, form, pages, options, plain: BTreeMap::new(), strings, taken: 0 })
    }

    /// The categories that rows are asked of: those that the file had, and those that are `there` beside them.
    ///
    /// # Errors
    /// [`BAD_TABLES`](codes::BAD_TABLES) where one that the file had is not there.
    pub fn categories(&self, there: impl Fn(&Category) -> bool) -> Result<Vec<&'static Category>> {
        let had: BTreeSet<i16> = self.tables().map(|part| part.id).collect();
        let mut all = Vec::new();
        for category in self.schema().categories() {
            match (there(category), had.contains(&category.id)) {
                (true, _) => all.push(*category),
                (false, true) => {
                    let expected = format!("a table `{}`, with or without rows", category.table);
                    return Err(Error::new(&codes::BAD_TABLES).expected(expected));
                }
                (false, false) => {}
            }
        }
        Ok(all)
    }

    /// The categories that the file may have.
    pub const fn schema(&self) -> Schema {
        self.form.schema()
    }

    fn tables(&self) -> impl Iterator<Item = &SidecarChunk> {
        self.sidecar.chunks.iter().filter(|part| part.table.is_some())
    }

    /// The rows of a category, to be filled in.
    ///
    /// # Errors
    /// [`BAD_TABLES`](codes::BAD_TABLES) where they were read already.
    pub fn rows(&mut self, category: &'static Category) -> Result<CategoryRows<'_>> {
        if self.plain.contains_key(&category.id) {
            let error = Error::new(&codes::BAD_TABLES).expected("one table of this name");
            return Err(error.field(category.table));
        }
        let had = self.tables().find(|part| part.id == category.id).and_then(|part| part.rows);
        Ok(CategoryRows {
            category,
            columns: columns(category),
            strings: self.strings.remove(category.table).unwrap_or_default(),
            had: i64::try_from(had.unwrap_or_default()).unwrap_or(i64::MAX),
            room: self.options.limits(0).memory.saturating_sub(self.taken),
            bytes: Vec::new(),
            places: Vec::new(),
            row: RowBuf::new(category),
            builder: self,
        })
    }

    /// The file.
    ///
    /// # Errors
    /// [`BAD_TABLES`](codes::BAD_TABLES) where a table is missing; limits.
    pub fn finish(mut self) -> Result<Imported> {
        let options = self.options.clone();
        let mut findings = spelunk_core::Collect::default();
        let mut task = silent(&options, &mut findings);
        task.budget.memory(self.taken)?;
        let like = self.tables().next().cloned();
        let schema = self.schema();
        let mut draft = Draft::new(sidecar::header(&self.sidecar.header)?, self.form);
        let parts = std::mem::take(&mut self.sidecar.chunks);
        let mut chunks = Vec::new();
        for part in parts {
            let plain = self.plain.remove(&part.id).filter(|_| part.table.is_some());
            chunks.extend(chunk(part, plain, self.form, &mut task)?);
        }
        // Categories that the file did not have go to where all known files have them.
        let order = |id: i16| schema.categories().iter().position(|category| category.id == id);
        for category in schema.categories() {
            let Some(plain) = self.plain.remove(&category.id).filter(|plain| plain.rows > 0) else {
                continue;
            };
            let own = order(category.id);
            let behind = |new: &NewChunk| order(new.id).is_some_and(|other| Some(other) > own);
            let at = chunks.iter().position(behind).unwrap_or(chunks.len());
            let part = SidecarChunk {
                id: category.id,
                data_type: category.data_type,
                packed: like.as_ref().map_or(0, |like| like.packed),
                level: Some(USUAL_LEVEL),
                ..SidecarChunk::default()
            };
            if let Some(new) = chunk(part, Some(plain), self.form, &mut task)? {
                chunks.insert(at, new);
            }
        }
        for (at, chunk) in chunks.into_iter().enumerate() {
            draft.insert(at, chunk);
        }
        draft.tail = Some(self.sidecar.tail.0.into());
        let source = draft.source(&mut task)?;
        let opened = Opened::open(source, &options)?;
        Ok(Imported { opened, options: WriteOptions::default() })
    }
}

/// A chunk, with these rows where it is a table. `None` where the last row was taken out.
fn chunk(
    part: SidecarChunk,
    plain: Option<Plain>,
    form: Form,
    task: &mut Task<'_>,
) -> Result<Option<NewChunk>> {
    let SidecarChunk { id, occurrence, packed, data_type, .. } = part;
    let new = |content| Some(NewChunk { id, occurrence, data_type, packed, content });
    let raw = |bytes: Bytes| match part.unpacked_length {
        Some(word) => Content::RawWith(bytes, word),
        None => Content::Raw(bytes),
    };
    if let Some(Hex(stored)) = part.data {
        let stored = Bytes::from(stored);
        return Ok(match (packed, part.unpacked_length) {
            (0, _) => new(raw(stored)),
            (_, Some(len)) if len >= 0 => {
                new(Content::Stream(stored, u64::from(len.unsigned_abs())))
            }
            // The dialect stores none.
            (_, None) if form.is_spec() => new(Content::Stream(stored, 0)),
            _ => return Err(Error::new(&codes::BAD_TABLES).expected("an unpacked length")),
        });
    }
    let Some(Plain { mut bytes, rows }) = plain else {
        return Err(Error::new(&codes::BAD_TABLES).expected("a table").found(i32::from(id)));
    };
    if rows == 0 && part.rows.is_some_and(|rows| rows > 0) {
        return Ok(None);
    }
    bytes.extend(part.remainder.map(|remainder| remainder.0).unwrap_or_default());
    let plain = Bytes::from(bytes);
    if packed == 0 {
        return Ok(new(raw(plain)));
    }
    if let Some(Hex(stream)) = part.stream {
        let (stream, len) = (Bytes::from(stream), plain.len() as u64);
        let at = Span::file(0, stream.len() as u64);
        let section = Section::zlib(at, stream.clone(), Space::nth("chunk", 0), len);
        if section.plain(&mut task.budget).is_ok_and(|old| *old == plain) {
            return Ok(new(Content::Stream(stream, len)));
        }
    }
    Ok(new(Content::Packed(plain, part.level.unwrap_or(USUAL_LEVEL))))
}

/// Rows of a category that are read.
#[derive(Debug)]
pub struct CategoryRows<'b> {
    category: &'static Category,
    columns: Vec<CategoryColumn>,
    strings: Strings,
    /// Number of rows of the chunk before.
    had: i64,
    /// Bytes that the rows may take together.
    room: u64,
    bytes: Vec<u8>,
    /// Place of each row in the category, and the end of the row in the bytes.
    places: Vec<(Option<i64>, usize)>,
    /// The row that is read, to be used again.
    row: RowBuf,
    builder: &'b mut Builder,
}

impl CategoryRows<'_> {
    /// The columns.
    pub fn columns(&self) -> &[CategoryColumn] {
        &self.columns
    }

    /// The position of a column.
    ///
    /// # Errors
    /// [`BAD_TABLES`](codes::BAD_TABLES) where there is none of this name.
    pub fn column(&self, name: &str) -> Result<usize> {
        self.columns.iter().position(|column| column.name == name).ok_or_else(|| {
            let names: Vec<_> = self.columns.iter().map(|column| column.name).collect();
            Error::new(&codes::BAD_TABLES)
                .expected(format!("columns {}", names.join(", ")))
                .found(format!("`{name}`"))
                .field(self.category.table)
        })
    }

    /// Adds a row: its place, where it has one, and its cells by column.
    ///
    /// # Errors
    /// What is wrong with a cell, with table, row and column; limits.
    pub fn push(&mut self, place: Option<i64>, cells: &[Cell<'_>]) -> Result<()> {
        self.row.clear();
        let at = place.unwrap_or_else(|| i64::try_from(self.places.len()).unwrap_or(i64::MAX));
        let table = self.category.table;
        let within = |error: Error| {
            let row = Seg::Index(u64::try_from(at).unwrap_or_default());
            error.within(row).field(table)
        };
        for (column, cell) in self.columns.iter().zip(cells) {
            let named = |error: Error| within(error.within(Seg::Field(column.name)));
            match column.kind {
                ColumnKind::Json => {
                    let corners = cell::corners_of(cell).map_err(named)?;
                    self.row.set_corners(&corners)
                }
                ColumnKind::Text => Ok(()),
                ColumnKind::Hex => cell::put_hex(&mut self.row, column.field, cell),
                _ => cell::put_number(&mut self.row, column.field, cell),
            }
            .map_err(within)?;
        }
        // The code page of a text follows from a number of its row.
        for (nth, (column, cell)) in self.columns.iter().zip(cells).enumerate() {
            if column.kind != ColumnKind::Text {
                continue;
            }
            let pages = self.builder.pages.get(self.row.row().slot(column.field));
            let named = |error: Error| within(error.within(Seg::Field(column.name)));
            let text = cell::text_of(cell).map_err(named)?;
            let old =
                place.and_then(|place| self.strings.get((place, nth), text, column.size, pages));
            match old {
                Some(old) => self.row.put_field(column.field, old),
                None => self.row.set_text(column.field, text, pages, false).map_err(within)?,
            }
        }
        // Beside the rows themselves, their places.
        let taken = (self.row.row().bytes().len() as u64)
            .saturating_add(size_of::<(Option<i64>, usize)>() as u64);
        self.room = self
            .room
            .checked_sub(taken)
            .ok_or_else(|| Error::new(&codes::core::MEMORY).field(self.category.table))?;
        self.builder.taken = self.builder.taken.saturating_add(taken);
        self.bytes.extend_from_slice(self.row.row().bytes());
        self.places.push((place, self.bytes.len()));
        Ok(())
    }

    /// Ends the rows: old ones stand by their places, new ones before the first one whose key is greater.
    ///
    /// # Errors
    /// [`REPEATED_ROW`](codes::REPEATED_ROW) where two rows have one place.
    pub fn finish(self) -> Result<()> {
        let CategoryRows { category, had, room, bytes, places, builder, .. } = self;
        let rows = places.len() as u64;
        let is_old = |place: &Option<i64>| place.is_some_and(|place| place < had);
        let ascends = places.is_sorted_by(|(a, _), (b, _)| a < b);
        let bytes = if ascends && places.last().is_none_or(|(last, _)| is_old(last)) {
            bytes
        } else if (bytes.len() as u64) > room {
            return Err(Error::new(&codes::core::MEMORY).field(category.table));
        } else {
            sorted(category, &bytes, &places, is_old)?
        };
        builder.plain.insert(category.id, Plain { bytes, rows });
        Ok(())
    }
}

/// Rows in the order that they belong in.
fn sorted(
    category: &'static Category,
    bytes: &[u8],
    places: &[(Option<i64>, usize)],
    is_old: impl Fn(&Option<i64>) -> bool,
) -> Result<Vec<u8>> {
    let mut start = 0;
    let mut old: Vec<(i64, &[u8])> = Vec::new();
    let mut new: Vec<(Option<Key>, &[u8])> = Vec::new();
    let mut seen = BTreeSet::new();
    for (place, end) in places {
        let row = bytes.get(start..*end).unwrap_or_default();
        start = *end;
        if let Some(place) = place.filter(|place| !seen.insert(*place)) {
            let at = Seg::Index(u64::try_from(place).unwrap_or_default());
            return Err(Error::new(&codes::REPEATED_ROW).within(at).field(category.table));
        }
        match place {
            Some(number) if is_old(place) => old.push((*number, row)),
            _ => new.push((key(category, row), row)),
        }
    }
    old.sort_unstable_by_key(|(place, _)| *place);
    new.sort_by_key(|(key, _)| *key);
    let mut out = Vec::with_capacity(bytes.len());
    let mut new = new.into_iter().peekable();
    for (_, row) in old {
        let own = key(category, row);
        while let Some((_, before)) = new.next_if(|(key, _)| *key < own) {
            out.extend_from_slice(before);
        }
        out.extend_from_slice(row);
    }
    new.for_each(|(_, row)| out.extend_from_slice(row));
    Ok(out)
}

fn key(category: &'static Category, row: &[u8]) -> Option<Key> {
    AnyRow::of(category, row).map(|row| row.key())
}
