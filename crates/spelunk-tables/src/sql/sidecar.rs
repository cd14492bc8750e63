//! The sidecar as tables of a database.

use super::{
    super::{
        VERSION,
        sidecar::{Hex, LanguageSlot, Sidecar, SidecarChunk, StoredText},
    },
    errors::{unread, unwritten},
};
use rusqlite::{Connection, params, types::ValueRef};
use serde_json::Map;
use spelunk_core::{Error, Result};
use spelunk_open::codes;

/// The tables of the sidecar.
const TABLES: &str = "
CREATE TABLE spelunk_file (key TEXT PRIMARY KEY, value);
CREATE TABLE spelunk_languages (slot INTEGER PRIMARY KEY, code TEXT, name TEXT, pages TEXT NOT NULL);
CREATE TABLE spelunk_chunks (
  position INTEGER PRIMARY KEY, id INTEGER, occurrence INTEGER, packed INTEGER, data_type INTEGER, \"table\" TEXT,
  rows INTEGER, unpacked_length INTEGER, level INTEGER, stream BLOB, remainder BLOB, data BLOB
);
CREATE TABLE spelunk_strings (\"table\" TEXT, row INTEGER, \"column\" TEXT, bytes BLOB);
";

/// Keys of `spelunk_file` beside the words of the header.
const FORMAT: [&str; 2] = ["format", super::super::json::FORMAT];
const WIDE_HEADERS: &str = "wide_headers";
const SPEC_HEADER_SIZE: &str = "spec_header_size";
const PAGES: &str = "pages";
const TAIL: &str = "tail";

/// Writes the sidecar.
///
/// # Errors
/// [`DATABASE`](codes::DATABASE).
pub fn write(connection: &Connection, sidecar: &Sidecar) -> Result<()> {
    put(connection, sidecar).map_err(unwritten)
}

fn put(connection: &Connection, sidecar: &Sidecar) -> rusqlite::Result<()> {
    connection.execute_batch(TABLES)?;
    let mut file = connection.prepare("INSERT INTO spelunk_file VALUES (?, ?)")?;
    file.execute(params![VERSION, 1])?;
    file.execute(FORMAT)?;
    for (name, word) in &sidecar.header {
        file.execute(params![name, word.as_u64().map(u64::cast_signed)])?;
    }
    file.execute(params![WIDE_HEADERS, sidecar.wide_headers])?;
    if let Some(size) = sidecar.spec_header_size {
        file.execute(params![SPEC_HEADER_SIZE, size.cast_signed()])?;
    }
    file.execute(params![PAGES, sidecar.pages])?;
    file.execute(params![TAIL, sidecar.tail.0])?;
    let mut languages = connection.prepare("INSERT INTO spelunk_languages VALUES (?, ?, ?, ?)")?;
    for LanguageSlot { slot, code, name, pages } in &sidecar.languages {
        languages.execute(params![slot, code, name, pages])?;
    }
    let places = ", ?".repeat(11);
    let mut chunks =
        connection.prepare(&format!("INSERT INTO spelunk_chunks VALUES (?{places})"))?;
    for (position, part) in (0_i64..).zip(&sidecar.chunks) {
        let blob = |hex: &Option<Hex>| hex.as_ref().map(|hex| hex.0.clone());
        chunks.execute(params![
            position,
            part.id,
            part.occurrence,
            part.packed,
            part.data_type,
            part.table,
            part.rows.map(u64::cast_signed),
            part.unpacked_length,
            part.level,
            blob(&part.stream),
            blob(&part.remainder),
            blob(&part.data),
        ])?;
    }
    let mut strings = connection.prepare("INSERT INTO spelunk_strings VALUES (?, ?, ?, ?)")?;
    for StoredText { table, row, column, bytes } in &sidecar.strings {
        strings.execute(params![table, row, column, bytes.0])?;
    }
    Ok(())
}

/// Reads the sidecar.
///
/// # Errors
/// [`BAD_TABLES`](codes::BAD_TABLES).
pub fn read(connection: &Connection) -> Result<Sidecar> {
    let bad = || {
        let expected = format!("`{VERSION}` 1 of the format `{}` in spelunk_file", FORMAT[1]);
        Error::new(&codes::BAD_TABLES).expected(expected)
    };
    let is_version = |version: i64| version == 1;
    let version = word(connection, VERSION).map_err(unread)?;
    let format: Option<String> = get(connection, FORMAT[0]).map_err(unread)?;
    if !version.is_some_and(is_version) || format.as_deref() != Some(FORMAT[1]) {
        return Err(bad());
    }
    take(connection).map_err(unread)
}

/// A value of `spelunk_file`.
fn get<T: rusqlite::types::FromSql>(
    connection: &Connection,
    key: &str,
) -> rusqlite::Result<Option<T>> {
    let sql = "SELECT value FROM spelunk_file WHERE key = ?";
    match connection.query_row(sql, [key], |row| row.get(0)) {
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        found => found.map(Some),
    }
}

fn word(connection: &Connection, key: &str) -> rusqlite::Result<Option<i64>> {
    get(connection, key)
}

fn take(connection: &Connection) -> rusqlite::Result<Sidecar> {
    let mut header = Map::new();
    let mut words = connection.prepare("SELECT key, value FROM spelunk_file")?;
    let mut words = words.query([])?;
    while let Some(row) = words.next()? {
        if let ValueRef::Integer(word) = row.get_ref(1)? {
            header.insert(row.get(0)?, word.into());
        }
    }
    let all = |sql: &str| connection.prepare(sql);
    let mut languages = all("SELECT slot, code, name, pages FROM spelunk_languages ORDER BY slot")?;
    let languages = languages.query_map([], |row| {
        Ok(LanguageSlot {
            slot: row.get(0)?,
            code: row.get(1)?,
            name: row.get(2)?,
            pages: row.get(3)?,
        })
    })?;
    let mut chunks = all(
        "SELECT id, occurrence, packed, data_type, \"table\", rows, unpacked_length, level, stream, remainder, data \
         FROM spelunk_chunks ORDER BY position",
    )?;
    let chunks = chunks.query_map([], |row| {
        let blob = |nth: usize| row.get::<_, Option<Vec<u8>>>(nth).map(|bytes| bytes.map(Hex));
        Ok(SidecarChunk {
            id: row.get(0)?,
            occurrence: row.get(1)?,
            packed: row.get(2)?,
            data_type: row.get(3)?,
            table: row.get(4)?,
            rows: row.get::<_, Option<i64>>(5)?.map(|rows| u64::try_from(rows).unwrap_or_default()),
            unpacked_length: row.get(6)?,
            level: row.get(7)?,
            stream: blob(8)?,
            remainder: blob(9)?,
            data: blob(10)?,
        })
    })?;
    let mut strings = all("SELECT \"table\", row, \"column\", bytes FROM spelunk_strings")?;
    let strings = strings.query_map([], |row| {
        let bytes = Hex(row.get(3)?);
        Ok(StoredText { table: row.get(0)?, row: row.get(1)?, column: row.get(2)?, bytes })
    })?;
    Ok(Sidecar {
        header,
        wide_headers: word(connection, WIDE_HEADERS)?.unwrap_or_default() != 0,
        spec_header_size: word(connection, SPEC_HEADER_SIZE)?.map(i64::cast_unsigned),
        tail: Hex(get(connection, TAIL)?.unwrap_or_default()),
        pages: get(connection, PAGES)?.unwrap_or_default(),
        languages: languages.collect::<rusqlite::Result<_>>()?,
        chunks: chunks.collect::<rusqlite::Result<_>>()?,
        strings: strings.collect::<rusqlite::Result<_>>()?,
    })
}
