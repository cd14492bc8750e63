//! Rules of `lint` about the maps of Ballance: a map that trips each of them and one that does not.

use crate::common::{
    linted::*,
    open,
    scene::{HERE, Mesh, TRIANGLE, camera, entity, file, light, material},
};
use spelunk::check::lint::{self, Missing, Selection};
use spelunk_fixtures::chunk::Chunk;

#[test]
fn floors_are_bodies() {
    let scaled = |x: f32, z: f32| {
        let mut rows = HERE;
        (rows[0], rows[8]) = (x, z);
        rows
    };
    let turned = [0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 5.0, 6.0, 7.0];
    assert_eq!(Map::new(2).add("F", turned, &["Phys_Floors"]).lint(), NONE);
    assert_eq!(Map::new(2).add("F", scaled(2.0, 1.0), &["Phys_Floors"]).lint(), ["VL020"]);
    assert_eq!(
        Map::new(2).add("F", scaled(1.0, -1.0), &["Phys_FloorRails"]).lint(),
        ["VL020", "VL043"]
    );
    assert_eq!(Map::new(2).add("F", scaled(2.0, 1.0), &["Shadow"]).lint(), NONE);
    let both = ["Phys_Floors", "Phys_FloorRails"];
    assert_eq!(Map::new(2).add("F", HERE, &both).lint(), ["VL022", "VL043"]);
    let mut map = Map::new(2);
    map.add("F", HERE, &["Phys_FloorStopper"]).objects.last_mut().unwrap().2 =
        entity(HERE, None, None);
    assert_eq!(map.lint(), ["VL021"]);
}

#[test]
fn levels_have_sectors_and_what_leads_through_them() {
    assert_eq!(Map::new(2).lint(), NONE);
    assert_eq!(Map::new(8).lint(), NONE);
    assert_eq!(Map::new(1).lint(), ["VL030"]);
    assert_eq!(Map::new(9).lint(), ["VL030"]);
    assert_eq!(Map::new(0).lint(), ["VL030"]);
    assert_eq!(Map::new(3).rename("Sector_02", "Sector_04").lint(), ["VL031"]);
    assert_eq!(Map::new(2).rename("PS_Levelstart", "Start").lint(), ["VL032", "VL040", "VL045"]);
    assert_eq!(Map::new(2).add("PE_Two", HERE, &["PE_Levelende"]).lint(), ["VL033"]);
    assert_eq!(Map::new(2).add("PR_Resetpoint_03", HERE, &["PR_Resetpoints"]).lint(), ["VL034"]);
    assert_eq!(Map::new(2).add("PC_TwoFlames_02", HERE, &["PC_Checkpoints"]).lint(), ["VL035"]);
    let twice = ["VL036"];
    assert_eq!(Map::new(3).rename("PC_TwoFlames_02", "PC_TwoFlames_1").lint(), twice);
    assert_eq!(Map::new(2).rename("PR_Resetpoint_02", "PR_Resetpoint_03").lint(), twice);
    assert_eq!(Map::new(2).rename("PR_Resetpoint_02", "PR_Resetpoint").lint(), twice);
}

#[test]
fn modules_are_in_their_groups_and_in_one_sector() {
    let sector = "Sector_01";
    assert_eq!(Map::new(2).add("P_Box_01", HERE, &["P_Box", sector]).lint(), NONE);
    assert_eq!(Map::new(2).add("P_Boxes", HERE, &[]).lint(), NONE);
    assert_eq!(Map::new(2).add("P_Box_01", HERE, &[]).lint(), ["VL040"]);
    assert_eq!(Map::new(2).add("P_Box_01", HERE, &["P_Modul_03", sector]).lint(), ["VL040"]);
    assert_eq!(Map::new(2).add("P_Own_01", HERE, &["P_Own", sector]).lint(), NONE);
    assert_eq!(Map::new(2).add("P_Box_01", HERE, &["P_Box"]).lint(), ["VL041"]);
    let two = ["P_Box", sector, "Sector_02"];
    assert_eq!(Map::new(2).add("P_Box_01", HERE, &two).lint(), ["VL042"]);
    // Files of the modules themselves are no maps.
    let frame = || entity(HERE, None, None);
    let parts = vec![(33, "P_Box_01", frame()), (33, "Part", frame()), (23, "P_Box", group(&[1]))];
    assert_eq!(lint(&file(parts)), NONE);
}

#[test]
fn textures_of_maps_are_saved_as_those_of_the_game() {
    let map = |chunk: Chunk| Map::new(2).put(31, "Wood", chunk).bytes();
    assert_eq!(lint(&map(saved_texture(3, named))), ["VL003"]);
    for option in [0, 1, 2, 4, 9] {
        let bytes = map(saved_texture(option, named));
        assert_eq!(lint(&bytes), ["VL003", "VL070"], "{option}");
        let (bytes, fixed) = mended(&bytes);
        assert_eq!(fixed, [("VL070", 1)]);
        assert!(bytes == map(saved_texture(3, named)), "nothing else has changed");
    }
    // What keeps a picture in the file is as it should be where it is there.
    for option in [0, 2, 3, 4] {
        assert_eq!(lint(&map(saved_texture(option, stored))), NONE, "{option}");
    }
    assert_eq!(lint(&map(saved_texture(1, stored))), ["VL070"]);
    let bytes = passes_mended(&map(saved_texture(1, stored)), &[("VL070", 1)]);
    assert!(bytes == map(saved_texture(3, stored)), "the picture is still there");
    let carried = |option| {
        told(
            &mut with_wood(&map(saved_texture(option, named))),
            &spelunk::entries::search::Search::default(),
        )
    };
    assert_eq!([carried(4), carried(1)], [vec![], vec!["VL070"]]);

    // As later files and as old ones have it.
    let later = |option: u32| stored(Chunk::object(31)).identifier(0xFF_F000).word(option << 16);
    let bytes = passes_mended(&map(later(1)), &[("VL070", 1)]);
    assert!(bytes == map(later(3)));
    let old = |option: u32| {
        stored(Chunk::object(31).data_version(4)).identifier(0x8_0000).words(&[option, 0])
    };
    let bytes = passes_mended(&map(old(1)), &[("VL070", 1)]);
    assert!(bytes == map(old(3)));

    // Without a section nothing is known, and other files are none of the game's maps.
    assert_eq!(lint(&map(named(Chunk::object(31)))), ["VL003"]);
    let mut objects = clean();
    objects[0].2 = material(0xFFFF_FFFF, 0, 0, Some(3));
    objects.push((31, "Wood_Texture", saved_texture(1, |chunk| chunk)));
    assert_eq!(lint(&file(objects)), ["VL071"]);
}

#[test]
fn textures_of_maps_have_something_to_draw() {
    let map =
        |content: fn(Chunk) -> Chunk| Map::new(2).put(31, "Wood", saved_texture(3, content)).lint();
    assert_eq!(map(|c| c), ["VL071"]);
    assert_eq!(map(|c| c.identifier(0x1_0000).word(1).null_string()), ["VL071"]);
    assert_eq!(map(|c| c.identifier(0x2_0000).words(&[1, 0])), ["VL071"]);
    assert_eq!(map(|c| c.identifier(0x4000).words(&[1, 0]).buffer(&[])), ["VL071"]);
    assert_eq!(map(|c| named(c.identifier(0x4000).words(&[1, 0]).buffer(&[]))), ["VL003"]);
    assert_eq!(map(|c| c.identifier(0x1000).string(b"fire.avi")), ["VL003"]);
    assert_eq!(map(stored), NONE);
}

#[test]
fn maps_have_no_lights_and_cameras() {
    let put = |class_id, chunk| Map::new(2).put(class_id, "Left", chunk).lint();
    assert_eq!(put(38, light(0x101, &[])), ["VL080"]);
    assert_eq!(put(39, light(0x001, &[])), ["VL080"]);
    assert_eq!(put(34, camera(1.0, 3.0, 1200.0)), ["VL081"]);
    assert_eq!(put(35, camera(1.0, 3.0, 1200.0)), ["VL081"]);
    assert_eq!(put(33, entity(HERE, None, None)), NONE);
    // Other files bring what the game has.
    let parts = vec![(38, "Sun", light(0x103, &[])), (34, "Eye", camera(1.0, 3.0, 1200.0))];
    assert_eq!(lint(&file(parts)), NONE);
    let both = Map::new(2).put(38, "On", light(0x101, &[])).put(38, "Off", light(1, &[])).bytes();
    let mut opened = open("a map", &both);
    lint::lint(
        &mut opened,
        "a map",
        &Selection::default(),
        &spelunk::entries::search::Search::default(),
        None,
        &mut Missing::new(),
    )
    .unwrap();
    let told = opened.take_findings().findings;
    let told: Vec<_> = told.iter().map(|finding| finding.severity.name()).collect();
    assert_eq!(told, ["warning", "info"]);
}

/// What is said of a map, but for files that are elsewhere.
fn said(map: &Map) -> Vec<&'static str> {
    map.lint().into_iter().filter(|code| *code != "VL003").collect()
}

#[test]
fn rails_look_like_rails_and_nothing_else_does() {
    let map = |file: Option<&str>, outside: bool| {
        let mut map = Map::new(2);
        let [_, _, mesh] = map.looks("Rail", file);
        map.with_mesh("Rail_01", mesh, &["Phys_FloorRails"]);
        if outside {
            map.with_mesh("Tower", mesh, &["Others"]);
        }
        map
    };
    assert_eq!(said(&map(Some("Rail_Environment.bmp"), false)), NONE);
    assert_eq!(said(&map(Some("C:\\Textures\\rail_environment.BMP"), false)), NONE);
    assert_eq!(said(&map(None, false)), NONE);
    assert_eq!(said(&map(Some("Wood_Plain.bmp"), false)), ["VL043"]);
    assert_eq!(said(&map(Some("Rail_Environment.bmp"), true)), ["VL043"]);
    // A tower with a mesh of its own may have the texture.
    let mut towers = map(Some("Rail_Environment.bmp"), false);
    let [_, _, mesh] = towers.looks("Tower", Some("Rail_Environment.bmp"));
    towers.with_mesh("Tower", mesh, &["Others"]);
    assert!(!said(&towers).contains(&"VL043"));
}

#[test]
fn the_first_stopper_is_heard_and_no_other() {
    let stopper = ["Phys_FloorStopper"];
    assert_eq!(Map::new(2).add("Stopper", HERE, &stopper).lint(), NONE);
    assert_eq!(Map::new(2).add("One", HERE, &stopper).add("Two", HERE, &stopper).lint(), ["VL044"]);
}

#[test]
fn light_cones_are_one_material() {
    let cone = Some("Laterne_Verlauf.tga");
    let map = |all: &[(&'static str, Option<&str>)]| {
        let mut map = Map::new(2);
        for (nth, (name, file)) in all.iter().enumerate() {
            let [texture, material, mesh] = map.looks(name, *file);
            // Transparent, as that of the game is; names of other objects differ.
            map.objects[texture as usize].1 = format!("Texture {nth}");
            map.objects[mesh as usize].1 = format!("Mesh {nth}");
            assert_eq!(map.objects[material as usize].1, *name);
        }
        let mut said = said(&map);
        said.retain(|code| !["VL002", "VL050", "VL072"].contains(code));
        said
    };
    assert_eq!(map(&[("Laterne_Verlauf", cone), ("Wood", Some("wood.bmp"))]), NONE);
    assert_eq!(map(&[("Laterne_Verlauf", cone), ("Laterne_Verlauf", cone)]), ["VL082"]);
    assert_eq!(map(&[("Laterne_Verlauf", None)]), ["VL082"]);
    assert_eq!(map(&[("Laterne_Verlauf", Some("wood.bmp"))]), ["VL082"]);
    assert_eq!(map(&[("Laterne_Verlauf", cone), ("Cone", cone)]), ["VL082"]);
}

#[test]
fn modules_share_their_looks_with_nothing_else() {
    let map = |share: &dyn Fn(&mut Map, [u32; 3]) -> u32| {
        let mut map = Map::new(2);
        let looks = map.looks("Box", Some("wood.bmp"));
        map.with_mesh("P_Box_01", looks[2], &["P_Box", "Sector_01"]);
        map.with_mesh("P_Box_02", looks[2], &["P_Box", "Sector_02"]);
        let mesh = share(&mut map, looks);
        map.with_mesh("Deco", mesh, &["Others"]);
        said(&map)
    };
    let own = |map: &mut Map, slots: [Option<u32>; 2]| {
        map.put(32, "Deco", Mesh { slots: &slots, faces: &[[0, 2, 1, 0]], ..TRIANGLE }.chunk());
        map.objects.len() as u32 - 1
    };
    assert_eq!(map(&|map, _| own(map, [None, None])), NONE);
    // The mesh alone is told, not what comes with it.
    assert_eq!(map(&|_, [_, _, mesh]| mesh), ["VL045"]);
    assert_eq!(map(&|map, [_, material, _]| own(map, [None, Some(material)])), ["VL045"]);
    assert_eq!(
        map(&|map, [texture, ..]| {
            map.put(30, "Own", material(0xFF00_0000, 0, 0, Some(texture)));
            let material = map.objects.len() as u32 - 1;
            own(map, [None, Some(material)])
        }),
        ["VL045"]
    );
}

#[test]
fn textures_have_the_pixel_formats_of_the_game() {
    let map = |file: &'static str, format: u32| {
        let chunk = Chunk::object(31).identifier(0x1_0000).word(1).string(file.as_bytes());
        let chunk = chunk.identifier(0x2F_F000).words(&[3 << 16 | 0x201, 0, 0, format]);
        said(Map::new(2).put(31, "T", chunk))
    };
    for (file, format) in [("Wood_Raft.bmp", 6), ("Font_1.tga", 1), ("own.png", 1), ("own.png", 6)]
    {
        assert_eq!(map(file, format), NONE, "{file} {format}");
    }
    for (file, format) in [("wood_raft.BMP", 1), ("Font_1.tga", 6), ("own.png", 4), ("own.png", 19)]
    {
        assert_eq!(map(file, format), ["VL072"], "{file} {format}");
    }
}

#[test]
fn sectors_have_the_names_that_the_game_looks_for() {
    assert_eq!(Map::new(3).rename("Sector_02", "Sector_2").lint(), ["VL031"]);
    assert_eq!(Map::new(9).rename("Sector_09", "Sector_9").lint(), ["VL030"]);
    // Both names of the ninth at once.
    let both = ["P_Modul_03", "Sector_9"];
    let mut map = Map::new(9);
    assert!(map.add("P_Modul_03_99", HERE, &both).lint().contains(&"VL031"));
}
