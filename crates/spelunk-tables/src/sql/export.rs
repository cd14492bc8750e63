//! Writing a database.

use super::{
    super::{column::columns, read::Tables},
    errors::unwritten,
    schema::{self, id_tables, index, table, views},
    sidecar,
};
use rusqlite::{Connection, OpenFlags};
use spellforce::gamedata::Category;
use spelunk_core::{Result, Task};
use spelunk_open::Opened;
use std::path::Path;

/// A new file that is thrown away when it is not finished needs neither a journal nor a sync for each step.
const PRAGMAS: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; \
    PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF;";

/// Writes the tables of a file to a database, which has to be an empty file. It is for the caller to give it its name when it
/// is complete.
///
/// # Errors
/// [`NO_TABLES`](spelunk_open::codes::NO_TABLES) for other formats; [`DATABASE`](spelunk_open::codes::DATABASE); reading errors; limits.
pub fn export(opened: &mut Opened, path: &Path) -> Result<()> {
    opened.run(|container, task| {
        let mut tables = Tables::of(container, task)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(unwritten)?;
        let run = |sql: &str| connection.execute_batch(sql).map_err(unwritten);
        run(PRAGMAS)?;
        run("BEGIN")?;
        let there = tables.categories();
        for category in &there {
            run(&table(category, &there))?;
            fill(&connection, &mut tables, category, task)?;
        }
        // Faster behind the rows than with them.
        there.iter().try_for_each(|category| run(&index(category, None)))?;
        run(&id_tables(&there))?;
        run(&views(&there, tables.languages))?;
        sidecar::write(&connection, &tables.sidecar)?;
        run("COMMIT")?;
        connection.close().map_err(|(_, error)| unwritten(error))
    })
}

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
