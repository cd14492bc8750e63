//! Tables as SQLite databases.
//!
//! A database holds a table for each category, tables of distinct ids that references lead to as foreign keys (which are declared
//! and not enforced: real files break them), the view `dangling` with all references that lead nowhere, a view of the texts of
//! each language, and the sidecar in tables that start with `spelunk_`.

mod export;
mod import;
pub(crate) mod schema;
mod sidecar;

use super::{cell::Cell, column::columns, read::Tables};
pub use export::export;
pub use import::{import, is_for};
use rusqlite::{
    Connection, ToSql,
    types::{ToSqlOutput, ValueRef},
};
use spellforce::gamedata::Category;
use spelunk_core::{Error, Result, Task};
use spelunk_open::codes;

/// Fills a table with the rows of its category.
fn fill(
    connection: &Connection,
    tables: &mut Tables<'_>,
    category: &'static Category,
    task: &mut Task<'_>,
) -> Result<()> {
    let insert = schema::insert(category, &columns(category));
    let mut insert = connection.prepare(&insert).map_err(unwritten)?;
    tables.rows(category, task, &mut |place, cells| {
        let mut bind = || {
            insert.raw_bind_parameter(1, place)?;
            for (nth, cell) in (2..).zip(cells) {
                insert.raw_bind_parameter(nth, cell)?;
            }
            insert.raw_execute()
        };
        bind().map(|_| ()).map_err(unwritten)
    })
}

/// The error for a message of SQLite about a database that is written.
#[cold]
fn unwritten(error: rusqlite::Error) -> Error {
    Error::new(&codes::DATABASE).found(error.to_string())
}

/// The error for a message of SQLite about a database that is read.
#[cold]
fn unread(error: rusqlite::Error) -> Error {
    Error::new(&codes::BAD_TABLES).expected("a database of tables").found(error.to_string())
}

impl ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Cell::Null => ValueRef::Null,
            Cell::Integer(number) => ValueRef::Integer(*number),
            Cell::Real(number) => ValueRef::Real(*number),
            Cell::Text(text) => ValueRef::Text(text.as_bytes()),
            Cell::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl<'v> From<ValueRef<'v>> for Cell<'v> {
    /// A text that is no UTF-8 is bytes.
    fn from(value: ValueRef<'v>) -> Cell<'v> {
        match value {
            ValueRef::Null => Cell::Null,
            ValueRef::Integer(number) => Cell::Integer(number),
            ValueRef::Real(number) => Cell::Real(number),
            ValueRef::Text(text) => match std::str::from_utf8(text) {
                Ok(text) => text.into(),
                Err(_) => Cell::Bytes(text),
            },
            ValueRef::Blob(bytes) => Cell::Bytes(bytes),
        }
    }
}
