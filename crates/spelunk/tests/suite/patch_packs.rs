//! Patches of packs make the very file that they were made for, both ways; made to other packs they change the assets of
//! the same ids and nothing else, and what does not fit is told.

use crate::common::{
    errors, find, open,
    patches::{apply, between, makes_each_of_the_other, source, try_apply, wrong_runs},
    sample, written,
};
use serde_json::{Value, json};
use spelunk::{
    Options, Val, WriteOptions,
    compare::diff::{self, diff},
    compare::patch::{AnyPatch, packs::PackPatch},
    containers::pack::Origin,
    containers::packs,
    open::codes,
};
use spelunk_fixtures::{
    corpus,
    mutate::mutate,
    samples,
    snpak::{Append, Asset, Bulk, Codec, Generation, Pack},
};
use std::io::Cursor;

/// The pack with another value in a field, as an append leaves it.
fn set(bytes: &[u8], path: &str, field: &str, value: &str) -> Vec<u8> {
    let node = find(bytes, path);
    let mut opened = open("set", bytes);
    let (pages, value) = (opened.code_pages(), Val::Str(value.into()));
    opened.edit(|edit, task| edit.set(node, field, value, &pages, task)).unwrap().unwrap();
    written(&mut opened, &WriteOptions::default())
}

fn compact(bytes: &[u8]) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    packs::compact(&mut open("compact", bytes), &mut out, packs::Options::default()).unwrap();
    out.into_inner()
}

fn rollback(bytes: &[u8]) -> Vec<u8> {
    let options = Options { revision: Some(spelunk::Revision::Nth(1)), ..Options::default() };
    let mut opened = spelunk::Opened::open(source(bytes), &options).unwrap();
    let mut out = Vec::new();
    packs::rollback(&mut opened, &mut out).unwrap();
    out
}

/// Whether both packs have the same assets.
fn same(old: &[u8], new: &[u8]) -> bool {
    let found = diff(&mut open("old", old), &mut open("new", new), &diff::Options::default());
    found.unwrap().is_empty()
}

fn noise(seed: u8, len: usize) -> Vec<u8> {
    let mut state = u64::from(seed) + 1;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}

fn asset(id: u8, name: &str, data: Vec<u8>) -> Asset {
    let bulk = (0..7).map(|level| Bulk {
        semantic: 1,
        sub_index: level,
        codec: Codec::NONE,
        data: noise(id ^ 0x80 ^ level as u8, 2000),
    });
    Asset { id: [id; 16], name: name.into(), data, bulk: bulk.collect(), ..Asset::default() }
}

fn pack(assets: Vec<Asset>) -> Vec<u8> {
    Pack { assets, ..Pack::default() }.build().bytes
}

#[test]
fn generated_packs_become_each_other_byte_for_byte() {
    let packs: Vec<_> =
        samples().into_iter().filter(|sample| sample.name.ends_with(".snpak")).collect();
    assert!(packs.len() >= 5);
    for old in &packs {
        for new in &packs {
            let name = format!("{} {}", old.name, new.name);
            makes_each_of_the_other(&name, &old.fixture.bytes, &new.fixture.bytes);
        }
    }
}

#[test]
fn real_packs_become_each_other_byte_for_byte() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    assert!(files.len() >= 18, "{}", files.len());
    for (nth, old) in files.iter().enumerate() {
        for new in &files[nth..] {
            makes_each_of_the_other(&format!("{} {}", old.name, new.name), &old.bytes, &new.bytes);
        }
        if old.name == "11_append2.snpak" || old.name == "old_05_append2_delta.snpak" {
            let size = old.bytes.len();
            let first = rollback(&old.bytes);
            assert!(first.len() < size);
            let patch = makes_each_of_the_other(&old.name, &first, &old.bytes).len();
            assert!(patch < 2 * (size - first.len()) + 6000, "{}: {patch} bytes", old.name);
            makes_each_of_the_other("compact", &old.bytes, &compact(&old.bytes));
        }
    }
}

#[test]
fn a_patch_is_about_as_large_as_what_is_new() {
    let assets = || (0..60).map(|id| asset(id, &format!("a/{id}"), noise(id, 3000)));
    let old = pack(assets().collect());
    assert!(old.len() > 1_000_000);
    let run = |asset| Append {
        generation: Generation::Newest,
        assets: vec![asset],
        junk_before: Vec::new(),
    };
    let mut changed = asset(7, "a/7", noise(200, 500));
    changed.bulk.clear();
    let appended =
        Pack { assets: assets().collect(), appends: vec![run(changed)], ..Pack::default() };
    let new = appended.build().bytes;
    let size = makes_each_of_the_other("appended", &old, &new).len();
    // 500 bytes in base64 and once; what the old index is told by; the append itself stores index and strings anew.
    assert!(size < 6_000, "{size} bytes");
    // All offsets are other ones.
    let small = compact(&new);
    let size = makes_each_of_the_other("compacted", &new, &small).len();
    assert!(size < 100_000, "{size} bytes");
    // A renamed asset keeps its seven payloads, and an id that changed all of its bytes but the headers.
    let renamed = set(&old, "a/9", "name", "b/nine");
    let size = makes_each_of_the_other("renamed", &old, &renamed).len();
    assert!(size < 4_000, "{size} bytes");
    let other_id = set(&old, "a/9", "asset_id", "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa");
    let size = makes_each_of_the_other("another id", &old, &other_id).len();
    assert!(size < 10_000, "{size} bytes");
}

#[test]
fn other_packs_get_the_same_changes_as_a_new_generation() {
    let old = sample("forest.snpak");
    let new = sample("forest-appended.snpak");
    let patch = between(&old, &new);
    let mine = set(&old, "levels/forest", "name", "levels/wood");
    let (made, applied) = apply(&patch, &mine);
    assert_eq!((applied.made, applied.same_file), (3, false));
    assert!(applied.conflicts.is_empty(), "{:?}", applied.conflicts);
    assert!(made.starts_with(&mine[..20]) && made[180..mine.len()] == mine[180..], "unchanged");
    assert_eq!(errors(&mut open("made", &made)), [""; 0]);
    assert!(same(&made, &set(&new, "levels/forest", "name", "levels/wood")));
    // Once more it finds nothing to do, and writes what is there.
    let (again, applied) = apply(&patch, &made);
    assert_eq!((applied.made, applied.made_before, applied.conflicts.len()), (0, 3, 0));
    assert!(again == made);
    // And back.
    let (back, applied) = apply(&patch.clone().reversed(), &made);
    assert_eq!((applied.made, applied.conflicts.len()), (3, 0));
    assert!(same(&back, &mine));
    // The same assets in another file.
    let (made, applied) = apply(&patch, &compact(&mine));
    assert_eq!((applied.made, applied.conflicts.len()), (3, 0));
    assert!(same(&made, &set(&new, "levels/forest", "name", "levels/wood")));
}

#[test]
fn every_field_is_changed_by_itself() {
    let old = sample("forest.snpak");
    let bark = "textures/bark@mobile";
    let edits = [
        (bark, "variant", "tablet"),
        ("sounds/wind", "kind", "11111111-2222-3333-4444-555555555555"),
        ("sounds/wind", "payload_type", "11111111-2222-3333-4444-555555555556"),
        ("sounds/wind", "schema_version", "9"),
        ("sounds/wind", "dependencies", "sounds/silence:optional"),
        ("meshes/oak_trunk", "compression", "zstd:max"),
        ("levels/forest", "dependencies", "none"),
    ];
    let new = edits.iter().fold(old.clone(), |bytes, (path, field, value)| {
        let path = if *field == "name" { "sounds/wind" } else { path };
        set(&bytes, path, field, value)
    });
    let without = |bytes: &[u8], path: &str| {
        let node = find(bytes, path);
        let mut opened = open("rm", bytes);
        opened.edit(|edit, task| edit.remove(&[node], false, task)).unwrap().unwrap();
        written(&mut opened, &WriteOptions::default())
    };
    let new = without(&new, "textures/bark#1/1");
    let new = set(&new, "textures/bark#1/2", "compression", "lz4");
    let patch = between(&old, &new);
    let mine = set(&old, "sounds/silence", "name", "sounds/quiet");
    let (made, applied) = apply(&patch, &mine);
    assert_eq!((applied.made, applied.conflicts.len()), (5, 0), "{:?}", applied.conflicts);
    let reference = set(&new, "sounds/silence", "name", "sounds/quiet");
    assert!(same(&made, &reference));
    let (back, _) = apply(&patch.reversed(), &made);
    assert!(same(&back, &mine));
}

#[test]
fn something_else_is_a_conflict_and_everything_else_is_made() {
    let old = sample("forest.snpak");
    let (new, _) = apply(&between(&old, &sample("forest-appended.snpak")), &old);
    let new = set(&new, "levels/forest", "name", "levels/wood");
    let patch = between(&old, &new);
    let mine = set(&old, "levels/forest", "name", "levels/jungle");
    let (made, applied) = apply(&patch, &mine);
    assert_eq!((applied.made, applied.conflicts.len()), (3, 1));
    let conflict = &applied.conflicts[0];
    assert_eq!(conflict.code().id, codes::CONFLICT.id);
    assert_eq!(
        conflict.to_string(),
        "levels/wood > name: what the patch is to change is not there: expected \"levels/forest\", \
         found \"levels/jungle\" [SP064]"
    );
    // All but that.
    assert!(same(&made, &set(&new, "levels/wood", "name", "levels/jungle")));

    // Assets that came meanwhile, and some that go and are not what they were.
    let gone = between(&new, &old);
    let changed = set(&new, "textures/moss", "schema_version", "7");
    let (made, applied) = apply(&gone, &changed);
    assert_eq!(applied.conflicts.len(), 1, "{:?}", applied.conflicts);
    assert!(applied.conflicts[0].to_string().contains("textures/moss"));
    find(&made, "textures/moss");
    let (_, applied) = apply(&gone.reversed(), &set(&changed, "sounds/rain", "variant", "x"));
    assert_eq!(applied.conflicts.len(), 2, "{:?}", applied.conflicts);
}

#[test]
fn hostile_patches_are_refused() {
    let (old, new) = (sample("forest.snpak"), sample("forest-appended.snpak"));
    let mine = set(&old, "levels/forest", "name", "levels/wood");
    let text = between(&old, &new).text().unwrap();
    let whole: Value = serde_json::from_str(&text).unwrap();
    let with = |pointer: &str, value: Value| {
        let mut patch = whole.clone();
        *patch.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        AnyPatch::parse(patch.to_string().as_bytes())
    };
    let payload = |field: &str| {
        let fields = whole["changes"][0]["fields"].as_array().unwrap();
        let nth = fields.iter().position(|it| it["field"] == "payload").unwrap();
        format!("/changes/0/fields/{nth}/new{field}")
    };
    let block = whole.pointer(&payload("/block")).unwrap().as_u64().unwrap();
    let blocks = whole["blocks"].as_array().unwrap().len() as u64;
    let for_others = [
        (format!("/blocks/{block}"), json!("###")),
        (format!("/blocks/{block}"), json!("AAAA")),
        (payload("/size"), json!(u64::MAX)),
        (payload("/size"), json!(501)),
        (payload("/hash"), json!("0".repeat(32))),
        (payload("/hash"), json!("short")),
        (payload("/compression"), json!(200)),
        (payload("/compression"), json!(2)),
        (payload("/block"), json!(blocks)),
        (payload(""), json!(null)),
        ("/changes/0/asset".to_owned(), json!("nobody")),
        ("/changes/1/asset".to_owned(), whole["changes"][0]["asset"].clone()),
        ("/changes/0/change".to_owned(), json!("added")),
        ("/changes/0/fields/0/field".to_owned(), json!("#1")),
        ("/changes/1/fields".to_owned(), json!([])),
    ];
    for (pointer, value) in for_others {
        let refused = with(&pointer, value.clone()).and_then(|patch| try_apply(&patch, &mine));
        let code = refused.map(drop).unwrap_err().code();
        assert_eq!(code.id, codes::BAD_PATCH.id, "{pointer} {value}");
    }
    for (pointer, value) in wrong_runs(blocks) {
        let refused = with(pointer, value.clone()).and_then(|patch| try_apply(&patch, &old));
        assert_eq!(refused.map(drop).unwrap_err().code().id, codes::BAD_PATCH.id, "{pointer}");
    }
    // A payload that neither of them has.
    let mut patch = whole.clone();
    patch.pointer_mut(&payload("")).unwrap().as_object_mut().unwrap().remove("block");
    let patch = AnyPatch::parse(patch.to_string().as_bytes()).unwrap();
    let (_, applied) = apply(&patch, &mine);
    assert_eq!((applied.made, applied.conflicts.len()), (2, 1));
}

#[test]
fn damaged_patches_do_no_harm() {
    let (old, new) = (sample("forest.snpak"), sample("forest-appended.snpak"));
    let mine = set(&old, "levels/forest", "name", "levels/wood");
    let text = between(&old, &new).text().unwrap().into_bytes();
    let mut read = 0;
    for seed in 0..3_000 {
        // Damage within strings and numbers leaves JSON more often where it is small.
        let mut damaged = text.clone();
        if seed % 2 == 0 {
            damaged = mutate(&text, seed);
        } else {
            let places: Vec<usize> =
                (0..text.len()).filter(|at| text[*at].is_ascii_digit()).collect();
            for step in 0..1 + seed % 3 {
                let at = places[(seed.wrapping_mul(7919 + step) % places.len() as u64) as usize];
                damaged[at] = b'1' + ((seed >> 3) % 9) as u8;
            }
        }
        let Ok(patch) = PackPatch::parse(&damaged) else { continue };
        read += 1;
        for patch in [patch.clone().reversed(), patch] {
            for bytes in [&old, &mine] {
                let _ = try_apply(&AnyPatch::Packs(patch.clone()), bytes);
            }
        }
    }
    assert!(read > 1000, "{read}");
}

#[test]
fn patches_are_for_one_format() {
    let (level, old) = (sample("level.nmo"), sample("forest.snpak"));
    let refused = try_apply(&between(&old, &old), &level).unwrap_err();
    assert_eq!(refused.code().id, codes::OTHER_FORMAT.id);
    let refused = try_apply(&between(&level, &level), &old).unwrap_err();
    assert_eq!(refused.code().id, codes::OTHER_FORMAT.id);
    let options = Options::default();
    let [old, level] = [&old, &level].map(|bytes| source(bytes));
    let [old, level] = [&old, &level].map(|source| Origin { source, options: &options });
    assert_eq!(AnyPatch::between(&old, &level).unwrap_err().code().id, codes::OTHER_FORMAT.id);
}
