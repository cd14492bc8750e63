//! Rules of `lint` about the maps of Ballance: a map that trips each of them and one that does not.

mod common;

use common::{
    linted::*,
    open,
    scene::{HERE, camera, entity, file, light, material},
};
use spelunk::lint::{self, Missing, Selection};
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
    assert_eq!(Map::new(2).add("F", scaled(1.0, -1.0), &["Phys_FloorRails"]).lint(), ["VL020"]);
    assert_eq!(Map::new(2).add("F", scaled(2.0, 1.0), &["Shadow"]).lint(), NONE);
    let both = ["Phys_Floors", "Phys_FloorRails"];
    assert_eq!(Map::new(2).add("F", HERE, &both).lint(), ["VL022"]);
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
    assert_eq!(Map::new(2).rename("PS_Levelstart", "Start").lint(), ["VL032", "VL040"]);
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
    let carried = |option| told(&mut with_wood(&map(saved_texture(option, named))), &[]);
    assert_eq!([carried(4), carried(1)], [vec![], vec!["VL070"]]);

    // As later files and as old ones have it.
    let later = |option: u32| stored(Chunk::object(31)).identifier(0xFF_F000).word(option << 16);
    let bytes = passes_mended(&map(later(1)), &[("VL070", 1)]);
    assert!(bytes == map(later(3)));
    let old = |option: u32| {
        stored(Chunk::object(31).data_version(4)).identifier(0x80_0000).words(&[option, 0])
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
    lint::lint(&mut opened, "a map", &Selection::default(), &[], None, &mut Missing::new())
        .unwrap();
    let told = opened.take_findings().findings;
    let told: Vec<_> = told.iter().map(|finding| finding.severity.name()).collect();
    assert_eq!(told, ["warning", "info"]);
}
