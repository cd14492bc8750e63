//! Maps of SpellForce 2 that are changed: the fixture, and real ones.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::opened;
use spelunk_core::{
    Bytes, Change, Collect, Container, Error, Node, Of, Task, Val, WriteOptions,
    walk::{Flat, FlatField, finish},
};
use spelunk_fixtures::{corpus, samples};
use std::collections::BTreeMap;
use test_support::{
    entries::{bytes_of, find, list, verify},
    findings::assert_none,
    laws::assert_covered,
    task::{budget, with_sound_task},
};

fn one(container: &dyn Container, path: &str) -> Node {
    let [node] = find(container, path)[..] else { panic!("{path}") };
    node
}

/// Changes a map, and gives the bytes of what it is then.
fn edited(
    bytes: &[u8],
    change: impl FnOnce(&mut dyn Container, &mut Task<'_>) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let (mut container, _) = opened(bytes);
    let mut sink = Collect::default();
    let mut task = Task::new(budget(bytes.len()), &mut sink);
    change(container.as_mut(), &mut task)?;
    let mut out = Vec::new();
    container.write(&mut out, &WriteOptions::default(), &mut task)?;
    Ok(out)
}

/// Sets fields in one batch.
fn set(
    container: &mut dyn Container,
    fields: &[(&str, &str)],
    task: &mut Task<'_>,
) -> Result<(), Error> {
    let pages = container.code_pages();
    let split = fields.iter().map(|(path, value)| (path.rsplit_once('/').unwrap(), *value));
    let changes: Vec<Change<'_>> = split
        .map(|((entry, path), value)| Change::Set {
            node: one(container, entry),
            path,
            value: Val::Str(value.into()),
            with_children: false,
        })
        .collect();
    Ok(container.edit().unwrap().apply(&changes, &pages, task).map(drop)?)
}

fn with(bytes: &[u8], fields: &[(&str, &str)]) -> Vec<u8> {
    edited(bytes, |map, task| set(map, fields, task)).unwrap_or_else(|e| panic!("{fields:?}: {e}"))
}

fn fields(bytes: &[u8], path: &str) -> BTreeMap<String, FlatField> {
    let (container, _) = opened(bytes);
    flat(container.as_ref(), one(container.as_ref(), path))
}

fn flat(container: &dyn Container, node: Node) -> BTreeMap<String, FlatField> {
    let mut flat = Flat::default();
    with_sound_task(|task| finish(container.walk(node, task, &mut flat))).unwrap();
    let count = flat.fields.len();
    let fields = flat.fields.into_iter().map(|field| (field.path.clone(), field));
    let fields: BTreeMap<String, FlatField> = fields.collect();
    assert_eq!(fields.len(), count, "fields of one entry that have one path");
    fields
}

fn text(fields: &BTreeMap<String, FlatField>, path: &str) -> String {
    fields.get(path).unwrap_or_else(|| panic!("{path}")).value.to_string()
}

/// Plain data of all chunks.
fn chunks(bytes: &[u8]) -> BTreeMap<String, Bytes> {
    let (container, sink) = opened(bytes);
    assert_none(&sink);
    let rows = list(container.as_ref(), Of::Listing).into_iter();
    rows.map(|row| (row.path.clone(), bytes_of(container.as_ref(), row.node).unwrap())).collect()
}

fn changed(old: &[u8], new: &[u8]) -> Vec<String> {
    let (old, new) = (chunks(old), chunks(new));
    assert!(old.keys().eq(new.keys()));
    old.into_iter().filter(|(path, plain)| new[path] != *plain).map(|(path, _)| path).collect()
}

fn fixture() -> Vec<u8> {
    samples::spellforce2_map().build().bytes
}

#[test]
fn fields_of_records_and_of_chunks_are_changed_there_and_back() {
    let bytes = fixture();
    for (path, chunk, old, new) in [
        ("units[0]/level", "1007", "9", "12"),
        ("units[0]/role", "1007", "figure", "army"),
        ("units[0]/components[6].tag.tag", "1007", "hero", "a much longer name"),
        ("units[0]/components[6].tag.tag", "1007", "hero", ""),
        ("1007/0/components[7].merchant.wares[0].amount", "1007", "3", "4"),
        ("objects[1]/scale", "1001", "1", "2.5"),
        ("groups[0]/members[0].member", "1018", "HERO", "HERO_OF_THE_DAY"),
        ("teams/setups[0].teams[3].players[0].kit", "9000", "kit_Human", "kit_Elf"),
        ("teams/plain.relations[1].relation", "9000", "neutral", "enemy"),
        ("overview/title", "9010", "NAME", "A NAME"),
        ("overview/picture.colour_map_count", "9010", "0", "3"),
        ("weather/kinds[0].share", "1019", "100", "80"),
        ("computer_players/players[1].list_2[1]", "3000", "72", "73"),
        ("terrain/textures[1].path", "1000", "rock.dds", "stone.dds"),
        ("terrain/texture.3,4", "1000", "0", "1"),
        ("terrain/flight.3,4", "1000", "0", "-1.25"),
        ("terrain/lake_map.15,15", "1000", "0", "513"),
        ("terrain/grass.mask.9,1", "1000", "1", "0"),
        ("terrain/grass.layer_1.density.3,3", "1000", "0", "255"),
    ] {
        let there = with(&bytes, &[(path, new)]);
        assert_eq!(changed(&bytes, &there), [chunk], "{path}");
        assert_covered(opened(&there).0.as_ref(), &there);
        let read = |bytes: &[u8]| with(bytes, &[(path, old)]);
        if old != "0" || path.contains("lake_map") {
            let back = with(&there, &[(path, old)]);
            let own = read(&bytes);
            assert!(back == own, "{path}: there and back");
        }
    }
    let there = with(&bytes, &[("units[0]/components[6].tag.tag", "a name")]);
    let unit = fields(&there, "units[0]");
    assert_eq!(text(&unit, "components[6].tag.tag"), "\"a name\"");
    assert_eq!(text(&unit, "components[6].tag.tag_length"), "6");
    assert!(with(&there, &[("units[0]/components[6].tag.tag", "hero")]) == bytes);
}

#[test]
fn what_holds_a_place_once_more_goes_along() {
    let bytes = fixture();
    let there =
        with(&bytes, &[("units[0]/place.position[0]", "5.5"), ("units[0]/place.position[2]", "6")]);
    let unit = fields(&there, "units[0]");
    assert_eq!(text(&unit, "place.position[0]"), "5.5");
    assert_eq!(text(&unit, "place.position_again[0]"), "5.5");
    let homes = unit.keys().filter(|path| path.ends_with(".home.x")).count();
    for (path, value) in [(".home.x", "5.5"), (".home.z", "6")] {
        for (_, home) in unit.iter().filter(|(known, _)| known.ends_with(path)) {
            assert_eq!(home.value.to_string(), value);
        }
    }
    assert!(homes <= 1);
}

#[test]
fn items_of_lists_come_and_go_with_their_number() {
    let bytes = fixture();
    let there =
        with(&bytes, &[("groups[0]/member_count", "4"), ("groups[0]/members[3].member", "WOLF")]);
    let group = fields(&there, "groups[0]");
    assert_eq!(text(&group, "members[2].member"), "\"\"");
    assert_eq!(text(&group, "members[3].member"), "\"WOLF\"");
    let had = text(&fields(&bytes, "groups[0]"), "member_count");
    assert!(with(&there, &[("groups[0]/member_count", &had)]) == bytes);
    let there =
        with(&bytes, &[("terrain/texture_count", "4"), ("terrain/textures[3].path", "ice.dds")]);
    assert_eq!(text(&fields(&there, "terrain"), "plain.textures[3].path"), "\"ice.dds\"");
    let none = with(&bytes, &[("units[0]/component_count", "0")]);
    assert_eq!(changed(&bytes, &none), ["1007"]);
    assert_none(&verify(opened(&none).0.as_ref()));
}

#[test]
fn records_come_and_go() {
    let bytes = fixture();
    let (container, _) = opened(&bytes);
    let like = bytes_of(container.as_ref(), one(container.as_ref(), "units[0]")).unwrap();
    let add = |map: &mut dyn Container,
               list: &str,
               name: &str,
               bytes: Option<Bytes>,
               task: &mut Task<'_>| {
        let edit = map.edit().unwrap();
        let table = edit.table(list).unwrap();
        let key = [Val::Bytes(name.as_bytes().to_vec().into())];
        match bytes {
            Some(bytes) => edit.insert_as(table, &key, bytes, task),
            None => edit.insert(table, &key, task),
        }
    };
    let more = edited(&bytes, |map, task| {
        let node = add(map, "units", "1", Some(like.clone()), task)?;
        assert_eq!(node, one(map, "units[1]"));
        add(map, "lakes", "end", None, task)?;
        set(map, &[("units[1]/team", "5"), ("lakes[1]/look", "Ocean1")], task)
    });
    let more = more.unwrap();
    assert_eq!(changed(&bytes, &more), ["1007", "1008"]);
    let (container, _) = opened(&more);
    assert_none(&verify(container.as_ref()));
    assert_eq!(list(container.as_ref(), Of::Node(one(container.as_ref(), "units"))).len(), 4);
    assert_eq!(text(&fields(&more, "units[1]"), "team"), "5");
    assert_eq!(text(&fields(&more, "lakes[1]"), "look"), "\"Ocean1\"");
    let back = edited(&more, |map, task| {
        let gone = [one(map, "units[1]"), one(map, "lakes[1]")];
        map.edit().unwrap().remove(&gone, false, task)
    });
    assert!(back.unwrap() == bytes);
    // The last record goes, and the chunk stays.
    let none = edited(&bytes, |map, task| {
        let gone = [one(map, "backdrops[0]")];
        map.edit().unwrap().remove(&gone, false, task)
    });
    let none = none.unwrap();
    assert_eq!(changed(&bytes, &none), ["1024"]);
    assert!(chunks(&none)["1024"].is_empty());
    // Whole records, and whole chunks.
    let other = edited(&bytes, |map, task| {
        let node = one(map, "units[2]");
        map.edit().unwrap().set_bytes(node, like.clone(), task)?;
        let node = one(map, "1013");
        map.edit().unwrap().set_bytes(node, Bytes::from_static(b"x"), task)
    });
    assert_eq!(changed(&bytes, &other.unwrap()), ["1007", "1013"]);
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    let bytes = fixture();
    let refused = |path: &str, value: &str, code: &str| {
        let error = edited(&bytes, |map, task| set(map, &[(path, value)], task));
        let Err(error) = error else { panic!("{path}={value} is taken") };
        assert_eq!(error.code().id, code, "{path}={value}: {error}");
    };
    refused("units[0]/level", "70000", "SP043");
    refused("units[0]/level", "high", "SP043");
    refused("units[0]/x", "1", "GD023");
    refused("units[0]/place.position[3]", "1", "GD023");
    refused("units[0]/place", "1", "GD023");
    refused("units[0]/class", "2", "MP050");
    refused("units[0]/components[6].kind", "loot", "MP050");
    refused("units[0]/version", "3", "MP050");
    refused("units[0]/components[6].tag.tag_length", "3", "SP024");
    refused("units[0]/component_count", "70000", "SP043");
    refused("lakes[0]/version", "2", "MP050");
    refused("terrain/width", "x", "SP043");
    refused("terrain/blocked.width", "8", "MP050");
    refused("terrain/ground.16,0", "1", "GD020");
    refused("terrain/ground.0,16", "1", "GD020");
    refused("terrain/ground.1,1", "high", "SP043");
    refused("terrain/blocked.1,1", "2", "SP043");
    refused("terrain/sky.1,1", "2", "GD023");
    refused("teams/by_name[0].name", "\u{4e2d}", "SP033");
    let (mut container, _) = opened(&bytes);
    let edit = container.edit().unwrap();
    for list in ["terrain", "teams", "empty_1013", "nothing"] {
        assert!(edit.table(list).is_none(), "{list}");
    }
    let added = edited(&bytes, |map, task| {
        let edit = map.edit().unwrap();
        let table = edit.table("units").unwrap();
        let key = [Val::Bytes(b"end".as_slice().into())];
        edit.insert_as(table, &key, Bytes::from_static(b"no unit"), task).map(drop)
    });
    assert_eq!(added.unwrap_err().code().id, "MP050");
}

/// Fields whose values are set to what they are.
fn own_values(container: &dyn Container, entry: &str) -> Vec<(String, String)> {
    let node = one(container, entry);
    let known = flat(container, node).into_values();
    let named = known.filter(|field| !field.path.ends_with("_length"));
    let in_plain =
        named.filter(|field| field.at.is_some_and(|at| at.space != spelunk_core::Space::FILE));
    in_plain
        .filter_map(|field| match &field.value {
            Val::Text(text) => {
                let text = std::str::from_utf8(text).ok()?;
                Some((format!("{entry}/{}", field.path), text.to_owned()))
            }
            Val::Bytes(_) => None,
            value => Some((format!("{entry}/{}", field.path), value.to_string())),
        })
        .collect()
}

#[test]
fn real_maps_stay_as_they_are_where_nothing_is_set_and_come_back_where_something_is() {
    let Some(files) = corpus::maps2() else { return };
    for file in &files {
        let (container, _) = opened(&file.bytes);
        let container = container.as_ref();
        let mut same = Vec::new();
        let mut some = Vec::new();
        for row in list(container, Of::Listing) {
            let records = list(container, Of::Node(row.node));
            let ends = [records.first(), records.last()].into_iter().flatten();
            let entries: Vec<String> = match (records.is_empty(), row.get("rows")) {
                (false, _) => ends.map(|record| record.path.clone()).collect(),
                (true, Val::None) if row.size > 0 => vec![row.path.clone()],
                _ => Vec::new(),
            };
            for entry in entries {
                let own = own_values(container, &entry);
                some.extend(
                    own.iter()
                        .find(|(path, _)| path.ends_with("level") || path.ends_with("tag.tag"))
                        .cloned(),
                );
                same.extend(own);
            }
        }
        let own: Vec<(&str, &str)> = same.iter().map(|(path, value)| (&**path, &**value)).collect();
        assert!(own.len() > 400, "{}: {}", file.name, own.len());
        assert!(with(&file.bytes, &own) == file.bytes, "{}", file.name);
        assert!(!some.is_empty(), "{}", file.name);
        for (path, value) in &some {
            let other = if path.ends_with("level") { "3" } else { "another name for it" };
            let there = with(&file.bytes, &[(path, other)]);
            let (chunk, _) = path.split_once(['[', '/']).unwrap();
            let mut chunks = changed(&file.bytes, &there);
            // The water in the terrain follows the level of a lake.
            chunks.retain(|changed| (changed.as_str(), chunk) != ("1000", "1008"));
            assert_eq!(chunks, [chunk], "{} {path}", file.name);
            assert!(with(&there, &[(path, value)]) == file.bytes, "{} {path}", file.name);
        }
        // A record that comes and goes.
        let more = edited(&file.bytes, |map, task| {
            let bytes = bytes_of(map, one(map, "objects[7]")).unwrap();
            let edit = map.edit().unwrap();
            let table = edit.table("objects").unwrap();
            edit.insert_as(table, &[Val::Bytes(b"3".as_slice().into())], bytes, task).map(drop)
        });
        let more = more.unwrap();
        assert_eq!(changed(&file.bytes, &more), ["1001"], "{}", file.name);
        let back = edited(&more, |map, task| {
            let gone = [one(map, "objects[3]")];
            map.edit().unwrap().remove(&gone, false, task)
        });
        assert!(back.unwrap() == file.bytes, "{}", file.name);
    }
}

/// A row of a grid of the terrain.
fn row(bytes: &[u8], grid: &str, y: usize) -> Vec<u8> {
    let terrain = fields(bytes, "terrain");
    let path = format!("plain.{grid}.rows[{y}]");
    let Val::Bytes(row) = &terrain[&path].value else { panic!("{path}") };
    row.to_vec()
}

/// Marks of water, and cells of the lake map.
fn wet(bytes: &[u8]) -> [usize; 2] {
    let terrain = fields(bytes, "terrain");
    let cells = |grid: &str, is: &dyn Fn(&[u8]) -> usize| -> usize {
        let path = format!("plain.{grid}.rows[");
        let rows = terrain.values().filter(|field| field.path.starts_with(&path));
        rows.map(|row| match &row.value {
            Val::Bytes(row) => is(row),
            other => panic!("{other:?}"),
        })
        .sum()
    };
    [
        cells("marks", &|row| row.iter().filter(|marks| **marks & 3 != 0).count()),
        cells("lake_map", &|row| row.chunks(2).filter(|lake| *lake != [0, 0]).count()),
    ]
}

#[test]
fn water_and_blocked_cells_and_the_pyramid_follow_the_ground_and_the_lakes() {
    let bytes = fixture();
    assert_eq!(wet(&bytes), [4, 4]);
    // A deeper corner beside the hole: four cells touch it, two of which were wet before.
    let there = with(&bytes, &[("terrain/ground.7,5", "0")]);
    assert_eq!(changed(&bytes, &there), ["1000"]);
    let marks = row(&there, "marks", 5);
    assert_eq!(&marks[3..9], [0, 3, 3, 3, 3, 0]);
    let blocked = row(&there, "blocked", 5);
    assert_eq!(blocked, [0b1111_0000, 0]);
    assert_eq!(row(&there, "lake_map", 5)[14..16], [1, 0]);
    assert_none(&verify(opened(&there).0.as_ref()));
    let old = fields(&bytes, "terrain")["plain.ground.rows[5]"].value.clone();
    let Val::Bytes(old) = old else { panic!() };
    let old = f32::from_le_bytes(old[28..32].try_into().unwrap()).to_string();
    assert!(with(&there, &[("terrain/ground.7,5", &old)]) == bytes);
    // A dam keeps the water out; a higher corner raises the pyramid.
    let dam = with(&bytes, &[("terrain/marks.5,5", "8")]);
    assert_eq!(wet(&dam), [0, 0], "the lake is filled from there");
    let high = with(&bytes, &[("terrain/ground.12,12", "99")]);
    let pyramid = &fields(&high, "terrain")["plain.ground.pyramid"].value.to_string();
    assert!(pyramid.ends_with("0000c642"), "the top is 99: {pyramid}");
    // The level of the lake, and the lake itself.
    let dry = with(&bytes, &[("lakes[0]/level", "-5")]);
    assert_eq!((wet(&dry), changed(&bytes, &dry)), ([0, 0], vec!["1000".into(), "1008".into()]));
    assert_eq!(row(&dry, "blocked", 5), [0, 0]);
    assert!(with(&dry, &[("lakes[0]/level", "9")]) == bytes);
    let flood = with(&bytes, &[("lakes[0]/level", "100")]);
    assert_eq!(wet(&flood), [256, 256]);
    let gone = edited(&bytes, |map, task| {
        let gone = [one(map, "lakes[0]")];
        map.edit().unwrap().remove(&gone, false, task)
    });
    assert_eq!(wet(&gone.unwrap()), [0, 0]);
    // Textures on which nobody walks.
    let rock = with(&bytes, &[("terrain/texture.2,9", "1")]);
    assert_eq!(row(&rock, "blocked", 9), [0b100, 0]);
    let soft = with(&bytes, &[("terrain/textures[1].impassable", "no")]);
    assert_eq!(row(&soft, "blocked", 0), [0, 0]);
    // What is set by hand stays.
    let by_hand = with(&bytes, &[("terrain/blocked.9,9", "1")]);
    assert_eq!(row(&by_hand, "blocked", 9), [0, 0b10]);
}

/// Lakes without water leave none but what no lake explains, and come back.
#[test]
fn lakes_of_real_maps_dry_up_and_are_filled_again() {
    let Some(files) = corpus::maps2() else { return };
    let mut unexplained = Vec::new();
    for file in &files {
        let (container, _) = opened(&file.bytes);
        let container = container.as_ref();
        let lakes = list(container, Of::Node(one(container, "lakes")));
        let levels: Vec<(String, String)> = lakes
            .iter()
            .map(|lake| {
                let level = text(&flat(container, lake.node), "level");
                (format!("{}/level", lake.path), level)
            })
            .collect();
        let set = |bytes: &[u8], to: Option<&str>| {
            let fields = levels.iter().map(|(path, level)| (&**path, to.unwrap_or(level)));
            with(bytes, &fields.collect::<Vec<_>>())
        };
        let dry = set(&file.bytes, Some("-100000"));
        let left = wet(&dry);
        if left != [0, 0] {
            unexplained.push((file.name.clone(), left));
        }
        assert!(set(&dry, None) == file.bytes, "{}", file.name);
        let high = with(&file.bytes, &[("terrain/ground.100,77", "512")]);
        let value = text_of_height(&file.bytes, [100, 77]);
        assert!(with(&high, &[("terrain/ground.100,77", &value)]) == file.bytes, "{}", file.name);
    }
    println!("{unexplained:?}");
    let marks: Vec<usize> = unexplained.iter().map(|(_, [marks, _])| *marks).collect();
    assert!(unexplained.iter().all(|(_, [_, map])| *map == 0), "{unexplained:?}");
    assert_eq!(marks.iter().sum::<usize>(), 706, "{unexplained:?}");
}

fn text_of_height(bytes: &[u8], [x, y]: [usize; 2]) -> String {
    let row = row(bytes, "ground", y);
    f32::from_le_bytes(row[x * 4..x * 4 + 4].try_into().unwrap()).to_string()
}
