//! Changing rows, and the rows of a category: what is written is what the fields can hold, in the order that the game
//! expects.

use super::{
    codes,
    schema::Category,
    table::{AnyRow, POLYGON, Table},
};
use spelunk_core::{Bytes, Error, Result, Seg, Ty, Val, text::CodePages};
use std::collections::{BTreeMap, BTreeSet};

/// Categories whose new rows have a 1 behind the id, as the community's editor makes them: numbers there begin with 1.
const FROM_ONE: [i16; 10] = [2001, 2012, 2014, 2017, 2026, 2030, 2040, 2057, 2065, 2067];

/// A row that is made or changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowBuf {
    category: &'static Category,
    bytes: Vec<u8>,
}

impl RowBuf {
    /// A new row: zeros, and a 1 where numbers begin with 1.
    pub fn new(category: &'static Category) -> RowBuf {
        let mut bytes = vec![0; category.row_size().unwrap_or(POLYGON)];
        let has_number = category.key > 1 && FROM_ONE.contains(&category.id);
        if let (true, Some(number)) = (has_number, bytes.get_mut(2)) {
            *number = 1;
        }
        RowBuf { category, bytes }
    }

    /// Makes it a row of zeros again.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.resize(self.category.row_size().unwrap_or(POLYGON), 0);
    }

    /// A row as it is.
    pub fn of(row: &AnyRow<'_>) -> RowBuf {
        RowBuf { category: row.category(), bytes: row.bytes().to_vec() }
    }

    /// The row.
    pub fn row(&self) -> AnyRow<'_> {
        AnyRow::unchecked(self.category, &self.bytes)
    }

    fn place(&mut self, field: usize) -> Result<&mut [u8]> {
        let slot = self.category.fields().get(field);
        let place = slot.and_then(|slot| {
            let start = slot.offset as usize;
            self.bytes.get_mut(start..start.checked_add(slot.size as usize)?)
        });
        place.ok_or_else(|| Error::new(&codes::NO_FIELD))
    }

    fn error(&self, error: Error, field: usize) -> Error {
        match self.category.fields().get(field) {
            Some(slot) => error.within(Seg::Field(slot.field.name)),
            None => error,
        }
    }

    /// Puts a number into a field.
    ///
    /// # Errors
    /// [`codes::RANGE`] where it does not fit; [`codes::NO_FIELD`] where the field is text.
    pub fn set_number(&mut self, field: usize, number: i64) -> Result<()> {
        let slot = self.category.fields().get(field);
        let Some(range) = slot.and_then(|slot| slot.field.ty.range()) else {
            let error = Error::new(&codes::NO_FIELD).found(number.to_string());
            return Err(self.error(error, field));
        };
        if !range.contains(&number) {
            let expected = format!("{} to {}", range.start(), range.end());
            let error = Error::new(&codes::RANGE).expected(expected);
            return Err(self.error(error.found(number.to_string()), field));
        }
        self.put_field(field, &number.to_le_bytes());
        Ok(())
    }

    /// Puts a value into a field of a number, or into a part of a packed word: a number, or text as [`Field::parse`] takes it.
    /// Names of flags with `+` or `-` before them change those that are there.
    ///
    /// [`Field::parse`]: spelunk_core::Field::parse
    ///
    /// # Errors
    /// [`VALUE`](spelunk_core::codes::VALUE) where it does not fit, or bytes are not as many as before;
    /// [`NO_PART`](spelunk_core::codes::NO_PART); [`codes::NO_FIELD`] where the field is text.
    pub fn set_value(&mut self, field: usize, part: Option<&str>, value: &Val<'_>) -> Result<()> {
        let slot = self.category.fields().get(field).filter(|slot| slot.field.ty != Ty::Text);
        let Some(slot) = slot else {
            return Err(self.error(Error::new(&codes::NO_FIELD).found(value.to_string()), field));
        };
        let old = self.row().field(field).to_vec();
        let bytes = match part {
            Some(part) => slot.field.encode_part(part, value, &old),
            None => slot.field.encode(value, &old),
        };
        let bytes = bytes.map_err(|error| self.error(error, field))?;
        if slot.field.ty == Ty::Bytes && bytes.len() != old.len() {
            let error = Error::new(&spelunk_core::codes::VALUE);
            let error = error.expected(format!("{} bytes in hexadecimal", old.len()));
            return Err(self.error(error.found(format!("{} bytes", bytes.len())), field));
        }
        self.put_field(field, &bytes);
        Ok(())
    }

    /// Puts text into a field, in the first of the code pages that has all of its characters, and zeros behind it. A text
    /// that fills the field and leaves no room for the NUL is only written where it may be `full`, or the category has such.
    ///
    /// # Errors
    /// [`codes::CHARACTER`] with the first character that no page has; [`codes::TEXT_LENGTH`]; [`codes::NO_FIELD`] where the
    /// field is a number.
    pub fn set_text(
        &mut self,
        field: usize,
        text: &str,
        pages: &CodePages,
        full: bool,
    ) -> Result<()> {
        let bytes = if text.contains('\0') { None } else { pages.encode(text) };
        let Some(bytes) = bytes else {
            let is_foreign =
                |c: char| c == '\0' || pages.encode(c.encode_utf8(&mut [0; 4])).is_none();
            let found = text.chars().zip(1_u32..).find(|(c, _)| is_foreign(*c));
            let found = found.map_or_else(
                || "a text of several code pages".to_owned(),
                |(c, nth)| format!("{c:?} (U+{:04X}), character {nth}", u32::from(c)),
            );
            let error = Error::new(&codes::CHARACTER).expected(format!("characters of {pages}"));
            return Err(self.error(error.found(found), field));
        };
        self.set_bytes(field, &bytes, full)
    }

    /// Puts bytes into a field of text, and zeros behind them.
    ///
    /// # Errors
    /// [`codes::TEXT_LENGTH`]; [`codes::NO_FIELD`] where the field is a number.
    pub fn set_bytes(&mut self, field: usize, bytes: &[u8], full: bool) -> Result<()> {
        let slot = self.category.fields().get(field).filter(|slot| slot.field.ty == Ty::Text);
        let size = slot.map(|slot| slot.size as usize);
        let size = size.ok_or_else(|| self.error(Error::new(&codes::NO_FIELD), field))?;
        let most = match full || self.category.fills_texts {
            true => size,
            false => size.saturating_sub(1),
        };
        if bytes.len() > most {
            let ended = if most < size { ", and a NUL behind them" } else { "" };
            let expected = format!("at most {most} bytes{ended}");
            let error = Error::new(&codes::TEXT_LENGTH).expected(expected);
            return Err(self.error(error.found(format!("{} bytes", bytes.len())), field));
        }
        let place = self.place(field)?;
        place.fill(0);
        place.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        Ok(())
    }

    /// The row with the key of another one.
    ///
    /// # Errors
    /// None between rows of one category.
    pub fn with_key_of(mut self, other: &AnyRow<'_>) -> Result<RowBuf> {
        for field in 0..self.category.key {
            self.set_number(field, other.number(field))?;
        }
        Ok(self)
    }

    /// Puts bytes into a field as they are, as far as it goes. There is no check: they are those of the same field of
    /// another row.
    pub fn put_field(&mut self, field: usize, bytes: &[u8]) {
        if let Ok(place) = self.place(field) {
            place.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
        }
    }

    /// Gives a polygon these corners. Real ones have 4 to 36.
    ///
    /// # Errors
    /// [`codes::RANGE`] for more than 255; [`codes::NO_FIELD`] in other categories.
    pub fn set_corners(&mut self, corners: &[[i16; 2]]) -> Result<()> {
        let corners_of = |error: Error| error.within(Seg::Field("corners"));
        if !self.category.is_polygons() {
            return Err(corners_of(Error::new(&codes::NO_FIELD)));
        }
        let Ok(count) = u8::try_from(corners.len()) else {
            let error = Error::new(&codes::RANGE).expected("up to 255 corners");
            return Err(corners_of(error.found(corners.len().to_string())));
        };
        self.bytes.truncate(POLYGON);
        if let Some(place) = self.bytes.last_mut() {
            *place = count;
        }
        self.bytes.extend(corners.iter().flatten().flat_map(|number| number.to_le_bytes()));
        Ok(())
    }

    /// The bytes of the row.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The rows of a category as they are to be.
#[derive(Clone, Debug)]
pub struct TableDraft<'t> {
    table: Table<'t>,
    changed: BTreeMap<usize, RowBuf>,
    /// Rows that have another key, and so another place.
    moved: BTreeMap<usize, RowBuf>,
    removed: BTreeSet<usize>,
    /// Before which old row new ones stand, in their order.
    added: BTreeMap<usize, Vec<RowBuf>>,
}

impl<'t> TableDraft<'t> {
    /// The rows as they are.
    pub fn of(table: Table<'t>) -> TableDraft<'t> {
        TableDraft {
            table,
            changed: BTreeMap::new(),
            moved: BTreeMap::new(),
            removed: BTreeSet::new(),
            added: BTreeMap::new(),
        }
    }

    /// The rows as they were.
    pub const fn table(&self) -> Table<'t> {
        self.table
    }

    /// The row at this old position as it is to be; `None` where it goes or never was.
    pub fn row(&self, row: usize) -> Option<AnyRow<'_>> {
        if self.removed.contains(&row) {
            return None;
        }
        let new = self.moved.get(&row).or_else(|| self.changed.get(&row));
        new.map(RowBuf::row).or_else(|| self.table.row(row))
    }

    /// Puts another row in the place of the one at this old position.
    pub fn set(&mut self, row: usize, new: RowBuf) {
        self.changed.insert(row, new);
    }

    /// Gives the row at this old position other content: in its place as long as it has its old key, else where that
    /// belongs.
    pub fn put(&mut self, row: usize, new: RowBuf) {
        if self.table.row(row).is_some_and(|old| old.key() == new.row().key()) {
            self.moved.remove(&row);
            self.changed.insert(row, new);
        } else {
            self.changed.remove(&row);
            self.moved.insert(row, new);
        }
    }

    /// Takes the row at this old position out.
    pub fn remove(&mut self, row: usize) {
        self.removed.insert(row);
    }

    /// Adds a row where its key belongs: rows ascend by id; among those of one id by the rest of the key, or behind them
    /// where they do not ascend.
    pub fn add(&mut self, new: RowBuf) {
        let (before, ascend) = self.place(&new.row());
        let rows = self.added.entry(before).or_default();
        let key = new.row().key();
        let place = match ascend {
            true => rows.partition_point(|row| row.row().key() <= key),
            false => rows.partition_point(|row| row.row().id() <= key.id),
        };
        rows.insert(place, new);
    }

    /// Before which old row a new one belongs, and whether those with its id ascend.
    fn place(&self, new: &AnyRow<'_>) -> (usize, bool) {
        let key = new.key();
        let len = self.table.len();
        let id_of = |nth: usize| self.table.row(nth).map_or(u32::MAX, |row| row.id());
        // Rows are in order but for a few at the most, so that bisection ends beside the place.
        let (mut low, mut high) = (0, len);
        while low < high {
            let middle = low.midpoint(high);
            if id_of(middle) <= key.id {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        let group = (0..low).rev().take_while(|nth| id_of(*nth) == key.id).last().unwrap_or(low);
        let keys = || (group..low).filter_map(|nth| Some(self.table.row(nth)?.key()));
        match keys().is_sorted() {
            true => {
                let behind = keys().position(|other| other > key);
                (behind.map_or(low, |at| group.saturating_add(at)), true)
            }
            false => (low, false),
        }
    }

    /// Whether nothing is to be changed.
    pub fn is_empty(&self) -> bool {
        let same = self.changed.is_empty() && self.moved.is_empty();
        same && self.removed.is_empty() && self.added.is_empty()
    }

    /// The same with rows that have another key as rows that go and rows that come.
    fn placed(&self) -> TableDraft<'t> {
        let mut placed = TableDraft { moved: BTreeMap::new(), ..self.clone() };
        for (row, new) in &self.moved {
            if placed.removed.insert(*row) {
                placed.add(new.clone());
            }
        }
        placed
    }

    /// The plain data of the category. What lies behind its whole rows stays there.
    pub fn finish(&self) -> Bytes {
        if !self.moved.is_empty() {
            return self.placed().finish();
        }
        let mut plain = Vec::with_capacity(self.table.plain().len());
        let added = |before: usize, plain: &mut Vec<u8>| {
            let rows = self.added.get(&before).into_iter().flatten();
            rows.for_each(|row| plain.extend_from_slice(&row.bytes));
        };
        let mut kept = 0..0;
        let places = self.changed.keys().chain(&self.removed).chain(self.added.keys());
        let places: BTreeSet<usize> = places.copied().collect();
        let old = self.table.plain();
        let end = old.len().saturating_sub(self.table.remainder().len());
        for place in places {
            let range = self.table.range(place).unwrap_or(end..end);
            kept.end = range.start;
            plain.extend_from_slice(old.get(kept).unwrap_or_default());
            added(place, &mut plain);
            let stays = !self.removed.contains(&place);
            if let Some(row) = self.changed.get(&place).filter(|_| stays) {
                plain.extend_from_slice(&row.bytes);
            } else if stays {
                plain.extend_from_slice(old.get(range.clone()).unwrap_or_default());
            }
            kept = range.end..range.end;
        }
        plain.extend_from_slice(old.get(kept.end..).unwrap_or_default());
        plain.into()
    }
}
