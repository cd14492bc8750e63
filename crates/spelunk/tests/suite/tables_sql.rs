//! GameData as databases: what is changed in one is changed in the file, and nothing else; SQL straight on files.

use proptest::prelude::*;
use rusqlite::{Connection, params};
use spellforce::{
    cff::Chunks,
    gamedata::{CATEGORIES, Category, GameData},
};
use spelunk::{
    Budget, Bytes, Limits, Opened, Options, Ty,
    core::source::{self, Mapping},
    tables::query::{self, Cell},
    tables::{Imported, sql},
};
use spelunk_fixtures::{corpus, samples};
use std::{collections::BTreeMap, fs, path::PathBuf, sync::Arc};

fn open(bytes: &[u8]) -> Opened {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()).unwrap()
}

fn sample() -> Vec<u8> {
    let is_own = |name: &str| name.starts_with("gamedata") || name.starts_with("GameData");
    let found = samples().into_iter().find(|sample| is_own(&sample.name.to_lowercase()));
    found.expect("a GameData").fixture.bytes
}

/// A database in a folder of its own.
struct Database {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Database {
    fn of(bytes: &[u8]) -> Database {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tables.sqlite");
        fs::write(&path, []).unwrap();
        sql::export(&mut open(bytes), &path).unwrap();
        Database { _folder: folder, path }
    }

    /// Opens it as programs do that leave foreign keys alone, which is what SQLite does unless it is told otherwise.
    fn connection(&self) -> Connection {
        let connection = Connection::open(&self.path).unwrap();
        connection.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        connection
    }

    fn run(&self, sql: &str) {
        let connection = self.connection();
        connection.execute_batch(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    }

    fn import(&self) -> spelunk::Result<Vec<u8>> {
        let Imported { mut opened, options } =
            sql::import(&*source::open(&self.path, Mapping::default())?, &Options::default())?;
        let mut out = Vec::new();
        opened.run(|container, task| container.write(&mut out, &options, task))?;
        Ok(out)
    }
}

/// The rows of all categories.
fn rows(bytes: &[u8]) -> BTreeMap<&'static str, Vec<Vec<u8>>> {
    let opened = open(bytes);
    let mut budget = Budget::new(Limits::unlimited());
    let gamedata = gamedata(&opened);
    let mut all = BTreeMap::new();
    for (chunk, category) in gamedata.categories() {
        let table = gamedata.table(chunk, &mut budget).unwrap();
        all.insert(category.table, table.rows().map(|row| row.bytes().to_vec()).collect());
    }
    all
}

fn gamedata(opened: &Opened) -> GameData<'_> {
    opened.container().model::<Chunks>().and_then(Chunks::gamedata).unwrap()
}

fn shown(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Integer(number) => number.to_string(),
        Cell::Text(text) => text.clone().into_owned(),
        other => format!("{other:?}"),
    }
}

fn try_query(bytes: &[u8], sql: &str) -> spelunk::Result<Vec<Vec<String>>> {
    let mut found = Vec::new();
    query::query("GameData.cff", &mut open(bytes), sql, &mut |_, values| {
        found.push(values.iter().map(shown).collect());
        Ok(())
    })?;
    Ok(found)
}

fn query(bytes: &[u8], sql: &str) -> Vec<Vec<String>> {
    try_query(bytes, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
}

/// The code of the error that a change leads to, and its message.
fn refused(bytes: &[u8], sql: &str) -> (&'static str, String) {
    let database = Database::of(bytes);
    database.run(sql);
    let error = database.import().expect_err(sql);
    (error.code().id, error.to_string())
}

#[test]
fn changed_cells_change_their_fields_and_nothing_else() {
    let bytes = sample();
    let database = Database::of(&bytes);
    database.run("UPDATE items SET buy_value = 123456 WHERE row = 1");
    let (old, new) = (rows(&bytes), rows(&database.import().unwrap()));
    for (table, old) in &old {
        let mut expected = old.clone();
        if *table == "items" {
            expected[1][17..21].copy_from_slice(&123_456_u32.to_le_bytes());
        }
        assert!(new[table] == expected, "{table}");
    }
}

#[test]
fn new_rows_stand_where_their_keys_belong_and_old_ones_where_they_were() {
    let bytes = sample();
    let old = rows(&bytes);
    let items = &old["items"];
    let id = |row: &[u8]| u16::from_le_bytes([row[0], row[1]]);
    assert!(items.len() >= 2 && id(&items[0]) > 0);
    let database = Database::of(&bytes);
    database.run(
        "INSERT INTO items (item_id, name_id) VALUES (60000, 1), (0, 2);
         INSERT INTO items (item_id, name_id) SELECT min(item_id), 3 FROM items WHERE item_id > 0;",
    );
    let new = &rows(&database.import().unwrap())["items"];
    let name = |row: &[u8]| u16::from_le_bytes([row[4], row[5]]);
    assert_eq!((id(&new[0]), name(&new[0])), (0, 2));
    assert_eq!(new[1], items[0]);
    assert_eq!((id(&new[2]), name(&new[2])), (id(&items[0]), 3), "behind the one of this id");
    assert_eq!(new[3..new.len() - 1], items[1..]);
    assert_eq!((id(new.last().unwrap()), name(new.last().unwrap())), (60000, 1));
}

#[test]
fn a_category_without_rows_is_dropped_and_a_new_one_gets_its_place() {
    let bytes = sample();
    let database = Database::of(&bytes);
    database.run("DELETE FROM weapons");
    let without = database.import().unwrap();
    let had = |bytes: &[u8]| -> Vec<i16> {
        gamedata(&open(bytes)).file().chunks().iter().map(|chunk| chunk.id()).collect()
    };
    let expected: Vec<i16> = had(&bytes).into_iter().filter(|id| *id != 2015).collect();
    assert_eq!(had(&without), expected);
    // The other way round: a table of a category that the file does not have.
    let database = Database::of(&without);
    let weapons = CATEGORIES.iter().find(|category| category.table == "weapons").unwrap();
    let columns: Vec<_> = weapons.fields().iter().map(|slot| slot.field.name).collect();
    let columns = columns.join(" INTEGER NOT NULL DEFAULT 0, ");
    database.run(&format!(
        "CREATE TABLE weapons (row INTEGER PRIMARY KEY, {columns} INTEGER NOT NULL DEFAULT 0);
         INSERT INTO weapons (item_id, max_damage) VALUES (7, 9);"
    ));
    let with = database.import().unwrap();
    assert_eq!(had(&with), had(&bytes));
    assert_eq!(rows(&with)["weapons"], [[7, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]);
}

#[test]
fn what_does_not_fit_says_where() {
    let bytes = sample();
    for (sql, code, told) in [
        ("UPDATE items SET item_type_1 = 256 WHERE row = 1", "GD020", "256"),
        ("UPDATE items SET item_type_1 = -1 WHERE row = 1", "GD020", "0 to 255"),
        ("UPDATE items SET item_type_1 = 1.5 WHERE row = 1", "SP133", "1.5"),
        ("UPDATE items SET item_type_1 = 'x' WHERE row = 1", "SP133", "`x`"),
        ("UPDATE items SET item_type_1 = x'00' WHERE row = 1", "SP133", "1 bytes"),
        (
            "UPDATE texts SET content = printf('%512d', 1) WHERE row = 1",
            "GD021",
            "at most 511 bytes",
        ),
        (
            "UPDATE texts SET content = 'ab\u{416}' WHERE row = 1",
            "GD022",
            "'\u{416}' (U+0416), character 3",
        ),
        ("UPDATE texts SET content = 'a' || char(0) WHERE row = 1", "GD022", "character 2"),
        (
            "UPDATE building_polygons SET corners = '[[1,2],[3]]' WHERE row = 0",
            "SP133",
            "[[1,2],[3]]",
        ),
        ("UPDATE building_polygons SET corners = '[[1,40000]]' WHERE row = 0", "SP133", "32767"),
        ("DROP TABLE weapons", "SP132", "weapons"),
        ("DROP TABLE weapons; CREATE VIEW weapons AS SELECT 1", "SP132", "weapons"),
        ("ALTER TABLE weapons RENAME COLUMN max_damage TO most", "SP132", "max_damage"),
        ("DELETE FROM spelunk_file WHERE key = 'magic'", "SP132", "magic"),
        ("DELETE FROM spelunk_file WHERE key = 'format'", "SP132", "spellforce-cff"),
        ("DROP TABLE spelunk_chunks", "SP132", "spelunk_chunks"),
        ("UPDATE spelunk_chunks SET \"table\" = 'nothing' WHERE position = 0", "SP132", "nothing"),
        ("UPDATE spelunk_chunks SET \"table\" = NULL WHERE position = 0", "SP132", "data"),
        ("UPDATE spelunk_chunks SET level = 200 WHERE position = 0", "SP132", "0 to 9"),
        (
            "ALTER TABLE weapons DROP COLUMN max_damage; ALTER TABLE weapons ADD COLUMN max_damage \
             GENERATED ALWAYS AS (printf('%.*c', 900000000, 'x'))",
            "SP132",
            "too big",
        ),
    ] {
        let (found, message) = refused(&bytes, sql);
        assert_eq!(found, code, "{sql}: {message}");
        assert!(message.contains(told), "{sql}: {message}");
    }
    let (_, message) = refused(&bytes, "UPDATE items SET item_type_1 = 256 WHERE row = 1");
    assert!(message.starts_with("items 1 > item type 1: "), "{message}");
}

#[test]
fn what_texts_do_not_tell_is_kept_until_they_change() {
    let bytes = sample();
    let old = rows(&bytes);
    // Something behind the end of a text.
    let (texts, row) = (&old["texts"], &old["texts"][1]);
    let at = bytes.windows(row.len()).position(|window| window == row.as_slice()).unwrap();
    let mut tailed = bytes.clone();
    tailed[at + 54 + 300] = b'?';
    let database = Database::of(&tailed);
    assert!(database.import().unwrap() == tailed);
    database.run("UPDATE texts SET handle = 'x' WHERE row = 1");
    let new = rows(&database.import().unwrap())["texts"].clone();
    assert_eq!(new[1][354], b'?', "of another field");
    database.run("UPDATE texts SET content = 'Schl\u{fc}ssel' WHERE row = 1");
    let new = rows(&database.import().unwrap())["texts"].clone();
    assert_eq!(&new[1][54..54 + 9], b"Schl\xfcssel");
    assert!(new[1][63..].iter().all(|byte| *byte == 0));
    assert_eq!(new[2..], texts[2..]);
    // A code page for a slot counts for its texts.
    let slot = texts[1][2];
    database.run(&format!(
        "UPDATE spelunk_languages SET pages = 'windows-1251' WHERE slot = {slot};
         UPDATE texts SET content = '\u{43a}\u{43b}\u{44e}\u{447}' WHERE row = 1;"
    ));
    let new = rows(&database.import().unwrap())["texts"].clone();
    assert_eq!(&new[1][54..59], b"\xea\xeb\xfe\xf7\0");
}

#[test]
fn references_are_told_as_foreign_keys_and_languages_as_views() {
    let database = Database::of(&sample());
    let connection = database.connection();
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let keys =
        "SELECT count(*) FROM pragma_foreign_key_list('weapons') WHERE \"table\" = 'items_ids'";
    assert_eq!(count(keys), 1);
    assert_eq!(
        count("SELECT count(*) FROM items_ids"),
        count("SELECT count(DISTINCT item_id) FROM items")
    );
    assert!(count("SELECT count(*) FROM texts_de") > 0);
    assert_eq!(count("SELECT count(*) FROM dangling"), 0);
    connection.execute("UPDATE weapons SET item_id = ? WHERE row = 0", params![54321]).unwrap();
    let told = "SELECT \"table\" || row || \"column\" || value FROM dangling";
    let told: String = connection.query_row(told, [], |row| row.get(0)).unwrap();
    assert_eq!(told, "weapons0item_id54321");
    assert_eq!(count("SELECT count(*) FROM sqlite_schema WHERE name = 'texts_key'"), 1);
}

#[test]
fn the_view_of_what_dangles_counts_what_the_sheet_lists() {
    let Some(files) = corpus::files("spellforce", &["cff"]) else { return };
    let expected = [
        ("extended_descriptions", "text_id", 159),
        ("hero_spells", "spell_id", 1),
        ("hero_spells", "unit_stats_id", 6),
        ("item_armor", "item_id", 4),
        ("item_effects", "item_id", 2),
        ("item_requirements", "item_id", 2),
        ("item_ui", "item_id", 4),
        ("items", "building_id", 4),
        ("maps", "name_id", 1),
        ("object_loot", "item_id_1", 1),
        ("object_loot", "object_id", 7),
        ("portals", "map_id", 1),
        ("portals", "name_id", 3),
        ("unit_equipment", "item_id", 3),
        ("weapons", "item_id", 2),
    ]
    .map(|(table, column, count)| vec![table.to_owned(), column.to_owned(), count.to_string()]);
    let sql = "SELECT \"table\", \"column\", count(*) FROM dangling GROUP BY 1, 2 ORDER BY 1, 2";
    for file in &files {
        assert_eq!(query(&file.bytes, sql), expected, "{}", file.name);
        let database = Database::of(&file.bytes);
        let connection = database.connection();
        let mut statement = connection.prepare(sql).unwrap();
        let found = statement.query_map([], |row| {
            Ok(vec![row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.to_string()])
        });
        let found: rusqlite::Result<Vec<Vec<String>>> = found.unwrap().collect();
        assert_eq!(found.unwrap(), expected, "{}", file.name);
    }
}

/// Rows are looked up in the file, or filled in where that is better: the answers are those of a finished database.
#[test]
fn statements_have_the_answers_of_a_finished_database() {
    let statements = [
        "SELECT item_id, buy_value FROM items WHERE item_id = 22",
        "SELECT item_id FROM items WHERE item_id = '22' OR item_id = 23.0",
        "SELECT item_id FROM items WHERE item_id = '22.0' UNION ALL SELECT item_id FROM items WHERE item_id = 22.5",
        "SELECT item_id FROM items WHERE item_id IN (1, 2, 22, -5, 70000, NULL, 'x')",
        "SELECT count(*), min(item_id), max(item_id) FROM items WHERE item_id > 20",
        "SELECT row, item_id FROM items WHERE row = 3 OR row = '4' OR row = -1 OR row = 99999999",
        "SELECT item_id FROM items WHERE rowid = 3",
        "SELECT i.item_id, t.content FROM items i JOIN texts t ON t.text_id = i.name_id WHERE t.language_id = 1",
        "SELECT i.item_id, t.content FROM items i LEFT JOIN texts t ON t.text_id = i.name_id AND t.language_id = 1 \
         ORDER BY 1, 2",
        "SELECT a.item_id, b.item_id FROM items a JOIN items b ON a.buy_value = b.buy_value WHERE a.row < 20 \
         ORDER BY 1, 2",
        "SELECT a.item_id, (SELECT count(*) FROM items b WHERE b.buy_value < a.buy_value) FROM items a \
         WHERE a.row < 20 ORDER BY 1",
        "SELECT item_id FROM items WHERE name_id IN (SELECT text_id FROM texts WHERE content LIKE '%a%') ORDER BY 1",
        "SELECT item_id FROM items a WHERE EXISTS (SELECT 1 FROM item_requirements r WHERE r.item_id = a.item_id)",
        "SELECT row, item_id FROM item_requirements WHERE item_id = 22 AND 1 = 1.0",
        "WITH x AS (SELECT item_id, buy_value FROM items) SELECT max(x.buy_value) FROM x JOIN items USING (item_id)",
        "SELECT text_id, language_id, content FROM texts WHERE text_id = 1 ORDER BY 1, 2",
        "SELECT building_id, corners FROM building_polygons ORDER BY row",
        "SELECT count(*) FROM texts",
        "SELECT count(*) FROM items_ids",
    ];
    let mut files = vec![sample()];
    files
        .extend(corpus::files("spellforce", &["cff"]).into_iter().flatten().map(|file| file.bytes));
    for bytes in files {
        let database = Database::of(&bytes);
        let connection = database.connection();
        for sql in statements {
            let expected = connection.prepare(sql).and_then(|mut statement| {
                let columns = statement.column_count();
                let mut rows = statement.query([])?;
                let mut all = Vec::new();
                while let Some(row) = rows.next()? {
                    let cells = (0..columns).map(|nth| Ok(shown(&row.get_ref(nth)?.into())));
                    all.push(cells.collect::<rusqlite::Result<Vec<String>>>()?);
                }
                Ok(all)
            });
            let found = try_query(&bytes, sql);
            match (expected, found) {
                (Ok(expected), Ok(found)) => assert_eq!(found, expected, "{sql}"),
                // A file of some of the categories.
                (Err(no), Err(_)) if no.to_string().contains("no such table") => {}
                (expected, found) => panic!("{sql}: {expected:?}, {found:?}"),
            }
        }
    }
}

#[test]
fn statements_run_on_files_and_only_those_that_read() {
    let bytes = sample();
    let items = rows(&bytes)["items"].len();
    // What is no table of ours is counted by SQLite.
    let schema = spellforce::profile::GAMEDATA.schema_name();
    let count = |what: &str| query(&bytes, &format!("SELECT {what} FROM {schema}.sqlite_schema"));
    assert_eq!(count("count(*)"), count("count(*) + 0"));
    assert_ne!(count("count(*)"), [["0"]]);
    assert_eq!(query(&bytes, "SELECT count(*) FROM items"), [[items.to_string()]]);
    assert_eq!(query(&bytes, "SELECT count(*) FROM items_ids"), [[items.to_string()]]);
    assert_eq!(query(&bytes, "WITH a AS (SELECT 1 b) SELECT b + 1, NULL FROM a"), [["2", "Null"]]);
    let joined = "SELECT t.content FROM items i JOIN texts_de t ON t.text_id = i.name_id ORDER BY i.row LIMIT 1";
    assert_eq!(query(&bytes, joined).len(), 1);
    for sql in [
        "DELETE FROM items",
        "CREATE TABLE x (y)",
        "ATTACH 'x.db' AS x",
        "PRAGMA query_only = OFF",
        "SELECT 1; SELECT 2",
        "SELECT nothing FROM items",
        "SELECT \"nothing\" FROM items",
        "SELECT * FROM nothing",
        "SELEC",
        "",
        "SELECT load_extension('x')",
    ] {
        let error = query::query("GameData.cff", &mut open(&bytes), sql, &mut |_, _| Ok(()));
        assert_eq!(error.expect_err(sql).code().id, "SP137", "{sql}");
    }
}

/// A change of a table.
#[derive(Debug, Clone)]
enum Edit {
    Set { table: usize, row: usize, column: usize, value: u8 },
    Insert { table: usize, key: u8 },
    Delete { table: usize, row: usize },
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        (any::<usize>(), any::<usize>(), any::<usize>(), any::<u8>())
            .prop_map(|(table, row, column, value)| Edit::Set { table, row, column, value }),
        (any::<usize>(), any::<u8>()).prop_map(|(table, key)| Edit::Insert { table, key }),
        (any::<usize>(), any::<usize>()).prop_map(|(table, row)| Edit::Delete { table, row }),
    ];
    prop::collection::vec(edit, 1..12)
}

/// Numbers of a category that may be set to a byte: place in the row, and size. Another language of a text may lack its
/// characters.
fn numbers(category: &Category) -> Vec<(&'static str, usize, usize)> {
    let numbers = category.fields().iter().filter(|slot| slot.field.ty != Ty::Text);
    numbers.map(|slot| (slot.field.name, slot.offset as usize, slot.size as usize)).collect()
}

fn number(row: &[u8], (_, at, size): (&str, usize, usize)) -> u64 {
    row[at..at + size].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// A model of its own: rows with their numbers, which are put in order as the rules say.
    #[test]
    fn random_edits_come_back_as_exactly_these_rows(edits in edits()) {
        let bytes = sample();
        let old = rows(&bytes);
        let tables: Vec<&'static Category> = CATEGORIES
            .iter()
            .filter(|category| old.contains_key(category.table) && !category.is_polygons())
            .copied()
            .collect();
        let mut model: BTreeMap<&str, Vec<(bool, Vec<u8>)>> = old
            .iter()
            .map(|(table, rows)| (*table, rows.iter().map(|row| (true, row.clone())).collect()))
            .collect();
        let database = Database::of(&bytes);
        let connection = database.connection();
        for edit in edits {
            let (Edit::Set { table, .. } | Edit::Insert { table, .. } | Edit::Delete { table, .. }) = edit;
            let category = tables[table % tables.len()];
            let (name, numbers) = (category.table, numbers(category));
            let rows = model.get_mut(name).unwrap();
            let nth = |nth: usize| format!("SELECT row FROM {name} ORDER BY row LIMIT 1 OFFSET {nth}");
            match edit {
                Edit::Set { row, column, value, .. } if !rows.is_empty() => {
                    let (row, field) = (row % rows.len(), numbers[column % numbers.len()]);
                    if field.0 == "language_id" {
                        continue;
                    }
                    let (column, at, size) = field;
                    let sql = format!("UPDATE {name} SET {column} = {value} WHERE row = ({})", nth(row));
                    connection.execute_batch(&sql).unwrap();
                    rows[row].1[at..at + size].fill(0);
                    rows[row].1[at] = value;
                }
                Edit::Set { .. } => {}
                Edit::Insert { key, .. } => {
                    // Where the last rows are gone, SQLite gives their numbers anew: those would be places.
                    let number = old[name].len() + 1000 + rows.len();
                    let column = numbers[0].0;
                    let sql = format!(
                        "INSERT INTO {name} (row, {column}) VALUES (max({number}, (SELECT ifnull(max(row), 0) + 1 FROM {name})), {key})"
                    );
                    connection.execute_batch(&sql).unwrap();
                    let mut row = vec![0; category.row_size().unwrap()];
                    row[0] = key;
                    rows.push((false, row));
                }
                Edit::Delete { row, .. } if !rows.is_empty() => {
                    let row = row % rows.len();
                    connection.execute_batch(&format!("DELETE FROM {name} WHERE row = ({})", nth(row))).unwrap();
                    rows.remove(row);
                }
                Edit::Delete { .. } => {}
            }
        }
        drop(connection);
        let new = self::rows(&database.import().unwrap());
        for (name, rows) in &model {
            let category = CATEGORIES.iter().find(|category| category.table == *name).unwrap();
            let key = |row: &[u8]| -> Vec<u64> {
                numbers(category).into_iter().take(category.key).map(|field| number(row, field)).collect()
            };
            let kept: Vec<_> = rows.iter().filter(|(is_old, _)| *is_old).map(|(_, row)| row).collect();
            let mut added: Vec<_> = rows.iter().filter(|(is_old, _)| !is_old).map(|(_, row)| row).collect();
            added.sort_by_key(|row| key(row));
            let before = |row: &[u8]| kept.iter().position(|other| key(other) > key(row)).unwrap_or(kept.len());
            let mut expected: Vec<Vec<u8>> = Vec::new();
            for nth in 0..=kept.len() {
                expected.extend(added.iter().filter(|row| before(row) == nth).map(|row| row.to_vec()));
                expected.extend(kept.get(nth).map(|row| row.to_vec()));
            }
            if rows.is_empty() {
                prop_assert!(new.get(name).is_none_or(|_| old[name].is_empty()), "{}", name);
            } else {
                prop_assert_eq!(&new[name], &expected, "{}", name);
            }
        }
    }
}
