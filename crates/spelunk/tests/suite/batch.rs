//! Batches of changes: one account, one rewrite, all or nothing.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::written;
use proptest::prelude::*;
use spelunk::{
    Bytes, Opened, Options, WriteOptions,
    edit::batch::{Batch, EntryContent},
    entries::lookup,
};
use spelunk_fixtures::{
    cff::{blob, texts},
    pak::{Pak, PakFile},
    samples,
    virtools::ObjectEntry,
};
use std::sync::Arc;

/// A GameData with `count` texts in two languages each.
fn gamedata(count: u16) -> Vec<u8> {
    let rows: Vec<_> = (1..=count)
        .flat_map(|id| [(id, 0, 0, &b""[..], &b"Alt"[..]), (id, 1, 0, &b""[..], &b"Old"[..])])
        .collect();
    let mut file = samples::gamedata();
    let chunk = file.chunks.iter_mut().find(|chunk| chunk.id == 2016).unwrap();
    chunk.payload = texts(&rows);
    file.build().bytes
}

/// A map with `count` units.
fn map(count: usize) -> Vec<u8> {
    let mut file = samples::map();
    let chunk = file.chunks.iter_mut().find(|chunk| chunk.id == 12).unwrap();
    chunk.payload = blob(&chunk.payload.bytes.repeat(count));
    file.build().bytes
}

/// A level with `count` materials more.
fn level(count: u32) -> Vec<u8> {
    let mut file = samples::level();
    let wood = file.objects[1].clone();
    let more = |nth: u32| {
        let name = format!("Wood_{nth}").into_bytes();
        ObjectEntry { id: 100 + nth, name, ..wood.clone() }
    };
    file.objects.extend((0..count).map(more));
    file.build().bytes
}

/// A pack with `count` sounds more.
fn pack(count: u32) -> Vec<u8> {
    let mut pack = samples::pack();
    let sound = pack.assets.iter().find(|asset| asset.name == b"sounds/wind").unwrap().clone();
    for nth in 0..count {
        let mut asset = sound.clone();
        asset.name = format!("sounds/{nth}").into_bytes();
        asset.id[..4].copy_from_slice(&nth.to_le_bytes());
        pack.assets.push(asset);
    }
    pack.build().bytes
}

/// An archive of `count` files.
fn archive(count: u32) -> Vec<u8> {
    let file = |nth: u32| PakFile::new(b"sound", format!("{nth}.wav").as_bytes(), b"ding");
    Pak { files: (0..count).map(file).collect(), ..Pak::default() }.build().bytes
}

fn open_with(bytes: &[u8], max_memory: Option<u64>) -> Opened {
    let options = Options { max_memory, ..Options::default() };
    Opened::open(Arc::new(Bytes::copy_from_slice(bytes)), &options).unwrap()
}

fn open(bytes: &[u8]) -> Opened {
    open_with(bytes, None)
}

fn bytes_of(opened: &mut Opened) -> Vec<u8> {
    written(opened, &WriteOptions::default())
}

/// What a batch makes of a file.
fn made(bytes: &[u8], batch: &Batch) -> Vec<u8> {
    let mut opened = open(bytes);
    batch.apply(&mut opened).unwrap();
    bytes_of(&mut opened)
}

/// What batches of one change each make of a file, one after the other.
fn made_singly(bytes: &[u8], batches: &[Batch]) -> Vec<u8> {
    let mut opened = open(bytes);
    batches.iter().for_each(|batch| drop(batch.apply(&mut opened).unwrap()));
    bytes_of(&mut opened)
}

/// A change of the entry at a position.
type Changing = fn(Batch, u32) -> Batch;

const CHANGING: [(&str, Changing); 5] = [
    ("gamedata", |batch, nth| {
        batch.set(format!("texts/{}/{}", nth / 2 + 1, nth % 2), "content", format!("Text {nth}"))
    }),
    ("map", |batch, nth| batch.set(format!("units[{nth}]"), "x", (nth % 16).to_string())),
    ("level", |batch, nth| {
        let path = format!("CKMaterial/Wood_{nth}");
        batch.set(path, "material.diffuse", format!("0xff{nth:06x}"))
    }),
    ("pack", |batch, nth| {
        batch.set(format!("sounds/{nth}"), "schema_version", (nth + 4).to_string())
    }),
    ("archive", |batch, nth| {
        let bytes = Bytes::from(format!("dong {nth}"));
        batch.replace(format!("sound/{nth}.wav"), bytes, false)
    }),
];

/// A file with so many entries that [`CHANGING`] and [`PATHS`] are about.
fn file(name: &str, count: u32) -> Vec<u8> {
    match name {
        "gamedata" => gamedata(u16::try_from(count.div_ceil(2)).unwrap()),
        "map" => map(count as usize),
        "level" => level(count),
        "pack" => pack(count),
        _ => archive(count),
    }
}

/// The path of the entry at a position.
type Path = fn(u32) -> String;

const PATHS: [(&str, Path); 5] = [
    ("gamedata", |nth| format!("texts/{}/{}", nth / 2 + 1, nth % 2)),
    ("map", |nth| format!("units[{nth}]")),
    ("level", |nth| format!("#{}", nth + 9)),
    ("pack", |nth| format!("sounds/{nth}")),
    ("archive", |nth| format!("SOUND/{nth}.wav")),
];

/// So many changes that what each of them looks at again would show.
const MANY: u32 = 10_000;

fn all(change: Changing, count: u32) -> Batch {
    (0..count).fold(Batch::new(), change)
}

#[test]
fn ten_texts_take_the_memory_of_one() {
    let bytes = gamedata(10_000);
    let (name, change) = CHANGING[0];
    // The texts once more, and room for what is little.
    let limit = bytes.len() as u64 * 5 / 4 + (4 << 20);
    for count in [1, 10, 1000] {
        let mut opened = open_with(&bytes, Some(limit));
        all(change, count).apply(&mut opened).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut out = Vec::new();
        let write = WriteOptions::default();
        opened.run(|container, task| container.write(&mut out, &write, task)).unwrap();
        assert_ne!(out, bytes);
    }
    // What a batch makes anew takes the place of what the one before it made.
    let mut opened = open_with(&bytes, Some(bytes.len() as u64 * 5 / 2 + (4 << 20)));
    for round in 0..20 {
        let batch = Batch::new().set("texts/7/0", "content", format!("Round {round}"));
        batch.apply(&mut opened).unwrap_or_else(|error| panic!("{round}: {error}"));
    }
}

/// Memory that is left after batches does not shrink with their number.
#[test]
fn what_is_gone_is_not_charged() {
    for (name, change) in CHANGING {
        let (count, mut left) = (100, Vec::new());
        let mut opened = open(&file(name, count));
        for round in 0..6 {
            change(Batch::new(), round % count).apply(&mut opened).unwrap();
            left.push(opened.budget().left().memory);
        }
        let lost = left[1].saturating_sub(left[5]);
        // Different entries are changed, and stay so.
        assert!(lost < 4096, "{name}: {left:?}");
    }
}

#[test]
fn ten_thousand_changes_take_the_steps_of_one_and_their_own() {
    for (name, change) in CHANGING {
        let count = MANY;
        let bytes = file(name, count);
        let steps = |count: u32| {
            let mut opened = open(&bytes);
            let batch = all(change, count);
            batch.apply(&mut opened).unwrap_or_else(|error| panic!("{name}: {error}"));
            opened.budget().steps_taken()
        };
        let (one, many) = (steps(1), steps(count));
        let own = u64::from(count) * 64;
        assert!(many <= 2 * one + own, "{name}: {one} steps for one, {many} for {count}");
    }
}

/// All paths are found in one go.
#[test]
fn ten_thousand_paths_take_the_steps_of_one_and_their_own() {
    for (name, path) in PATHS {
        let path = if name == "level" { |nth| format!("CKMaterial/Wood_{nth}") } else { path };
        let bytes = file(name, MANY);
        let steps = |count: u32| {
            let paths: Vec<String> = (0..count).map(path).collect();
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let mut opened = open(&bytes);
            lookup::find_each(&mut opened, &paths).unwrap();
            opened.budget().steps_taken()
        };
        let (one, many) = (steps(1), steps(MANY));
        let own = u64::from(MANY) * 16;
        assert!(many <= 4 * one + own, "{name}: {one} steps for one, {many} for {MANY}");
    }
}

/// Where one change cannot be made, none is, wherever it stands, and nothing is charged for it.
#[test]
fn a_batch_is_made_as_a_whole_or_not_at_all() {
    let bad = [
        Batch::new().set("texts/3/0", "no_field", "1"),
        Batch::new().set("units[3]", "x", "far"),
        Batch::new().set("CKMaterial/Wood_3", "material.no", "1"),
        Batch::new().set("sounds/3", "no_field", "1"),
        Batch::new().rename("sound/3.wav", "sound/\u{1}\\"),
    ];
    for ((name, change), bad) in CHANGING.into_iter().zip(bad) {
        let bytes = file(name, 50);
        let mut opened = open(&bytes);
        let mut left = Vec::new();
        for _ in 0..5 {
            for place in [0, 20, 40] {
                let batch = (0..place).fold(Batch::new(), change);
                let batch = (place..40).fold(batch.and(bad.clone()), change);
                let error = batch.apply(&mut opened).unwrap_err();
                if name != "archive" {
                    assert!(error.path().contains('3'), "{name}: {error}");
                }
            }
            left.push(opened.budget().left().memory);
        }
        assert_eq!(left[1], left[4], "{name}");
        assert_eq!(bytes_of(&mut opened), bytes, "{name}");
        // And it goes on as if nothing had been tried.
        let batch = all(change, 40);
        batch.apply(&mut opened).unwrap();
        assert_eq!(bytes_of(&mut opened), made(&bytes, &batch), "{name}");
    }
}

/// Changes of a kind, by what they are to be made to.
fn changes(name: &str, nth: u32, what: u32) -> Batch {
    let batch = Batch::new();
    let value = (what * 7 + nth).to_string();
    match (name, what % 4) {
        ("gamedata", 0) => batch.set(format!("texts/{}/0", nth + 1), "content", value),
        ("gamedata", 1) => batch.set(format!("texts/{}/1", nth + 1), "mode", "1"),
        ("gamedata", 2) => batch.set("items/1", "buy_value", value),
        ("gamedata", _) => batch.add("texts", format!("{}/{}", 1000 + nth, 0), EntryContent::New),
        ("map", 0) => batch.set(format!("units[{nth}]"), "y", (nth % 16).to_string()),
        ("map", 1) => batch.set("heights", format!("{},{}", nth % 16, what % 16), value),
        ("map", 2) => batch.set("2", format!("{},{}", nth % 16, what % 16), "9"),
        ("map", _) => batch.add("lakes", "end", EntryContent::New),
        ("level", 0) => batch.set(format!("#{}", nth + 9), "material.specular_power", value),
        ("level", 1) => batch.rename(format!("#{}", nth + 9), format!("Oak_{value}")),
        ("level", 2) => batch.set("CK3dObject/Cube", "entity.position[1]", value),
        ("level", _) => batch.add("CKGroup", format!("Group_{value}"), EntryContent::New),
        ("pack", 0) => batch.set(format!("sounds/{nth}"), "schema_version", value),
        ("pack", 1) => batch.replace(format!("sounds/{nth}"), Bytes::from(value), false),
        ("pack", 2) => batch.set(format!("sounds/{nth}"), "compression", "zstd"),
        ("pack", _) => batch.set(format!("sounds/{nth}"), "kind", format!("{what:032x}")),
        (_, 0..=2) => batch.replace(format!("sound/{nth}.wav"), Bytes::from(value), false),
        (_, _) => batch.rename(format!("sound/{nth}.wav"), format!("sound/{nth}.wav")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// A batch gives the bytes that its changes give one by one.
    #[test]
    fn a_batch_gives_the_bytes_of_its_changes_one_by_one(
        picks in prop::collection::vec((0..20_u32, 0..16_u32), 1..12),
    ) {
        for (name, _) in CHANGING {
            let bytes = file(name, 40);
            let mut seen = std::collections::BTreeSet::new();
            let singly: Vec<Batch> = picks
                .iter()
                // The same row cannot be added twice.
                .filter(|(nth, what)| what % 4 != 3 || seen.insert(*nth))
                .map(|(nth, what)| changes(name, *nth, *what))
                .collect();
            let together = singly.iter().cloned().fold(Batch::new(), Batch::and);
            let (together, singly) = (made(&bytes, &together), made_singly(&bytes, &singly));
            prop_assert!(together == singly, "{}", name);
        }
    }
}

/// What goes, goes at the end; the result is that of removals from the last to the first.
#[test]
fn removals_are_those_of_one_by_one() {
    for (name, path) in PATHS {
        let bytes = file(name, 40);
        let gone = [1, 5, 6, 17, 38];
        let together = Batch::new().remove(gone.map(path));
        let apart = gone.iter().fold(Batch::new(), |batch, nth| batch.remove([path(*nth)]));
        let singly: Vec<Batch> =
            gone.iter().rev().map(|nth| Batch::new().remove([path(*nth)])).collect();
        let wanted = made_singly(&bytes, &singly);
        assert!(made(&bytes, &together) == wanted, "{name}");
        assert!(made(&bytes, &apart) == wanted, "{name}, one change for each");
    }
}

/// All paths mean the file as it was opened, and changes of one entry are made in their order.
#[test]
fn paths_mean_the_file_as_it_was_opened() {
    let bytes = level(3);
    let code = |batch: Batch| batch.apply(&mut open(&bytes)).unwrap_err().code().id;
    let wood = || Batch::new().rename("CKMaterial/Wood", "Oak");
    let field = "material.specular_power";
    // The old name goes on, the new one comes with the next batch.
    let both = made(&bytes, &wood().set("CKMaterial/Wood", field, "3"));
    let singly = [wood(), Batch::new().set("CKMaterial/Oak", field, "3")];
    assert!(both == made_singly(&bytes, &singly));
    assert_eq!(code(wood().set("CKMaterial/Oak", field, "3")), "SP022");
    let add = Batch::new().add("CKGroup", "New", EntryContent::New);
    assert_eq!(code(add.clone().set("CKGroup/New", "entry.name", "Newer")), "SP022");
    // The last value counts.
    let twice = Batch::new().set("#1", field, "3").set("#1", field, "4");
    assert!(made(&bytes, &twice) == made(&bytes, &Batch::new().set("#1", field, "4")));
    // What went cannot be changed, what was changed can go.
    assert_eq!(code(Batch::new().remove(["#1"]).set("#1", field, "3")), "SP140");
    let set_first = Batch::new().set("#10", field, "3").remove(["#10"]);
    assert!(made(&bytes, &set_first) == made(&bytes, &Batch::new().remove(["#10"])));
    // Positions are those of the opened file, too.
    let shifted = Batch::new().remove(["#9"]).set("#11", field, "3");
    let singly = [Batch::new().set("#11", field, "3"), Batch::new().remove(["#9"])];
    assert!(made(&bytes, &shifted) == made_singly(&bytes, &singly));
    // What was added is known by where it is then.
    let mut opened = open(&bytes);
    let outcome = add.remove(["#0"]).apply(&mut opened).unwrap();
    assert_eq!(outcome.added, [lookup::find_one(&mut opened, "CKGroup/New").unwrap()]);
    let error = Batch::new().set("CKMaterial/Wood", "material.no", "1");
    let error = error.apply(&mut open(&bytes)).unwrap_err();
    assert_eq!(error.path(), "CKMaterial/Wood.material");
}

/// Rows take the keys that others had, in one batch.
#[test]
fn keys_are_given_anew_in_one_batch() {
    let bytes = gamedata(10);
    let batch = Batch::new().remove(["texts/3/0"]).rename("texts/9/0", "3/0").set(
        "texts/9/0",
        "content",
        "Nine",
    );
    let mut opened = open(&bytes);
    batch.apply(&mut opened).unwrap();
    let now = lookup::find_one(&mut opened, "texts/3/0").unwrap();
    let row = opened.run(|container, task| container.bytes(now, task)).unwrap();
    assert_eq!(&row[..2], [3, 0]);
    assert_eq!(&row[54..58], b"Nine");
    assert_eq!(lookup::find_one(&mut opened, "texts/9/0").unwrap_err().code().id, "SP022");
    let taken = Batch::new().rename("texts/9/0", "3/0").apply(&mut open(&bytes));
    assert_eq!(taken.unwrap_err().code().id, "GD024");
    let twice = Batch::new().add("texts", "99/0", EntryContent::New);
    let twice = twice.clone().and(twice).apply(&mut open(&bytes));
    assert_eq!(twice.unwrap_err().code().id, "GD024");
}
