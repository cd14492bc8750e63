//! Data arrays as CSV files: a row of names, then the rows. Text is UTF-8.

use super::{Options, OutputFile, selection::Selection, with_file};
use spelunk_core::{
    Budget, Error, Result,
    text::{CodePages, until_nul},
};
use spelunk_open::{Opened, codes, safe_path::SafePaths};
use std::{borrow::Cow, io};
use virtools::{
    script::ValueText,
    tables::{ArrayTables, DataArrayTable},
};

/// The data arrays of a file, or those that are chosen, as CSV files.
///
/// # Errors
/// [`NOTHING`](codes::NOTHING) where there are none; [`NOT_EXPORTED`](codes::NOT_EXPORTED) for files of other
/// formats; reading errors; limits.
pub fn export(opened: &mut Opened, options: &Options) -> Result<Vec<OutputFile>> {
    with_file(opened, |file, pages, task| {
        let chosen = Selection::of(file, &options.paths, pages, task)?;
        let tables = ArrayTables::of(file, &mut task.budget)?;
        let mut names = SafePaths::default();
        let mut made = Vec::new();
        for index in tables.indices(&mut task.budget)? {
            if chosen.as_ref().is_some_and(|chosen| !chosen.has(index)) {
                continue;
            }
            let before = task.budget.left().memory;
            let Some(table) = tables.table(index, &mut task.budget)? else { continue };
            let content = text(&table, pages, &mut task.budget)?;
            task.budget.release(before.saturating_sub(task.budget.left().memory));
            task.budget.memory(content.capacity() as u64)?;
            let object = file.table().objects.get(index as usize);
            let name = object.map_or(&[][..], |object| until_nul(file.table().name(object)));
            let name = pages.show(name).replace('/', "%2F");
            made.push(OutputFile { name: names.claim(&format!("{name}.csv")), content });
        }
        if made.is_empty() {
            return Err(Error::new(&codes::NOTHING).found("no data arrays"));
        }
        Ok(made)
    })
}

/// A table as CSV.
fn text(table: &DataArrayTable, pages: &CodePages, budget: &mut Budget) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let written = |error: csv::Error| Error::from(io::Error::other(error));
    if !table.columns.is_empty() {
        let names = table.columns.iter().map(|name| pages.show(name));
        writer.write_record(names.map(Cow::into_owned)).map_err(written)?;
    }
    for row in &table.rows {
        let mut len = 0_u64;
        let cells = row.iter().map(|value| cell(value.as_ref(), pages)).inspect(|cell| {
            len = len.saturating_add(cell.len() as u64).saturating_add(1);
        });
        writer.write_record(cells).map_err(written)?;
        // Twice for quotes, while what was written is moved to where there is room for twice as much.
        budget.memory(len.saturating_mul(4))?;
    }
    let error = |error: csv::IntoInnerError<_>| Error::from(error.into_error());
    writer.into_inner().map_err(error)
}

/// A cell as CSV has it. Line breaks stay what they are: CSV can hold them.
pub(crate) fn cell(value: Option<&ValueText>, pages: &CodePages) -> String {
    match value {
        None => String::new(),
        Some(ValueText::Text(text)) => {
            pages.decode(text).unwrap_or_else(|| pages.show(text)).into_owned()
        }
        Some(value) => value.show(pages),
    }
}
