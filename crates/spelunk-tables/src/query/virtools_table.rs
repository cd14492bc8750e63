//! What the tables of Virtools files have in common: their schema, columns and values.

use super::{
    out::RowSink,
    table::{Fill, RowSource, Table, integer, text},
};
use crate::column::Column;
use spelunk_core::{Result, Task, Val};
use virtools::{class::parameter_type, profile::PROFILE};

/// The schema of these tables.
pub(super) const VIRTOOLS: &str = PROFILE.schema_name();
/// The schemas of these tables: that one.
pub(super) const ONLY: &[&str] = &[VIRTOOLS];

/// The column that most tables start with.
pub(super) const OBJECT: Column = integer(
    "object",
    "Position of the object in the object table, which is what chunks store as a reference.",
)
.entry("#");
pub(super) const NAME: Column = text("name", "Name of the object.");

/// A table of Virtools files.
pub(super) const fn table(
    name: &'static str,
    doc: &'static str,
    columns: &'static [Column],
    rows: fn(&RowSource<'_>, &mut RowSink<'_>, &mut Task<'_>) -> Result<()>,
) -> Table {
    Table::new(ONLY, name, doc, columns, Fill::Rows(rows))
}

/// A GUID as text.
pub(super) fn guid([d1, d2]: [u32; 2]) -> String {
    Val::Guid(d1, d2).to_string()
}

/// Returns the name of a type of parameters.
pub(super) fn type_name(parameter_type: [u32; 2]) -> Option<&'static str> {
    parameter_type::name(parameter_type)
}
