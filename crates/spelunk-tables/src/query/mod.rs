//! SQL straight on files of every format (`docs/query.md`).
//!
//! A [`Query`] meets its files first, so that it knows which tables there are; then it prepares its statement, is filled by the
//! files one after the other with the columns that the statement reads, and hands out the rows of the result. [`query`]
//! does all of that for one file. The categories of one GameData are not filled: SQLite looks their rows up in the file.
//!
//! Tables of all formats are in the schema `main`, others in one of their format: `virtools.objects`, `map.objects`. Names
//! without a schema mean the first table that is called so. Rows lie on disk where they take more than the cache, which is
//! drawn from the memory limit; what a file may fill is limited by its size.
//!
//! ```
//! use spelunk_open::{Opened, Options};
//! use spelunk_tables::query;
//! use std::sync::Arc;
//!
//! let file = spelunk_fixtures::samples().remove(0);
//! let mut opened = Opened::open(Arc::new(spelunk_core::Bytes::from(file.fixture.bytes)), &Options::default())?;
//! let sql = "SELECT class, count(*) FROM objects GROUP BY class";
//! query::query("level.nmo", &mut opened, sql, &mut |_, row| {
//!     println!("{row:?}");
//!     Ok(())
//! })?;
//! # Ok::<(), spelunk_core::Error>(())
//! ```

mod categories;
mod category;
mod database;
mod every;
mod gamedata;
mod listed;
mod near;
mod out;
pub mod page;
mod read;
mod scene;
mod scripts;
mod snpak;
mod spellforce;
mod sql;
mod statement;
mod table;
mod update;
mod virtools;
mod virtools_table;

pub use crate::{
    cell::Cell,
    column::{Column, ColumnKind},
};
use database::Database;
pub use database::EachRow;
use every::MAIN;
use read::ColumnReads;
use spelunk_core::{Error, Limits, Result};
use spelunk_open::{Opened, Options, codes};
use statement::Statement;
use std::sync::atomic::{AtomicU64, Ordering};
pub use table::Table;
use table::{Fill, RowSource};
use update::UpdateSource;
pub use update::{FieldUpdate, Updates};

/// The most that the cache of the database is.
const CACHE: u64 = 32 << 20;

/// A statement over files, on its way.
#[derive(Debug)]
pub struct Query {
    options: Options,
    /// `None` where nothing is wanted but the list of the tables.
    statement: Option<Statement>,
    /// Whether it is to change rows.
    updates: bool,
    /// The sizes of the files that were met, and their number.
    size: u64,
    files: usize,
    /// The schemas of the formats that were met, in that order.
    schemas: Vec<&'static str>,
    gamedata: gamedata::GameDataSummary,
    prepared: Option<Prepared>,
}

/// A statement whose tables are there.
#[derive(Debug)]
struct Prepared {
    /// The tables that are filled.
    tables: Vec<Table>,
    /// Whether some are not, and have to have their file.
    has_virtual: bool,
    database: Database,
    read: ColumnReads,
    /// The rows so far, where the statement does nothing but count them.
    counter: Option<AtomicU64>,
    /// The columns whose changes are noted.
    sources: Vec<UpdateSource>,
}

impl Query {
    /// The query of a statement, which met no file yet; without one, for [`tables`](Query::tables) alone.
    pub fn new(sql: Option<&str>, options: &Options) -> Query {
        Query {
            options: options.clone(),
            statement: sql.map(Statement::new),
            updates: false,
            size: 0,
            files: 0,
            schemas: Vec::new(),
            gamedata: gamedata::GameDataSummary::default(),
            prepared: None,
        }
    }

    /// The query of a statement that updates rows of one file, which it did not meet yet.
    pub fn updating(sql: &str, options: &Options) -> Query {
        Query { updates: true, ..Query::new(Some(sql), options) }
    }

    /// The cache of the database: an eighth of the memory limit, and 32 MiB at the most.
    fn cache(&self) -> u64 {
        CACHE.min(self.limits().memory / 8)
    }

    /// The limits of the statement: those of one file of the size of all that were met.
    fn limits(&self) -> Limits {
        self.options.limits(self.size)
    }

    /// Has SQLite never take more memory than the files that were met allow, for as long as this process lives: its limit is
    /// that of the process, of every query in it, and can only be lowered. Without it long texts are limited one by one.
    ///
    /// # Errors
    /// [`DATABASE`](codes::DATABASE).
    pub fn confine_process(&self) -> Result<()> {
        // The rest is for the files and the rows that go out.
        database::confine_process(self.limits().memory / 4 * 3)
    }

    /// Whether the statement may mean a table of this name; where there is none all tables are wanted.
    fn may_mean(&self, name: &str) -> bool {
        self.statement.as_ref().is_none_or(|statement| statement.may_mean(name))
    }

    /// Takes note of the tables that a file has.
    ///
    /// # Errors
    /// Reading errors; limits. Tables of other files are none the worse for it.
    pub fn meet(&mut self, opened: &mut Opened) -> Result<()> {
        if let Some(schema) = opened.container().profile().schema
            && !self.schemas.contains(&schema)
        {
            self.schemas.push(schema);
        }
        self.size = self.size.saturating_add(opened.container().size());
        self.files = self.files.saturating_add(1);
        let with_languages = self.may_mean("texts_");
        self.gamedata.meet(opened, with_languages)
    }

    /// The tables and views of the files that were met; of the views of texts those that the statement may mean.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = every::TABLES.to_vec();
        for schema in &self.schemas {
            let has = |table: &Table| table.schemas.contains(schema);
            let all = tables_of_formats();
            let others =
                if *schema == spellforce::CFF { self.gamedata.tables() } else { Vec::new() };
            let these = all
                .chain(others)
                .filter(has)
                .map(|table| Table { schemas: vec![*schema].into(), ..table });
            tables.extend(these);
        }
        tables
    }

    /// Makes the tables that the statement may mean, and finds out what it reads of them.
    ///
    /// # Errors
    /// [`SQL`](codes::SQL) with what SQLite says of it, and with the tables or columns near one that there is not.
    pub fn prepare(&mut self) -> Result<()> {
        let Some(statement) = &self.statement else {
            return Err(Error::new(&codes::SQL).expected("a statement that reads"));
        };
        let all = self.tables();
        let mut database =
            Database::new(&self.schemas, self.cache(), self.options.cancellable(self.limits()))?;
        // Views of references go through the tables of all categories.
        let has_views = statement.may_mean(&gamedata::DANGLING.name);
        let is_meant = |table: &&Table| match table.fill {
            Fill::View => false,
            Fill::Category(_) if has_views => true,
            // Views of texts go by the languages.
            _ if table.name == gamedata::LANGUAGES.name => true,
            _ => statement.may_mean(&table.name),
        };
        let (mut tables, mut virtual_tables) = (Vec::new(), Vec::new());
        for table in all.iter().filter(is_meant) {
            match table.fill {
                Fill::Category(category)
                    if self.files == 1 && category.row_size().is_some() && !self.updates =>
                {
                    let rows = self.gamedata.rows(category);
                    database.run(&categories::create(spellforce::CFF, category, rows))?;
                    virtual_tables.push(table.clone());
                }
                _ => {
                    table.schemas.iter().try_for_each(|schema| database.create(schema, table))?;
                    tables.push(table.clone());
                }
            }
        }
        self.gamedata.make_views(&database, statement)?;
        let (read, sources) = self.take(statement, all, &tables, &mut database)?;
        virtual_tables.retain(|table| read.has(spellforce::CFF, &table.name));
        fill_what_is_repeated(statement, &database, &mut virtual_tables, &mut tables)?;
        // The first one of a name is meant; tables of SQLite itself are none of ours.
        let is_read =
            |table: &Table| table.schemas.iter().any(|schema| read.has(schema, &table.name));
        let counted = match virtual_tables.is_empty() && statement.counts_rows(&read) {
            true => tables.iter().position(is_read),
            false => None,
        };
        if let Some(counted) = counted {
            tables = vec![tables.swap_remove(counted)];
        }
        database.run("BEGIN")?;
        self.prepared = Some(Prepared {
            tables,
            has_virtual: !virtual_tables.is_empty(),
            database,
            read,
            counter: counted.map(|_| AtomicU64::default()),
            sources,
        });
        Ok(())
    }

    /// Has SQLite take the statement. Returns what it reads and, where it is to change rows, the columns whose changes are noted.
    fn take(
        &self,
        statement: &Statement,
        mut all: Vec<Table>,
        tables: &[Table],
        database: &mut Database,
    ) -> Result<(ColumnReads, Vec<UpdateSource>)> {
        let mut sources = Vec::new();
        if self.updates {
            let views = self.gamedata.text_tables(statement);
            sources = update::watch(tables.iter().chain(&views), database)?;
            all.extend(views);
        }
        let (actions, taken) = database.actions_of(statement, self.updates)?;
        if self.updates {
            update::check(&actions, &all)?;
        }
        taken.map_err(|error| near::advised(error, statement, &all))?;
        match (self.updates, actions.has_rows) {
            (false, false) => Err(Error::new(&codes::SQL).expected("a statement that reads")),
            (true, _) if actions.updated.is_empty() => {
                Err(update::not_updating("a statement that reads"))
            }
            (true, true) => Err(update::not_updating("UPDATE with RETURNING")),
            _ => Ok((actions.read, sources)),
        }
    }

    /// Fills the tables that the statement reads with the rows of a file, which the rows call `file`. Findings are for the file
    /// to keep, unless the statement reads them.
    ///
    /// # Errors
    /// Reading errors; limits. Rows that came before stay.
    pub fn fill(&self, file: &str, opened: &mut Opened) -> Result<()> {
        let Some(prepared) = &self.prepared else { return Ok(()) };
        let own = opened.container().profile().schema;
        // The cache is there beside the file.
        let cache = self.cache();
        opened.charge(cache)?;
        let filled = prepared.tables.iter().try_for_each(|table| {
            let mut schemas = table.schemas.iter();
            let schema = schemas.find(|schema| **schema == MAIN || Some(**schema) == own);
            schema.map_or(Ok(()), |schema| prepared.fill(schema, table, file, opened))
        });
        opened.release(cache);
        filled?;
        if prepared.has_virtual {
            let (container, _, budget, _) = opened.fork()?.into_parts();
            prepared.database.attachment().attach(file, container, budget);
        }
        Ok(())
    }

    /// Runs the statement and hands out the rows of its result. Returns the names of its columns.
    ///
    /// # Errors
    /// [`SQL`](codes::SQL) with what SQLite says; [`STEPS`](codes::core::STEPS) and [`MEMORY`](codes::core::MEMORY) for a
    /// statement that works longer, or makes longer texts, than the files explain; what `each` returns.
    pub fn rows(self, each: EachRow<'_>) -> Result<Vec<String>> {
        let (Some(prepared), Some(statement)) = (self.prepared, self.statement) else {
            return Err(Error::new(&codes::SQL).expected("a statement that reads"));
        };
        let Prepared { tables, mut database, read, counter, .. } = prepared;
        if let Some(counter) = counter {
            let names = database.names(&statement.sql)?;
            each(&names, &[counter.load(Ordering::Relaxed).into()])?;
            return Ok(names);
        }
        index(&tables, &read, &database)?;
        database.query(&statement.sql, each)
    }

    /// Runs the statement of [`updating`](Query::updating), and returns the fields of the file that it gives other values.
    ///
    /// # Errors
    /// Those of [`rows`](Query::rows); [`CELL_VALUE`](codes::CELL_VALUE) for values that no field has.
    pub fn updates(self, opened: &mut Opened) -> Result<Updates> {
        let (Some(prepared), Some(statement)) = (self.prepared, self.statement) else {
            return Err(update::not_updating("no statement"));
        };
        let Prepared { tables, mut database, read, sources, .. } = prepared;
        index(&tables, &read, &database)?;
        update::run(&statement.sql, &sources, &mut database, opened)
    }
}

/// Makes the indexes of the tables that are filled, and ends with what fills them.
fn index(tables: &[Table], read: &ColumnReads, database: &Database) -> Result<()> {
    // Faster behind the rows than with them.
    for table in tables {
        if let Fill::Category(category) = table.fill
            && read.has(spellforce::CFF, category.table)
        {
            database.run(&gamedata::index(category))?;
        }
    }
    database.run("COMMIT")
}

/// Has virtual tables filled whose rows the statement would go through again and again. Each may change what is done with the
/// others.
fn fill_what_is_repeated(
    statement: &Statement,
    database: &Database,
    virtual_tables: &mut Vec<Table>,
    tables: &mut Vec<Table>,
) -> Result<()> {
    while !virtual_tables.is_empty() {
        let repeated = database.repeated_scans(statement)?;
        let is_repeated = |table: &mut Table| repeated.contains(table.name.as_ref());
        let filled: Vec<Table> = virtual_tables.extract_if(.., is_repeated).collect();
        if filled.is_empty() {
            break;
        }
        for table in filled {
            database.drop(spellforce::CFF, &table)?;
            database.create(spellforce::CFF, &table)?;
            tables.push(table);
        }
    }
    Ok(())
}

impl Prepared {
    /// Fills a table, if the statement reads it.
    fn fill(&self, schema: &str, table: &Table, file: &str, opened: &mut Opened) -> Result<()> {
        if !self.read.has(schema, &table.name) {
            return Ok(());
        }
        let (pages, bytes) = (opened.code_pages(), opened.source());
        let to = (file, self.counter.as_ref());
        if let Fill::Findings = table.fill {
            // They are asked for as rows, and go nowhere else.
            let verified = opened.run(|container, task| container.verify(task));
            let found = opened.take_findings();
            return opened.run(|_, task| {
                let mut out = self.database.out(schema, table, &self.read, to, task)?;
                every::findings(&found, &mut out)?;
                verified.and_then(|()| out.finish(task))
            });
        }
        opened.run(|container, task| {
            let mut out = self.database.out(schema, table, &self.read, to, task)?;
            let source = RowSource { container, pages: &pages, bytes: bytes.as_ref() };
            match table.fill {
                Fill::Rows(rows) => rows(&source, &mut out, task)?,
                Fill::Listing(from) => {
                    listed::entries(&source, from, &table.columns, &mut out, task)?;
                }
                Fill::Lists(list) => {
                    listed::lists(&source, list, &table.columns, &mut out, task)?;
                }
                Fill::Category(category) => gamedata::rows(&source, category, &mut out, task)?,
                Fill::List(schema, id) => {
                    spellforce::list(&source, (schema, id), &table.columns, &mut out, task)?;
                }
                Fill::Findings | Fill::View => {}
            }
            out.finish(task)
        })
    }
}

/// Runs one statement that reads on the tables of a file, and hands out the rows of its result. Returns the names of its
/// columns.
///
/// # Errors
/// [`SQL`](codes::SQL) with what SQLite says of the statement; reading errors; limits; what `each` returns.
pub fn query(file: &str, opened: &mut Opened, sql: &str, each: EachRow<'_>) -> Result<Vec<String>> {
    let mut query = Query::new(Some(sql), opened.options());
    query.meet(opened)?;
    query.prepare()?;
    query.fill(file, opened)?;
    query.rows(each)
}

/// Runs one statement that updates rows of the tables of a file, and returns the fields that it gives other values. The file stays
/// as it is.
///
/// # Errors
/// [`SQL`](codes::SQL) with what SQLite says of the statement, and for columns that are no fields;
/// [`CELL_VALUE`](codes::CELL_VALUE) for values that no field has; reading errors; limits.
pub fn updates(file: &str, opened: &mut Opened, sql: &str) -> Result<Updates> {
    let mut query = Query::updating(sql, opened.options());
    query.meet(opened)?;
    query.prepare()?;
    query.fill(file, opened)?;
    query.updates(opened)
}

/// Names of columns, of which no two are alike.
pub fn distinct(names: &[String]) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for name in names {
        let nth = (1_u64..).map(|nth| format!("{name}:{nth}"));
        let key = std::iter::once(name.clone()).chain(nth).find(|key| !keys.contains(key));
        keys.extend(key);
    }
    keys
}

/// The tables that files of a format have, whatever is in them.
fn tables_of_formats() -> impl Iterator<Item = Table> {
    let fixed = [virtools::TABLES, snpak::TABLES, spellforce::TABLES];
    fixed.into_iter().flatten().cloned().chain(spellforce::lists())
}
