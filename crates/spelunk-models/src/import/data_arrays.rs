//! CSV files into data arrays, as [`export::csv`](crate::export::csv) writes them.

use crate::export::csv::cell;
use spelunk_core::{Error, Node, Result, text::CodePages};
use spelunk_open::{Model, Opened, codes, model};
use virtools::{
    chunk::read::ObjRef,
    class::{
        Value,
        data_array::{Cell, DataArray, Row},
    },
    codec::Saved,
    file::{File, data::Owner},
    tables::{ArrayTables, DataArrayTable},
};

/// A field that has to be set for a cell to be what the table says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellChange {
    /// Path of the entry.
    pub entry: String,
    /// Path of the field.
    pub field: String,
    /// New value, as people write it.
    pub value: String,
}

/// What makes a data array what a table says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArrayChanges {
    /// Fields to be set.
    pub cells: Vec<CellChange>,
    /// Number of rows that were added at the end.
    pub added: usize,
    /// Number of rows that were taken out there.
    pub removed: usize,
}

/// Gives a data array as many rows as a table has, and finds the cells that differ from it, which the caller sets.
///
/// # Errors
/// [`ARRAY_TABLE`](codes::ARRAY_TABLE) for a table of other columns, and for values of parameters in new rows;
/// [`NOT_REPLACED`](codes::NOT_REPLACED) for another entry; reading errors; limits.
pub fn fit(opened: &mut Opened, node: Node, csv: &[u8]) -> Result<ArrayChanges> {
    // Its cells are texts of their own for a while.
    let held = (csv.len() as u64).saturating_mul(8);
    opened.charge(held)?;
    let fitted = fit_charged(opened, node, csv);
    opened.release(held);
    fitted
}

fn fit_charged(opened: &mut Opened, node: Node, csv: &[u8]) -> Result<ArrayChanges> {
    let pages = opened.code_pages();
    let (index, table, mut saved) = opened.run(|container, task| {
        let budget = &mut task.budget;
        let other = || Error::new(&codes::NOT_REPLACED).expected("a data array for a .csv");
        let Model::Virtools(file) = Model::of(container) else { return Err(other()) };
        let index = file.object_index(node).ok_or_else(other)?;
        let table = ArrayTables::of(file, budget)?.table(index, budget)?.ok_or_else(other)?;
        let saved = file.value(Owner::Object(index), &mut Vec::new(), budget)?.ok_or_else(other)?;
        Ok((index, table, saved))
    })?;
    let Value::DataArray(array) = &mut saved.value else { return Ok(ArrayChanges::default()) };
    let records = records(csv)?;
    let rows = check_columns(&table, &records, &pages)?;
    let before = table.rows.len();
    let changes = ArrayChanges {
        cells: Vec::new(),
        added: rows.len().saturating_sub(before),
        removed: before.saturating_sub(rows.len()),
    };
    let width = table.columns.len();
    let kept = array.rows.get_or_insert_default();
    kept.resize_with(rows.len(), || Row { cells: vec![Cell::Empty; width] });
    let cells = cells_to_set(index, &table, array, rows, &pages)?;
    if changes.added > 0 || changes.removed > 0 {
        write(opened, index, &mut saved)?;
    }
    Ok(ArrayChanges { cells, ..changes })
}

/// Stores the value of an object.
fn write(opened: &mut Opened, index: u32, saved: &mut Saved<Value>) -> Result<()> {
    let format = opened.container().format();
    let written = opened.edit_whole(|edit, task| {
        let file: &mut File = model::virtools_mut(edit)
            .ok_or_else(|| Error::new(&codes::NO_EDITING).found(format))?;
        file.set_value(Owner::Object(index), saved, &mut task.budget)
    });
    written.unwrap_or_else(|| Err(Error::new(&codes::NO_EDITING).found(format)))
}

/// The lines of a table.
fn records(csv: &[u8]) -> Result<Vec<Vec<String>>> {
    let csv = csv.strip_prefix(b"\xef\xbb\xbf").unwrap_or(csv);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv);
    let records = reader.records().map(|record| {
        let record = record.map_err(|error| {
            Error::new(&codes::ARRAY_TABLE).expected("CSV in UTF-8").found(error.to_string())
        })?;
        Ok(record.iter().map(str::to_owned).collect())
    });
    records.collect()
}

/// The rows of a table, if its columns are those of the array.
fn check_columns<'r>(
    table: &DataArrayTable,
    records: &'r [Vec<String>],
    pages: &CodePages,
) -> Result<&'r [Vec<String>]> {
    let columns: Vec<String> =
        table.columns.iter().map(|name| pages.show(name).into_owned()).collect();
    if columns.is_empty() {
        return Ok(records);
    }
    let wrong = |found: &[String]| {
        Error::new(&codes::ARRAY_TABLE)
            .expected(format!("the columns {}", columns.join(", ")))
            .found(found.join(", "))
    };
    let (head, rows) = records.split_first().ok_or_else(|| wrong(&[]))?;
    if *head != columns {
        return Err(wrong(head));
    }
    match rows.iter().position(|row| row.len() != columns.len()) {
        Some(nth) => {
            let cells = rows.get(nth).map_or(0, Vec::len);
            let expected = format!("{} cells in each line", columns.len());
            let found = format!("{cells} in row {nth}");
            Err(Error::new(&codes::ARRAY_TABLE).expected(expected).found(found))
        }
        None => Ok(rows),
    }
}

/// The cells that are to be set. `array` has as many rows as there are to be.
fn cells_to_set(
    index: u32,
    table: &DataArrayTable,
    array: &DataArray,
    rows: &[Vec<String>],
    pages: &CodePages,
) -> Result<Vec<CellChange>> {
    let mut cells = Vec::new();
    let there = array.rows.as_deref().unwrap_or_default();
    for (nth, (row, kept)) in rows.iter().zip(there).enumerate() {
        for (column, (text, kept)) in row.iter().zip(&kept.cells).enumerate() {
            let old = table.rows.get(nth).and_then(|row| row.get(column));
            let shown = old.map(|old| cell(old.as_ref(), pages)).unwrap_or_default();
            if shown == *text {
                continue;
            }
            let value = match (text.is_empty(), kept) {
                (true, Cell::Object(_)) => "none".to_owned(),
                _ => text.clone(),
            };
            let is_parameter = array
                .columns
                .as_ref()
                .and_then(|all| all.get(column))
                .is_some_and(|column| column.parameter_type.is_some());
            let (entry, field) = match kept {
                Cell::Parameter(reference) => match reference.get(true) {
                    ObjRef::Index(own) => (format!("#{own}"), "parameter.value".to_owned()),
                    _ => return Err(no_parameter(nth, text)),
                },
                _ if is_parameter => return Err(no_parameter(nth, text)),
                _ => (format!("#{index}"), format!("data.rows[{nth}].cells[{column}].value")),
            };
            cells.push(CellChange { entry, field, value });
        }
    }
    Ok(cells)
}

/// The error about the value of a parameter that there is not.
fn no_parameter(row: usize, text: &str) -> Error {
    Error::new(&codes::ARRAY_TABLE)
        .expected(format!("nothing in row {row}, whose parameter is not there"))
        .found(format!("`{text}`"))
}
