//! `lint`: a file that trips each rule and one that does not, and what mending leaves.

use crate::common::{
    linted::*,
    open,
    scene::{HERE, Mesh, TRIANGLE, entity, file, material, texture},
};
use spelunk::{
    Opened,
    check::lint::{self, Mended, Mending, Missing, Selection},
    entries::search,
    verbs::Disk,
};
use spelunk_fixtures::{chunk::Chunk, samples::gameplay, virtools::VirtoolsFile};
use std::{fs, sync::Arc};
use test_support::findings::codes;

#[test]
fn a_clean_file_passes_and_mending_changes_no_byte() {
    let bytes = file(clean());
    assert_eq!(lint(&bytes), Vec::<&str>::new());
    assert_eq!(mended(&bytes), (bytes, vec![]));
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
    let folders = lint::folders(Arc::new(Disk), Some(&maps.join("level.nmo").into()), &[]);
    for name in ["b.nmo", "a.nmo"] {
        let all = Selection::default();
        lint::lint(&mut opened, name, &all, &folders, None, &mut missing).unwrap();
    }
    let needed_by = ["a.nmo", "b.nmo"].map(str::to_owned);
    assert_eq!(missing, Missing::from([("hit.wav".to_owned(), needed_by.into())]));
    fs::write(dir.path().join("sounds/HIT.wav"), b"").unwrap();
    let folders = lint::folders(Arc::new(Disk), Some(&maps.join("level.nmo").into()), &[]);
    assert_eq!(told(&mut opened, &folders), Vec::<&str>::new());
}

#[test]
fn files_that_are_carried_along_are_there() {
    let mut objects = clean();
    objects[0].2 = material(0xFFFF_FFFF, 0, 0, Some(3));
    objects.push((31, "Wood_Texture", texture("wood.bmp")));
    assert_eq!(
        told(&mut with_wood(&file(objects)), &search::Search::default()),
        Vec::<&str>::new()
    );
}

/// A file that carries `Wood.bmp` along.
#[test]
fn faces_and_vertices_that_are_not_what_they_should_be() {
    let whole: &[_] = &[[0, 1, 2, 0], [1, 3, 2, 0]];
    assert_eq!(lint(&floor(whole, 2.0)), Vec::<&str>::new());

    let isolated = floor(&[[1, 3, 2, 0]], 2.0);
    assert_eq!(lint(&isolated), ["VL010"]);
    let bytes = passes_mended(&isolated, &[("VL010", 1)]);
    let mut opened = open("mended", &bytes);
    opened.run(|container, task| {
        let file = container.model::<virtools::File>().unwrap();
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
        lint::lint(
            &mut opened,
            "a file",
            &selection,
            &search::Search::default(),
            None,
            &mut Missing::new(),
        )
        .unwrap();
        let told = codes(&opened.take_findings());
        let mending = Mending { selection, ..everything() };
        let Mended { fixed, .. } = lint::fix(&mut opened, &mending).unwrap();
        (told, fixed.iter().map(|(code, _)| code.id).collect::<Vec<_>>())
    };
    assert_eq!(only(&["VL011"], &[]), (vec!["VL011"], vec!["VL011"]));
    assert_eq!(only(&[], &["VL011", "VL010"]), (vec!["VL013"], vec!["VL013"]));

    for sample in spelunk_fixtures::samples() {
        let source = std::sync::Arc::new(spelunk::Bytes::from(sample.fixture.bytes));
        // Layouts that only a specification has are not opened.
        let Ok(mut opened) = Opened::open(source, &spelunk::Options::default()) else { continue };
        let all = Selection::default();
        let linted = lint::lint(
            &mut opened,
            sample.name,
            &all,
            &search::Search::default(),
            None,
            &mut Missing::new(),
        );
        let fixed = lint::fix(&mut opened, &everything()).map(|_| ());
        let code = |result: spelunk::Result<()>| result.err().map(|error| error.code().id);
        let expected = match sample.format {
            "virtools" => (None, None),
            "snpak" => (None, Some("SP089")),
            "spellforce-pak" | "spellforce-pakdata" => (None, Some("SP089")),
            "spellforce-cff" | "spellforce-map"
                if [None, Some("spellforce2"), Some("spec")]
                    .contains(&opened.container().dialect()) =>
            {
                (None, Some("SP089"))
            }
            _ => (Some("SP080"), Some("SP080")),
        };
        assert_eq!((code(linted), code(fixed)), expected, "{}", sample.name);
    }
}
