//! Merging packs: what one side changed is taken, what both changed is one change or a conflict, and nothing else moves.

use crate::common;

use crate::common::{merges::merged, open, sample};
use proptest::prelude::*;
use spelunk::{
    Options,
    compare::diff::{self, diff},
    compare::merge::{OnConflict, conflict_error, merge},
    open::codes,
};
use spelunk_fixtures::{
    corpus,
    snpak::{Asset, Bulk, Codec, Dependency, Pack},
};

/// Whether both packs have the same assets, in any order.
fn differences(old: &[u8], new: &[u8]) -> Vec<diff::Change> {
    let found = diff(&mut open("old", old), &mut open("new", new), &diff::Options::default());
    found.unwrap().changes
}

fn pack(assets: &[Asset]) -> Vec<u8> {
    Pack { assets: assets.to_vec(), ..Pack::default() }.build().bytes
}

fn named(id: u8, name: &str, data: &[u8]) -> Asset {
    let bulk = |sub_index: u32| Bulk {
        semantic: 1,
        sub_index,
        codec: Codec::NONE,
        data: vec![id; 20 + sub_index as usize],
    };
    Asset {
        id: [id; 16],
        name: name.into(),
        data: data.to_vec(),
        codec: Codec::ZSTD,
        bulk: (0..3).map(bulk).collect(),
        ..Asset::default()
    }
}

fn base() -> Vec<Asset> {
    vec![named(1, "one", b"first"), named(2, "two", b"second"), named(3, "three", b"third")]
}

fn paths(list: &[spelunk::compare::merge::Merging]) -> Vec<(String, &'static str)> {
    list.iter().map(|asset| (asset.path.clone(), asset.change.unwrap_or_default())).collect()
}

#[test]
fn what_each_side_did_is_in_the_result() {
    let (mut ours, mut theirs) = (base(), base());
    ours[0].name = b"uno".to_vec();
    ours[0].bulk[1].data = b"ours".to_vec();
    ours.push(named(10, "ten", b"of ours"));
    theirs[0].data = b"other bytes".to_vec();
    theirs[0].bulk.remove(0);
    theirs[0].dependencies = vec![Dependency { asset: [2; 16], name: None, kind: 1 }];
    theirs.remove(2);
    theirs.insert(0, named(20, "twenty", b"of theirs"));
    ours[1].schema = 4;
    theirs[2].schema = 4;
    let [base, ours_bytes, theirs_bytes] = [&base(), &ours, &theirs].map(|side| pack(side));
    let sides: [&[u8]; 3] = [&base, &ours_bytes, &theirs_bytes];
    let (bytes, report, told) = merged(sides, OnConflict::Refuse);
    let bytes = bytes.unwrap();
    assert_eq!(told, [""; 0]);
    assert_eq!(paths(&report.merged), [("uno".to_owned(), "changed")]);
    assert_eq!(paths(&report.from_ours), [("ten".to_owned(), "added")]);
    let from_theirs = [("three".to_owned(), "removed"), ("twenty".to_owned(), "added")];
    assert_eq!(paths(&report.from_theirs), from_theirs);
    assert_eq!(paths(&report.both), [("two".to_owned(), "changed")]);
    // Ours' order, with what is new of theirs behind it; ours stays as it is, byte for byte.
    let mut one = ours[0].clone();
    one.data = b"other bytes".to_vec();
    one.bulk.remove(0);
    one.dependencies.clone_from(&theirs[1].dependencies);
    let expected = [one, ours[1].clone(), ours[3].clone(), named(20, "twenty", b"of theirs")];
    assert_eq!(differences(&bytes, &pack(&expected)), []);
    assert!(bytes[180..].starts_with(&ours_bytes[180..]));
    let rows = common::rows(&mut open("merged", &bytes));
    let names: Vec<_> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(names, ["uno", "two", "ten", "twenty"]);
}

#[test]
fn conflicts_are_told_and_decided() {
    let (mut ours, mut theirs) = (base(), base());
    ours[0].data = b"ours".to_vec();
    theirs[0].data = b"theirs".to_vec();
    theirs[0].name = b"eins".to_vec();
    ours.remove(1);
    theirs[1].schema = 9;
    ours[1].bulk[2].data = b"changed".to_vec();
    theirs.remove(2);
    ours.push(named(9, "nine", b"of ours"));
    theirs.push(named(9, "neun", b"of theirs"));
    let [base, our_bytes, their_bytes] = [&base(), &ours, &theirs].map(|side| pack(side));
    let sides: [&[u8]; 3] = [&base, &our_bytes, &their_bytes];
    let (bytes, report, _) = merged(sides, OnConflict::Refuse);
    assert!(bytes.is_none());
    let told: Vec<String> =
        report.conflicts.iter().map(|conflict| conflict_error(conflict).to_string()).collect();
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].starts_with("one > payload: both sides changed this"), "{told:?}");
    assert!(told[1].contains("three: ") && told[1].contains("ours: changed, theirs: removed"));
    assert!(told[2].contains("nine: ") && told[2].contains("added with another content"));
    assert!(told[3].contains("two: ") && told[3].contains("ours: removed, theirs: changed"));

    let (bytes, _, warned) = merged(sides, OnConflict::Ours);
    assert_eq!(warned.len(), 4, "{warned:?}");
    let mut expected = ours.clone();
    expected[0].name = b"eins".to_vec();
    assert_eq!(differences(&bytes.unwrap(), &pack(&expected)), []);
    let (bytes, _, warned) = merged(sides, OnConflict::Theirs);
    assert!(warned.iter().all(|line| line.contains("theirs is taken")), "{warned:?}");
    assert_eq!(differences(&bytes.unwrap(), &their_bytes), []);
}

#[test]
fn names_that_two_assets_get_are_told() {
    let (mut ours, mut theirs) = (base(), base());
    ours.push(named(10, "new", b"a"));
    theirs.push(named(20, "new", b"b"));
    theirs[1].name = b"three".to_vec();
    let sides = [&base(), &ours, &theirs].map(|side| pack(side));
    let (_, report, told) = merged([&sides[0], &sides[1], &sides[2]], OnConflict::Refuse);
    // Theirs has two assets of the name `three` by itself.
    assert_eq!(report.collisions.len(), 1);
    assert!(
        told.len() == 1 && told[0].starts_with("new: two assets or objects have this name now"),
        "{told:?}"
    );
}

#[test]
fn hidden_assets_go_with_those_that_hide_them() {
    let twice = |last: &[u8]| vec![named(1, "one", b"hidden"), named(1, "one", last)];
    let sides = [twice(b"a"), twice(b"a"), Vec::new()].map(|side| pack(&side));
    let (bytes, ..) = merged([&sides[0], &sides[1], &sides[2]], OnConflict::Refuse);
    assert_eq!(common::rows(&mut open("merged", &bytes.unwrap())).len(), 0);
    let sides = [twice(b"a"), twice(b"a"), twice(b"b")].map(|side| pack(&side));
    let (bytes, ..) = merged([&sides[0], &sides[1], &sides[2]], OnConflict::Refuse);
    assert_eq!(differences(&bytes.unwrap(), &sides[2]), []);
}

#[test]
fn real_packs_merge() {
    let Some(files) = corpus::files("snpak", &["snpak"]) else { return };
    assert!(files.len() >= 18, "{}", files.len());
    let has_twins = |name: &str| name.starts_with("07") || name.starts_with("21");
    for base in files.iter().filter(|file| !has_twins(&file.name)) {
        for other in files.iter().filter(|file| !has_twins(&file.name)) {
            let (bytes, ..) = merged([&base.bytes, &other.bytes, &base.bytes], OnConflict::Refuse);
            assert!(bytes.unwrap() == other.bytes, "{} {}", base.name, other.name);
            let (bytes, report, _) =
                merged([&base.bytes, &base.bytes, &other.bytes], OnConflict::Refuse);
            let name = format!("{} {}", base.name, other.name);
            assert_eq!(differences(&bytes.unwrap(), &other.bytes), [], "{name}");
            assert!(report.from_ours.is_empty() && report.both.is_empty(), "{name}");
        }
    }
}

#[test]
fn other_formats_are_refused() {
    let [save, level, forest] = ["hero.sav", "level.nmo", "forest.snpak"].map(sample);
    let refused = |sides: [&[u8]; 3]| {
        let opened = sides.map(|bytes| open("side", bytes));
        let sides = [&opened[0], &opened[1], &opened[2]];
        merge(sides, OnConflict::Refuse, &Options::default()).unwrap_err().code().id
    };
    assert_eq!(refused([&save, &save, &save]), codes::NO_MERGE.id);
    assert_eq!(refused([&forest, &forest, &level]), codes::OTHER_FORMAT.id);
}

/// Ways to change a list of assets.
fn edit() -> impl Strategy<Value = (u8, u8, u8)> {
    (0..10_u8, 0..6_u8, 0..3_u8)
}

/// How payloads are packed follows from their bytes, so that the same change is the same on both sides.
fn fill(value: u8) -> (Vec<u8>, Codec) {
    let codecs = [Codec::NONE, Codec::LZ4, Codec::ZSTD];
    (vec![value; usize::from(value) * 40], codecs[usize::from(value) % 3])
}

fn edited(assets: &[Asset], edits: &[(u8, u8, u8)]) -> Vec<Asset> {
    let mut assets = assets.to_vec();
    for (what, id, value) in edits {
        let at = assets.iter().position(|asset| asset.id == [*id; 16]);
        let Some(at) = at else {
            let (data, codec) = fill(*value);
            let mut new = named(*id, &format!("new/{value}"), &data);
            new.codec = codec;
            assets.push(new);
            continue;
        };
        let asset = &mut assets[at];
        match what {
            0 => drop(assets.remove(at)),
            1 => asset.name = format!("name/{value}").into(),
            2 => asset.variant = (*value > 0).then(|| vec![b'a' + value]),
            3 => asset.schema = (*value).into(),
            4 => asset.kind = [*value; 16],
            5 => asset.payload_type = [*value; 16],
            6 => (asset.data, asset.codec) = fill(*value),
            7 => {
                let needs =
                    (0..*value).map(|id| Dependency { asset: [id; 16], name: None, kind: 2 });
                asset.dependencies = needs.collect();
            }
            8 => asset.bulk.retain(|bulk| bulk.sub_index != u32::from(*value)),
            _ => {
                let (data, codec) = fill(*value);
                let bulk = Bulk { semantic: 2, sub_index: (*id).into(), codec, data };
                match asset.bulk.iter_mut().find(|bulk| bulk.semantic == 2) {
                    Some(known) => *known = bulk,
                    None => asset.bulk.push(bulk),
                }
            }
        }
    }
    assets
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn merges_keep_their_laws(
        first in proptest::collection::vec(edit(), 0..12),
        ours in proptest::collection::vec(edit(), 0..5),
        theirs in proptest::collection::vec(edit(), 0..5),
    ) {
        let base = edited(&[], &first);
        let sides = [base.clone(), edited(&base, &ours), edited(&base, &theirs)].map(|side| pack(&side));
        let [b, x, y] = sides.each_ref().map(Vec::as_slice);
        prop_assert!(merged([b, x, b], OnConflict::Refuse).0.unwrap() == x);
        prop_assert!(merged([b, x, x], OnConflict::Refuse).0.unwrap() == x);
        let (taken, ..) = merged([b, b, x], OnConflict::Refuse);
        prop_assert_eq!(differences(&taken.unwrap(), x), []);
        let (one, report, _) = merged([b, x, y], OnConflict::Refuse);
        let (other, mirrored, _) = merged([b, y, x], OnConflict::Refuse);
        prop_assert_eq!(one.is_some(), other.is_some());
        prop_assert_eq!(report.conflicts.len(), mirrored.conflicts.len());
        if let Some((one, other)) = one.zip(other) {
            prop_assert_eq!(differences(&one, &other), []);
        }
        // Decided conflicts come to the same, whichever side is called ours.
        let (kept, ..) = merged([b, x, y], OnConflict::Ours);
        let (taken, ..) = merged([b, y, x], OnConflict::Theirs);
        prop_assert_eq!(differences(&kept.unwrap(), &taken.unwrap()), []);
    }
}
