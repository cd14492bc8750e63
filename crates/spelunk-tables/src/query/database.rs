//! The database that a statement runs on: on disk as far as its rows take more than the cache, and gone with it.

use super::{
    categories::{self, Attachment},
    out::{RowSink, RowsTo},
    read::{ColumnReads, StatementActions},
    sql::{quoted, refused},
    statement::Statement,
    table::Table,
};
use crate::cell::Cell;
use rusqlite::{
    Connection,
    config::DbConfig,
    hooks::{AuthContext, Authorization},
    limits::Limit,
};
use spelunk_core::{Budget, Result, Task};
use spelunk_open::codes;
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
    time::{Duration, Instant},
};

/// Settings of a database that is thrown away: there is nothing to go back to and nothing to be kept from harm.
const PRAGMAS: &str = "PRAGMA temp_store = FILE; PRAGMA foreign_keys = OFF;";

/// Number of instructions of SQLite that are one step of work, and number after which it is asked whether to go on: with the
/// limits of a small file a statement may work for some seconds.
const INSTRUCTIONS: u64 = 128;
const ASKED: u16 = 1 << 10;

/// An instruction may copy a long text, which no count shows: so a step may not take longer than this either.
const STEP: Duration = Duration::from_micros(2);
/// Time that every statement has: a machine with much else to do may take so long for a few steps.
const SHORTEST: Duration = Duration::from_secs(1);

/// Number of values of the result that are handed out in one step of work: whoever gets them writes them.
const VALUES: usize = 4;

/// A function that takes the rows of a result: the names of its columns, and the values of a row.
pub type EachRow<'e> = &'e mut dyn FnMut(&[String], &[Cell<'_>]) -> Result<()>;

/// A database with a schema for each format.
#[derive(Debug)]
pub(super) struct Database {
    connection: Connection,
    /// The file of the virtual tables.
    attachment: Arc<Attachment>,
    /// Limits of a statement, and the flag that ends it.
    budget: Budget,
}

/// Limits the memory of SQLite in this process.
pub(super) fn confine_process(memory: u64) -> Result<()> {
    let connection = Connection::open_in_memory().map_err(refused)?;
    connection.execute_batch(&format!("PRAGMA hard_heap_limit = {memory}")).map_err(refused)
}

impl Database {
    /// An empty one with these schemas beside `main`, which share a cache of so many bytes. No text of a statement takes more
    /// than a sixteenth of the memory limit.
    pub(super) fn new(schemas: &[&str], cache: u64, budget: Budget) -> Result<Database> {
        let limits = budget.left();
        // Without a name it is a file of SQLite's own, and nothing but cache as long as that suffices.
        let connection = Connection::open("").map_err(refused)?;
        connection.execute_batch(PRAGMAS).map_err(refused)?;
        // A name in double quotes that there is not is a mistake, and no text.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false).map_err(refused)?;
        let longest = i32::try_from(limits.memory / 16).unwrap_or(i32::MAX);
        connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest.max(1 << 20)).map_err(refused)?;
        let count = (schemas.len() as u64).saturating_add(1);
        let kib = (cache >> 10).checked_div(count).unwrap_or_default().max(64);
        for schema in ["main"].iter().chain(schemas) {
            let name = quoted(schema);
            if *schema != "main" {
                let attach = format!("ATTACH '' AS {name}");
                connection.execute_batch(&attach).map_err(refused)?;
            }
            let pragmas = format!(
                "PRAGMA {name}.journal_mode = OFF; PRAGMA {name}.synchronous = OFF; \
                 PRAGMA {name}.cache_size = -{kib};"
            );
            connection.execute_batch(&pragmas).map_err(refused)?;
        }
        let attachment = Arc::<Attachment>::default();
        categories::register(&connection, attachment.clone())?;
        Ok(Database { connection, attachment, budget })
    }

    /// Runs statements of our own.
    pub(super) fn run(&self, sql: &str) -> Result<()> {
        self.connection.execute_batch(sql).map_err(refused)
    }

    /// The file of the virtual tables.
    pub(super) fn attachment(&self) -> &Attachment {
        &self.attachment
    }

    /// Makes a table in a schema.
    pub(super) fn create(&self, schema: &str, table: &Table) -> Result<()> {
        let name = quoted(&table.name);
        self.run(&format!("CREATE TABLE {}.{name} ({})", quoted(schema), table.declared()))
    }

    /// Takes a table away.
    pub(super) fn drop(&self, schema: &str, table: &Table) -> Result<()> {
        self.run(&format!("DROP TABLE {}.{}", quoted(schema), quoted(&table.name)))
    }

    /// The virtual tables that a statement would go through again and again.
    pub(super) fn repeated_scans(&self, statement: &Statement) -> Result<BTreeSet<String>> {
        statement.repeated_scans(&self.connection)
    }

    /// Returns what a statement does, as far as SQLite takes it: that fails with its message, beside what was noted till then.
    pub(super) fn actions_of(
        &mut self,
        statement: &Statement,
        may_update: bool,
    ) -> Result<(StatementActions, Result<()>)> {
        let actions = Arc::new(Mutex::new(StatementActions::default()));
        let noted = actions.clone();
        let watch = move |context: AuthContext<'_>| {
            let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
            noted.note(&context, may_update)
        };
        self.connection.authorizer(Some(watch)).map_err(refused)?;
        let prepared = self.connection.prepare(&statement.sql).map_err(refused);
        let prepared = prepared.map(|prepared| prepared.column_count() > 0);
        let none = None::<fn(AuthContext<'_>) -> Authorization>;
        self.connection.authorizer(none).map_err(refused)?;
        let mut actions =
            std::mem::take(&mut *actions.lock().unwrap_or_else(PoisonError::into_inner));
        actions.read.more = statement.joins_by_names();
        let prepared = prepared.map(|has_rows| actions.has_rows = has_rows);
        Ok((actions, prepared))
    }

    /// Returns a writer that puts rows into a table, or only counts them. They may take as much as the task may touch.
    pub(super) fn out<'c>(
        &'c self,
        schema: &str,
        table: &'c Table,
        read: &ColumnReads,
        (file, counter): (&'c str, Option<&'c AtomicU64>),
        task: &Task<'_>,
    ) -> Result<RowSink<'c>> {
        let names: Vec<&str> = table.all_columns().map(|column| column.name).collect();
        let places = vec!["?"; names.len()].join(", ");
        let table_name = quoted(&table.name);
        let sql = format!("INSERT INTO {}.{table_name} VALUES ({places})", quoted(schema));
        let columns = read.columns(schema, &table.name);
        let is_read =
            |name: &str| read.more || columns.is_some_and(|columns| columns.contains(name));
        Ok(RowSink {
            to: match counter {
                Some(counter) => RowsTo::Counter(counter),
                None => RowsTo::Table(self.connection.prepare(&sql).map_err(refused)?),
            },
            read: names.iter().map(|name| is_read(name)).collect(),
            names,
            file,
            taken: 0,
            allowance: task.budget.left().steps.saturating_mul(64),
            budget: task.budget.clone(),
        })
    }

    /// The names of the columns of a statement.
    pub(super) fn names(&self, sql: &str) -> Result<Vec<String>> {
        let statement = self.connection.prepare(sql).map_err(refused)?;
        Ok(statement.column_names().map(str::to_owned).collect())
    }

    /// Runs a statement and hands out its rows, with nothing changed. Returns the names of its columns.
    pub(super) fn query(&mut self, sql: &str, each: EachRow<'_>) -> Result<Vec<String>> {
        self.run("PRAGMA query_only = ON")?;
        self.within_limits(|database| database.rows(sql, each))
    }

    /// Runs a statement that changes rows.
    pub(super) fn update(&mut self, sql: &str) -> Result<()> {
        self.within_limits(|database| {
            database.connection.execute(sql, []).map(drop).map_err(refused)
        })
    }

    /// Ends the work where it takes longer than the limits allow, or is cancelled.
    fn within_limits<T>(&mut self, work: impl FnOnce(&Database) -> Result<T>) -> Result<T> {
        let steps = self.budget.left().steps;
        let mut left = steps.saturating_mul(INSTRUCTIONS) / u64::from(ASKED);
        let longest =
            u32::try_from(steps).map_or(Duration::MAX, |steps| SHORTEST.max(STEP * steps));
        let begun = Instant::now();
        let budget = self.budget.clone();
        let ends = move || {
            left = left.saturating_sub(1);
            left == 0 || begun.elapsed() > longest || budget.check_cancelled().is_err()
        };
        self.connection.progress_handler(ASKED.into(), Some(ends)).map_err(refused)?;
        let done = work(self);
        self.budget.check_cancelled()?;
        if let Some(error) = self.attachment.take_failure() {
            return Err(error);
        }
        done.map_err(|error| match error.code().id == codes::core::STEPS.id {
            true => error.expected(format!("at most {steps} steps")),
            false => error,
        })
    }

    fn rows(&self, sql: &str, each: EachRow<'_>) -> Result<Vec<String>> {
        let mut statement = self.connection.prepare(sql).map_err(refused)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        // Few instructions make a row of long texts.
        let mut budget = self.budget.clone();
        let mut rows = statement.query([]).map_err(refused)?;
        while let Some(row) = rows.next().map_err(refused)? {
            let values = (0..names.len()).map(|nth| Ok(row.get_ref(nth)?.into()));
            let values: rusqlite::Result<Vec<Cell<'_>>> = values.collect();
            let values = values.map_err(refused)?;
            budget.touch(values.iter().map(Cell::len).fold(0, u64::saturating_add))?;
            budget.steps((values.len() / VALUES) as u64)?;
            each(&names, &values)?;
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spelunk_core::Limits;

    #[test]
    fn statements_end_at_their_limits() {
        let code = |sql: &str, limits: Limits| {
            let mut database = Database::new(&[], 0, Budget::new(limits)).unwrap();
            database.query(sql, &mut |_, _| Ok(())).err().map(|error| error.code().id)
        };
        let small = Limits { memory: 32 << 20, steps: 1000, ..Limits::for_len(0) };
        let forever = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
        assert_eq!(code(forever, small), Some("SP011"));
        let handed = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c LIMIT ";
        assert_eq!(code(&format!("{handed}1000"), small), None);
        assert_eq!(code(&format!("{handed}1001"), small), Some("SP011"), "a row is a step");
        let tenfold = forever.replace("FROM c)", "FROM c WHERE x < 100)");
        assert_eq!(code(&tenfold, Limits::for_len(0)), None);
        let longer = "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM c) SELECT max(x) FROM c";
        assert_eq!(code(longer, small), Some("SP010"));
        assert_eq!(code("SELECT length(zeroblob(3000000))", small), Some("SP010"));
        assert_eq!(code("SELECT length(zeroblob(2000000))", small), None);
        // Long texts take long, however few instructions that is.
        let slow = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + length(randomblob(1000000)) FROM c) SELECT count(*) FROM c";
        assert_eq!(code(slow, small), Some("SP011"));
    }
}
