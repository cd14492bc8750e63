//! The statement of a query: what can be known of it before it runs.

use super::{read::ColumnReads, sql::refused};
use rusqlite::Connection;
use spelunk_core::Result;
use std::collections::BTreeSet;

/// A statement that reads.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) sql: String,
    /// The same in small letters.
    small: String,
}

impl Statement {
    pub(super) fn new(sql: &str) -> Statement {
        Statement { sql: sql.to_owned(), small: sql.to_lowercase() }
    }

    /// Whether the statement may mean something of this name. What is not among its letters it cannot mean.
    pub(super) fn may_mean(&self, name: &str) -> bool {
        self.small.contains(&name.to_lowercase())
    }

    /// Whether the statement has this name as a word.
    pub(super) fn names(&self, name: &str) -> bool {
        let mut words = self.small.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word.eq_ignore_ascii_case(name))
    }

    /// Whether tables are joined by columns that SQLite does not report.
    pub(super) fn joins_by_names(&self) -> bool {
        ["using", "natural"].iter().any(|word| self.small.contains(word))
    }

    /// Whether the statement counts the rows of one table and does nothing else.
    pub(super) fn counts_rows(&self, read: &ColumnReads) -> bool {
        let words: Vec<&str> =
            self.small.trim_end().trim_end_matches(';').split_whitespace().collect();
        matches!(words[..], ["select", "count(*)", "from", _])
            && read.is_one_table_without_columns()
    }

    /// The virtual tables that the statement would go through again and again, by the names in their plans.
    pub(super) fn repeated_scans(&self, connection: &Connection) -> Result<BTreeSet<String>> {
        let steps = plan(connection, &self.sql).map_err(refused)?;
        let is_repeated = |nth: usize, step: &PlanStep| {
            let before = steps.iter().take(nth).filter(|other| other.parent == step.parent);
            before.clone().any(PlanStep::is_loop) || !is_once(&steps, step.parent)
        };
        let scans = steps.iter().enumerate().filter(|(nth, step)| is_repeated(*nth, step));
        Ok(scans.filter_map(|(_, step)| step.scanned()).map(str::to_owned).collect())
    }
}

/// A step of the plan of a statement.
struct PlanStep {
    id: i64,
    parent: i64,
    detail: String,
}

impl PlanStep {
    /// Whether it goes through rows.
    fn is_loop(&self) -> bool {
        ["SCAN ", "SEARCH "].iter().any(|word| self.detail.starts_with(word))
    }

    /// The virtual table all rows of which it goes through.
    fn scanned(&self) -> Option<&str> {
        let (_, scanned) = self.detail.split_once(" VIRTUAL TABLE INDEX 0:")?;
        scanned.split_whitespace().next()
    }
}

/// Steps whose parts are done once. Of others nothing is known, or that they are done for each row of something.
const ONCE: &[&str] = &[
    "CO-ROUTINE",
    "COMPOUND QUERY",
    "EXCEPT",
    "INTERSECT",
    "LEFT",
    "LEFT-MOST SUBQUERY",
    "LIST SUBQUERY",
    "MATERIALIZE",
    "MERGE",
    "RIGHT",
    "SCALAR SUBQUERY",
    "SETUP",
    "UNION",
];

fn is_once(steps: &[PlanStep], parent: i64) -> bool {
    let Some(step) = steps.iter().find(|step| step.id == parent) else { return true };
    ONCE.iter().any(|word| step.detail.starts_with(word)) && is_once(steps, step.parent)
}

fn plan(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<PlanStep>> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    let step = |row: &rusqlite::Row<'_>| {
        Ok(PlanStep { id: row.get(0)?, parent: row.get(1)?, detail: row.get(3)? })
    };
    statement.query_map([], step)?.collect()
}
