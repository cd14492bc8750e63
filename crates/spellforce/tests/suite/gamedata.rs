//! The tables of GameData: real rows field by field, keys, languages, and the rules.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{open, opened};
use serde_json::Value;
use spellforce::{
    cff::Chunks,
    gamedata::{
        AnyRow, Asked, CATEGORIES, GameData, category,
        lint::{Selection, codes, lint},
        profile,
        schema::{Item, Level, Row, Spell, TextRow, Weapon},
    },
};
use spelunk_core::{Collect, Container, Task, Ty, text::until_nul};
use spelunk_fixtures::{corpus, mutate::mutate};
use std::collections::{BTreeMap, BTreeSet};
use test_support::{
    json::truth,
    task::{budget, unlimited},
};
use zerocopy::IntoBytes;

fn gamedata(container: &dyn Container) -> GameData<'_> {
    container.model::<Chunks>().and_then(Chunks::gamedata).expect("GameData")
}

/// The edition and the bytes of every whole GameData.
fn editions() -> Option<Vec<(&'static str, Vec<u8>)>> {
    let files = corpus::files("spellforce", &["cff"])?;
    let edition = |name: &str| if name.contains("-ru") { "1.54_ru" } else { "1.54_en" };
    Some(files.into_iter().map(|file| (edition(&file.name), file.bytes)).collect())
}

/// A name as both sides write it.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// How the truth calls a type, and how many values it has.
fn ty(name: &str) -> (Ty, usize) {
    let (name, count) = match name.strip_suffix(']') {
        Some(name) => name.split_once('[').map(|(name, n)| (name, n.parse().unwrap_or(0))).unwrap(),
        None => (name, 1),
    };
    let ty = match name {
        "byte" => Ty::U8,
        "ushort" => Ty::U16,
        "short" => Ty::I16,
        "uint" => Ty::U32,
        other => panic!("{other}"),
    };
    (ty, count)
}

#[test]
fn the_schema_is_that_of_the_truth() {
    let Some(truth) = truth(corpus::text("truth/spellforce.json")) else { return };
    let schema = truth["schema"].as_object().unwrap();
    assert_eq!(schema.len(), CATEGORIES.len());
    for category in CATEGORIES {
        let known = &schema[&category.id.to_string()];
        assert_eq!(known["data_type"], category.data_type, "{}", category.table);
        assert_eq!(known["row_size"].as_u64(), category.row_size().map(|size| size as u64));
        let id = known["id_field"].as_str().unwrap();
        let sub = known["sub_id_field"].as_str();
        let key: Vec<_> = category.key_fields().iter().map(|slot| plain(slot.field.name)).collect();
        if category.id != 2056 {
            assert_eq!(key[0], plain(id), "{}", category.table);
        }
        assert_eq!(key.get(1).cloned(), sub.map(plain), "{}", category.table);
        let mut slots = category.fields().iter();
        for field in known["fields"].as_array().unwrap() {
            let (kind, name) = (field[1].as_str().unwrap(), field[2].as_str().unwrap());
            if name == "Coords" {
                assert!(category.is_polygons());
                continue;
            }
            let (ty, count) = ty(kind);
            let slot = slots.next().unwrap_or_else(|| panic!("{} {name}", category.table));
            assert_eq!(field[0], slot.offset, "{} {name}", category.table);
            if slot.field.ty == Ty::Text {
                assert_eq!((ty, count as u32), (Ty::U8, slot.size), "{} {name}", category.table);
            } else {
                assert_eq!(slot.field.ty, ty, "{} {name}", category.table);
                (1..count).for_each(|_| assert_eq!(slots.next().unwrap().field.ty, ty));
            }
            if count == 1 || slot.field.ty == Ty::Text {
                assert_eq!(plain(slot.field.name), plain(name));
            }
        }
        assert_eq!(slots.count(), 0, "{}", category.table);
    }
}

/// The values of a row, as the truth writes them.
fn values(row: &AnyRow<'_>, wanted: &Value) -> Vec<i64> {
    let numbers = (0..row.category().fields().len()).map(|field| row.number(field));
    let mut all: Vec<i64> = numbers.collect();
    if !wanted["Coords"].is_null() {
        all.extend(row.corners().flatten().map(i64::from));
    }
    all
}

#[test]
fn sampled_rows_have_the_values_of_the_truth() {
    let (Some(truth), Some(editions)) = (truth(corpus::text("truth/spellforce.json")), editions())
    else {
        return;
    };
    let (mut rows, mut texts) = (0, 0);
    for (edition, bytes) in &editions {
        let (container, _) = opened(bytes);
        let gamedata = gamedata(container.as_ref());
        for (id, samples) in truth["editions"][edition]["samples"].as_object().unwrap() {
            let table = gamedata.tables(id.parse().unwrap(), &mut unlimited()).unwrap()[0];
            for sample in samples.as_array().unwrap() {
                let row = table.row(sample["row"].as_u64().unwrap() as usize).unwrap();
                let fields = &sample["fields"];
                let mut wanted = Vec::new();
                // In the order of the fields, whatever the order of the JSON is.
                for slot in truth["schema"][id]["fields"].as_array().unwrap() {
                    match &fields[slot[2].as_str().unwrap()] {
                        Value::Number(number) => wanted.push(number.as_i64().unwrap()),
                        Value::Array(all) => {
                            wanted.extend(all.iter().map(|number| number.as_i64().unwrap()));
                        }
                        Value::Object(text) => {
                            let field = wanted.len();
                            wanted.push(0);
                            let bytes = until_nul(row.field(field));
                            let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
                            assert_eq!(text["raw_hex_until_nul"], hex, "{id}");
                            assert_eq!(text["field_len"], row.field(field).len() as u64);
                            let ended = bytes.len() < row.field(field).len();
                            assert_eq!(text["nul_terminated"], ended);
                            assert_eq!(text["nonzero_after_nul"], row.tail(field).is_some());
                            let shown = row
                                .text(field, gamedata.languages(&mut unlimited()).unwrap())
                                .expect("it decodes");
                            assert_eq!(text["text"], shown.as_ref(), "{edition} {id}");
                            texts += 1;
                        }
                        other => panic!("{other:?}"),
                    }
                }
                assert_eq!(values(&row, fields), wanted, "{edition} {id} {}", sample["row"]);
                rows += 1;
            }
        }
    }
    assert!(rows > 700 && texts > 100, "{rows} rows, {texts} texts");
}

#[test]
fn a_chunk_is_its_rows_and_nothing_else() {
    let Some(editions) = editions() else { return };
    for (_, bytes) in &editions {
        let (container, _) = opened(bytes);
        let gamedata = gamedata(container.as_ref());
        for (chunk, category) in gamedata.categories() {
            let table = gamedata.table(chunk, &mut unlimited()).unwrap();
            let again: Vec<u8> = table.rows().flat_map(|row| row.bytes().to_vec()).collect();
            let plain = gamedata.file().plain(chunk, &mut unlimited()).unwrap();
            assert!(again == *plain, "{}", category.table);
            assert!(table.remainder().is_empty());
        }
        let table = |id| gamedata.tables(id, &mut unlimited()).unwrap()[0];
        let texts = table(2016).typed::<TextRow>().unwrap();
        assert_eq!(texts.len(), 115_080);
        assert_eq!(texts.as_bytes().as_ptr(), table(2016).row(0).unwrap().bytes().as_ptr());
        let items = table(2003).typed::<Item>().unwrap();
        assert!(items.iter().zip(table(2003).rows()).all(|(item, row)| {
            i64::from(item.item_id.get()) == row.number(0)
                && i64::from(item.buy_value.get()) == row.number(9)
        }));
        assert!(table(2003).typed::<Weapon>().is_none());
        assert_eq!(table(2002).typed::<Spell>().unwrap().len(), 3439);
        assert_eq!(table(2048).typed::<Level>().unwrap()[50].level, 51);
    }
}

#[test]
fn rows_are_found_by_keys_as_a_walk_finds_them() {
    let Some(editions) = editions() else { return };
    for (edition, bytes) in &editions {
        let (container, _) = opened(bytes);
        let gamedata = gamedata(container.as_ref());
        for (chunk, category) in gamedata.categories() {
            let table = gamedata.table(chunk, &mut unlimited()).unwrap();
            let mut by_key: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
            for (nth, row) in table.rows().enumerate() {
                let key: Vec<u32> =
                    (0..category.key).map(|field| row.number(field) as u32).collect();
                for len in 1..=key.len() {
                    by_key.entry(key[..len].to_vec()).or_default().push(nth);
                }
            }
            let step = (by_key.len() / 300).max(1);
            for (key, rows) in by_key.iter().step_by(step) {
                let found = gamedata.find(chunk, key, &mut unlimited()).unwrap();
                assert_eq!(&found, rows, "{edition} {} {key:?}", category.table);
            }
            assert!(gamedata.find(chunk, &[u32::MAX], &mut unlimited()).unwrap().is_empty());
        }
    }
}

/// Row 9 of the Russian texts lies behind those with a greater id.
#[test]
fn a_row_out_of_order_hides_none() {
    let Some(editions) = editions() else { return };
    let (_, bytes) = editions.iter().find(|(edition, _)| *edition == "1.54_ru").unwrap();
    let (container, _) = opened(bytes);
    let gamedata = gamedata(container.as_ref());
    let chunk = gamedata.chunks_of(2016).next().unwrap();
    let found = gamedata.find(chunk, &[0], &mut unlimited()).unwrap();
    assert!(found.contains(&9) && found.contains(&0), "{found:?}");
    assert!(!gamedata.find(chunk, &[10], &mut unlimited()).unwrap().is_empty());
}

#[test]
fn languages_are_those_that_the_sheet_tells() {
    let Some(editions) = editions() else { return };
    for (edition, bytes) in &editions {
        let (container, _) = opened(bytes);
        let gamedata = gamedata(container.as_ref());
        let languages = gamedata.languages(&mut unlimited()).unwrap();
        let pages: Vec<_> = languages.all().map(|language| language.pages.to_string()).collect();
        let local = if *edition == "1.54_ru" { "windows-1251" } else { "windows-1252" };
        let rest = "windows-1252";
        assert_eq!(pages, [rest, local, rest, rest, rest, "windows-1251"]);
        let code = if *edition == "1.54_ru" { "ru" } else { "en" };
        assert_eq!(languages.slot(code), Some(1));
        assert_eq!((languages.slot("DE"), languages.slot("german")), (Some(0), Some(0)));
        assert_eq!((languages.slot("pl"), languages.slot("3")), (None, Some(3)));
        // Only slot 5 has this text.
        let haegar = gamedata.text(27586, 5, false, &mut unlimited()).unwrap().unwrap();
        assert_eq!(until_nul(haegar.field(TextRow::CONTENT)), b"Haegar");
        assert!(gamedata.text(70_000, 0, true, &mut unlimited()).unwrap().is_none());
        let (container, _) = opened(bytes);
        let gamedata = self::gamedata(container.as_ref());
        gamedata.ask(Asked { profile: profile("spec"), ..Asked::default() });
        let languages = gamedata.languages(&mut unlimited()).unwrap();
        assert_eq!((languages.slot("en"), languages.slot("de")), (Some(0), Some(1)));
    }
}

#[test]
fn a_text_falls_back_to_language_0_and_then_to_the_first() {
    let Some(editions) = editions() else { return };
    let (container, _) = opened(&editions[0].1);
    let gamedata = gamedata(container.as_ref());
    let table = gamedata.tables(2016, &mut unlimited()).unwrap()[0];
    let mut slots: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    for row in table.rows() {
        slots.entry(row.id()).or_default().push(row.number(TextRow::LANGUAGE_ID));
    }
    let (mut german, mut first) = (0, 0);
    for (id, slots) in slots.iter().filter(|(_, slots)| !slots.contains(&4)).step_by(50) {
        let slot = |fall_back| {
            let row = gamedata.text(*id, 4, fall_back, &mut unlimited()).unwrap();
            row.map(|row| row.number(TextRow::LANGUAGE_ID))
        };
        assert_eq!(slot(false), None);
        let wanted = if slots.contains(&0) { 0 } else { slots[0] };
        assert_eq!(slot(true), Some(wanted), "{id} {slots:?}");
        german += usize::from(wanted == 0);
        first += usize::from(wanted != 0);
    }
    let without = slots.iter().find(|(_, slots)| !slots.contains(&0)).unwrap();
    let row = gamedata.text(*without.0, 4, true, &mut unlimited()).unwrap().unwrap();
    let own = if without.1.contains(&4) { 4 } else { without.1[0] };
    assert_eq!(row.number(TextRow::LANGUAGE_ID), own);
    assert!(german > 100, "{german} {first}");
}

#[test]
fn lines_of_dialogue_are_found_by_their_handles() {
    let Some(editions) = editions() else { return };
    let (container, _) = opened(&editions[0].1);
    let gamedata = gamedata(container.as_ref());
    let chunk = gamedata.chunks_of(2016).next().unwrap();
    let table = gamedata.table(chunk, &mut unlimited()).unwrap();
    let handle = |row: &AnyRow<'_>| until_nul(row.field(TextRow::HANDLE)).to_vec();
    let mut rows = table.rows().enumerate();
    let (nth, row) = rows.find(|(_, row)| !handle(row).is_empty()).unwrap();
    assert_eq!(row.number(TextRow::MODE), 1, "only dialogue has a handle");
    let found = gamedata.dialogue(&handle(&row).to_ascii_uppercase(), &mut unlimited()).unwrap();
    let same = |(_, other): &(usize, AnyRow<'_>)| handle(other).eq_ignore_ascii_case(&handle(&row));
    let wanted: Vec<_> =
        table.rows().enumerate().filter(same).map(|(nth, _)| (chunk, nth)).collect();
    assert!(found.contains(&(chunk, nth)) && found == wanted);
    assert!(gamedata.dialogue(b"no such line", &mut unlimited()).unwrap().is_empty());
}

/// Findings by rule and field, with what they found.
fn found(gamedata: GameData<'_>) -> BTreeMap<(String, String), (usize, BTreeSet<String>)> {
    let mut sink = Collect::default();
    let mut task = Task::new(unlimited(), &mut sink);
    lint(gamedata, &Selection::default(), &mut task).unwrap();
    let mut all: BTreeMap<_, (usize, BTreeSet<String>)> = BTreeMap::new();
    for finding in &sink.findings {
        let path = finding.error.path();
        let (row, field) = path.rsplit_once('.').unwrap();
        let category: i16 = row.split('/').next().unwrap().parse().unwrap();
        let field = format!("{}.{field}", self::category(category).unwrap().table);
        let told = all.entry((finding.error.code().id.to_owned(), field)).or_default();
        told.0 += 1;
        told.1.insert(finding.error.found_value().to_string());
    }
    all
}

/// References that lead nowhere in every edition of 1.54: `docs/formats/cff.md`.
const DANGLING: &[(&str, usize, &[&str])] = &[
    ("items.building_id", 4, &["105", "35"]),
    ("item_armor.item_id", 4, &["591", "592", "593", "594"]),
    ("item_ui.item_id", 4, &["210", "2389", "771", "847"]),
    ("item_effects.item_id", 2, &["210", "2389"]),
    ("weapons.item_id", 2, &["1", "2389"]),
    ("item_requirements.item_id", 2, &["210", "2389"]),
    ("unit_equipment.item_id", 3, &["1207", "331", "360"]),
    ("maps.name_id", 1, &["18242"]),
    ("portals.map_id", 1, &["112"]),
    ("portals.name_id", 3, &["18242"]),
    ("extended_descriptions.text_id", 159, &["18242", "7481", "999"]),
    ("object_loot.object_id", 7, &["2577", "978"]),
    ("object_loot.item_id_1", 1, &["3105"]),
    ("hero_spells.unit_stats_id", 6, &["211", "683"]),
    ("hero_spells.spell_id", 1, &["457"]),
];

#[test]
fn the_files_of_the_game_break_the_rules_that_the_sheet_lists_and_no_others() {
    let Some(editions) = editions() else { return };
    for (edition, bytes) in &editions {
        let (container, _) = opened(bytes);
        let mut found = found(gamedata(container.as_ref()));
        for (field, count, values) in DANGLING {
            let (told, missing) = found
                .remove(&(codes::DANGLING.id.to_owned(), (*field).to_owned()))
                .unwrap_or_else(|| panic!("{edition} {field}"));
            assert_eq!(told, *count, "{edition} {field}");
            assert_eq!(missing.iter().map(String::as_str).collect::<Vec<_>>(), *values);
        }
        let russian = *edition == "1.54_ru";
        let mut rest = vec![
            ("GD002", "texts.text_id", if russian { 109 } else { 108 }),
            ("GD002", "unknown_2056.data_1", 1),
            ("GD003", "units.handle", 66),
        ];
        if russian {
            rest.extend([("GD001", "texts.text_id", 1), ("GD004", "texts.content", 1)]);
        }
        rest.sort_unstable();
        let found: Vec<_> = found
            .iter()
            .map(|((code, field), (count, _))| (code.as_str(), field.as_str(), *count))
            .collect();
        assert_eq!(found, rest, "{edition}");
    }
}

#[test]
fn reduced_and_damaged_files_are_read_as_far_as_they_go() {
    let Some(files) = corpus::files("spellforce/reduced", &["cff"]) else { return };
    for file in &files {
        for seed in 0..20 {
            let bytes = if seed == 0 { file.bytes.clone() } else { mutate(&file.bytes, seed) };
            let (Ok(container), mut sink) = open(&bytes) else { continue };
            let chunks = container.model::<Chunks>().unwrap();
            let Some(gamedata) = chunks.gamedata() else { continue };
            let mut task = Task::new(budget(bytes.len()), &mut sink);
            for (chunk, category) in gamedata.categories() {
                let Ok(table) = gamedata.table(chunk, &mut task.budget) else { continue };
                assert_eq!(table.category().id, category.id);
                let size: usize = table.rows().map(|row| row.bytes().len()).sum();
                let plain = gamedata.file().plain(chunk, &mut task.budget).unwrap();
                assert_eq!(size + table.remainder().len(), plain.len());
            }
            let _ = gamedata.languages(&mut task.budget);
            let _ = lint(gamedata, &Selection::default(), &mut task);
        }
    }
}

#[test]
fn every_category_is_one_of_typed_rows() {
    let sizes: BTreeSet<_> = CATEGORIES.iter().map(|category| category.record.size).collect();
    assert!(sizes.contains(&(size_of::<TextRow>() as u32)));
    assert_eq!(TextRow::CATEGORY.fields()[TextRow::CONTENT].field.name, "content");
    assert_eq!(TextRow::CATEGORY.fields()[TextRow::HANDLE].field.name, "handle");
    assert_eq!(TextRow::CATEGORY.fields()[TextRow::MODE].field.name, "mode");
    assert_eq!(TextRow::CATEGORY.fields()[TextRow::TEXT_ID].field.name, "text_id");
    assert_eq!(TextRow::CATEGORY.fields()[TextRow::LANGUAGE_ID].field.name, "language_id");
}
