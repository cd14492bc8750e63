//! Rows of a table in memory, column by column, much as Parquet takes them. The texts of a column lie one behind the other in
//! one buffer, so that a cell costs no memory block of its own.

use crate::schema::Table;
use spelunk::{Bytes, tables::column::ColumnKind};
use std::ops::Range;

/// A value of a row, whose text lies elsewhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CatalogueCell<'c> {
    /// NULL.
    Null,
    /// A text, or JSON.
    Text(&'c [u8]),
    /// A number, or a time.
    Int(i64),
    /// A truth value.
    Bool(bool),
}

impl<'c> From<&'c [u8]> for CatalogueCell<'c> {
    fn from(text: &'c [u8]) -> CatalogueCell<'c> {
        CatalogueCell::Text(text)
    }
}

impl<'c> From<&'c Bytes> for CatalogueCell<'c> {
    fn from(text: &'c Bytes) -> CatalogueCell<'c> {
        CatalogueCell::Text(text)
    }
}

impl<'c> From<&'c str> for CatalogueCell<'c> {
    fn from(text: &'c str) -> CatalogueCell<'c> {
        CatalogueCell::Text(text.as_bytes())
    }
}

impl From<u64> for CatalogueCell<'_> {
    /// Nothing that is counted or measured here passes 63 bits; what a damaged file claims may.
    fn from(number: u64) -> Self {
        CatalogueCell::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<i64> for CatalogueCell<'_> {
    fn from(number: i64) -> Self {
        CatalogueCell::Int(number)
    }
}

impl From<bool> for CatalogueCell<'_> {
    fn from(truth: bool) -> Self {
        CatalogueCell::Bool(truth)
    }
}

impl<'c, T: Into<CatalogueCell<'c>>> From<Option<T>> for CatalogueCell<'c> {
    fn from(value: Option<T>) -> CatalogueCell<'c> {
        value.map_or(CatalogueCell::Null, Into::into)
    }
}

/// Place of a text in the buffer of its column.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct TextPlace {
    start: usize,
    len: usize,
}

impl TextPlace {
    const fn range(self) -> Range<usize> {
        self.start..self.start.saturating_add(self.len)
    }
}

/// Texts in one buffer. One that is the same as the one before it, as the name of the file is, is there once.
#[derive(Clone, Default, Debug)]
pub struct Texts {
    bytes: Vec<u8>,
    /// The place of each text, empty where there is none.
    places: Vec<TextPlace>,
}

impl Texts {
    /// A text, which is empty where there is none.
    fn get(&self, row: usize) -> &[u8] {
        let place = self.places.get(row).copied().unwrap_or_default();
        self.bytes.get(place.range()).unwrap_or_default()
    }

    fn len_of(&self, row: usize) -> usize {
        self.places.get(row).map_or(0, |place| place.len)
    }

    /// Puts a text at the end of the buffer, which grows by half of itself.
    fn store(&mut self, text: &[u8]) -> TextPlace {
        let start = self.bytes.len();
        if self.bytes.capacity().saturating_sub(start) < text.len() {
            self.bytes.reserve_exact(text.len().max(start / 2).max(64));
        }
        self.bytes.extend_from_slice(text);
        TextPlace { start, len: text.len() }
    }

    fn push(&mut self, text: &[u8]) {
        let last = self.places.last().copied().unwrap_or_default();
        let is_same = self.bytes.get(last.range()) == Some(text);
        let place = if is_same { last } else { self.store(text) };
        self.places.push(place);
    }

    fn set(&mut self, row: usize, text: &[u8]) {
        let place = self.store(text);
        if let Some(slot) = self.places.get_mut(row) {
            *slot = place;
        }
    }

    /// Adds texts of others, with one copy of the bytes that they lie in.
    fn extend(&mut self, others: &Texts, rows: Range<usize>) {
        let places = others.places.get(rows).unwrap_or_default();
        let stored = places.iter().filter(|place| place.len > 0);
        let start = stored.clone().map(|place| place.start).min().unwrap_or_default();
        let end = stored.map(|place| place.range().end).max().unwrap_or_default();
        let base = self.store(others.bytes.get(start..end).unwrap_or_default()).start;
        let moved = |place: &TextPlace| TextPlace {
            // Places of empty texts may lie before the first byte that is copied.
            start: place.start.saturating_sub(start).saturating_add(base),
            len: place.len,
        };
        self.places.extend(places.iter().map(moved));
    }

    /// The texts as handles to the bytes of the buffer, which is empty until [`Texts::put_back`].
    pub fn share(&mut self) -> (Bytes, impl Iterator<Item = Bytes> + '_) {
        let bytes = Bytes::from(std::mem::take(&mut self.bytes));
        let shared = bytes.clone();
        let texts = self.places.iter().map(move |place| shared.slice(place.range()));
        (bytes, texts)
    }

    /// Removes all texts, and takes the buffer for others, if nobody has a handle to it any more.
    pub fn put_back(&mut self, bytes: Bytes) {
        self.bytes = bytes.try_into_mut().map(Vec::from).unwrap_or_default();
        self.clear();
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.places.clear();
    }

    fn held(&self) -> usize {
        let places = self.places.capacity().saturating_mul(size_of::<TextPlace>());
        self.bytes.capacity().saturating_add(places)
    }
}

/// The values of a column, of which those that are NULL mean nothing.
#[derive(Clone, Debug)]
pub enum Values {
    /// Texts.
    Text(Texts),
    /// Numbers and times.
    Int(Vec<i64>),
    /// Truth values.
    Bool(Vec<bool>),
}

/// A column: a value for each row.
#[derive(Clone, Debug)]
pub struct ColumnRows {
    /// The values.
    pub values: Values,
    /// For each row 1 where there is a value, 0 where it is NULL: what Parquet calls the definition level.
    pub levels: Vec<i16>,
}

impl ColumnRows {
    fn new(kind: ColumnKind) -> ColumnRows {
        let values = match kind {
            ColumnKind::Integer | ColumnKind::Time => Values::Int(Vec::new()),
            ColumnKind::Bool => Values::Bool(Vec::new()),
            // No table has a column of numbers that are not whole.
            _ => Values::Text(Texts::default()),
        };
        ColumnRows { values, levels: Vec::new() }
    }

    /// Adds a cell. One of another type is NULL.
    pub fn push(&mut self, cell: CatalogueCell<'_>) {
        let is_there = match (&mut self.values, cell) {
            (Values::Text(texts), CatalogueCell::Text(text)) => {
                texts.push(text);
                true
            }
            (Values::Int(numbers), CatalogueCell::Int(number)) => {
                numbers.push(number);
                true
            }
            (Values::Bool(truths), CatalogueCell::Bool(truth)) => {
                truths.push(truth);
                true
            }
            (Values::Text(texts), _) => {
                texts.places.push(TextPlace::default());
                false
            }
            (Values::Int(numbers), _) => {
                numbers.push(0);
                false
            }
            (Values::Bool(truths), _) => {
                truths.push(false);
                false
            }
        };
        self.levels.push(i16::from(is_there));
    }

    fn get(&self, row: usize) -> CatalogueCell<'_> {
        if self.levels.get(row).is_none_or(|level| *level == 0) {
            return CatalogueCell::Null;
        }
        match &self.values {
            Values::Text(texts) => CatalogueCell::Text(texts.get(row)),
            Values::Int(numbers) => numbers.get(row).copied().into(),
            Values::Bool(truths) => truths.get(row).copied().into(),
        }
    }

    fn set(&mut self, row: usize, cell: CatalogueCell<'_>) {
        let is_there = match (&mut self.values, cell) {
            (Values::Text(texts), CatalogueCell::Text(text)) => {
                texts.set(row, text);
                true
            }
            (Values::Int(numbers), CatalogueCell::Int(number)) => replace(numbers, row, number),
            (Values::Bool(truths), CatalogueCell::Bool(truth)) => replace(truths, row, truth),
            (Values::Text(texts), _) => {
                replace(&mut texts.places, row, TextPlace::default());
                false
            }
            _ => false,
        };
        replace(&mut self.levels, row, i16::from(is_there));
    }

    fn extend(&mut self, others: &ColumnRows, rows: Range<usize>) {
        self.levels.extend_from_slice(others.levels.get(rows.clone()).unwrap_or_default());
        match (&mut self.values, &others.values) {
            (Values::Text(texts), Values::Text(others)) => texts.extend(others, rows),
            (Values::Int(numbers), Values::Int(others)) => {
                numbers.extend_from_slice(others.get(rows).unwrap_or_default());
            }
            (Values::Bool(truths), Values::Bool(others)) => {
                truths.extend_from_slice(others.get(rows).unwrap_or_default());
            }
            _ => {}
        }
    }

    fn clear(&mut self) {
        self.levels.clear();
        match &mut self.values {
            Values::Text(texts) => texts.clear(),
            Values::Int(numbers) => numbers.clear(),
            Values::Bool(truths) => truths.clear(),
        }
    }

    /// Bytes of memory.
    fn held(&self) -> usize {
        let values = match &self.values {
            Values::Text(texts) => texts.held(),
            Values::Int(numbers) => numbers.capacity().saturating_mul(size_of::<i64>()),
            Values::Bool(truths) => truths.capacity(),
        };
        values.saturating_add(self.levels.capacity().saturating_mul(size_of::<i16>()))
    }
}

/// Puts a value in its place. Returns whether there is such a place.
fn replace<T>(values: &mut [T], row: usize, value: T) -> bool {
    values.get_mut(row).map(|slot| *slot = value).is_some()
}

/// Rows of a table.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The table of the rows.
    pub table: &'static Table,
    /// The columns of the table.
    pub columns: Vec<ColumnRows>,
    /// Number of rows.
    pub len: usize,
}

impl Rows {
    /// No rows.
    pub fn new(table: &'static Table) -> Rows {
        let columns = table.columns.iter().map(|column| ColumnRows::new(column.kind)).collect();
        Rows { table, columns, len: 0 }
    }

    /// Adds a row, with a cell for each column.
    pub fn push<'c>(&mut self, cells: impl IntoIterator<Item = CatalogueCell<'c>>) {
        let mut cells = cells.into_iter();
        for column in &mut self.columns {
            column.push(cells.next().unwrap_or(CatalogueCell::Null));
        }
        self.len = self.len.saturating_add(1);
    }

    /// Adds rows of others, which are of the same table.
    pub fn extend(&mut self, others: &Rows, rows: Range<usize>) {
        for (column, others) in self.columns.iter_mut().zip(&others.columns) {
            column.extend(others, rows.clone());
        }
        self.len = self.len.saturating_add(rows.len());
    }

    /// A cell.
    pub fn get(&self, row: usize, column: usize) -> CatalogueCell<'_> {
        self.columns.get(column).map_or(CatalogueCell::Null, |column| column.get(row))
    }

    /// A text, where there is one.
    pub fn text(&self, row: usize, column: usize) -> Option<&[u8]> {
        match self.get(row, column) {
            CatalogueCell::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Puts a value in the place of a cell's.
    pub fn set<'c>(&mut self, row: usize, column: usize, cell: impl Into<CatalogueCell<'c>>) {
        if let Some(column) = self.columns.get_mut(column) {
            column.set(row, cell.into());
        }
    }

    /// What a row counts for in a group of rows, in bytes: 32 for each cell, and its texts. Where groups end follows from it,
    /// and must not follow from how the rows are held.
    pub fn weight(&self, row: usize) -> u64 {
        self.columns.iter().fold(0, |weight: u64, column| {
            let text = match &column.values {
                Values::Text(texts) => texts.len_of(row),
                _ => 0,
            };
            weight.saturating_add(32).saturating_add(text as u64)
        })
    }

    /// Bytes of memory that the rows take, with the room for more.
    pub fn held(&self) -> u64 {
        self.columns.iter().map(ColumnRows::held).fold(0, usize::saturating_add) as u64
    }

    /// No rows again.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(ColumnRows::clear);
        self.len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::FINDINGS;

    /// A finding: file, number, severity, code, space, byte offset, path, message.
    fn finding<'c>(
        file: &'c str,
        number: i64,
        space: Option<&'c str>,
        message: &'c str,
    ) -> [CatalogueCell<'c>; 8] {
        let offset: Option<u64> = space.map(|space| space.len() as u64);
        [
            file.into(),
            number.into(),
            "error".into(),
            "SP001".into(),
            space.into(),
            offset.into(),
            CatalogueCell::Null,
            message.into(),
        ]
    }

    #[test]
    fn rows_are_what_was_added_however_they_came() {
        let cells = [
            finding("a", 0, Some("file"), "one"),
            finding("a", 1, None, ""),
            finding("a", 2, Some(""), "two"),
            finding("b", 0, Some("header1"), "two"),
            finding("", 1, Some("header1"), "three"),
        ];
        let mut rows = Rows::new(&FINDINGS);
        cells.iter().for_each(|cells| rows.push(*cells));
        let all = |rows: &Rows, expected: &[[CatalogueCell<'_>; 8]]| {
            assert_eq!(rows.len, expected.len());
            for (row, cells) in expected.iter().enumerate() {
                let found: Vec<_> = (0..8).map(|column| rows.get(row, column)).collect();
                assert_eq!(found, cells, "row {row}");
                let texts: usize = cells
                    .iter()
                    .map(|cell| if let CatalogueCell::Text(text) = cell { text.len() } else { 0 })
                    .sum();
                assert_eq!(rows.weight(row), 8 * 32 + texts as u64);
            }
        };
        all(&rows, &cells);
        for cut in 0..=cells.len() {
            let mut parts = Rows::new(&FINDINGS);
            // Behind others, of which nothing stays.
            parts.extend(&rows, 2..4);
            parts.clear();
            parts.extend(&rows, 0..cut);
            parts.extend(&rows, cut..cells.len());
            all(&parts, &cells);
        }
        rows.set(1, 4, "somewhere");
        rows.set(0, 5, 7_u64);
        rows.set(2, 4, CatalogueCell::Null);
        let mut copy = Rows::new(&FINDINGS);
        copy.extend(&rows, 0..cells.len());
        let mut changed = cells;
        changed[1][4] = "somewhere".into();
        changed[0][5] = CatalogueCell::Int(7);
        changed[2][4] = CatalogueCell::Null;
        all(&rows, &changed);
        all(&copy, &changed);
    }

    #[test]
    fn a_text_that_stays_the_same_is_held_once() {
        let mut rows = Rows::new(&FINDINGS);
        let file = "f".repeat(10_000);
        (0..100).for_each(|number| rows.push(finding(&file, number, None, "m")));
        assert!(rows.held() < 40_000, "{} bytes", rows.held());
    }
}
