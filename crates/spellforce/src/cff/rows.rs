//! The rows of GameData as entries: `ID/KEY`, `TABLE/KEY` or `ID[ROW]`, and what is known of each. Records of maps, which have
//! no keys, are entries too.

use super::{
    chunk::{Chunk, Data, not_found},
    chunks::Chunks,
    detect::Kind,
    item::ChunkFileNode,
    records::walk_section,
};
use crate::{
    fields::fields,
    gamedata::{self, AnyRow, Category, GameData, Languages, TEXTS, schema::TextRow},
};
use spelunk_core::{
    Bytes, Entry, Group, Node, Record, Result, Span, Task, Val, Walk, Walked, container::Each,
    source::part, text::CodePages,
};

fields! {
    ROW: "row" U32 "Position of the row in its category, from 0 on.";
    COUNT: "count" U64 "Number of rows with this id.";
    REMAINDER: "remainder" Bytes "Bytes behind the last whole row. They are damage, and kept." "bytes";
}

static ROWS: Record = Record::group(
    "rows",
    "docs/formats/gamedata.md",
    "The rows of a category, in the order of the file.",
);

/// Part of a path behind the id of a category.
enum RowPath<'p> {
    /// Nothing: the category.
    Nothing,
    /// `[ROW]`.
    Row(usize),
    /// `/KEY`, and which of those with this key.
    Key(&'p str, Option<usize>),
}

/// Splits `2016.3[17]` and `texts/5/0@1`: the chunk and the rest.
fn parse(path: &str) -> Option<(&str, RowPath<'_>)> {
    if let Some((chunk, key)) = path.split_once('/') {
        let (key, nth) = match key.rsplit_once('@') {
            Some((key, nth)) => (key, Some(nth.parse().ok()?)),
            None => (key, None),
        };
        return Some((chunk, RowPath::Key(key, nth)));
    }
    match path.strip_suffix(']') {
        Some(path) => {
            let (chunk, row) = path.split_once('[')?;
            Some((chunk, RowPath::Row(row.parse().ok()?)))
        }
        None => Some((path, RowPath::Nothing)),
    }
}

/// The numbers of `5/0`; `None` where it is something else.
fn numbers(key: &str) -> Option<Vec<u32>> {
    key.split('/').map(|part| part.parse().ok()).collect()
}

/// The text field by which rows of a category may be asked for.
fn handle(category: &Category) -> Option<usize> {
    category.field("handle").or_else(|| category.field("ui_handle"))
}

/// The text that a row is called by, where it refers to one: the position of that field.
fn name_of(category: &Category) -> Option<usize> {
    ["name_id", "text_id", "button_name_id"].into_iter().find_map(|name| {
        let field = category.field(name)?;
        let refers = category.fields().get(field)?.field.refers?;
        (refers.table == TEXTS.cast_unsigned()).then_some(field)
    })
}

impl Chunks {
    /// The row that an entry is, if it is one.
    ///
    /// # Errors
    /// When the category cannot be read; limits.
    pub fn row(&self, node: Node, task: &mut Task<'_>) -> Result<Option<AnyRow<'_>>> {
        let ChunkFileNode::Row(n, row) = ChunkFileNode::of(node) else { return Ok(None) };
        Ok(self.tables()?.table(n, &mut task.budget)?.row(row as usize))
    }

    /// The position of the chunk that an entry is, if it is one.
    pub fn position(&self, node: Node) -> Option<u32> {
        match ChunkFileNode::of(node) {
            ChunkFileNode::Chunk(n) => Some(n),
            _ => None,
        }
    }

    /// The entry that the row at this position of a chunk is.
    pub fn row_node(&self, chunk: u32, row: usize) -> Node {
        ChunkFileNode::Row(chunk, row as u32).node()
    }

    /// The languages of the texts, where it is a GameData.
    pub(super) fn languages(&self, task: &mut Task<'_>) -> Result<Option<&Languages>> {
        match self.gamedata() {
            Some(gamedata) => gamedata.languages(&mut task.budget).map(Some),
            None => Ok(None),
        }
    }

    /// The entries that a path names.
    pub(super) fn find_path(
        &self,
        path: &str,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<Vec<Node>> {
        let Some((name, rest)) = parse(path) else { return Ok(Vec::new()) };
        let (name, occurrence) = match name.split_once('.') {
            Some((name, occurrence)) => (name, Some(occurrence)),
            None => (name, None),
        };
        let id = self.kind.id_named(name).or_else(|| name.parse().ok());
        let occurrence = occurrence.map(str::parse::<i16>);
        let (Some(id), None | Some(Ok(_))) = (id, &occurrence) else { return Ok(Vec::new()) };
        let occurrence = occurrence.and_then(std::result::Result::ok);
        let with_id = self.file.with_id(id);
        if matches!(rest, RowPath::Nothing) && occurrence.is_none() && with_id.len() > 1 {
            return Ok(vec![ChunkFileNode::Id(id).node()]);
        }
        let mut found = Vec::new();
        for (n, chunk) in with_id.iter().filter_map(|n| Some((*n, self.file.chunk(*n)?))) {
            task.budget.steps(1)?;
            if occurrence.is_some_and(|occurrence| occurrence != chunk.occurrence()) {
                continue;
            }
            match rest {
                RowPath::Nothing => found.push(ChunkFileNode::Chunk(n).node()),
                RowPath::Row(row) => {
                    let rows = self.rows(n, chunk, task)?;
                    if rows.is_some_and(|rows| (row as u64) < rows) {
                        found.push(ChunkFileNode::Row(n, row as u32).node());
                    }
                }
                // Records of maps have no key but their position.
                RowPath::Key(key, _)
                    if self.record_of(chunk).is_some() || self.map2_structure(chunk).is_some() =>
                {
                    let rows = self.rows(n, chunk, task)?;
                    let row = key.parse::<u32>().ok();
                    let row = row.filter(|row| rows.is_some_and(|rows| u64::from(*row) < rows));
                    found.extend(row.map(|row| ChunkFileNode::Row(n, row).node()));
                }
                RowPath::Key(key, nth) => {
                    if let Some(category) = self.category(chunk) {
                        self.find_key(n, category, (key, nth), pages, task, &mut found)?;
                    }
                }
            }
        }
        Ok(found)
    }

    /// The rows of a chunk that a key names: numbers, or a handle. Several rows of one id are a group, where the key is
    /// nothing but the id.
    fn find_key(
        &self,
        n: u32,
        category: &Category,
        (key, nth): (&str, Option<usize>),
        pages: &CodePages,
        task: &mut Task<'_>,
        found: &mut Vec<Node>,
    ) -> Result<()> {
        let gamedata = self.tables()?;
        let rows = match numbers(key) {
            Some(numbers) if numbers.len() > category.key => return Ok(()),
            Some(numbers) => {
                let rows = gamedata.find(n, &numbers, &mut task.budget)?;
                if let ([id], [_, _, ..], None) = (&*numbers, &*rows, nth)
                    && category.key > 1
                {
                    found.push(ChunkFileNode::Group(n, *id).node());
                    return Ok(());
                }
                rows
            }
            None => {
                let field = handle(category);
                let Some((field, handle)) = field.zip(pages.encode(key)) else { return Ok(()) };
                gamedata.with_handle(n, field, &handle, &mut task.budget)?.collect()
            }
        };
        let rows = rows.into_iter().enumerate();
        let rows = rows.filter(|(position, _)| nth.is_none_or(|nth| nth == *position));
        found.extend(rows.map(|(_, row)| ChunkFileNode::Row(n, row as u32).node()));
        Ok(())
    }

    /// Hands out a row.
    pub(super) fn give_row(
        &self,
        n: u32,
        nth: usize,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        if self.kind.has_records() {
            return self.give_record(n, nth, task, each);
        }
        if self.is_map2() {
            return self.give_map2_record(n, nth, task, each);
        }
        let gamedata = self.tables()?;
        let table = gamedata.table(n, &mut task.budget)?;
        task.budget.steps(1)?;
        let row = table.row(nth).ok_or_else(not_found)?;
        let path = gamedata.path(n, nth, &mut task.budget)?;
        let label = self.label(gamedata, &row, task)?;
        let at = gamedata.at(n, nth, &mut task.budget)?;
        let details = |task: &mut Task<'_>, walk: &mut dyn Walk| -> Walked {
            walk.field(&ROW, None, nth.into())?;
            self.walk_fields(at, &row, task, walk)
        };
        each(
            &Entry {
                node: ChunkFileNode::Row(n, nth as u32).node(),
                path: &path,
                kind: row.category().table,
                name: None,
                label: label.as_deref(),
                size: row.bytes().len() as u64,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    /// Hands out the rows of a chunk, or those with one id.
    pub(super) fn give_rows(
        &self,
        n: u32,
        id: Option<u32>,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        if self.kind.has_records() {
            return self.give_records(n, task, each);
        }
        if self.is_map2() {
            return self.give_map2_records(n, task, each);
        }
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        if self.category(chunk).is_none() {
            return Ok(());
        }
        let gamedata = self.tables()?;
        if let Some(id) = id {
            let rows = gamedata.find(n, &[id], &mut task.budget)?;
            return rows.into_iter().try_for_each(|row| self.give_row(n, row, task, each));
        }
        let len = gamedata.table(n, &mut task.budget)?.len();
        (0..len).try_for_each(|row| self.give_row(n, row, task, each))
    }

    /// Hands out all rows with one id as one entry.
    pub(super) fn give_group(
        &self,
        n: u32,
        id: u32,
        task: &mut Task<'_>,
        each: Each<'_>,
    ) -> Walked {
        let chunk = self.file.chunk(n).ok_or_else(not_found)?;
        let category = self.category(chunk).ok_or_else(not_found)?;
        let gamedata = self.tables()?;
        let rows = gamedata.find(n, &[id], &mut task.budget)?;
        let table = gamedata.table(n, &mut task.budget)?;
        let first = rows.first().and_then(|row| table.row(*row)).ok_or_else(not_found)?;
        let sizes = rows.iter().filter_map(|row| table.range(*row));
        let size = sizes.map(|range| range.len() as u64).fold(0, u64::saturating_add);
        let label = self.label(gamedata, &first, task)?;
        let details =
            |_: &mut Task<'_>, walk: &mut dyn Walk| walk.field(&COUNT, None, rows.len().into());
        each(
            &Entry {
                node: ChunkFileNode::Group(n, id).node(),
                path: &format!("{}/{id}", self.file.path(chunk)),
                kind: category.table,
                name: None,
                label: label.as_deref(),
                size,
                stored_size: None,
                details: &details,
            },
            task,
        )
    }

    /// Returns the name of a row for people: its own text, the text that it refers to in the edition's own language, or a handle.
    fn label(
        &self,
        gamedata: GameData<'_>,
        row: &AnyRow<'_>,
        task: &mut Task<'_>,
    ) -> Result<Option<String>> {
        /// The slot of the edition's own language.
        const LOCAL: u8 = 1;
        let category = row.category();
        let (row, field) = if category.id == TEXTS {
            (*row, TextRow::CONTENT)
        } else if let Some(field) = name_of(category) {
            let id = u32::try_from(row.number(field)).unwrap_or_default();
            match gamedata.text(id, LOCAL, true, &mut task.budget)? {
                Some(text) if id != 0 => (text, TextRow::CONTENT),
                _ => return Ok(None),
            }
        } else if let Some(field) = handle(category) {
            (*row, field)
        } else {
            return Ok(None);
        };
        let languages = self.languages(task)?;
        Ok(languages.map(|languages| gamedata::shown(&row, field, languages).into_owned()))
    }

    /// The bytes of a row.
    pub(super) fn row_bytes(&self, n: u32, row: usize, task: &mut Task<'_>) -> Result<Bytes> {
        if self.kind.has_records() {
            return self.record_bytes(n, row, task);
        }
        if self.is_map2() {
            return self.map2_record_bytes(n, row, task);
        }
        let table = self.tables()?.table(n, &mut task.budget)?;
        let range = table.range(row).ok_or_else(not_found)?;
        let plain = self.file.plain(n, &mut task.budget)?;
        part(plain, range.start as u64..range.end as u64).ok_or_else(not_found)
    }

    /// Walks the fields of a row. Code pages are found out where there are texts alone.
    fn walk_fields(
        &self,
        at: Span,
        row: &AnyRow<'_>,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let languages = match row.category().id {
            TEXTS => self.languages(task)?,
            _ => None,
        };
        row.walk(at, languages, walk)
    }

    /// Walks a row.
    pub(super) fn walk_row(
        &self,
        n: u32,
        row: usize,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        if self.kind.has_records() {
            return self.walk_record(n, row, task, walk);
        }
        if self.is_map2() {
            return self.walk_map2_record(n, row, task, walk);
        }
        let gamedata = self.tables()?;
        let table = gamedata.table(n, &mut task.budget)?;
        let at = gamedata.at(n, row, &mut task.budget)?;
        self.walk_fields(at, &table.row(row).ok_or_else(not_found)?, task, walk)
    }

    /// Walks all rows with one id.
    pub(super) fn walk_group(
        &self,
        n: u32,
        id: u32,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let gamedata = self.tables()?;
        let rows = gamedata.find(n, &[id], &mut task.budget)?;
        let table = gamedata.table(n, &mut task.budget)?;
        walk.group(&Group::list("rows", &ROWS, None), |walk| {
            for (nth, row) in rows.into_iter().enumerate() {
                let at = gamedata.at(n, row, &mut task.budget)?;
                walk.group(&Group::item(nth, table.category().record, Some(at)), |walk| {
                    self.walk_row(n, row, task, walk)
                })?;
            }
            Ok(())
        })
    }

    /// Walks the plain data of a chunk: rows where it is a table.
    pub(super) fn walk_data(
        &self,
        data: Data<'_>,
        task: &mut Task<'_>,
        walk: &mut dyn Walk,
    ) -> Walked {
        let Data { position, plain, at } = data;
        if self.kind == Kind::Save {
            return self.walk_in_save(data, task, walk);
        }
        if self.is_map2() {
            return self.walk_map2_chunk(data, task, walk);
        }
        let chunk = self.file.chunk(position);
        if let Some((section, chunk)) = chunk.and_then(|chunk| Some((self.section(chunk)?, chunk)))
        {
            return walk_section(section, chunk.data_type(), data, task, walk);
        }
        if chunk.and_then(|chunk: &Chunk| self.category(chunk)).is_none() {
            return data.walk(walk);
        }
        let table = self.tables()?.table(position, &mut task.budget)?;
        let remainder = table.remainder();
        let whole = plain.len().saturating_sub(remainder.len()) as u64;
        let of = Span { len: whole, ..at };
        walk.group(&Group::list("rows", &ROWS, Some(of)), |walk| {
            for (nth, row) in table.rows().enumerate() {
                task.budget.steps(1)?;
                let range = table.range(nth).unwrap_or_default();
                let at = at.part(range.start as u64, range.len() as u64);
                walk.group(&Group::item(nth, table.category().record, Some(at)), |walk| {
                    self.walk_fields(at, &row, task, walk)
                })?;
            }
            Ok(())
        })?;
        if remainder.is_empty() {
            return Ok(());
        }
        let at = at.part(whole, remainder.len() as u64);
        walk.field(&REMAINDER, Some(at), Val::Bytes(remainder.into()))
    }
}
