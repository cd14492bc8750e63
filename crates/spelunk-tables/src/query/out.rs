//! The rows of a table on their way into the database.

use super::sql::refused;
use crate::cell::Cell;
use rusqlite::Statement as Prepared;
use spelunk_core::{Budget, Error, Result, Task};
use spelunk_open::codes;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that a row takes beside its values.
const ROW: u64 = 16;

/// Target of rows.
pub(super) enum RowsTo<'c> {
    /// Into a table of the database.
    Table(Prepared<'c>),
    /// Nowhere: they are counted.
    Counter(&'c AtomicU64),
}

/// Takes the rows of a table.
pub(super) struct RowSink<'c> {
    pub(super) to: RowsTo<'c>,
    /// The names of the columns, and which of them the statement reads: the others stay NULL.
    pub(super) names: Vec<&'c str>,
    pub(super) read: Vec<bool>,
    pub(super) file: &'c str,
    pub(super) taken: u64,
    pub(super) allowance: u64,
    pub(super) budget: Budget,
}

impl RowSink<'_> {
    /// Whether the statement reads this column.
    pub(super) fn wants(&self, column: &str) -> bool {
        self.names.iter().zip(&self.read).any(|(name, read)| *name == column && *read)
    }

    /// The file that the rows are of.
    pub(super) fn file(&self) -> String {
        self.file.to_owned()
    }

    /// Takes a row: the values of the columns, without that of `file`.
    ///
    /// # Errors
    /// [`STEPS`](codes::core::STEPS) where rows take more than the file may; [`DATABASE`](codes::DATABASE).
    pub(super) fn row(&mut self, values: &[Cell<'_>]) -> Result<()> {
        let insert = match &mut self.to {
            RowsTo::Table(insert) => insert,
            RowsTo::Counter(counter) => {
                counter.fetch_add(1, Ordering::Relaxed);
                return self.budget.check_cancelled();
            }
        };
        let file = Cell::from(self.file);
        let all = values.iter().chain([&file]);
        for ((value, read), nth) in all.zip(&self.read).zip(1..) {
            let value = if *read { value } else { &Cell::Null };
            self.taken = self.taken.saturating_add(value.len());
            insert.raw_bind_parameter(nth, value).map_err(refused)?;
        }
        self.taken = self.taken.saturating_add(ROW);
        if self.taken > self.allowance {
            let error = Error::new(&codes::core::STEPS);
            return Err(error.expected(format!("at most {} bytes of rows", self.allowance)));
        }
        self.budget.check_cancelled()?;
        insert.raw_execute().map(drop).map_err(refused)
    }

    /// Draws what the rows took from the budget.
    pub(super) fn finish(self, task: &mut Task<'_>) -> Result<()> {
        task.budget.touch(self.taken)
    }
}
