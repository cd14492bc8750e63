//! Values of fields by their names: parts of packed words read, set and searched, against what independent decoders say.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{open, patches, sample, truth, written};
use serde_json::{Value, json};
use spelunk::{
    File, Options, Val,
    compare::patch::AnyPatch,
    file::FileEntry,
    tables,
    verbs::{self, CollectedOutput, Memory, Session},
};
use spelunk_fixtures::corpus;
use std::collections::BTreeMap;

const GAMEDATA: &str = "GameData.cff";

/// Compares fields of one entry with what the truth says of them; gives how many there were.
fn compare(entry: &FileEntry, truth: &Value, group: &str, fields: &[(&str, &str)]) -> usize {
    let mut compared = 0;
    for (path, key) in fields {
        let Ok(value) = entry.value(&format!("{group}.{path}")) else { continue };
        let found = match value.as_bool() {
            Some(flag) => json!(flag),
            None => json!(value.as_i64()),
        };
        assert_eq!(found, truth[key], "{} {path}", entry.path());
        compared += 1;
    }
    compared
}

#[test]
fn parts_of_virtools_words_are_what_others_read() {
    const MATERIAL: &[(&str, &str)] = &[
        ("modes.texture_blend", "tex_blend"),
        ("modes.min_filter", "min"),
        ("modes.mag_filter", "mag"),
        ("modes.source_blend", "src_blend"),
        ("modes.destination_blend", "dst_blend"),
        ("modes.shade", "shade"),
        ("modes.fill", "fill"),
        ("modes.address", "address"),
        ("flags.two sided", "two_sided"),
        ("flags.z_write", "zwrite"),
        ("flags.perspective-correction", "perspective"),
        ("flags.alpha blend", "alpha_blend"),
        ("flags.alpha test", "alpha_test"),
        ("flags.z_function", "zfunc"),
        ("flags.alpha_function", "alpha_func"),
        ("flags.alpha_reference", "alpha_ref"),
    ];
    const TEXTURE: &[(&str, &str)] = &[
        ("flags.mip_levels", "mip"),
        ("flags.save_option", "save_option"),
        ("flags.transparent", "transparent"),
        ("flags.cube map", "cubemap"),
    ];
    const LIGHT: &[(&str, &str)] = &[
        ("kind_and_flags.kind", "type"),
        ("kind_and_flags.active", "active"),
        ("kind_and_flags.specular", "specular"),
    ];
    const CAMERA: &[(&str, &str)] = &[("aspect.width", "w"), ("aspect.height", "h")];
    let Some(files) = corpus::files("virtools", &["nmo", "cmo"]) else { return };
    let mut compared: BTreeMap<&str, usize> = BTreeMap::new();
    for found in files {
        let truth = truth(&format!("truth/virtools/{}.json", found.name));
        let file = File::from_bytes(found.bytes).unwrap();
        for (list, groups, fields) in [
            ("materials", &["material"][..], MATERIAL),
            ("textures", &["texture", "later_texture"], TEXTURE),
            ("lights", &["light"], LIGHT),
            ("cameras", &["projection"], CAMERA),
        ] {
            // Of files with very many of one kind some will do.
            for row in truth[list].as_array().unwrap().iter().take(40) {
                let entry = file.entry(&format!("#{}", row["index"])).unwrap();
                for group in groups {
                    *compared.entry(list).or_default() += compare(&entry, row, group, fields);
                }
            }
        }
    }
    for (list, least) in [("materials", 4000), ("textures", 1000), ("lights", 20), ("cameras", 5)] {
        assert!(compared[list] >= least, "{compared:?}");
    }
}

#[test]
fn a_name_in_a_row_of_a_real_file_changes_one_byte() {
    let Some(files) = corpus::files("spellforce", &["cff"]) else { return };
    let found = files.into_iter().find(|file| file.name.contains("1.54-en")).unwrap();
    let mut file = File::from_bytes(found.bytes.clone()).unwrap();
    let option = |file: &File| file.entry("items/22").unwrap().value("option").unwrap();
    let before = option(&file);
    assert!([0, 4, 8, 16].contains(&before.as_u64().unwrap()), "{before}");
    file.edit().set("items/22", "option.stackable", true).apply().unwrap();
    let after = option(&file);
    assert_eq!(after.as_u64(), before.as_u64().map(|word| word | 1));
    assert!(after.meaning().unwrap().starts_with("stackable"), "{after}");
    let mut bytes = Vec::new();
    file.write(&mut bytes).unwrap();
    let differ = bytes.iter().zip(found.bytes.iter()).filter(|(a, b)| a != b).count();
    assert_eq!((bytes.len(), differ), (found.bytes.len(), 1));
}

fn set(entry: &str, field: &str, value: impl Into<Val<'static>>) -> Result<u64, String> {
    let mut file = File::from_bytes(sample(GAMEDATA)).unwrap();
    let done = file.edit().set(entry, field, value).apply();
    done.map_err(|error| error.to_string())?;
    let field = field.split('.').next().unwrap();
    Ok(file.entry(entry).unwrap().value(field).unwrap().as_u64().unwrap())
}

#[test]
fn flags_of_gamedata_are_set_whole_and_one_by_one() {
    assert_eq!(set("items/1", "option", "stackable | needs all requirements"), Ok(17));
    assert_eq!(set("items/1", "option", "lore"), Ok(2));
    assert_eq!(
        set("items/1", "option", "+lore | -stackable"),
        set("items/1", "option.lore", "yes")
    );
    // The flag that was set before stays: 8.
    assert_eq!(set("items/1", "option.quest item, not for sale", 1_u8), Ok(12));
    let error = set("items/1", "option", "stakable").unwrap_err();
    assert!(error.contains("found `stakable` (near it: `stackable`) [SP043]"), "{error}");
    let error = set("items/1", "option.lor", true).unwrap_err();
    assert!(error.contains("found `lor` (near it: `lore`) [SP044]"), "{error}");
    let error = set("items/1", "item_type_1.x", true).unwrap_err();
    assert!(error.ends_with("the field has no such part: found `x` [SP044]"), "{error}");
    let error = set("items/1", "option", 256_u16).unwrap_err();
    assert!(error.contains("a whole number from 0 to 255"), "{error}");
}

#[test]
fn parts_of_virtools_words_and_of_maps_are_set_and_the_others_stay() {
    let mut file = File::from_bytes(sample("level.nmo")).unwrap();
    const WOOD: &str = "CKMaterial/Wood";
    let word =
        |file: &File, path: &str| file.entry(WOOD).unwrap().value(path).unwrap().as_u64().unwrap();
    let (modes, flags) = (word(&file, "material.modes"), word(&file, "material.flags"));
    file.edit()
        .set(WOOD, "material.modes.source_blend", "source alpha")
        .set(WOOD, "material.flags.two_sided", false)
        .set(WOOD, "material.flags", "+alpha blend | +alpha_reference: 128")
        .set(WOOD, "material.emissive", "#102030")
        .apply()
        .unwrap();
    assert_eq!(word(&file, "material.modes"), modes & !0xF000 | 5 << 12);
    assert_eq!(word(&file, "material.flags"), flags & !1 & 0xFF_FFFF | 8 | 128 << 24);
    assert_eq!(word(&file, "material.flags.alpha_reference"), 128);
    assert_eq!(word(&file, "material.emissive"), 0xFF10_2030);
    let entry = file.entry(WOOD).unwrap();
    let parts: Vec<String> =
        entry.value("material.flags").unwrap().parts().map(|part| part.to_string()).collect();
    assert_eq!(parts.len(), 8);
    assert_eq!(entry.value("material.flags.tow_sided").err().unwrap().code().id, "SP157");

    // A vector in one piece, and as it is typed.
    for value in [Val::from([1.0_f32, 2.0, 3.0]), Val::from("1,2,3"), Val::from("[1, 2, 3]")] {
        file.edit().set("CK3dObject/Cube", "entity.position", value).apply().unwrap();
        let cube = file.entry("CK3dObject/Cube").unwrap();
        assert_eq!(cube.value("entity.position[2]").unwrap().as_f64(), Some(3.0));
    }
    let short = file.edit().set("CK3dObject/Cube", "entity.position", [1.0_f32]).apply();
    assert_eq!(short.err().unwrap().code().id, "SP043");
}

#[test]
fn requests_take_parts_and_find_finds_them() {
    let files = Memory::new();
    files.put(GAMEDATA, sample(GAMEDATA));
    let session = Session::new(files);
    let mut rows = CollectedOutput::default();
    let request = json!({
        "file": GAMEDATA,
        "output": "set.cff",
        "changes": [{ "entry": "items/1", "field": "option.lore", "value": "yes" }],
    });
    verbs::call(&session, "set", &request.to_string(), &mut rows).unwrap();
    let mut rows = CollectedOutput::default();
    let request = json!({ "pattern": "lore", "files": ["set.cff"], "whole": true });
    verbs::call(&session, "find", &request.to_string(), &mut rows).unwrap();
    assert_eq!(rows.rows.len(), 1, "{:?}", rows.rows);
    assert_eq!(rows.rows[0]["field"], "option");
    assert_eq!(rows.rows[0]["meaning"], "lore | quest item, for sale");
}

#[test]
fn tables_and_patches_take_names() {
    let bytes = sample(GAMEDATA);
    let option = |bytes: &[u8]| {
        let file = File::from_bytes(bytes.to_vec()).unwrap();
        file.entry("items/1").unwrap().value("option").unwrap().as_u64().unwrap()
    };
    let old = format!("\"option\":{},", option(&bytes));

    let mut table = Vec::new();
    tables::json::export(&mut open(GAMEDATA, &bytes), &mut table).unwrap();
    let table = String::from_utf8(table).unwrap();
    let import = |value: &str| {
        let edited = table.replacen(&old, &format!("\"option\":\"{value}\","), 1);
        assert_ne!(edited, table);
        tables::json::import(edited.as_bytes(), &Options::default())
    };
    let mut imported = import("stackable | lore").unwrap();
    assert_eq!(option(&written(&mut imported.opened, &imported.options)), 3);
    let error = import("stakable").err().unwrap().to_string();
    assert!(error.ends_with("found `stakable` (near it: `stackable`) [SP133]"), "{error}");

    let mut file = File::from_bytes(bytes.clone()).unwrap();
    file.edit().set("items/1", "option", 18_u8).apply().unwrap();
    let mut new = Vec::new();
    file.write(&mut new).unwrap();
    let patch = patches::between(&bytes, &new).text().unwrap();
    let number = format!("[{},18]", option(&bytes));
    assert!(patch.contains(&number), "{patch}");
    let named = format!("[{},\"lore | needs all requirements\"]", option(&bytes));
    let patch = AnyPatch::parse(patch.replace(&number, &named).as_bytes()).unwrap();
    assert_eq!(option(&patches::apply(&patch, &bytes).0), 18);
}

/// Names of parts stand in paths and in lists of terms, so some characters are not for them; and what is shown can be set.
#[test]
fn every_packed_field_takes_what_it_shows() {
    let mut packed = BTreeMap::new();
    let mut keep = |field: &'static spelunk::Field| {
        if field.is_packed() {
            packed.insert(std::ptr::from_ref(field) as usize, field);
        }
    };
    for sample in spelunk_fixtures::samples() {
        let file = File::from_bytes(sample.fixture.bytes).unwrap();
        for entry in file.entries().unwrap() {
            let Ok(fields) = entry.fields() else { continue };
            fields.iter().for_each(|field| keep(field.description()));
        }
    }
    for category in spellforce::gamedata::CATEGORIES {
        category.record.fields.iter().for_each(|slot| keep(&slot.field));
    }
    assert!(packed.len() > 25, "{}", packed.len());
    for field in packed.values() {
        let field = field.item();
        let mut taken = 0_u32;
        for part in field.parts {
            let flags = field.bits.iter().fold(0, |all, (mask, _)| all | mask);
            assert_eq!(part.mask() & (taken | flags), 0, "{} {}", field.name, part.field.name);
            taken |= part.mask();
            for (value, name) in part.field.values {
                assert_eq!(
                    part.field.parse(name).unwrap(),
                    part.field.parse(&value.to_string()).unwrap()
                );
            }
        }
        for name in field
            .bits
            .iter()
            .map(|(_, name)| *name)
            .chain(field.parts.iter().map(|it| it.field.name))
        {
            assert!(!name.contains(['.', '[', '/', '=', '|', ':']), "{} {name}", field.name);
            assert!(!name.starts_with(['+', '-', '#']), "{} {name}", field.name);
        }
        let most = field.ty.range().map_or(u32::MAX, |range| *range.end() as u32);
        let known = field.bits.iter().fold(taken, |all, (mask, _)| all | mask) & most;
        let mut seed = 1_u32;
        for _ in 0..200 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let word = known & seed.rotate_left(seed >> 27);
            let value = field.parse(&word.to_string()).unwrap();
            if let Some(meaning) = field.meaning(&value) {
                assert_eq!(field.parse(&meaning).unwrap(), value, "{} {meaning}", field.name);
            }
        }
    }
}
