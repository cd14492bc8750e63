//! What a statement reads and changes.

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use std::collections::{BTreeMap, BTreeSet};

/// What a statement does, as SQLite finds out when it takes it.
#[derive(Debug, Default)]
pub(super) struct StatementActions {
    pub(super) read: ColumnReads,
    /// The columns that it gives values: schema, table and column of each.
    pub(super) updated: Vec<[String; 3]>,
    /// What it would do and may not.
    pub(super) refused: Option<&'static str>,
    /// Whether it hands out rows.
    pub(super) has_rows: bool,
}

impl StatementActions {
    /// Takes note of a part of what the statement does, and says whether it may do that.
    pub(super) fn note(&mut self, context: &AuthContext<'_>, may_update: bool) -> Authorization {
        let schema = context.database_name.unwrap_or_default();
        match context.action {
            AuthAction::Read { table_name, column_name } => {
                let table = (schema.to_lowercase(), table_name.to_lowercase());
                self.read.columns.entry(table).or_default().insert(column_name.to_owned());
                return Authorization::Allow;
            }
            AuthAction::Select | AuthAction::Function { .. } | AuthAction::Recursive => {
                return Authorization::Allow;
            }
            AuthAction::Update { table_name, column_name } if may_update => {
                self.updated.push([schema, table_name, column_name].map(str::to_owned));
                return Authorization::Allow;
            }
            // Our triggers note what is changed.
            AuthAction::Insert { .. } if may_update && context.accessor.is_some() => {
                return Authorization::Allow;
            }
            // What makes and removes tables changes those of SQLite.
            AuthAction::Insert { table_name } | AuthAction::Delete { table_name }
                if table_name.starts_with("sqlite_") =>
            {
                self.refused = Some("another statement");
            }
            AuthAction::Insert { .. } => self.refused = Some("INSERT"),
            AuthAction::Delete { .. } => self.refused = Some("DELETE"),
            _ => self.refused = Some("another statement"),
        }
        Authorization::Deny
    }
}

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
