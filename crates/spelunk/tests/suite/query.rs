//! SQL on files of every format: counts against what independent programs found, tables that are described as they are, and
//! damage.

use crate::common::{open, rows, sample, truth};
use serde_json::Value as Json;
use spelunk::{
    Opened, Options, Severity,
    tables::query::{Cell, Query, Table, query},
};
use spelunk_fixtures::{corpus, mutate::mutate, samples};

fn shown(value: &Cell<'_>) -> String {
    match value {
        Cell::Null => "NULL".to_owned(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => text.clone().into_owned(),
        Cell::Bytes(bytes) => format!("{bytes:?}"),
    }
}

fn try_ask(name: &str, opened: &mut Opened, sql: &str) -> spelunk::Result<Vec<Vec<String>>> {
    let mut found = Vec::new();
    query(name, opened, sql, &mut |_, values| {
        found.push(values.iter().map(shown).collect());
        Ok(())
    })?;
    Ok(found)
}

fn ask(name: &str, bytes: &[u8], sql: &str) -> Vec<Vec<String>> {
    let told = try_ask(name, &mut open(name, bytes), sql);
    told.unwrap_or_else(|error| panic!("{name}: {sql}: {error}"))
}

fn number(name: &str, bytes: &[u8], sql: &str) -> u64 {
    ask(name, bytes, sql)[0][0].parse().unwrap()
}

/// Asks several files.
fn ask_all(files: &[(&str, &[u8])], sql: &str) -> spelunk::Result<Vec<Vec<String>>> {
    let mut query = Query::new(Some(sql), &Options::default());
    for (name, bytes) in files {
        query.meet(&mut open(name, bytes))?;
    }
    query.prepare()?;
    for (name, bytes) in files {
        query.fill(name, &mut open(name, bytes))?;
    }
    let mut found = Vec::new();
    query.rows(&mut |_, values| {
        found.push(values.iter().map(shown).collect());
        Ok(())
    })?;
    Ok(found)
}

fn tables(name: &str, bytes: &[u8]) -> Vec<Table> {
    let mut query = Query::new(None, &Options::default());
    query.meet(&mut open(name, bytes)).unwrap();
    query.tables()
}

/// A table as a statement names it.
fn qualified(table: &Table) -> String {
    format!("{}.{}", table.schemas[0], table.name)
}

#[test]
fn every_table_has_the_columns_that_are_described_and_names_that_need_no_quotes() {
    let mut formats = std::collections::BTreeSet::new();
    for sample in samples() {
        let bytes = &sample.fixture.bytes;
        let mut opened = open(sample.name, bytes);
        if !formats.insert(opened.container().format()) {
            continue;
        }
        for table in tables(sample.name, bytes) {
            let described: Vec<&str> = table.all_columns().map(|column| column.name).collect();
            assert_eq!(described.iter().filter(|name| **name == "file").count(), 1);
            let sql = format!("SELECT * FROM {}", qualified(&table));
            let mut found = Query::new(Some(&sql), &Options::default());
            found.meet(&mut opened).unwrap();
            found.prepare().unwrap();
            found.fill("a file", &mut opened).unwrap();
            let of_file = described.iter().position(|name| *name == "file").unwrap();
            let mut told = |_: &[String], row: &[Cell<'_>]| {
                // As many values as columns: what stands behind the last one is the file.
                assert!(shown(&row[of_file]) == "a file", "{sql}: {row:?}");
                Ok(())
            };
            let names = found.rows(&mut told).unwrap();
            assert_eq!(names, described, "{}: {sql}", sample.name);
            // Fields of maps and what was there before have names that are words of SQL.
            let words = ["group", "table", "column"];
            let plain = described.iter().filter(|name| !words.contains(name)).copied();
            let plain = plain.collect::<Vec<_>>().join(", ");
            ask(sample.name, bytes, &format!("SELECT {plain} FROM {}", qualified(&table)));
            for column in table.all_columns() {
                assert!(!column.doc.is_empty(), "{sql}: {}", column.name);
            }
        }
    }
    assert!(formats.len() >= 6, "{formats:?}");
}

#[test]
fn listings_are_tables_without_loss() {
    for sample in samples() {
        let bytes = &sample.fixture.bytes;
        let listed = rows(&mut open(sample.name, bytes));
        let sql = "SELECT path, size, details FROM entries ORDER BY rowid";
        let found = ask(sample.name, bytes, sql);
        assert_eq!(found.len(), listed.len(), "{}", sample.name);
        for (row, listed) in found.iter().zip(&listed) {
            let details: Json = serde_json::from_str(&row[2]).unwrap();
            // A detail may be called so, too.
            let path = &listed["path"];
            assert!(*path == row[0] || *path == details["path"], "{}", sample.name);
            assert_eq!(listed["size"].to_string(), row[1], "{}", sample.name);
            for (name, value) in details.as_object().unwrap() {
                assert_eq!(&listed[name], value, "{}: {name}", sample.name);
            }
        }
        // What a listing tells of its entries in one word has a column in the table of its format.
        let of_listing = [
            "virtools.objects",
            "snpak.assets",
            "cff.chunks",
            "map.chunks",
            "save.chunks",
            "pak.members",
        ];
        let mut tables = tables(sample.name, bytes);
        tables.retain(|table| of_listing.contains(&qualified(table).as_str()));
        let (Some(table), Some(first)) = (tables.first(), listed.first()) else { continue };
        let renamed = [("index", "object"), ("index", "position"), ("type", "class")];
        let dialect = open(sample.name, bytes).container().dialect();
        for (name, value) in first.as_object().unwrap() {
            let is_told = table.all_columns().any(|column| {
                column.name == name || renamed.contains(&(name.as_str(), column.name))
            });
            let is_one = !value.is_array() && !name.ends_with("_bytes") && dialect.is_none();
            let is_general = ["type", "file", "rows_start", "label"].contains(&name.as_str());
            assert!(is_told || !is_one || is_general, "{}: {name}", sample.name);
        }
    }
}

#[test]
fn what_is_not_read_is_not_filled_and_every_row_tells_its_file() {
    let (level, pack) = (sample("level.nmo"), sample("forest.snpak"));
    let files = [("a.nmo", level.as_slice()), ("b.nmo", &level), ("c.snpak", &pack)];
    let told = ask_all(&files, "SELECT file, format FROM files ORDER BY 1").unwrap();
    assert_eq!(told, [["a.nmo", "virtools"], ["b.nmo", "virtools"], ["c.snpak", "snpak"]]);
    let joined =
        "SELECT count(*) FROM objects a JOIN objects b USING (object, name) WHERE a.file < b.file";
    let objects = number("level.nmo", &level, "SELECT count(*) FROM objects");
    assert_eq!(ask_all(&files, joined).unwrap(), [[objects.to_string()]]);
    let natural = "SELECT count(*) FROM objects NATURAL JOIN (SELECT object, name FROM objects)";
    assert_eq!(ask_all(&files, natural).unwrap(), [[(objects * 4).to_string()]]);
    let mixed =
        "SELECT (SELECT count(*) FROM virtools.objects), (SELECT count(*) FROM snpak.assets)";
    let assets = number("forest.snpak", &pack, "SELECT count(*) FROM assets");
    assert_eq!(ask_all(&files, mixed).unwrap(), [[(objects * 2).to_string(), assets.to_string()]]);
    // Whatever the case of its letters, and however it is named.
    for table in ["OBJECTS", "virtools.objects", "Virtools.Objects"] {
        let found = number("level.nmo", &level, &format!("SELECT count(*) FROM {table}"));
        assert_eq!(found, objects, "{table}");
    }
    let error = ask_all(&files, "SELECT * FROM meshs").unwrap_err();
    assert_eq!(error.code().id, "SP137");
    assert!(error.message().contains("(near it: `meshes`)"), "{error}");
}

#[test]
fn gamedata_of_several_files_dangle_and_speak_each_by_itself() {
    let bytes = sample("GameData.cff");
    let files = [("a.cff", bytes.as_slice()), ("b.cff", &bytes)];
    let one = |sql: &str| ask("a.cff", &bytes, sql);
    let both = |sql: &str| ask_all(&files, sql).unwrap();
    for table in ["items", "texts_de", "items_ids", "dangling", "languages"] {
        let sql = format!("SELECT * FROM {table} WHERE file = 'a.cff'");
        assert_eq!(one(&sql), both(&sql), "{table}");
        let sql = format!("SELECT count(*) FROM {table}");
        let count: u64 = one(&sql)[0][0].parse().unwrap();
        assert_eq!(both(&sql), [[(count * 2).to_string()]], "{table}");
        // The columns of before, and the file behind them.
        assert!(
            one(&format!("SELECT * FROM {table}")).iter().all(|row| row.last().unwrap() == "a.cff")
        );
    }
}

#[test]
fn fields_tell_every_value() {
    let bytes = sample("level.nmo");
    let sql =
        "SELECT entry, field, value, meaning FROM fields WHERE number = 0 AND name = 'texture'";
    let found = ask("level.nmo", &bytes, sql);
    assert!(
        found.contains(
            &["#1", "material.texture", "0", "CKTexture/Wood_Texture"].map(str::to_owned).to_vec()
        ),
        "{found:?}"
    );
    let gamedata = sample("GameData.cff");
    let sql = "SELECT entry, number FROM fields WHERE name = 'buy_value' ORDER BY entry";
    assert_eq!(ask("GameData.cff", &gamedata, sql), [["2003/1", "100"], ["2003/2", "100"]]);
    let refs = "SELECT path, field, target_name FROM refs WHERE target = '#0'";
    assert!(ask("level.nmo", &bytes, refs).iter().any(|row| row[0] == "#1"));
}

#[test]
fn findings_are_those_of_verify() {
    let mut tried = 0;
    for sample in samples() {
        let bytes = mutate(&sample.fixture.bytes, 7);
        let source = std::sync::Arc::new(spelunk::Bytes::from(bytes));
        let Ok(mut opened) = Opened::open(source.clone(), &Options::default()) else { continue };
        let Ok(found) =
            try_ask("x", &mut opened, "SELECT severity, code FROM findings ORDER BY rowid")
        else {
            continue;
        };
        let mut again = Opened::open(source, &Options::default()).unwrap();
        let _ = again.run(|container, task| container.verify(task));
        let name = |severity: Severity| severity.name().to_owned();
        let wanted: Vec<Vec<String>> = again
            .findings()
            .findings
            .iter()
            .map(|finding| vec![name(finding.severity), finding.error.code().id.to_owned()])
            .collect();
        assert_eq!(found, wanted, "{}", sample.name);
        tried += found.len();
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn virtools_agree_with_an_independent_decoder() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    for file in &files {
        let truth = truth(&format!("truth/virtools/{}.json", file.name));
        let sql = "SELECT (SELECT count(*) FROM objects), (SELECT count(*) FROM links), (SELECT count(*) FROM ios), \
            (SELECT count(*) FROM behaviors), (SELECT count(*) FROM behaviors WHERE kind = 'block'), \
            (SELECT count(*) FROM behaviors WHERE kind = 'script'), (SELECT count(*) FROM parameters WHERE kind = 'input'), \
            (SELECT count(*) FROM operations), (SELECT count(*) FROM managers), (SELECT count(*) FROM materials)";
        let scripts = &truth["behaviors"];
        let wanted = [
            &truth["header"]["object_count"],
            &scripts["links"],
            &scripts["ios"],
            &scripts["behaviors"],
            &scripts["building_blocks"],
            &scripts["scripts"],
            &scripts["param_in"],
            &scripts["param_op"],
            &truth["header"]["manager_count"],
            &truth["materials"].as_array().unwrap().len().into(),
        ];
        let wanted: Vec<String> =
            wanted.iter().map(|number| number.as_u64().unwrap_or_default().to_string()).collect();
        assert_eq!(ask(&file.name, &file.bytes, sql), [wanted], "{}", file.name);
        let sql = "SELECT object, vertices, faces FROM meshes ORDER BY object";
        let found = ask(&file.name, &file.bytes, sql);
        let meshes = truth["meshes"].as_array().unwrap();
        for mesh in meshes {
            let wanted = ["index", "vertices", "faces"].map(|name| mesh[name].to_string());
            assert!(found.contains(&wanted.to_vec()), "{}: {wanted:?}", file.name);
        }
        let members = "SELECT object, count(*) FROM group_members GROUP BY object";
        let found = ask(&file.name, &file.bytes, members);
        for group in truth["groups"].as_array().unwrap() {
            let wanted = ["index", "members"].map(|name| group[name].to_string());
            let is_there = found.contains(&wanted.to_vec());
            assert!(is_there || group["members"] == 0, "{}: {wanted:?}", file.name);
        }
    }
}

#[test]
fn packs_agree_with_the_reference() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    for file in &files {
        let name = file.name.replace(".snpak", ".json");
        let truth = truth(&format!("snpak/{name}"));
        let assets = truth["assets"].as_array().unwrap();
        let sum = |key: &str| assets.iter().filter_map(|asset| asset[key].as_u64()).sum::<u64>();
        let sql = "SELECT count(*), coalesce(sum(size), 0), (SELECT count(*) FROM bulk), \
            (SELECT count(*) FROM generations) FROM assets";
        let wanted = [
            assets.len() as u64,
            sum("size_uncompressed"),
            sum("bulk_count"),
            truth["index_chain"].as_array().unwrap().len() as u64,
        ];
        let found = ask(&file.name, &file.bytes, sql);
        assert_eq!(found, [wanted.map(|number| number.to_string())], "{}", file.name);
        let blocks = number(&file.name, &file.bytes, "SELECT sum(size) FROM blocks");
        assert_eq!(blocks, file.bytes.len() as u64, "{}", file.name);
    }
}

#[test]
fn lists_of_maps_have_as_many_rows_as_their_chunks_tell() {
    let Some(files) = corpus::files("spellforce/synthetic", &["map"]) else { return };
    let mut records = 0;
    for file in &files {
        let chunks = ask(&file.name, &file.bytes, "SELECT id, sum(rows) FROM chunks GROUP BY id");
        for (id, name) in [
            ("29", "objects"),
            ("12", "units"),
            ("11", "buildings"),
            ("35", "portals"),
            ("30", "interactive"),
        ] {
            let told = chunks.iter().find(|row| row[0] == id).map_or("0", |row| &row[1]);
            let found =
                number(&file.name, &file.bytes, &format!("SELECT count(*) FROM map.{name}"));
            assert_eq!(found.to_string(), told, "{}: {name}", file.name);
            records += found;
        }
    }
    assert!(records > 10, "{records}");
}

#[test]
fn archives_of_a_real_cache_are_all_there() {
    let Some(files) = corpus::files("spellforce", &["dat.zst", "dat"]) else { return };
    for file in files.iter().filter(|file| file.name.starts_with("pakdata")) {
        let sql = "SELECT (SELECT count(*) FROM paks), (SELECT count(*) FROM members), (SELECT sum(entry_count) FROM paks)";
        assert_eq!(ask(&file.name, &file.bytes, sql), [["23", "59587", "59587"]]);
    }
}

#[test]
fn damage_is_told_and_never_more() {
    for sample in samples() {
        let tables = tables(sample.name, &sample.fixture.bytes);
        for seed in 0..6 {
            let bytes = mutate(&sample.fixture.bytes, seed);
            let source = std::sync::Arc::new(spelunk::Bytes::from(bytes));
            let Ok(mut opened) = Opened::open(source, &Options::default()) else { continue };
            for table in &tables {
                let sql = format!("SELECT * FROM {}", qualified(table));
                drop(try_ask("x", &mut opened, &sql));
            }
        }
    }
}
