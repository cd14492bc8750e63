//! Reading a database.

use super::{
    super::{
        Imported, ROW,
        build::{Builder, CategoryRows},
        cell::Cell,
    },
    errors::unread,
    schema::quoted,
    sidecar,
};
use rusqlite::{Connection, MAIN_DB, limits::Limit, types::ValueRef};
use spellforce::gamedata::Category;
use spelunk_core::{Error, Result, Seg, Source};
use spelunk_open::{Options, codes};
use std::{collections::BTreeSet, io, ops::Range};

/// The first bytes of a database.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Whether a file that starts like this is a database.
pub fn is_for(start: &[u8]) -> bool {
    start.starts_with(MAGIC)
}

/// Position in the header of a database of the versions that write and that read it; both are 1, or 2 for those with a
/// write-ahead log.
const VERSIONS: Range<usize> = 18..20;

/// Reads the tables of a database, and builds the file that they are of. Its bytes are all of it: what a program that has it open
/// keeps in a log beside it is not seen.
///
/// # Errors
/// [`BAD_TABLES`](codes::BAD_TABLES) where it holds none; what is wrong with a cell; reading errors; limits.
pub fn import(database: &dyn Source, options: &Options) -> Result<Imported> {
    let len = database.len();
    // SQLite keeps all of it in memory.
    let size = usize::try_from(len).map_err(|_| Error::new(&codes::core::MEMORY))?;
    let mut budget = options.budget(len);
    budget.memory(len)?;
    let options = &Options { max_memory: Some(budget.left().memory), ..options.clone() };
    let mut connection = Connection::open_in_memory().map_err(unread)?;
    let bytes = DatabaseBytes { source: database, at: 0 };
    connection.deserialize_read_exact(MAIN_DB, bytes, size, true).map_err(unread)?;
    connection.execute_batch("PRAGMA trusted_schema = OFF").map_err(unread)?;
    // Nothing that is stored is longer than the file; what a database computes may not be either.
    let longest = i32::try_from(len.max(1 << 20)).unwrap_or(i32::MAX);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, longest).map_err(unread)?;
    let names = tables(&connection).map_err(unread)?;
    let mut builder = Builder::new(sidecar::read(&connection)?, len, options)?;
    for category in builder.categories(|category| names.contains(category.table))? {
        let mut rows = builder.rows(category)?;
        read(&connection, category, &mut rows)?;
        rows.finish()?;
    }
    builder.finish()
}

/// The bytes of a database, as one without a log: SQLite opens no other in memory.
struct DatabaseBytes<'s> {
    source: &'s dyn Source,
    at: u64,
}

impl io::Read for DatabaseBytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.source.len().saturating_sub(self.at);
        let len = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        let piece = buffer.get_mut(..len).unwrap_or_default();
        self.source.read_at(self.at, piece).map_err(|error| io::Error::other(error.to_string()))?;
        for (place, byte) in (self.at..).zip(&mut *piece) {
            match usize::try_from(place) {
                Ok(place) if VERSIONS.contains(&place) => *byte = (*byte).min(1),
                Ok(place) if place < VERSIONS.end => {}
                _ => break,
            }
        }
        self.at = self.at.saturating_add(len as u64);
        Ok(len)
    }
}

/// The names of the tables. Views are none: their rows are not stored.
fn tables(connection: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    let mut names = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    names.query_map([], |row| row.get(0))?.collect()
}

/// Reads the rows of a category.
fn read(
    connection: &Connection,
    category: &'static Category,
    rows: &mut CategoryRows<'_>,
) -> Result<()> {
    let within = |error: rusqlite::Error| unread(error).field(category.table);
    // SQLite takes a name that it does not know for a text, unless a table stands before it.
    let name = |name: &str| format!("a.{}", quoted(name));
    let names: Vec<_> = rows.columns().iter().map(|column| name(column.name)).collect();
    let (place, names, table) = (name(ROW), names.join(", "), quoted(category.table));
    let sql = format!("SELECT {place}, {names} FROM {table} a ORDER BY {place}");
    let mut select = connection.prepare(&sql).map_err(within)?;
    let mut found = select.query([]).map_err(within)?;
    while let Some(row) = found.next().map_err(within)? {
        let place: i64 = row.get(0).map_err(within)?;
        let mut cells = Vec::with_capacity(rows.columns().len());
        for nth in 0..rows.columns().len() {
            let value = row.get_ref(nth.saturating_add(1)).map_err(within)?;
            let cell = cell(value).map_err(|found| {
                let at = Seg::Index(u64::try_from(place).unwrap_or_default());
                let name = rows.columns().get(nth).map_or("", |column| column.name);
                let error = Error::new(&codes::CELL_VALUE).expected("a whole number, or a text");
                error.found(found).within(Seg::Key(name.into())).within(at).field(category.table)
            })?;
            cells.push(cell);
        }
        rows.push(Some(place), &cells)?;
    }
    Ok(())
}

/// A value as a cell, or a description of one that is none.
fn cell(value: ValueRef<'_>) -> std::result::Result<Cell<'_>, String> {
    match (Cell::from(value), value) {
        (Cell::Real(number), _) => Err(number.to_string()),
        (Cell::Bytes(_), ValueRef::Text(_)) => Err("a text that is no UTF-8".to_owned()),
        (Cell::Bytes(bytes), _) => Err(format!("{} bytes", bytes.len())),
        (cell, _) => Ok(cell),
    }
}
