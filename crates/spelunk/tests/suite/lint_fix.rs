//! `lint --fix`: what is mended, and what is left because something goes by it.

use crate::common;

use crate::common::{
    errors, facts,
    linted::*,
    open,
    scene::{HERE, Mesh, TRIANGLE, entity, file, light, material},
};
use spelunk::{
    Opened, WriteOptions,
    check::lint::{self, Left, Mending, Missing, Reason, Selection},
};
use spelunk_fixtures::{chunk::Chunk, corpus, mutate::mutate, samples::gameplay};
use std::collections::BTreeSet;

#[test]
fn what_nothing_uses_is_told_with_what_only_that_uses_and_removed() {
    let mut objects = clean();
    // In front of what stays, so that positions change.
    objects.push((31, "Rust", saved_texture(3, stored)));
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
    let picture = || saved_texture(3, stored);
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
        let file = container.model::<virtools::File>().unwrap();
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

/// Two equal materials of each of two names, each in a mesh of its own, and what else goes by the last one.
fn materials(more: Option<(u32, Chunk)>) -> Vec<u8> {
    let mut objects: Objects = Vec::new();
    let names = [("Sky", "S1"), ("Sky", "S2"), ("Sea", "S3"), ("Sea", "S4")];
    for (nth, (name, mesh)) in (0..).zip(names) {
        let slots: &[_] = &[None, Some(3 * nth)];
        objects.push((30, name, material(0xFFFF_FFFF, 0, 0, None)));
        objects.push((32, mesh, Mesh { slots, faces: &[[0, 1, 2, nth % 2]], ..TRIANGLE }.chunk()));
        objects.push((33, mesh, entity(HERE, Some(3 * nth + 1), None)));
    }
    objects.extend(more.map(|(class_id, chunk)| (class_id, "User", chunk)));
    file(objects)
}

fn left(code: &'static str, reason: Reason, count: u64) -> Left {
    Left { code: lint::rule(code).unwrap(), reason, count }
}

#[test]
fn mending_loses_no_name_unless_it_is_wanted() {
    let bytes = materials(None);
    assert_eq!(names(&bytes, 30), ["Sky", "Sky", "Sea", "Sea"]);
    let (fixed, done) = mended_so(&bytes, &Mending::default());
    assert_eq!(names(&fixed, 30), ["Sky", "Sea"]);
    assert_eq!(names(&fixed, 32), ["S1", "S2", "S3", "S4"]);
    // Meshes of one material and one slot are equal, but for their names.
    assert_eq!(done.left, [left("VL002", Reason::Names, 3)]);
    let merging = Mending { merge_names: true, ..Mending::default() };
    let (fixed, done) = mended_so(&bytes, &merging);
    assert_eq!(
        (names(&fixed, 30), names(&fixed, 32)),
        (vec!["Sky".into()], vec!["S1".into(), "S2".into()])
    );
    assert_eq!(done.left, []);

    let mut objects = clean();
    objects.push((30, "Iron", material(0xFF00_0000, 0, 0, None)));
    let bytes = file(objects);
    let (fixed, done) = mended_so(&bytes, &Mending::default());
    assert!(fixed == bytes);
    assert_eq!(done.left, [left("VL001", Reason::Unused, 1)]);
    let removing = Mending { remove_unused: true, ..Mending::default() };
    assert_eq!(names(&mended_so(&bytes, &removing).0, 30), ["Wood"]);
}

/// What of a file goes by the material of the position 9, which is equal to three others.
#[test]
fn what_cells_parameters_and_scripts_refer_to_is_never_touched() {
    let parameter = || {
        let chunk = Chunk::object(45).identifier(0x40).guid((0x6BD0_10E2, 0x115D_BAAD)).word(2);
        chunk.object_ref(Some(9))
    };
    let cells = Chunk::object(52).identifier(0x1000).word(1).string(b"Side").word(4);
    let cells = cells.identifier(0x2000).word(1).object_ref(Some(9));
    let target = Chunk::object(8).identifier(0x20).words(&[0x4_0000]).object_ref(Some(9)).word(0);
    for (what, chunk) in
        [("parameter", (45, parameter())), ("cell", (52, cells)), ("script", (8, target))]
    {
        let bytes = materials(Some(chunk));
        let before = scripted(&bytes);
        assert!(before.iter().any(|(_, names)| names.contains(&"30 Sea".to_owned())), "{what}");
        for mending in [Mending::default(), everything()] {
            let (fixed, _) = mended_so(&bytes, &mending);
            assert_eq!(scripted(&fixed), before, "{what}");
            assert!(names(&fixed, 30).contains(&"Sea".to_owned()), "{what}");
        }
        // All are merged into the one that is referred to.
        assert_eq!(names(&mended_so(&bytes, &everything()).0, 30), ["Sea"], "{what}");
    }
    // Two that are referred to stay apart.
    let both =
        Chunk::object(52).identifier(0x1000).word(2).string(b"A").word(4).string(b"B").word(4);
    let both = both.identifier(0x2000).word(1).object_ref(Some(0)).object_ref(Some(9));
    let (fixed, done) = mended_so(&materials(Some((52, both))), &everything());
    assert_eq!(names(&fixed, 30), ["Sky", "Sea"]);
    assert!(done.left.contains(&left("VL002", Reason::Referenced, 1)), "{:?}", done.left);

    // Nor is a mesh changed that a parameter refers to: a script may go by the numbers of its vertices.
    let parameter = Chunk::object(45).identifier(0x40).guid((0x6BD0_10E2, 0x115D_BAAD)).word(2);
    let positions = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [2.0, 0.0, 1.0]];
    let mesh = Mesh { positions: &positions, uv: &[[0.0, 0.0]], ..TRIANGLE }.chunk();
    let mut objects = vec![(32, "Mesh", mesh), (33, "Soft", entity(HERE, Some(0), None))];
    assert_eq!(mended(&file(objects.clone())).1, [("VL010", 1)]);
    objects.push((45, "Shape", parameter.object_ref(Some(0))));
    let bytes = file(objects);
    let (fixed, done) = mended_so(&bytes, &everything());
    assert!(fixed == bytes);
    assert_eq!(done.left, [left("VL010", Reason::Referenced, 1)]);
}

/// The names of the objects of a class.
fn names(bytes: &[u8], class_id: u32) -> Vec<String> {
    let all = facts::facts(&facts::open(bytes)).into_iter();
    all.filter(|fact| fact.class_id == class_id).map(|fact| text(&fact.name)).collect()
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

/// What every object refers to, by names, but for meshes, materials, textures, groups, levels and scenes, which may
/// refer to equal objects afterwards.
fn referred(bytes: &[u8]) -> Vec<(String, Vec<String>)> {
    let all = facts::facts(&facts::open(bytes));
    let users = all.iter().filter(|fact| ![10, 21, 23, 30, 31, 32, 53].contains(&fact.class_id));
    let user = |fact: &facts::Fact| {
        let target = |at: usize| format!("{} {}", all[at].class_id, text(&all[at].name));
        let targets = fact.references.iter().map(|(_, at)| at.map_or_else(String::new, target));
        (format!("{} {}", fact.class_id, text(&fact.name)), targets.collect())
    };
    users.map(user).collect()
}

/// What cells of data arrays, parameters and scripts refer to.
fn scripted(bytes: &[u8]) -> Vec<(String, Vec<String>)> {
    let mut all = referred(bytes);
    let kinds = ["2 ", "3 ", "4 ", "8 ", "45 ", "46 ", "52 "];
    all.retain(|(user, _)| kinds.iter().any(|kind| user.starts_with(kind)));
    all
}

#[test]
fn real_files_are_linted_and_pass_what_was_mended() {
    let Some(files) = corpus::files("virtools", &["nmo", "cmo", "nms"]) else { return };
    assert!(files.len() >= 40);
    let (mut mended_files, mut clean) = (0, 0);
    for real in &files {
        let name = real.name.as_str();
        let mut opened = open(name, &real.bytes);
        let mut before = told(&mut opened, &spelunk::entries::search::Search::default());
        before.dedup();
        if name.starts_with("level_level_") {
            // The levels of the game: nothing but what only takes room, and files that are not beside them here.
            let known = ["VL001", "VL002", "VL003", "VL011"];
            assert!(before.iter().all(|code| known.contains(code)), "{name}: {before:?}");
        }
        for mending in [Mending::default(), everything()] {
            let mut opened = open(name, &real.bytes);
            let done = lint::fix(&mut opened, &mending).unwrap();
            let bytes = written(&mut opened);
            // What a manager of an unknown plugin holds can be positions of objects: nothing is removed then, and that
            // is told.
            let refused: Vec<_> = opened.take_findings().findings;
            let refused: Vec<_> = refused.iter().map(|finding| finding.error.code().id).collect();
            let removes = mending.remove_unused && name == "modul_placeholders_v5.0.nmo";
            let expected: &[&str] = if removes { &["VT084"] } else { &[] };
            assert_eq!(refused, expected, "{name}");
            if done.fixed.is_empty() {
                assert!(bytes == real.bytes, "{name}: nothing was mended");
                clean += 1;
                continue;
            }
            mended_files += 1;
            let after = told(&mut open(name, &bytes), &spelunk::entries::search::Search::default());
            for (code, _) in &done.fixed {
                let is_left = done.left.iter().any(|left| left.code.id == code.id);
                assert!(is_left || !after.contains(&code.id), "{name}: {}", code.id);
            }
            assert_eq!(errors(&mut open(name, &bytes)), NONE, "{name}");
            if mending.merge_names {
                // What looks like another one is that one now, but not for cells, parameters and scripts.
                assert_eq!(scripted(&bytes), scripted(&real.bytes), "{name}");
            } else {
                assert_eq!(referred(&bytes), referred(&real.bytes), "{name}");
                for class_id in [23, 30, 31, 32, 33, 41, 45, 52] {
                    let all =
                        |bytes: &[u8]| names(bytes, class_id).into_iter().collect::<BTreeSet<_>>();
                    assert_eq!(all(&bytes), all(&real.bytes), "{name}: class {class_id}");
                }
            }
        }
    }
    assert!(mended_files >= 12 && clean >= 60, "{mended_files} mended, {clean} clean");
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
        let linted = lint::lint(
            &mut opened,
            "damaged",
            &all,
            &spelunk::entries::search::Search::default(),
            None,
            &mut Missing::new(),
        );
        let mended = lint::fix(&mut opened, &everything());
        fixed += usize::from(linted.is_ok() && mended.is_ok_and(|mended| !mended.fixed.is_empty()));
        let mut out = Vec::new();
        let _ =
            opened.run(|container, task| container.write(&mut out, &WriteOptions::default(), task));
    }
    assert!(fixed > 100, "{fixed}");
}
