//! The rows of a category on their way to be others, change by change.

use super::{chunk::not_found, chunks::Chunks, list_draft::ListDraft};
use crate::gamedata::{AnyRow, GameData, Languages, RowBuf, TableDraft, codes};
use spelunk_core::{Budget, Bytes, Error, Result, Task, Ty, Val, edit::gone, text::CodePages};
use std::collections::BTreeSet;

/// The next state of a chunk.
pub(super) enum Next<'f> {
    /// A category with other rows.
    Rows(CategoryDraft<'f>),
    /// A list of a map with other records.
    Records(ListDraft),
    /// Cells of the ground of a map.
    Cells(Vec<u8>),
    /// Other plain data as a whole.
    Bytes(Bytes),
    /// No chunk: it is removed.
    Removed,
}

impl Next<'_> {
    /// The plain data of the chunk; none where it goes.
    ///
    /// # Errors
    /// More records than can be counted; limits.
    pub(super) fn finish(self, budget: &mut Budget) -> Result<Bytes> {
        Ok(match self {
            Next::Rows(rows) => {
                budget.memory(rows.draft.table().plain().len() as u64)?;
                rows.draft.finish()
            }
            Next::Records(list) => list.plain()?.into(),
            Next::Cells(plain) => plain.into(),
            Next::Bytes(bytes) => bytes,
            Next::Removed => Bytes::new(),
        })
    }
}

/// The rows of a category.
pub(super) struct CategoryDraft<'f> {
    chunk: u32,
    gamedata: GameData<'f>,
    pub(super) draft: TableDraft<'f>,
    /// The languages of texts, in categories that have some.
    languages: Option<&'f Languages>,
    /// Keys that no row had at its place before.
    made: BTreeSet<Vec<u32>>,
}

impl<'f> CategoryDraft<'f> {
    /// The rows of a chunk as they are.
    ///
    /// # Errors
    /// When it is no table or cannot be read; limits.
    pub(super) fn of(
        chunks: &'f Chunks,
        chunk: u32,
        task: &mut Task<'_>,
    ) -> Result<CategoryDraft<'f>> {
        let gamedata = chunks.tables()?;
        let table = gamedata.table(chunk, &mut task.budget)?;
        let mut fields = table.category().fields().iter();
        let languages = match fields.any(|slot| slot.field.ty == Ty::Text) {
            true => chunks.languages(task)?,
            false => None,
        };
        let draft = TableDraft::of(table);
        Ok(CategoryDraft { chunk, gamedata, draft, languages, made: BTreeSet::new() })
    }

    /// A row as it is by now, to be changed.
    fn row(&self, nth: usize, budget: &mut Budget) -> Result<RowBuf> {
        let row = self.draft.row(nth).ok_or_else(|| match self.draft.table().row(nth) {
            Some(_) => gone(),
            None => not_found(),
        })?;
        // What holds it beside its bytes, twice: it may have to go to another place.
        budget.memory((row.bytes().len() as u64).saturating_add(96).saturating_mul(2))?;
        Ok(RowBuf::of(&row))
    }

    /// Puts a value into a field of a row.
    ///
    /// # Errors
    /// When there is no such field or the value does not fit.
    pub(super) fn set(
        &mut self,
        nth: usize,
        path: &str,
        value: &Val<'_>,
        pages: &CodePages,
        budget: &mut Budget,
    ) -> Result<()> {
        let mut row = self.row(nth, budget)?;
        let key = row.row().key_values();
        put(&mut row, path, value, (self.languages, pages))?;
        self.rekey(&key, &row.row().key_values());
        self.draft.put(nth, row);
        Ok(())
    }

    /// Gives a row other bytes. It stays the one that it is known as.
    ///
    /// # Errors
    /// When they are not those of one row.
    pub(super) fn set_bytes(
        &mut self,
        nth: usize,
        bytes: &[u8],
        budget: &mut Budget,
    ) -> Result<()> {
        let old = self.row(nth, budget)?;
        let new = self.given(bytes)?.with_key_of(&old.row())?;
        self.draft.put(nth, new);
        Ok(())
    }

    /// Makes a row from its bytes.
    fn given(&self, bytes: &[u8]) -> Result<RowBuf> {
        let given = AnyRow::of(self.draft.table().category(), bytes);
        given.map(|row| RowBuf::of(&row)).ok_or_else(|| {
            let error = Error::new(&codes::RANGE).expected("the bytes of one row");
            error.found(format!("{} bytes", bytes.len()))
        })
    }

    /// Gives a row another key.
    ///
    /// # Errors
    /// When another row has it, or it is none of this category.
    pub(super) fn rename(&mut self, nth: usize, key: &[u32], budget: &mut Budget) -> Result<()> {
        let mut row = self.row(nth, budget)?;
        let old = row.row().key_values();
        put_key(&mut row, key, self.is_taken(key, budget)?)?;
        self.rekey(&old, key);
        self.draft.put(nth, row);
        Ok(())
    }

    /// Adds a row with a key, with these bytes where some are given.
    ///
    /// # Errors
    /// When another row has the key, or it is none of this category; when the bytes are not those of one row.
    pub(super) fn insert(
        &mut self,
        key: &[u32],
        bytes: Option<&Bytes>,
        budget: &mut Budget,
    ) -> Result<()> {
        let mut row = RowBuf::new(self.draft.table().category());
        put_key(&mut row, key, self.is_taken(key, budget)?)?;
        if let Some(bytes) = bytes {
            row = self.given(bytes)?.with_key_of(&row.row())?;
        }
        budget.memory((row.row().bytes().len() as u64).saturating_add(96).saturating_mul(2))?;
        self.made.insert(key.to_vec());
        self.draft.add(row);
        Ok(())
    }

    /// Whether a row has this key by now, and no other may.
    fn is_taken(&self, key: &[u32], budget: &mut Budget) -> Result<bool> {
        if self.draft.table().category().shares_keys() {
            return Ok(false);
        }
        let had = self.gamedata.find(self.chunk, key, budget)?;
        let has = |row: &usize| {
            let row = self.draft.row(*row);
            row.is_some_and(|row| row.key_values() == key)
        };
        Ok(self.made.contains(key) || had.iter().any(has))
    }

    fn rekey(&mut self, old: &[u32], new: &[u32]) {
        if old != new {
            self.made.remove(old);
            self.made.insert(new.to_vec());
        }
    }
}

/// The position of a field that a path names, or `None` for the corners; and the part of a packed word, where it names one.
fn field<'p>(row: &AnyRow<'_>, path: &'p str) -> Result<(Option<usize>, Option<&'p str>)> {
    if path == "corners" && row.category().is_polygons() {
        return Ok((None, None));
    }
    let (name, part) = match path.split_once('.') {
        Some((name, part)) => (name, Some(part)),
        None => (path, None),
    };
    let wrong = || Error::new(&codes::NO_FIELD).found(format!("`{path}`"));
    row.category().field(name).map(|field| (Some(field), part)).ok_or_else(wrong)
}

/// Reads `1,2 3,4`.
fn corners(text: &str) -> Option<Vec<[i16; 2]>> {
    let corner = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some([x.trim().parse().ok()?, y.trim().parse().ok()?])
    };
    text.split_whitespace().map(corner).collect()
}

/// Puts a value into a field of a row.
fn put(
    row: &mut RowBuf,
    path: &str,
    value: &Val<'_>,
    (languages, pages): (Option<&Languages>, &CodePages),
) -> Result<()> {
    let text = value.to_string();
    let (Some(field), part) = field(&row.row(), path)? else {
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
    row.set_value(field, part, value)
}

/// Reads `9000/1`.
pub(super) fn key(name: &[u8]) -> Result<Vec<u32>> {
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
