//! `lint`: a file that trips each rule and one that does not, and what mending leaves.

mod common;

use common::{
    errors, open,
    scene::{HERE, Mesh, TRIANGLE, camera, entity, file, light, material, texture},
};
use spelunk::{
    Opened, WriteOptions,
    lint::{self, Missing, Selection},
};
use spelunk_fixtures::{
    chunk::Chunk, corpus, mutate::mutate, samples::gameplay, virtools::VirtoolsFile,
};
use std::{fs, path::PathBuf};

type Objects = Vec<(u32, &'static str, Chunk)>;

/// The rules that say something, by their codes, once for each finding.
fn told(opened: &mut Opened, folders: &[PathBuf]) -> Vec<&'static str> {
    let mut missing = Missing::new();
    drop(opened.take_findings());
    lint::lint(opened, "a file", &Selection::default(), folders, None, &mut missing).unwrap();
    let findings = opened.take_findings().findings;
    let mut codes: Vec<_> = findings.iter().map(|finding| finding.error.code().id).collect();
    codes.sort_unstable();
    codes
}

fn lint(bytes: &[u8]) -> Vec<&'static str> {
    told(&mut open("a file", bytes), &[])
}

/// The bytes of a file that was mended, and how often rules were applied.
fn mended(bytes: &[u8]) -> (Vec<u8>, Vec<(&'static str, u64)>) {
    let mut opened = open("a file", bytes);
    let fixed = lint::fix(&mut opened, &Selection::default()).unwrap();
    assert!(opened.findings().findings.is_empty(), "{:?}", opened.findings().findings);
    (written(&mut opened), fixed.iter().map(|(code, count)| (code.id, *count)).collect())
}

fn written(opened: &mut Opened) -> Vec<u8> {
    let mut out = Vec::new();
    opened
        .run(|container, task| container.write(&mut out, &WriteOptions::default(), task))
        .unwrap();
    out
}

/// Mends a file, and sees that it passes then.
fn passes_mended(bytes: &[u8], expected: &[(&str, u64)]) -> Vec<u8> {
    let (bytes, fixed) = mended(bytes);
    assert_eq!(fixed, expected);
    assert_eq!(lint(&bytes), Vec::<&str>::new());
    assert_eq!(errors(&mut open("mended", &bytes)), Vec::<&str>::new());
    assert_eq!(mended(&bytes), (bytes.clone(), vec![]), "a second time");
    bytes
}

fn group(members: &[u32]) -> Chunk {
    let members: Vec<_> = members.iter().copied().map(Some).collect();
    Chunk::object(23).identifier(0xF_FFFF).object_sequence(&members)
}

/// A textless material and a mesh that has it, which an entity has.
fn clean() -> Objects {
    let mesh = Mesh { slots: &[None, Some(0)], ..TRIANGLE };
    vec![
        (30, "Wood", material(0xFFFF_FFFF, 0, 0, None)),
        (32, "Floor_Mesh", mesh.chunk()),
        (33, "Floor", entity(HERE, Some(1), None)),
    ]
}

#[test]
fn a_clean_file_passes_and_mending_changes_no_byte() {
    let bytes = file(clean());
    assert_eq!(lint(&bytes), Vec::<&str>::new());
    assert_eq!(mended(&bytes), (bytes, vec![]));
}

#[test]
fn what_nothing_uses_is_told_with_what_only_that_uses_and_removed() {
    let mut objects = clean();
    // In front of what stays, so that positions change.
    objects.push((31, "Rust", Chunk::object(31).identifier(0x2F_F000).words(&[0x3_0001, 0])));
    objects.push((30, "Iron", material(0xFF00_0000, 0, 0, Some(3))));
    objects.push((23, "All", group(&[2])));
    let bytes = file(objects.clone());
    assert_eq!(lint(&bytes), ["VL001", "VL001"]);
    let bytes = passes_mended(&bytes, &[("VL001", 2)]);
    let mut opened = open("mended", &bytes);
    let names: Vec<_> = common::rows(&mut opened).iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names, ["Wood", "Floor_Mesh", "Floor", "All"]);

    // A text that is its name, whatever the case of its letters, is a use.
    let text = Chunk::object(45).identifier(0x40).guid((0x6BD0_10E2, 0x115D_BAAD)).word(1);
    objects.push((45, "Name", text.string(b"IRON")));
    assert_eq!(lint(&file(objects)), Vec::<&str>::new());

    // A file of nothing else is there for others.
    let library = vec![(30, "Wood", material(0xFFFF_FFFF, 0, 0, None))];
    assert_eq!(lint(&file(library)), Vec::<&str>::new());
}

#[test]
fn equal_objects_are_told_and_one_is_kept_for_all() {
    let picture = || Chunk::object(31).identifier(0x2F_F000).words(&[0x3_0001, 0]);
    let mesh = |slots: &'static [Option<u32>]| Mesh { slots, ..TRIANGLE }.chunk();
    let objects = |second: u32| {
        vec![
            (31, "A", picture()),
            (31, "B", picture()),
            (30, "MA", material(0xFFFF_FFFF, 0, 0, Some(0))),
            (30, "MB", material(second, 0, 0, Some(1))),
            (32, "A_Mesh", mesh(&[None, Some(2)])),
            (32, "B_Mesh", mesh(&[None, Some(3)])),
            (33, "One", entity(HERE, Some(4), None)),
            (33, "Two", entity(HERE, Some(5), None)),
            (23, "All", group(&[4, 5, 6, 7])),
        ]
    };
    let bytes = file(objects(0xFFFF_FFFF));
    assert_eq!(lint(&bytes), ["VL002", "VL002", "VL002"]);
    let bytes = passes_mended(&bytes, &[("VL002", 3)]);
    let mut opened = open("mended", &bytes);
    let places = opened.run(|container, task| {
        let file = container.as_any().downcast_ref::<virtools::File>().unwrap();
        let scene = virtools::scene::Scene::of(file, task).unwrap();
        assert_eq!(scene.groups[&5], [2, 3, 4], "once in a list");
        scene
            .entities
            .values()
            .map(|entity| (entity.mesh, entity.meshes.clone()))
            .collect::<Vec<_>>()
    });
    assert_eq!(places, [(Some(2), vec![2]), (Some(2), vec![2])]);

    // Materials that differ make meshes that differ.
    assert_eq!(lint(&file(objects(0xFF00_0000))), ["VL002"]);
}

#[test]
fn files_that_are_not_there_are_told_with_those_that_need_them() {
    let mut objects = clean();
    let sound = Chunk::object(25).identifier(0x1000).word(0).string(b"hit.wav");
    objects[0].2 = material(0xFFFF_FFFF, 0, 0, Some(3));
    objects.push((31, "Wood_Texture", texture(r"C:\maps\Wood.BMP")));
    objects.push((25, "Hit", sound));
    let bytes = file(objects);
    assert_eq!(lint(&bytes), ["VL003", "VL003"]);

    let dir = tempfile::tempdir().unwrap();
    let maps = dir.path().join("Maps");
    for folder in ["Maps", "TEXTURES", "sounds"] {
        fs::create_dir(dir.path().join(folder)).unwrap();
    }
    fs::write(dir.path().join("TEXTURES/wood.bmp"), b"").unwrap();
    let mut opened = open("level", &bytes);
    let mut missing = Missing::new();
    let folders = lint::folders(Some(&maps.join("level.nmo")), &[]);
    for name in ["b.nmo", "a.nmo"] {
        let all = Selection::default();
        lint::lint(&mut opened, name, &all, &folders, None, &mut missing).unwrap();
    }
    let needed_by = ["a.nmo", "b.nmo"].map(str::to_owned);
    assert_eq!(missing, Missing::from([("hit.wav".to_owned(), needed_by.into())]));
    fs::write(dir.path().join("sounds/HIT.wav"), b"").unwrap();
    let folders = lint::folders(Some(&maps.join("level.nmo")), &[]);
    assert_eq!(told(&mut opened, &folders), Vec::<&str>::new());
}

#[test]
fn files_that_are_carried_along_are_there() {
    let mut objects = clean();
    objects[0].2 = material(0xFFFF_FFFF, 0, 0, Some(3));
    objects.push((31, "Wood_Texture", texture("wood.bmp")));
    assert_eq!(told(&mut with_wood(&file(objects)), &[]), Vec::<&str>::new());
}

/// A file that carries `Wood.bmp` along.
fn with_wood(bytes: &[u8]) -> Opened {
    let mut opened = open("level", bytes);
    opened
        .edit(|edit, task| {
            let table = edit.table("included").unwrap();
            edit.insert(table, &[spelunk::Val::Str("Wood.bmp".into())], task).unwrap();
        })
        .unwrap();
    opened
}

/// A floor with a mesh of four vertices.
fn floor(faces: &[[u32; 4]], far: f32) -> Vec<u8> {
    let positions = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [far, 0.0, 1.0]];
    let uv = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.25], [0.5, 0.5]];
    let mesh = Mesh { faces, positions: &positions, uv: &uv, ..TRIANGLE };
    file(vec![(32, "Mesh", mesh.chunk()), (33, "Floor", entity(HERE, Some(0), None))])
}

#[test]
fn faces_and_vertices_that_are_not_what_they_should_be() {
    let whole: &[_] = &[[0, 1, 2, 0], [1, 3, 2, 0]];
    assert_eq!(lint(&floor(whole, 2.0)), Vec::<&str>::new());

    let isolated = floor(&[[1, 3, 2, 0]], 2.0);
    assert_eq!(lint(&isolated), ["VL010"]);
    let bytes = passes_mended(&isolated, &[("VL010", 1)]);
    let mut opened = open("mended", &bytes);
    opened.run(|container, task| {
        let file = container.as_any().downcast_ref::<virtools::File>().unwrap();
        let scene = virtools::scene::Scene::of(file, task).unwrap();
        let mesh = &scene.meshes[&0];
        let corners = [mesh.faces[0].a, mesh.faces[0].b, mesh.faces[0].c].map(|at| at.get());
        assert_eq!((corners, mesh.positions.len(), mesh.uv.len()), ([0, 2, 1], 3, 3));
        assert_eq!(mesh.positions[2][0].get(), 2.0, "what was the last one");
        assert_eq!(mesh.uv[2][0].get(), 0.5);
    });

    // Two corners are one vertex, or at one place.
    passes_mended(&floor(&[[0, 1, 2, 0], [1, 3, 2, 0], [1, 3, 3, 0]], 2.0), &[("VL011", 1)]);
    let flat = floor(&[[0, 1, 2, 0], [1, 3, 2, 0]], 1.0);
    assert_eq!(lint(&flat), ["VL011"]);
    passes_mended(&flat, &[("VL011", 1), ("VL010", 1)]);

    let outside = floor(&[[0, 1, 2, 0], [1, 3, 2, 0], [1, 2, 4, 0]], 2.0);
    assert_eq!(lint(&outside), ["VL012"]);
    passes_mended(&outside, &[("VL012", 1)]);
    let slot = floor(&[[0, 1, 2, 0], [1, 3, 2, 1]], 2.0);
    assert_eq!(lint(&slot), ["VL013"]);
    passes_mended(&slot, &[("VL013", 1)]);
}

#[test]
fn corners_on_one_line_are_told_and_the_face_stays() {
    let face = |corners: [[f32; 3]; 3]| {
        let mesh = Mesh { positions: &corners, ..TRIANGLE };
        file(vec![(32, "Mesh", mesh.chunk()), (33, "Floor", entity(HERE, Some(0), None))])
    };
    // The third corner stands so high above the middle of an edge that is so long.
    let high = |length: f32, height: f32| {
        face([[0.0, 0.0, 0.0], [length, 0.0, 0.0], [length / 2.0, 0.0, height]])
    };
    for length in [1e-30, 1.0, 300.0, 1e30] {
        let flat = high(length, length / 8_388_608.0);
        assert_eq!(lint(&flat), ["VL014"], "{length}");
        assert_eq!(mended(&flat), (flat, vec![]), "{length}");
        assert_eq!(lint(&high(length, length / 2_097_152.0)), Vec::<&str>::new(), "{length}");
    }
    // Thirds are rounded, and the line is none of an axis; whatever the order of the corners.
    let [a, b, c] = [[0.0; 3], [1.0 / 3.0, 0.7 / 3.0, 5.3 / 3.0], [1.0, 0.7, 5.3]];
    for corners in [[a, b, c], [b, c, a], [c, a, b], [c, b, a]] {
        assert_eq!(lint(&face(corners)), ["VL014"]);
    }
    // What is no number is no line.
    for odd in [f32::NAN, f32::INFINITY, f32::MAX] {
        assert_eq!(lint(&face([[odd, 0.0, 0.0], [1.0, 2.0, 3.0], [0.0, odd, 0.0]])), NONE);
    }
}

#[test]
fn vertices_stay_where_something_goes_by_their_numbers() {
    let positions = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [2.0, 0.0, 1.0]];
    let mesh = Mesh { positions: &positions, uv: &[[0.0, 0.0]], ..TRIANGLE }.chunk();
    let mesh = mesh.identifier(0x8_0000).word(4).buffer(&[0; 16]);
    let bytes = file(vec![(32, "Mesh", mesh), (33, "Soft", entity(HERE, Some(0), None))]);
    assert_eq!(lint(&bytes), ["VL010"]);
    assert_eq!(mended(&bytes), (bytes, vec![]));
}

/// A map with so many sectors, in which each group has what it should have: positions 1 is a floor, and then points.
struct Map {
    objects: Vec<(u32, String, Chunk)>,
    groups: Vec<(String, Vec<u32>)>,
}

impl Map {
    fn new(sectors: u32) -> Map {
        let mut map = Map { objects: Vec::new(), groups: Vec::new() };
        map.objects.push((32, "Mesh".into(), TRIANGLE.chunk()));
        map.add("Floor", HERE, &["Phys_Floors"]);
        map.add("PS_FourFlames_01", HERE, &["PS_Levelstart"]);
        map.add("PE_Balloon_01", HERE, &["PE_Levelende"]);
        for number in 1..=sectors {
            let (module, sector) =
                (format!("P_Modul_03_{number:02}"), format!("Sector_{number:02}"));
            map.add(&module, HERE, &["P_Modul_03", &sector]);
            map.add(&format!("PR_Resetpoint_{number:02}"), HERE, &["PR_Resetpoints"]);
            if number < sectors {
                map.add(&format!("PC_TwoFlames_{number:02}"), HERE, &["PC_Checkpoints"]);
            }
        }
        map
    }

    fn add(&mut self, name: &str, rows: [f32; 12], groups: &[&str]) -> &mut Map {
        let index = self.objects.len() as u32;
        self.objects.push((33, name.into(), entity(rows, Some(0), None)));
        for group in groups {
            match self.groups.iter_mut().find(|(known, _)| known == group) {
                Some((_, members)) => members.push(index),
                None => self.groups.push(((*group).into(), vec![index])),
            }
        }
        self
    }

    /// Adds what a group of no meaning refers to.
    fn put(&mut self, class_id: u32, name: &str, chunk: Chunk) -> &mut Map {
        self.add(name, HERE, &["Others"]);
        *self.objects.last_mut().unwrap() = (class_id, name.into(), chunk);
        self
    }

    fn rename(&mut self, old: &str, new: &str) -> &mut Map {
        let names = self.objects.iter_mut().map(|(_, name, _)| name);
        let mut names = names.chain(self.groups.iter_mut().map(|(name, _)| name));
        *names.find(|name| *name == old).unwrap() = new.into();
        self
    }

    fn lint(&self) -> Vec<&'static str> {
        lint(&self.bytes())
    }

    fn bytes(&self) -> Vec<u8> {
        let groups = self.groups.iter().map(|(name, members)| (23, name, group(members)));
        let objects = self.objects.iter().map(|(class, name, chunk)| (*class, name, chunk.clone()));
        let objects = objects.chain(groups);
        let objects = objects.map(|(class, name, chunk)| (class, name.as_str(), chunk));
        file(objects.collect())
    }
}

const NONE: [&str; 0] = [];

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

/// A texture that is saved in a way.
fn saved_texture(option: u32, content: impl Fn(Chunk) -> Chunk) -> Chunk {
    content(Chunk::object(31)).identifier(0x2F_F000).words(&[option << 16 | 0x201, 0, 0, 6])
}

/// A name of a file.
fn named(c: Chunk) -> Chunk {
    c.identifier(0x1_0000).word(1).string(b"wood.bmp")
}

/// A picture of one pixel.
fn stored(c: Chunk) -> Chunk {
    let c = c.identifier(0x2_0000).words(&[1, 32, 1, 1, 0xFF00_0000, 0xFF_0000, 0xFF00, 0xFF, 0]);
    c.buffer(&[1]).buffer(&[2]).buffer(&[3]).buffer(&[])
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
    assert_eq!(lint(&file(objects)), NONE);
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

#[test]
fn names_are_found_and_read() {
    let named = |names: &[&[u8]]| {
        let objects = names.iter().map(|name| {
            spelunk_fixtures::virtools::ObjectEntry::new(7, 23, name, Chunk::object(23))
        });
        let mut objects: Vec<_> = objects.collect();
        (1..).zip(&mut objects).for_each(|(id, object)| object.id = id);
        lint(&VirtoolsFile { objects, ..VirtoolsFile::default() }.build().bytes)
    };
    assert_eq!(named(&[b"T\xFCr", b"Tor\0\0", b"", b""]), NONE);
    assert_eq!(named(&[b"Tor", b"Tor\0"]), ["VL050"]);
    assert_eq!(named(&[b"Tor", b"TOR"]), ["VL050"]);
    assert_eq!(named(&[b"T\x81r"]), ["VL051"]);
    assert_eq!(named(&[b"T\tr"]), ["VL052"]);
    assert_eq!(named(&[b"Tor\0x"]), ["VL052"]);
}

#[test]
fn building_blocks_are_in_the_list_of_plugins() {
    let file = gameplay();
    assert_eq!(lint(&file.build().bytes), NONE);
    let mut less = file.clone();
    less.plugins[0].guids.pop();
    assert_eq!(lint(&less.build().bytes), ["VL060"]);
}

#[test]
fn rules_are_chosen_and_not_every_format_has_some_or_is_mended() {
    let bytes = floor(&[[1, 3, 2, 1], [1, 3, 3, 0]], 2.0);
    assert_eq!(lint(&bytes), ["VL010", "VL011", "VL013"]);
    let rules = |ids: &[&str]| ids.iter().map(|id| lint::rule(id).unwrap()).collect::<Vec<_>>();
    let only = |only: &[&str], allowed: &[&str]| {
        let selection = Selection { only: rules(only), allowed: rules(allowed) };
        let mut opened = open("a file", &bytes);
        lint::lint(&mut opened, "a file", &selection, &[], None, &mut Missing::new()).unwrap();
        let told: Vec<_> =
            opened.take_findings().findings.iter().map(|finding| finding.error.code().id).collect();
        let fixed = lint::fix(&mut opened, &selection).unwrap();
        (told, fixed.iter().map(|(code, _)| code.id).collect::<Vec<_>>())
    };
    assert_eq!(only(&["VL011"], &[]), (vec!["VL011"], vec!["VL011"]));
    assert_eq!(only(&[], &["VL011", "VL010"]), (vec!["VL013"], vec!["VL013"]));

    for sample in spelunk_fixtures::samples() {
        let source = std::sync::Arc::new(spelunk::Bytes::from(sample.fixture.bytes));
        // Layouts that only a specification has are not opened.
        let Ok(mut opened) = Opened::open(source, &spelunk::Options::default()) else { continue };
        let all = Selection::default();
        let linted = lint::lint(&mut opened, sample.name, &all, &[], None, &mut Missing::new());
        let fixed = lint::fix(&mut opened, &all).map(|_| ());
        let code = |result: spelunk::Result<()>| result.err().map(|error| error.code().id);
        let expected = match sample.format {
            "virtools" => (None, None),
            "snpak" => (None, Some("SP089")),
            "spellforce-cff" | "spellforce-map" | "spellforce-pak" | "spellforce-pakdata"
                if opened.container().dialect().is_none() =>
            {
                (None, Some("SP089"))
            }
            _ => (Some("SP080"), Some("SP080")),
        };
        assert_eq!((code(linted), code(fixed)), expected, "{}", sample.name);
    }
}

#[test]
fn real_files_are_linted_and_pass_what_was_mended() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    assert!(files.len() >= 40);
    let (mut mended_files, mut clean) = (0, 0);
    for real in &files {
        let name = real.name.as_str();
        let mut opened = open(name, &real.bytes);
        let mut before = told(&mut opened, &[]);
        before.dedup();
        if name.starts_with("level_level_") {
            // The levels of the game: nothing but what only takes room, and files that are not beside them here.
            assert!(before.iter().all(|code| ["VL001", "VL002", "VL003", "VL011"].contains(code)));
        }
        let fixed = lint::fix(&mut opened, &Selection::default()).unwrap();
        let bytes = written(&mut opened);
        // What a manager of an unknown plugin holds can be positions of objects: nothing is removed then, and that is told.
        let refused: Vec<_> = opened.take_findings().findings;
        let refused: Vec<_> = refused.iter().map(|finding| finding.error.code().id).collect();
        let expected: &[&str] =
            if name == "modul_placeholders_v5.0.nmo" { &["VT084"] } else { &[] };
        assert_eq!(refused, expected, "{name}");
        if fixed.is_empty() {
            assert!(bytes == real.bytes, "{name}: nothing was mended");
            clean += 1;
            continue;
        }
        mended_files += 1;
        let mut opened = open(name, &bytes);
        let after = told(&mut opened, &[]);
        for (code, _) in &fixed {
            assert!(!after.contains(&code.id), "{name}: {}", code.id);
        }
        assert_eq!(errors(&mut open(name, &bytes)), NONE, "{name}");
    }
    assert!(mended_files >= 10 && clean >= 10, "{mended_files} mended, {clean} clean");
}

#[test]
fn damaged_copies_do_no_harm() {
    let originals = [
        Map::new(3).put(31, "Wood", saved_texture(1, named)).put(38, "On", light(1, &[])).bytes(),
        floor(&[[1, 3, 2, 1], [1, 3, 3, 0]], 2.0),
        file(clean()),
        gameplay().build().bytes,
    ];
    let mut fixed = 0;
    for seed in 0..4_000 {
        let bytes = mutate(&originals[seed as usize % originals.len()], seed);
        let source = std::sync::Arc::new(spelunk::Bytes::from(bytes));
        let Ok(mut opened) = Opened::open(source, &spelunk::Options::default()) else { continue };
        let all = Selection::default();
        let linted = lint::lint(&mut opened, "damaged", &all, &[], None, &mut Missing::new());
        let mended = lint::fix(&mut opened, &all);
        fixed += usize::from(linted.is_ok() && mended.is_ok_and(|fixed| !fixed.is_empty()));
        let mut out = Vec::new();
        let _ =
            opened.run(|container, task| container.write(&mut out, &WriteOptions::default(), task));
    }
    assert!(fixed > 100, "{fixed}");
}
