//! Rows of a table in memory, column by column.

use crate::schema::Table;
use spelunk::{Bytes, tables::column::ColumnKind};

/// A value of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum CatalogueCell {
    /// NULL.
    Null,
    /// A text, or JSON.
    Text(Bytes),
    /// A number, or a time.
    Int(i64),
    /// A truth value.
    Bool(bool),
}

impl From<Bytes> for CatalogueCell {
    fn from(text: Bytes) -> CatalogueCell {
        CatalogueCell::Text(text)
    }
}

impl From<String> for CatalogueCell {
    fn from(text: String) -> CatalogueCell {
        // Cells are kept, so what a text had room for beside itself goes.
        CatalogueCell::Text(text.into_boxed_str().into_boxed_bytes().into())
    }
}

impl From<&str> for CatalogueCell {
    fn from(text: &str) -> CatalogueCell {
        CatalogueCell::Text(Bytes::copy_from_slice(text.as_bytes()))
    }
}

impl From<u64> for CatalogueCell {
    /// Nothing that is counted or measured here passes 63 bits; what a damaged file claims may.
    fn from(number: u64) -> CatalogueCell {
        CatalogueCell::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<i64> for CatalogueCell {
    fn from(number: i64) -> CatalogueCell {
        CatalogueCell::Int(number)
    }
}

impl From<bool> for CatalogueCell {
    fn from(truth: bool) -> CatalogueCell {
        CatalogueCell::Bool(truth)
    }
}

impl<T: Into<CatalogueCell>> From<Option<T>> for CatalogueCell {
    fn from(value: Option<T>) -> CatalogueCell {
        value.map_or(CatalogueCell::Null, Into::into)
    }
}

/// The values of a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Texts.
    Text(Vec<Option<Bytes>>),
    /// Numbers and times.
    Int(Vec<Option<i64>>),
    /// Truth values.
    Bool(Vec<Option<bool>>),
}

impl Values {
    fn new(kind: ColumnKind) -> Values {
        match kind {
            ColumnKind::Integer | ColumnKind::Time => Values::Int(Vec::new()),
            ColumnKind::Bool => Values::Bool(Vec::new()),
            // No table has a column of numbers that are not whole.
            _ => Values::Text(Vec::new()),
        }
    }

    fn push(&mut self, cell: CatalogueCell) {
        match (self, cell) {
            (Values::Text(values), CatalogueCell::Text(text)) => values.push(Some(text)),
            (Values::Int(values), CatalogueCell::Int(number)) => values.push(Some(number)),
            (Values::Bool(values), CatalogueCell::Bool(truth)) => values.push(Some(truth)),
            (Values::Text(values), _) => values.push(None),
            (Values::Int(values), _) => values.push(None),
            (Values::Bool(values), _) => values.push(None),
        }
    }

    fn get(&self, row: usize) -> CatalogueCell {
        match self {
            Values::Text(values) => values.get(row).cloned().flatten().into(),
            Values::Int(values) => values.get(row).copied().flatten().into(),
            Values::Bool(values) => values.get(row).copied().flatten().into(),
        }
    }

    /// A cell, which leaves nothing behind.
    fn take(&mut self, row: usize) -> CatalogueCell {
        match self {
            Values::Text(values) => values.get_mut(row).and_then(Option::take).into(),
            Values::Int(values) => values.get_mut(row).and_then(Option::take).into(),
            Values::Bool(values) => values.get_mut(row).and_then(Option::take).into(),
        }
    }

    fn set(&mut self, row: usize, cell: CatalogueCell) {
        match (self, cell) {
            (Values::Text(values), CatalogueCell::Text(text)) => replace(values, row, Some(text)),
            (Values::Int(values), CatalogueCell::Int(number)) => replace(values, row, Some(number)),
            (Values::Bool(values), CatalogueCell::Bool(truth)) => replace(values, row, Some(truth)),
            (Values::Text(values), _) => replace(values, row, None),
            (Values::Int(values), _) => replace(values, row, None),
            (Values::Bool(values), _) => replace(values, row, None),
        }
    }

    fn clear(&mut self) {
        match self {
            Values::Text(values) => values.clear(),
            Values::Int(values) => values.clear(),
            Values::Bool(values) => values.clear(),
        }
    }
}

fn replace<T>(values: &mut [Option<T>], row: usize, value: Option<T>) {
    if let Some(slot) = values.get_mut(row) {
        *slot = value;
    }
}

/// Rows of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows {
    /// The table of the rows.
    pub table: &'static Table,
    /// A list for each column.
    pub columns: Vec<Values>,
    /// Number of rows.
    pub len: usize,
}

impl Rows {
    /// No rows.
    pub fn new(table: &'static Table) -> Rows {
        let columns = table.columns.iter().map(|column| Values::new(column.kind)).collect();
        Rows { table, columns, len: 0 }
    }

    /// Adds a row, with a cell for each column.
    pub fn push(&mut self, cells: impl IntoIterator<Item = CatalogueCell>) {
        let mut cells = cells.into_iter();
        for column in &mut self.columns {
            column.push(cells.next().unwrap_or(CatalogueCell::Null));
        }
        self.len = self.len.saturating_add(1);
    }

    /// A cell.
    pub fn get(&self, row: usize, column: usize) -> CatalogueCell {
        self.columns.get(column).map_or(CatalogueCell::Null, |column| column.get(row))
    }

    /// A text, where there is one.
    pub fn text(&self, row: usize, column: usize) -> Option<&Bytes> {
        match self.columns.get(column) {
            Some(Values::Text(values)) => values.get(row)?.as_ref(),
            _ => None,
        }
    }

    /// Puts a value in the place of a cell's.
    pub fn set(&mut self, row: usize, column: usize, cell: impl Into<CatalogueCell>) {
        if let Some(column) = self.columns.get_mut(column) {
            column.set(row, cell.into());
        }
    }

    /// The cells of a row, which are empty here from then on.
    pub fn take(&mut self, row: usize) -> impl Iterator<Item = CatalogueCell> {
        self.columns.iter_mut().map(move |column| column.take(row))
    }

    /// Bytes of memory that a row takes, about.
    pub fn weight(&self, row: usize) -> u64 {
        self.columns.iter().fold(0, |weight: u64, column| {
            let text = match column {
                Values::Text(values) => {
                    values.get(row).and_then(Option::as_ref).map_or(0, Bytes::len)
                }
                _ => 0,
            };
            weight.saturating_add(32).saturating_add(text as u64)
        })
    }

    /// No rows again.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Values::clear);
        self.len = 0;
    }
}
