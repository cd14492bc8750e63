//! The categories of a GameData as tables, out and in (`docs/tables.md`): a SQLite database ([`sql`]), a folder of CSV files
//! ([`csv`]), and a JSON document ([`json`]). [`query`](mod@crate::query) has the same tables for SQL straight on a file.
//!
//! All of them hold the same: a table for each category, with a column for each field, and a sidecar with what is
//! no row. Imported again, what was not changed gives the same bytes, and what was changed gives that edit. The columns
//! come from the schema of the categories; nothing here knows a field by its name.
//!
//! A row has a number, which is its place in its category. New rows have none, or one that no old row had: they go to where
//! their keys belong. The corners of a polygon are one column of JSON, `[[x,y],...]`, and their count follows from it.

#![deny(unsafe_code)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::indexing_slicing))]
// Most of what cells can do is for statements.
#![cfg_attr(not(feature = "sql"), allow(dead_code))]

#[cfg(feature = "sql")]
pub mod sql;

mod build;
pub(crate) mod cell;
pub mod column;
#[cfg(feature = "csv")]
pub mod csv;
pub mod json;
#[cfg(feature = "sql")]
pub mod query;
pub(crate) mod read;
pub mod rows;
pub mod schema;
pub(crate) mod sidecar;
pub mod translations;

pub use cell::Cell;
use spelunk_open::{Opened, languages::gamedata};
pub use spelunk_open::{document::Imported, languages};

/// The column with the place of a row in its category, beside those of its fields.
pub(crate) const ROW: &str = "row";
/// The version of the forms, and the key that distinguishes them from others.
const VERSION: &str = "spelunk_tables";

/// Whether a file holds tables.
pub fn is_for(opened: &Opened) -> bool {
    gamedata(opened.container()).is_ok()
}
