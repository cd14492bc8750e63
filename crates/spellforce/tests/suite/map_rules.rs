//! Rules about maps, and what a GameData knows of them.
#![allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::common::opened;
use spellforce::{
    cff::{ChunkFile, Chunks},
    map::{
        self, Building, InteractiveObject, Lake, Map, Object, Player, Portal, Spawn, Teams, Unit,
        lint::{RULES, Selection, handle_of},
    },
};
use spelunk_core::{
    Bytes, Collect, Task, Val,
    scalar::{I16, U16},
    walk::{Flat, finish},
};
use spelunk_fixtures::{corpus, samples};
use std::sync::Arc;
use test_support::{entries::verify, fields::value, findings::codes, task::unlimited};
use zerocopy::FromZeros;

/// Writes a map and applies the rules to it.
fn linted(map: &Map, world: Option<(&Chunks, &str)>) -> Collect {
    let mut sink = Collect::default();
    let mut task = Task::new(unlimited(), &mut sink);
    let file = ChunkFile::open(map.to_source(&mut task).unwrap(), &mut task).unwrap();
    let read = Map::read(&file, &mut task).unwrap();
    assert!(read == *map);
    let world = world.map(|(chunks, path)| (chunks.gamedata().unwrap(), path));
    map::lint::lint(&file, &read, world, &Selection::default(), &mut task).unwrap();
    sink
}

fn at<T>(x: i16, y: i16, make: impl FnOnce(I16, I16) -> T) -> T {
    make(I16::new(x), I16::new(y))
}

fn unit(x: i16, y: i16) -> Unit {
    at(x, y, |x, y| Unit { x, y, unit_id: I16::new(1), ..Unit::new_zeroed() })
}

fn object(x: i16, y: i16, id: i16) -> Object {
    at(x, y, |x, y| Object { x, y, object_id: I16::new(id), ..Object::new_zeroed() })
}

fn building(x: i16, y: i16) -> Building {
    at(x, y, |x, y| Building { x, y, building_id: 1, ..Building::new_zeroed() })
}

fn stone(x: i16, y: i16) -> InteractiveObject {
    let new = InteractiveObject { object_id: I16::new(769), ..InteractiveObject::new_zeroed() };
    at(x, y, |x, y| InteractiveObject { x, y, ..new })
}

fn spawn(x: i16, y: i16) -> Spawn {
    at(x, y, |x, y| Spawn { x, y, ..Spawn::new_zeroed() })
}

/// A multiplayer map in which nothing is wrong.
fn sound() -> Map {
    let mut map = Map::new(16, &mut unlimited()).unwrap();
    map.units = vec![unit(0, 0), unit(15, 15)];
    map.objects = vec![object(3, 3, 7), object(5, 5, 778), object(1, 1, 2541)];
    map.objects[2].camp_certain = I16::new(1);
    map.portals =
        vec![at(5, 5, |x, y| Portal { x, y, portal_id: I16::new(1), ..Portal::new_zeroed() })];
    map.buildings = vec![building(9, 9)];
    map.interactive = vec![stone(4, 4), stone(8, 8)];
    map.spawns = vec![spawn(4, 4), spawn(8, 8)];
    map.lakes = vec![at(2, 2, |x, y| Lake { x, y, depth: I16::new(9), kind: 3 })];
    let player = |x, y| vec![Player { x, y, ..Player::default() }];
    let compositions = vec![vec![player(4, 4), player(8, 8)]];
    map.teams = Some(Teams { cooperative: false, compositions });
    map
}

#[test]
fn each_rule_is_broken_by_what_it_forbids_alone() {
    assert_eq!(codes(&linted(&sound(), None)), [""; 0]);
    let broken = |wanted: &'static str, path: &str, change: &dyn Fn(&mut Map)| {
        let mut map = sound();
        change(&mut map);
        let found = linted(&map, None);
        assert_eq!(codes(&found), [wanted]);
        assert_eq!(found.findings[0].error.path(), path, "{wanted}");
        let rule = RULES.iter().find(|rule| rule.code.id == wanted).unwrap();
        assert_eq!(found.findings[0].severity, rule.severity);
    };
    broken("MP001", "units[1].x", &|map| map.units[1].y = I16::new(16));
    broken("MP001", "objects[0].x", &|map| map.objects[0].x = I16::new(-1));
    broken("MP001", "lakes[0].x", &|map| map.lakes[0].x = I16::new(99));
    broken("MP001", "movement_flags[0].x", &|map| {
        map.movement_flags = vec![at(16, 0, |x, y| map::Cell { x, y })];
    });
    broken("MP002", "weather", &|map| map.weather[1] = 1);
    broken("MP003", "spawns[1].x", &|map| map.interactive[1].object_id = I16::new(771));
    broken("MP004", "objects[0].npc_id", &|map| {
        map.units[1].npc_id = U16::new(40_000);
        map.objects[0].npc_id = U16::new(40_000);
    });
    broken("MP004", "buildings[0].npc_id", &|map| {
        map.units[1].npc_id = U16::new(40_000);
        map.buildings[0].npc_id = I16::new(40_000_u16.cast_signed());
    });
    broken("MP005", "objects[1].object_id", &|map| map.portals.clear());
    broken("MP006", "tiles", &|map| {
        let mut tiles = map.tiles.to_vec();
        tiles[7] = 255;
        map.tiles = tiles.into();
    });
    broken("MP007", "tile_definitions[200].textures", &|map| {
        map.tile_definitions[200].textures.0[1] = 63;
    });
    broken("MP007", "textures[0]", &|map| map.texture_ids[0] = 1);
    broken("MP007", "textures[40]", &|map| map.texture_ids[40] = 0);
    broken("MP008", "buildings[0].building_id", &|map| map.buildings[0].building_id = 0);
    broken("MP009", "lakes[0].depth", &|map| map.lakes[0].depth = I16::new(0));
    broken("MP009", "lakes[0].kind", &|map| map.lakes[0].kind = 4);
    broken("MP010", "unit_groups", &|map| map.units[0].group = 3);
    broken("MP011", "teams", &|map| map.spawns.clear());
    broken("MP012", "teams", &|map| {
        map.spawns.pop();
    });
    broken("MP014", "vision_flags[1]", &|map| {
        map.vision_flags = vec![at(1, 0, |x, y| map::Cell { x, y }); 2];
    });
    broken("MP015", "objects[0].object_id", &|map| map.objects[0].object_id = I16::new(66));
    broken("MP016", "objects[0].camp_spawn_id", &|map| map.objects[0].camp_certain = I16::new(1));
    broken("MP017", "teams", &|map| map.coop = vec![FromZeros::new_zeroed(); 3]);
    broken("MP018", "decoration", &|map| {
        let mut decoration = map.decoration.to_vec();
        decoration[3] = 9;
        map.decoration = decoration.into();
    });
}

#[test]
fn a_second_list_is_told() {
    let mut file = samples::map();
    let mut again = file.chunks.iter().find(|chunk| chunk.id == 12).unwrap().clone();
    again.occurrence = 1;
    file.chunks.push(again);
    let bytes = file.build().bytes;
    let (container, _) = opened(&bytes);
    assert_eq!(codes(&verify(container.as_ref())), ["MP013"]);
}

#[test]
fn a_map_is_known_by_its_path_below_map() {
    for (path, handle) in [
        ("C:\\game\\map\\Campaign\\012_howling_mounds.map", "Campaign\\012_howling_mounds"),
        ("game/Map/multi/a.MAP", "multi/a"),
        ("maps/map/map/a.map", "a"),
        ("012_howling_mounds.map", "012_howling_mounds"),
        ("./folder/a.b.map", "a.b"),
        ("map", "map"),
        ("map/", "map/"),
        ("", ""),
        ("ä.map", "ä"),
        ("–map", "–map"),
    ] {
        let wanted = if path == "map/" { "" } else { handle };
        assert_eq!(handle_of(path), wanted, "{path}");
    }
}

#[test]
fn ids_of_a_map_are_looked_up_in_a_gamedata() {
    let bytes = samples::gamedata().build().bytes;
    let (container, _) = opened(&bytes);
    let gamedata: &Chunks = container.model().unwrap();
    let mut map = sound();
    // The sample has one unit, one building and one race; no objects, portals or maps.
    map.spawns[0].text_id = U16::new(4);
    map.buildings[0].race = 1;
    assert_eq!(codes(&linted(&map, Some((gamedata, "a.map")))), [""; 0]);
    map.units[1].unit_id = I16::new(77);
    map.buildings[0].race = 99;
    map.spawns[1].text_id = U16::new(999);
    let teams = map.teams.as_mut().unwrap();
    teams.compositions[0][0][0].text_id = 998;
    let found = linted(&map, Some((gamedata, "a.map")));
    let told: Vec<_> = found
        .findings
        .iter()
        .map(|finding| (finding.error.path(), finding.error.found_value().to_string()))
        .collect();
    let told: Vec<_> = told.iter().map(|(path, id)| (path.as_str(), id.as_str())).collect();
    assert_eq!(
        told,
        [
            ("buildings[0].race", "99"),
            ("units[1].unit_id", "77"),
            ("spawns[1].text_id", "999"),
            ("teams", "998"),
        ]
    );
    assert!(codes(&found).iter().all(|code| *code == "MP020"));
}

#[test]
fn a_real_gamedata_tells_title_and_portals() {
    let Some(files) = corpus::files("spellforce", &["cff"]) else { return };
    let file = files.iter().find(|file| file.name.contains("-en")).unwrap();
    let mut sink = Collect::default();
    let mut task = Task::new(unlimited(), &mut sink);
    let source = Arc::new(Bytes::from(file.bytes.clone()));
    let container = spelunk_core::Format::open(&spellforce::cff::Cff, source, &mut task).unwrap();
    let chunks: &Chunks = container.model().unwrap();
    let gamedata = chunks.gamedata().unwrap();
    let row = |path: &str, task: &mut Task<'_>| {
        let row = map::world::row_of(gamedata, path, &mut task.budget).unwrap();
        row.map(|(chunk, row)| {
            gamedata.table(chunk, &mut task.budget).unwrap().row(row).unwrap().id()
        })
    };
    assert_eq!(row("/games/Map/campaign/012_HOWLING_mounds.map", &mut task), Some(15));
    assert_eq!(row("012_howling_mounds.map", &mut task), Some(15), "the end of one handle");
    assert_eq!(row("map/multi/012_howling_mound.map", &mut task), None);
    let mut map = Map::new(16, &mut task.budget).unwrap();
    map.portals = vec![Portal { portal_id: I16::new(2), ..Portal::new_zeroed() }];
    map.spawns = vec![Spawn { text_id: U16::new(27_718), ..Spawn::new_zeroed() }];
    let mut flat = Flat::default();
    let path = "map/Campaign2/P105_Tirganach.map";
    finish(map::world::walk(&map, gamedata, path, &mut task, &mut flat)).unwrap();
    let value = |path: &str| value(&flat.fields, path);
    assert_eq!(value("world.map_id"), Val::U(105));
    assert_eq!(value("world.title"), Val::Str("Add-On Map05".into()));
    assert_eq!(value("world.players[0].name"), Val::Str("Add-On Map05".into()));
    assert_eq!(value("world.portals[0].portal_id"), Val::I(2));
}
