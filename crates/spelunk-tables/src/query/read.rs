//! What a statement reads.

use std::collections::{BTreeMap, BTreeSet};

/// The columns that a statement reads, of each table by schema and name in small letters. Where rows are counted alone, the one
/// column has no name, and the schema none either unless the statement names it.
#[derive(Debug, Default)]
pub(super) struct ColumnReads {
    pub(super) columns: BTreeMap<(String, String), BTreeSet<String>>,
    /// Whether columns may be read that SQLite does not report.
    pub(super) more: bool,
}

impl ColumnReads {
    /// Whether a table is read.
    pub(super) fn has(&self, schema: &str, table: &str) -> bool {
        self.columns(schema, table).is_some()
    }

    /// Whether one table is read, and nothing of it but how many rows it has.
    pub(super) fn is_one_table_without_columns(&self) -> bool {
        let mut columns = self.columns.values();
        let first = columns.next().is_some_and(|names| names.iter().all(String::is_empty));
        first && columns.next().is_none()
    }

    pub(super) fn columns(&self, schema: &str, table: &str) -> Option<&BTreeSet<String>> {
        let of = |schema: &str| self.columns.get(&(schema.to_lowercase(), table.to_lowercase()));
        of(schema).or_else(|| of(""))
    }
}
