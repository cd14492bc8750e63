//! Maps as tools see them: records are entries with names, and they are edited.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::{assert_round_trip, opened};
use spellforce::{cff::Chunks, map::Map};
use spelunk_core::{
    Bytes, Collect, Container, Error, Node, Of, Space, Task, Val, WriteOptions,
    walk::{Flat, Locate, finish},
};
use spelunk_fixtures::{
    cff::{CffFile, blob},
    samples,
};
use test_support::{
    entries::{bytes_of, find, list, verify},
    laws::assert_covered,
    task::budget,
};

fn whole(container: &dyn Container) -> Map {
    let mut sink = Collect::default();
    let mut task = Task::new(budget(0), &mut sink);
    let chunks: &Chunks = container.model().unwrap();
    let map = chunks.map(&mut task).unwrap().unwrap();
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    map
}

fn one(container: &dyn Container, path: &str) -> Node {
    let [node] = find(container, path)[..] else { panic!("{path}") };
    node
}

#[test]
fn chunks_and_records_are_found_by_names_and_ids() {
    let bytes = samples::map().build().bytes;
    let (container, _) = opened(&bytes);
    let container = container.as_ref();
    for (path, same) in [
        ("units", "12"),
        ("Units[0]", "12[0]"),
        ("objects/1", "29[1]"),
        ("heights.3", "6.3"),
        ("heights.3[5]", "6.3[5]"),
        ("tiles", "2"),
        ("flag_cells[1]", "60[1]"),
    ] {
        assert_eq!(one(container, path), one(container, same), "{path}");
    }
    assert_eq!(find(container, "heights"), find(container, "6"));
    for path in ["units[1]", "units/x", "objects[2]", "nothing", "heights.16", "items/1", "8000"] {
        assert_eq!(find(container, path), [], "{path}");
    }
    let rows = list(container, Of::Node(one(container, "objects")));
    assert_eq!(rows.iter().map(|row| &*row.path).collect::<Vec<_>>(), ["29[0]", "29[1]"]);
    assert_eq!((rows[1].kind.as_str(), rows[1].size), ("object", 16));
    assert_eq!(rows[1].get("object_id"), &Val::I(778));
    assert_eq!(list(container, Of::Node(one(container, "heights.3"))), [], "they are too many");
    assert_eq!(list(container, Of::Node(one(container, "weather"))), []);
    let portal = bytes_of(container, one(container, "portals[0]")).unwrap();
    assert_eq!(portal, [6, 0, 6, 0, 90, 0, 1, 0].as_slice());
}

#[test]
fn every_byte_of_a_chunk_is_explained_to_its_field() {
    let file = samples::multiplayer_map();
    let bytes = file.build().bytes;
    let (container, _) = opened(&bytes);
    let mut sink = Collect::default();
    let mut task = Task::new(budget(bytes.len()), &mut sink);
    let mut explain = |id: i16, offset: u64, path: &str, value: Val<'_>| {
        let n = file.chunks.iter().position(|chunk| chunk.id == id).unwrap();
        let mut locate = Locate::new(Space::nth("chunk", n as u32), offset);
        finish(container.layout(&mut task, &mut locate)).unwrap();
        let found = locate.found.unwrap().field;
        assert!(found.path.ends_with(path), "{} for {path}", found.path);
        assert_eq!(found.value, value.into_owned(), "{path}");
    };
    explain(12, 7, "plain.rows[0].unit_id", Val::I(1));
    explain(29, 16 + 4, "plain.rows[1].object_id", Val::I(778));
    explain(32, 90 + 60, "plain.rows[1].weights[0]", Val::U(100));
    explain(40, 0, "plain.count", Val::U(1));
    explain(40, 6, "plain.rows[0].depth", Val::I(55));
    explain(44, 1, "plain.rows[0]", Val::U(100));
    explain(6, 5, "plain.rows[2]", Val::U(80));
    explain(55, 3, "plain.count", Val::I(2));
    explain(53, 10, "plain.compositions[0].teams[1].player_count", Val::I(1));
    explain(53, 16, "plain.compositions[0].teams[1].players[0].y", Val::I(12));
    explain(53, 20, "plain.compositions[1].teams[0].player_count", Val::I(0));
    explain(53, 32, "plain.minimap.height", Val::I(8));
    explain(59, 17, "plain.rows[1].factors[0]", Val::F(1.5));
}

#[test]
fn damaged_chunks_are_covered_and_written_back() {
    let sound = samples::multiplayer_map();
    for n in 0..sound.chunks.len() {
        if sound.chunks[n].id == 6 && sound.chunks[n].occurrence > 1 {
            continue;
        }
        let cut = |len: usize| -> CffFile {
            let mut file = sound.clone();
            file.chunks[n].payload.bytes.truncate(len);
            file
        };
        let longer = || {
            let mut file = sound.clone();
            file.chunks[n].payload.bytes.extend([7; 5]);
            file
        };
        let len = sound.chunks[n].payload.bytes.len();
        for file in [cut(0), cut(1), cut(2), cut(len - 1), cut(len / 2), longer()] {
            let bytes = file.build().bytes;
            let (container, _) = opened(&bytes);
            assert_covered(container.as_ref(), &bytes);
            assert_round_trip(container.as_ref(), &bytes);
            verify(container.as_ref());
        }
    }
}

/// Changes a map, and gives what it is then, written and opened again.
fn edited(
    bytes: &[u8],
    change: impl FnOnce(&mut dyn Container, &mut Task<'_>) -> Result<(), Error>,
) -> Result<Map, Error> {
    let (mut container, _) = opened(bytes);
    let mut sink = Collect::default();
    let mut task = Task::new(budget(bytes.len()), &mut sink);
    change(container.as_mut(), &mut task)?;
    let mut out = Vec::new();
    container.write(&mut out, &WriteOptions::default(), &mut task)?;
    let (again, sink) = opened(&out);
    assert!(sink.findings.is_empty(), "{:?}", sink.findings);
    Ok(whole(again.as_ref()))
}

fn set(
    container: &mut dyn Container,
    path: &str,
    value: &str,
    task: &mut Task<'_>,
) -> Result<(), Error> {
    let (entry, field) = path.rsplit_once('/').unwrap();
    let node = one(container, entry);
    let pages = container.code_pages();
    container.edit().unwrap().set(node, field, Val::Str(value.into()), &pages, task)
}

fn add(
    container: &mut dyn Container,
    list: &str,
    name: &str,
    task: &mut Task<'_>,
) -> Result<Node, Error> {
    let edit = container.edit().unwrap();
    let table = edit.table(list).unwrap();
    edit.insert(table, &[Val::Bytes(name.as_bytes().into())], task)
}

#[test]
fn fields_cells_and_records_are_changed() {
    let bytes = samples::multiplayer_map().build().bytes;
    let sound = whole(opened(&bytes).0.as_ref());
    let map = edited(&bytes, |map, task| {
        set(map, "units[0]/x", "-3", task)?;
        set(map, "29[1]/npc_id", "0xfffe", task)?;
        set(map, "lakes/0/kind", "lava", task)?;
        set(map, "coop[1]/factors[2]", "0.25", task)?;
        set(map, "decoration_groups[1]/object_ids[29]", "500", task)?;
        set(map, "heights/3,4", "1234", task)?;
        set(map, "heights.5[2]/height", "77", task)?;
        set(map, "tiles/15,0", "9", task)?;
        set(map, "decoration/15,1000", "8", task)
    });
    let map = map.unwrap();
    assert_eq!((map.units[0].x.get(), map.objects[1].npc_id.get()), (-3, 0xfffe));
    assert_eq!((map.lakes[0].kind, map.coop[1].factors.0[2].get()), (2, 0.25));
    assert_eq!(map.decoration_groups[1].object_ids.0[29].get(), 500);
    assert_eq!((map.heights[4 * 16 + 3], map.heights[5 * 16 + 2]), (1234, 77));
    assert_eq!((map.tiles[15], map.decoration_at(15, 1000)), (9, 8));
    let map = edited(&bytes, |map, task| {
        let [object, lake] = ["objects[0]", "lakes"].map(|path| one(map, path));
        map.edit().unwrap().remove(&[object, lake], false, task)?;
        add(map, "spawns", "1", task)?;
        let node = add(map, "flag_cells", "end", task)?;
        map.edit().unwrap().set_bytes(node, Bytes::from_static(&[3, 1, 0, 2, 0]), task)?;
        add(map, "flag_cells", "0", task).map(drop)
    });
    let map = map.unwrap();
    assert_eq!(map.objects, sound.objects[1..]);
    assert_eq!((map.lakes.len(), map.spawns.len(), map.spawns[1].x.get()), (0, 3, 0));
    assert_eq!(map.spawns[2], sound.spawns[1]);
    let flags: Vec<_> = map.flag_cells.iter().map(|of| (of.bits, of.x.get(), of.y.get())).collect();
    assert_eq!(flags, [(0, 0, 0), (3, 1, 2)]);
}

#[test]
fn teams_and_their_texts_are_changed() {
    let bytes = samples::multiplayer_map().build().bytes;
    let sound = whole(opened(&bytes).0.as_ref());
    let map = edited(&bytes, |map, task| {
        set(map, "teams/compositions[0].teams[0].players[0].x", "7", task)?;
        set(map, "teams/plain.compositions[0].teams[1].player_count", "2", task)?;
        set(map, "teams/compositions[0].teams[1].players[1].text_id", "99", task)
    });
    let (was, is) = (sound.teams.clone().unwrap(), map.as_ref().unwrap().teams.clone().unwrap());
    assert_eq!(is.compositions[0][0][0].x, 7);
    assert_eq!(is.compositions[0][1].len(), was.compositions[0][1].len() + 1);
    assert_eq!(is.compositions[0][1][1].text_id, 99);
    assert_eq!(map.unwrap().minimap, sound.minimap);
    let back = edited(&bytes, |map, task| {
        set(map, "teams/compositions[0].teams[1].player_count", "3", task)?;
        set(map, "teams/compositions[0].teams[1].player_count", "1", task)
    });
    assert_eq!(back.unwrap(), sound);
    for (path, value, code) in [
        ("compositions[0].teams[0].player_count", "0", "SP043"),
        ("compositions[1].teams[0].player_count", "1", "SP043"),
        ("compositions[0].teams[1].player_count", "-1", "SP043"),
        ("compositions[0].teams[1].players[9].x", "1", "GD023"),
        ("minimap.width", "1", "MP037"),
        ("minimap.1,1", "1", "GD023"),
    ] {
        let error = edited(&bytes, |map, task| set(map, &format!("teams/{path}"), value, task));
        let error = error.unwrap_err();
        assert_eq!(error.code().id, code, "{path}={value}: {error}");
    }
    // A map for one team: a cell, a text, and the two texts of the player.
    let mut file = samples::multiplayer_map();
    let teams = file.chunks.iter_mut().find(|chunk| chunk.id == 53).unwrap();
    teams.data_type = 4;
    let player = [1, 0, 0, 0, 2, 0, 3, 0, 9, 0, 1, 0, 0, 0, b'D', 0, 2, 0, 0, 0, b'1', 0, b'2', 0];
    teams.payload = blob(&[&player[..], &[0; 12]].concat());
    let bytes = file.build().bytes;
    let map = edited(&bytes, |map, task| {
        set(map, "teams/compositions[0].teams[0].players[0].map_type", "Höhle", task)?;
        set(map, "teams/compositions[0].teams[0].players[0].level_range", "", task)
    });
    let teams = map.unwrap().teams.unwrap();
    let player = &teams.compositions[0][0][0];
    assert_eq!(String::from_utf16(&player.map_type).unwrap(), "Höhle");
    assert!(player.level_range.is_empty());
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    let bytes = samples::map().build().bytes;
    let refused = |path: &str, value: &str, code: &str| {
        let error = edited(&bytes, |map, task| set(map, path, value, task)).unwrap_err();
        assert_eq!(error.code().id, code, "{path}={value}: {error}");
    };
    refused("units[0]/x", "40000", "SP043");
    refused("units[0]/x", "left", "SP043");
    refused("units[0]/z", "1", "GD023");
    refused("units[0]/x[0]", "1", "GD023");
    refused("tile_definitions[0]/weights", "1", "SP043");
    refused("tile_definitions[0]/weights[3]", "1", "GD023");
    refused("units/1,2", "1", "GD023");
    refused("tiles/16,0", "1", "GD020");
    refused("tiles/0,99999999999", "1", "GD020");
    refused("decoration/0,1024", "1", "GD020");
    refused("heights/3,16", "1", "SP022");
    refused("heights/16,3", "1", "SP022");
    for (list, name) in [("units", "2"), ("units", "x"), ("tile_definitions", "end"), ("6", "end")]
    {
        let added = edited(&bytes, |map, task| add(map, list, name, task).map(drop));
        assert!(added.is_err(), "{list} {name}");
    }
    let fixed = edited(&bytes, |map, task| {
        let node = one(map, "textures[3]");
        map.edit().unwrap().remove(&[node], false, task)
    });
    assert!(fixed.is_err());
    // A list with a count of one byte is full at 255.
    let full = edited(&bytes, |map, task| {
        (0..255).try_for_each(|_| add(map, "lakes", "end", task).map(drop))
    });
    assert_eq!(full.unwrap_err().code().id, "GD020");
    let mut flat = Flat::default();
    let (container, _) = opened(&bytes);
    let mut sink = Collect::default();
    let mut task = Task::new(budget(bytes.len()), &mut sink);
    assert!(finish(container.walk(Node(u64::MAX), &mut task, &mut flat)).is_err());
}

#[test]
fn maps_of_the_second_game_are_not_taken_for_maps_of_the_first() {
    let bytes = samples::spellforce2_map().build().bytes;
    let (container, _) = opened(&bytes);
    let chunks: &Chunks = container.model().unwrap();
    assert!(!chunks.is_map() && chunks.gamedata().is_none());
    assert_eq!(container.dialect(), Some("spellforce2"));
    assert_eq!(find(container.as_ref(), "heights"), []);
}
