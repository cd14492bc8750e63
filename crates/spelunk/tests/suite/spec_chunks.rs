//! Chunk files of the dialect `spec` in everything that is done with opened files: merges, patches, tables, translations, rules,
//! SQL. Files of the dialect and real ones are not mixed.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{
    merges::{merged, told},
    open,
    patches::{apply, between, makes_each_of_the_other, try_apply, try_between},
    sample, written,
};
use spelunk::{
    Bytes, Error, Options, WriteOptions,
    check::lint,
    compare::merge::{OnConflict, merge},
    containers::{
        extract::{self, Plan},
        pack::{self, Origin, PackedContainer, chunks::ChunkFolder},
    },
    entries::select::Select,
    models::maps::{
        self, Grid, GridLayer, World,
        picture::{self, View},
    },
    tables::{
        Imported, csv, json,
        query::{Cell, Query},
        sql,
        translations::{self, Name, Translation, Wish},
    },
    verbs::Disk,
};
use spelunk_core::Source;
use spelunk_fixtures::{
    Fixture,
    cff::{CffChunk, blob},
    samples, spec,
};
use std::{fs, sync::Arc};
use test_support::findings::codes;

/// A GameData of the dialect with another chunk of one id.
fn with(id: i16, data: &[u8]) -> Vec<u8> {
    let mut chunks = spec::categories();
    chunks.iter_mut().find(|chunk| chunk.id == id).expect("a chunk").payload = blob(data);
    spec::cff(0, &chunks).bytes
}

fn data_of(id: i16) -> Vec<u8> {
    spec::categories().into_iter().find(|chunk| chunk.id == id).unwrap().payload.bytes
}

/// All files: headers of the table and of the dump, with each magic, and two maps.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut printed = spec::gamedata();
    printed.poke("header.magic", &[0x12, 0x5e, 0x5e, 0xdd]);
    vec![
        ("table", spec::gamedata().bytes),
        ("table, printed magic", printed.bytes),
        ("dump", spec::dump(0, &spec::categories(), 0).bytes),
        ("map", spec::whole_map(5, 3).bytes),
        ("valley", spec::map(8).bytes),
    ]
}

#[test]
fn sides_are_merged_row_by_row_and_field_by_field() {
    let base = spec::gamedata().bytes;
    let weapons = |damage: [u16; 3]| {
        [1, 5, 123_u16]
            .into_iter()
            .zip(damage)
            .flat_map(|(id, n)| spec::weapon(id, n))
            .collect::<Vec<_>>()
    };
    let ours = with(2015, &weapons([11, 15, 200]));
    let mut other = data_of(2016);
    other.truncate(3 * 566);
    other.extend(spec::text(8, 5, b"new", spec::GUARD));
    let theirs = with(2016, &other);
    let (bytes, report, found) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    assert!(report.conflicts.is_empty() && found.is_empty(), "{report:?} {found:?}");
    let bytes = bytes.unwrap();
    assert!(open("merged", &bytes).container().dialect() == Some("spec"));
    let mut chunks = spec::categories();
    chunks[7].payload = blob(&weapons([11, 15, 200]));
    chunks[8].payload = blob(&other);
    assert!(bytes == spec::cff(0, &chunks).bytes);
    let theirs = with(2015, &weapons([11, 15, 300]));
    let (bytes, report, _) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    assert!(bytes.is_none());
    assert_eq!(told(&report.conflicts)[0], "2015/123 min_damage: 200 or 300");
    // Bytes that nothing describes are one field of their row.
    let spells = |nth: usize, byte: u8| {
        let mut spells = data_of(2002);
        spells[nth * 64 + 9] = byte;
        with(2002, &spells)
    };
    let (bytes, ..) = merged([&base, &spells(0, 1), &spells(2, 2)], OnConflict::Refuse);
    let mut both = data_of(2002);
    (both[9], both[2 * 64 + 9]) = (1, 2);
    assert!(bytes.unwrap() == with(2002, &both));
    // Records and cells of maps.
    let map = spec::whole_map(5, 3);
    let change = |part: &str, at: usize, to: u8| {
        let mut map = map.clone();
        let at = map.offset_of(part) + at;
        map.bytes[at] = to;
        map.bytes
    };
    let (ours, theirs) = (change("chunks[0].data", 9, 7), change("chunks[0].data", 30, 8));
    let (bytes, report, _) = merged([&map.bytes, &ours, &theirs], OnConflict::Refuse);
    assert!(report.conflicts.is_empty(), "{report:?}");
    let bytes = bytes.unwrap();
    let at = map.offset_of("chunks[0].data");
    assert_eq!((bytes[at + 9], bytes[at + 30]), (7, 8));
    let (ours, theirs) = (change("chunks[2].data", 7, 7), change("chunks[2].data", 29, 8));
    let (bytes, report, _) = merged([&map.bytes, &ours, &theirs], OnConflict::Refuse);
    assert!(report.conflicts.is_empty(), "{report:?}");
    let at = map.offset_of("chunks[2].data");
    let bytes = bytes.unwrap();
    assert_eq!((bytes[at + 7], bytes[at + 29]), (7, 8));
    // What stands behind the known fields of an entity is a field of its own.
    let (ours, theirs) = (change("chunks[2].data", 7, 7), change("chunks[2].data", 22, 8));
    let (bytes, report, _) = merged([&map.bytes, &ours, &theirs], OnConflict::Refuse);
    assert!(report.conflicts.is_empty(), "{report:?}");
    let bytes = bytes.unwrap();
    assert_eq!((bytes[at + 7], bytes[at + 22]), (7, 8));
    let ours = change("chunks[2].data", 23, 9);
    let (_, report, _) = merged([&map.bytes, &ours, &theirs], OnConflict::Refuse);
    assert_eq!(told(&report.conflicts), ["4[0] rest: \"040904\" or \"080404\""]);
}

#[test]
fn patches_make_each_of_the_other() {
    for (name, old) in files() {
        for (_, new) in files() {
            let format = |bytes: &[u8]| open(name, bytes).container().format();
            if format(&old) == format(&new) {
                makes_each_of_the_other(name, &old, &new);
            }
        }
    }
    let old = spec::gamedata().bytes;
    let mut spells = data_of(2002);
    spells[3] = 0xff;
    spells.extend(spec::weapon(9, 9).repeat(4));
    let text = makes_each_of_the_other("rows", &old, &with(2002, &spells));
    assert!(text.contains("\"dialect\": \"spec\""), "{text}");
    assert!(text.contains("{\"key\":[1],\"set\":{\"rest\":[\"0001"), "{text}");
    let map = spec::whole_map(5, 3);
    let mut other = map.clone();
    other.poke("chunks[2].data", &[1, 0, 0, 0]);
    other.bytes[map.offset_of("chunks[3].data") + 22] = 0xee;
    let text = makes_each_of_the_other("entities", &map.bytes, &other.bytes);
    assert!(text.contains("\"set\":{\"rest\":[\"050505\",\"ee0505\"]}"), "{text}");
    let mut texts = data_of(2016);
    texts[566 + 54..][..2].copy_from_slice(b"\xcc\0");
    let text = makes_each_of_the_other("texts", &old, &with(2016, &texts));
    assert!(text.contains("Страж"), "{text}");
    // To another file of the dialect what fits is made.
    let patch = between(&old, &with(2002, &spells));
    let (made, applied) = apply(&patch, &with(2015, &spec::weapon(1, 1)));
    assert_eq!((applied.made, applied.conflicts.len()), (2, 0));
    assert_eq!(open("made", &made).container().dialect(), Some("spec"));
}

fn refused<T>(result: spelunk::Result<T>) -> Error {
    result.err().expect("a refusal")
}

#[test]
fn files_of_the_dialect_and_real_ones_are_not_mixed() {
    let (ours, real) = (spec::gamedata().bytes, samples::gamedata().build().bytes);
    let names = |error: &Error| {
        let text = error.to_string();
        assert!(text.contains("the dialect `spec`") && text.contains("layout"), "{text}");
        error.code().id
    };
    for sides in [[&ours, &ours, &real], [&real, &ours, &ours], [&ours, &real, &ours]] {
        let opened = sides.map(|bytes| open("side", bytes));
        let sides = [&opened[0], &opened[1], &opened[2]];
        assert_eq!(names(&refused(merge(sides, OnConflict::Refuse, &Options::default()))), "SP061");
    }
    assert_eq!(names(&refused(try_between(&ours, &real))), "SP061");
    assert_eq!(names(&refused(try_between(&real, &ours))), "SP061");
    let patch = between(&ours, &with(2015, &spec::weapon(1, 1)));
    assert_eq!(names(&refused(try_apply(&patch, &real))), "SP061");
    let mut query = Query::new(Some("SELECT * FROM spells"), &Options::default());
    query.meet(&mut open("a", &ours)).unwrap();
    assert_eq!(names(&refused(query.meet(&mut open("b", &real)))), "SP061");
}

fn written_of(imported: Imported) -> Vec<u8> {
    let Imported { mut opened, options } = imported;
    written(&mut opened, &options)
}

#[test]
fn tables_go_out_and_come_back() {
    for (name, bytes) in files().into_iter().take(3) {
        let mut text = Vec::new();
        json::export(&mut open(name, &bytes), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let import =
            |text: &str| json::import(text.as_bytes(), &Options::default()).map(written_of);
        assert!(import(&text).unwrap() == bytes, "{name}");
        assert!(text.contains("\"content\":\"Страж\"") && text.contains("Mieczyk żółty"), "{text}");
        let folder = tempfile::tempdir().unwrap();
        let mut put = |made: spelunk::models::export::OutputFile| {
            Ok(fs::write(folder.path().join(made.name), made.content)?)
        };
        csv::export(&mut open(name, &bytes), &mut put).unwrap();
        let imported = csv::import(folder.path(), &Options::default()).unwrap();
        assert!(written_of(imported) == bytes, "{name}");
        let path = folder.path().join("x.sqlite");
        fs::write(&path, []).unwrap();
        sql::export(&mut open(name, &bytes), &path).unwrap();
        let database = Bytes::from(fs::read(&path).unwrap());
        assert!(
            written_of(sql::import(&database, &Options::default()).unwrap()) == bytes,
            "{name}"
        );
        // What is changed in the text is changed in the file, and nothing else.
        let changed =
            import(&text.replace("\"content\":\"Страж\"", "\"content\":\"Меч\"")).unwrap();
        let mut texts = data_of(2016);
        texts[566 + 54..][..5].copy_from_slice(b"\xcc\xe5\xf7\0\0");
        if name == "table" {
            assert!(changed == with(2016, &texts));
        }
        let changed =
            import(&text.replace("\"rest\":\"00010203\"", "\"rest\":\"ffffffff\"")).unwrap();
        assert_eq!(
            changed.iter().zip(&bytes).filter(|(a, b)| a != b).count(),
            8,
            "effects and types"
        );
        let error = refused(import(&text.replace("\"rest\":\"00010203\"", "\"rest\":\"ffff\"")));
        assert_eq!(error.code().id, "SP133");
        let error =
            refused(import(&text.replace("\"spec_header_size\":1", "\"spec_header_size\":7")));
        assert_eq!(error.code().id, "SP132");
    }
    // A stream that does not inflate stays as it is.
    let mut damaged = spec::gamedata();
    damaged.poke("chunks[8].data", &[0x78, 0x9c, 0xff, 0xff]);
    let mut text = Vec::new();
    let mut opened = open("damaged", &damaged.bytes);
    json::export(&mut opened, &mut text).unwrap();
    assert!(written_of(json::import(&text, &Options::default()).unwrap()) == damaged.bytes);
}

#[test]
fn texts_are_translated_in_their_code_page() {
    let bytes = spec::gamedata().bytes;
    let wish = Wish { language: "ru".to_owned(), from: Some("de".to_owned()) };
    let given = |target: &str| Translation {
        name: Name { id: 7, nth: 0 },
        source: None,
        target: target.to_owned(),
        is_fuzzy: false,
    };
    let mut opened = open("texts", &bytes);
    let (source, counts) = translations::put(&mut opened, &[given("Ключ")], &wish).unwrap();
    assert_eq!((counts.changed, counts.refused), (1, 0));
    let mut made = vec![0; source.len() as usize];
    source.read_at(0, &mut made).unwrap();
    let mut texts = data_of(2016);
    texts[566 + 54..][..5].copy_from_slice(b"\xca\xeb\xfe\xf7\0");
    assert!(made == with(2016, &texts));
    let mut opened = open("texts", &bytes);
    let (_, counts) = translations::put(&mut opened, &[given("Schlüssel")], &wish).unwrap();
    assert_eq!((counts.changed, counts.refused), (0, 1));
}

#[test]
fn statements_know_the_columns_of_the_dialect() {
    let bytes = spec::gamedata().bytes;
    let ask = |files: usize, sql: &str| {
        let mut query = Query::new(Some(sql), &Options::default());
        let names: Vec<String> = (0..files).map(|n| format!("{n}.cff")).collect();
        names.iter().for_each(|name| query.meet(&mut open(name, &bytes)).unwrap());
        query.prepare().unwrap();
        names.iter().for_each(|name| query.fill(name, &mut open(name, &bytes)).unwrap());
        let mut found: Vec<String> = Vec::new();
        query
            .rows(&mut |_, values| {
                let shown = values.iter().map(|value| match value {
                    Cell::Text(text) => text.clone().into_owned(),
                    Cell::Integer(number) => number.to_string(),
                    other => format!("{other:?}"),
                });
                found.push(shown.collect::<Vec<_>>().join("|"));
                Ok(())
            })
            .unwrap();
        found
    };
    for files in [1, 2] {
        let of = |sql: &str| ask(files, sql);
        let texts = "SELECT DISTINCT language_id, content FROM texts WHERE text_id = 7 ORDER BY 1";
        assert_eq!(of(texts), ["1|Schlüssel", "5|Страж", "6|Mieczyk żółty"]);
        assert_eq!(of("SELECT DISTINCT rest FROM item_effects WHERE id = 123"), ["5d5e5f60"]);
        assert_eq!(of("SELECT DISTINCT name_id FROM weapon_materials"), ["7"]);
        assert_eq!(of("SELECT count(*) FROM dangling"), ["0"]);
        assert_eq!(of("SELECT DISTINCT content FROM texts_ru"), ["Страж"]);
        assert_eq!(
            of("SELECT DISTINCT i.id FROM weapons w JOIN items i ON i.id = w.item_id ORDER BY 1"),
            ["1", "5", "123"]
        );
    }
}

#[test]
fn lists_of_maps_are_tables() {
    let mut query = Query::new(
        Some("SELECT record, id, x, y, rotation FROM spec_units ORDER BY record"),
        &Options::default(),
    );
    let bytes = spec::map(8).bytes;
    query.meet(&mut open("map", &bytes)).unwrap();
    query.prepare().unwrap();
    query.fill("map", &mut open("map", &bytes)).unwrap();
    let mut found = Vec::new();
    query
        .rows(&mut |_, values| {
            found.push(values.iter().map(|it| format!("{it:?}")).collect::<Vec<_>>().join(" "));
            Ok(())
        })
        .unwrap();
    assert_eq!(
        found,
        [
            "Integer(0) Integer(100) Real(3.0) Real(4.0) Real(90.0)",
            "Integer(1) Integer(101) Real(8.5) Real(2.0) Real(90.0)"
        ]
    );
}

fn linted(bytes: &[u8]) -> Vec<&'static str> {
    let mut opened = open("linted", bytes);
    let folders = lint::folders(Arc::new(Disk), None, &[]);
    let mut missing = lint::Missing::new();
    let all = lint::Selection::default();
    lint::lint(&mut opened, "linted", &all, &folders, None, &mut missing).unwrap();
    codes(&opened.take_findings())
}

#[test]
fn rules_hold_for_rows_of_the_dialect() {
    assert_eq!(linted(&spec::gamedata().bytes), [""; 0]);
    let of = |id: i16, data_type: i16, data: &[u8]| {
        linted(&spec::cff(0, &[CffChunk::raw(id, data_type, blob(data))]).bytes)
    };
    let spells = |ids: [u16; 2]| ids.map(|id| [&id.to_le_bytes()[..], &[0; 62]].concat()).concat();
    assert_eq!(of(2002, 2, &spells([2, 1])), ["GD001"]);
    assert_eq!(of(2002, 2, &spells([2, 2])), ["GD002"]);
    let effects = [[1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]].concat();
    assert_eq!(of(2014, 3, &effects), [""; 0], "rows that share an id");
    let mut text = spec::text(1, 0, b"", b"ab");
    text[60] = 1;
    assert_eq!(of(2016, 3, &text), ["GD004"]);
    assert_eq!(of(2016, 3, &spec::text(1, 0, b"", &[b'x'; 512])), [""; 0]);
    let mut chunks = spec::categories();
    chunks[7].payload = blob(&spec::weapon(99, 1));
    assert_eq!(linted(&spec::cff(0, &chunks).bytes), ["GD010"], "an item that is not there");
}

#[test]
fn what_is_extracted_is_packed_to_the_same_file() {
    for (name, bytes) in files() {
        let source: Arc<dyn Source> = Arc::new(Bytes::copy_from_slice(&bytes));
        let options = Options::default();
        let mut opened = open(name, &bytes);
        let (pages, folder) = (opened.code_pages(), tempfile::tempdir().unwrap());
        let target = folder.path().join("out");
        let plan = Plan {
            target: &target,
            select: &Select::new::<&str>(&[], &[]).unwrap(),
            included: false,
            origin: Some(Origin { source: &source, options: &options }),
            follow_links: false,
            force: false,
            dry_run: false,
        };
        opened
            .run(|container, task| extract::extract(container, &pages, &plan, task, &mut |_, _| {}))
            .unwrap();
        let PackedContainer::Filled(mut filled) = pack::pack(&target, None, &options).unwrap()
        else {
            panic!("{name}: not filled")
        };
        let again = written(&mut filled.opened, &filled.options);
        assert!(again == bytes, "{name}");
        assert!(filled.changed.is_empty());
    }
}

#[test]
fn new_files_are_built_of_folders_of_chunks() {
    let packed = |folder: &std::path::Path, output: &str| {
        let (dir, output) = (folder.into(), output.into());
        let folder = ChunkFolder { dir: &dir, output: &output, links: false };
        folder.packed(&Disk, &Options::default())
    };
    let folder = tempfile::tempdir().unwrap();
    for chunk in spec::categories() {
        fs::write(folder.path().join(chunk.id.to_string()), &chunk.payload.bytes).unwrap();
    }
    fs::write(folder.path().join("readme.txt"), "no chunk").unwrap();
    let mut filled = packed(folder.path(), "new.cff").unwrap().unwrap();
    let raw = spec::categories().into_iter().map(|chunk| CffChunk { level: None, ..chunk });
    let raw = spec::cff(0, &raw.collect::<Vec<_>>()).bytes;
    assert!(written(&mut filled.opened, &filled.options) == raw);
    assert_eq!(filled.unknown, ["readme.txt"]);
    // A manifest beside them says what is packed, and in which order.
    let listed: Vec<String> = spec::categories()
        .iter()
        .map(|it| {
            format!(
                "{{\"file\":\"{0}\",\"path\":\"{0}\",\"id\":{0},\"packed\":{1}}}",
                it.id,
                it.level.is_some()
            )
        })
        .collect();
    let manifest = format!("{{\"spelunk_manifest\":1,\"entries\":[{}]}}", listed.join(","));
    fs::write(folder.path().join("spelunk-manifest.json"), &manifest).unwrap();
    let mut filled = packed(folder.path(), "new.cff").unwrap().unwrap();
    assert!(written(&mut filled.opened, &filled.options) == spec::gamedata().bytes);
    let real = manifest.replace(
        "\"spelunk_manifest\":1,",
        "\"spelunk_manifest\":1,\"format\":\"spellforce-cff\",",
    );
    fs::write(folder.path().join("spelunk-manifest.json"), real).unwrap();
    assert_eq!(refused(packed(folder.path(), "new.cff")).code().id, "SP061");
    // A map, and chunks that are none of a GameData.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("2.bin"), [1, 0, 0, 0, 1, 0, 0, 0, 7, 0]).unwrap();
    fs::write(folder.path().join("9.1"), b"lake").unwrap();
    let filled = packed(folder.path(), "new.map").unwrap().unwrap();
    assert_eq!(filled.opened.container().format(), "spellforce-map");
    assert_eq!(refused(packed(folder.path(), "new.cff")).code().id, "SP050");
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(refused(packed(empty.path(), "new.cff")).code().id, "SP050");
}

#[test]
fn maps_are_drawn_and_their_heights_come_in_again() {
    let bytes = spec::map(8).bytes;
    let mut opened = open("map", &bytes);
    let map = maps::read(&mut opened).unwrap();
    let heights = map.grid(GridLayer::Heights).unwrap();
    assert_eq!((heights.width, heights.height, heights.values[63]), (8, 8, 63 * 7));
    let mut png = Vec::new();
    maps::write_png(&heights, &mut png).unwrap();
    let mut grid = maps::read_png(&png, GridLayer::Heights, 1 << 20).unwrap();
    assert!(source_bytes(&maps::put(&mut opened, &grid).unwrap()) == bytes);
    grid.values[9] = 4711;
    let changed = source_bytes(&maps::put(&mut opened, &grid).unwrap());
    let differ: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != changed[*at]).collect();
    assert_eq!(differ, [31 + 8 + 18, 31 + 8 + 19]);
    assert!(map.grid(GridLayer::Tiles).is_none());
    let tiles = Grid::new(GridLayer::Tiles, 8, 8, vec![0; 64]);
    assert_eq!(refused(maps::put(&mut opened, &tiles)).code().id, "SP153");
    let pages = opened.code_pages();
    let (features, picture) = opened
        .run(|_, task| {
            let picture = picture::draw(&*map, View::Entities, Some(8), task)?;
            Ok::<_, Error>((maps::features(&*map, &pages, task)?, picture))
        })
        .unwrap();
    let second = &features["features"][1];
    assert_eq!(second["geometry"]["coordinates"], serde_json::json!([8, 2]));
    assert_eq!(second["properties"]["x"], 8.5);
    assert_eq!(second["properties"]["rotation"], 90.0);
    assert_eq!(second["properties"]["id"], 101);
    let red = [214, 39, 40];
    let at = |x: usize, y: usize| picture.pixels[y * picture.width as usize + x];
    assert_eq!(at(3 * 8 + 4, 4 * 8 + 4), red, "the first unit");
    // What is no square is none that is drawn.
    assert_eq!(
        refused(maps::read(&mut open("map", &spec::whole_map(5, 3).bytes))).code().id,
        "SP150"
    );
    assert!(maps::read(&mut open("map", &spec::whole_map(4, 4).bytes)).is_ok());
}

fn source_bytes(source: &Arc<dyn Source>) -> Vec<u8> {
    let mut bytes = vec![0; source.len() as usize];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

#[test]
fn the_samples_are_files_of_the_dialect_still() {
    for name in ["weapons-spec.cff", "valley-spec.map"] {
        let bytes = sample(name);
        let mut opened = open(name, &bytes);
        assert_eq!(opened.container().dialect(), Some("spec"));
        assert!(written(&mut opened, &WriteOptions::default()) == bytes);
    }
    // So is what only a fixture of this crate of tests has.
    let Fixture { bytes, .. } = spec::whole_map(2, 2);
    assert_eq!(open("map", &bytes).container().format(), "spellforce-map");
}

#[test]
fn units_and_buildings_of_maps_are_looked_up_in_a_gamedata() {
    let found = |map: &[u8], world: &[u8]| {
        let world = World::new(open("world", world)).unwrap();
        let mut opened = open("map", map);
        let folders = lint::folders(Arc::new(Disk), None, &[]);
        let (all, mut missing) = (lint::Selection::default(), lint::Missing::new());
        let linted = lint::lint(&mut opened, "map", &all, &folders, Some(&world), &mut missing);
        linted.map(|()| {
            let findings = opened.take_findings().findings;
            findings.iter().map(|it| it.error.to_string()).collect::<Vec<_>>()
        })
    };
    assert_eq!(linted(&spec::whole_map(4, 4).bytes), [""; 0]);
    let found_there = found(&spec::whole_map(4, 4).bytes, &spec::gamedata().bytes).unwrap();
    assert_eq!(found_there.len(), 4, "{found_there:?}");
    assert!(found_there[1].contains("401") && found_there[1].contains("a row of units"));
    assert!(found_there[2].contains("5[0]"), "{found_there:?}");
    let mut chunks = spec::categories();
    let rows = |size: usize, ids: [u16; 2]| {
        ids.iter()
            .flat_map(|id| [&id.to_le_bytes()[..], &vec![0; size - 2]].concat())
            .collect::<Vec<u8>>()
    };
    chunks[9].payload = blob(&rows(52, [400, 401]));
    chunks[10].payload = blob(&rows(32, [500, 501]));
    let world = spec::cff(0, &chunks).bytes;
    assert_eq!(found(&spec::whole_map(4, 4).bytes, &world).unwrap(), [""; 0]);
    let real = samples::gamedata().build().bytes;
    assert_eq!(refused(found(&spec::whole_map(4, 4).bytes, &real)).code().id, "SP061");
}
