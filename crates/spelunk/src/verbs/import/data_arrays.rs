//! CSV files into data arrays.

use super::{content::ImportedFile, request::Request, row::ImportedRow};
use crate::{
    Bytes, Opened, Result, Val, WriteOptions,
    edit::batch::Batch,
    entries::lookup,
    models::import::data_arrays::{self, ArrayChanges},
    verbs::{input::Input, run::Run},
};

/// Whether a request is about a table that takes the place of that of a data array.
pub(super) fn is_for(request: &Request) -> bool {
    let extension = request.source.as_path().extension();
    request.replace.is_some() && extension.is_some_and(|it| it.eq_ignore_ascii_case("csv"))
}

/// Puts a table into a data array. `None` where that cannot be done, which is reported and counted.
pub(super) fn make(request: &Request, run: &mut Run<'_>) -> Result<Option<ImportedFile>> {
    let name = request.source.to_string();
    let table = match run.read(&request.source) {
        Ok(table) => table,
        Err(error) => {
            run.unopened(&name, error);
            return Ok(None);
        }
    };
    let (Some(into), Some(path)) = (&request.into, &request.replace) else { return Ok(None) };
    let Some(mut open) = run.open(&Input::named(into))? else { return Ok(None) };
    let file = open.name.clone();
    // Nothing of it stays with a file that is open, if it fails.
    let mut opened = open.held.get()?.fork()?;
    open.held.release();
    let made = put(&mut opened, path, &table);
    let findings = opened.take_findings();
    run.settle(&file, &findings);
    let changes = match made {
        Ok(changes) => changes,
        Err(error) => {
            run.failed(&file, lookup::listed_by(&file, error));
            return Ok(None);
        }
    };
    run.note(&format!("{file}: {path}: {}", summary(&changes)));
    let (options, row) = (WriteOptions::default(), ImportedRow::default());
    Ok(Some(ImportedFile { file, opened, options, findings, row, textures: Vec::new() }))
}

fn put(opened: &mut Opened, path: &str, table: &Bytes) -> Result<ArrayChanges> {
    let node = lookup::find_one(opened, path)?;
    let changes = data_arrays::fit(opened, node, table)?;
    let batch = changes.cells.iter().fold(Batch::new(), |batch, change| {
        batch.set(&change.entry, &change.field, Val::from(change.value.clone()))
    });
    batch.apply(opened)?;
    Ok(changes)
}

/// Returns what became of the table, in words.
fn summary(changes: &ArrayChanges) -> String {
    let ArrayChanges { cells, added, removed } = changes;
    let mut text = match cells.len() {
        1 => "1 cell changed".to_owned(),
        count => format!("{count} cells changed"),
    };
    for (count, what) in [(added, "added"), (removed, "taken out")] {
        match count {
            0 => {}
            1 => text.push_str(&format!(", 1 row {what}")),
            count => text.push_str(&format!(", {count} rows {what}")),
        }
    }
    text
}
