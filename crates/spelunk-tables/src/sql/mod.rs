//! Tables as SQLite databases.
//!
//! A database holds a table for each category, tables of distinct ids that references lead to as foreign keys (which are declared
//! and not enforced: real files break them), the view `dangling` with all references that lead nowhere, a view of the texts of
//! each language, and the sidecar in tables that start with `spelunk_`.

mod errors;
mod export;
mod import;
pub(crate) mod schema;
mod sidecar;

use super::cell::Cell;
pub use export::export;
pub use import::{import, is_for};
use rusqlite::{
    ToSql,
    types::{ToSqlOutput, ValueRef},
};

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
