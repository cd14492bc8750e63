//! A GameData as a SQLite database, beside a bare loop of prepared inserts of the same values into the same tables, with the
//! same pragmas and indices; and statements on the file, beside the same ones on that database.

use crate::{
    clock::Measured,
    line::{Case, Line},
    work::Work,
};
use rusqlite::Connection;
use spellforce::{
    cff::Chunks,
    gamedata::{Category, GameData, Languages},
};
use spelunk::{
    Bytes, Opened, Options, Ty,
    core::text::until_nul,
    tables::{query, sql},
};
use spelunk_core::{Budget, Limits};
use std::{fs, io, path::Path, sync::Arc};

/// Lines of a statement.
macro_rules! statement {
    ($name:literal, $what:literal, $sql:literal) => {
        Case {
            sides: &["on the file", "on the database"],
            lines: &[Line::ratio($name, $what, "the same on a finished database").at_most(2.0)],
            measure: |work| statement(work, $sql),
        }
    };
}

/// The export, look-ups and joins by key.
pub const CASES: &[Case] = &[
    Case {
        sides: &["export", "prepared inserts"],
        lines: &[Line::ratio(
            "tables-export",
            "SQLite: export",
            "prepared inserts of the same rows",
        )
        .at_most(1.5)],
        measure: export,
    },
    statement!(
        "tables-item",
        "SQL on the file: look-up of an item",
        "SELECT item_id, buy_value FROM items WHERE item_id = 22"
    ),
    statement!(
        "tables-text",
        "SQL on the file: look-up of a text",
        "SELECT language_id, content FROM texts WHERE text_id = 22"
    ),
    statement!(
        "tables-join",
        "SQL on the file: join of two tables by key",
        "SELECT i.item_id, u.ui_index FROM items i JOIN item_ui u ON u.item_id = i.item_id"
    ),
    statement!(
        "tables-join-texts",
        "SQL on the file: join of items and texts",
        "SELECT i.item_id, t.content FROM items i JOIN texts t ON t.text_id = i.name_id WHERE t.language_id = 1"
    ),
];

/// A statement that makes something, and the name of the table that it makes, if it is one.
type Made = (Option<String>, String);

/// The real GameData; `None` where there is none.
fn real(work: &Work) -> io::Result<Option<Bytes>> {
    let path = work.file("GameData-1.54-en.cff")?;
    path.map(|path| Ok(Bytes::from(fs::read(path)?))).transpose()
}

fn export(work: &Work) -> io::Result<Measured> {
    let Some(bytes) = real(work)? else { return Measured::absent("there is no real GameData") };
    let folder = work.folder("tables")?;
    let [ours, bare] = ["ours.sqlite", "bare.sqlite"].map(|name| folder.join(name));
    let mut export = || {
        fs::write(&ours, []).expect("a temporary file");
        sql::export(&mut open(&bytes), &ours).expect("a GameData");
    };
    export();
    let schema = schema(&ours).map_err(io::Error::other)?;
    let mut insert = || {
        fs::write(&bare, []).expect("a temporary file");
        let opened = open(&bytes);
        let chunks = opened.container().model::<Chunks>();
        let gamedata = chunks.and_then(Chunks::gamedata).expect("a GameData");
        fill(gamedata, &schema, &bare).expect("the same tables");
    };
    insert();
    assert_eq!(sums(&ours), sums(&bare), "both hold the same");
    Measured::of(work.rounds, [&mut export, &mut insert])
        .with(format!("GameData 1.54, {} bytes", bytes.len()))
}

/// A statement on the file, beside the same one on the database; both are opened for it.
fn statement(work: &Work, sql: &str) -> io::Result<Measured> {
    let Some(bytes) = real(work)? else { return Measured::absent("there is no real GameData") };
    let database = work.folder("tables")?.join("statements.sqlite");
    fs::write(&database, [])?;
    sql::export(&mut open(&bytes), &database).map_err(io::Error::other)?;
    let on_file = || {
        let mut rows = 0_u64;
        let asked = query::query("GameData.cff", &mut open(&bytes), sql, &mut |_, _| {
            rows += 1;
            Ok(())
        });
        asked.expect("a statement on a sound file");
        rows
    };
    let on_database = || count(&database, sql).expect("the same statement");
    assert_eq!(on_file(), on_database(), "{sql}");
    let sides: [&mut dyn FnMut(); 2] =
        [&mut || assert_ne!(on_file(), 0), &mut || assert_ne!(on_database(), 0)];
    Measured::of(work.rounds, sides).with("GameData 1.54")
}

/// Opens a database and reads all rows of a statement. Returns their number.
fn count(path: &Path, sql: &str) -> rusqlite::Result<u64> {
    let connection = Connection::open(path)?;
    let mut statement = connection.prepare(sql)?;
    let columns = statement.column_count();
    let mut rows = statement.query([])?;
    let mut count = 0;
    while let Some(row) = rows.next()? {
        for nth in 0..columns {
            std::hint::black_box(row.get_ref(nth)?);
        }
        count += 1;
    }
    Ok(count)
}

fn open(bytes: &Bytes) -> Opened {
    Opened::open(Arc::new(bytes.clone()), &Options::default()).expect("a sound file")
}

/// What a database is made by, in the order in which it was.
fn schema(path: &Path) -> rusqlite::Result<Vec<Made>> {
    let connection = Connection::open(path)?;
    let sql = "SELECT iif(type = 'table', name, NULL), sql FROM sqlite_schema WHERE sql IS NOT NULL \
               AND name NOT LIKE 'spelunk%' ORDER BY rowid";
    let mut statement = connection.prepare(sql)?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// What the tables of texts and items hold, added up.
fn sums(path: &Path) -> Vec<i64> {
    let connection = Connection::open(path).expect("a database");
    ["total(length(content)) FROM texts", "total(buy_value) FROM items", "count(*) FROM texts_ids"]
        .map(|what| {
            let sql = format!("SELECT CAST({what}").replace(") FROM", ") AS INTEGER) FROM");
            connection.query_row(&sql, [], |row| row.get(0)).expect(&sql)
        })
        .to_vec()
}

/// Makes the tables and fills them.
fn fill(gamedata: GameData<'_>, schema: &[Made], path: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open(path)?;
    connection.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; \
         PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF; BEGIN",
    )?;
    let mut budget = Budget::new(Limits::unlimited());
    let languages = gamedata.languages(&mut budget).expect("texts");
    for (name, sql) in schema {
        connection.execute_batch(sql)?;
        let Some(name) = name else { continue };
        if let Some(of) = name.strip_suffix("_ids") {
            let id = spellforce::gamedata::category_named(of).expect("a category").fields()[0];
            let id = id.field.name;
            let sql =
                format!("INSERT INTO \"{name}\" SELECT DISTINCT \"{id}\" FROM \"{of}\" ORDER BY 1");
            connection.execute_batch(&sql)?;
            continue;
        }
        let found = gamedata.categories().find(|(_, category)| category.table == name);
        let (chunk, category) = found.expect("a category");
        let table = gamedata.table(chunk, &mut budget).expect("a table");
        insert(&connection, category, table.rows().map(|row| row.bytes()), languages)?;
    }
    connection.execute_batch("COMMIT")
}

/// Inserts rows, field by field.
fn insert<'r>(
    connection: &Connection,
    category: &Category,
    rows: impl Iterator<Item = &'r [u8]>,
    languages: &Languages,
) -> rusqlite::Result<()> {
    let polygons = category.is_polygons();
    let fields = &category.fields()[..category.fields().len() - usize::from(polygons)];
    let places = ", ?".repeat(fields.len() + usize::from(polygons));
    let mut insert =
        connection.prepare(&format!("INSERT INTO \"{}\" VALUES (?{places})", category.table))?;
    for (place, row) in (0_i64..).zip(rows) {
        insert.raw_bind_parameter(1, place)?;
        for (nth, slot) in (2..).zip(fields) {
            let bytes = &row[slot.offset as usize..][..slot.size as usize];
            match (slot.field.ty, bytes) {
                (Ty::U8, [a]) => insert.raw_bind_parameter(nth, i64::from(*a))?,
                (Ty::U16, [a, b]) => {
                    insert.raw_bind_parameter(nth, i64::from(u16::from_le_bytes([*a, *b])))?
                }
                (Ty::I16, [a, b]) => {
                    insert.raw_bind_parameter(nth, i64::from(i16::from_le_bytes([*a, *b])))?
                }
                (Ty::U32, [a, b, c, d]) => {
                    insert
                        .raw_bind_parameter(nth, i64::from(u32::from_le_bytes([*a, *b, *c, *d])))?;
                }
                _ => {
                    let slot = (slot.field.name == "content").then(|| row[2]);
                    let text = languages
                        .pages(slot)
                        .decode(until_nul(bytes))
                        .expect("one byte a character");
                    insert.raw_bind_parameter(nth, text.as_ref())?;
                }
            }
        }
        if polygons {
            let number = |at: &[u8]| i16::from_le_bytes([at[0], at[1]]).to_string();
            let corners =
                row[5..].chunks(4).map(|corner| [number(corner), number(&corner[2..])].join(","));
            let corners = format!("[[{}]]", corners.collect::<Vec<_>>().join("],["));
            insert.raw_bind_parameter(fields.len() + 2, corners)?;
        }
        insert.raw_execute()?;
    }
    Ok(())
}
