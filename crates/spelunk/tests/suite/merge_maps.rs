//! Merging maps: records by what either side did with them, heights one by one, other data where the sides changed other places.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common;

use crate::common::{
    merges::{merged, told},
    open,
};
use spellforce::map::{Map, Unit};
use spelunk::{
    Collect, Limits, Options,
    compare::merge::{Merging, OnConflict, part},
};
use spelunk_core::{Budget, Task, scalar::I16};
use spelunk_fixtures::random::Random;
use zerocopy::FromZeros;

fn unit(x: i16, id: i16) -> Unit {
    Unit { x: I16::new(x), unit_id: I16::new(id), ..Unit::new_zeroed() }
}

/// A map with these changes made to one that is always the same.
fn file(change: impl FnOnce(&mut Map)) -> Vec<u8> {
    let mut sink = Collect::default();
    let task = &mut Task::new(Budget::new(Limits::unlimited()), &mut sink);
    let mut map = Map::new(64, &mut task.budget).unwrap();
    map.heights.iter_mut().enumerate().for_each(|(nth, height)| *height = nth as u16);
    map.units = (0..12).map(|n| unit(n, 100 + n)).collect();
    change(&mut map);
    let source = map.to_source(task).unwrap();
    let mut bytes = vec![0; source.len() as usize];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

fn paths(list: &[Merging]) -> Vec<(&str, Option<&str>)> {
    list.iter().map(|it| (it.path.as_str(), it.change)).collect()
}

#[test]
fn what_each_side_did_is_in_the_result() {
    let ours = |map: &mut Map| {
        map.units[1].x = I16::new(40);
        map.units[5].y = I16::new(50);
        map.heights[64 * 5 + 6] = 9000;
        map.weather[1] = 3;
        map.units.remove(8);
        map.units.push(unit(1, 7));
        map.units.push(unit(2, 9));
    };
    let theirs = |map: &mut Map| {
        map.units[2].x = I16::new(41);
        map.units[5].x = I16::new(51);
        map.heights[64 * 5 + 7] = 9001;
        map.heights[64 * 9] = 5;
        map.units.remove(9);
        map.units.push(unit(2, 9));
        map.units.push(unit(3, 8));
    };
    let (made, report, findings) =
        merged([&file(|_| {}), &file(ours), &file(theirs)], OnConflict::Refuse);
    let wanted = file(|map| {
        map.units[1].x = I16::new(40);
        map.units[2].x = I16::new(41);
        (map.units[5].x, map.units[5].y) = (I16::new(51), I16::new(50));
        map.units.drain(8..10);
        map.units.extend([unit(1, 7), unit(2, 9), unit(3, 8)]);
        map.heights[64 * 5 + 6] = 9000;
        map.heights[64 * 5 + 7] = 9001;
        map.heights[64 * 9] = 5;
        map.weather[1] = 3;
    });
    assert!(made.unwrap() == wanted);
    let changed = Some("changed");
    let of_ours = [
        ("12[1]", changed),
        ("12[8]", Some("removed")),
        ("12[10]", Some("added")),
        ("44", changed),
    ];
    assert_eq!(paths(&report.from_ours), of_ours);
    let of_theirs = [
        ("6.9", changed),
        ("12[2]", changed),
        ("12[9]", Some("removed")),
        ("12[12]", Some("added")),
    ];
    assert_eq!(paths(&report.from_theirs), of_theirs);
    assert_eq!(paths(&report.both), [("12[11]", Some("added"))]);
    assert_eq!(paths(&report.merged), [("6.5", changed), ("12[5]", changed)]);
    assert_eq!((told(&report.conflicts), findings), (vec![], vec![]));
}

#[test]
fn positions_are_those_of_the_base() {
    // What the third unit is called here, the second one is there.
    let ours = file(|map| {
        map.units.remove(0);
    });
    let theirs = file(|map| map.units[3].x = I16::new(60));
    let (made, ..) = merged([&file(|_| {}), &ours, &theirs], OnConflict::Refuse);
    let wanted = file(|map| {
        map.units[3].x = I16::new(60);
        map.units.remove(0);
    });
    assert!(made.unwrap() == wanted);
}

#[test]
fn conflicts_are_told_and_decided() {
    let ours = file(|map| {
        map.units[1].x = I16::new(40);
        map.units[1].y = I16::new(7);
        map.units.remove(4);
        map.heights[64 * 5 + 6] = 9000;
    });
    let theirs = file(|map| {
        map.units[1].x = I16::new(41);
        map.units[4].x = I16::new(42);
        map.units.remove(11);
        map.heights[64 * 5 + 6] = 9001;
        map.heights[64 * 5 + 8] = 1;
    });
    let sides = [&*file(|_| {}), &ours, &theirs];
    let (made, report, _) = merged(sides, OnConflict::Refuse);
    assert_eq!(made, None);
    let conflicts =
        ["6.5 rows[6]: 9000 or 9001", "12[1] x: 40 or 41", "12[4] all: removed or changed"];
    assert_eq!(told(&report.conflicts), conflicts);
    assert_eq!(paths(&report.from_theirs), [("12[11]", Some("removed"))]);
    let decided = |map: &mut Map| {
        map.units[1].y = I16::new(7);
        map.units.remove(11);
        map.heights[64 * 5 + 8] = 1;
    };
    let (made, _, findings) = merged(sides, OnConflict::Ours);
    let wanted = file(|map| {
        decided(map);
        map.units[1].x = I16::new(40);
        map.units.remove(4);
        map.heights[64 * 5 + 6] = 9000;
    });
    assert!(made.unwrap() == wanted);
    assert_eq!(findings.len(), 3);
    let wanted = file(|map| {
        decided(map);
        map.units[1].x = I16::new(41);
        map.units[4].x = I16::new(42);
        map.heights[64 * 5 + 6] = 9001;
    });
    assert!(merged(sides, OnConflict::Theirs).0.unwrap() == wanted);
}

#[test]
fn lists_that_always_have_as_many_records_are_merged_by_place() {
    let named = |changes: &[(usize, u8)]| {
        file(|map| {
            for (nth, value) in changes {
                map.tile_definitions[*nth] = FromZeros::new_zeroed();
                zerocopy::IntoBytes::as_mut_bytes(&mut map.tile_definitions[*nth])[0] = *value;
            }
        })
    };
    // Moved up by one, which by content would be one that is gone and one that is new.
    let base = named(&[(0, 1), (1, 2), (2, 3)]);
    let ours = named(&[(0, 2), (1, 3), (2, 4)]);
    let theirs = named(&[(0, 1), (1, 2), (2, 3), (100, 7)]);
    let (made, report, _) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    assert!(made.unwrap() == named(&[(0, 2), (1, 3), (2, 4), (100, 7)]));
    assert_eq!(report.from_ours.len(), 3);
    let theirs = named(&[(0, 2), (1, 3), (2, 5)]);
    let (_, report, _) = merged([&base, &ours, &theirs], OnConflict::Refuse);
    assert_eq!((report.both.len(), report.conflicts.len()), (2, 1));
}

#[test]
fn words_of_the_header_are_merged() {
    let with = |at: usize, word: u8| {
        let mut bytes = file(|_| {});
        bytes[at] = word;
        bytes
    };
    // Behind the magic and the format version stand the type, the version and the checksum.
    let base = file(|_| {});
    let (made, report, _) = merged([&base, &with(12, 9), &with(16, 8)], OnConflict::Refuse);
    let mut wanted = with(12, 9);
    wanted[16] = 8;
    assert!(made.unwrap() == wanted);
    assert_eq!(told(&report.conflicts), [""; 0]);
    let sides = [&*base, &with(16, 9), &with(16, 8)];
    assert_eq!(merged(sides, OnConflict::Refuse).1.conflicts.len(), 1);
    assert!(merged(sides, OnConflict::Theirs).0.unwrap() == with(16, 8));
}

#[test]
fn merges_keep_their_laws() {
    let mut random = Random(5);
    for _ in 0..60 {
        let mut version = || {
            file(|map| {
                for _ in 0..random.below(5) {
                    let nth = random.below(map.units.len());
                    match random.below(4) {
                        0 => {
                            map.units.remove(nth);
                        }
                        1 => map.units.insert(nth, unit(random.below(64) as i16, 1)),
                        2 => map.units[nth].y = I16::new(random.below(64) as i16),
                        _ => map.heights[random.below(64 * 64)] = random.below(900) as u16,
                    }
                }
            })
        };
        let (base, a, b) = (version(), version(), version());
        let alone =
            |sides, made: &[u8]| assert!(merged(sides, OnConflict::Refuse).0.unwrap() == made);
        alone([&base, &a, &base], &a);
        alone([&base, &base, &a], &a);
        alone([&base, &a, &a], &a);
        // Whoever is called ours: only records that both put in one place are in another order.
        let (made, report, _) = merged([&base, &a, &b], OnConflict::Ours);
        let (swapped, other, _) = merged([&base, &b, &a], OnConflict::Theirs);
        assert_eq!(report.conflicts.len(), other.conflicts.len());
        assert_eq!(sorted_units(&made.unwrap()), sorted_units(&swapped.unwrap()));
    }
}

/// The units of a map in no order.
fn sorted_units(bytes: &[u8]) -> Vec<String> {
    let mut opened = open("map", bytes);
    let mut units: Vec<String> = common::rows(&mut opened)
        .iter()
        .filter(|row| row["path"].as_str().unwrap().starts_with("12["))
        .map(|row| format!("{} {} {}", row["x"], row["y"], row["unit_id"]))
        .collect();
    units.sort();
    units
}

#[test]
fn maps_have_no_parts() {
    let map = open("map", &file(|_| {}));
    let error = part(&map, &map, &Options::default()).unwrap_err();
    assert_eq!(error.code().id, spelunk::open::codes::NO_TABLES.id);
}
