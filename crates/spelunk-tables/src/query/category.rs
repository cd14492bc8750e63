//! A category of GameData as a table.

use super::{
    spellforce::CFF,
    table::{Fill, Table, integer},
};
use crate::{ROW, column::columns};
use spellforce::gamedata::{Category, GameData};
use spelunk_core::{Budget, Error, Result};
use spelunk_open::codes;
use std::borrow::Cow;

/// The table of a category.
pub(super) fn table(category: &'static Category) -> Table {
    let row = integer(ROW, "Place of the row in its category, from 0 on.");
    Table {
        schemas: Cow::Borrowed(&[CFF]),
        name: Cow::Borrowed(category.table),
        doc: category.record.doc.into(),
        columns: std::iter::once(row)
            .chain(columns(category).iter().map(|column| **column))
            .collect(),
        fill: Fill::Category(category),
    }
}

/// The statement that declares the columns of a category to SQLite.
pub(super) fn declaration(category: &'static Category) -> String {
    format!("CREATE TABLE x ({})", table(category).declared())
}

/// The first chunk of a category that can be read.
///
/// # Errors
/// What is wrong with the first one, where none can be read; limits.
pub(super) fn chunk(data: GameData<'_>, id: i16, budget: &mut Budget) -> Result<u32> {
    let mut failed = None;
    for chunk in data.chunks_of(id) {
        match data.file().plain(chunk, budget) {
            Ok(_) => return Ok(chunk),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    Err(failed.unwrap_or_else(|| Error::new(&codes::core::NOT_FOUND)))
}
