//! Editing GameData: fields, rows, and whole chunks. Records of maps are edited in `record_edit`.

use super::{
    chunk::{ChunkFile, not_found},
    container::Chunks,
    detect::Kind,
    draft::Draft,
    rows::Item,
};
use crate::gamedata::{AnyRow, Languages, RowBuf, Table, TableDraft, category_named, codes};
use spelunk_core::{
    Bytes, Collect, Edit, Error, Node, Result, Seg, Task, Ty, Val, text::CodePages,
};
use std::any::Any;

impl Chunks {
    /// Opens what a draft makes of the file in its place.
    ///
    /// # Errors
    /// Those of [`Draft::source`]; limits.
    pub(super) fn become_draft(
        &mut self,
        change: impl FnOnce(&mut Draft<'_>) -> Result<()>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let mut draft = Draft::of(&self.file);
        change(&mut draft)?;
        let source = draft.source(task)?;
        // What is to be told of the old chunks was told when they were opened.
        let mut sink = Collect::default();
        let mut quiet = Task::new(task.budget.clone(), &mut sink);
        let file = ChunkFile::open(source, &mut quiet)?;
        let tables = match &self.tables {
            Some(tables) => Some(tables.again(&file, &mut quiet)?),
            None => None,
        };
        task.budget = quiet.budget;
        (self.file, self.tables) = (file, tables);
        Ok(())
    }

    /// Changes the rows of a chunk. A category whose last row goes is left out, as the community's editor does it.
    fn change_rows(
        &mut self,
        chunk: u32,
        change: impl FnOnce(&mut TableDraft<'_>, Option<&Languages>) -> Result<()>,
        task: &mut Task<'_>,
    ) -> Result<()> {
        let gamedata = self.gamedata().ok_or_else(not_found)?;
        let table = gamedata.table(chunk, &mut task.budget)?;
        let languages = match table.category().fields().iter().any(|slot| slot.field.ty == Ty::Text)
        {
            true => Some(gamedata.languages(&mut task.budget)?),
            false => None,
        };
        let mut draft = TableDraft::of(table);
        change(&mut draft, languages)?;
        task.budget.memory(table.plain().len() as u64)?;
        let plain = draft.finish();
        let position = chunk as usize;
        self.become_draft(
            |draft| {
                if plain.is_empty() { draft.remove(position) } else { draft.set(position, plain) }
            },
            task,
        )
    }
}

/// The place of a field that a path names: its position, or `None` for the corners.
fn field(row: &AnyRow<'_>, path: &str) -> Result<Option<usize>> {
    if path == "corners" && row.category().is_polygons() {
        return Ok(None);
    }
    let wrong = || Error::new(&codes::NO_FIELD).found(format!("`{path}`"));
    row.category().field(path).map(Some).ok_or_else(wrong)
}

/// Reads `1,2 3,4`.
fn corners(text: &str) -> Option<Vec<[i16; 2]>> {
    let corner = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some([x.trim().parse().ok()?, y.trim().parse().ok()?])
    };
    text.split_whitespace().map(corner).collect()
}

/// Puts a value into a field of a row. Numbers may be told by the names of values.
fn put(
    row: &mut RowBuf,
    path: &str,
    value: &Val<'_>,
    (languages, pages): (Option<&Languages>, &CodePages),
) -> Result<()> {
    let text = value.to_string();
    let wrong = || Error::new(&codes::NO_FIELD).expected("a number").found(format!("`{text}`"));
    let Some(field) = field(&row.row(), path)? else {
        let corners = corners(&text).ok_or_else(|| {
            Error::new(&codes::NO_FIELD).expected("corners as `1,2 3,4`").found(format!("`{text}`"))
        })?;
        return row.set_corners(&corners);
    };
    let slot = row.row().category().fields().get(field).copied();
    let slot = slot.ok_or_else(not_found)?;
    if slot.field.ty == Ty::Text {
        if let Val::Text(bytes) | Val::Bytes(bytes) = value {
            return row.set_bytes(field, bytes, false);
        }
        let of_slot = row.row().slot(field);
        let pages = match languages.filter(|_| of_slot.is_some()) {
            Some(languages) => languages.pages(of_slot).clone(),
            None => pages.clone(),
        };
        return row.set_text(field, &text, &pages, false);
    }
    let named = slot.field.values.iter().find(|(_, name)| *name == text).map(|(value, _)| *value);
    let number = match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    row.set_number(field, named.or(number).ok_or_else(wrong)?)
}

impl Edit for Chunks {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn set(
        &mut self,
        node: Node,
        path: &str,
        value: Val<'_>,
        pages: &CodePages,
        task: &mut Task<'_>,
    ) -> Result<()> {
        if self.kind == Kind::Map {
            let item = Item::of(node);
            let shown = self.shown(item);
            let set = self.set_in_map(item, path, &value, task);
            return set.map_err(|error| error.within(Seg::Key(shown.into())));
        }
        let Item::Row(chunk, nth) = Item::of(node) else {
            return Err(Error::new(&codes::NO_FIELD).found(format!("`{path}`")));
        };
        let nth = nth as usize;
        let gamedata = self.gamedata().ok_or_else(not_found)?;
        let shown = gamedata.path(chunk, nth, &mut task.budget)?;
        let set = self.change_rows(
            chunk,
            |draft, languages| {
                let mut row = RowBuf::of(&draft.row(nth).ok_or_else(not_found)?);
                let key = row.row().key();
                put(&mut row, path, &value, (languages, pages))?;
                if row.row().key() == key {
                    draft.set(nth, row);
                } else {
                    // Rows are in the order of their keys.
                    draft.remove(nth);
                    draft.add(row);
                }
                Ok(())
            },
            task,
        );
        set.map_err(|error| error.within(Seg::Key(shown.into())))
    }

    fn table(&self, kind: &str) -> Option<Node> {
        if self.kind == Kind::Map {
            return self.map_table(kind);
        }
        let gamedata = self.gamedata()?;
        let id = match kind.parse::<i16>() {
            Ok(id) => id,
            Err(_) => category_named(kind)?.id,
        };
        gamedata.chunks_of(id).next().map(|chunk| Item::Chunk(chunk).node())
    }

    fn set_bytes(&mut self, node: Node, bytes: Bytes, task: &mut Task<'_>) -> Result<()> {
        match Item::of(node) {
            Item::Chunk(chunk) => {
                let position = chunk as usize;
                self.become_draft(|draft| draft.set(position, bytes), task)
            }
            Item::Row(chunk, nth) if self.kind == Kind::Map => {
                self.set_record(chunk, nth as usize, &bytes, task)
            }
            Item::Row(chunk, nth) => {
                let nth = nth as usize;
                self.change_rows(
                    chunk,
                    |draft, _| {
                        let old = draft.row(nth).ok_or_else(not_found)?;
                        let given = AnyRow::of(old.category(), &bytes);
                        let given = given.ok_or_else(|| {
                            let error = Error::new(&codes::RANGE).expected("the bytes of one row");
                            error.found(format!("{} bytes", bytes.len()))
                        })?;
                        // The row stays the one that it is known as.
                        let new = RowBuf::of(&given).with_key_of(&old)?;
                        draft.set(nth, new);
                        Ok(())
                    },
                    task,
                )
            }
            Item::Id(_) | Item::Group(..) | Item::File(_) | Item::Nested(_) => {
                Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION))
            }
        }
    }

    fn rename(&mut self, node: Node, name: &[u8], task: &mut Task<'_>) -> Result<()> {
        let (Item::Row(chunk, nth), Kind::GameData) = (Item::of(node), self.kind) else {
            return Err(Error::new(&spelunk_core::codes::NO_SUCH_OPERATION));
        };
        let key = key(name)?;
        let gamedata = self.gamedata().ok_or_else(not_found)?;
        let taken = !gamedata.find(chunk, &key, &mut task.budget)?.is_empty();
        self.change_rows(
            chunk,
            |draft, _| {
                let mut row = RowBuf::of(&draft.row(nth as usize).ok_or_else(not_found)?);
                put_key(&mut row, &key, taken)?;
                draft.remove(nth as usize);
                draft.add(row);
                Ok(())
            },
            task,
        )
    }

    fn insert(&mut self, table: Node, key: &[Val<'_>], task: &mut Task<'_>) -> Result<Node> {
        if let (Kind::Map, [Val::Bytes(name)]) = (self.kind, key) {
            return self.insert_record(Item::of(table), name, task);
        }
        let (Item::Chunk(chunk), [Val::Bytes(name)]) = (Item::of(table), key) else {
            return Err(not_found());
        };
        let key = self::key(name)?;
        let gamedata = self.gamedata().ok_or_else(not_found)?;
        let taken = !gamedata.find(chunk, &key, &mut task.budget)?.is_empty();
        self.change_rows(
            chunk,
            |draft, _| {
                let table: Table<'_> = draft.table();
                let mut row = RowBuf::new(table.category());
                put_key(&mut row, &key, taken)?;
                draft.add(row);
                Ok(())
            },
            task,
        )?;
        let gamedata = self.gamedata().ok_or_else(not_found)?;
        let found = gamedata.find(chunk, &key, &mut task.budget)?;
        let row = found.last().copied().ok_or_else(not_found)?;
        Ok(self.row_node(chunk, row))
    }

    fn remove(&mut self, nodes: &[Node], _lossy: bool, task: &mut Task<'_>) -> Result<()> {
        let mut chunks: Vec<u32> = Vec::new();
        let mut rows: std::collections::BTreeMap<u32, Vec<usize>> = Default::default();
        for node in nodes {
            match Item::of(*node) {
                Item::Chunk(chunk) => chunks.push(chunk),
                Item::Row(chunk, row) => rows.entry(chunk).or_default().push(row as usize),
                Item::Group(chunk, id) => {
                    let gamedata = self.gamedata().ok_or_else(not_found)?;
                    let found = gamedata.find(chunk, &[id], &mut task.budget)?;
                    rows.entry(chunk).or_default().extend(found);
                }
                Item::Id(id) => chunks.extend(self.file.with_id(id)),
                // Saves are not changed.
                Item::File(_) | Item::Nested(_) => return Err(not_found()),
            }
        }
        chunks.sort_unstable();
        chunks.dedup();
        // From the last on, so that the positions of the others stay.
        rows.retain(|chunk, _| !chunks.contains(chunk));
        for (chunk, rows) in rows.into_iter().rev() {
            let had = self.file.chunks().len();
            if self.kind == Kind::Map {
                self.remove_records(chunk, &rows, task)?;
            } else {
                self.change_rows(
                    chunk,
                    |draft, _| {
                        rows.iter().for_each(|row| draft.remove(*row));
                        Ok(())
                    },
                    task,
                )?;
            }
            if self.file.chunks().len() < had {
                chunks.iter_mut().filter(|other| **other > chunk).for_each(|other| {
                    *other = other.saturating_sub(1);
                });
            }
        }
        if chunks.is_empty() {
            return Ok(());
        }
        self.become_draft(
            |draft| chunks.into_iter().rev().try_for_each(|chunk| draft.remove(chunk as usize)),
            task,
        )
    }
}

/// Reads `9000/1`.
fn key(name: &[u8]) -> Result<Vec<u32>> {
    let text = std::str::from_utf8(name).ok();
    let key = text.and_then(|text| text.split('/').map(|part| part.parse().ok()).collect());
    key.ok_or_else(|| {
        let error = Error::new(&codes::NO_FIELD).expected("a key of numbers, as 9000 or 9000/1");
        error.found(format!("`{}`", name.escape_ascii()))
    })
}

/// Gives a row a key, all of its fields.
fn put_key(row: &mut RowBuf, key: &[u32], taken: bool) -> Result<()> {
    let wanted = row.row().category().key;
    if key.len() != wanted {
        let error = Error::new(&codes::NO_FIELD).expected(format!("a key of {wanted} numbers"));
        return Err(error.found(format!("{} numbers", key.len())));
    }
    if taken {
        let shown = key.iter().map(u32::to_string).collect::<Vec<_>>().join("/");
        return Err(Error::new(&codes::KEY_TAKEN).found(shown));
    }
    let mut parts = key.iter().enumerate();
    parts.try_for_each(|(field, part)| row.set_number(field, i64::from(*part)))
}
