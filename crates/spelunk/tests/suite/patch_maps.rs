//! Patches of maps and saves: records by position, data where it differs, and everything else byte for byte.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{
    patches::{apply, between, makes_each_of_the_other, source, try_between},
    sample,
};
use spellforce::map::{Building, Map, Unit};
use spelunk::{Collect, Limits, Options, compare::patch::AnyPatch, containers::pack::Origin};
use spelunk_core::{Budget, Task, scalar::I16};
use spelunk_fixtures::{corpus, mutate::mutate, random::Random};
use zerocopy::FromZeros;

fn building(x: i16, id: i16) -> Building {
    let building_id = id.try_into().unwrap();
    Building { x: I16::new(x), building_id, ..Building::new_zeroed() }
}

/// A map with these changes made to one that is always the same.
fn file(change: impl FnOnce(&mut Map)) -> Vec<u8> {
    let mut sink = Collect::default();
    let task = &mut Task::new(Budget::new(Limits::unlimited()), &mut sink);
    let mut map = Map::new(64, &mut task.budget).unwrap();
    map.heights.iter_mut().enumerate().for_each(|(nth, height)| *height = nth as u16);
    map.buildings = (0..8).map(|n| building(n, n)).collect();
    let unit = |n| Unit { x: I16::new(n), unit_id: I16::new(100 + n), ..Unit::new_zeroed() };
    map.units = (0..20).map(unit).collect();
    change(&mut map);
    let source = map.to_source(task).unwrap();
    let mut bytes = vec![0; source.len() as usize];
    source.read_at(0, &mut bytes).unwrap();
    bytes
}

#[test]
fn records_and_cells_are_told_and_put_back() {
    let old = file(|_| {});
    let new = file(|map| {
        map.buildings[2].x = I16::new(40);
        map.units.remove(3);
        map.units.insert(10, Unit { unit_id: I16::new(7), ..Unit::new_zeroed() });
        map.heights[64 * 5 + 6] = 9000;
        map.weather[1] = 3;
        map.objects.push(FromZeros::new_zeroed());
    });
    let text = makes_each_of_the_other("map", &old, &new);
    assert!(text.contains(r#"{"key":[2],"set":{"x":[2,40]},"kept":{"y":0,"#), "{text}");
    assert!(text.contains(r#"{"key":[3],"remove":{"x":3,"#), "{text}");
    assert!(text.contains(r#"{"key":[10],"add":{"x":0,"y":0,"flags":0,"unit_id":7,"#), "{text}");
    // A height is two bytes of a row of 128.
    assert!(text.contains(r#""at":12,"#), "{text}");
}

#[test]
fn real_and_synthetic_files_become_each_other_byte_for_byte() {
    for folder in ["spellforce/container", "spellforce/synthetic"] {
        let Some(files) = corpus::files(folder, &["map"]) else { return };
        for old in &files {
            for new in &files {
                makes_each_of_the_other(&old.name, &old.bytes, &new.bytes);
            }
        }
    }
}

#[test]
fn saves_become_each_other() {
    let save = sample("hero.sav");
    makes_each_of_the_other("saves", &save, &sample("campaign.sav"));
    let mut tried = 0;
    for seed in 0..400 {
        let other = mutate(&save, seed);
        let Ok(patch) = try_between(&save, &other) else { continue };
        tried += 1;
        assert!(apply(&patch, &save).0 == other);
        assert!(apply(&patch.reversed(), &other).0 == save);
    }
    assert!(tried > 4, "{tried}");
}

#[test]
fn random_lists_become_each_other() {
    let mut random = Random(3);
    for _ in 0..40 {
        let mut version = || {
            file(|map| {
                for _ in 0..random.below(6) {
                    let nth = random.below(map.buildings.len());
                    match random.below(3) {
                        0 => drop(map.buildings.remove(nth)),
                        1 => map.buildings.insert(nth, building(nth as i16, 3)),
                        _ => map.buildings[nth].x = I16::new(random.below(64) as i16),
                    }
                }
                if random.below(5) == 0 {
                    map.buildings.clear();
                }
            })
        };
        let (old, new) = (version(), version());
        makes_each_of_the_other("lists", &old, &new);
    }
}

#[test]
fn changes_are_made_to_other_maps_where_they_fit() {
    let patch = between(
        &file(|_| {}),
        &file(|map| {
            map.buildings[2].x = I16::new(40);
            map.buildings[3].x = I16::new(41);
            map.buildings[3].y = I16::new(42);
            map.heights[64 * 5 + 6] = 9000;
            map.heights[64 * 6 + 6] = 9001;
            map.units.remove(4);
            map.units.push(Unit { unit_id: I16::new(7), ..Unit::new_zeroed() });
        }),
    );
    let (made, applied) = apply(
        &patch,
        &file(|map| {
            map.buildings[3].x = I16::new(30);
            map.buildings[3].y = I16::new(29);
            map.buildings[5].x = I16::new(31);
            map.heights[64 * 5 + 60] = 5;
            map.heights[64 * 6 + 6] = 5;
            map.units.swap(0, 4);
        }),
    );
    let told: Vec<String> = applied.conflicts.iter().map(ToString::to_string).collect();
    // Both fields of the building, and the heights.
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].contains("x 3") && told[0].contains("30"), "{told:?}");
    assert!(told[1].contains("y 0") && told[1].contains("29"), "{told:?}");
    assert_eq!((applied.made, applied.made_before), (4, 0));
    let wanted = file(|map| {
        map.buildings[2].x = I16::new(40);
        map.buildings[3].x = I16::new(30);
        map.buildings[3].y = I16::new(29);
        map.buildings[5].x = I16::new(31);
        map.heights[64 * 5 + 6] = 9000;
        map.heights[64 * 5 + 60] = 5;
        map.heights[64 * 6 + 6] = 5;
        map.units.swap(0, 4);
        map.units.remove(0);
        map.units.push(Unit { unit_id: I16::new(7), ..Unit::new_zeroed() });
    });
    assert!(made == wanted);
    let (again, applied) = apply(&patch, &made);
    assert!(again == made && applied.made == 0 && applied.conflicts.len() == 3);
}

/// A file of wide headers with one raw chunk, whose header tells another unpacked length than it has (docs/formats/cff.md).
fn with_another_length(content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x12, 0xdd, 0x72, 0xdd];
    for word in [3_u32, 0x0001_0002, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([1, 0, 0, 0, 0, 0]);
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend([0x41, 0x4b, 0, 0, 0, 0]);
    bytes.extend(content);
    bytes
}

#[test]
fn an_unpacked_length_of_what_is_not_packed_comes_back() {
    let (old, mut new) = ([7; 600], [7; 600]);
    new[88] = 42;
    let [old, new] = [with_another_length(&old), with_another_length(&new)];
    for (old, new) in [(&old, &new), (&new, &old)] {
        assert!(apply(&between(old, new), old).0 == *new);
        assert!(apply(&between(old, new).reversed(), new).0 == *old);
    }
}

#[test]
fn records_are_found_where_others_stand_before_them() {
    let patch = between(
        &file(|_| {}),
        &file(|map| {
            map.buildings[2].x = I16::new(40);
            map.units[4].x = I16::new(50);
        }),
    );
    // One that came before them, and one that went.
    let others: [fn(&mut Map); 2] = [
        |map| {
            map.buildings.insert(0, building(9, 200));
            map.units.insert(0, map.units[7]);
        },
        |map| {
            map.buildings.remove(0);
            map.units.remove(1);
        },
    ];
    for (change, at) in others.into_iter().zip([[3, 5], [1, 3]]) {
        let (made, applied) = apply(&patch, &file(change));
        assert!(applied.conflicts.is_empty() && applied.made == 2, "{:?}", applied.conflicts);
        let wanted = file(|map| {
            change(map);
            map.buildings[at[0]].x = I16::new(40);
            map.units[at[1]].x = I16::new(50);
        });
        assert!(made == wanted);
        let (again, applied) = apply(&patch, &made);
        assert!(again == made && applied.made == 0 && applied.conflicts.is_empty());
    }
    // Somebody else changed the same field, behind others: a conflict.
    let other = file(|map| {
        map.buildings.insert(0, building(9, 200));
        map.buildings[3].x = I16::new(41);
    });
    let (made, applied) = apply(&patch, &other);
    assert_eq!((applied.made, applied.conflicts.len()), (1, 1), "{:?}", applied.conflicts);
    assert!(applied.conflicts[0].to_string().contains("41"));
    drop(made);
    // Two that are the same where it was not: nobody knows which is meant.
    let other = file(|map| {
        map.buildings.insert(0, map.buildings[2]);
    });
    let (_, applied) = apply(&patch, &other);
    assert_eq!((applied.made, applied.conflicts.len()), (1, 1), "{:?}", applied.conflicts);
}

#[test]
fn patches_for_others_and_damaged_ones_are_refused() {
    let (old, new) = (file(|_| {}), file(|map| map.buildings[2].x = I16::new(40)));
    let error = try_between(&old, &sample("hero.sav")).unwrap_err();
    assert_eq!(error.code().id, spelunk::open::codes::OTHER_FORMAT.id);
    let text = between(&old, &new).text().unwrap();
    let options = Options::default();
    let map = source(&old);
    let origin = Origin { source: &map, options: &options };
    for (from, to) in [
        (r#""x":[2,40]"#, r#""x":[2,400000]"#),
        (r#""x":[2,40]"#, r#""nothing":[2,40]"#),
        (r#""key":[2]"#, r#""key":[200]"#),
        (r#""key":[2]"#, r#""key":[2,2]"#),
    ] {
        let damaged = text.replace(from, to);
        assert!(damaged != text);
        let error = AnyPatch::parse(damaged.as_bytes()).and_then(|patch| patch.apply(&origin));
        assert_eq!(error.err().unwrap().code().id, spelunk::open::codes::BAD_PATCH.id, "{to}");
    }
    for seed in 0..500 {
        let damaged = mutate(text.as_bytes(), seed);
        if let Ok(patch) = AnyPatch::parse(&damaged) {
            drop(patch.apply(&origin));
        }
    }
}
