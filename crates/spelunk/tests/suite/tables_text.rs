//! GameData as JSON and CSV: what is changed in text is changed in the file; what stands beside the rows survives.

use spellforce::{cff::Chunks, gamedata::GameData};
use spelunk::{
    Budget, Bytes, Limits, Opened, Options, Result,
    tables::{Imported, csv, json, sql},
};
use spelunk_fixtures::{
    Fixture,
    cff::{CffChunk, CffFile, Walk},
    corpus, samples,
    virtools::zlib,
};
use std::{fs, path::Path, sync::Arc};

fn open(bytes: &[u8]) -> Opened {
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &Options::default()).unwrap()
}

fn written(imported: Imported) -> Vec<u8> {
    let Imported { mut opened, options } = imported;
    let mut out = Vec::new();
    opened.run(|container, task| container.write(&mut out, &options, task)).unwrap();
    out
}

fn text(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    json::export(&mut open(bytes), &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn import(text: &str) -> Result<Vec<u8>> {
    json::import(text.as_bytes(), &Options::default()).map(written)
}

fn rows(bytes: &[u8], id: i16) -> Vec<Vec<u8>> {
    let opened = open(bytes);
    let gamedata: GameData<'_> =
        opened.container().model::<Chunks>().and_then(Chunks::gamedata).unwrap();
    let mut budget = Budget::new(Limits::unlimited());
    let tables = gamedata.tables(id, &mut budget).unwrap();
    tables.iter().flat_map(|table| table.rows().map(|row| row.bytes().to_vec())).collect()
}

/// Weapon materials: id and name, two bytes each.
const MATERIALS: i16 = 2064;

/// A file with five rows of materials, one of texts, and what else is asked for.
fn file(more: impl FnOnce(&mut CffFile)) -> Vec<u8> {
    let materials = [1, 0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 5, 0, 1, 0, 6, 0, 1, 0];
    let mut row = vec![0; 566];
    row[..12].copy_from_slice(b"\x01\0\0\0Griff\0\0\0");
    row[54..59].copy_from_slice(b"Sch\xe4l");
    let chunks = vec![
        CffChunk::raw(2016, 3, Fixture { bytes: row, ..Fixture::default() }),
        CffChunk::raw(MATERIALS, 1, blob(&materials)),
    ];
    let mut file = CffFile { chunks, ..CffFile::default() };
    more(&mut file);
    file.build().bytes
}

fn blob(bytes: &[u8]) -> Fixture {
    Fixture { bytes: bytes.to_vec(), ..Fixture::default() }
}

/// Through all forms and back; the JSON between.
fn check(name: &str, bytes: &[u8]) -> String {
    let text = text(bytes);
    assert!(import(&text).unwrap() == bytes, "{name} through JSON");
    let folder = tempfile::tempdir().unwrap();
    assert!(written(through_csv(bytes, folder.path()).unwrap()) == bytes, "{name} through CSV");
    let path = folder.path().join("x.sqlite");
    fs::write(&path, []).unwrap();
    sql::export(&mut open(bytes), &path).unwrap();
    let imported =
        sql::import(&Bytes::from(fs::read(&path).unwrap()), &Options::default()).unwrap();
    assert!(written(imported) == bytes, "{name} through SQLite");
    text
}

fn through_csv(bytes: &[u8], folder: &Path) -> Result<Imported> {
    write_csv(bytes, folder);
    csv::import(folder, &Options::default())
}

fn write_csv(bytes: &[u8], folder: &Path) {
    let mut put = |made: spelunk::models::export::OutputFile| {
        Ok(fs::write(folder.join(made.name), made.content)?)
    };
    csv::export(&mut open(bytes), &mut put).unwrap();
}

#[test]
fn what_stands_beside_the_rows_survives() {
    let told = check("plain", &file(|_| ()));
    assert!(told.contains("{\"row\":0,\"text_id\":1,\"language_id\":0,\"mode\":0,\"handle\":\"Griff\",\"content\":\"Sch\u{e4}l\"}"), "{told}");
    for (name, what, more) in [
        ("a tail", "\"tail\":", (|file| file.tail = vec![1, 2, 3]) as fn(&mut CffFile)),
        ("an unknown chunk", "\"data\":\"0102\"", |file| {
            file.chunks.insert(1, CffChunk::raw(77, 5, blob(&[1, 2])));
        }),
        ("another data type", "\"data_type\":9", |file| file.chunks[1].data_type = 9),
        ("a repeated chunk", "\"data\":\"09000100\"", |file| {
            file.chunks.push(CffChunk::raw(MATERIALS, 1, blob(&[9, 0, 1, 0])));
        }),
        ("another occurrence", "\"occurrence\":3", |file| file.chunks[1].occurrence = 3),
        ("a remainder", "\"remainder\":\"07\"", |file| file.chunks[1].payload.bytes.push(7)),
        ("no rows", "\"rows\":0", |file| file.chunks[1].payload.bytes.clear()),
        ("packed chunks", "\"level\":9", |file| *file = file.clone().repacked(3, 9)),
        ("a strange packed word", "\"packed\":7", |file| {
            file.chunks[1].level = Some(6);
            file.chunks[1].flag = Some(7);
        }),
        ("a stream that no level gives", "\"stream\":", |file| {
            let plain = file.chunks[1].payload.bytes.clone();
            let mut stored = zlib(&plain, 6);
            stored.extend_from_slice(b"more");
            file.chunks[1].payload.bytes = stored;
            file.chunks[1].flag = Some(1);
            file.chunks[1].unpacked_length = Some(plain.len() as i32);
        }),
        ("damaged data", "\"unpacked_length\":99", |file| {
            file.chunks[1].flag = Some(1);
            file.chunks[1].unpacked_length = Some(99);
        }),
        ("wide headers with a word of their own", "\"unpacked_length\":12345", |file| {
            (file.walk, file.format) = (Walk::Wide, 3);
            file.chunks[1].unpacked_length = Some(12345);
        }),
        ("bytes behind a text", "\"strings\":[{\"table\":\"texts\"", |file| {
            file.chunks[0].payload.bytes[565] = 1;
        }),
        ("a text that fills its field", "\"column\":\"handle\"", |file| {
            file.chunks[0].payload.bytes[4..54].fill(b'x');
        }),
        ("quotes and lines", "\\\"\\n", |file| {
            file.chunks[0].payload.bytes[54..62].copy_from_slice(b"\"\n,;\r\n'\t");
        }),
        ("nothing but a header", "\"chunks\":[]", |file| file.chunks.clear()),
    ] {
        let bytes = file(more);
        let opened = open(&bytes);
        if !spelunk::tables::is_for(&opened) {
            assert_eq!(name, "nothing but a header");
            continue;
        }
        let told = check(name, &bytes);
        assert!(told.contains(what), "{name}: {told}");
    }
}

#[test]
fn rows_are_changed_added_and_taken_out_in_text() {
    let bytes = file(|_| ());
    let text = text(&bytes);
    let line =
        |id: u32, row: u32| format!("{{\"row\":{row},\"weapon_material_id\":{id},\"name_id\":1}}");
    for row in [line(1, 0), line(2, 1), line(6, 4)] {
        assert!(text.contains(&row), "{text}");
    }
    let edited = text
        .replace(&format!("{},\n", line(2, 1)), "")
        .replace(&line(4, 2), &line(400, 2))
        .replace(
            &line(6, 4),
            &format!("{},\n{{\"name_id\":\"9\",\"weapon_material_id\":3}}", line(6, 4)),
        );
    let ids: Vec<_> = rows(&import(&edited).unwrap(), MATERIALS)
        .iter()
        .map(|row| u16::from_le_bytes([row[0], row[1]]))
        .collect();
    assert_eq!(ids, [1, 3, 400, 5, 6]);

    let folder = tempfile::tempdir().unwrap();
    write_csv(&bytes, folder.path());
    let path = folder.path().join("weapon_materials.csv");
    let csv_text = fs::read_to_string(&path).unwrap();
    assert_eq!(csv_text.lines().next(), Some("row,weapon_material_id,name_id"));
    // Columns may stand in another order, rows too.
    let put = |text: &str| fs::write(&path, text).unwrap();
    put("name_id,weapon_material_id,row\n1,6,4\n1,1,0\n7,2,1\n1,4,\n");
    let new = written(csv::import(folder.path(), &Options::default()).unwrap());
    assert_eq!(rows(&new, MATERIALS), [[1, 0, 1, 0], [2, 0, 7, 0], [4, 0, 1, 0], [6, 0, 1, 0]]);
    put("row,weapon_material_id,name_id\n");
    let new = written(csv::import(folder.path(), &Options::default()).unwrap());
    assert_eq!(open(&new).container().size(), 20 + 12 + 566, "the category is gone");
    for (text, code, told) in [
        ("row,weapon_material_id,name\n", "SP132", "`name`"),
        ("row,weapon_material_id\n0,1\n", "SP133", "nothing"),
        ("row,weapon_material_id,name_id\n0,1\n", "SP132", "UTF-8"),
        ("row,weapon_material_id,name_id\nx,1,1\n", "SP133", "`x`"),
        ("row,weapon_material_id,name_id\n0,1,70000\n", "GD020", "70000"),
        ("row,weapon_material_id,name_id\n0,1,1\n0,2,1\n", "SP136", "weapon materials 0"),
    ] {
        put(text);
        let error = csv::import(folder.path(), &Options::default()).expect_err(text);
        assert_eq!(error.code().id, code, "{text}: {error}");
        assert!(error.to_string().contains(told), "{text}: {error}");
    }
    fs::remove_file(&path).unwrap();
    let error = csv::import(folder.path(), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("weapon_materials"), "{error}");
}

#[test]
fn json_that_does_not_fit_says_where() {
    let text = text(&file(|_| ()));
    let swap = |old: &str, new: &str| {
        assert!(text.contains(old), "{old}: {text}");
        text.replacen(old, new, 1)
    };
    for (edited, code, told) in [
        (
            swap("\"weapon_material_id\":1,", "\"weapon_material_id\":65536,"),
            "GD020",
            "weapon materials 0 > weapon material id",
        ),
        (
            swap("\"weapon_material_id\":1,", "\"weapon_material_id\":18446744073709551615,"),
            "GD020",
            "0 to 65535",
        ),
        (swap("\"weapon_material_id\":1,", "\"weapon_material_id\":null,"), "SP133", "nothing"),
        (swap("\"weapon_material_id\":1,", "\"weapon_material_id\":1.5,"), "SP132", "whole number"),
        (swap("\"weapon_material_id\":1,", ""), "SP133", "nothing"),
        (swap("\"weapon_material_id\":1,", "\"what\":1,"), "SP132", "`what`"),
        (swap("\"weapon_materials\":[", "\"what\":["), "SP132", "weapon_materials"),
        (swap("\"row\":0,\"weapon", "\"row\":1,\"weapon"), "SP136", "weapon materials 1"),
        (swap("\"Griff\"", "7"), "SP133", "a text"),
        (swap("Griff", "\u{413}"), "GD022", "'\u{413}' (U+0413), character 1"),
        (swap("Griff", &"x".repeat(50)), "GD021", "at most 49 bytes"),
        (swap("\"spelunk_tables\":1", "\"spelunk_tables\":2"), "SP132", "`spelunk_tables` 1"),
        (swap("\"magic\":", "\"magi\":"), "SP132", "magic"),
        (swap("\"pages\":\"windows-1252\"", "\"pages\":\"nothing\""), "SP028", "nothing"),
        (text[..text.len() / 2].to_owned(), "SP132", "EOF"),
    ] {
        let error = import(&edited).expect_err(told);
        assert_eq!(error.code().id, code, "{told}: {error}");
        assert!(error.to_string().contains(told), "{told}: {error}");
    }
    assert!(!json::is_for(br#"{"spelunk_document": 1, "format": "virtools"}"#));
    assert!(
        !json::is_for(b"[]")
            && !sql::is_for(b"SQLite")
            && !csv::is_for(&spelunk::verbs::Disk, &"/".into())
    );
}

#[test]
fn new_slots_take_the_code_page_that_is_asked_for() {
    let bytes = file(|_| ());
    let text = text(&bytes);
    let row = "{\"text_id\":1,\"language_id\":5,\"mode\":0,\"handle\":\"\",\"content\":\"\u{43c}\u{435}\u{447}\"}";
    let edited = text.replace("Sch\u{e4}l\"}", &format!("Sch\u{e4}l\"}},\n{row}"));
    assert_eq!(import(&edited).unwrap_err().code().id, "GD022");
    let mut options = Options::default();
    let pages = spelunk::core::text::CodePages::from_labels("cp1251").unwrap();
    options.languages.slots = vec![(5, pages)];
    let new = written(json::import(edited.as_bytes(), &options).unwrap());
    assert_eq!(&rows(&new, 2016)[1][54..58], b"\xec\xe5\xf7\0");
    // Or written down beside the others.
    let edited = edited
        .replace("\"languages\":[", "\"languages\":[{\"slot\":5,\"pages\":\"windows-1251\"},");
    assert!(import(&edited).unwrap() == new);
}

#[test]
fn an_odd_file_keeps_to_its_memory() {
    // Rows of texts are small in JSON and large in the file.
    let text = text(&samples::gamedata().build().bytes);
    let row = "{\"text_id\":1,\"language_id\":5,\"mode\":0,\"handle\":\"\",\"content\":\"\"}";
    let many = vec![row; 20_000].join(",\n");
    let edited = text.replace("\"texts\":[", &format!("\"texts\":[\n{many},"));
    let tight = Options { max_memory: Some(4 << 20), ..Options::default() };
    let error = json::import(edited.as_bytes(), &tight).unwrap_err();
    assert_eq!(error.code().id, "SP010", "{error}");
    assert!(json::import(edited.as_bytes(), &Options::default()).is_ok());
}

#[test]
fn json_follows_its_schema() {
    let schema = serde_json::from_str(&spelunk::tables::schema::page()).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let mut checked = 0;
    let mut check = |name: &str, bytes: &[u8]| {
        let document = serde_json::from_str(&text(bytes)).unwrap();
        let errors: Vec<_> = schema.iter_errors(&document).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        checked += 1;
        document
    };
    let document: serde_json::Value = check("sample", &samples::gamedata().build().bytes);
    for file in corpus::files("spellforce/reduced", &["cff"]).unwrap_or_default() {
        check(&file.name, &file.bytes);
    }
    for (pointer, wrong) in [
        ("/tables/items/0/buy_value", serde_json::json!(-1)),
        ("/tables/items/0/buy_value", serde_json::json!("7")),
        ("/tables/texts/0/content", serde_json::json!(7)),
        ("/tables/building_polygons/0/corners/0", serde_json::json!([1])),
        ("/spelunk_tables", serde_json::json!(2)),
    ] {
        let mut document = document.clone();
        *document.pointer_mut(pointer).unwrap() = wrong;
        assert!(!schema.is_valid(&document), "{pointer}");
    }
    assert!(checked > 0);
}
