//! SQL that updates rows: what is set is what is read then, it is what `set` sets, and everything else is refused.

use crate::common::{open, sample, written};
use spelunk::{
    Opened, Options, Result, WriteOptions,
    edit::batch::Batch,
    tables::query::{Cell, Query, Table, Updates, query, updates},
    verbs::{CollectedOutput, Memory, Session},
};
use spelunk_fixtures::{corpus, samples};
use std::collections::BTreeSet;

fn shown(value: &Cell<'_>) -> String {
    match value {
        Cell::Null => "NULL".to_owned(),
        Cell::Integer(number) => number.to_string(),
        // A field may have fewer digits.
        Cell::Real(number) => (*number as f32).to_string(),
        Cell::Text(text) => text.clone().into_owned(),
        Cell::Bytes(bytes) => format!("{bytes:?}"),
    }
}

/// A value in one of the ways in which people may write it. Not every column shows how opaque a colour is.
fn plain(value: String) -> String {
    if value.starts_with('#') && value.len() == 9 {
        return value[..7].to_owned();
    }
    match value.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16)) {
        Some(Ok(number)) => number.to_string(),
        _ => value,
    }
}

fn ask(opened: &mut Opened, sql: &str) -> Result<Vec<Vec<String>>> {
    let mut found = Vec::new();
    query("file", opened, sql, &mut |_, values| {
        found.push(values.iter().map(shown).collect());
        Ok(())
    })?;
    Ok(found)
}

fn tables(opened: &mut Opened) -> Vec<Table> {
    let mut query = Query::new(None, &Options::default());
    query.meet(opened).unwrap();
    query.tables()
}

fn batch(updates: Updates) -> Batch {
    let set = |batch: Batch, it: spelunk::tables::query::FieldUpdate| {
        batch.set(it.entry, it.field, it.value)
    };
    updates.fields.into_iter().fold(Batch::new(), set)
}

fn code(bytes: &[u8], sql: &str) -> String {
    let error = updates("file", &mut open("file", bytes), sql).unwrap_err();
    format!("{} {error}", error.code().id)
}

/// Values that some column of a sample can have.
const VALUES: [&str; 13] = [
    "'#11223344'",
    "replace({}, '0,', '1,')",
    "replace({}, '1,', '2,')",
    "{} + 1",
    "1",
    "0",
    "2.5",
    "NULL",
    "'0x00000001'",
    "'Other'",
    "'zstd'",
    "'11112222-3333-4444-8555-0000000000aa'",
    "'00'",
];

/// Sets a column of the first row that has a value, and gives the values of the column that were to be there and those that are:
/// rows may go on to other places with their keys. `None` where the row cannot have the value.
fn set_first(bytes: &[u8], table: &str, column: &str, value: &str) -> Option<[Vec<String>; 2]> {
    let mut opened = open("file", bytes);
    let value = value.replace("{}", &format!("\"{column}\""));
    let first = format!("(SELECT min(rowid) FROM {table} WHERE \"{column}\" IS NOT NULL)");
    let values = |opened: &mut Opened, what: &str| -> Vec<String> {
        let rows = ask(opened, &format!("SELECT {what} FROM {table}")).unwrap();
        let mut values: Vec<String> = rows.into_iter().flatten().map(plain).collect();
        values.sort();
        values
    };
    let changed = format!("CASE rowid WHEN {first} THEN {value} ELSE \"{column}\" END");
    let wanted = values(&mut opened, &changed);
    let sql = format!("UPDATE {table} SET \"{column}\" = {value} WHERE rowid = {first}");
    let updates = updates("file", &mut opened, &sql).ok()?;
    assert_eq!(updates.matched, 1, "{sql}");
    if updates.fields.is_empty() {
        return None;
    }
    assert_eq!((updates.rows, updates.fields.len()), (1, 1), "{sql}");
    batch(updates).apply(&mut opened).ok()?;
    let changed = written(&mut opened, &WriteOptions::default());
    Some([wanted, values(&mut open("file", &changed), &format!("\"{column}\""))])
}

#[test]
fn every_column_that_can_be_set_reads_as_it_was_set() {
    let (mut set, mut unset) = (BTreeSet::new(), BTreeSet::new());
    for file in samples() {
        let (name, bytes) = (file.name, file.fixture.bytes);
        let Ok(mut opened) = crate::common::opened(&bytes) else { continue };
        if opened.edit_whole(|_, _| Ok(())).is_none() {
            continue;
        }
        for table in tables(&mut opened) {
            let of = format!("{}.\"{}\"", table.schemas[0], table.name);
            if table.name.starts_with("texts_") || table.name == "fields" {
                continue;
            }
            for column in table.columns.iter().filter(|column| column.is_settable()) {
                let key = (table.name.to_string(), column.name);
                if set.contains(&key) {
                    continue;
                }
                let has_value = format!("SELECT count(\"{}\") FROM {of}", column.name);
                if ask(&mut opened, &has_value).unwrap()[0][0] == "0" {
                    continue;
                }
                let done =
                    VALUES.iter().find_map(|value| set_first(&bytes, &of, column.name, value));
                match done {
                    Some([wanted, found]) => {
                        assert_eq!(found, wanted, "{name}: {key:?}");
                        set.insert(key);
                    }
                    None => drop(unset.insert((key, name))),
                }
            }
        }
    }
    // Each was set in some sample.
    let never: Vec<_> = unset.iter().filter(|(key, _)| !set.contains(key)).collect();
    assert!(never.is_empty(), "{never:#?}");
    assert!(set.len() > 200, "only {} columns were set", set.len());
}

#[test]
fn an_update_gives_the_bytes_that_set_gives() {
    let cases = [
        (
            "GameData.cff",
            "UPDATE items SET buy_value = buy_value * 2",
            vec![("2003/1", "buy_value", "200"), ("2003/2", "buy_value", "200")],
        ),
        (
            "GameData.cff",
            "UPDATE texts_de SET content = 'Axt' WHERE text_id = 1",
            vec![("2016/1/0", "content", "Axt")],
        ),
        (
            "level.nmo",
            "UPDATE materials SET diffuse = '#88442280', specular_power = 3",
            vec![("#1", "material.diffuse", "0x80884422"), ("#1", "material.specular_power", "3")],
        ),
        (
            "level.nmo",
            "UPDATE materials SET texture = NULL",
            vec![("#1", "material.texture", "none")],
        ),
        (
            "level.nmo",
            "UPDATE fields SET number = 7 WHERE field = 'material.specular_power'",
            vec![("#1", "material.specular_power", "7")],
        ),
        ("gameplay.nmo", "UPDATE links SET delay = delay + 1 WHERE delay > 0", vec![]),
        ("liannon.map", "UPDATE units SET x = x + 1, npc_id = 9 WHERE record = 0", vec![]),
    ];
    for (name, sql, expected) in cases {
        let bytes = sample(name);
        let mut opened = open(name, &bytes);
        let updates = updates(name, &mut opened, sql).unwrap();
        assert!(!updates.fields.is_empty(), "{sql}");
        let by_hand = match expected.as_slice() {
            [] => updates
                .fields
                .iter()
                .fold(Batch::new(), |batch, it| batch.set(&it.entry, &it.field, it.value.clone())),
            expected => expected.iter().fold(Batch::new(), |batch, (entry, field, value)| {
                batch.set(*entry, *field, (*value).to_owned())
            }),
        };
        batch(updates).apply(&mut opened).unwrap();
        let changed = written(&mut opened, &WriteOptions::default());
        assert_ne!(changed, bytes, "{sql}");
        let mut other = open(name, &bytes);
        by_hand.apply(&mut other).unwrap();
        assert!(written(&mut other, &WriteOptions::default()) == changed, "{sql}");
    }
}

#[test]
fn what_is_no_update_of_fields_is_refused() {
    let data = sample("GameData.cff");
    for (sql, said) in [
        ("INSERT INTO items (item_id) VALUES (9)", "found INSERT"),
        ("DELETE FROM items", "found DELETE"),
        ("DROP TABLE items", "found another statement"),
        ("SELECT 1", "found a statement that reads"),
        ("UPDATE items SET buy_value = 1 RETURNING row", "found UPDATE with RETURNING"),
        ("UPDATE items SET row = 1", "found `row`"),
        ("UPDATE items SET file = 'x'", "found `file`"),
        ("UPDATE items SET rowid = 1", "found `ROWID`"),
        ("UPDATE entries SET name = 'x'", "`entries` has none"),
        ("UPDATE languages SET name = 'x'", "`languages` has none"),
        ("UPDATE items SET buy = 1", "buy_value"),
        ("UPDATE item SET buy_value = 1", "items"),
        ("UPDATE dangling SET value = 1", "view"),
        ("UPDATE items SET buy_value = ", "incomplete"),
        ("UPDATE items SET buy_value = 1; DELETE FROM items", ""),
    ] {
        let found = code(&data, sql);
        assert!(found.starts_with("SP137 ") && found.contains(said), "{sql}: {found}");
    }
    let found = code(&data, "UPDATE items SET row = 1");
    assert!(found.contains("`item_id`, ") && !found.contains("`file`"), "{found}");
    let insert = code(&data, "INSERT INTO items (item_id) VALUES (9)");
    assert!(["`add`", "`import`", "`rm`"].iter().all(|verb| insert.contains(verb)), "{insert}");
    let found = code(&data, "UPDATE items SET buy_value = NULL WHERE item_id = 1");
    assert!(found.starts_with("SP133 ") && found.contains("2003/1 > buy_value"), "{found}");
    let found = code(&sample("level.nmo"), "UPDATE objects SET class = 'CKMesh'");
    assert!(found.contains("`objects` has none"), "{found}");
    // Reading takes none of them.
    let mut opened = open("file", &data);
    let error = ask(&mut opened, "UPDATE items SET buy_value = 1").unwrap_err();
    assert!(error.to_string().contains("--update"), "{error}");
}

#[test]
fn rows_that_have_a_value_already_are_not_changed() {
    let bytes = sample("GameData.cff");
    let found = |sql: &str| {
        let updates = updates("file", &mut open("file", &bytes), sql).unwrap();
        (updates.matched, updates.rows, updates.fields.len())
    };
    assert_eq!(found("UPDATE items SET buy_value = buy_value, sell_value = sell_value"), (2, 0, 0));
    assert_eq!(found("UPDATE items SET buy_value = 1 WHERE item_id = 77"), (0, 0, 0));
    assert_eq!(found("UPDATE items SET buy_value = 100, sell_value = 77"), (2, 2, 2));
    assert_eq!(found("UPDATE items SET buy_value = 3, sell_value = 77 WHERE row = 1"), (1, 1, 2));
    // Other tables may say what is set.
    let from = "UPDATE items SET buy_value = t.text_id + 6 FROM texts_de t WHERE t.text_id = items.name_id";
    assert_eq!(found(from), (2, 2, 2));
}

#[test]
fn the_verb_writes_all_changes_or_none() {
    let files = Memory::new();
    files.put("a.cff", sample("GameData.cff"));
    let session = Session::new(files.clone());
    let run = |sql: &str, more: &str| {
        let mut out = CollectedOutput::default();
        let request =
            format!("{{\"files\": [\"a.cff\"], \"sql\": \"{sql}\", \"update\": true{more}}}");
        let outcome = spelunk::verbs::answer(&session, "query", &request, &mut out);
        (outcome.code(), out)
    };
    let double = "UPDATE items SET buy_value = buy_value * 2";
    let (exit, out) = run(double, ", \"output\": \"b.cff\"");
    assert_eq!(exit, 0);
    assert_eq!((&out.rows[0]["rows"], &out.rows[0]["fields"]), (&2.into(), &2.into()));
    let told = "UPDATE items SET buy_value = CASE item_id WHEN 1 THEN 5 ELSE 'dear' END";
    let (exit, out) = run(told, ", \"output\": \"c.cff\"");
    assert_eq!((exit, out.rows.len()), (2, 0));
    assert!(files.get("c.cff").is_none());
    let (exit, out) =
        run("UPDATE items SET buy_value = 1 WHERE item_id = 77", ", \"output\": \"c.cff\"");
    assert_eq!((exit, out.rows.len()), (2, 0));
    assert!(files.get("c.cff").is_none());
    assert_eq!(run(double, ", \"output\": \"c.cff\", \"dry_run\": true").0, 0);
    assert!(files.get("c.cff").is_none());
    assert_eq!(run(double, ", \"in_place\": true").0, 0);
    assert_eq!(files.get("a.cff"), files.get("b.cff"));
}

#[test]
fn real_tables_get_the_bytes_that_set_gives() {
    let Some(files) = corpus::files("spellforce", &["cff"]) else { return };
    let mut done = 0;
    for file in files {
        let mut opened = open(&file.name, &file.bytes);
        let Ok(items) =
            ask(&mut opened, "SELECT item_id, buy_value FROM items WHERE item_id % 7 = 1")
        else {
            continue;
        };
        let sql = "UPDATE items SET buy_value = buy_value * 3 + 1 WHERE item_id % 7 = 1";
        let updates = updates(&file.name, &mut opened, sql).unwrap();
        assert_eq!(updates.matched, items.len() as u64, "{}", file.name);
        let set = items.iter().fold(Batch::new(), |batch, row| {
            let value = row[1].parse::<u64>().unwrap() * 3 + 1;
            batch.set(format!("items/{}", row[0]), "buy_value", value.to_string())
        });
        batch(updates).apply(&mut opened).unwrap();
        let mut other = open(&file.name, &file.bytes);
        set.apply(&mut other).unwrap();
        let [changed, expected] =
            [&mut opened, &mut other].map(|opened| written(opened, &WriteOptions::default()));
        assert!(changed == expected && changed != file.bytes, "{}", file.name);
        done += usize::from(items.len() > 10);
    }
    assert!(done > 0, "no real GameData was changed");
}
